package import MediaModel
package import MediaWorkerProtocol

/// The task of a viewer, the process that shows one source's names and pictures to a person's page.
package struct ViewerTask: Sendable, Hashable {
  /// The kind of items that are shown; nil for all that can be picked.
  package var filter: PickFilter?
  /// Whether names on other file systems are shown too; pictures of them never are.
  package var crossMounts: Bool
  /// Whether files are opened for their pictures; else the viewer has no right to read one.
  package var showsPictures: Bool
  /// The devices on which another source of the manifest lies: a file there that has a second name may be
  /// that source's too, and is not opened.
  package var guardedDevices: Set<UInt64>

  /// Makes a task.
  package init(
    filter: PickFilter?,
    crossMounts: Bool,
    showsPictures: Bool,
    guardedDevices: Set<UInt64>
  ) {
    self.filter = filter
    self.crossMounts = crossMounts
    self.showsPictures = showsPictures
    self.guardedDevices = guardedDevices
  }

  /// The task as one frame.
  package var frame: [UInt8] {
    var writer = WireWriter()
    writer.put(filter?.rawValue ?? "")
    writer.put(crossMounts)
    writer.put(showsPictures)
    writer.put(UInt32(guardedDevices.count))
    for device in guardedDevices.sorted() { writer.put(device) }
    return writer.frame
  }

  /// Reads a task from the content of a frame.
  ///
  /// - Throws: `ProtocolError` for anything that ``frame`` does not write.
  package init(frame: ArraySlice<UInt8>) throws(ProtocolError) {
    var reader = WireReader(frame)
    let word = try reader.text(limit: 64)
    filter = PickFilter(rawValue: word)
    guard word.isEmpty || filter != nil else { throw ProtocolError("unknown word") }
    crossMounts = try reader.bool()
    showsPictures = try reader.bool()
    var devices: Set<UInt64> = []
    for _ in 0..<(try reader.count(limit: SourceKind.allCases.count)) {
      devices.insert(try reader.integer())
    }
    guardedDevices = devices
    guard reader.isAtEnd else { throw ProtocolError("a task that goes on") }
  }
}
