internal import MediaFileSystem
internal import MediaPicking
internal import MediaSandbox

/// The coordinator's part in a viewer, which is to start it.
enum Viewer {
  /// This very program, whatever its name has become since. Source: proc(5).
  private static let program = [UInt8]("/proc/self/exe".utf8)

  /// Starts a viewer of a folder and gives it its task; nothing is listed before the page asks.
  ///
  /// - Returns: The process, and the end of its socket that is the page's. Who hands that on and closes it
  ///   sees nothing of the names and pictures.
  /// - Throws: `SandboxError`.
  static func start(
    _ request: PickerRequest,
    nullDevice: Descriptor
  ) throws(SandboxError) -> (process: WorkerProcess, pageEnd: Descriptor) {
    let ends = try DescriptorPassing.pair()
    let pageEnd = Descriptor(owning: ends.unblocking, path: [])
    let viewerEnd = Descriptor(owning: ends.blocking, path: [])
    let process = try WorkerProcess.spawn(
      executable: program,
      arguments: [ViewerProcess.argument],
      nullDevice: nullDevice.raw
    )
    let frame = request.viewerTask.frame
    // The folder goes with the length, the socket to the page with the rest.
    try DescriptorPassing.sendWhole(frame.prefix(4), request.folder.raw, over: process.socket)
    try DescriptorPassing.sendWhole(frame.dropFirst(4), viewerEnd.raw, over: process.socket)
    return (process, pageEnd)
  }
}
