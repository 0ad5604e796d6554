internal import ArgumentParser
internal import Glibc
internal import MediaAudit
internal import MediaModel
internal import MediaReports
internal import MediaSyntax
internal import MediaVerification

struct AuditExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the whole log for somebody outside, with names held back.",
    discussion: """
      In the place of each name that is held back there is a keyed digest. The export is checked with \
      `mediabatch audit check-proof` against the same head as the log; one name can be shown later to \
      one person with `mediabatch audit prove --record N`.

      With --format ocsf each record about a file is an event of the OCSF schema, for a SIEM; such events are \
      not checked with `check-proof`, but name the hash of their record. How many records have no event is \
      said at the end.

      EXAMPLES
        mediabatch audit export Library >log.ndjson
        mediabatch audit export Library --redact paths,labels
        mediabatch audit export Library --format ocsf --redact hosts >events.ndjson
      """
  )

  @OptionGroup var library: LibraryArgument

  @Option(
    help:
      "Names to hold back, separated by commas: paths (and what repeats them: labels, names of sources), labels, hosts."
  )
  var redact: RedactedKinds?

  @Option(help: "The form of a line: log (a record that can be checked) or ocsf (an event).")
  var format = AuditExportFormat.log

  func run() throws {
    try LibraryLog.forCommand(library.bytes) { log in
      switch format {
      case .log:
        try log.export(hiding: redact?.kinds ?? []) { Console.write($0) }
      case .ocsf: try writeEvents(of: log)
      }
      redact?.sayWhatStays()
    }
  }

  private func writeEvents(of log: LibraryLog) throws {
    let sink = Console.sink()
    var events = OCSFEvents()
    try log.forEachShown(hiding: redact?.kinds ?? []) { record, library in
      guard let event = events.event(of: record, library: library) else { return }
      sink.value(event)
      sink.text("\n")
    }
    try sink.finish()
    let omitted = events.withoutEvent.sorted { $0.key.rawValue < $1.key.rawValue }
    let kinds = omitted.map { "\($0.value) \($0.key.rawValue)" }.joined(separator: ", ")
    let count = omitted.reduce(0) { $0 + $1.value }
    Console.note(
      Quantity.text(events.count, "event") + "; " + Quantity.text(count, "record")
        + " without one" + (kinds.isEmpty ? "." : ": \(kinds).")
    )
  }
}

/// The forms of an exported log.
enum AuditExportFormat: String, ExpressibleByArgument, CaseIterable {
  /// Records with what opens their names, behind the head that they are checked against.
  case log
  /// Events of the Open Cybersecurity Schema Framework.
  case ocsf
}
