internal import ArgumentParser
internal import Foundation
internal import MediaFileSystem
internal import MediaModel
internal import MediaPipeline
internal import MediaSharding

/// The options of a run that imports one part of a plan.
struct ShardOptions: ParsableArguments {
  @Option(
    help: "Import one shard of the plan in this folder, into a library of its own.",
    completion: .directory
  )
  var plan: PathArgument?

  @Option(
    help: """
      The number of the shard, from 1. By default it comes from SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, \
      AWS_BATCH_JOB_ARRAY_INDEX or PARALLEL_SEQ.
      """
  )
  var shard: Int?

  @Option(
    help: ArgumentHelp(
      "The exit code in the place of 3, for schedulers that take each other code than 0 for a failure.",
      valueName: "code"
    )
  )
  var itemsFailedExit: Int32?

  /// The argument of the process that imports an attempt, as `3-1`.
  @Option(help: .private)
  var shardAttempt: String?

  /// The argument of the process that imports what a merge has left: the folder of the library.
  @Option(help: .private)
  var mergedLibrary: PathArgument?

  func validate(hasManifest: Bool) throws {
    guard plan != nil else {
      if shard != nil { throw ValidationError("--shard goes with --plan.") }
      if itemsFailedExit != nil { throw ValidationError("--items-failed-exit goes with --plan.") }
      if !hasManifest { throw ValidationError("Name a manifest, or a plan with --plan.") }
      return
    }
    if let itemsFailedExit, !(0...125).contains(itemsFailedExit) {
      throw ValidationError("--items-failed-exit takes a number from 0 to 125.")
    }
  }

  /// The part of a plan that this process imports.
  struct Part {
    var folder: PlanFolder
    /// The shard and its attempt; nil for what a merge has left.
    var attempt: (shard: Int, number: Int)?
    /// The library that grows, for what a merge has left.
    var library: [UInt8] = []

    /// Prepares the run.
    ///
    /// - Returns: The run, and what is to be done when it has ended.
    func prepare(
      _ loaded: LoadedManifest,
      _ options: RunOptions
    ) throws -> (Run, (Run) throws -> Void) {
      guard let attempt else {
        let merge = try ShardMerge(folder)
        let run = try merge.prepareLeftItems(
          in: library,
          leftItems: MergeCommand.leftItemsPath(of: library),
          loaded,
          options
        )
        return (run, { _ in })
      }
      let shard = try ShardRun(folder, shard: attempt.shard)
      let (run, file) = try shard.prepare(attempt: attempt.number, loaded, options)
      return (run, { try ShardRun.note($0.loneHalves, in: file) })
    }
  }

  /// The part, in the process that imports; nil in the one that waits for it, and in an ordinary run.
  var childPart: Part? {
    guard let plan else { return nil }
    let folder = PlanFolder(path: plan.bytes)
    if let mergedLibrary { return Part(folder: folder, library: mergedLibrary.bytes) }
    let parts = (shardAttempt ?? "").split(separator: "-").compactMap { Int($0) }
    guard parts.count == 2 else { return nil }
    return Part(folder: folder, attempt: (parts[0], parts[1]))
  }

  /// Imports the shard in a process of its own, and writes its receipt.
  func supervise(_ format: OutputFormat) throws {
    guard let plan else { return }
    let (run, number) = try Console.endingOnError {
      let number = try shard ?? ShardNumber.from(ProcessInfo.processInfo.environment)
      return (try ShardRun(PlanFolder(path: plan.bytes), shard: number), number)
    }
    if let receipt = try Console.endingOnError(run.receipt) {
      Console.note(
        "Shard \(number) is finished: its receipt is that of attempt \(receipt.attempt). Nothing was opened."
      )
      if format == .json { Console.output(ShardText.object(receipt)) }
      return try end(receipt.exitCode)
    }
    let attempt = try Console.endingOnError { try run.folder.beginAttempt(of: number) }
    let code = try ChildCommand.run(
      ChildCommand.arguments(with: ChildCommand.words("--shard-attempt", "\(number)-\(attempt)"))
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
