internal import Foundation
internal import GRDB
internal import MediaModel

extension AnswerStore {
  /// A row as a value; one that does not make sense is damage, and never passed over.
  static func answer(_ row: Row, in db: Database) throws -> StoredAnswer {
    guard let client = row.value("client", as: String.self),
      let kind = row.value("source", as: String.self), let name = row.value("sourceName", as: String.self),
      let source = SourceID(kind: kind, name: name),
      let levelName = row.value("level", as: String.self),
      let level = AccessLevel.allCases.first(where: { $0.name == levelName }),
      let status = row.value("status", as: String.self).flatMap(AuthorizationStatus.init(name:)),
      let reason = row.value("reason", as: String.self).flatMap(AnswerReason.init),
      let usageTextSHA256 = row.value("usageTextSHA256", as: String.self),
      let manifestPath = row.value("manifestPath", as: Data.self),
      let decidedAt = row.value("decidedAt", as: Int64.self),
      let isForOneRun = row.value("isForOneRun", as: Bool.self),
      let shownCount = row.value("shownCount", as: Int.self)
    else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an answer has an unknown value")
    }
    let binding = AnswerBinding(
      client: client,
      source: source,
      level: level,
      usageTextSHA256: usageTextSHA256,
      folder: folder(row),
      manifestPath: [UInt8](manifestPath),
      usageText: row.value("usageText", as: String.self),
      usageTextLanguage: row.value("usageTextLanguage", as: String.self)
    )
    let answer = StoredAnswer(
      binding: binding,
      status: status,
      selection: try selection(Key(binding), in: db),
      reason: reason,
      decidedAt: decidedAt,
      expiresAt: row.value("expiresAt", as: Int64.self),
      isForOneRun: isForOneRun,
      shownCount: shownCount
    )
    guard answer.issue == nil else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an answer contradicts itself")
    }
    return answer
  }

  private static func folder(_ row: Row) -> FolderIdentity? {
    guard let path = row.value("folderPath", as: Data.self),
      let device = row.value("folderDevice", as: Int64.self),
      let inode = row.value("folderInode", as: Int64.self)
    else { return nil }
    return FolderIdentity(
      path: [UInt8](path),
      device: UInt64(bitPattern: device),
      inode: UInt64(bitPattern: inode)
    )
  }

  private static func selection(_ key: Key, in db: Database) throws -> [String] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT pattern FROM selections
        WHERE \(Key.condition) ORDER BY position
        """,
      arguments: key.arguments
    )
    return try rows.map { row in
      guard let pattern = row.value("pattern", as: String.self) else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a selection is no text")
      }
      return pattern
    }
  }
}

extension Row {
  /// A column's value, nil when it is NULL or of another type: GRDB's own subscript ends the process
  /// at what it cannot convert, and this file may have been written by somebody else.
  func value<Value: DatabaseValueConvertible>(_ column: String, as type: Value.Type) -> Value? {
    let value: DatabaseValue? = self[column]
    return value.flatMap(Value.fromDatabaseValue)
  }
}
