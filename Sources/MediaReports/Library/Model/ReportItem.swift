package import MediaAudit
package import MediaModel
internal import MediaSyntax

/// The outcome of one item, read back from its record.
package struct ReportItem: Sendable, Hashable {
  package struct Thumbnail: Sendable, Hashable {
    package var name: String
    package var file: AuditOutput
  }

  package var run: String
  /// The record's number in the run's audit file.
  package var sequence: Int
  package var time: String
  package var source: SourceKind
  package var path: ItemPath
  package var outcome: ItemOutcome
  package var reason: ItemReason?
  package var step: ItemStep?
  /// The format of the content of an item that failed, where the log has it.
  package var format: MediaFormat?
  /// The asset's localIdentifier.
  package var asset: String?
  package var role: ResourceRole?
  package var output: AuditOutput?
  package var sourceSHA256: String?
  package var sourceHMAC: String?
  package var metadataPolicy: MetadataPolicy?
  package var removed: [RemovedMetadata] = []
  package var thumbnails: [Thumbnail] = []
  package var degraded = false
  package var recovered = false
  /// Whether an earlier record has its outcome: its asset was published anew with its other half.
  package var isAgain = false

  /// The item of an outcome record; nil for any other record, and for one that is not understood.
  package init?(_ entry: AuditEntry) {
    guard entry.event == .outcome, let source = entry.source, let path = entry.path,
      let outcome = entry.outcome
    else { return nil }
    let fields = ReportFields(entry.fields)
    run = ReportText.line(entry.run, limit: 100)
    sequence = entry.sequence
    time = fields.text("time", limit: 40) ?? ""
    self.source = source
    self.path = path
    self.outcome = outcome
    reason = fields.text("reason").flatMap { ItemReason(rawValue: $0) }
    step = fields.text("step").flatMap { ItemStep(rawValue: $0) }
    format = fields.text("format").flatMap { MediaFormat(rawValue: $0) }
    asset = fields.text("asset", limit: 100)
    role = fields.text("role").flatMap { ResourceRole(rawValue: $0) }
    output = fields.object("output").flatMap(Self.file)
    sourceSHA256 = fields.text("sourceSHA256", limit: 100)
    sourceHMAC = fields.text("sourceHMAC", limit: 100)
    metadataPolicy = fields.text("metadataPolicy").flatMap { MetadataPolicy(rawValue: $0) }
    removed = fields.objects("removed").compactMap { kind in
      guard let name = kind.text("name", limit: 80), let count = kind.count("count") else {
        return nil
      }
      return RemovedMetadata(name: name, count: count)
    }
    thumbnails = fields.objects("thumbnails").compactMap { thumbnail in
      guard let name = thumbnail.text("name", limit: 80), let file = Self.file(thumbnail) else {
        return nil
      }
      return Thumbnail(name: name, file: file)
    }
    degraded = fields.bool("degraded") ?? false
    recovered = fields.bool("recovered") ?? false
    isAgain = fields.bool("again") ?? false
  }

  private static func file(_ fields: ReportFields) -> AuditOutput? {
    guard let path = fields.path("path"), let bytes = fields.count("bytes"),
      let sha256 = fields.text("sha256", limit: 100)
    else { return nil }
    return AuditOutput(path: path, sha256: sha256, bytes: bytes)
  }

  /// The path below the source; escaped so that its bytes can be read back.
  package var shownPath: String { ReportText.path(path.bytes) }

  /// The label under which it is in the library, which its file carries; escaped.
  package var label: String? {
    output.map { ReportText.line(String(decoding: $0.path.stem, as: UTF8.self)) }
  }

  /// What happened and what to do, for an item that was not imported or lacks thumbnails; nil for one
  /// that the library has whole.
  package var message: String? {
    if reason == .thumbnailMissing {
      return FailureAdvice.message(
        reason: .thumbnailMissing,
        path: path,
        source: source,
        format: format
      )
    }
    return switch outcome {
    case .imported, .unchanged: nil
    case .duplicate:
      "\"\(shownPath)\" (\(source.displayName)) is a duplicate: the library has its content."
    case .skipped, .refused, .unsupported, .failed, .failedBefore:
      reason.map { FailureAdvice.message(reason: $0, path: path, source: source, format: format) }
        ?? "\"\(shownPath)\" (\(source.displayName)) was not imported (\(outcome.rawValue))."
    }
  }
}

/// Reads the fields of a record: text comes back harmless, since a log may be forged.
struct ReportFields {
  private let members: [String: JSONValue]

  init(_ members: [String: JSONValue]) {
    self.members = members
  }

  func text(_ key: String, limit: Int = 1000) -> String? {
    guard case .string(let text)? = members[key] else { return nil }
    return ReportText.line(text, limit: limit)
  }

  /// A path by its bytes.
  func path(_ key: String) -> ItemPath? {
    guard case .string(let text)? = members[key] else { return nil }
    return ItemPath(bytes: EscapedText.bytes(percentEscaped: text))
  }

  func integer(_ key: String) -> Int? {
    guard case .integer(let value)? = members[key] else { return nil }
    return Int(exactly: value)
  }

  /// A number of things, within what a library can have; so sums of what a forged log says are numbers.
  func count(_ key: String) -> Int? {
    integer(key).map { min(max(0, $0), 1 << 40) }
  }

  func bool(_ key: String) -> Bool? {
    guard case .bool(let value)? = members[key] else { return nil }
    return value
  }

  func object(_ key: String) -> ReportFields? {
    guard case .object(let members)? = members[key] else { return nil }
    return ReportFields(members)
  }

  func objects(_ key: String) -> [ReportFields] {
    guard case .array(let values)? = members[key] else { return [] }
    return values.compactMap { value in
      guard case .object(let members) = value else { return nil }
      return ReportFields(members)
    }
  }

  func texts(_ key: String) -> [String] {
    guard case .array(let values)? = members[key] else { return [] }
    return values.compactMap { value in
      guard case .string(let text) = value else { return nil }
      return ReportText.line(text, limit: 100)
    }
  }

  /// Reads the counts of outcomes in a run's last record.
  func counts(_ key: String) -> [ItemOutcome: Int]? {
    guard let fields = object(key) else { return nil }
    var counts: [ItemOutcome: Int] = [:]
    for outcome in ItemOutcome.allCases { counts[outcome] = fields.count(outcome.rawValue) }
    return counts
  }
}
