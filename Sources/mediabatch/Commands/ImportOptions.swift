internal import ArgumentParser
internal import Glibc
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaReports
internal import MediaSandbox
internal import MediaWatch

/// The option of whatever starts workers.
struct WorkerOptions: RuledArguments {
  static let rules: [OptionRule] = ["--workers takes a number from 1 to 256."]

  @Option(
    name: .customLong("workers"),
    help: .rare("The number of worker processes; by default one for each processor.")
  )
  var count: Int?
}

/// The options by which a manifest is loaded, and the log's head of its run signed.
struct LoadingOptions: ParsableArguments {
  @Option(help: .rare("Also apply this policy file of an organization; may be repeated."))
  var policy: [PathArgument] = []

  @OptionGroup var key: AuditKeyOptions

  /// Loads a manifest, or ends the command with its mistakes.
  ///
  /// - Parameters:
  ///   - manifest: The manifest.
  ///   - policies: The policies of a plan; nil for those that were named.
  ///   - format: How mistakes are printed.
  /// - Returns: The manifest with its policies.
  /// - Throws: `ExitCode` 78.
  func load(
    _ manifest: PathArgument,
    policies: [PathArgument]? = nil,
    format: OutputFormat
  ) throws -> LoadedManifest {
    try LoadedManifest.orExit(manifest, policies: policies ?? policy, key: key.used, format: format)
  }

  /// The options of a run, as far as they are here.
  func runOptions(_ display: ProgressDisplay, _ enforcement: Enforcement?) throws -> RunOptions {
    var options = RunOptions {
      display.show($0)
    } onNotice: {
      display.note($0)
    }
    options.enforcement = enforcement
    let signing = try key.signing()
    options.signer = signing.signer
    options.signerProblem = signing.problem
    return options
  }
}

/// The options of whatever imports: a run, and a shard of a plan.
struct ImportOptions: ParsableArguments {
  @Option(help: "How to print the result.")
  var format = OutputFormat.text

  @Option(help: Enforcement.help)
  var enforcement: Enforcement?

  @OptionGroup var workers: WorkerOptions

  @Flag(help: .rare("End with 3 also for files whose content is of no known format."))
  var failOnUnsupported = false

  @Flag(name: .long, help: "Also print the log's head and root, and what confined the run.")
  var verbose = false

  @OptionGroup var loading: LoadingOptions

  /// The options of a run, as far as they are here.
  func runOptions(_ display: ProgressDisplay) throws -> RunOptions {
    var options = try loading.runOptions(display, enforcement)
    options.workers = workers.count
    options.failsOnUnsupported = failOnUnsupported
    return options
  }

  /// Prints the summary, and ends with the run's code.
  func present(
    _ report: RunReport,
    of run: Run,
    _ output: EventOutput? = nil,
    _ channel: RoundChannel? = nil
  ) throws {
    var report = report
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
      let advice = run.advice.filter { !report.repeatsEarlierRun || !$0.isSettled }.map(\.text)
      Console.write(
        SummaryTable.text(
          report,
          advice: advice,
          width: Console.width,
          color: output != nil ? Console.isErrorRewritable : Console.isOutputColored,
          isVerbose: verbose
        ),
        // Standard output has the events.
        to: output != nil ? STDERR_FILENO : STDOUT_FILENO
      )
    }
    for problem in report.problems where format == .json { Console.note(problem.message) }
    try report.exitCode.exit()
  }
}

extension Enforcement: ExpressibleByArgument {
  /// The help of an option that takes one.
  static var help: ArgumentHelp {
    .rare(
      "What to do where the kernel cannot confine processes.",
      details: "kernel stops there; process goes on with the program's own checks alone."
    )
  }
}
