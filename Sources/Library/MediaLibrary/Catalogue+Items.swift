internal import Foundation
package import GRDB
package import MediaModel

/// Content that the library holds already: the candidate for a duplicate.
package struct KnownContent: Sendable, Hashable {
  /// Row of the asset.
  package var asset: Int64
  package var localIdentifier: String
  package var role: ResourceRole
  /// The digest of the published file, made by the coordinator.
  package var sha256: String
  /// Whether a person has taken the asset out of the library.
  package var isWithdrawn: Bool
}

/// An asset that an item may bring files of.
package struct KnownAsset: Sendable, Hashable {
  package var localIdentifier: String
  package var saved: String
  package var label: String
  /// Whether a person has given the label, so that no rule of a manifest changes it.
  package var hasOwnLabel: Bool
  /// The degrees, clockwise, by which a person has turned it: 0, 90, 180 or 270.
  package var rotation: Int
  package var mediaType: MediaType
  /// Under which it was written.
  package var policy: MetadataPolicy
  /// The facts that tell whether another file is the same photo, as far as the policy keeps them.
  package var creationDate: CaptureDate?
  package var contentIdentifier: String?
  package var degraded: Bool
  /// Whether a person has taken it out of the library; then its resources tell what it was made of.
  package var isWithdrawn: Bool
  package var resources: [KnownResource]
  /// Published thumbnails: name to fingerprint.
  package var thumbnails: [String: String]
  /// Published thumbnails: name to path below the library.
  package var thumbnailPaths: [String: String]

  /// Its resources that are media.
  package var media: [KnownResource] { resources.filter { !$0.role.isSidecar } }

  /// Digests of the source files of its media.
  package var sourceDigests: [[UInt8]] { media.map(\.sourceDigest) }
}

/// A published file of a known asset.
package struct KnownResource: Sendable, Hashable {
  package var role: ResourceRole
  /// Below the library.
  package var path: String
  /// As the catalogue names it.
  package var format: String
  package var sha256: String
  package var sourceDigest: [UInt8]
  package var source: SourceID?
  package var sourcePath: ItemPath
}

/// Where the items of earlier runs can be read from.
package protocol CatalogueItems {
  /// The items of a source that earlier runs have dealt with, one after the other in the order of
  /// their paths' bytes; the database is read while `body` runs. `writtenUnder` is this run's, and so
  /// is `failingUnder`: with nil, no item has a failure.
  func items(
    of source: SourceID,
    writtenUnder: String,
    failingUnder: String?,
    _ body: (() throws -> CatalogueItem?) throws -> Void
  ) throws(LibraryError)

  /// What a source said of its items when they were imported, as digests; the database is read while `take` runs.
  func described(
    of source: SourceID,
    _ take: (ItemPath, [UInt8]) -> Void
  ) throws(LibraryError)

  /// The albums that a source had at another place than this one, see ``SourceAlbum/place``.
  func albums(of source: SourceID, notAt place: Int64) throws(LibraryError) -> [SourceAlbum]

  /// Whether the rows of an item and of its asset, with all files of that, are as they were written:
  /// only then may one of these files be replaced.
  func isWhole(
    item path: ItemPath,
    of source: SourceID,
    asset: Int64
  ) throws(LibraryError) -> Bool
}

extension Catalogue: CatalogueItems {
  package func items(
    of source: SourceID,
    writtenUnder: String,
    failingUnder: String? = nil,
    _ body: (() throws -> CatalogueItem?) throws -> Void
  ) throws(LibraryError) {
    try read { db in
      try Self.items(of: source, writtenUnder: writtenUnder, failingUnder: failingUnder, in: db, body)
    }
  }

