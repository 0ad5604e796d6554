internal import ArgumentParser
internal import MediaAudit
internal import MediaFileSystem
internal import MediaModel
internal import MediaReports
internal import MediaSyntax

struct AuditCheckProofCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "check-proof",
    abstract: "Check a proof or an export against a head, without the library.",
    discussion: """
      It exits with 65 when the proof does not hold.

      EXAMPLES
        mediabatch audit check-proof proof.json --head 38:0c4c8c26…
        mediabatch audit check-proof proof.json --trust key.pub
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = [
    "Say which head you trust with --head, or whose with --trust."
  ]

  @Argument(
    help: "What `audit prove` or `audit export` wrote.",
    completion: .file()
  )
  var file: PathArgument

  @Option(
    help: "The head that you trust: SIZE:ROOT, a root, or the file of a signed head.",
    transform: TrustedHead.init(option:)
  )
  var head: TrustedHead?

  @Option(
    help: "The public key whose signature is enough, or a file with it.",
    transform: VerifierKey.init(option:)
  )
  var trust: VerifierKey?

  @Option(
    help: ArgumentHelp(
      "The identifier that the library must have.",
      details: "It needs --trust or a signed head."
    )
  )
  var library: String?

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  func run() throws {
    let isSigned = if case .signed? = head { true } else { trust != nil }
    guard library == nil || isSigned else {
      // No rule knows what is in a file.
      throw ValidationError(
        "A root does not tell the library: give --trust, or the file of a signed head as --head."
      )
    }
    do {
      let proof = try CheckedProof(file: file.bytes, trusting: head, key: trust, library: library)
      show(proof, provesLibrary: isSigned)
    } catch let error as FileSystemError {
      Console.note("\(error)")
      try RunExitCode.usage.exit()
    } catch {
      format.print(
        ["schema": "mediabatch.checkProof/1", "ok": false, "difference": .string("\(error)")],
        ["Not proved: \(EscapedText.printable("\(error)"))."]
      )
      try RunExitCode.differencesFound.exit()
    }
  }

  private func show(_ proof: CheckedProof, provesLibrary: Bool) {
    let tree = proof.head.tree
    let library = EscapedText.printable(proof.head.library)
    let time = EscapedText.printable(proof.head.time)
    format.print(
      [
        "schema": "mediabatch.checkProof/1", "ok": true, "difference": .null,
        "size": JSONValue(tree.size), "root": .string(tree.root),
        "library": .string(library), "libraryProved": .bool(provesLibrary), "time": .string(time),
        "trusted": .bool(trust != nil), "numberProved": .bool(proof.provesNumbers),
        "hiddenNames": JSONValue(proof.hiddenNames),
        "records": proof.records.map { records in
          .array(records.map { ["index": JSONValue($0.index), "record": $0.record] })
        } ?? .null,
      ],
      sentences(proof, provesLibrary: provesLibrary)
    )
  }

  /// What is proved, and what is not.
  private func sentences(_ proof: CheckedProof, provesLibrary: Bool) -> [String] {
    let head = proof.head
    let size = Quantity.text(head.tree.size, "record")
    let count = proof.recordCount
    let records = count == 1 ? "this record is" : "these \(Quantity.grouped(count)) records are"
    let of = proof.provesNumbers ? ", which has \(Quantity.grouped(head.tree.size))" : ""
    let by = trust.map { "signed by \($0.identifier), the key that you gave" } ?? "the head that you gave"
    let log =
      provesLibrary
      ? "Log of the library \(EscapedText.printable(head.library)) at \(EscapedText.printable(head.time)): "
      : "Log: "
    var lines: [String] = []
    func add(_ line: String, if isSaid: Bool = true) { if isSaid { lines.append(line) } }
    add("Proved: these are all \(size) of the log, up to its head.", if: proof.records == nil)
    add("Proved: \(records) in the log\(of).", if: proof.records != nil)
    for record in proof.shown { add(line(record, proof)) }
    add(log + (proof.provesNumbers ? size + ", " : "") + "root \(head.tree.root), \(by).")
    let hidden = Quantity.text(proof.hiddenNames, "name", "is", "are")
    add("\(hidden) held back; a digest stands for each.", if: proof.hiddenNames > 0)
    add(
      "Not proved: that what a record says is true, and that a file is still as its record says (`mediabatch verify` "
        + "compares files)."
    )
    add(
      "Not proved: that the log has no other records about a file; an export shows that.",
      if: proof.records != nil
    )
    add(
      "Not proved: whose log it is, and when; give --trust or the file of a signed head.",
      if: !provesLibrary
    )
    add("Not proved: the numbers of the records; give SIZE:ROOT.", if: !proof.provesNumbers)
    return lines
  }

  /// A line of what a record says, with its number where that is proved.
  private func line(_ record: ShownRecord, _ proof: CheckedProof) -> String {
    let entry = record.named
    var line = "- Record" + (proof.provesNumbers ? " \(record.index)" : "")
    if case .string(let time)? = entry.fields["time"] { line += ", \(time)" }
    let event = "It is of the kind \"\(entry.event.rawValue)\"."
    return EscapedText.printable(line + ": " + (ReportWording.record(entry) ?? event))
  }
}
