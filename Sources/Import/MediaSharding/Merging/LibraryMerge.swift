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
      try copy(from: shard, order: "asset, number") { (row: inout TableRow<TrackColumn>) in
        guard let asset = shard.newAsset(row[.asset]) else { return false }
        row[.asset] = asset.databaseValue
        return true
      }
      try addItems(shard, left)
      try copy(from: shard, order: "source, sourceName, path") { (row: inout TableRow<FailureColumn>) in
        Self.item(row.value(.source), row.value(.sourceName), row.value(.path)).map {
          !left.items.contains($0)
        } ?? false
      }
      for source in try Catalogue.sources(in: moment.db) {
        let rules = try Catalogue.appliedRules(of: source, in: moment.db)
        if rules != AppliedRules() { try library.catalogue.setAppliedRules(rules, of: source) }
      }
      try copy(from: shard, order: "sequence", leavingOut: ChangeColumn.sequence) { row in
        !shard.dropped.contains(row.value(.localIdentifier) ?? "")
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
    let rows = try RawRows(shard.db, sql: "SELECT \(AssetColumn.list) FROM assets ORDER BY id")
    let resources = try shard.db.makeStatement(sql: AssetRow.resources)
    var batches = AssetBatches(files)
    var sum = RowSum()
    try inTransactions { target in
      guard let row = try rows.next() else {
        for _ in 0..<2 { try write(batches.next(), &shard, note, in: target) }
        try Self.check(sum, of: AssetColumn.table, in: shard.db)
        return false
      }
      let asset = try AssetRow(Self.wholeRow(row, &sum), resources)
      switch try decide(asset, left, in: target) {
      case .isTaken:
        batches.take(asset)
        if batches.isFull { try write(batches.next(), &shard, note, in: target) }
      case .isLeftToRun:
        shard.drop(asset.number, asset.localIdentifier)
        leftItems.formUnion(asset.items)
        try note(asset.localIdentifier, .importedAgain)
      case .isDuplicate(let other, let identifier):
        shard.drop(asset.number, asset.localIdentifier, for: other)
        duplicates += 1
        try note(asset.localIdentifier, .duplicate(of: identifier))
      }
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

  private func decide(_ asset: AssetRow, _ left: LeftToRun, in target: Database) throws -> Fate {
    let duplicate = try Self.duplicate(
      asset.media,
      policy: asset.policy,
      isRenewed: asset.policy.strips && asset.contentDigest != nil,
      in: target
    )
    let isSplit = asset.contentDigest.map { left.contentDigests.contains($0) } ?? false
    let isLeft = isSplit || asset.items.contains(where: left.items.contains)
    if isLeft || leavesParts && duplicate == .inPart { return .isLeftToRun }
    if case .whole(let other, let identifier) = duplicate { return .isDuplicate(other, identifier) }
    return .isTaken
  }

  private static let assetInsertion = RowStatement<AssetColumn>(inserting: AssetColumn.allCases)

  /// Writes the rows of assets, each with the folders that it has now.
  private func write(
    _ assets: [(asset: AssetRow, folders: [String])],
    _ shard: inout ShardRows,
    _ note: (String, MergedPlace) throws -> Void,
    in target: Database
  ) throws {
    for (asset, folders) in assets {
      var row = asset.row
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
      row[.olderVersion] = shard.newAsset(row[.olderVersion])?.databaseValue ?? .null
      try library.catalogue.insert(row, by: Self.assetInsertion, in: target)
    }
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
  private static func duplicate(
    _ media: [AssetRow.Media],
    policy: MetadataPolicy,
    isRenewed: Bool,
    in db: Database
  ) throws -> Presence {
    // The movie of a live photo may be that of several.
    var candidates: [[(asset: Int64, identifier: String)]] = []
    for resource in media {
      let rows = try Row.fetchCursor(
        db.cachedStatement(sql: contentByDigest),
        arguments: [Data(resource.sourceDigest), policy.rawValue]
      )
      var matches: [(asset: Int64, identifier: String)] = []
      while let row = try rows.next().map(QueryRow<ContentColumn>.init) {
        let sha256: String = try row[.sha256]
        if isRenewed || resource.sha256 == sha256 {
          matches.append((try row[.asset], try row[.localIdentifier]))
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
    try copy(from: shard, order: "id", leavingOut: columns.id) { row in
      guard let asset = shard.newAsset(row[columns.asset]),
        let path: String = row.value(columns.path), let bytes: Int64 = row.value(columns.bytes)
      else { return false }
      let now = MergedFiles.path(path, shard.moved)
      batch.append(MergedFile(path: path, new: now, bytes: bytes))
      if batch.count == AssetBatches.size {
        files.take(batch, of: root)
        batch = []
      }
      row[columns.asset] = asset.databaseValue
      row[columns.path] = now.databaseValue
      return true
    }
    files.take(batch, of: root)
  }

  private func addItems(_ shard: ShardRows, _ left: LeftToRun) throws {
    try copy(from: shard, order: "source, sourceName, path") { (row: inout TableRow<ItemColumn>) in
      guard let item = Self.item(row.value(.source), row.value(.sourceName), row.value(.path)) else {
        return false
      }
      if left.items.contains(item) {
        leftItems.insert(item)
        return false
      }
      let old = row[.asset]
      if old.isNull { return true }
      if let asset = shard.newAsset(old) {
        row[.asset] = asset.databaseValue
        return true
      }
      guard let other = shard.duplicated(old) else {
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

  private static func item(_ kind: String?, _ name: String?, _ path: Data?) -> SourceItem? {
    guard let kind, let source = SourceID(kind: kind, name: name), let path else { return nil }
    return SourceItem(source: source, path: ItemPath(bytes: [UInt8](path)))
  }

  // MARK: Rows

  /// Writes the rows of a shard's table that `change` takes, in their order, with new numbers in the column `left`.
  private func copy<Column: TableColumn>(
    from shard: ShardRows,
    order: String,
    leavingOut left: Column? = nil,
    _ change: (inout TableRow<Column>) throws -> Bool
  ) throws {
    let insertion = RowStatement<Column>(inserting: Column.allCases)
    var last = try left.map { try lastNumber(in: $0) } ?? 0
    let rows = try RawRows(shard.db, sql: "SELECT \(Column.list) FROM \(Column.table) ORDER BY \(order)")
    var sum = RowSum()
    try inTransactions { target in
      guard let row = try rows.next() else {
        try Self.check(sum, of: Column.table, in: shard.db)
        return false
      }
      var changed: TableRow<Column> = try Self.wholeRow(row, &sum)
      guard try change(&changed) else { return true }
      if let left {
        last += 1
        changed[left] = last.databaseValue
      }
      try library.catalogue.insert(changed, by: insertion, in: target)
      return true
    }
  }

  /// The highest number of the library's rows in the column of their numbers, which SQLite would count on from.
  private func lastNumber<Column: TableColumn>(in column: Column) throws -> Int64 {
    try library.catalogue.read { db in
      try Int64.fetchOne(db, sql: "SELECT max(\(column.name)) FROM \(Column.table)") ?? 0
    }
  }

  /// The values of a row.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` when the row is not as it was written.
  private static func wholeRow<Column: TableColumn>(
    _ values: [DatabaseValue],
    _ sum: inout RowSum
  ) throws -> TableRow<Column> {
    let row = TableRow<Column>(values)
    let digest = row.expectedDigest
    guard row[.digest] == digest.stored.databaseValue else { throw otherRows(Column.table) }
    sum.add(digest)
    return row
  }

  /// Checks that a table has the rows that its sum is of.
  private static func check(_ sum: RowSum, of table: String, in db: Database) throws {
    guard try TableSums.sum(of: table, in: db) == sum else { throw otherRows(table) }
  }

  private static func otherRows(_ table: String) -> LibraryError {
    LibraryError(.inconsistent, "the rows of \(table) in its catalogue were changed")
  }

  /// Calls `next` until it says that there is no more, some thousand times in each transaction.
  private func inTransactions(_ next: (Database) throws -> Bool) throws {
    var goesOn = true
    while goesOn {
      var failure: (any Error)?
      do {
        try library.catalogue.write { db in
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
