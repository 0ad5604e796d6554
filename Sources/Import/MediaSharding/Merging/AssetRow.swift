internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import MediaModel

/// An asset of a shard, with what decides whether it is taken over.
struct AssetRow {
  /// A current media file of the asset.
  struct Media {
    var sourceDigest: DatabaseValue
    var sha256: DatabaseValue
  }

  let number: Int64
  let localIdentifier: String
  let policy: MetadataPolicy
  let contentDigest: [UInt8]?
  fileprivate(set) var media: [Media] = []
  /// As `2026-11-21/014439.123456`.
  fileprivate(set) var folders: [String] = []

  fileprivate init(_ row: TableRow<ShardAssets.DecidingColumn>) {
    number = row.value(.id) ?? 0
    localIdentifier = row.value(.localIdentifier) ?? ""
    policy = (row.value(.policy) as String?).flatMap { MetadataPolicy(rawValue: $0) } ?? .keep
    contentDigest = (row.value(.contentDigest) as Data?).map { [UInt8]($0) }
  }
}

/// The assets of a shard in the order of their numbers, with their originals, superseded ones too.
final class ShardAssets {
  fileprivate enum DecidingColumn: Int, QueryColumn {
    case id, localIdentifier, policy, contentDigest
  }

  private enum FileColumn: Int, QueryColumn {
    case role, path, sha256, sourceDigest, superseded
  }

  private enum SourceColumn: Int, QueryColumn {
    case source, sourceName, sourcePath
  }

  private let assets: RawRows
  private let files: RawRows
  private let sources: RawRows
  private var isAtEnd = false

  init(_ db: Database) throws {
    func originals(_ columns: String) throws -> RawRows {
      try RawRows(db, sql: "SELECT \(columns) FROM resources WHERE asset = ? ORDER BY id")
    }
    assets = try RawRows(db, sql: "SELECT \(DecidingColumn.list) FROM assets ORDER BY id")
    files = try originals(FileColumn.list)
    sources = try originals(SourceColumn.list)
  }

  /// The next asset; nil behind the last one.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` for a file that is in no folder of originals.
  func next() throws -> AssetRow? {
    guard !isAtEnd, let values = try assets.next() else {
      isAtEnd = true
      return nil
    }
    var asset = AssetRow(TableRow(values))
    try files.begin([asset.number.databaseValue])
    while let file = try files.next().map(TableRow<FileColumn>.init) { try add(file, to: &asset) }
    return asset
  }

  private func add(_ file: TableRow<FileColumn>, to asset: inout AssetRow) throws {
    let path: String = file.value(.path) ?? ""
    let parts = path.utf8.split(separator: UInt8.slash)
    guard parts.count == 4, let folder = String(path.utf8[parts[1].startIndex..<parts[2].endIndex]) else {
      throw LibraryError(.inconsistent, "\"\(EscapedText.printable(path))\" is in no folder of originals")
    }
    if !asset.folders.contains(folder) { asset.folders.append(folder) }
    let role = (file.value(.role) as String?).flatMap { ResourceRole(rawValue: $0) } ?? .photo
    if file[.superseded] == 0.databaseValue, !role.isSidecar {
      asset.media.append(AssetRow.Media(sourceDigest: file[.sourceDigest], sha256: file[.sha256]))
    }
  }

  /// The files of the sources that an asset was made of.
  func items(of asset: AssetRow) throws -> [SourceItem] {
    var items: [SourceItem] = []
    try sources.begin([asset.number.databaseValue])
    while let row = try sources.next().map(TableRow<SourceColumn>.init) {
      if let kind: String = row.value(.source),
        let source = SourceID(kind: kind, name: row.value(.sourceName)),
        let path: Data = row.value(.sourcePath)
      {
        items.append(SourceItem(source: source, path: ItemPath(bytes: [UInt8](path))))
      }
    }
    return items
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
  /// Those whose folders are made, from the last one on.
  private var made: [(asset: AssetRow, folders: [String])] = []
  private var isAtEnd = false

  init(_ files: MergeQueue) { self.files = files }

  var isFull: Bool { taken.count == Self.size }

  /// Whether more assets have to be taken, if there are more, and ``turn()`` to be called.
  var isUsedUp: Bool { made.isEmpty && !isAtEnd }

  mutating func take(_ asset: AssetRow) { taken.append(asset) }

  /// Begins to make the folders of what was taken since the last call, and waits for those of what was taken before.
  ///
  /// - Throws: ``LibraryError`` when a folder could not be made.
  mutating func turn() throws {
    isAtEnd = taken.isEmpty && waiting == nil
    let earlier = waiting
    waiting = taken.isEmpty ? nil : (taken, files.makeFolders(taken.map(\.folders)))
    taken = []
    guard let earlier else { return }
    made = zip(earlier.assets, try earlier.folders.wait()).map { (asset: $0, folders: $1) }.reversed()
  }

  /// The asset of a number, with the folders that were made, if it is the next one that is taken over.
  mutating func next(_ number: Int64?) -> (asset: AssetRow, folders: [String])? {
    made.last?.asset.number == number ? made.popLast() : nil
  }
}
