internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import MediaModel

/// An asset of a shard, with what its files tell about it.
struct AssetRow {
  /// A current media file of the asset.
  struct Media {
    var sourceDigest: [UInt8]
    var sha256: String
  }

  let row: TableRow<AssetColumn>
  let number: Int64
  let localIdentifier: String
  let policy: MetadataPolicy
  let contentDigest: [UInt8]?
  private(set) var media: [Media] = []
  /// As `2026-11-21/014439.123456`.
  private(set) var folders: [String] = []
  /// The files of the source that it was made of.
  private(set) var items: [SourceItem] = []

  /// Reads the files of an asset by a statement of ``resources``.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` for a file that is in no folder of originals.
  init(_ row: TableRow<AssetColumn>, _ statement: Statement) throws {
    self.row = row
    number = row.value(.id) ?? 0
    localIdentifier = row.value(.localIdentifier) ?? ""
    policy = (row.value(.policy) as String?).flatMap { MetadataPolicy(rawValue: $0) } ?? .keep
    contentDigest = (row.value(.contentDigest) as Data?).map { [UInt8]($0) }
    let rows = try Row.fetchCursor(statement, arguments: [number])
    while let file = try rows.next().map(QueryRow<FileColumn>.init) { try add(file) }
  }

  private enum FileColumn: Int, QueryColumn {
    case role, path, sha256, sourceDigest, superseded, source, sourceName, sourcePath
  }

  /// The query of an asset's originals, superseded ones too.
  static let resources = "SELECT \(FileColumn.list) FROM resources WHERE asset = ? ORDER BY id"

  private mutating func add(_ file: QueryRow<FileColumn>) throws {
    let path: String = try file[.path]
    let parts = path.split(separator: "/")
    guard parts.count == 4 else {
      throw LibraryError(.inconsistent, "\"\(EscapedText.printable(path))\" is in no folder of originals")
    }
    let folder = "\(parts[1])/\(parts[2])"
    if !folders.contains(folder) { folders.append(folder) }
    if let source = SourceID(kind: try file[.source], name: try file[.sourceName]) {
      let sourcePath: Data = try file[.sourcePath]
      items.append(SourceItem(source: source, path: ItemPath(bytes: [UInt8](sourcePath))))
    }
    let role = ResourceRole(rawValue: try file[.role]) ?? .photo
    if try file[.superseded] as Int == 0, !role.isSidecar {
      let digest: Data = try file[.sourceDigest]
      media.append(Media(sourceDigest: [UInt8](digest), sha256: try file[.sha256]))
    }
  }
}

/// Assets that are taken over some at a time: while the folders of some are made, the rows of the ones before
/// are written.
struct AssetBatches {
  /// The assets whose folders are made, or the files that are linked, at a time.
  static let size = 256

  private let files: MergeQueue
  private var taken: [AssetRow] = []
  private var waiting: (assets: [AssetRow], folders: MadeFolders)?

  init(_ files: MergeQueue) { self.files = files }

  var isFull: Bool { taken.count == Self.size }

  mutating func take(_ asset: AssetRow) { taken.append(asset) }

  /// Begins to make the folders of what was taken since the last call.
  ///
  /// - Returns: What was taken before that, with the folders that were made.
  /// - Throws: ``LibraryError`` when a folder could not be made.
  mutating func next() throws -> [(asset: AssetRow, folders: [String])] {
    let earlier = waiting
    waiting = (taken, files.makeFolders(taken.map(\.folders)))
    taken = []
    guard let earlier else { return [] }
    return zip(earlier.assets, try earlier.folders.wait()).map { (asset: $0, folders: $1) }
  }
}
