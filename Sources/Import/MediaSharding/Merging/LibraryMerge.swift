internal import Foundation
internal import GRDB
package import MediaFileSystem
package import MediaLibrary
package import MediaModel

/// A file of a source.
package struct SourceItem: Sendable, Hashable {
  package var source: SourceID
  /// Within the source.
  package var path: ItemPath

  package init(source: SourceID, path: ItemPath) {
    self.source = source
    self.path = path
  }
}

/// The items that are left to a run of the merge, because no shard could import it as one run would.
package struct LeftToRun: Sendable {
  /// Movies whose stills are in other shards, with their sidecars.
  package var items: Set<SourceItem> = []
  /// The keyed digests of their content identifiers: all assets that have them are left.
  package var contentDigests: Set<[UInt8]> = []

  package init() {}
}

/// The place of a shard's asset in a merged library, where it is another one than in the library of its shard.
package enum MergedPlace: Sendable, Hashable {
  /// The files of a folder are in another one, since another asset has its time of saving.
  case folder(previous: String, now: String)
  /// It is not there: another asset, by its localIdentifier, has the same content.
  case duplicate(of: String)
  /// It is not there: a run of the merge has to import its files.
  case importedAgain
}

/// Takes what shards have published over into one library.
///
/// Assets, rows and changes come in the order of the shards, which is that of one run: of two assets with the
/// same content the first one stays, as in a run. A shard's files are only read and linked.
package final class LibraryMerge {
  let library: Library
  private let files: MergeQueue
  /// Whether an asset of which the library has some of the files is left to a run.
  private let leavesParts: Bool
  /// The number of the newest asset.
  private var lastAsset: Int64 = 0
  /// The number of the newest asset of earlier shards.
  private var earlierAssets: Int64 = 0
  /// The files of the library with some content, by the digest of their source and the policy.
  private var content: RawRows?
  /// The items of assets that were left out, and of items that were to be.
  package private(set) var leftItems: Set<SourceItem> = []
  /// The number of assets that were not taken over because another shard has their content.
  package private(set) var duplicates = 0

  /// The number of files that are links to a shard's own, and of those that are copies.
  package var linked: Int { files.linked }
  package var copied: Int { files.copied }

  /// The rows of one transaction. Each writes the pages of the indexes by digests and identifiers that its rows are in,
  /// of many rows nearly all.
  private static let rowsOfATransaction = 32_768

  /// What SQLite keeps of the new catalogue, in KiB: the indexes into which rows come in no order, of a million assets.
  private static let cacheSize = 64 << 10

  /// Begins with an empty library.
  ///
  /// - Parameters:
  ///   - library: The library, with the runs of the shards.
  ///   - method: How files get into it.
  ///   - leavesParts: Whether an asset of which the library has some of the files is left to a run; else it stays as its
  ///     shard has it.
  package init(into library: Library, method: MergedFiles.Method, leavesParts: Bool) {
    self.library = library
    self.leavesParts = leavesParts
    files = MergeQueue(MergedFiles(of: library, method: method))
    // Without it a merge only takes longer.
    try? library.catalogue.queue.inDatabase { db in
      try db.execute(sql: "PRAGMA cache_size = -\(Self.cacheSize)")
    }
  }

  /// Takes over what a shard has published.
  ///
  /// - Parameters:
  ///   - catalogue: The shard's catalogue, which no run writes any more.
  ///   - path: The path of the shard's folder.
  ///   - root: The folder, open.
  ///   - left: What a run of the merge has to import.
  ///   - note: Called with the localIdentifier of each asset that has another place, before its rows are written.
  /// - Throws: ``LibraryError``, `.inconsistent` when a file of the shard is missing or has another length than its
  ///   row: its description is that alone, without the shard and what to do; or what `note` throws.
  package func add(
    _ catalogue: CatalogueReader,
    at path: [UInt8],
    in root: Descriptor,
    leaving left: LeftToRun,
    _ note: (String, MergedPlace) throws -> Void
  ) throws {
    var calls = 0
    try catalogue.atOneMoment { moment in
      calls += 1
      guard calls == 1 else {
        throw LibraryError(
          .held,
          "A run writes the library \"\(EscapedText.percentEscaped(path))\". Merge when it is done."
        )
      }
      var shard = ShardRows(moment.db)
      try addAssets(&shard, left, note)
      try addFiles(
        shard,
        root,
        (
          id: ResourceColumn.id, asset: ResourceColumn.asset, path: ResourceColumn.path,
          bytes: ResourceColumn.bytes
        )
      )
      try addFiles(
        shard,
        root,
        (
          id: ThumbnailColumn.id, asset: ThumbnailColumn.asset, path: ThumbnailColumn.path,
          bytes: ThumbnailColumn.bytes
        )
      )
      try copy(from: shard.db, order: "asset, number") { (row: RowCopy<TrackColumn>, _) in
        guard let asset = shard.newAsset(row.number(.asset)) else { return false }
        row[.asset] = asset.databaseValue
        return true
      }
      try addItems(shard, left)
      try copy(from: shard.db, order: "source, sourceName, path") { (row: RowCopy<FailureColumn>, _) in
        Self.item(row).map { !left.items.contains($0) } ?? false
      }
      for source in try Catalogue.sources(in: moment.db) {
        let rules = try Catalogue.appliedRules(of: source, in: moment.db)
        if rules != AppliedRules() { try library.catalogue.setAppliedRules(rules, of: source) }
      }
      try copy(from: shard.db, order: "sequence", leavingOut: ChangeColumn.sequence) { row, _ in
        shard.dropped.isEmpty || !shard.dropped.contains(row.text(.localIdentifier) ?? "")
      }
      try library.privateFacts?.take(from: path, without: shard.dropped)
      try files.finish()
    }
  }

  // MARK: Assets

  /// Decides about each asset, makes its folders, and writes its row.
  private func addAssets(
    _ shard: inout ShardRows,
    _ left: LeftToRun,
    _ note: (String, MergedPlace) throws -> Void
  ) throws {
    let undecided = try ShardAssets(shard.db)
    var batches = AssetBatches(files)
    earlierAssets = lastAsset
    try copy(from: shard.db, order: "id") { (row: RowCopy<AssetColumn>, target) in
      while batches.isUsedUp {
        while !batches.isFull, let asset = try undecided.next() {
          switch try decide(asset, undecided, left, in: target) {
          case .isTaken: batches.take(asset)
          case .isLeftToRun:
            shard.drop(asset.number, asset.localIdentifier)
            leftItems.formUnion(try undecided.items(of: asset))
            try note(asset.localIdentifier, .importedAgain)
          case .isDuplicate(let other, let identifier):
            shard.drop(asset.number, asset.localIdentifier, for: other)
            duplicates += 1
            try note(asset.localIdentifier, .duplicate(of: identifier))
          }
        }
        try batches.turn()
      }
      guard let (asset, folders) = batches.next(row.number(.id)) else { return false }
      for (folder, now) in zip(asset.folders, folders) where now != folder {
        shard.moved[folder] = now
        if row[.saved] == SaveTime(folder: folder)?.timestamp.databaseValue {
          row[.saved] = (SaveTime(folder: now)?.timestamp ?? "").databaseValue
        }
        try note(asset.localIdentifier, .folder(previous: folder, now: now))
      }
      lastAsset += 1
      shard.keep(asset.number, as: lastAsset)
      row[.id] = lastAsset.databaseValue
      row[.olderVersion] = shard.newAsset(row.number(.olderVersion))?.databaseValue ?? .null
      return true
    }
  }

  /// What becomes of an asset of a shard.
  private enum Fate {
    case isTaken
    /// A run of the merge imports its files.
    case isLeftToRun
    /// The asset of this number and localIdentifier has its content.
    case isDuplicate(Int64, String)
  }

  private func decide(
    _ asset: AssetRow,
    _ shard: ShardAssets,
    _ left: LeftToRun,
    in target: Database
  ) throws -> Fate {
    let presence = try presence(
      of: asset.media,
      policy: asset.policy,
      isRenewed: asset.policy.strips && asset.contentDigest != nil,
      in: target
    )
    let isSplit = asset.contentDigest.map { left.contentDigests.contains($0) } ?? false
    let isLeft =
      try isSplit || !left.items.isEmpty && shard.items(of: asset).contains(where: left.items.contains)
    if isLeft || leavesParts && presence == .inPart { return .isLeftToRun }
    if case .whole(let other, let identifier) = presence { return .isDuplicate(other, identifier) }
    return .isTaken
  }

  /// Whether a library has the content of an asset.
  private enum Presence: Equatable {
    case not
    /// It has some of its files.
    case inPart
    /// A single asset has all of its files.
    case whole(Int64, String)
  }

  /// Finds the content of an asset among what earlier shards have published, by the rule of a run: the digests of
  /// the sources are the same, and so are those of the files, unless stripping has given each an identifier.
  private func presence(
    of media: [AssetRow.Media],
    policy: MetadataPolicy,
    isRenewed: Bool,
    in db: Database
  ) throws -> Presence {
    // The rows of files follow those of all assets of a shard.
    if earlierAssets == 0 { return .not }
    let content = try content ?? RawRows(db, sql: Self.contentByDigest)
    self.content = content
    // The movie of a live photo may be that of several.
    var candidates: [[(asset: Int64, identifier: String)]] = []
    for resource in media {
      try content.begin([resource.sourceDigest, policy.rawValue.databaseValue])
      var matches: [(asset: Int64, identifier: String)] = []
      while let row = try content.next().map(TableRow<ContentColumn>.init) {
        if isRenewed || resource.sha256 == row[.sha256], let asset: Int64 = row.value(.asset),
          let identifier: String = row.value(.localIdentifier)
        {
          matches.append((asset, identifier))
        }
      }
      candidates.append(matches)
    }
    if candidates.allSatisfy(\.isEmpty) { return .not }
    let whole = candidates[0].first { candidate in
      candidates.allSatisfy { $0.contains { $0.asset == candidate.asset } }
    }
    return whole.map { .whole($0.asset, $0.identifier) } ?? .inPart
  }

  private enum ContentColumn: Int, QueryColumn {
    case asset, localIdentifier, sha256

    var sql: String {
      switch self {
      case .asset: "assets.id"
      case .localIdentifier: "assets.localIdentifier"
      case .sha256: "resources.sha256"
      }
    }
  }

  private static let contentByDigest = """
    SELECT \(ContentColumn.list) FROM resources JOIN assets ON assets.id = resources.asset
    WHERE resources.sourceDigest = ? AND assets.policy = ? AND resources.superseded = 0
    ORDER BY assets.id
    """

  // MARK: Files and items

  /// Links the files of a table, and writes their rows.
  private func addFiles<Column: TableColumn>(
    _ shard: ShardRows,
    _ root: Descriptor,
    _ columns: (id: Column, asset: Column, path: Column, bytes: Column)
  ) throws {
    var batch: [MergedFile] = []
    try copy(from: shard.db, order: "id", leavingOut: columns.id) { row, _ in
      guard let asset = shard.newAsset(row.number(columns.asset)),
        let path = row.text(columns.path), let bytes = row.number(columns.bytes)
      else { return false }
      let now = MergedFiles.path(path, shard.moved)
      batch.append(MergedFile(path: [UInt8](path.utf8), new: [UInt8](now.utf8), bytes: bytes))
      if batch.count == AssetBatches.size {
        files.take(batch, of: root)
        batch = []
      }
      row[columns.asset] = asset.databaseValue
      if !shard.moved.isEmpty { row[columns.path] = now.databaseValue }
      return true
    }
    files.take(batch, of: root)
  }

  private func addItems(_ shard: ShardRows, _ left: LeftToRun) throws {
    try copy(from: shard.db, order: "source, sourceName, path") { (row: RowCopy<ItemColumn>, _) in
      // Most items are of an asset that is here, and no item is left.
      if left.items.isEmpty, let asset = shard.newAsset(row.number(.asset)) {
        row[.asset] = asset.databaseValue
        return true
      }
      guard let item = Self.item(row) else { return false }
      if left.items.contains(item) {
        leftItems.insert(item)
        return false
      }
      if row[.asset].isNull { return true }
      if let asset = shard.newAsset(row.number(.asset)) {
        row[.asset] = asset.databaseValue
        return true
      }
      guard let other = shard.duplicated(row.number(.asset)) else {
        leftItems.insert(item)
        return false
      }
      if SidecarName(item.path) != nil {
        // No asset takes the sidecar of a duplicate.
        row[.outcome] = ItemOutcome.skipped.rawValue.databaseValue
        row[.reason] = ItemReason.sidecarUnused.rawValue.databaseValue
        row[.asset] = .null
      } else {
        // Its thumbnails are those of the other one; what cannot be decoded has none in both.
        row[.outcome] = ItemOutcome.duplicate.rawValue.databaseValue
        if row[.reason] != ItemReason.thumbnailMissing.rawValue.databaseValue {
          row[.reason] = .null
        }
        row[.asset] = other.databaseValue
      }
      return true
    }
  }

  private static func item<Column: SourceFileColumn>(_ row: RowCopy<Column>) -> SourceItem? {
    guard let kind = row.text(.source), let source = SourceID(kind: kind, name: row.text(.sourceName)),
      let path = Data.fromDatabaseValue(row[.path])
    else { return nil }
    return SourceItem(source: source, path: ItemPath(bytes: [UInt8](path)))
  }

  // MARK: Rows

  /// Writes the rows of a shard's table that `change` takes, in their order, with new numbers in the column `left`.
  private func copy<Column: TableColumn>(
    from shard: Database,
    order: String,
    leavingOut left: Column? = nil,
    _ change: (RowCopy<Column>, Database) throws -> Bool
  ) throws {
    var last = try left.map { try lastNumber(in: $0) } ?? 0
    let rows = try RowCopy<Column>(from: shard, order: order)
    try inTransactions(copyingInto: Column.table) { target in
      guard try rows.next() else { return false }
      guard try change(rows, target) else { return true }
      if let left {
        last += 1
        rows[left] = last.databaseValue
      }
      try rows.insert(into: library.catalogue, in: target)
      return true
    }
  }

  /// The highest number of the library's rows in the column of their numbers, which SQLite would count on from.
  private func lastNumber<Column: TableColumn>(in column: Column) throws -> Int64 {
    try library.catalogue.read { db in
      try Int64.fetchOne(db, sql: "SELECT max(\(column.name)) FROM \(Column.table)") ?? 0
    }
  }

  /// Calls `next` until it says that there is no more, some thousand times in each transaction.
  private func inTransactions(
    copyingInto table: String,
    _ next: (Database) throws -> Bool
  ) throws {
    var goesOn = true
    while goesOn {
      var failure: (any Error)?
      do {
        try library.catalogue.writeCopies(into: table) { db in
          do {
            for _ in 0..<Self.rowsOfATransaction where goesOn { goesOn = try next(db) }
          } catch {
            failure = error
            throw error
          }
        }
      } catch {
        throw failure ?? error
      }
    }
  }
}
