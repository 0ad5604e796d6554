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
    abstract: "Write a proof that records about one asset or file are in the log.",
    discussion: """
      The proof is a file of at most 64 lines, to standard output. It is checked without the library, \
      with `mediabatch audit check-proof` or with the program mediabatch-verify.

      EXAMPLES
        mediabatch audit prove Library --path 2026/a.jpg >proof.json
        mediabatch audit prove Library --record 12 --redact paths
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = ["Say one of --asset, --path and --record."]

  @OptionGroup var library: LibraryArgument

  @Option(help: "The asset's localIdentifier: all that was recorded about it.")
  var asset: String?

  @Option(help: "A source file's path, as the log writes it: each record about it.")
  var path: String?

  @Option(help: "With --path: the source, by its name or as camera, library or microphone.")
  var source: SourceWord?

  @Option(help: "The number of a record, 0-based, as an export has it; may be repeated.")
  var record: [Int] = []

  @Option(
    help:
      "Names to hold back, separated by commas: paths (and what repeats them: labels, names of sources), labels, hosts."
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
      "The name of the client and the usage descriptions are shown; `init` writes the folder's name into them."
    )
  }
}
