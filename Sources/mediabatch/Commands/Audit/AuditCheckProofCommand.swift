internal import ArgumentParser
internal import MediaAudit
internal import MediaFileSystem
internal import MediaModel
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
    let names =
      proof.hiddenNames == 0 ? "all names shown" : "\(proof.hiddenNames) names held back"
    let records = (proof.records ?? []).map { index, record in
      (proof.provesNumbers ? "\(index) " : "number not proved ")
        + EscapedText.printable(String(decoding: record.serialized, as: UTF8.self))
    }
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
      records + [
        "Proved: \(proof.recordCount)\(proof.provesNumbers ? " of \(tree.size)" : "") records, "
          + "\(names), root \(tree.root)"
          + (proof.provesNumbers ? "" : ", number not proved: give SIZE:ROOT")
          + (trust.map { ", signed by \($0.identifier)." } ?? "."),
        "Library \(library), head of \(time)"
          + (provesLibrary ? "." : "; a root does not prove these two: give --trust."),
      ]
    )
  }
}