  package static func items(
    of source: SourceID,
    writtenUnder: String,
    failingUnder: String?,
    in db: Database,
    _ body: (() throws -> CatalogueItem?) throws -> Void
  ) throws {
    // Compare constant columns in place: making a String of each would dominate the cost.
    let conditions = try hasFailures(of: source, in: db) ? failingUnder : nil
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(CatalogueItem.Column.list(of: CatalogueItem.Column.all(withFailures: conditions != nil)))
        FROM items \(conditions == nil ? "" : pastFailures) WHERE items.sourceName = ? ORDER BY items.path
        """,
      arguments: StatementArguments([writtenUnder] + [conditions].compactMap { $0 } + [source.name])
    )
    try body {
      guard let row = try rows.next().map(QueryRow<CatalogueItem.Column>.init) else { return nil }
      let standing = CatalogueItem.Standing(rawValue: try row.decoded(.standing))
      return CatalogueItem(
        path: ItemPath(bytes: try row.bytes(.path)),
        // Straight from the statement: a second run reads every item.
        device: UInt64(bitPattern: try row.decoded(.device)),
        inode: UInt64(bitPattern: try row.decoded(.inode)),
        size: try row.decoded(.size),
        modified: try row.decoded(.modified),
        changed: try row.decoded(.changed),
        isWritten: standing.contains(.written),
        writtenUnder: try row.decoded(.otherWrittenUnder),
        asset: try row.decoded(.asset),
        isLeftOut: standing.contains(.leftOut),
        isUnsupported: standing.contains(.unsupported),
        hasFailed: standing.contains(.failed),
        isWithdrawn: standing.contains(.withdrawn),
        failure: conditions == nil ? nil : try CatalogueFailure(row)
      )
    }
  }
}

extension CatalogueItem {
  /// What an item's outcome and reason make of it.
  fileprivate struct Standing: OptionSet {
    let rawValue: Int

    static let written = Standing(rawValue: 1)
    static let leftOut = Standing(rawValue: 2)
    static let unsupported = Standing(rawValue: 4)
    static let failed = Standing(rawValue: 8)
    static let withdrawn = Standing(rawValue: 16)
  }

  /// The columns of an item, and behind them those of its failure, where such are looked up.
  ///
  /// One argument is this run's ``CatalogueItem/writtenUnder``.
  package enum Column: Int, QueryColumn {
    case path, device, inode, size, modified, changed, standing, otherWrittenUnder, asset,
      failedDevice, failedInode, failedSize, failedModified, failedChanged, isNotFetched,
      isThumbnailMissing

    package static func all(withFailures: Bool) -> [Column] {
      withFailures ? allCases : allCases.filter { $0.rawValue < failedDevice.rawValue }
    }

    package var sql: String {
      switch self {
      case .path, .device, .inode, .size, .modified, .changed, .asset: "items.\(name)"
      // One number, and first of all that of nearly every row: texts are not compared five times.
      case .standing:
        """
        CASE WHEN outcome = 'imported' AND items.reason IS NULL THEN \(Standing.written.rawValue) ELSE
          \(Standing.written.rawValue) * (outcome IN ('imported', 'duplicate', 'unchanged')
            OR asset IS NOT NULL AND ifnull(items.reason, '') IN ('sidecar', 'sidecarRead'))
          + \(Standing.leftOut.rawValue) * (outcome IN ('skipped', 'unsupported')
            AND items.reason IS NOT '\(ItemReason.stillChanging.rawValue)')
          + \(Standing.unsupported.rawValue) * (outcome = 'unsupported')
          + \(Standing.failed.rawValue) * (outcome IN ('failed', 'refused'))
          + \(Standing.withdrawn.rawValue) * (items.reason IS '\(ItemReason.withdrawn.rawValue)')
        END
        """
      case .otherWrittenUnder: "nullif(writtenUnder, ?)"
      case .failedDevice: "failures.device"
      case .failedInode: "failures.inode"
      case .failedSize: "failures.size"
      case .failedModified: "failures.modified"
      case .failedChanged: "failures.changed"
      case .isNotFetched: "failures.reason = '\(ItemReason.notFetched.rawValue)'"
      case .isThumbnailMissing: "failures.reason = '\(ItemReason.thumbnailMissing.rawValue)'"
      }
    }
  }
}

extension KnownContent {
  fileprivate enum Column: Int, QueryColumn {
    case asset, localIdentifier, role, sha256, isWithdrawn

    var sql: String {
      switch self {
      case .asset: "assets.id"
      case .localIdentifier: "assets.localIdentifier"
      case .role, .sha256: "resources.\(name)"
      case .isWithdrawn: "resources.superseded <> 0"
      }
    }
  }

  fileprivate static let byDigest = """
    SELECT \(Column.list) FROM resources JOIN assets ON assets.id = resources.asset
    WHERE resources.sourceDigest = ? AND assets.policy = ?
      AND resources.superseded IN (0, \(FileState.withdrawn.rawValue))
    ORDER BY resources.superseded, assets.id
    """

  fileprivate static let withdrawnByDigest = """
    SELECT \(Column.list) FROM resources JOIN assets ON assets.id = resources.asset
    WHERE resources.sourceDigest = ? AND resources.superseded = \(FileState.withdrawn.rawValue)
    ORDER BY assets.id LIMIT 1
    """
}

extension KnownAsset {
  fileprivate enum Column: Int, QueryColumn {
    case localIdentifier, saved, label, mediaType, policy, creationDate, creationDateOffsetMinutes,
      creationDateTag, contentIdentifier, degraded, hasOwnLabel, rotation,
      isWithdrawn

    var sql: String {
      switch self {
      case .hasOwnLabel: "relabelled IS NOT NULL"
      case .isWithdrawn: "superseded = \(FileState.withdrawn.rawValue)"
      default: name
      }
    }
  }

  fileprivate static let byRow = "SELECT \(Column.list) FROM assets WHERE id = ?"
}

extension KnownResource {
  fileprivate enum Column: Int, QueryColumn {
    case role, path, sha256, sourceDigest, format, source, sourceName, sourcePath
  }

  fileprivate static let ofAsset = """
    SELECT \(Column.list) FROM resources
    WHERE asset = ? AND superseded IN (0, \(FileState.withdrawn.rawValue))
    """

  fileprivate init(_ row: QueryRow<Column>) throws {
    self.init(
      role: ResourceRole(rawValue: try row[.role]) ?? .photo,
      path: try row[.path],
      format: try row[.format],
      sha256: try row[.sha256],
      sourceDigest: [UInt8](try row[.sourceDigest] as Data),
      source: SourceID(kind: try row[.source], name: try row[.sourceName]),
      sourcePath: ItemPath(bytes: [UInt8](try row[.sourcePath] as Data))
    )
  }
}

private enum KnownThumbnail: Int, QueryColumn {
  case name, fingerprint, path

  static let ofAsset = "SELECT \(list) FROM thumbnails WHERE asset = ? AND superseded = 0"
}

extension Catalogue {
  /// The content whose source file had this digest and was written under `policy`, what is withdrawn last.
  package func content(
    sourceDigest: [UInt8],
    policy: MetadataPolicy
  ) throws(LibraryError) -> [KnownContent] {
    try read { db in
      try QueryRow<KnownContent.Column>.fetchAll(
        db,
        KnownContent.byDigest,
        [Data(sourceDigest), policy.rawValue]
      ).map { row in
        KnownContent(
          asset: try row[.asset],
          localIdentifier: try row[.localIdentifier],
          role: ResourceRole(rawValue: try row[.role]) ?? .photo,
          sha256: try row[.sha256],
          isWithdrawn: try row[.isWithdrawn]
        )
      }
    }
  }

  /// Whether the library knows content that a person has withdrawn.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func hasWithdrawnContent() throws(LibraryError) -> Bool {
    try read { db in
      let sql = "SELECT EXISTS (SELECT 1 FROM resources WHERE superseded = \(FileState.withdrawn.rawValue))"
      return try Bool.fetchOne(db, sql: sql) ?? false
    }
  }

  /// The content of a withdrawn asset, whatever the policy under which it was written; nil when there is none.
  ///
  /// - Parameter sourceDigests: The digests that a source file has under all policies.
  /// - Returns: The oldest such content.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func withdrawnContent(
    sourceDigests: [[UInt8]]
  ) throws(LibraryError) -> (localIdentifier: String, role: ResourceRole)? {
    try read { db in
      for digest in sourceDigests {
        let row = try QueryRow<KnownContent.Column>.fetchOne(
          db,
          KnownContent.withdrawnByDigest,
          [Data(digest)]
        )
        guard let row else { continue }
        return (try row[.localIdentifier], ResourceRole(rawValue: try row[.role]) ?? .photo)
      }
      return nil
    }
  }

  /// The asset of a row, with what it has.
  package func asset(row: Int64) throws(LibraryError) -> KnownAsset? {
    try read { try Self.asset(row: row, in: $0) }
  }

  package static func asset(row: Int64, in db: Database) throws -> KnownAsset? {
    guard let asset = try QueryRow<KnownAsset.Column>.fetchOne(db, KnownAsset.byRow, [row]) else {
      return nil
    }
    var creationDate: CaptureDate?
    if let local: String = try asset[.creationDate], let tag: String = try asset[.creationDateTag] {
      let offset: Int? = try asset[.creationDateOffsetMinutes]
      creationDate = CaptureDate(local: local, offsetMinutes: offset, tag: tag)
    }
    var result = KnownAsset(
      localIdentifier: try asset[.localIdentifier],
      saved: try asset[.saved],
      label: try asset[.label],
      hasOwnLabel: try asset[.hasOwnLabel],
      // A damaged row has any number.
      rotation: LibraryEdit.rotation(stored: try asset[.rotation]),
      mediaType: MediaType(rawValue: try asset[.mediaType]) ?? .image,
      policy: MetadataPolicy(rawValue: try asset[.policy]) ?? .keep,
      creationDate: creationDate,
      contentIdentifier: try asset[.contentIdentifier],
      degraded: try asset[.degraded],
      isWithdrawn: try asset[.isWithdrawn],
      resources: try QueryRow<KnownResource.Column>.fetchAll(db, KnownResource.ofAsset, [row])
        .map { try KnownResource($0) },
      thumbnails: [:],
      thumbnailPaths: [:]
    )
    let thumbnails = try QueryRow<KnownThumbnail>.fetchAll(db, KnownThumbnail.ofAsset, [row])
    for thumbnail in thumbnails {
      let name: String = try thumbnail[.name]
      result.thumbnails[name] = try thumbnail[.fingerprint]
      result.thumbnailPaths[name] = try thumbnail[.path]
    }
    return result
  }

  /// The label of an asset; nil when there is none of this identifier.
  package func label(of localIdentifier: String) throws(LibraryError) -> String? {
    try read { try Self.label(of: localIdentifier, in: $0) }
  }

  package static func label(of localIdentifier: String, in db: Database) throws -> String? {
    try String.fetchOne(
      db.cachedStatement(sql: "SELECT label FROM assets WHERE localIdentifier = ?"),
      arguments: [localIdentifier]
    )
  }

  /// The number of items whose content this asset holds, without sidecars.
  package func itemCount(ofAsset row: Int64) throws(LibraryError) -> Int {
    // That of a Takeout is not published, and its word is not its extension.
    let sidecars = SidecarFormat.allCases.filter(\.isPublished).map { "'.\($0.rawValue)'" }
    return try read { db in
      try Int.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT count(*) FROM items WHERE asset = ?
              AND lower(CAST(substr(path, -4) AS TEXT)) NOT IN (\(sidecars.joined(separator: ", ")))
              AND lower(CAST(substr(path, -5) AS TEXT)) <> '.json'
            """
        ),
        arguments: [row]
      ) ?? 0
    }
  }

  /// The sources with an item whose content this asset holds.
  package func sources(ofAsset row: Int64) throws(LibraryError) -> [SourceID] {
    try read { db in
      try QueryRow<SourceColumn>.fetchAll(
        db,
        "SELECT DISTINCT \(SourceColumn.list) FROM items WHERE asset = ?",
        [row]
      ).compactMap { SourceID(kind: try $0[.source], name: try $0[.sourceName]) }
    }
  }

  private enum SourceColumn: Int, QueryColumn {
    case source, sourceName
  }

  /// The sources of which the catalogue has items, by kind and name.
  package func sources() throws(LibraryError) -> [SourceID] { try read { try Self.sources(in: $0) } }

  package static func sources(in db: Database) throws -> [SourceID] {
    // Each step looks up the next name: a list of all different ones would read every item.
    let rows = try QueryRow<SourceColumn>.fetchAll(
      db,
      """
      WITH RECURSIVE names(name) AS (
        SELECT min(sourceName) FROM items
        UNION ALL
        SELECT (SELECT min(sourceName) FROM items WHERE sourceName > name) FROM names WHERE name IS NOT NULL
      )
      SELECT (SELECT source FROM items WHERE sourceName = name LIMIT 1), name FROM names WHERE name IS NOT NULL
      """
    )
    return try rows.compactMap { SourceID(kind: try $0[.source], name: try $0[.sourceName]) }.sorted()
  }

  /// A file that was superseded and may go, or that has to be there.
  package struct PublishedFile: Sendable, Hashable {
    /// Below the library.
    package var path: String
    package var bytes: Int64
    package var sha256: String
    package var localIdentifier: String

    package init(path: String, bytes: Int64, sha256: String, localIdentifier: String) {
      self.path = path
      self.bytes = bytes
      self.sha256 = sha256
      self.localIdentifier = localIdentifier
    }
  }

  /// Every file that the library should hold, replaced originals too, in the order of its path; or
  /// every one that the next start removes.
  package func publishedFiles(superseded: Bool) throws(LibraryError) -> [PublishedFile] {
    try read { try Self.publishedFiles(superseded: superseded, in: $0) }
  }

  static func publishedFiles(superseded: Bool, in db: Database) throws -> [PublishedFile] {
    var files: [PublishedFile] = []
    try forEachFile(superseded: superseded, in: db) { files.append($0.file) }
    return files
  }

  /// The superseded files whose rows are as they were written, and the paths of those whose rows are
  /// not, so that they may not be superseded.
  package func filesToRemove() throws(LibraryError) -> (files: [PublishedFile], damaged: [String]) {
    let files = try publishedFiles(superseded: true)
    let whole = try read { db in
      var paths: Set<String> = []
      for name in ["resources", "thumbnails"] {
        guard let table = digested[name] else { continue }
        paths.formUnion(
          try String.fetchSet(
            db,
            sql: "SELECT path FROM \(name) WHERE superseded = 1 AND \(table.isWhole())"
          )
        )
      }
      return paths
    }
    return (
      files.filter { whole.contains($0.path) },
      files.filter { !whole.contains($0.path) }.map(\.path)
    )
  }

  /// Whether an asset has a file that takes the place of a superseded one; that of a video is the paired
  /// video when its still was found later, that of a sidecar any media of the asset.
  package func hasSuccessor(_ file: PublishedFile) throws(LibraryError) -> Bool {
    guard let table = digested["resources"] else { return false }
    return try read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM resources AS old
            JOIN resources AS new ON new.asset = old.asset
              AND (new.role = old.role OR new.role = 'pairedVideo' AND old.role = 'video'
                OR new.role NOT IN ('sidecar', 'adjustmentData')
                  AND old.role IN ('sidecar', 'adjustmentData'))
            WHERE old.path = ? AND old.superseded = 1 AND new.superseded = 0
              AND \(table.isWhole("new")))
          """,
        arguments: [file.path]
      ) ?? false
    }
  }

  /// Forgets superseded files, which are removed.
  package func forget(superseded files: [PublishedFile]) throws(LibraryError) {
    try write { db in
      for name in ["resources", "thumbnails"] {
        let statement = try db.cachedStatement(sql: "DELETE FROM \(name) WHERE path = ? AND superseded = 1")
        for file in files { try statement.execute(arguments: [file.path]) }
      }
    }
  }
}
