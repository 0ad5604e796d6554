extension JobFile {
  /// A script of Nextflow's DSL 2.
  ///
  /// Source: Nextflow, Process reference.
  var nextflowScript: String {
    """
    #!/usr/bin/env nextflow
    // Imports \(subject),
    // with Nextflow, and merges.
    //
    //   nextflow run mediabatch.nf -resume
    //
    // A shard that fails starts again, unless its exit code says that this is of no use. Failed items do not
    // make the merge fail: its summary in merge.json, in the plan's folder, has the counts.
    //
    \(Self.indented(machineNoteLines, margin: "// "))
    nextflow.enable.dsl = 2

    process SHARD {
      tag "${shard}"
      errorStrategy { task.exitStatus in [\(Self.finalCodes)] ? 'finish' : 'retry' }
      maxRetries 3

      input:
      val shard

      output:
      val shard

      script:
      \"""
      set -eu
      shard=${shard}
    \(script(shardSteps(number: "\"$shard\"")))
      \"""
    }

    process MERGE {
      input:
      val shards

      output:
      stdout

      script:
      \"""
      set -eu
    \(script(summarizedMergeSteps))
      cat \(Quoted.groovy(Quoted.shell(summary)))
      \"""
    }

    workflow {
      SHARD(channel.of(1..\(shards)))
      MERGE(SHARD.out.collect())
      MERGE.out.view()
    }

    """
  }

  private func script(_ lines: [String]) -> String {
    Self.indented(lines.map(Quoted.groovy), by: 2)
  }
}
