internal import Foundation
internal import GRDB
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

/// The state of a published file: a value of the columns `superseded`.
enum FileState: Int {
  /// The file is a current one of its asset.
  case current = 0
  /// The next start removes the file.
  case superseded = 1
  /// The original is an earlier version of a current one, and stays until `clean --replaced`.
  case replaced = 2
  /// The asset was taken out of the library: the file lies in `Quarantine`, or was removed there. An asset has
  /// this state too.
  case withdrawn = 3
}

/// An asset that an item may bring files of.
package struct KnownAsset: Sendable, Hashable {
  package var localIdentifier: String
  package var saved: String
  package var label: String
  /// Whether a person has given the label, so that no rule of a manifest changes it.
  package var hasOwnLabel: Bool
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
  package var source: SourceKind?
  package var sourcePath: ItemPath
}

/// Where the items of earlier runs can be read from.
package protocol CatalogueItems {
  /// The items of a source that earlier runs have dealt with, one after the other in the order of
  /// their paths' bytes; the database is read while `body` runs. `writtenUnder` is this run's, and so
  /// is `failingUnder`: with nil, no item has a failure.
  func items(
    of source: SourceKind,
    writtenUnder: String,
    failingUnder: String?,
    _ body: (() throws -> CatalogueItem?) throws -> Void
  ) throws(LibraryError)
}

extension Catalogue: CatalogueItems {
  package func items(
    of source: SourceKind,
    writtenUnder: String,
    failingUnder: String? = nil,
    _ body: (() throws -> CatalogueItem?) throws -> Void
  ) throws(LibraryError) {
    try read { db in
      try Self.items(
        of: source,
        writtenUnder: writtenUnder,
        failingUnder: failingUnder,
        in: db,
        body
      )
    }
  }

