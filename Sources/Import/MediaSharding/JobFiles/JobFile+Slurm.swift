extension JobFile {
  /// A script for `sbatch`: one array job, which starts the shards of a lost node again.
  ///
  /// Source: sbatch(1), `--array`, `--requeue`, `--dependency`.
  var slurmScript: String {
    """
    #!/usr/bin/env bash
    # Imports \(subject),
    # as one array job. This submits it, and the merge behind it:
    #
    #   job=$(sbatch --parsable mediabatch.sbatch)
    #   sbatch --array=1 --job-name=mediabatch-merge --dependency="afterok:$job" mediabatch.sbatch merge
    #
    # A shard whose node is lost starts again by itself. When one fails otherwise, the merge stays in the
    # queue: mend the reason and cancel it. "mediabatch shards merge" names the shards that are missing, such
    # as 3,7-9; submit them with "sbatch --array=3,7-9 mediabatch.sbatch", and the merge behind them.
    #
    \(Self.indented(noteLines, margin: "# "))
    # Indexes are less than MaxArraySize, see "scontrol show config": 1001 unless it is changed.
    #SBATCH --job-name=mediabatch
    #SBATCH --array=1-\(shards)
    #SBATCH --requeue
    # The output of a repetition is added to that of the lost start.
    #SBATCH --open-mode=append
    # A shard uses all processors that it gets.
    #SBATCH --cpus-per-task=1
    set -euo pipefail

    if [[ ${1-} == merge ]]; then
    \(Self.indented(mergeSteps(), by: 2))
      exit
    fi
    \(Self.indented(shardSteps(number: "\"$SLURM_ARRAY_TASK_ID\"")))

    """
  }
}
