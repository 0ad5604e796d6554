internal import ArgumentParser
internal import Glibc
internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel
internal import MediaVerification

struct AuditProveCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "prove",
    abstract: "Write a proof that records about a file are in the log.",
    discussion: """
      `mediabatch audit check-proof` or the program mediabatch-verify checks it without the library.

      EXAMPLES
        mediabatch audit prove Library --path 2026/a.jpg >proof.json
        mediabatch audit prove Library --record 12 --redact paths

      The proof has at most 64 lines.
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = ["Say one of --asset, --path and --record."]

  @OptionGroup var library: LibraryArgument

  @Option(help: "All records about the asset with this localIdentifier.")
  var asset: String?

  @Option(help: "All records about this file of a source, by its path in the log.")
  var path: String?

  @Option(help: "With --path: the source, by its kind or name.")
  var source: SourceWord?

  @Option(help: "The record with this number, from 0; may be repeated.")
  var record: [Int] = []

  @Option(
    help: RedactedKinds.help
  )
  var redact: RedactedKinds?

  private func subject(_ prover: AuditProver) throws(AuditError) -> AuditProver.Subject {
    if let asset { return .asset(asset) }
    guard let path else { return .numbers(record) }
    let file = ItemPath(bytes: EscapedText.bytes(percentEscaped: path))
    guard let source else { return .path(file, nil) }
    // A kind's word also means the only source of the kind that has such a file.
    let records = try prover.read(try prover.records(about: .path(file, nil)))
    let sources = Set(records.compactMap(\.entry.source))
    return .path(file, sources.first { $0.isMeant(by: source, among: sources) }?.name ?? source.text)
  }

  func run() throws {
    try LibraryLog.forCommand(library.bytes) { log in
      let prover = try log.prover()
      let indices = try prover.records(about: subject(prover))
      guard !indices.isEmpty else {
        Console.note("The log has no such record.")
        return try RunExitCode.usage.exit()
      }
      let limit = AuditProof.maximumRecordCount
      if indices.count > limit {
        Console.note("\(indices.count) records are about it; the proof has the newest \(limit).")
      }
      let proof = try prover.proof(of: Array(indices.suffix(limit)), hiding: redact?.kinds ?? [])
      Console.write(proof.serialized)
      redact?.sayWhatStays()
    }
  }
}

/// Kinds of names, separated by commas; with paths of source files those of published ones, which have the same names.
struct RedactedKinds: ExpressibleByArgument {
  /// The help of the option that takes them.
  static var help: ArgumentHelp {
    ArgumentHelp(
      "Names to hold back: paths, labels, hosts, separated by commas.",
      details: "paths also holds back what repeats them: labels and names of sources."
    )
  }

  let kinds: Set<RedactableKind>

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let kinds = words.compactMap { RedactableKind(rawValue: String($0)) }
    guard kinds.count == words.count else { return nil }
    self.kinds = Set(kinds + (kinds.contains(.paths) ? [.labels] : []))
  }

  /// Says on standard error what may still name a folder whose path is held back.
  func sayWhatStays() {
    guard kinds.contains(.paths) else { return }
    Console.note(
      "The client's name and the usage descriptions are still shown; `init` writes the folder's name into them."
    )
  }
}