  static func items(
    of source: SourceKind,
    writtenUnder: String,
    failingUnder: String?,
    in db: Database,
    _ body: (() throws -> CatalogueItem?) throws -> Void
  ) throws {
    // Compare constant columns in place: making a String of each would dominate the cost.
    let conditions = try hasFailures(of: source, in: db) ? failingUnder : nil
    let failures = conditions == nil ? ("", "") : (", " + saidFailures.columns, saidFailures.join)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT items.path, items.device, items.inode, items.size, items.modified, items.changed,
          outcome IN ('imported', 'duplicate', 'unchanged')
            OR asset IS NOT NULL AND ifnull(items.reason, '') IN ('sidecar', 'sidecarRead'),
          nullif(writtenUnder, ?), asset,
          outcome IN ('skipped', 'unsupported')
            AND items.reason IS NOT '\(ItemReason.stillChanging.rawValue)',
          outcome = 'unsupported',
          items.reason IS '\(ItemReason.withdrawn.rawValue)'\(failures.0)
        FROM items \(failures.1) WHERE items.source = ? ORDER BY items.path
        """,
      arguments: StatementArguments(
        [writtenUnder] + [conditions].compactMap { $0 } + [source.rawValue]
      )
    )
    try body {
      guard let row = try rows.next() else { return nil }
      return CatalogueItem(
        path: ItemPath(bytes: try row.withUnsafeData(atIndex: 0) { $0.map([UInt8].init) ?? [] }),
        // Straight from the statement: a second run reads every item.
        device: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 1)),
        inode: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 2)),
        size: try row.decode(Int64.self, atIndex: 3),
        modified: try row.decode(Int64.self, atIndex: 4),
        changed: try row.decode(Int64.self, atIndex: 5),
        isWritten: try row.decode(Bool.self, atIndex: 6),
        writtenUnder: try row.decode(String?.self, atIndex: 7),
        asset: try row.decode(Int64?.self, atIndex: 8),
        isLeftOut: try row.decode(Bool.self, atIndex: 9),
        isUnsupported: try row.decode(Bool.self, atIndex: 10),
        isWithdrawn: try row.decode(Bool.self, atIndex: 11),
        failure: conditions == nil ? nil : try CatalogueFailure(row, at: 12)
      )
    }
  }
}

extension Catalogue {
  /// The content whose source file had this digest and was written under `policy`, what is withdrawn last.
  package func content(
    sourceDigest: [UInt8],
    policy: MetadataPolicy
  ) throws(LibraryError) -> [KnownContent] {
    try read { db in
      try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT assets.id, assets.localIdentifier, resources.role, resources.sha256,
              resources.superseded <> 0
            FROM resources
            JOIN assets ON assets.id = resources.asset
            WHERE resources.sourceDigest = ? AND assets.policy = ?
              AND resources.superseded IN (0, \(FileState.withdrawn.rawValue))
            ORDER BY resources.superseded, assets.id
            """
        ),
        arguments: [Data(sourceDigest), policy.rawValue]
      ).map { row in
        KnownContent(
          asset: try row.value(0),
          localIdentifier: try row.value(1),
          role: ResourceRole(rawValue: try row.value(2)) ?? .photo,
          sha256: try row.value(3),
          isWithdrawn: try row.value(4)
        )
      }
    }
  }

  /// The asset of a row, with what it has.
  package func asset(row: Int64) throws(LibraryError) -> KnownAsset? {
    try read { try Self.asset(row: row, in: $0) }
  }

  static func asset(row: Int64, in db: Database) throws -> KnownAsset? {
    guard
      let asset = try Row.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT localIdentifier, saved, label, mediaType, policy, creationDate,
              creationDateOffsetMinutes, creationDateTag, contentIdentifier, degraded,
              relabelled IS NOT NULL, superseded = \(FileState.withdrawn.rawValue)
            FROM assets WHERE id = ?
            """
        ),
        arguments: [row]
      )
    else { return nil }
    let resources = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT role, path, sha256, sourceDigest, format, source, sourcePath FROM resources
          WHERE asset = ? AND superseded IN (0, \(FileState.withdrawn.rawValue))
          """
      ),
      arguments: [row]
    )
    let thumbnails = try Row.fetchAll(
      db.cachedStatement(
        sql: "SELECT name, fingerprint, path FROM thumbnails WHERE asset = ? AND superseded = 0"
      ),
      arguments: [row]
    )
    return KnownAsset(
      localIdentifier: try asset.value(0),
      saved: try asset.value(1),
      label: try asset.value(2),
      hasOwnLabel: try asset.value(10),
      mediaType: MediaType(rawValue: try asset.value(3)) ?? .image,
      policy: MetadataPolicy(rawValue: try asset.value(4)) ?? .keep,
      creationDate: try Self.creationDate(in: asset, at: 5),
      contentIdentifier: try asset.value(8),
      degraded: try asset.value(9),
      isWithdrawn: try asset.value(11),
      resources: try resources.map { row in
        KnownResource(
          role: ResourceRole(rawValue: try row.value(0)) ?? .photo,
          path: try row.value(1),
          format: try row.value(4),
          sha256: try row.value(2),
          sourceDigest: [UInt8](try row.value(3) as Data),
          source: SourceKind(rawValue: try row.value(5)),
          sourcePath: ItemPath(bytes: [UInt8](try row.value(6) as Data))
        )
      },
      thumbnails: Dictionary(
        try thumbnails.map { (try $0.value(0) as String, try $0.value(1) as String) },
        uniquingKeysWith: { $1 }
      ),
      thumbnailPaths: Dictionary(
        try thumbnails.map { (try $0.value(0) as String, try $0.value(2) as String) },
        uniquingKeysWith: { $1 }
      )
    )
  }

  /// The capture date in three columns of a row.
  private static func creationDate(in row: Row, at index: Int) throws -> CaptureDate? {
    guard let local: String = try row.value(index), let tag: String = try row.value(index + 2)
    else { return nil }
    return CaptureDate(local: local, offsetMinutes: try row.value(index + 1), tag: tag)
  }

  /// The label of an asset; nil when there is none of this identifier.
  package func label(of localIdentifier: String) throws(LibraryError) -> String? {
    try read { db in
      try String.fetchOne(
        db.cachedStatement(sql: "SELECT label FROM assets WHERE localIdentifier = ?"),
        arguments: [localIdentifier]
      )
    }
  }

  /// The number of items whose content this asset holds, without sidecars.
  package func itemCount(ofAsset row: Int64) throws(LibraryError) -> Int {
    try read { db in
      try Int.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT count(*) FROM items WHERE asset = ?
              AND lower(CAST(substr(path, -4) AS TEXT)) NOT IN ('.xmp', '.aae')
              AND lower(CAST(substr(path, -5) AS TEXT)) <> '.json'
            """
        ),
        arguments: [row]
      ) ?? 0
    }
  }

  /// The sources with an item whose content this asset holds.
  package func sources(ofAsset row: Int64) throws(LibraryError) -> [SourceKind] {
    try read { db in
      try String.fetchAll(
        db.cachedStatement(sql: "SELECT DISTINCT source FROM items WHERE asset = ?"),
        arguments: [row]
      ).compactMap(SourceKind.init)
    }
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
        let statement = try db.cachedStatement(
          sql: "DELETE FROM \(name) WHERE path = ? AND superseded = 1"
        )
        for file in files { try statement.execute(arguments: [file.path]) }
      }
    }
  }
}
