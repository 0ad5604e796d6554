internal import ArgumentParser
internal import MediaAudit
internal import MediaModel
internal import MediaSyntax
internal import MediaVerification

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

  @OptionGroup var library: LibraryArgument

  @OptionGroup var kept: WitnessOptions

  @OptionGroup var authorities: AuthorityOptions

  @Option(name: .customLong("library"), help: "The identifier that the library has to have.")
  var identifier: String?

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text

  func run() throws {
    var witnesses = try kept.witnesses()
    witnesses.library = identifier
    witnesses.timestampAuthorities = try authorities.certificates()
    try LibraryLog.forCommand(library.bytes) { log in
      let verification = try log.verify(witnesses).verification
      format.print(object(verification), lines(verification))
      if verification.difference != nil { try RunExitCode.differencesFound.exit() }
    }
  }

  private func object(_ verification: AuditVerification) -> JSONValue {
    let positions = verification.expectedHeads.map(\.text)
    return [
      "schema": "mediabatch.auditVerify/1",
      "files": JSONValue(verification.files), "records": JSONValue(verification.records),
      "head": .string(verification.head), "size": JSONValue(verification.tree.size),
      "root": .string(verification.tree.root), "tornBytes": JSONValue(verification.tornBytes),
      "signature": .string(verification.signatureText),
      "signer": JSONValue(verification.signer?.identifier),
      "unsignedRecords": JSONValue(verification.unsignedRecords),
      "signed": JSONValue(verification.signedHead?.note.serialized),
      "difference": JSONValue(verification.difference?.description),
      "kind": JSONValue(verification.difference?.kind.rawValue),
      "library": JSONValue(verification.signedHead?.library),
      "signedTime": JSONValue(verification.signedHead?.time),
      "expectedHead": JSONValue(positions.first),
      "expectedHeads": positions.json,
      "otherNames": verification.otherNames.json,
      "timestamps": .array(verification.timestamps.map { .object($0.members) }),
      "ok": .bool(verification.difference == nil),
    ]
  }

  private func lines(_ verification: AuditVerification) -> [String] {
    var lines = verification.otherNameLines
    if let difference = verification.difference { return lines + ["\(difference)"] }
    lines += [
      Quantity.text(verification.records, "record") + " in "
        + Quantity.text(verification.files, "file") + ": chain and tree are whole.",
      "head \(verification.head)", "root \(verification.tree.size):\(verification.tree.root)",
    ]
    if verification.tornBytes > 0 {
      lines.append(
        Quantity.text(verification.tornBytes, "byte")
          + " of a torn last line, as a power cut leaves them."
      )
    }
    return lines + verification.signatureLines + verification.timestamps.map(\.text)
      + verification.expectedHeadLines
  }
}
