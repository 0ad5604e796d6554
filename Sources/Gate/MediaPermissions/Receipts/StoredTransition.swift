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
    guard let members = CanonicalJSON.members(of: Array(record.utf8)) else { return nil }
    func text(_ name: String) -> String? {
      if case .string(let text)? = members[name] { text } else { nil }
    }
    func status(_ name: String) -> AuthorizationStatus? {
      text(name).flatMap { AuthorizationStatus(name: $0) }
    }
    guard case .integer(let number)? = members["seq"], let sequence = Int(exactly: number),
      let client = text("client"), let kind = text("source"),
      let source = SourceID(kind: kind, name: text("sourceName")),
      let level = AccessLevel.allCases.first(where: { $0.name == text("level") }),
      let time = text("time"), let from = status("from"), let to = status("to"), let cause = text("cause")
    else { return nil }
    (self.record, self.hash, self.sequence, self.client) = (record, hash, sequence, client)
    (self.source, self.level, self.time, self.from, self.to) = (source, level, time, from, to)
    self.cause = cause
    manifest = text("manifest") ?? ""
    if case .object(let members)? = members["answer"] { answer = ToldAnswer(members) } else { answer = nil }
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
    func text(_ name: String, in members: [String: JSONValue]) -> String? {
      if case .string(let text)? = members[name] { text } else { nil }
    }
    func number(_ name: String, in members: [String: JSONValue]) -> Int64? {
      if case .integer(let number)? = members[name] { number } else { nil }
    }
    usageTextSHA256 = text("usageTextSHA256", in: members) ?? ""
    language = text("usageTextLanguage", in: members)
    reason = text("reason", in: members).flatMap(AnswerReason.init)
    expiresAt = number("expiresAt", in: members)
    isForOneRun = members["forOneRun"] == true
    shownCount = number("shownCount", in: members).flatMap { Int(exactly: $0) }
    if case .object(let selection)? = members["selection"] {
      self.selection = (
        number("count", in: selection).flatMap { Int(exactly: $0) } ?? 0, text("sha256", in: selection) ?? ""
      )
    } else {
      selection = nil
    }
    if case .object(let folder)? = members["folder"] {
      self.folder = text("path", in: folder)
    } else {
      folder = nil
    }
  }
}
