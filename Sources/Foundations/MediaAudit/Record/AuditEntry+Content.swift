package import MediaModel
internal import MediaSyntax

/// What a record tells, for making a catalogue from a log: nil for a record of another event, and for one that lacks a
/// member that it has to have. See ``body(of:allowsGaps:clean:)`` for the records of all other events.
extension AuditEntry {
  /// The item of an outcome record; a member that is not understood is left out.
  package var item: Outcome? {
    guard event == .outcome, let source, let path, let outcome else { return nil }
    var item = Outcome(source: source, path: path, outcome: outcome)
    for field in Outcome.fields(in: .log) {
      if let value = fields[field.name] { Self.read(value, as: field.form, into: &item) }
    }
    return item
  }

  private static func read(
    _ value: JSONValue,
    as form: Outcome.Form,
    into item: inout Outcome
  ) {
    switch (form, value) {
    case (.word(let word), .string(let text)): _ = word.set(&item, text)
    case (.text(let member), .string(let text)): item[keyPath: member] = text
    case (.flag(let flag), .bool(let isTrue)): item[keyPath: flag] = isTrue
    case (.digest(let digest), .string(let text)):
      item[keyPath: digest] = Hexadecimal.bytes(text)
    case (.file(let file), _): item[keyPath: file] = OutputFile(value, nil)
    case (.sourceDigest(let isKeyed), .string(let text)):
      // The SHA-256 comes first in the list, and is believed where a record has both.
      item.sourceDigest =
        item.sourceDigest ?? Hexadecimal.bytes(text).map { SourceDigest($0, isKeyed: isKeyed) }
    case (.removed, .array(let values)): item.removed = values.compactMap(removed)
    case (.thumbnails, .array(let values)):
      for case .object(let members) in values {
        guard case .string(let name)? = members["name"],
          let file = OutputFile(.object(members), nil)
        else { continue }
        item.thumbnails.removeAll { $0.name == name }
        item.thumbnails.append(Outcome.Thumbnail(name: name, file: file))
      }
    default: break
    }
  }

  private static func removed(_ value: JSONValue) -> RemovedMetadata? {
    guard case .object(let members) = value, case .string(let name)? = members["name"],
      case .integer(let count)? = members["count"], let count = Int(exactly: count)
    else { return nil }
    return RemovedMetadata(name: name, count: count)
  }

  /// The output and the thumbnails of an `outcome` record, and the file of a `restored` or `relabelled` one.
  package var writtenFiles: [OutputFile] {
    body(of: WrittenFiles.self).map { [$0.output].compactMap(\.self) + $0.thumbnails } ?? []
  }

  /// The client and the inputs of a run, in its first record.
  package var opening: AuditOpening? { body() }

  /// The file that a `relabelled` record says is renamed.
  package var rename: AuditFileChange? { event == .relabelled ? body() : nil }

  /// The events in whose records a person has decided about an asset.
  package static let decisions: Set<AuditEvent> = Set([.relabelled, .withdrawn] + LibraryEdit.events)

  /// The asset about which a person has decided, in a record of ``decisions``; of a stack the cover.
  package var decidedAsset: String? {
    guard Self.decisions.contains(event) else { return nil }
    return body(of: AuditFileChange.self)?.asset ?? body(of: LibraryEdit.self)?.asset
  }

  /// The library that the `key` record of a run names.
  package var library: String? { body(of: AuditKey.self)?.library }

  /// All that failures of a source's items depend on besides their files, in the record of a source that
  /// was listed and in that of its candidates; nil in a log of a version that did not write it.
  package var conditions: String? {
    body(of: AuditListing.self)?.conditions ?? body(of: AuditCount.self)?.conditions
  }

  /// Whether the run that begins with it is a merge.
  var beginsMerge: Bool {
    body(of: AuditOpening.self, allowsGaps: true)?.clientIdentifier == "mediabatch.merge"
  }

  /// The exit code in a run's last record.
  package var exitCode: Int? { body(of: AuditEnd.self)?.exitCode }

  /// The record's time, as it is written.
  package var time: String? { text("time") }

  /// The localIdentifier of the asset that it concerns, where it has one.
  package var asset: String? { text("asset") }

  private func text(_ key: String) -> String? {
    if case .string(let text)? = fields[key] { text } else { nil }
  }
}

/// The files that a record names, without its other members: each record of a log is asked for them.
private struct WrittenFiles: RecordBody {
  static let events: [AuditEvent] = [.outcome, .restored, .relabelled]

  var output: OutputFile?
  var thumbnails: [OutputFile] = []

  mutating func list(_ fields: inout RecordFields) {
    fields.field("output", &output)
    fields.list("thumbnails", &thumbnails)
  }
}
