internal import ArgumentParser
internal import MediaAudit
internal import MediaModel
internal import MediaSyntax
internal import MediaVerification

extension AuditVerification {
  /// A line for each name in the folder that no run gives.
  var otherNameLines: [String] { otherNames.map { "Audit/\($0) is no file of the log." } }
}

struct AuditVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Name the first record that was changed, removed, added or moved.",
    discussion: """
      Exits with 65 when something differs.

      EXAMPLES
        mediabatch audit verify Library
        mediabatch audit verify Library --expect-head fc6478d4…
        mediabatch audit verify Library --tsa-ca authority.pem
      """
  )

  @Argument(help: "The library's folder.", completion: .directory)
  var library: PathArgument

  @Option(
    help: ArgumentHelp(
      "A head that a witness has kept: SIZE:ROOT, the file of a signed head, or the head or root that a "
        + "run's summary printed. Can be given several times.",
      valueName: "head"
    )
  )
  var expectHead: [PathArgument] = []

  @Option(help: "The public key that has to have signed the last run's head, or a file with it.")
  var trust: PathArgument?

  @OptionGroup var authorities: AuthorityOptions

  @Option(name: .customLong("library"), help: "The identifier that the library has to have.")
  var identifier: String?

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text

  func run() throws {
    var witnesses = AuditWitnesses()
    witnesses.trustedKey = try trust.map { try VerifierKey(argument: $0) }
    witnesses.expectedHeads = try expectHead.map { try TrustedHead(argument: $0) }
    witnesses.library = identifier
    witnesses.timestampAuthorities = try authorities.certificates()
    try LibraryLog.forCommand(library) { log in
      let verification = try log.verify(witnesses).verification
      switch format {
      case .json: Console.output(object(verification))
      case .text: show(verification)
      }
      if verification.difference != nil { try RunExitCode.differencesFound.exit() }
    }
  }

  private func object(_ verification: AuditVerification) -> JSONValue {
    let positions = verification.expectedHeads.map { position in
      switch position {
      case .last: "last"
      case .endOfRun(let file): file
      case .tree(let size): "record \(size)"
      }
    }
    return [
      "schema": "mediabatch.auditVerify/1",
      "files": JSONValue(verification.files), "records": JSONValue(verification.records),
      "head": .string(verification.head), "size": JSONValue(verification.tree.size),
      "root": .string(verification.tree.root), "tornBytes": JSONValue(verification.tornBytes),
      "signature": .string(
        verification.isTrustedInPart ? "trustedInPart" : verification.signature.rawValue
      ),
      "signer": JSONValue(verification.signer?.identifier),
      "unsignedRecords": JSONValue(verification.unsignedRecords),
      "signed": JSONValue(verification.signedHead?.note.serialized),
      "difference": JSONValue(verification.difference?.description),
      "kind": JSONValue(verification.difference?.kind.rawValue),
      "library": JSONValue(verification.signedHead?.library),
      "signedTime": JSONValue(verification.signedHead?.time),
      "expectedHead": JSONValue(positions.first),
      "expectedHeads": .array(positions.map { .string($0) }),
      "otherNames": .array(verification.otherNames.map { .string($0) }),
      "timestamps": .array(verification.timestamps.map(\.value)),
      "ok": .bool(verification.difference == nil),
    ]
  }

  private func show(_ verification: AuditVerification) {
    for line in verification.otherNameLines { Console.output(line) }
    if let difference = verification.difference { return Console.output("\(difference)") }
    Console.output(
      Quantity.text(verification.records, "record") + " in "
        + Quantity.text(verification.files, "file") + ": chain and tree are whole."
    )
    Console.output("head \(verification.head)")
    Console.output("root \(verification.tree.size):\(verification.tree.root)")
    if verification.tornBytes > 0 {
      Console.output(
        Quantity.text(verification.tornBytes, "byte")
          + " of a torn last line, as a power cut leaves them."
      )
    }
    if let head = verification.signedHead {
      Console.output(
        "The first " + Quantity.text(head.tree.size, "record", "is", "are")
          + " signed by \(verification.signer?.identifier ?? "")"
          + (verification.signature == .trusted
            ? ", which is trusted." : ". Whether the key is yours, only --trust checks.")
      )
      Console.output("The signed head is of \(head.time), library \(head.library).")
      if verification.unsignedRecords > 0 {
        Console.output(
          "The last " + Quantity.text(verification.unsignedRecords, "record", "is", "are")
            + " covered by no signature."
        )
      }
    } else {
      Console.output("No head is signed.")
    }
    for timestamp in verification.timestamps { Console.output(timestamp.text) }
    for position in verification.expectedHeads {
      switch position {
      case .endOfRun(let file):
        Console.output("The expected head is the end of \(file); the log went on after it.")
      case .tree(let size):
        Console.output("The expected head is that of the first \(Quantity.text(size, "record")).")
      case .last: Console.output("The expected head is the end of the log.")
      }
    }
    if verification.signature == .trusted, verification.expectedHeads.isEmpty {
      Console.output(
        "Whether a newer log existed cannot be known from the library and a key: --expect-head with a "
          + "head kept elsewhere shows it."
      )
    }
  }
}
