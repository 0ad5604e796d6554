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
    abstract: "Mend a library: damaged, lost and forgotten files.",
    discussion: """
      What the catalogue has forgotten is adopted, damaged files are moved to Quarantine, lost thumbnails are \
      made again from the library's originals, and with --from lost originals and thumbnails come back from \
      their sources, by a run of that manifest. No healthy file is moved or removed. `verify --repairable` \
      says before what this does. Exits with 65 when something is left.

      With --superseded nothing is mended: an interrupted run is finished, and superseded files are removed \
      now, as a run does when it starts. Each removed file gets a record in the log, whose new head is \
      printed; where there is nothing to do, the log stays as it is. Originals that a newer version has \
      replaced (onSourceChanged: replace) stay unless --replaced is given.

      EXAMPLES
        mediabatch repair Library
        mediabatch repair Library --from manifest.json
        mediabatch repair Library --superseded --replaced
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = [
    "--replaced goes with --superseded.",
    "--superseded does not combine with --from and --enforcement.",
  ]

  @OptionGroup var library: LibraryArgument

  @Option(help: "The manifest of the sources from which lost files come back.")
  var from: PathArgument?

  @Flag(help: "Only remove the superseded files; a run does it when it starts.")
  var superseded = false

  @Flag(help: "With --superseded: also remove the originals that newer versions have replaced.")
  var replaced = false

  @Flag(help: "Wait while a run holds the library.")
  var wait = false

  @Option(help: "kernel, or process: run with the program's own checks alone.")
  var enforcement: Enforcement?

  @OptionGroup var key: AuditKeyOptions

  @Option(help: "How to print the result: text or json.")
  var format = OutputFormat.text

  func run() throws {
    if superseded { return try removeSuperseded() }
    let sources = try from.map { file in
      try LoadedManifest.orExit(file, policies: [], key: key.used, format: format)
    }
    if sources?.manifest.thumbnails.isEmpty == false {
      Console.note("The thumbnails of each original that comes back are made again.")
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
    let steps = RepairText.lines(repair.done) + repair.left.map { "left: \($0)" }
    let ending = repair.done.isEmpty ? "There was nothing to repair." : "Repaired."
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
      lines: steps + (repair.exitCode == .success ? [ending] : [])
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

  static func lines(_ steps: [RepairPlan.Step]) -> [String] {
    steps.map { "\($0.action.rawValue): \($0.shownPath)" }
  }

  static func object(_ steps: [RepairPlan.Step]) -> JSONValue {
    .array(steps.map { ["action": .string($0.action.rawValue), "path": .string($0.shownPath)] })
  }
}
