package import MediaModel
internal import MediaSyntax

/// A change of an answer, as it was read from the store's chain.
package struct StoredTransition: Sendable {
  /// The record's canonical JSON.
  package let record: String
  /// SHA-256 of its UTF-8, hexadecimal.
  package let hash: String
  /// Its place in the chain, from 1.
  package let sequence: Int
  package let client: String
  package let source: SourceID
  package let level: AccessLevel
  /// Absolute, percent-escaped; empty in a record of version 1.
  let manifest: String
  let time: String
  let from: AuthorizationStatus
  let to: AuthorizationStatus
  let cause: String
  /// The answer after it; nil for none.
  let answer: ToldAnswer?

  /// Nil for a record of another form.
  init?(record: String, hash: String) {
    guard let members = CanonicalJSON.members(of: Array(record.utf8)),
      let sequence = members.number("seq").flatMap({ Int(exactly: $0) }),
      let client = members.text("client"), let kind = members.text("source"),
      let source = SourceID(kind: kind, name: members.text("sourceName")),
      let level = AccessLevel.allCases.first(where: { $0.name == members.text("level") }),
      let time = members.text("time"), let cause = members.text("cause"),
      let from = members.text("from").flatMap({ AuthorizationStatus(name: $0) }),
      let to = members.text("to").flatMap({ AuthorizationStatus(name: $0) })
    else { return nil }
    (self.record, self.hash, self.sequence, self.client) = (record, hash, sequence, client)
    (self.source, self.level, self.time, self.from, self.to) = (source, level, time, from, to)
    self.cause = cause
    manifest = members.text("manifest") ?? ""
    answer = members.object("answer").map(ToldAnswer.init)
  }
}

/// What a record of the chain tells of an answer.
struct ToldAnswer: Sendable {
  let usageTextSHA256: String
  /// A tag of BCP 47; nil where the manifest did not say in which language it asks.
  let language: String?
  let reason: AnswerReason?
  let expiresAt: Int64?
  let isForOneRun: Bool
  /// The number of names that a page had shown; nil where there was no page.
  let shownCount: Int?
  /// The number of patterns of a selection, and their digest; nil without one.
  let selection: (count: Int, sha256: String)?
  /// The path of the source's folder, percent-escaped.
  let folder: String?

  init(_ members: [String: JSONValue]) {
    usageTextSHA256 = members.text("usageTextSHA256") ?? ""
    language = members.text("usageTextLanguage")
    reason = members.text("reason").flatMap(AnswerReason.init)
    expiresAt = members.number("expiresAt")
    isForOneRun = members["forOneRun"] == true
    shownCount = members.number("shownCount").flatMap { Int(exactly: $0) }
    selection = members.object("selection").map { selection in
      (selection.number("count").flatMap { Int(exactly: $0) } ?? 0, selection.text("sha256") ?? "")
    }
    folder = members.object("folder")?.text("path")
  }
}

extension [String: JSONValue] {
  fileprivate func text(_ name: String) -> String? {
    if case .string(let text)? = self[name] { text } else { nil }
  }

  fileprivate func number(_ name: String) -> Int64? {
    if case .integer(let number)? = self[name] { number } else { nil }
  }

  fileprivate func object(_ name: String) -> Self? {
    if case .object(let members)? = self[name] { members } else { nil }
  }
}
