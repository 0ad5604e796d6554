internal import ArgumentParser
internal import MediaAudit
internal import MediaModel
internal import MediaReports
internal import MediaSyntax
internal import MediaVerification

struct VerifyCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare every file with the catalogue and the log.",
    discussion: """
      It changes nothing, and exits with 65 when something differs.

      EXAMPLES
        mediabatch verify Library
        mediabatch verify Library --repairable
        mediabatch verify Library --expect-head 4711:fc6478d4…

      It takes no lock: an import can go on meanwhile, and what that works on counts as unfinished, not as a \
      difference.
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = ["--repairable does not combine with --trust and --expect-head."]

  @OptionGroup var library: LibraryArgument

  @Flag(help: "Say what `repair` would do.")
  var repairable = false

  @OptionGroup var kept: WitnessOptions

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  func run() throws {
    if repairable { return try showRepair() }
    let schema: JSONValue = "mediabatch.verify/1"
    let witnesses = try kept.witnesses()
    let verification = try Console.endingOnError(telling: format == .json ? schema : nil) {
      try LibraryVerification(library: library.bytes, witnesses: witnesses)
    }
    switch format {
    case .json: try Console.endingOnError { try showJSON(verification) }
    case .text:
      try Console.endingOnError { try showText(verification) }
      let unread = verification.files.unreadCount
      let amount =
        "\(Quantity.text(verification.files.files, "file")), "
        + "\(Quantity.text(Int(clamping: verification.files.bytes), "byte")), "
        + Quantity.text(verification.audit.records, "audit record")
      let verdict =
        verification.isGood ? "all as they were written" : "not all as they were written"
      let ending = unread > 0 ? "; \(Quantity.grouped(unread)) more could not be read." : "."
      Console.output("\(amount): \(verdict)\(ending)")
    }
    if verification.files.differenceCount > 0 || !verification.isCatalogueWhole {
      let path = ShellWord.quoted(library.text)
      Console.note(
        "`mediabatch verify \(path) --repairable` says what can be repaired. Lost files come back from their source: "
          + "`mediabatch repair \(path) --from MANIFEST`; what it cannot mend, from a backup."
      )
    }
    if !verification.isGood { try RunExitCode.differencesFound.exit() }
  }

  /// Prints the cause before what follows from it: a line of a damaged log hides the records of all files behind it.
  private func showText(_ verification: LibraryVerification) throws {
    let (audit, problems) = (verification.audit, verification.problems)
    if let difference = audit.difference { Console.output("audit: \(difference)") }
    let sink = Console.sink()
    try verification.files.findings.forEach { finding in
      sink.text("\(finding.kind.rawValue): \(finding.path): \(finding.detail)\n")
    }
    var left =
      audit.difference == nil
      ? problems.count : problems.count - max(0, verification.unrecordedCount - 1)
    let more = problems.count - left
    try problems.forEach { problem in
      if left > 0 { sink.text(problem + "\n") }
      left -= 1
    }
    if more > 0 {
      sink.text(
        "The log has no record of \(Quantity.text(more, "more file")) either; --format json names "
          + "\(more == 1 ? "it" : "them").\n"
      )
    }
    try sink.finish()
    Console.output(audit.otherNameLines)
    if audit.difference != nil || kept.isEmpty { return }
    Console.output(audit.signatureLines + audit.expectedHeadLines)
  }

  /// Prints the result piece by piece: there may be a finding for each file.
  private func showJSON(_ verification: LibraryVerification) throws {
    let sink = Console.sink()
    var result = JSONPieces.object(sink)
    result.add(
      "audit",
      [
        "records": JSONValue(verification.audit.records), "head": .string(verification.audit.head),
        "difference": JSONValue(verification.audit.difference?.description),
        "expectedHeads": .array(verification.audit.expectedHeads.map { .string($0.text) }),
        "otherNames": verification.audit.otherNames.json,
        "signature": .string(verification.audit.signatureText),
      ]
    )
    result.add("bytes", .integer(verification.files.bytes))
    result.add("files", JSONValue(verification.files.files))
    result.begin("findings")
    var findings = JSONPieces.array(sink)
    try verification.files.findings.forEach { finding in
      findings.add([
        "kind": .string(finding.kind.rawValue), "path": .string(finding.path),
        "detail": .string(finding.detail),
      ])
    }
    findings.close()
    result.add("inUse", .bool(verification.isInUse))
    result.add("ok", .bool(verification.isGood))
    result.begin("problems")
    var problems = JSONPieces.array(sink)
    try verification.problems.forEach { problems.add(.string($0)) }
    problems.close()
    result.add("schema", "mediabatch.verify/1")
    result.close()
    sink.text("\n")
    try sink.finish()
  }

  private func showRepair() throws {
    let schema: JSONValue = "mediabatch.repairable/1"
    let plan = try Console.endingOnError(telling: format == .json ? schema : nil) {
      try RepairPlan(library: library.bytes)
    }
    let lines = RepairText.announcements(plan.steps) + plan.left.map { "left: \($0)" }
    format.print(
      ["schema": schema, "steps": RepairText.object(plan.steps), "left": plan.left.json],
      lines.isEmpty ? ["There is nothing to repair."] : lines
    )
    // What is unfinished is no difference.
    if plan.steps.contains(where: { $0.action != .finished }) || !plan.left.isEmpty {
      try RunExitCode.differencesFound.exit()
    }
  }
}
