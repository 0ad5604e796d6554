internal import ArgumentParser
internal import MediaAudit
internal import MediaModel
internal import MediaSyntax
internal import MediaVerification

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare every file of a library with its catalogue and its log.",
    discussion: """
      Changes nothing, takes no lock, and a run may go on meanwhile: what it works on is unfinished, and \
      no difference. Exits with 65 when something differs.
      """
  )

  @Argument(help: "The library's folder.")
  var library: String

  @Flag(help: "Say instead what `repair` would do, as far as the sources have what is lost.")
  var repairable = false

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text

  func run() throws {
    if repairable { return try showRepair() }
    let found = try Console.endingOnError {
      try LibraryVerification(library: [UInt8](library.utf8))
    }
    switch format {
    case .json:
      Console.output([
        "schema": "mediabatch.verify/1",
        "files": JSONValue(found.files.files), "bytes": .integer(found.files.bytes),
        "findings": .array(
          found.files.findings.map {
            [
              "kind": .string($0.kind.rawValue), "path": .string($0.path),
              "detail": .string($0.detail),
            ]
          }
        ),
        "problems": .array(found.problems.map { .string($0) }),
        "inUse": .bool(found.isInUse),
        "audit": [
          "records": JSONValue(found.audit.records), "head": .string(found.audit.head),
          "difference": JSONValue(found.audit.difference?.description),
        ],
        "ok": .bool(found.isGood),
      ])
    case .text:
      for finding in found.files.findings {
        Console.output("\(finding.kind.rawValue): \(finding.path): \(finding.detail)")
      }
      for problem in found.problems { Console.output(problem) }
      if let difference = found.audit.difference { Console.output("audit: \(difference)") }
      Console.output(
        "\(found.files.files) files, \(found.files.bytes) bytes, \(found.audit.records) audit records: "
          + (found.isGood ? "all as they were written." : "not all as they were written.")
      )
    }
    if !found.differences.isEmpty {
      Console.note(
        "`mediabatch repair` mends what the log and the sources can tell; `mediabatch verify "
          + "--repairable` says what. Restore the rest from a copy."
      )
    }
    if !found.isGood { try RunExitCode.differencesFound.exit() }
  }

  private func showRepair() throws {
    let plan = try Console.endingOnError {
      try RepairPlan(library: [UInt8](library.utf8))
    }
    switch format {
    case .json:
      Console.output([
        "schema": "mediabatch.repairable/1",
        "steps": RepairText.object(plan.steps),
        "left": .array(plan.left.map { .string($0) }),
      ])
    case .text:
      for line in RepairText.lines(plan.steps) { Console.output(line) }
      for line in plan.left { Console.output("left: \(line)") }
      if plan.steps.isEmpty, plan.left.isEmpty { Console.output("There is nothing to repair.") }
    }
    if !plan.steps.isEmpty || !plan.left.isEmpty { try RunExitCode.differencesFound.exit() }
  }
}
