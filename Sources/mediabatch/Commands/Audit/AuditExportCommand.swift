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
    abstract: "Write the whole log for others, if wanted without names.",
    discussion: """
      `mediabatch audit check-proof` checks the export against the same head as the log.

      EXAMPLES
        mediabatch audit export Library >log.ndjson
        mediabatch audit export Library --redact paths,labels >log.ndjson

      A keyed digest stands in the place of each name that is held back. `mediabatch audit prove --record N` can later \
      show a name to one person.

      With --format ocsf each record about a file is an event of the OCSF schema, for security monitoring (SIEM). \
      check-proof does not check such events, but each has the hash of its record. The command says how many records \
      have no event.

      EXAMPLES
        mediabatch audit export Library --format ocsf --redact hosts >events.ndjson
      """
  )

  @OptionGroup var library: LibraryArgument

  @Option(
    help: RedactedKinds.help
  )
  var redact: RedactedKinds?

  @Option(help: "What a line is: a record of the log, or an event of OCSF.")
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
