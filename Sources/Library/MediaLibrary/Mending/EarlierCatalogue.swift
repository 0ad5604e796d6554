internal import Foundation
package import GRDB
internal import MediaFileSystem
package import MediaModel

/// The catalogue that a rebuild replaces, as far as it can still be read.
///
/// It is the last of the three that are believed: it only tells what neither the published files nor the
/// log have. A value that cannot be read is nil, and nothing here ends a rebuild.
package final class EarlierCatalogue {
  package let queue: DatabaseQueue

  /// Opens the catalogue of the library in a folder for reading.
  ///
  /// - Returns: Nil when there is none, or none that SQLite reads.
  /// - Throws: ``LibraryError`` `.unknownSchema` for one that another version wrote, which may know more than
  ///   this one could rebuild; `.notALibrary` where something else stands in its place or beside it.
  package init?(library: [UInt8]) throws(LibraryError) {
    guard let path = try LibraryFolder.address(of: LibraryFolder.catalogueName, in: library) else {
      return nil
    }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.prepareDatabase { db in
      try db.prohibitViews()
      db.add(function: RowDigests.isWhole)
    }
    guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else {
      return nil
    }
    self.queue = queue
    let refusal: LibraryError?? = try? queue.read { db in
      let identifier = try Int32.fetchOne(db, sql: "PRAGMA application_id")
      guard identifier == LibraryFolder.catalogueIdentifier else { return nil }
      return try Catalogue.refusal(of: db)
    }
    guard let refusal else { return nil }
    if let refusal { throw refusal }
  }

  deinit { queue.retire() }

  /// Closes the connection; nothing may be called after.
  package func close() { try? queue.close() }

  /// The library's identifier.
  package var identifier: String? {
    read { try String.fetchOne($0, sql: "SELECT identifier FROM meta") }
  }

  /// The settings that a thumbnail was made with; see `ThumbnailSpec.fingerprint`.
  package func fingerprint(ofThumbnail path: String, sha256: String) -> String? {
    read { db in
      try String.fetchOne(
        db,
        sql: "SELECT fingerprint FROM thumbnails WHERE path = ? AND sha256 = ?",
        arguments: [path, sha256]
      )
    }
  }

  /// The bytes of a thumbnail's ThumbHash, which are in no file and not in the log.
  package func thumbHash(ofThumbnail path: String, sha256: String) -> [UInt8]? {
    read { db in
      let hash = try Data.fetchOne(
        db,
        sql: "SELECT thumbHash FROM thumbnails WHERE path = ? AND sha256 = ?",
        arguments: [path, sha256]
      )
      return hash.flatMap { ThumbHash(bytes: [UInt8]($0))?.bytes }
    }
  }

  /// The ``PerceptualHash/stored`` of a thumbnail's picture, as above.
  package func perceptualHash(ofThumbnail path: String, sha256: String) -> Int64? {
    read { db in
      try Int64.fetchOne(
        db,
        sql: "SELECT perceptualHash FROM thumbnails WHERE path = ? AND sha256 = ?",
        arguments: [path, sha256]
      )
    }
  }

  /// The time of the last change of an item's status, and under what it was written, if it is the same
  /// file.
  package func item(_ item: PlannedItem) -> (changed: Int64, writtenUnder: String)? {
    let status = item.status
    return read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT \(ItemColumn.list) FROM items WHERE sourceName = ? AND path = ? AND device = ?
            AND inode = ? AND size = ? AND modified = ?
          """,
        arguments: [
          item.source.name, Data(item.path.bytes), Int64(bitPattern: status.device),
          Int64(bitPattern: status.inode), status.size, status.modified,
        ]
      ).map(TableRow<ItemColumn>.init).flatMap { row in
        guard let changed: Int64 = row.value(.changed),
          let writtenUnder: String = row.value(.writtenUnder)
        else { return nil }
        return (changed, writtenUnder)
      }
    }
  }

  /// The facts about the file of an asset that was saved at `saved`.
  package func facts(
    of localIdentifier: String,
    saved: SaveTime,
    format: MediaFormat
  ) -> Facts? {
    read { db in
      let row = try Row.fetchOne(
        db,
        sql: "SELECT \(AssetColumn.list) FROM assets WHERE localIdentifier = ? AND saved = ?",
        arguments: [localIdentifier, saved.timestamp]
      ).map(TableRow<AssetColumn>.init)
      guard let row, let asset: Int64 = row.value(.id) else { return nil }
      var facts = Facts(row, format: format)
      facts.tracks = try Row.fetchAll(
        db,
        sql: "SELECT \(TrackColumn.list) FROM tracks WHERE asset = ? ORDER BY number",
        arguments: [asset]
      ).compactMap { TrackFacts(TableRow<TrackColumn>($0)) }
      return facts
    }
  }

  /// Whether a person has given any asset a label.
  package var hasLabels: Bool {
    read { try Catalogue.hasLabels(in: $0) } ?? false
  }

  /// Whether the place of any asset has a name.
  package var hasPlaceNames: Bool {
    read { try Bool.fetchOne($0, sql: "SELECT 1 FROM assets WHERE city IS NOT NULL LIMIT 1") }
      ?? false
  }

  /// The paths below the library that the files of an asset with these bytes have.
  package func paths(ofAsset localIdentifier: String, sha256: String) -> [String] {
    read { db in
      try String.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT resources.path FROM assets JOIN resources ON resources.asset = assets.id
            WHERE localIdentifier = ?1 AND sha256 = ?2
            UNION ALL
            SELECT thumbnails.path FROM assets JOIN thumbnails ON thumbnails.asset = assets.id
            WHERE localIdentifier = ?1 AND sha256 = ?2
            """
        ),
        arguments: [localIdentifier, sha256]
      )
    } ?? []
  }

  /// The batches that a run left in the middle, oldest first; empty when they cannot be read.
  package var undoneBatches: [UndoneBatch] {
    read { try Catalogue.undoneBatches(in: $0) } ?? []
  }

  /// The end of each run's log, as far as it was known; empty when it cannot be read.
  package var auditPositions: [AuditPosition] {
    read { try Catalogue.auditPositions(in: $0) } ?? []
  }

  /// The number of rows of finished batches.
  package var finishedBatches: Int {
    read { try Int.fetchOne($0, sql: "SELECT count(*) FROM batches WHERE state = 3") } ?? 0
  }

  /// Reads, and takes every failure for a value that is not there.
  func read<Value>(_ body: (Database) throws -> Value?) -> Value? {
    (try? queue.read(body)) ?? nil
  }
}

extension TrackFacts {
  /// Reads a row that may be damaged; nil without a kind and a codec.
  fileprivate init?(_ row: TableRow<TrackColumn>) {
    guard let word: String = row.value(.kind), let kind = TrackKind(rawValue: word),
      let codec: String = row.value(.codec)
    else { return nil }
    self.init(kind: kind, codec: codec)
    durationMilliseconds = row.value(.durationMilliseconds)
    if let width: Int = row.value(.pixelWidth), let height: Int = row.value(.pixelHeight) {
      pixelSize = PixelSize(width: width, height: height)
    }
    frameRateMilli = row.value(.frameRateMilli)
    channelCount = row.value(.channelCount)
    sampleRate = row.value(.sampleRate)
  }
}
