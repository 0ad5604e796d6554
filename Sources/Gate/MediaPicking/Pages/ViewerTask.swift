package import MediaModel
package import MediaWorkerProtocol

/// The task of a viewer, the process that shows one source's names and pictures to a person's page.
package struct ViewerTask: Sendable, Hashable {
  /// How the source is laid out.
  package var layout: SourceLayout
  /// The kinds of items that are shown; empty for all that can be picked.
  package var filter: Set<PickFilter>
  /// Whether names on other file systems are shown too; pictures of them never are.
  package var crossMounts: Bool
  /// Whether files are opened for their pictures; else the viewer has no right to read one.
  package var showsPictures: Bool
  /// The devices on which another source of the manifest lies: a file there that has a second name may be
  /// that source's too, and is not opened.
  package var guardedDevices: Set<UInt64>
  /// Whether assets are shown that a person hid, or that lie in albums of others, where the source tells them apart.
  package var showsHidden: Bool
  /// Whether pictures are shown that a partner shares, where the source tells them apart.
  package var showsOthers: Bool
  /// Whether names are shown that a run leaves out by default.
  package var showsLeftOut: Bool
  /// The camera that the source is, in the words of the module that reads it; nil for a folder.
  package var camera: [UInt8]?
  /// The files that are shown, and no others; nil for all that the source has.
  package var files: [ItemPath]?

  /// The most devices of other sources: each kind has at most 100.
  private static let maximumDeviceCount = 100 * SourceKind.allCases.count
  /// The most bytes of a camera's description.
  private static let maximumCameraLength = 16 << 10

  /// Makes a task.
  package init(
    layout: SourceLayout = .folder,
    filter: Set<PickFilter>,
    crossMounts: Bool,
    showsPictures: Bool,
    guardedDevices: Set<UInt64>,
    showsHidden: Bool = false,
    showsOthers: Bool = false,
    showsLeftOut: Bool = false,
    camera: [UInt8]? = nil,
    files: [ItemPath]? = nil
  ) {
    self.layout = layout
    self.filter = filter
    self.crossMounts = crossMounts
    self.showsPictures = showsPictures
    self.guardedDevices = guardedDevices
    self.showsHidden = showsHidden
    (self.showsOthers, self.showsLeftOut) = (showsOthers, showsLeftOut)
    self.camera = camera
    self.files = files
  }
}

extension ViewerTask: WireValue {
  package func put(into writer: inout WireWriter) {
    writer.put(layout.rawValue)
    writer.put(filter)
    writer.put(crossMounts)
    writer.put(showsPictures)
    writer.put(UInt32(guardedDevices.count))
    for device in guardedDevices.sorted() { writer.put(device) }
    writer.put(showsHidden)
    writer.put(showsOthers)
    writer.put(showsLeftOut)
    writer.put(camera) { $0.put($1) }
    writer.put(files) { $0.put(paths: $1) }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    layout = try reader.choice()
    filter = try reader.choices()
    crossMounts = try reader.bool()
    showsPictures = try reader.bool()
    guardedDevices = []
    for _ in 0..<(try reader.count(limit: Self.maximumDeviceCount)) {
      guardedDevices.insert(try reader.integer())
    }
    showsHidden = try reader.bool()
    showsOthers = try reader.bool()
    showsLeftOut = try reader.bool()
    camera = try reader.bool() ? try reader.blob(limit: Self.maximumCameraLength) : nil
    files = try reader.bool() ? try reader.paths() : nil
  }
}
