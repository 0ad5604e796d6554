internal import Foundation
internal import GRDB
internal import MediaDigest
package import MediaModel

extension AnswerStore {
  /// The answer with the client, source, level and manifest of a binding, whether or not it still
  /// counts.
  ///
  /// - Returns: Nil when nobody has answered.
  package func answer(for binding: AnswerBinding) throws(StoreError) -> StoredAnswer? {
    try read { db in try Self.answer(Key(binding), in: db) }
  }

  /// The answers of one client, or of all, sorted by client, source, level and manifest.
  ///
  /// If the client is named by a folder, also the denials that such clients got for those of its sources' folders in
  /// another place, which count for it (``AnswerBinding/denies(_:)``).
  package func answers(
    client: String? = nil,
    of folders: [SourceID: FolderIdentity] = [:]
  ) throws(StoreError) -> [StoredAnswer] {
    guard let client, FolderIdentity.isOfClient(client) else {
      return try read { db in try Self.answers(client: client, in: db) }
    }
    return try read { db in
      try Self.answers(client: nil, in: db).filter { answer in
        if answer.binding.client == client { return true }
        return folders.contains { source, folder in
          var here = answer.binding
          (here.client, here.source, here.folder) = (client, source, folder)
          return answer.concerns(here)
        }
      }
    }
  }

  /// Stores one answer, as ``record(_:)`` stores several.
  @discardableResult
  package func record(_ answer: StoredAnswer) throws(StoreError) -> [StoredAnswer] {
    try record([answer])
  }

  /// Stores answers, each in the place of an earlier one of the same client, source, level and manifest.
  ///
  /// A denial is the client's, and its folder's, and of all sources of its kind (``AnswerBinding/denies(_:)``): it also
  /// removes what else was answered for the client about that kind at that level, and what was allowed for the same
  /// folder in another place.
  ///
  /// - Parameter answers: A denial has one for each source of the kind that its manifest has.
  /// - Returns: The other answers that a denial has removed.
  /// - Throws: ``StoreError`` `.invalidAnswer` for one that no rule allows, `.notWritable`,
  ///   `.outOfSpace`, `.busy`; nothing is changed then.
  @discardableResult
  package func record(_ answers: [StoredAnswer]) throws(StoreError) -> [StoredAnswer] {
    for answer in answers {
      guard let issue = answer.issue else { continue }
      throw StoreError(.invalidAnswer, "This answer cannot be stored: \(issue).")
    }
    return try write { db in
      for answer in answers {
        let key = Key(answer)
        let before = try Self.answer(key, in: db)
        try Self.remove(key, in: db)
        try Self.insert(answer, in: db)
        try Self.append(StoreTransition(key, from: before, to: answer, cause: .answered), in: db)
      }
      let keys = Set(answers.map { Key($0) })
      let denials = answers.filter { $0.status == .denied }.map(\.binding)
      if denials.isEmpty { return [] }
      let removed = try Self.answers(client: nil, in: db).filter { other in
        !keys.contains(Key(other))
          && denials.contains { denial in
            denial.denies(other.binding)
              && (other.status != .denied || other.binding.client == denial.client)
          }
      }
      for other in removed {
        try Self.remove(Key(other), in: db)
        try Self.append(StoreTransition(Key(other), from: other, to: nil, cause: .deniedElsewhere), in: db)
      }
      return removed
    }
  }

