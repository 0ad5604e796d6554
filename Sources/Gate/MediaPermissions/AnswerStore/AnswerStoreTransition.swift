internal import MediaAudit
internal import MediaDigest
internal import MediaModel
internal import MediaSyntax

/// A change of a stored answer, recorded in the store's own chain.
///
///     {"answer":{…},"cause":"answered","client":"org.example.feed","event":"transition",
///      "from":"notDetermined","level":"readWrite","manifest":"/home/a/feed.json","prev":"0000…",
///      "run":null,"seq":1,"source":"library","time":"2026-11-21T07:05:12.004211Z","to":"limited"}
///
/// Its hash is the SHA-256 of these bytes; `prev` is the hash of the record before it, 64 zeros in
/// the first. `answer` is all that was stored, a selection by count and digest alone, so that what a
/// person picked is not kept once it is taken back. That of a source with a name of its own has `sourceName`. A record
/// without `manifest`, as version 1 wrote it, tells of the one answer for all manifests of the client.
struct StoreTransition {
  /// Why a stored answer changed.
  enum Cause: String {
    /// A person answered.
    case answered
    /// A person took the answer back.
    case reset
    /// The run that the one-time grant was for has begun.
    case consumed = "takenUp"
    /// A person denied the source to the client, at another manifest.
    case deniedElsewhere
  }

  static let firstPrevious = String(repeating: "0", count: 64)

  let key: AnswerStore.Key
  let from: AuthorizationStatus
  let to: StoredAnswer?
  let cause: Cause
  let run: String?

  init(
    _ key: AnswerStore.Key,
    from: StoredAnswer?,
    to: StoredAnswer?,
    cause: Cause,
    run: String? = nil
  ) {
    self.key = key
    self.from = from?.status ?? .notDetermined
    self.to = to
    self.cause = cause
    self.run = run
  }

  /// The record and its hash, in its place in the chain.
  func link(sequence: Int, previous: String, time: AuditTime) -> (record: String, hash: String) {
    var record: [String: JSONValue] = [
      "answer": to.map(Self.object) ?? .null,
      "cause": .string(cause.rawValue),
      "client": .string(key.client),
      "event": "transition",
      "from": .string(from.name),
      "level": .string(key.level.name),
      "manifest": .string(EscapedText.percentEscaped(key.manifestPath)),
      "prev": .string(previous),
      "run": JSONValue(run),
      "seq": JSONValue(sequence),
      "source": .string(key.source.kind.rawValue),
      "time": .string(time.text),
      "to": .string((to?.status ?? .notDetermined).name),
    ]
    if let name = key.source.ownName { record["sourceName"] = .string(name) }
    let bytes = JSONValue.object(record).serialized
    return (String(decoding: bytes, as: UTF8.self), Self.hash(bytes))
  }

  static func hash(_ bytes: [UInt8]) -> String { Hexadecimal.text(SHA256.hash(bytes)) }

  /// The digest by which the chain knows a selection.
  static func digest(of selection: [String]) -> String {
    // A pattern never contains NUL, so two selections never give the same bytes.
    hash(selection.flatMap { Array($0.utf8) + [0] })
  }

  /// The answer without its key, and with the digest of its selection instead of the selection.
  static func object(_ answer: StoredAnswer) -> JSONValue {
    var object: [String: JSONValue] = [
      "decidedAt": .integer(answer.decidedAt),
      "expiresAt": answer.expiresAt.map(JSONValue.integer) ?? .null,
      "folder": answer.binding.folder.map { folder in
        [
          "device": .integer(Int64(bitPattern: folder.device)),
          "inode": .integer(Int64(bitPattern: folder.inode)),
          "path": .string(EscapedText.percentEscaped(folder.path)),
        ]
      } ?? .null,
      "forOneRun": .bool(answer.isForOneRun),
      "manifest": .string(EscapedText.percentEscaped(answer.binding.manifestPath)),
      "reason": .string(answer.reason.rawValue),
      "selection": answer.status == .limited
        ? ["count": JSONValue(answer.selection.count), "sha256": .string(digest(of: answer.selection))]
        : .null,
      "status": .string(answer.status.name),
      "usageTextSHA256": .string(answer.binding.usageTextSHA256),
    ]
    if let language = answer.binding.usageTextLanguage { object["usageTextLanguage"] = .string(language) }
    // Records of version 2 are without it, and stay as they are.
    if answer.reason == .picker { object["shownCount"] = JSONValue(answer.shownCount) }
    return .object(object)
  }
}
