package import MediaFileSystem
package import MediaModel
internal import MediaPicking

/// The task of a picker: what it shows, and how much may be picked.
package struct PickerRequest: Sendable {
  /// The source's folder, opened as a place; the picker may list what is beneath it.
  package var folder: Descriptor
  package var source: SourceKind
  /// The client that gets the picked items: the manifest's `client.identifier`.
  package var clientIdentifier: String
  /// At most so many, a live photo being one; 0 for as many as a picker can show (100,000).
  package var limit: Int
  /// Nil for images, live photos, videos and sound.
  package var filter: PickFilter?
  /// Whether folders on other file systems are shown too.
  package var crossMounts: Bool
  /// Whether a page shows pictures; a terminal shows none.
  package var showsPictures: Bool
  /// As ``MediaPicking/ViewerTask/guardedDevices``.
  package var guardedDevices: Set<UInt64>

  package init(
    folder: Descriptor,
    source: SourceKind = .library,
    clientIdentifier: String,
    limit: Int = 1,
    filter: PickFilter? = nil,
    crossMounts: Bool = false,
    showsPictures: Bool = false,
    guardedDevices: Set<UInt64> = []
  ) {
    self.folder = folder
    self.source = source
    self.clientIdentifier = clientIdentifier
    self.limit = limit
    self.filter = filter
    self.crossMounts = crossMounts
    self.showsPictures = showsPictures
    self.guardedDevices = guardedDevices
  }

  /// The task of the process that shows it on a page.
  var viewerTask: ViewerTask {
    ViewerTask(
      filter: filter,
      crossMounts: crossMounts,
      showsPictures: showsPictures,
      guardedDevices: guardedDevices
    )
  }

  var maximumCount: Int {
    limit <= 0 ? PickRequest.maximumLimit : min(limit, PickRequest.maximumLimit)
  }
}

/// A request as a picker's process gets it, beside the folder's descriptor.
///
/// Four bytes of length, the lowest first, then the fields, each ended by NUL.
struct PickerTask: Sendable, Hashable {
  /// The length in bytes.
  static let maximumLength = 4096

  var sourceName: String
  var clientIdentifier: String
  var maximumCount: Int
  var filter: PickFilter?
  var crossMounts: Bool
  var columns: Int
  var rows: Int
  var isUTF8: Bool

  init(_ request: PickerRequest, columns: Int, rows: Int, isUTF8: Bool) {
    sourceName = request.source.displayName
    clientIdentifier =
      TerminalText(isUTF8: isUTF8).prose(request.clientIdentifier, limit: 155).text
    maximumCount = request.maximumCount
    filter = request.filter
    crossMounts = request.crossMounts
    self.columns = columns
    self.rows = rows
    self.isUTF8 = isUTF8
  }

  /// The fields, without the length.
  var fields: [UInt8] {
    let texts = [
      sourceName, clientIdentifier, String(maximumCount), filter?.rawValue ?? "",
      crossMounts ? "1" : "0", String(columns), String(rows), isUTF8 ? "1" : "0",
    ]
    return texts.flatMap { Array($0.utf8.filter { $0 != 0 }) + [0] }
  }

  /// The task that ``fields`` wrote, or nil.
  init?(fields: [UInt8]) {
    let texts = fields.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard texts.count == 9, let count = Int(texts[2]), let columns = Int(texts[5]),
      let rows = Int(texts[6]), (1...PickRequest.maximumLimit).contains(count)
    else { return nil }
    sourceName = texts[0]
    clientIdentifier = texts[1]
    maximumCount = count
    filter = PickFilter(rawValue: texts[3])
    guard texts[3].isEmpty || filter != nil else { return nil }
    crossMounts = texts[4] == "1"
    self.columns = columns
    self.rows = rows
    isUTF8 = texts[7] == "1"
  }
}
