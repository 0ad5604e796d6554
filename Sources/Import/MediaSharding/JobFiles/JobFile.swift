internal import MediaModel

/// A file by which a scheduler runs the shards of a plan and then the merge.
///
/// It passes `--shard` with each start, counted from 1, so that no variable of the scheduler has to be
/// known to mediabatch. What a shard does is repeatable, so a job may be started twice, also at once.
package struct JobFile: Sendable, Hashable {
  /// The absolute path of the plan's folder.
  let plan: String
  let shards: Int
  /// The path of mediabatch, or its name where `PATH` has it.
  let program: String
  /// The absolute path of the library that merge makes.
  let output: String
  /// The copies from elsewhere and back; nil where all machines have the same file system.
  let stage: StageSteps?

  /// Creates the file for a plan; nil for a path with a control character or a line separator, which some
  /// languages cannot write.
  ///
  /// - Parameters:
  ///   - plan: The absolute path of the plan's folder.
  ///   - shards: The number of its shards, at least 1.
  ///   - program: The path of mediabatch, or its name where `PATH` has it.
  ///   - output: The absolute path of the library that merge makes.
  ///   - stage: What is copied from elsewhere and back; nil where all machines have the same file system.
  package init?(
    plan: String,
    shards: Int,
    program: String,
    output: String,
    stage: StageSteps? = nil
  ) {
    let texts = [plan, program, output] + (stage.map { [$0.media, $0.source, $0.results] } ?? [])
    guard texts.allSatisfy(Quoted.canWrite) else { return nil }
    self.plan = plan
    self.shards = shards
    self.program = program
    self.output = output
    self.stage = stage
  }

  /// Returns the text of the file, which ends with a newline.
  package func text(for scheduler: JobScheduler) -> String {
    switch scheduler {
    case .slurm: slurmScript
    case .kubernetes: kubernetesJob
    case .awsBatch: awsBatchRequests
    case .snakemake: snakefile
    case .nextflow: nextflowScript
    case .parallel: parallelScript
    }
  }

  // MARK: - Parts of all files

  /// The name of the imported items, for a comment.
  var subject: String {
    "the shards 1 to \(shards) of the plan \(EscapedText.printable(plan))"
  }

  /// Advice for a person about failed items, and about the machines.
  var noteLines: [String] {
    [
      "Failed items do not make a shard fail. \"mediabatch shards merge\" exits with 3 when there are any; the",
      "library is there all the same.",
    ] + machineNoteLines
  }

  /// Advice for a person about the machines.
  var machineNoteLines: [String] {
    stage == nil
      ? [
        "Each machine has the plan, the manifest, the media and the library under the same paths."
      ]
      : [
        "Each machine has the plan's folder and the manifest under the same paths, and rclone with its",
        "configuration. Media are copied in, libraries and receipts out; the merge fetches those.",
      ]
  }

  /// Returns the lines with spaces and a margin before each, as text without a newline at its end.
  static func indented(_ lines: [String], by spaces: Int = 0, margin: String = "") -> String {
    let indent = margin + String(repeating: " ", count: spaces)
    return lines.map { indent + $0 }.joined(separator: "\n")
  }
}
