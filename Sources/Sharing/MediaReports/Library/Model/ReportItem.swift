package import MediaAudit
package import MediaModel
internal import MediaSyntax

/// The outcome of one item, read back from its record; its texts are harmless, since a log may be forged.
@dynamicMemberLookup
package struct ReportItem: Sendable, Hashable {
  package var run: String
  /// The record's number in the run's audit file.
  package var sequence: Int
  package var time: String
  package private(set) var details: Outcome
  /// What the manifest of its run has set already, which no advice names.
  var settings = AdvisedSettings()

  /// The item of an outcome record; nil for any other record, and for one that is not understood.
  ///
  /// - Parameters:
  ///   - entry: The record.
  ///   - placements: With these the item is that of the library, and nil when a merge has left it to a run, which has
  ///     recorded another outcome; without them it is what the record says.
  package init?(_ entry: AuditEntry, placements: AssetPlacements = AssetPlacements()) {
    guard let item = entry.item.flatMap(placements.placed) else { return nil }
    run = ReportText.line(entry.run, limit: 100)
    sequence = entry.sequence
    time = entry.time.map { ReportText.line($0, limit: 40) } ?? ""
    details = Self.harmless(item)
  }

  package subscript<Value>(dynamicMember value: KeyPath<Outcome, Value>) -> Value {
    details[keyPath: value]
  }

  /// The item as a later run counts it, which has not opened it again.
  func failedBefore() -> ReportItem {
    var item = self
    item.details.outcome = .failedBefore
    return item
  }

  private static func harmless(_ item: Outcome) -> Outcome {
    var item = item
    for field in Outcome.fields {
      switch field.form {
      case .text(let text):
        item[keyPath: text] = item[keyPath: text].map { ReportText.line($0, limit: 100) }
      case .file(let file): item[keyPath: file] = item[keyPath: file].map(harmless)
      case .removed:
        item.removed = item.removed.map { kind in
          RemovedMetadata(name: ReportText.line(kind.name, limit: 80), count: kind.count.bounded)
        }
      case .thumbnails:
        item.thumbnails = item.thumbnails.map { thumbnail in
          Outcome.Thumbnail(
            name: ReportText.line(thumbnail.name, limit: 80),
            file: harmless(thumbnail.file)
          )
        }
      case .word, .flag, .digest, .path, .sourceDigest, .mutedTracks, .trailerRemoved:
        break
      }
    }
    return item
  }

  private static func harmless(_ file: OutputFile) -> OutputFile {
    OutputFile(path: file.path, sha256: ReportText.line(file.sha256, limit: 100), bytes: file.bytes.bounded)
  }

  /// The path below the source; escaped so that its bytes can be read back.
  package var shownPath: String { ReportText.path(details.path.bytes) }

  /// The label under which it is in the library, which its file carries; escaped.
  package var label: String? {
    details.output.map { ReportText.line(String(decoding: $0.path.stem, as: UTF8.self)) }
  }

  /// The number of values of each class that its output no longer has; a container's own word is
  /// ``MetadataClass/other``.
  package var removedClasses: [MetadataClass: Int] {
    details.removed.reduce(into: [:]) { classes, kind in
      let metadataClass = kind.metadataClass ?? .other
      classes[metadataClass] = Quantity.sum(classes[metadataClass] ?? 0, kind.count)
    }
  }

  /// What happened and what to do, for an item that was not imported or lacks thumbnails; nil for one
  /// that the library has whole.
  package var message: String? {
    if details.reason == .thumbnailMissing { return advice }
    let source = details.source.displayName
    return switch details.outcome {
    case .imported, .unchanged: nil
    case .duplicate:
      "\"\(shownPath)\" (\(source)) is a duplicate: the library has its content."
    case .skipped, .refused, .unsupported, .failed, .failedBefore:
      details.reason == nil
        ? "\"\(shownPath)\" (\(source)) was not imported (\(details.outcome.rawValue))." : advice
    }
  }

  private var advice: String {
    var failure = RunReport.Failure(details)
    failure.detail = details.damage?.rawValue ?? ""
    return FailureAdvice.message(of: failure, settings)
  }
}

extension AuditEntry {
  /// The record as a value of its type, whose texts are harmless, since a log may be forged; without
  /// `allowsGaps` nil if it lacks a field that it needs.
  func shown<Body: RecordBody>(as type: Body.Type = Body.self, allowsGaps: Bool = true) -> Body? {
    body(of: type, allowsGaps: allowsGaps) { ReportText.line($0, limit: 1000) }
  }

  /// The record's time, harmless; empty when it has none.
  var shownTime: String { time.map { ReportText.line($0, limit: 40) } ?? "" }
}

extension Int {
  /// The nearest number of things that a library can have; so sums of what a forged log says are numbers.
  var bounded: Int { Swift.min(Swift.max(0, self), 1 << 40) }
}
