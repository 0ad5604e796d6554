extension JobFile {
  /// A script around GNU parallel, to be started again until all shards are finished.
  ///
  /// Source: parallel(1), `--joblog`, `--resume-failed`.
  var parallelScript: String {
    """
    #!/usr/bin/env bash
    # Imports \(subject),
    # with GNU parallel, and merges.
    #
    #   JOBS=2 bash mediabatch-parallel.sh
    #
    # JOBS is the number of shards at a time; it is 1 when not set, because a shard uses all processors.
    # After a failure start the script again: shards that ended well are not repeated. To use other
    # machines add --sshloginfile FILE --env shard to parallel.
    #
    \(Self.indented(noteLines, margin: "# "))
    set -euo pipefail

    shard() {
      set -eu
    \(Self.indented(shardSteps(number: "\"$1\""), by: 2))
    }
    export -f shard

    # Only bash knows the function, whatever the person's shell is.
    export PARALLEL_SHELL=$BASH
    seq \(shards) | parallel --will-cite --jobs "${JOBS:-1}" --resume-failed \\
      --joblog \(Quoted.shell(plan + "/parallel.log")) shard {}

    \(Self.indented(mergeSteps()))

    """
  }
}
