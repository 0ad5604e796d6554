internal import ArgumentParser
internal import MediaMaintenance
internal import MediaManifest
internal import MediaModel
internal import MediaPipeline
internal import MediaReports
internal import MediaSyntax
internal import MediaVerification

struct RepairCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Repair damaged, lost and forgotten files.",
    discussion: """
      No intact file is moved or removed. `mediabatch verify --repairable` says before what it will do.

      EXAMPLES
        mediabatch repair Library
        mediabatch repair Library --from manifest.json

      Files that the catalogue has forgotten are taken into it again, damaged files are moved to Quarantine, and lost \
      thumbnails are made again from the originals. With --from, lost originals come back from their sources, by a run \
      of that manifest. The command exits with 65 when something is left to repair.

      With --superseded nothing is repaired. An interrupted run is finished, and files that newer versions have \
      replaced are removed at once; otherwise the next run does that. Each removed file gets a record in the log. \
      Originals that were replaced (onSourceChanged: replace) stay unless --replaced is given.

      EXAMPLES
        mediabatch repair Library --superseded --replaced
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = [
    "--replaced goes with --superseded.",
    "--superseded does not combine with --from and --enforcement.",
  ]

  @OptionGroup var library: LibraryArgument

  @Option(help: "The manifest whose sources still have the lost files.")
  var from: PathArgument?

  @Flag(help: .rare("Only remove files that newer versions have replaced."))
  var superseded = false

  @Flag(help: .rare("With --superseded: also remove replaced originals."))
  var replaced = false

  @Flag(help: .rare("Wait while a run holds the library."))
  var wait = false

  @Option(help: Enforcement.help)
  var enforcement: Enforcement?

  @OptionGroup var key: AuditKeyOptions

  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  func run() throws {
    if superseded { return try removeSuperseded() }
    let sources = try from.map { file in
      try LoadedManifest.orExit(file, policies: [], key: key.used, format: format)
    }
    var options = RunOptions()
    options.waits = wait
    options.enforcement = enforcement
    options.signer = try key.signer()
    let repair = Repair(
      library: library.bytes,
      sources: sources,
      options: options,
      enforcement: enforcement ?? .kernel
    )
    if sources?.manifest.thumbnails.isEmpty == false, (repair.run?.restored ?? 0) > 0 {
      Console.note("The thumbnails of each original that came back were made again.")
    }
    let ending: [String] =
      switch repair.exitCode {
      case .success: [repair.done.isEmpty ? "There was nothing to repair." : "Repaired."]
      case .differencesFound:
        ["Not everything is repaired: \(Quantity.text(repair.left.count, "problem", "is", "are")) left."]
      default: []
      }
    try repair.end(
      library,
      format,
      object: [
        "schema": "mediabatch.repair/1",
        "done": RepairText.object(repair.done),
        "left": repair.left.json,
        "rebuild": repair.rebuild.map(RebuildText.object) ?? .null,
        "run": repair.run.map { SummaryJSON.object($0) } ?? .null,
      ],
      lines: RepairText.lines(repair) + ending
    )
  }
}

/// The steps of a repair, in the same words before and after, but for the condition of what may come back.
enum RepairText {
  /// Lines about steps that are not made yet; no source has been looked at.
  static func announcements(_ steps: [RepairPlan.Step]) -> [String] {
    zip(steps, lines(steps)).map { step, line in
      guard step.action == .restored else { return line }
      return "restored with --from MANIFEST, if its source still has it: \(step.shownPath)"
    }
  }

  /// The steps that were made, and what is left; a file that was moved aside, and so is lost, has one line.
  static func lines(_ repair: Repair) -> [String] {
    let moved = Set(repair.done.filter { $0.action == .quarantined }.map(\.shownPath))
    var reasons: [String: String] = [:]
    var left: [String] = []
    for sentence in repair.left {
      let path = sentence.firstRange(of: ": ").map { String(sentence[..<$0.lowerBound]) }
      if let path, moved.contains(path) {
        reasons[path] = String(sentence.dropFirst(path.count))
      } else {
        left.append("left: \(sentence)")
      }
    }
    let steps = zip(repair.done, lines(repair.done)).map { step, line in
      step.action == .quarantined ? line + (reasons[step.shownPath] ?? "") : line
    }
    return steps + left
  }

  static func lines(_ steps: [RepairPlan.Step]) -> [String] {
    steps.map { "\($0.action.rawValue): \($0.shownPath)" }
  }

  static func object(_ steps: [RepairPlan.Step]) -> JSONValue {
    .array(steps.map { ["action": .string($0.action.rawValue), "path": .string($0.shownPath)] })
  }
}
