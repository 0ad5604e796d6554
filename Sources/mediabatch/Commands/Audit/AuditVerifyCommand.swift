internal import ArgumentParser
internal import MediaAudit
internal import MediaModel
internal import MediaSyntax
internal import MediaVerification

struct AuditVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check that no record of the log was changed.",
    discussion: """
      It names the first record that was changed, removed, added or moved, and exits with 65 then.

      EXAMPLES
        mediabatch audit verify Library
        mediabatch audit verify Library --expect-head fc6478d4…

      --expect-head and --trust also show that the log was not replaced as a whole, or cut at its end.

      EXAMPLES
        mediabatch audit verify Library --tsa-ca authority.pem
      """
  )

  @OptionGroup var library: LibraryArgument

  @OptionGroup var kept: WitnessOptions

  @OptionGroup var authorities: AuthorityOptions

  @Option(name: .customLong("library"), help: .rare("The identifier that the library must have."))
  var identifier: String?

  @Option(help: "How to print the result.")
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
        + Quantity.text(verification.files, "file") + ": all as they were written.",
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
