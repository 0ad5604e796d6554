internal import Foundation
internal import GRDB
internal import MediaModel

/// Stacks: the table `stacks` has a row for each asset of one, and for each that a person took out of its stack.
extension Catalogue {
  // MARK: Rules

  /// Stacks the assets of those folders in which assets were added or changed since this was last done, by
  /// ``StackRules``.
  ///
  /// The history says which assets these are; a run that was killed before leaves them to the next one.
  ///
  /// - Parameter run: The run whose history tells of assets from before that come into a stack or leave
  ///   one; nil to tell of none.
  /// - Returns: The number of ambiguous groups in these folders.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read or written.
  package func updateStacks(run: String?) throws(LibraryError) -> Int {
    guard var remaining = try read({ try Self.changedFolders(in: $0)?[...] }) else { return 0 }
    var ambiguous = 0
    while !remaining.isEmpty {
      let part = remaining.prefix(Self.foldersOfATransaction)
      remaining = remaining.dropFirst(part.count)
      ambiguous += try write { db in
        try part.reduce(0) { try $0 + Self.restack($1, run: run, in: db) }
      }
    }
    try write { db in
      try db.execute(sql: "UPDATE history SET stacked = (SELECT max(sequence) FROM changes)")
    }
    return ambiguous
  }

  /// A folder of a source.
  struct SourceFolder: Hashable {
    var source: SourceID
    /// Empty for the source itself.
    var path: ItemPath
  }

  private static let foldersOfATransaction = 64

  /// The file of a source that an original was made of.
  private enum SourceFile: Int, QueryColumn {
    case source, sourceName, sourcePath

    var sql: String { "resources.\(name)" }
  }

