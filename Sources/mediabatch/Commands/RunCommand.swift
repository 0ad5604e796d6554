internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import MediaConsent
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaReports
internal import MediaSandbox
internal import MediaWatch

struct RunCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Import what the manifest allows.",
    discussion: """
      It asks a person about each source that nobody has decided about. Repeated, it imports only what is new.

      EXAMPLES
        mediabatch run manifest.json
        mediabatch run manifest.json --web
        mediabatch run manifest.json --dry-run

      It opens no file of a source that is denied or not decided. An interrupted run is finished by the next one.

      EXAMPLES
        mediabatch run manifest.json --no-input --format json
        mediabatch run manifest.json --events >events.ndjson
      """ + rules.paragraph
  )

  static let rules: [OptionRule] =
    [
      "--dry-run does not combine with --events and --web.",
      "--web does not combine with --no-input.",
      "--settle takes a number from 0 to 86400.",
    ] + PageOptions.rules + WorkerOptions.rules

  @Argument(help: "The manifest, a JSON file.", completion: .file(extensions: ["json"]))
  var manifest: PathArgument

  @Flag(help: "Print what a run would do; open no media and write nothing.")
  var dryRun = false

  @Flag(
    help: .rare(
      "Print a line of JSON for each item as soon as it is published.",
      details: "The text summary then goes to standard error."
    )
  )
  var events = false

  @Flag(help: .rare("Wait while a run holds the library."))
  var wait = false

  @Option(
    help: .rare("Leave out files that changed in the last so many seconds, as they may still be written.")
  )
  var settle: Double?

  @Flag(help: "Ask nobody; end with 75 if a source is not decided.")
  var noInput = false

  @OptionGroup var page: PageOptions

  @Flag(help: "Write anew what was written under a less strict metadata policy.")
  var reprocess = false

  @Flag(
    help: .rare(
      "Take each source for the one that the library knows by this name.",
      details: "Albums of which the source has no file are then ended."
    )
  )
  var moved = false

  @Flag(help: "Read files again that failed in an earlier run.")
  var retryFailed = false

  @Flag(help: .rare("End with 3 also for failures that an earlier run has reported."))
  var failOnEarlier = false

  /// The argument of the process that imports for one which asks for labels behind it.
  static let importAlone = "--import-alone"

  @Flag(help: .private)
  var importAlone = false

  /// The argument of a process that a watch has started, and that reports to it.
  static let watchedName = "--watched"

  @Flag(help: .private)
  var watched = false

  @OptionGroup var common: ImportOptions

  func run() throws {
    let channel = watched ? try RoundChannel() : nil
    var loaded = try common.loading.load(manifest, format: common.format)
    try page.check(loaded)
    if dryRun { return try plan(loaded, channel) }
    if loaded.manifest.labels.ask, !importAlone, !watched, try asksForLabels(loaded) { return }
    // A watch says it itself.
    if !watched { InterruptionNotice.begin(RunError.stoppedOnRequest + "\n") }
    let display = ProgressDisplay()
    var options = try runOptions(display)
    if !noInput { options.openAsker = page.asker() }
    let output = events ? EventOutput(display) : nil
    options.onPublished = output?.write
    while true {
      options.isOutdated = { [loaded] in loaded.isOutdated(by: common.loading) }
      let run = Run(loaded, options: options)
      let report = run.perform()
      display.clear()
      guard run.mustBeginAnew else {
        return try common.present(report, of: run, output, channel)
      }
      Console.note(
        "The manifest, or a file that it names, was changed while a person was asked. It is read again."
      )
      loaded = try common.loading.load(manifest, format: common.format)
      try page.check(loaded)
      options.beginsAnew = true
    }
  }

  private func runOptions(_ display: ProgressDisplay) throws -> RunOptions {
    var options = try common.runOptions(display)
    options.waits = wait
    options.settle = settle.map { Int64($0 * 1e9) }
    options.reprocesses = reprocess
    options.acceptsMoved = moved
    options.retriesFailed = retryFailed
    options.failsOnEarlier = failOnEarlier
    return options
  }

  /// Imports in a process of its own, and then asks for labels.
  ///
  /// - Returns: False where nobody can be asked; then this process imports.
  private func asksForLabels(_ loaded: LoadedManifest) throws -> Bool {
    let environment = ProcessInfo.processInfo.environment
    guard !noInput, let terminal = try? Terminal(environment: environment) else {
      Console.note(
        "Nobody is at a terminal, so labels.ask asks for no labels. `mediabatch label` changes one later."
      )
      return false
    }
    let asking = LabelAsking(library: loaded.output)
    let code = try asking.importMedia()
    // Nobody is asked about assets that a stopped run has published.
    guard code == RunExitCode.success.rawValue || code == RunExitCode.itemsFailed.rawValue else {
      throw ExitCode(code)
    }
    let exitCode = try asking.ask(
      on: terminal,
      waits: wait,
      enforcement: common.enforcement ?? loaded.manifest.enforcement,
      key: common.loading.key
    )
    if code != RunExitCode.success.rawValue { throw ExitCode(code) }
    try exitCode.exit()
    return true
  }

  private func plan(_ loaded: LoadedManifest, _ channel: RoundChannel?) throws {
    var options = RunOptions()
    options.enforcement = common.enforcement
    options.reprocesses = reprocess
    options.acceptsMoved = moved
    options.retriesFailed = retryFailed
    options.failsOnEarlier = failOnEarlier
    options.failsOnUnsupported = common.failOnUnsupported
    options.settle = settle.map { Int64($0 * 1e9) }
    // The dry run confines this process.
    let notes = channel == nil ? CheckCommand.revisionNotes(loaded, AccessState(loaded)) : []
    let plan = Run(loaded, options: options).dryRun()
    if let channel {
      channel.send(RoundReport(plan))
      return try plan.exitCode.exit()
    }
    Console.note(plan.problems)
    switch common.format {
    case .json: try PlanText.writeObject(plan, notes, to: Console.sink())
    case .text: try PlanText.write(plan, notes, to: Console.sink())
    }
    try plan.exitCode.exit()
  }
}
