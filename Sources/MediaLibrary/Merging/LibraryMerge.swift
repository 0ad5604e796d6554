internal import Foundation
internal import GRDB
package import MediaFileSystem
package import MediaModel

/// A file of a source.
package struct SourceItem: Sendable, Hashable {
  package var source: SourceKind
  /// Within the source.
  package var path: ItemPath

  package init(source: SourceKind, path: ItemPath) {
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

  /// The rows of one transaction.
  private static let rowsOfATransaction = 8192
  /// The assets whose folders are made, or the files that are linked, while the rows of others are written.
  private static let batch = 256

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
  ///   row; or what `note` throws.
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
        throw LibraryError(.held, "A run writes the library of a shard. Merge when it is done.")
      }
      var shard = ShardRows(moment.db)
      try addAssets(&shard, root, left, note)
      try addFiles(&shard, "resources", root)
      try addFiles(&shard, "thumbnails", root)
      try copy("tracks", from: shard, order: "asset, number") { row in
        guard let asset = shard.newAsset(row["asset"]) else { return false }
        row["asset"] = asset.databaseValue
        return true
      }
      try addItems(shard, left)
      try copy("failures", from: shard, order: "source, path") { row in
        Self.item(row).map { !left.items.contains($0) } ?? false
      }
      try copy("changes", from: shard, order: "sequence", leavingOutColumn: "sequence") { row in
        !shard.dropped.contains(String.fromDatabaseValue(row["localIdentifier"]) ?? "")
      }
      try library.privateFacts?.take(from: path, without: shard.dropped)
      try files.finish()
    }
  }

  // MARK: Assets

  /// A media file of a shard's asset.
  private struct Media {
    var sourceDigest: [UInt8]
    var sha256: String
  }

  /// An asset that is taken over.
  private struct Candidate {
    var old: Int64
    var localIdentifier: String
    var values: [DatabaseValue]
    /// As `2026-11-21/014439.123456`.
    var folders: [String]
  }

  /// Decides about each asset, makes its folders, and writes its row.
  private func addAssets(
    _ shard: inout ShardRows,
    _ root: Descriptor,
    _ left: LeftToRun,
    _ note: (String, MergedPlace) throws -> Void
  ) throws {
    let columns = try library.catalogue.read { try Self.columns(of: "assets", in: $0) }
    let assets = try Row.fetchCursor(
      shard.db,
      sql: "SELECT \(Self.list(columns)), digest FROM assets ORDER BY id"
    )
    let resources = try shard.db.makeStatement(
      sql: """
        SELECT role, path, sha256, sourceDigest, superseded, source, sourcePath FROM resources
        WHERE asset = ? ORDER BY id
        """
    )
    let index = Dictionary(columns.enumerated().map { ($1, $0) }) { $1 }
    func place(_ name: String) throws -> Int {
      guard let place = index[name] else { throw Self.otherSchema }
      return place
    }
    let (id, identifier, saved) = (
      try place("id"), try place("localIdentifier"), try place("saved")
    )
    let (policy, older, digest) = (
      try place("policy"), try place("olderVersion"), try place("contentDigest")
    )
    let insertion = Self.insertion(into: "assets", columns)
    func write(_ candidates: [Candidate], _ made: MadeFolders, in target: Database) throws {
      for (candidate, folders) in zip(candidates, try made.wait()) {
        var values = candidate.values
        for (folder, now) in zip(candidate.folders, folders) where now != folder {
          shard.moved[folder] = now
          if values[saved] == SaveTime(folder: folder)?.timestamp.databaseValue {
            values[saved] = (SaveTime(folder: now)?.timestamp ?? "").databaseValue
          }
          try note(candidate.localIdentifier, .folder(previous: folder, now: now))
        }
        lastAsset += 1
        shard.keep(candidate.old, as: lastAsset)
        values[id] = lastAsset.databaseValue
        values[older] =
          Int64.fromDatabaseValue(values[older]).flatMap { shard.newAsset($0.databaseValue) }
          .map(\.databaseValue) ?? .null
        try Self.insert(values, insertion, in: target)
      }
    }
    var candidates: [Candidate] = []
    // While the folders of these are made, the rows of the ones before are written.
    var waiting: ([Candidate], MadeFolders)?
    func begin(in target: Database) throws {
      let made = files.makeFolders(candidates.map(\.folders))
      if let (earlier, folders) = waiting { try write(earlier, folders, in: target) }
      waiting = (candidates, made)
      candidates = []
    }
    var sum = RowSum()
    try inTransactions { target in
      guard let row = try assets.next() else {
        try begin(in: target)
        try begin(in: target)
        try Self.check(sum, of: "assets", in: shard.db)
        return false
      }
      let values = try Self.wholeValues(of: row, in: "assets", &sum)
      let old = Int64.fromDatabaseValue(values[id]) ?? 0
      let name = String.fromDatabaseValue(values[identifier]) ?? ""
      var media: [Media] = []
      var folders: [String] = []
      var items: [SourceItem] = []
      let rows = try Row.fetchCursor(resources, arguments: [old])
      while let file = try rows.next() {
        let path: String = try file.value(1)
        let parts = path.split(separator: "/")
        guard parts.count == 4 else {
          throw LibraryError(.inconsistent, "A file of a shard has no place in its library.")
        }
        let folder = "\(parts[1])/\(parts[2])"
        if !folders.contains(folder) { folders.append(folder) }
        if let source = SourceKind(rawValue: try file.value(5)) {
          items.append(
            SourceItem(source: source, path: ItemPath(bytes: [UInt8](try file.value(6) as Data)))
          )
        }
        let role = ResourceRole(rawValue: try file.value(0)) ?? .photo
        if try file.value(4) as Int == 0, !role.isSidecar {
          media.append(
            Media(sourceDigest: [UInt8](try file.value(3) as Data), sha256: try file.value(2))
          )
        }
      }
      let itsPolicy =
        MetadataPolicy(rawValue: String.fromDatabaseValue(values[policy]) ?? "") ?? .keep
      let known = try Self.known(
        media,
        policy: itsPolicy,
        isRenewed: itsPolicy.strips && !values[digest].isNull,
        in: target
      )
      let isSplit =
        Data.fromDatabaseValue(values[digest]).map { left.contentDigests.contains([UInt8]($0)) }
        ?? false
      if isSplit || items.contains(where: left.items.contains) || leavesParts && known == .inPart {
        shard.drop(old, name)
        leftItems.formUnion(items)
        try note(name, .importedAgain)
        return true
      }
      if case .whole(let other, let identifier) = known {
        shard.drop(old, name, for: other)
        duplicates += 1
        try note(name, .duplicate(of: identifier))
        return true
      }
      candidates.append(
        Candidate(old: old, localIdentifier: name, values: values, folders: folders)
      )
      if candidates.count == Self.batch { try begin(in: target) }
      return true
    }
  }

  /// Whether a library has the content of an asset.
  private enum Known: Equatable {
    case not
    /// It has some of its files.
    case inPart
    /// A single asset has all of its files.
    case whole(Int64, String)
  }

  /// Finds the content of an asset among what earlier shards have published, by the rule of a run: the digests of
  /// the sources are the same, and so are those of the files, unless stripping has given each an identifier.
  private static func known(
    _ media: [Media],
    policy: MetadataPolicy,
    isRenewed: Bool,
    in db: Database
  ) throws -> Known {
    var found: [(asset: Int64, identifier: String)?] = []
    for one in media {
      let rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT assets.id, assets.localIdentifier, resources.sha256 FROM resources
            JOIN assets ON assets.id = resources.asset
            WHERE resources.sourceDigest = ? AND assets.policy = ? AND resources.superseded = 0
            ORDER BY assets.id
            """
        ),
        arguments: [Data(one.sourceDigest), policy.rawValue]
      )
      var match: (Int64, String)?
      while match == nil, let row = try rows.next() {
        let sha256: String = try row.value(2)
        if isRenewed || one.sha256 == sha256 {
          match = (try row.value(0), try row.value(1))
        }
      }
      found.append(match)
    }
    let matches = found.compactMap(\.self)
    guard let first = matches.first else { return .not }
    guard matches.count == found.count, matches.allSatisfy({ $0.asset == first.asset }) else {
      return .inPart
    }
    return .whole(first.asset, first.identifier)
  }

  // MARK: Files and items

  /// Links the files of a table, and writes their rows.
  private func addFiles(_ shard: inout ShardRows, _ table: String, _ root: Descriptor) throws {
    let moved = shard.moved
    var batch: [MergedFile] = []
    try copy(table, from: shard, order: "id", leavingOutColumn: "id") { row in
      guard let asset = shard.newAsset(row["asset"]),
        let path = String.fromDatabaseValue(row["path"]),
        let bytes = Int64.fromDatabaseValue(row["bytes"])
      else { return false }
      let now = MergedFiles.path(path, moved)
      batch.append(MergedFile(path: path, new: now, bytes: bytes))
      if batch.count == Self.batch {
        files.take(batch, of: root)
        batch = []
      }
      row["asset"] = asset.databaseValue
      row["path"] = now.databaseValue
      return true
    }
    files.take(batch, of: root)
  }

  private func addItems(_ shard: ShardRows, _ left: LeftToRun) throws {
    try copy("items", from: shard, order: "source, path") { row in
      guard let item = Self.item(row) else { return false }
      if left.items.contains(item) {
        leftItems.insert(item)
        return false
      }
      let old = row["asset"]
      if old.isNull { return true }
      if let asset = shard.newAsset(old) {
        row["asset"] = asset.databaseValue
        return true
      }
      guard let other = shard.duplicated(old) else {
        leftItems.insert(item)
        return false
      }
      if SidecarName(item.path) != nil {
        // No asset takes the sidecar of a duplicate.
        row["outcome"] = ItemOutcome.skipped.rawValue.databaseValue
        row["reason"] = ItemReason.sidecarUnused.rawValue.databaseValue
        row["asset"] = .null
      } else {
        // Its thumbnails are those of the other one.
        row["outcome"] = ItemOutcome.duplicate.rawValue.databaseValue
        row["reason"] = .null
        row["asset"] = other.databaseValue
      }
      return true
    }
  }

  private static func item(_ row: ShardRow) -> SourceItem? {
    guard let source = String.fromDatabaseValue(row["source"]).flatMap(SourceKind.init),
      let path = Data.fromDatabaseValue(row["path"])
    else { return nil }
    return SourceItem(source: source, path: ItemPath(bytes: [UInt8](path)))
  }

  // MARK: Rows

  /// Writes the rows of a shard's table that `change` takes, in their order.
  private func copy(
    _ table: String,
    from shard: ShardRows,
    order: String,
    leavingOutColumn left: String? = nil,
    _ change: (inout ShardRow) throws -> Bool
  ) throws {
    let columns = try library.catalogue.read { try Self.columns(of: table, in: $0) }
    let written = columns.indices.filter { columns[$0] != left }
    let names = written.map { columns[$0] }
    let rows = try Row.fetchCursor(
      shard.db,
      sql: "SELECT \(Self.list(columns)), digest FROM \(table) ORDER BY \(order)"
    )
    let insertion = Self.insertion(into: table, names)
    let places = Dictionary(columns.enumerated().map { ($1, $0) }) { $1 }
    var sum = RowSum()
    try inTransactions { target in
      guard let row = try rows.next() else {
        try Self.check(sum, of: table, in: shard.db)
        return false
      }
      var changed = ShardRow(values: try Self.wholeValues(of: row, in: table, &sum), places: places)
      if try change(&changed) {
        try Self.insert(written.map { changed.values[$0] }, insertion, in: target)
      }
      return true
    }
  }

  /// The values of a row that ends with its digest.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` when the row is not as it was written.
  private static func wholeValues(
    of row: Row,
    in table: String,
    _ sum: inout RowSum
  ) throws -> [DatabaseValue] {
    let values = Array(row.databaseValues)
    let digest = RowDigest(table, values.dropLast()[...])
    guard values.last == digest.stored.databaseValue else { throw otherRows(table) }
    sum.add(digest)
    return Array(values.dropLast())
  }

  /// Checks that a table has the rows that its sum is of.
  private static func check(_ sum: RowSum, of table: String, in db: Database) throws {
    guard try TableSums.sum(of: table, in: db) == sum else { throw otherRows(table) }
  }

  private static func otherRows(_ table: String) -> LibraryError {
    LibraryError(
      .inconsistent,
      "The rows of \(table) in the catalogue of a shard are not as they were written. Remove the shard's receipt and "
        + "run it again."
    )
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

  private static func insertion(into table: String, _ columns: [String]) -> String {
    let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    return "INSERT INTO \(table) (\(list(columns))) VALUES (\(places))"
  }

  private static func insert(
    _ values: [DatabaseValue],
    _ sql: String,
    in db: Database
  ) throws {
    // The initializer for an array of one type reads each value by a key path, which is slower.
    let arguments = StatementArguments(values.map { $0 as (any DatabaseValueConvertible)? })
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  private static func columns(of table: String, in db: Database) throws -> [String] {
    try db.columns(in: table).map(\.name).filter { $0 != "digest" }
  }

  private static func list(_ columns: [String]) -> String {
    columns.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  private static let otherSchema = LibraryError(
    .inconsistent,
    "The library of a shard has another schema. Run the shards with one version of mediabatch."
  )
}

/// A row of a shard on its way.
struct ShardRow {
  var values: [DatabaseValue]
  let places: [String: Int]

  subscript(name: String) -> DatabaseValue {
    get { places[name].map { values[$0] } ?? .null }
    set { if let place = places[name] { values[place] = newValue } }
  }
}

/// The assets of a shard, by the numbers that they have there.
private struct ShardRows {
  let db: Database
  /// The new number of a kept asset; of a duplicate the number of the other one, negative; 0 for one that is left
  /// out.
  private var assets: [Int64] = []
  /// The localIdentifiers of the assets that were not taken over.
  private(set) var dropped: Set<String> = []
  /// The new folders of those that have moved, as `2026-11-21/014439.123456`.
  var moved: [String: String] = [:]

  init(_ db: Database) { self.db = db }

  mutating func keep(_ old: Int64, as new: Int64) { set(old, new) }

  mutating func drop(_ old: Int64, _ identifier: String, for other: Int64? = nil) {
    set(old, other.map { -$0 } ?? 0)
    dropped.insert(identifier)
  }

  private mutating func set(_ old: Int64, _ value: Int64) {
    guard let index = Int(exactly: old), index >= 0, index < 1 << 32 else { return }
    while assets.count <= index { assets.append(0) }
    assets[index] = value
  }

  private func value(_ old: DatabaseValue) -> Int64? {
    guard let number = Int64.fromDatabaseValue(old), let index = Int(exactly: number),
      assets.indices.contains(index)
    else { return nil }
    return assets[index]
  }

  /// The new number of an asset; nil for one that was not taken over.
  func newAsset(_ old: DatabaseValue) -> Int64? { value(old).flatMap { $0 > 0 ? $0 : nil } }

  /// The number of the asset that has the content of one that was not taken over; nil for any other.
  func duplicated(_ old: DatabaseValue) -> Int64? { value(old).flatMap { $0 < 0 ? -$0 : nil } }
}
