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
      EXAMPLES
        mediabatch run manifest.json
        mediabatch run manifest.json --dry-run
        mediabatch run manifest.json --no-input --format json
        mediabatch run manifest.json --events >events.ndjson
        mediabatch run manifest.json --web
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

  @Flag(help: "Print the plan; take no lock, open no media, write nothing.")
  var dryRun = false

  @Flag(
    help: """
      Print one JSON object a line for each item as soon as it is published; the text summary then goes \
      to standard error.
      """
  )
  var events = false

  @Flag(help: "Wait while another run holds the library.")
  var wait = false

  @Option(
    help: "Leave out files that changed less than so many seconds ago: they may still be written."
  )
  var settle: Double?

  @Flag(help: "Never ask; what is not decided ends the run with 75.")
  var noInput = false

  @OptionGroup var page: PageOptions

  @Flag(help: "Write anew what was written under a looser metadata policy.")
  var reprocess = false

  @Flag(
    help: "Each source is the one of its name that the library knows: albums of which it has no file end."
  )
  var moved = false

  @Flag(help: "Read files again whose failure an earlier run has reported.")
  var retryFailed = false

  @Flag(help: "End with 3 also for failures that an earlier run has reported.")
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
        "The manifest was changed while a person was asked, or a file that it names: it is read again."
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
        "labels.ask: nobody is at a terminal, so no label is asked for. `mediabatch label` changes one later."
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
    case .json: Console.output(PlanText.object(plan, notes))
    case .text: Console.write(PlanText.text(plan, notes))
    }
    try plan.exitCode.exit()
  }
}
