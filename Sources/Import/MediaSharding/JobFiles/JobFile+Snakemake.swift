extension JobFile {
  /// A Snakefile whose outputs are receipts and a summary, never a library: Snakemake removes the outputs
  /// of a job that failed or that it repeats.
  ///
  /// Source: Snakemake, Snakefiles and Rules.
  var snakefile: String {
    """
    # Imports \(subject),
    # with Snakemake, and merges.
    #
    #   snakemake --snakefile Snakefile --cores 4 --keep-going --rerun-incomplete
    #
    # Cores are shards at a time. The output of a shard is its receipt and not its library, because Snakemake
    # removes outputs of jobs that failed. Failed items do not make the merge fail: its summary, merge.json in
    # the plan's folder, has the counts.
    #
    \(Self.indented(machineNoteLines, margin: "# "))

    # A brace in the path of an input or output would begin a wildcard; the outputs are below this folder.
    workdir: \(Quoted.json(plan))


    rule merge:
        input:
            expand("receipts/{shard}.json", shard=range(1, \(shards + 1))),
        output:
            "merge.json",
        shell:
    \(strings(summarizedMergeSteps))


    rule shard:
        input:
            "plan.json",
        output:
            "receipts/{shard}.json",
        wildcard_constraints:
            shard="[1-9][0-9]*",
        shell:
            "shard={wildcards.shard}\\n"
    \(strings(shardSteps(number: "\"$shard\"")))

    """
  }

  /// The strings of a command, one for each line; neighbors are one string to Python.
  private func strings(_ lines: [String]) -> String {
    Self.indented(lines.map { Quoted.json(Quoted.snakemake($0)).dropLast() + "\\n\"" }, by: 8)
  }
}
