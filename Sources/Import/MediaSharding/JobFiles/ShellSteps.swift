/// The steps of a job, as lines of a POSIX shell that runs with `set -eu`.
extension JobFile {
  /// Where merge's summary goes in a workflow that needs a file as the sign that it is done.
  var summary: String { plan + "/merge.json" }

  /// Returns the steps of one shard: its run, and with a ``stage`` what is copied before and after.
  ///
  /// - Parameters:
  ///   - number: A word of the shell; `"$shard"` where a line before has set that.
  ///   - isContainer: Whether the shell is a container's first process, which would keep the signal that ends
  ///     the container to itself.
  /// - Returns: The lines.
  func shardSteps(number: String, isContainer: Bool = false) -> [String] {
    let program = Quoted.shell(program)
    let plan = Quoted.shell(plan)
    guard let stage else {
      return [
        "\(isContainer ? "exec " : "")\(program) shards run \(plan) --shard \(number) --items-failed-exit 0"
      ]
    }
    return """
      \(number == "\"$shard\"" ? "" : "shard=\(number)")
      # In: the files of this shard.
      wanted=$(mktemp)
      \(program) shards plan \(plan) --files "$shard" >"$wanted"
      rclone copy --files-from-raw "$wanted" \(Quoted.shell(stage.media)) \(Quoted.shell(stage.source))
      rm -f "$wanted"
      \(program) shards run \(plan) --shard "$shard" --items-failed-exit 0
      # Out: the library and then its receipt, into a folder that no other start has.
      attempt=$(sed 's/.*"attempt":\\([0-9]*\\).*/\\1/' \(plan)/receipts/"$shard".json)
      start=\(Quoted.shell(stage.results))/$shard-$(uname -n)-$(date +%s)-$$
      rclone copy --exclude "/.state/**" \(plan)/shards/"$shard-$attempt" "$start/shards/$shard-$attempt"
      rclone copyto \(plan)/receipts/"$shard".json "$start/receipts/$shard.json"
      """
      .split(separator: "\n").map(String.init)
  }

  /// Returns the steps of the merge; with a ``stage`` what the shards have copied out is fetched first.
  func mergeSteps(options: String = "") -> [String] {
    let merge =
      "\(Quoted.shell(program)) shards merge \(Quoted.shell(plan)) --output \(Quoted.shell(output))"
      + options
    guard let stage else { return [merge] }
    let plan = Quoted.shell(plan)
    let results = Quoted.shell(stage.results)
    return """
      # Of each shard that has no receipt here, the first library with a receipt.
      rclone lsf -R --files-only --include "/*/receipts/*.json" \(results) | sort |
        while IFS=/ read -r start folder receipt; do
          if [ -e \(plan)/receipts/"$receipt" ]; then continue; fi
          rclone sync --include "/${receipt%.json}-*/**" \(results)/"$start"/shards \(plan)/shards
          rclone copyto \(results)/"$start/$folder/$receipt" \(plan)/receipts/"$receipt"
        done
      """
      .split(separator: "\n").map(String.init) + [merge]
  }

  /// The steps of a merge whose summary goes into a file. Failed items are no failure of the step: a
  /// workflow removes the outputs of one that failed.
  var summarizedMergeSteps: [String] {
    mergeSteps(options: " --format json >\(Quoted.shell(summary)) || [ $? -eq 3 ]")
  }

  /// The codes after which another start is of no use: usage, no enforcement, nobody has decided, a newer
  /// library, a refused source, a mistake in the manifest.
  static let finalCodes = "64, 69, 75, 76, 77, 78"
}
