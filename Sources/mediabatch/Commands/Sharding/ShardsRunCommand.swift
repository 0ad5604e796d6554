internal import ArgumentParser
internal import Foundation
internal import MediaFileSystem
internal import MediaModel
internal import MediaPipeline
internal import MediaSandbox
internal import MediaSharding

struct ShardsRunCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Import one shard of a plan.",
    discussion: """
      It is imported into a library in the plan's folder. Nobody is asked.

      EXAMPLES
        mediabatch shards run Plan --shard 3
        mediabatch shards run Plan --shard 3 --items-failed-exit 0

      A receipt is written when the shard's library is complete. A shard with a receipt is not imported again.
      """ + rules.paragraph
  )

  static let rules: [OptionRule] =
    ["--items-failed-exit takes a number from 0 to 125."] + WorkerOptions.rules

  @Argument(help: "The folder of the plan.", completion: .directory)
  var plan: PathArgument

  @Option(
    help: ArgumentHelp(
      "The number of the shard, from 1; by default that of the scheduler.",
      details: """
        It comes from SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX or PARALLEL_SEQ.
        """
    )
  )
  var shard: Int?

  @Option(
    help: .rare("The exit code if items failed, in place of 3, for schedulers.", valueName: "code")
  )
  var itemsFailedExit: Int32?

  @Option(help: .rare("The manifest, if it was moved since the plan was made."))
  var manifest: PathArgument?

  @OptionGroup var options: ImportOptions

  /// The argument of the process that imports an attempt, as `3-1`.
  @Option(help: .private)
  var shardAttempt: String?

  /// The argument of the process that imports what a merge has left: the folder of the library.
  @Option(help: .private)
  var mergedLibrary: PathArgument?

  func run() throws {
    let folder = PlanFolder(path: plan.bytes)
    if let mergedLibrary {
      return try importPart(of: folder) { loaded, options in
        let merge = try ShardMerge(folder)
        let run = try merge.prepareLeftItems(
          in: mergedLibrary.bytes,
          leftItems: ShardsMergeCommand.leftItemsPath(of: mergedLibrary.bytes),
          loaded,
          options
        )
        return (run, {})
      }
    }
    let parts = (shardAttempt ?? "").split(separator: "-").compactMap { Int($0) }
    guard parts.count == 2 else { return try supervise(folder) }
    try importPart(of: folder) { loaded, options in
      let shard = try ShardRun(folder, shard: parts[0])
      let (run, file) = try shard.prepare(attempt: parts[1], loaded, options)
      return (run, { try ShardRun.note(run.loneHalves, in: file) })
    }
  }

  /// Imports a part of the plan, in a process of its own.
  ///
  /// - Parameters:
  ///   - folder: The plan's.
  ///   - prepare: Returns the run, and what is to be done when it has ended.
  /// - Throws: The command's end.
  private func importPart(
    of folder: PlanFolder,
    _ prepare: (LoadedManifest, RunOptions) throws -> (Run, () throws -> Void)
  ) throws {
    // Nobody else would write the receipt.
    try Console.endingOnError { try WorkerConfinement.endWithParent() }
    let plan = try Console.endingOnError { try folder.plan() }
    let loaded = try options.loading.load(
      manifest ?? PathArgument(plan.manifest),
      policies: options.loading.policy.isEmpty ? plan.policies.map { PathArgument($0) } : nil,
      format: options.format
    )
    try Console.endingOnError { try plan.check(loaded) }
    let display = ProgressDisplay()
    let (run, finish) = try Console.endingOnError {
      try prepare(loaded, options.runOptions(display))
    }
    let report = run.perform()
    display.clear()
    try Console.endingOnError { try finish() }
    try options.present(report, of: run)
  }

  /// Imports the shard in a process of its own, and writes its receipt.
  private func supervise(_ folder: PlanFolder) throws {
    let (run, number) = try Console.endingOnError {
      let number = try shard ?? ShardNumber.from(ProcessInfo.processInfo.environment)
      return (try ShardRun(folder, shard: number), number)
    }
    if let receipt = try Console.endingOnError(run.receipt) {
      Console.note(
        "Shard \(number) is finished: its receipt is that of attempt \(receipt.attempt). Nothing was opened."
      )
      if options.format == .json { Console.output(ShardText.object(receipt)) }
      return try end(receipt.exitCode)
    }
    let attempt = try Console.endingOnError { try run.folder.beginAttempt(of: number) }
    let code = try ChildCommand.run(
      ChildCommand.arguments(with: ChildCommand.words("--shard-attempt", "\(number)-\(attempt)"), behind: 2)
    )
    guard let exitCode = RunExitCode(rawValue: code), [.success, .itemsFailed].contains(exitCode)
    else {
      let helps = ![.undecided, .sourceRefused, .manifestMistake, .anotherVersion, .usage].contains(
        RunExitCode(rawValue: code)
      )
      Console.note(
        "Shard \(number) is not finished, and has no receipt."
          + (helps ? " Run it again: it begins anew, and attempt \(attempt) can be removed." : "")
      )
      throw ExitCode(code)
    }
    let isFirst = try Console.endingOnError { try run.finish(attempt: attempt, exitCode: exitCode) }
    if !isFirst {
      Console.note(
        "Another attempt of shard \(number) was finished first. Its receipt counts, and attempt \(attempt) can "
          + "be removed."
      )
    }
    try end(exitCode)
  }

  private func end(_ code: RunExitCode) throws {
    guard code == .itemsFailed, let itemsFailedExit else { return try code.exit() }
    if itemsFailedExit != 0 { throw ExitCode(itemsFailedExit) }
  }
}

extension ShardingError: CommandError {}