  /// The folders of assets that were added or changed since stacks were last made; nil when the history has
  /// nothing new.
  private static func changedFolders(in db: Database) throws -> [SourceFolder]? {
    let stacked = try Int64.fetchOne(db, sql: "SELECT stacked FROM history") ?? 0
    let last = try Int64.fetchOne(db, sql: "SELECT max(sequence) FROM changes") ?? 0
    guard stacked < last else { return nil }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(SourceFile.list) FROM changes
        JOIN assets ON assets.localIdentifier = changes.localIdentifier
        JOIN resources ON resources.asset = assets.id AND resources.superseded = 0
          AND resources.role <> ?
        WHERE changes.sequence > ? AND changes.what IN (?, ?)
        """,
      arguments: [
        ResourceRole.pairedVideo.rawValue, stacked, ChangedPart.asset.rawValue,
        ChangedPart.files.rawValue,
      ]
    )
    var folders: Set<SourceFolder> = []
    while let row = try rows.next().map(QueryRow<SourceFile>.init) {
      guard let source = SourceID(kind: try row.decoded(.source), name: try row.decoded(.sourceName)) else {
        continue
      }
      let path = ItemPath(bytes: try row.bytes(.sourcePath))
      folders.insert(SourceFolder(source: source, path: path.stackFolder))
    }
    return folders.sorted { left, right in
      left.source == right.source ? left.path < right.path : left.source < right.source
    }
  }

  /// How an asset belongs to a stack.
  private struct Membership: Equatable {
    var cover: Int64
    var kind: StackKind
    var position: Int

    /// Whether a person sees the same: one that is in no stack is alone, however it is noted.
    func isSeen(as other: Membership?) -> Bool {
      guard kind.isStack else { return other?.kind.isStack != true }
      return cover == other?.cover && kind == other?.kind
    }
  }

  /// Makes the stacks of one folder anew, and writes what differs.
  ///
  /// - Returns: The number of ambiguous groups.
  @discardableResult static func restack(
    _ folder: SourceFolder,
    run: String?,
    in db: Database
  ) throws -> Int {
    var candidates: [StackCandidate] = []
    var before: [Int64: Membership] = [:]
    let paths = try folder.path.foldersOfStacks.flatMap { path in
      try assets(in: SourceFolder(source: folder.source, path: path), db)
        .filter { $0.path.stackFolder == folder.path }
    }
    for (asset, path) in paths {
      guard let member = try candidate(asset, at: path, of: folder.source, in: db) else { continue }
      before[asset] = member.membership
      if member.membership?.kind.isOwn != true { candidates.append(member.candidate) }
    }
    let stacks = StackRules.stacks(of: candidates)
    var after: [Int64: Membership] = [:]
    for stack in stacks {
      guard let cover = stack.assets.first else { continue }
      for (position, asset) in stack.assets.enumerated() {
        after[asset] = Membership(cover: cover, kind: stack.kind, position: position)
      }
    }
    try dissolveElsewhere(Set(candidates.map(\.asset)), before, run: run, in: db)
    for asset in candidates.map(\.asset) where before[asset] != after[asset] {
      try set(after[asset], of: asset, before: before[asset], run: run, in: db)
    }
    return stacks.count { $0.kind == .ambiguous }
  }

  /// Takes assets that are not here out of stacks whose cover is one of these, since their main files are elsewhere by
  /// now, and the cover that all others leave, as an older version of a file is left.
  private static func dissolveElsewhere(
    _ assets: Set<Int64>,
    _ memberships: [Int64: Membership],
    run: String?,
    in db: Database
  ) throws {
    for cover in Set(assets.compactMap { memberships[$0]?.cover }) {
      let others = try QueryRow<StackColumn>.fetchAll(db, derivedStack, [cover]).filter { row in
        let member: Int64 = try row[.asset]
        return !assets.contains(member)
      }
      // More than one are a stack of another folder.
      if !assets.contains(cover), others.count > 1 { continue }
      for row in others {
        let member: Int64 = try row[.asset]
        guard let kind = StackKind(rawValue: try row[.kind]) else { continue }
        let membership = Membership(cover: try row[.cover], kind: kind, position: try row[.position])
        try set(nil, of: member, before: membership, run: run, in: db)
      }
    }
  }

  private static let derivedStack = """
    SELECT \(StackColumn.list) FROM stacks WHERE cover = ? AND kind IN \(StackKind.derived)
    """

  private static let insertion = RowStatement<StackColumn>(
    inserting: StackColumn.all(but: .digest),
    orReplace: true
  )

  private static func insert(_ membership: Membership, of asset: Int64, in db: Database) throws {
    try insertion.execute(in: db) { column in
      switch column {
      case .asset: asset
      case .cover: membership.cover
      case .kind: membership.kind.rawValue
      case .position: membership.position
      case .digest: nil
      }
    }
  }

  private static func set(
    _ membership: Membership?,
    of asset: Int64,
    before: Membership?,
    run: String?,
    in db: Database
  ) throws {
    if let membership {
      try insert(membership, of: asset, in: db)
    } else {
      try db.cachedStatement(sql: "DELETE FROM stacks WHERE asset = ?").execute(arguments: [asset])
    }
    let nowhere = Membership(cover: asset, kind: .apart, position: 0)
    guard let run, !(membership ?? nowhere).isSeen(as: before) else { return }
    // The history has told of an asset of this run already.
    let localIdentifier = try String.fetchOne(
      db.cachedStatement(sql: "SELECT localIdentifier FROM assets WHERE id = ? AND run <> ?"),
      arguments: [asset, run]
    )
    if let localIdentifier { try note(.updated, localIdentifier, .stack, run: run, in: db) }
  }

  private enum ItemInFolder: Int, QueryColumn {
    case path, asset
  }

  /// The assets that have items in a folder, with the paths of these, and without those of its subfolders,
  /// each of which is passed over in one step.
  private static func assets(
    in folder: SourceFolder,
    _ db: Database
  ) throws -> [(asset: Int64, path: ItemPath)] {
    let slash = UInt8.slash
    let prefix = folder.path.bytes.isEmpty ? [] : folder.path.bytes + [slash]
    // The bytes behind "folder/…" begin with "folder0": "0" comes behind "/".
    let end = prefix.isEmpty ? nil : Data(folder.path.bytes + [slash + 1])
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(ItemInFolder.list) FROM items
        WHERE sourceName = ?1 AND path >= ?2 AND (?3 IS NULL OR path < ?3)
        ORDER BY path
        """
    )
    var assets: [(asset: Int64, path: ItemPath)] = []
    var start = prefix
    scan: while true {
      let rows = try Row.fetchCursor(statement, arguments: [folder.source.name, Data(start), end])
      while let row = try rows.next().map(QueryRow<ItemInFolder>.init) {
        let path = try row.bytes(.path)
        if let subfolder = path[prefix.count...].firstIndex(of: slash) {
          start = path[..<subfolder] + [slash + 1]
          continue scan
        }
        guard let asset: Int64 = try row.decoded(.asset) else { continue }
        assets.append((asset, ItemPath(bytes: path)))
      }
      return assets
    }
  }

  /// An asset as the rules see it, with its stack so far; nil when its main file is not the one at `path`,
  /// as of a duplicate, or is sound.
  private static func candidate(
    _ asset: Int64,
    at path: ItemPath,
    of source: SourceID,
    in db: Database
  ) throws -> (candidate: StackCandidate, membership: Membership?)? {
    let row = try RawRows(db, sql: candidateOfAsset, isKept: true).first([
      ResourceRole.photo.rawValue.databaseValue, ResourceRole.video.rawValue.databaseValue,
      source.name.databaseValue, Data(path.bytes).databaseValue, asset.databaseValue,
    ]).map(TableRow<CandidateColumn>.init)
    guard let row, let name: String = row.value(.format), let format = MediaFormat(rawValue: name)
    else { return nil }
    var candidate = StackCandidate(asset: asset, path: path, format: format)
    candidate.taken = timeOfTaking(row)
    candidate.burst = (row.value(.burstDigest) as Data?).map { [UInt8]($0) }
    candidate.isPick = row.value(.isBurstPick) ?? FileNameFacts.isBurstPick(path.name) ?? false
    guard let cover: Int64 = row.value(.cover), let word: String = row.value(.kind),
      let kind = StackKind(rawValue: word), let position: Int = row.value(.position)
    else { return (candidate, nil) }
    return (candidate, Membership(cover: cover, kind: kind, position: position))
  }

  private enum CandidateColumn: Int, QueryColumn {
    case format, creationDate, creationDateFraction, burstDigest, isBurstPick, cover, kind, position

    var sql: String {
      switch self {
      case .format: "own.format"
      case .creationDate, .creationDateFraction, .burstDigest, .isBurstPick: "assets.\(name)"
      case .cover, .kind, .position: "stacks.\(name)"
      }
    }
  }

  private static let candidateOfAsset = """
    SELECT \(CandidateColumn.list) FROM assets
    JOIN resources AS own ON own.asset = assets.id AND own.superseded = 0
      AND own.role IN (?1, ?2) AND own.sourceName = ?3 AND own.sourcePath = ?4
    LEFT JOIN stacks ON stacks.asset = assets.id
    WHERE assets.id = ?5
    """

  /// The nanoseconds of a local time, as if it were UTC; nil without a time of day.
  private static func timeOfTaking(_ row: TableRow<CandidateColumn>) -> Int64? {
    guard let local: String = row.value(.creationDate) else { return nil }
    var date = CaptureDate(local: local, offsetMinutes: nil, tag: "")
    date.take(precision: nil, fraction: row.value(.creationDateFraction))
    return date.isDateOnly ? nil : date.localNanoseconds
  }

  // MARK: Decisions of a person

  /// The assets of the stack that an asset is in, the cover first; the asset alone when it is in none.
  package func stack(of localIdentifier: String) throws(LibraryError) -> [String] {
    let members = try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT member.localIdentifier FROM assets
          JOIN stacks AS own ON own.asset = assets.id AND own.kind IN \(StackKind.stacked)
          JOIN stacks AS others ON others.cover = own.cover AND others.kind = own.kind
          JOIN assets AS member ON member.id = others.asset
          WHERE assets.localIdentifier = ? ORDER BY others.position
          """,
        arguments: [localIdentifier]
      )
    }
    return members.isEmpty ? [localIdentifier] : members
  }

  /// Writes a stack of a person, or takes assets out of theirs.
  ///
  /// - Returns: The folders that the assets are of.
  static func stack(
    _ edit: LibraryEdit,
    run: String,
    in db: Database
  ) throws -> [SourceFolder] {
    // An asset is not here when a rebuild follows a log of which a file is lost.
    let members = try edit.assets.compactMap { asset in
      try row(ofAsset: asset, in: db).map { (asset: asset, row: $0) }
    }
    return try members.enumerated().compactMap { position, member in
      let (asset, row) = member
      let membership =
        edit.kind == .unstack
        ? Membership(cover: row, kind: .apart, position: 0)
        : Membership(cover: members[0].row, kind: .user, position: position)
      try insert(membership, of: row, in: db)
      try note(.updated, asset, .stack, run: run, in: db)
      return try folder(of: row, in: db)
    }
  }

  /// Takes an asset that leaves the library out of its stack. What is left of a stack that a person made stays
  /// one, with another cover.
  ///
  /// - Returns: The folder whose assets have to be stacked anew when it has left.
  static func leaveStack(_ asset: Int64, run: String, in db: Database) throws -> SourceFolder? {
    let folder = try folder(of: asset, in: db)
    let row = try QueryRow<StackColumn>.fetchOne(
      db,
      "SELECT \(StackColumn.list) FROM stacks WHERE asset = ?",
      [asset]
    )
    if let row, let kind = StackKind(rawValue: try row[.kind]) {
      let membership = Membership(cover: try row[.cover], kind: kind, position: try row[.position])
      try db.execute(sql: "DELETE FROM stacks WHERE asset = ?", arguments: [asset])
      let remaining = try Int64.fetchAll(
        db,
        sql: "SELECT asset FROM stacks WHERE cover = ? AND kind = ? ORDER BY position",
        arguments: [membership.cover, membership.kind.rawValue]
      )
      for (position, other) in remaining.enumerated() {
        let before = Membership(cover: membership.cover, kind: membership.kind, position: position)
        let after = Membership(cover: remaining[0], kind: membership.kind, position: position)
        let isStack = membership.kind.isOwn && remaining.count > 1
        try set(isStack ? after : nil, of: other, before: before, run: run, in: db)
      }
    }
    return folder
  }

  private static func folder(of asset: Int64, in db: Database) throws -> SourceFolder? {
    let row = try QueryRow<SourceFile>.fetchOne(
      db,
      """
      SELECT \(SourceFile.list) FROM resources
      WHERE asset = ? AND superseded = 0 AND role <> ? ORDER BY id LIMIT 1
      """,
      [asset, ResourceRole.pairedVideo.rawValue]
    )
    guard let row, let source = SourceID(kind: try row[.source], name: try row[.sourceName]) else {
      return nil
    }
    let path = ItemPath(bytes: [UInt8](try row[.sourcePath] as Data))
    return SourceFolder(source: source, path: path.stackFolder)
  }
}

extension StackKind {
  /// The kinds whose assets are shown as one, as a list in SQL.
  package static let stacked = list { $0.isStack }
  /// The kinds that rules made, as a list in SQL.
  static let derived = list { !$0.isOwn }

  private static func list(_ isWanted: (StackKind) -> Bool) -> String {
    "(" + allCases.filter(isWanted).map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"
  }
}
