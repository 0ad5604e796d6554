internal import MediaFileSystem
internal import MediaPicking
internal import MediaSandbox

/// The coordinator's part in a viewer, which is to start it.
enum Viewer {
  /// Starts a viewer of a folder, and waits until it is confined; nothing is listed before a page or a picker asks.
  ///
  /// - Returns: The process, and the end of its socket that is theirs, which does not block. A caller that hands
  ///   that on and closes it sees nothing of the names and pictures.
  /// - Throws: `SandboxError`.
  static func start(
    _ request: PickerRequest,
    nullDevice: Descriptor
  ) throws(SandboxError) -> (process: ConfinedChild<ViewerService>, pageEnd: Descriptor) {
    let ends = try DescriptorPassing.pair()
    let pageEnd = Descriptor(owning: ends.unblocking, path: [])
    let viewerEnd = Descriptor(owning: ends.blocking, path: [])
    let process = try withExtendedLifetime(viewerEnd) { () throws(SandboxError) in
      try ConfinedChild<ViewerService>.start(
        request.viewerTask,
        files: [request.folder.raw, viewerEnd.raw],
        nullDevice: nullDevice.raw
      )
    }
    return (process, pageEnd)
  }
}

extension ConfinedChild<ViewerService> {
  /// The time for a viewer whose page has ended: a camera's process has 2 s to end its session.
  private static var endMilliseconds: Int32 { 3_000 }

  /// Waits for a viewer that ends since its page has, so that the camera is free for the run.
  func endsByItself() { _ = try? next(milliseconds: Self.endMilliseconds) }
}
