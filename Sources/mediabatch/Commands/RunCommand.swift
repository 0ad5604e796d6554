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
internal import MediaSharding
internal import MediaWatch

struct RunCommand: ParsableCommand {
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
        mediabatch run --plan Plan --shard 3
      """
  )

  @Argument(
    help: "The manifest, a JSON file; with --plan by default that of the plan.",
    completion: .file(extensions: ["json"])
  )
  var manifest: PathArgument?

  @OptionGroup var shard: ShardOptions

  @Flag(help: "Print the plan; take no lock, open no media, write nothing.")
  var dryRun = false

  @Option(help: "How to print the summary: text or json.")
  var format = OutputFormat.text

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

  @Option(help: "kernel, or process: run with the program's own checks alone.")
  var enforcement: Enforcement?

  @Option(help: "Worker processes; by default one a processor.")
  var workers: Int?

  @Flag(help: "Write anew what was written under a looser metadata policy.")
  var reprocess = false

  @Flag(help: "Read files again whose failure an earlier run has reported.")
  var retryFailed = false

  @Flag(help: "End with 3 also for failures that an earlier run has reported.")
  var failOnEarlier = false

  @Flag(name: .long, help: "Also print the log's head and root, and what guarded the run.")
  var verbose = false

  @Option(help: "An organization's policy file to apply beside the system's own; may be repeated.")
  var policy: [PathArgument] = []

  /// The argument of the process that imports for one which asks for labels behind it.
  static let importAlone = "--import-alone"

  @Flag(help: .private)
  var importAlone = false

  /// The argument of a process that a watch has started, and that reports to it.
  static let watchedName = "--watched"

  @Flag(help: .private)
  var watched = false

  @OptionGroup var key: AuditKeyOptions

  func validate() throws {
    if events, dryRun {
      throw ValidationError("--events tells of what is published; --dry-run publishes nothing.")
    }
    try shard.validate(hasManifest: manifest != nil)
    if shard.plan != nil, dryRun || events {
      throw ValidationError("--plan does not combine with --dry-run or --events.")
    }
    try page.validate(noInput: noInput || dryRun)
    if let settle, !(0...86_400).contains(settle) {
      throw ValidationError("--settle takes a number of seconds up to 86400.")
    }
    if let workers, !(1...256).contains(workers) {
      throw ValidationError("--workers takes a number from 1 to 256.")
    }
  }

  func run() throws {
    if let part = shard.childPart { return try importShard(part) }
    if shard.plan != nil { return try shard.supervise(format) }
    let channel = watched ? try RoundChannel() : nil
    var loaded = try load(manifest ?? PathArgument([]))
    try page.check(loaded)
    if dryRun { return try plan(loaded, channel) }
    if loaded.manifest.labels.ask, !importAlone, !watched, try asksForLabels(loaded) { return }
    // A watch says it itself.
    if !watched { InterruptionNotice.begin(RunError.stoppedOnRequest + "\n") }
    let display = ProgressDisplay()
    var options = try runOptions(display)
    let environment = ProcessInfo.processInfo.environment
    if !noInput { options.openAsker = page.asker(environment) }
    let output = events ? EventOutput(display) : nil
    options.onPublished = output?.write
    while true {
      options.isOutdated = { [loaded] in loaded.isOutdated(policies: policy, key: key.key) }
      let run = Run(loaded, options: options)
      let report = run.perform()
      display.clear()
      guard run.mustBeginAnew else {
        return try present(report, of: run, loaded, output, channel)
      }
      Console.note(
        "The manifest was changed while a person was asked, or a file that it names: it is read again."
      )
      loaded = try load(manifest ?? PathArgument([]))
      try page.check(loaded)
      options.beginsAnew = true
    }
  }

  private func load(
    _ manifest: PathArgument,
    policies: [PathArgument]? = nil
  ) throws -> LoadedManifest {
    try LoadedManifest.orExit(
      manifest,
      policies: policies ?? policy,
      key: key.unsigned ? nil : key.key,
      format: format
    )
  }

  private func runOptions(_ display: ProgressDisplay) throws -> RunOptions {
    var options = RunOptions {
      display.show($0)
    } onNotice: {
      display.note($0)
    }
    options.waits = wait
    options.enforcement = enforcement
    options.workers = workers
    options.settle = settle.map { Int64($0 * 1e9) }
    options.reprocesses = reprocess
    options.retriesFailed = retryFailed
    options.failsOnEarlier = failOnEarlier
    let signing = try key.signing()
    options.signer = signing.signer
    options.signerProblem = signing.problem
    return options
  }

  /// Imports a part of a plan, in a process of its own.
  private func importShard(_ part: ShardOptions.Part) throws {
    // No other process writes the receipt.
    try Console.endingOnError { try WorkerConfinement.endWithParent() }
    let plan = try Console.endingOnError { try part.folder.plan() }
    let loaded = try load(
      manifest ?? PathArgument(plan.manifest),
      policies: policy.isEmpty ? plan.policies.map { PathArgument($0) } : policy
    )
    try Console.endingOnError { try plan.check(loaded) }
    let display = ProgressDisplay()
    let (run, finish) = try Console.endingOnError {
      try part.prepare(loaded, runOptions(display))
    }
    let report = run.perform()
    display.clear()
    try Console.endingOnError { try finish(run) }
    try present(report, of: run, loaded, nil, nil)
  }

  /// Gives a failure, whose message is a worker's or a library's words, the message for a person.
  private static func advised(
    _ failure: RunReport.Failure,
    acceptsDamaged: Bool
  ) -> RunReport.Failure {
    var failure = failure
    failure.detail = failure.message
    failure.acceptsDamaged = acceptsDamaged
    failure.message = FailureAdvice.message(
      reason: failure.reason,
      path: failure.path,
      source: failure.source,
      format: failure.format,
      detail: failure.detail,
      acceptsDamaged: acceptsDamaged
    )
    return failure
  }

  /// Prints the summary, and ends with the run's code.
  private func present(
    _ report: RunReport,
    of run: Run,
    _ loaded: LoadedManifest,
    _ output: EventOutput?,
    _ channel: RoundChannel?
  ) throws {
    var report = report
    for list in [\RunReport.Totals.failures, \.thumbnailMissing] {
      report.totals[keyPath: list] = report.totals[keyPath: list].map {
        Self.advised($0, acceptsDamaged: loaded.manifest.acceptsDamaged)
      }
    }
    if let channel {
      channel.send(RoundReport(report))
      return try report.exitCode.exit()
    }
    switch format {
    case .json:
      let summary = SummaryJSON.object(report)
      guard let output else {
        Console.output(summary)
        break
      }
      let wasStopped = [.interrupted, .terminated].contains(report.exitCode)
      if let reason = output.end(summary, wasStopped: wasStopped) {
        Console.note("The summary cannot be written to standard output: \(reason).")
        if report.exitCode == .success { report.exitCode = .cannotWrite }
      }
    case .text:
      let advice = run.advice.filter { !report.repeatsEarlierRun || !$0.isSettled }
        .map { "\($0.sentence)\n  \($0.command)" }
      Console.write(
        SummaryTable.text(
          report,
          advice: advice,
          width: Console.width,
          color: events ? Console.isErrorRewritable : Console.isOutputColored,
          isVerbose: verbose
        ),
        // Standard output has the events.
        to: events ? STDERR_FILENO : STDOUT_FILENO
      )
    }
    for problem in report.problems where format == .json { Console.note(problem.message) }
    try report.exitCode.exit()
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
      enforcement: enforcement ?? loaded.manifest.enforcement,
      key: key
    )
    if code != RunExitCode.success.rawValue { throw ExitCode(code) }
    try exitCode.exit()
    return true
  }

  private func plan(_ loaded: LoadedManifest, _ channel: RoundChannel?) throws {
    var options = RunOptions()
    options.enforcement = enforcement
    options.reprocesses = reprocess
    options.retriesFailed = retryFailed
    options.failsOnEarlier = failOnEarlier
    options.settle = settle.map { Int64($0 * 1e9) }
    // The dry run confines this process.
    let notes = channel == nil ? CheckCommand.revisionNotes(loaded, AccessState(loaded)) : []
    let plan = Run(loaded, options: options).dryRun()
    if let channel {
      channel.send(RoundReport(plan))
      return try plan.exitCode.exit()
    }
    for problem in plan.problems { Console.note(problem.message) }
    switch format {
    case .json: Console.output(PlanText.object(plan, notes))
    case .text: Console.write(PlanText.text(plan, notes), to: STDOUT_FILENO)
    }
    try plan.exitCode.exit()
  }
}

extension Enforcement: ExpressibleByArgument {}