  /// The number of the last transition to a denial of a source at a level; nil when it was never
  /// denied to this client, nor, if that is named by a folder, to another such client in the same folder. A denial is
  /// of all sources of its kind.
  package func lastDenial(
    client: String,
    source: SourceKind,
    level: AccessLevel,
    in folder: FolderIdentity? = nil
  ) throws(StoreError) -> Int? {
    let shared = FolderIdentity.isOfClient(client) && folder?.inode != 0 ? folder : nil
    return try read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT max(seq) FROM transitions
          WHERE record ->> 'to' = ? AND record ->> 'source' = ? AND record ->> 'level' = ?
            AND (record ->> 'client' = ? OR record ->> 'client' GLOB ?
              AND record ->> '$.answer.folder.device' = ? AND record ->> '$.answer.folder.inode' = ?)
          """,
        arguments: [
          AuthorizationStatus.denied.name, source.rawValue, level.name, client,
          FolderIdentity.clientPattern, shared.map { Int64(bitPattern: $0.device) },
          shared.map { Int64(bitPattern: $0.inode) },
        ]
      )
    }
  }

  /// Forgets an answer: the status is `notDetermined` again.
  ///
  /// - Returns: False when there was none, which changes nothing.
  @discardableResult
  package func reset(_ binding: AnswerBinding) throws(StoreError) -> Bool {
    let key = Key(binding)
    return try write { db in
      guard let before = try Self.answer(key, in: db) else { return false }
      try Self.remove(key, in: db)
      try Self.append(StoreTransition(key, from: before, to: nil, cause: .reset), in: db)
      return true
    }
  }

  /// Takes away an answer that counts for one run, as that run begins.
  ///
  /// - Parameters:
  ///   - answer: As it was read; it has to be the stored one still.
  ///   - run: The run's identifier, for the transition.
  /// - Returns: False when it is not there any more, or another one is: another run has taken it, or
  ///   a person has answered anew, and the run has to decide again.
  /// - Throws: ``StoreError`` `.notWritable`, `.outOfSpace`, `.busy`; the answer does not count then.
  package func consumeOneTimeGrant(
    _ answer: StoredAnswer,
    run: String? = nil
  ) throws(StoreError) -> Bool {
    let key = Key(answer)
    return try write { db in
      guard answer.isForOneRun, try Self.answer(key, in: db) == answer else { return false }
      try Self.remove(key, in: db)
      try Self.append(StoreTransition(key, from: answer, to: nil, cause: .consumed, run: run), in: db)
      return true
    }
  }

  static func answers(client: String?, in db: Database) throws -> [StoredAnswer] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT * FROM answers WHERE ?1 IS NULL OR client = ?1
        ORDER BY client, source, sourceName <> source, sourceName, level DESC, manifestPath
        """,
      arguments: [client]
    )
    return try rows.map { try Self.answer($0, in: db) }
  }

  static func answer(_ key: Key, in db: Database) throws -> StoredAnswer? {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT * FROM answers WHERE \(Key.condition)
        """,
      arguments: key.arguments
    )
    return try row.map { try answer($0, in: db) }
  }

  private static func remove(_ key: Key, in db: Database) throws {
    for table in ["selections", "answers"] {
      try db.execute(
        sql: """
          DELETE FROM \(table) WHERE \(Key.condition)
          """,
        arguments: key.arguments
      )
    }
  }

  private static func insert(_ answer: StoredAnswer, in db: Database) throws {
    let key = Key(answer)
    let folder = answer.binding.folder
    try db.execute(
      sql: """
        INSERT INTO answers (
          client, source, sourceName, level, manifestPath, status, reason, usageTextSHA256, usageText,
          usageTextLanguage, folderPath, folderDevice, folderInode, decidedAt, expiresAt, isForOneRun, shownCount
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: key.arguments + [
        answer.status.name, answer.reason.rawValue, answer.binding.usageTextSHA256,
        answer.binding.usageText, answer.binding.usageTextLanguage, folder.map { Data($0.path) },
        folder.map { Int64(bitPattern: $0.device) }, folder.map { Int64(bitPattern: $0.inode) },
        answer.decidedAt, answer.expiresAt, answer.isForOneRun, answer.shownCount,
      ]
    )
    let insertion = try db.makeStatement(
      sql: """
        INSERT INTO selections (client, source, sourceName, level, manifestPath, position, pattern)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    )
    for (position, pattern) in answer.selection.enumerated() {
      try insertion.execute(arguments: key.arguments + [position, pattern])
    }
  }

  /// The key of an answer in the store.
  struct Key: Hashable {
    /// What a row has of ``arguments``.
    static let condition = "client = ? AND source = ? AND sourceName = ? AND level = ? AND manifestPath = ?"

    let client: String
    let source: SourceID
    let level: AccessLevel
    let manifestPath: [UInt8]

    init(_ binding: AnswerBinding) {
      client = binding.client
      source = binding.source
      // Camera and microphone have one level, whatever it is called.
      level = source.kind == .library ? binding.level : .readWrite
      manifestPath = binding.manifestPath
    }

    init(_ answer: StoredAnswer) { self.init(answer.binding) }

    var arguments: StatementArguments {
      [client, source.kind.rawValue, source.name, level.name, Data(manifestPath)]
    }
  }
}

extension StoredAnswer {
  /// The rule that this answer breaks, or nil.
  var issue: String? {
    let isWholeLibrary = binding.source.kind == .library && binding.level == .readWrite
    if binding.source.kind != .library, binding.level != .readWrite {
      return "the \(binding.source.displayName) has one access level"
    }
    switch status {
    case .notDetermined, .restricted: return "\(status.name) is no answer of a person"
    case .limited where !isWholeLibrary:
      return "only reading the photo library can be limited"
    case .denied where expiresAt != nil || isForOneRun: return "a denial does not expire"
    default: break
    }
    if status != .limited, !selection.isEmpty { return "only a limited answer has a selection" }
    if shownCount < 0 || shownCount > 0 && reason != .picker {
      return "only a page in a browser shows names"
    }
    if let text = binding.usageText,
      Hexadecimal.text(SHA256.hash(Array(text.utf8))) != binding.usageTextSHA256
    {
      return "its words are not those of its digest"
    }
    return nil
  }
}
