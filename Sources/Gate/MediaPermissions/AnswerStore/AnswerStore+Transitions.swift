internal import GRDB
internal import MediaAudit
internal import MediaModel
internal import MediaSyntax

/// The result of checking that answers changed only as their transitions say.
package struct StoreVerification: Sendable, Hashable {
  /// The first place at which the store is not what mediabatch wrote.
  package struct Difference: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, CaseIterable, Sendable, Hashable {
      /// The record does not have its hash.
      case changed
      /// The record does not follow the one before it.
      case outOfPlace
      /// An answer is not the one that its last transition tells of.
      case answerDiffers
    }

    package var kind: Kind
    /// The 1-based number of the transition.
    package var sequence: Int

    package var description: String {
      switch kind {
      case .changed: "transition \(sequence) was changed"
      case .outOfPlace: "transition \(sequence) does not follow the one before it"
      case .answerDiffers: "an answer is not the one that transition \(sequence) tells of"
      }
    }
  }

  /// The number of transitions that passed.
  package var records = 0
  /// The last one's hash; nil when there is none.
  package var head: String?
  package var difference: Difference?
}

extension AnswerStore {
  /// The hash of the last transition, 64 hexadecimal digits; nil before the first.
  package var head: String? {
    get throws(StoreError) {
      try read { db in
        try String.fetchOne(db, sql: "SELECT hash FROM transitions ORDER BY seq DESC LIMIT 1")
      }
    }
  }

  /// Follows the chain from its first transition, and compares every answer with what the last
  /// transition about it says.
  ///
  /// Shows each change that another program made; not those of somebody who writes the whole chain
  /// anew, against whom only a head that was kept elsewhere helps, such as in a run's log.
  package func verify() throws(StoreError) -> StoreVerification {
    try read { db in try Self.verify(in: db) }
  }

  /// Every change of an answer since the first, each as it was stored.
  package func transitions() throws(StoreError) -> [StoredTransition] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT seq, record, hash FROM transitions ORDER BY seq").map { row in
        guard let record = row.value("record", as: String.self),
          let hash = row.value("hash", as: String.self),
          let transition = StoredTransition(record: record, hash: hash)
        else {
          throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a transition is of another form")
        }
        return transition
      }
    }
  }

  static func append(_ transition: StoreTransition, in db: Database) throws {
    let last = try Row.fetchOne(db, sql: "SELECT seq, hash FROM transitions ORDER BY seq DESC LIMIT 1")
    let sequence = (last?.value("seq", as: Int.self) ?? 0) + 1
    let (record, hash) = transition.link(
      sequence: sequence,
      previous: last?.value("hash", as: String.self) ?? StoreTransition.firstPrevious,
      time: .now
    )
    try db.execute(
      sql: "INSERT INTO transitions (seq, record, hash) VALUES (?, ?, ?)",
      arguments: [sequence, record, hash]
    )
  }

  /// The canonical text that each answer must have, and the transition that set it, by source, level and
  /// client, and by manifest.
  private typealias ExpectedAnswers = [String: [String: (answer: String, sequence: Int)]]

  private static func verify(in db: Database) throws -> StoreVerification {
    var result = StoreVerification()
    var expected: ExpectedAnswers = [:]
    let fields = try db.makeStatement(
      sql: """
        SELECT json_extract(?1, '$.seq') AS seq, json_extract(?1, '$.prev') AS prev,
          json_extract(?1, '$.client') AS client, json_extract(?1, '$.source') AS source,
          coalesce(json_extract(?1, '$.sourceName'), json_extract(?1, '$.source')) AS sourceName,
          json_extract(?1, '$.level') AS level, json_extract(?1, '$.answer') AS answer,
          coalesce(json_extract(?1, '$.manifest'), json_extract(?1, '$.answer.manifest'))
            AS manifest,
          json_type(?1, '$.manifest') IS NULL AS isOfAllManifests
        WHERE json_valid(?1)
        """
    )
    let rows = try Row.fetchCursor(db, sql: "SELECT seq, record, hash FROM transitions ORDER BY seq")
    while let row = try rows.next() {
      let sequence = result.records + 1
      guard let record = row.value("record", as: String.self),
        let hash = row.value("hash", as: String.self),
        StoreTransition.hash([UInt8](record.utf8)) == hash,
        let record = try Row.fetchOne(fields, arguments: [record])
      else {
        result.difference = .init(kind: .changed, sequence: sequence)
        return result
      }
      guard row.value("seq", as: Int.self) == sequence,
        record.value("seq", as: Int.self) == sequence,
        record.value("prev", as: String.self) == result.head ?? StoreTransition.firstPrevious
      else {
        result.difference = .init(kind: .outOfPlace, sequence: sequence)
        return result
      }
      // No name has NUL.
      let key = ["source", "sourceName", "level", "client"]
        .map { record.value($0, as: String.self) ?? "" }
        .joined(separator: "\0")
      if record.value("isOfAllManifests", as: Bool.self) ?? true { expected[key] = nil }
      expected[key, default: [:]][record.value("manifest", as: String.self) ?? ""] =
        record.value("answer", as: String.self).map { ($0, sequence) }
      result.records = sequence
      result.head = hash
    }
    if let sequence = try firstDifference(from: expected, result.records, in: db) {
      result.difference = .init(kind: .answerDiffers, sequence: sequence)
    }
    return result
  }

  /// Compares the answers of a store with those that its transitions tell of.
  ///
  /// - Returns: The transition that an answer is not that of; the last for one of which none tells.
  private static func firstDifference(
    from expected: ExpectedAnswers,
    _ last: Int,
    in db: Database
  ) throws -> Int? {
    var expected = expected
    for answer in try answers(client: nil, in: db) {
      let key = Key(answer)
      let group = [key.source.kind.rawValue, key.source.name, key.level.name, key.client]
        .joined(separator: "\0")
      let text = String(decoding: StoreTransition.object(answer).serialized, as: UTF8.self)
      let manifest = EscapedText.percentEscaped(key.manifestPath)
      guard let entry = expected[group]?.removeValue(forKey: manifest), entry.answer == text else {
        return last
      }
    }
    return expected.values.flatMap(\.values).map(\.sequence).min()
  }
}
