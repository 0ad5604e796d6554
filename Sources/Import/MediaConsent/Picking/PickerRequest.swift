package import MediaCameras
package import MediaFileSystem
package import MediaModel
internal import MediaPicking
package import MediaWorkerProtocol

/// The task of a picker: what it shows, and how much may be picked.
package struct PickerRequest: Sendable {
  /// The source's folder, opened as a place; its viewer may list what is beneath it.
  package var folder: Descriptor
  /// The camera that the source is, whose device's own file ``folder`` is then; nil for a folder.
  package var camera: CameraDevice?
  package var source: SourceID
  /// How the source is laid out.
  package var layout: SourceLayout
  /// The name of the client that gets the picked items, unchecked.
  package var clientName: String
  /// What may be picked, a live photo being one item, and the order in which it is shown.
  package var pick: PickRequest
  /// Whether folders on other file systems are shown too.
  package var crossMounts: Bool
  /// Whether files are opened for the person's eyes; a terminal shows no pictures.
  package var showsPictures: Bool
  /// As ``MediaPicking/ViewerTask/guardedDevices``.
  package var guardedDevices: Set<UInt64>
  /// As ``MediaPicking/ViewerTask/showsHidden``.
  package var showsHidden: Bool
  /// As ``MediaPicking/ViewerTask/showsOthers``.
  package var showsOthers: Bool
  /// As ``MediaPicking/ViewerTask/showsLeftOut``.
  package var showsLeftOut: Bool
  /// The files of an earlier selection: what is still there of them is selected from the start.
  package var earlier: [ItemPath] = []
  /// The files that are shown, and no others; nil for all that the source has.
  var files: [ItemPath]?

  package init(
    folder: Descriptor,
    camera: CameraDevice? = nil,
    source: SourceID = .library,
    layout: SourceLayout = .folder,
    clientName: String,
    pick: PickRequest = PickRequest(),
    crossMounts: Bool = false,
    showsPictures: Bool = false,
    guardedDevices: Set<UInt64> = [],
    showsHidden: Bool = false,
    showsOthers: Bool = false,
    showsLeftOut: Bool = false
  ) {
    self.folder = folder
    self.camera = camera
    self.source = source
    self.layout = layout
    self.clientName = clientName
    self.pick = pick
    self.crossMounts = crossMounts
    self.showsPictures = showsPictures
    self.guardedDevices = guardedDevices
    self.showsHidden = showsHidden
    (self.showsOthers, self.showsLeftOut) = (showsOthers, showsLeftOut)
  }

  /// The task of the process that tells its names, and for a page its pictures.
  var viewerTask: ViewerTask {
    ViewerTask(
      layout: layout,
      filter: pick.filter,
      crossMounts: crossMounts,
      showsPictures: showsPictures,
      guardedDevices: guardedDevices,
      showsHidden: showsHidden,
      showsOthers: showsOthers,
      showsLeftOut: showsLeftOut,
      camera: camera.map { Array($0.frame.dropFirst(4)) },
      files: files
    )
  }

  /// ``earlier``; nothing where it is more than a process is given.
  var sentEarlier: [ItemPath] {
    let length = earlier.reduce(0) { $0 + $1.bytes.count + 4 }
    return length <= PageTask.maximumEarlierLength ? earlier : []
  }

  var maximumCount: Int { min(pick.maximumCount, PickRequest.maximumLimit) }
}

/// A request as a picker's process gets it, beside a socket to a viewer.
package struct PickerTask: Sendable, Hashable {
  /// The bytes of each of its texts.
  private static let maximumLength = 4096

  var sourceName: String
  /// Made safe, to stand between quotation marks.
  var clientName: String
  var maximumCount: Int
  var filter: Set<PickFilter>
  var sort: PickOrder
  var columns: Int
  var rows: Int
  var isUTF8: Bool
  /// Whether files are opened for their dates.
  var opensFiles: Bool
  /// As ``PickerRequest/earlier``.
  var earlier: [ItemPath]

  init(_ request: PickerRequest, columns: Int, rows: Int, isUTF8: Bool) {
    sourceName = request.source.displayName
    clientName = TerminalText(isUTF8: isUTF8).prose(request.clientName, limit: QuestionText.nameLimit).text
    maximumCount = request.maximumCount
    filter = request.pick.filter
    sort = request.pick.sort
    self.columns = columns
    self.rows = rows
    self.isUTF8 = isUTF8
    opensFiles = request.showsPictures
    earlier = request.sentEarlier
  }
}

extension PickerTask: WireValue {
  package func put(into writer: inout WireWriter) {
    writer.put(sourceName)
    writer.put(clientName)
    writer.put(UInt32(clamping: maximumCount))
    writer.put(filter)
    writer.put(sort.rawValue)
    writer.put(UInt32(clamping: columns))
    writer.put(UInt32(clamping: rows))
    writer.put(isUTF8)
    writer.put(opensFiles)
    writer.put(paths: earlier)
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    sourceName = try reader.text(limit: Self.maximumLength)
    clientName = try reader.text(limit: Self.maximumLength)
    maximumCount = try reader.count(limit: PickRequest.maximumLimit)
    guard maximumCount > 0 else { throw ProtocolError("nothing may be picked") }
    filter = try reader.choices()
    sort = try reader.choice()
    columns = Int(try reader.integer(UInt32.self))
    rows = Int(try reader.integer(UInt32.self))
    isUTF8 = try reader.bool()
    opensFiles = try reader.bool()
    earlier = try reader.paths()
  }
}
