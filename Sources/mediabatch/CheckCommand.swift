internal import ArgumentParser
internal import Glibc
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaSandbox

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say what a run would decide, up to its first open.",
    discussion: "Lists nothing, asks nothing, writes nothing. Exits as the run would."
  )

  @Argument(help: "The manifest, a JSON file.")
  var manifest: String

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text

  func run() throws {
    let loaded = try LoadedManifest.orExit(manifest, format: format)
    let decided = Decided(loaded)
    let kernel = KernelSupport.probe()
    var exitCode = MediaModel.ExitCode.success
    var problems: [RunReport.Problem] = []
    if let stop = decided.stop(kernel: kernel, enforcement: nil) {
      exitCode = stop.exitCode
      problems.append(RunReport.Problem(code: stop.code, message: stop.description))
    }
    let notes = Self.notes(loaded.manifest)
    switch format {
    case .json:
      Console.output([
        "schema": "mediabatch.check/1",
        "exitCode": JSONValue(Int(exitCode.rawValue)),
        "manifest": ["path": .string(loaded.path), "sha256": .string(loaded.sha256)],
        "problems": .array(
          problems.map { ["code": .string($0.code), "message": .string($0.message)] }
        ),
        "notes": .array(notes.map { .string($0) }),
        "sources": .array(decided.reported.map(SourceText.object)),
      ])
    case .text:
      for source in decided.reported {
        Console.output(
          "\(source.source.displayName): \(source.authorizationStatus.name), "
            + "\(source.verdict.rawValue) (\(source.reason.rawValue))"
            + (source.required ? ", required" : "")
        )
      }
      for advice in decided.advice { Console.output("\(advice.sentence)\n  \(advice.command)") }
      for note in notes { Console.output(note) }
      for problem in problems { Console.note(problem.message) }
      if exitCode == .success { Console.output("The manifest is good.") }
    }
    try exitCode.exit()
  }

  /// What a person may not expect of labels.
  private static func notes(_ manifest: Manifest) -> [String] {
    let strips = manifest.sources.keys.contains { manifest.metadataPolicy(of: $0) == .strip }
    guard strips, let template = manifest.labels.template else { return [] }
    var notes: [String] = []
    if template.publishesCreationDate {
      notes.append(
        "The label template has {creationDate}: stripped files will tell in their names when they "
          + "were taken."
      )
    }
    if template.publishesOriginalName {
      notes.append(
        "The label template has {originalName}: stripped files will keep their original names."
      )
    }
    return notes
  }
}
