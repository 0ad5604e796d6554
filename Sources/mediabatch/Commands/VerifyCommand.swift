internal import ArgumentParser
internal import MediaAudit
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare every file of a library with its catalogue and its log.",
    discussion: "Changes nothing. Exits with 65 when something differs."
  )

  @Argument(help: "The library's folder.")
  var library: String

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text

  func run() throws {
    let path = [UInt8](library.utf8)
    let catalogue: CatalogueReader
    let files: LibraryVerifier
    var problems: [String]
    let audit: AuditVerification
    do {
      catalogue = try CatalogueReader(library: path)
      let root = try FileSystem.openFolder(path)
      problems = try catalogue.integrityProblems().map { "library.sqlite: \($0)" }
      files = try LibraryVerifier(root: root, catalogue: catalogue)
      audit = try LibraryLog(root: root, catalogue: catalogue).verify()
      problems += try LibraryLog(root: root, catalogue: catalogue).unrecordedFiles()
    } catch let error as LibraryError {
      Console.note(error.description)
      return try error.exitCode.exit()
    } catch {
      Console.note("\(error)")
      return try ExitCode.differencesFound.exit()
    }
    let differences = files.findings.filter(\.isDifference)
    let isGood = differences.isEmpty && audit.difference == nil && problems.isEmpty
    switch format {
    case .json:
      Console.output([
        "schema": "mediabatch.verify/1",
        "files": JSONValue(files.files), "bytes": .integer(files.bytes),
        "findings": .array(
          files.findings.map {
            [
              "kind": .string($0.kind.rawValue), "path": .string($0.path),
              "detail": .string($0.detail),
            ]
          }
        ),
        "problems": .array(problems.map { .string($0) }),
        "audit": [
          "records": JSONValue(audit.records), "head": .string(audit.head),
          "difference": JSONValue(audit.difference?.description),
        ],
        "ok": .bool(isGood),
      ])
    case .text:
      for finding in files.findings {
        Console.output("\(finding.kind.rawValue): \(finding.path): \(finding.detail)")
      }
      for problem in problems { Console.output(problem) }
      if let difference = audit.difference { Console.output("audit: \(difference)") }
      Console.output(
        "\(files.files) files, \(files.bytes) bytes, \(audit.records) audit records: "
          + (isGood ? "all as they were written." : "not all as they were written.")
      )
    }
    if !differences.isEmpty {
      Console.note(
        "Restore what is missing or changed from a copy; a run does not write published files again. "
          + "What is unknown was put there by somebody else."
      )
    }
    if !isGood { try ExitCode.differencesFound.exit() }
  }
}
