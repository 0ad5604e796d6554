internal import ArgumentParser
internal import Glibc
internal import MediaAudit
internal import MediaModel
internal import MediaVerification

struct AuditExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the whole log for somebody outside, with names held back.",
    discussion: """
      In the place of each name that is held back there is a keyed digest. The export is checked with \
      `mediabatch audit check-proof` against the same head as the log; one name can be shown later to \
      one person with `mediabatch audit prove --record N`.

      EXAMPLES
        mediabatch audit export Library >log.ndjson
        mediabatch audit export Library --redact paths,labels
      """
  )

  @Argument(help: "The library's folder.", completion: .directory)
  var library: String

  @Option(help: "Names to hold back, separated by commas: paths, labels, hosts.")
  var redact: RedactedKinds?

  func run() throws {
    try LibraryLog.forCommand(library) { log in
      try log.export(hiding: redact?.kinds ?? []) { Console.write($0, to: STDOUT_FILENO) }
    }
  }
}
