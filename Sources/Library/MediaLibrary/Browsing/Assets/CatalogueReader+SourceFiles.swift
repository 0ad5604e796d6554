internal import Foundation
internal import GRDB
internal import MediaDigest
internal import MediaModel
internal import MediaPredicate

/// An asset, as another library can find it that imported the same file.
package struct SourceFileOwner: Sendable, Hashable {
  package var localIdentifier: String
  package var label: String
  /// SHA-256 of the files that it was made of, 32 bytes each, the main one first; none of a stripped asset, of which the
  /// catalogue has keyed digests alone.
  package var digests: [[UInt8]] = []
}

extension CatalogueReader {
  private enum Owner: Int, QueryColumn {
    case localIdentifier, label, policy, sourceDigest

    var sql: String { self == .sourceDigest ? "own.sourceDigest" : "assets.\(name)" }
  }

  private enum Found: Int, QueryColumn { case id, isHidden }

  private static let sidecars = ResourceRole.allCases.filter(\.isSidecar).map { "'\($0.rawValue)'" }
    .joined(separator: ", ")

  /// The assets of some rows with the SHA-256 of their files, sidecars left out, in the order of the rows.
  ///
  /// - Throws: ``LibraryError`` when the catalogue cannot be read.
  package func sourceFileOwners(rows: [Int64]) throws(LibraryError) -> [SourceFileOwner] {
    try read { db in
      let found = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(Owner.list) FROM assets JOIN resources AS own ON own.asset = assets.id AND own.superseded = 0
          WHERE assets.id IN (SELECT value FROM json_each(?)) AND own.role NOT IN (\(Self.sidecars))
          ORDER BY assets.id, own.role = 'pairedVideo', own.id
          """,
        arguments: [RowList.text(rows)]
      )
      var owners: [SourceFileOwner] = []
      while let row = try found.next().map(QueryRow<Owner>.init) {
        let identifier: String = try row[.localIdentifier]
        if owners.last?.localIdentifier != identifier {
          owners.append(SourceFileOwner(localIdentifier: identifier, label: try row[.label]))
        }
        guard try row[.policy] == MetadataPolicy.keep.rawValue else { continue }
        owners[owners.count - 1].digests.append(try row.bytes(.sourceDigest))
      }
      return owners
    }
  }

  /// For each of another library's assets, the current ones of this library that were made of its file: of the main one,
  /// or where there is none of that, of another one.
  ///
  /// A stripped library has no SHA-256 of a source file: its digest key tells under which digests it knows one.
  ///
  /// - Parameter owners: The other library's assets.
  /// - Returns: In the order of `owners`, the rows of the assets, and whether one of them is hidden.
  /// - Throws: ``LibraryError`` when the catalogue cannot be read; `.inconsistent` when the digest key is missing or
  ///   damaged, `.cannotWrite` when this user may not read it.
  package func assets(
    ofSameFilesAs owners: [SourceFileOwner]
  ) throws(LibraryError) -> [(rows: [Int64], hasHidden: Bool)] {
    try read { db in
      let key = try self.digestKey(in: db)
      let columns = try AssetExpressions(in: db)
      let statement = try db.makeStatement(
        sql: """
          SELECT DISTINCT assets.id, ifnull(\(columns.expression(.isHidden)), 0) <> 0 FROM \(columns.tables)
          JOIN resources AS same ON same.asset = assets.id AND same.superseded = 0
          WHERE same.sourceDigest = ? AND assets.superseded = 0
          """
      )
      return try owners.map { owner in
        var (rows, hasHidden): (Set<Int64>, Bool) = ([], false)
        for sha256 in owner.digests where rows.isEmpty {
          for digest in key.map({ SourceFileDigest.all(of: sha256, key: $0) }) ?? [sha256] {
            let found = try Row.fetchCursor(statement, arguments: [Data(digest)])
            while let row = try found.next().map(QueryRow<Found>.init) {
              if try row[.isHidden] as Bool { hasHidden = true }
              rows.insert(try row[.id])
            }
          }
        }
        return (rows.sorted(), hasHidden)
      }
    }
  }

  /// The library's digest key; nil where nothing is stripped, so that no digest is keyed.
  private func digestKey(in db: Database) throws -> [UInt8]? {
    let isNeeded = try Bool.fetchOne(
      db,
      sql: "SELECT EXISTS (SELECT 1 FROM assets WHERE superseded = 0 AND policy <> ?)",
      arguments: [MetadataPolicy.keep.rawValue]
    )
    guard isNeeded == true else { return nil }
    return try DigestKey.confirmed(
      in: root,
      of: Catalogue.identifier(in: db),
      check: Catalogue.digestKeyCheck(in: db)
    ).bytes
  }
}
