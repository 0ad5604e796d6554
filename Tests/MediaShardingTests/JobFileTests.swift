import Foundation
import MediaTestSupport
import Testing

@testable import MediaSharding

/// Each file is read as its scheduler reads it, and its shell runs a program that notes its arguments.
@Suite("Job files")
struct JobFileTests {
  /// What some shell, JSON, YAML, Groovy, Python or Kubernetes would replace, or take for an end.
  private static let name = #"it's a "$HOME" `b` {c} \d %e $$ $(f) $((1)) é"#

  /// A folder with a program that notes its arguments, and a job of three shards.
  private final class Place: Sendable {
    private let temporary = TemporaryFolder()
    let job: JobFile

    var folder: String { temporary.path + "/" + name }
    var plan: String { folder + "/plan" }
    var output: String { folder + "/Library" }

    init(shards: Int = 3) throws {
      let folder = temporary.path + "/" + name
      job = try #require(
        JobFile(
          plan: folder + "/plan",
          shards: shards,
          program: folder + "/media batch",
          output: folder + "/Library"
        )
      )
      try FileManager.default.createDirectory(atPath: plan, withIntermediateDirectories: true)
      try put(
        "media batch",
        """
        #!/bin/sh
        printf '[%s]' "$@" >>"${0%/*}/calls"
        [ "$2" != merge ] || { echo merged; exit "${MERGE_CODE:-0}"; }
        """
      )
    }

    func put(_ file: String, _ text: String) throws {
      let path = folder + "/" + file
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    /// What the program was called with since the last question.
    func calls() throws -> String {
      let path = folder + "/calls"
      guard FileManager.default.fileExists(atPath: path) else { return "" }
      defer { try? FileManager.default.removeItem(atPath: path) }
      return String(decoding: try readBytes(path), as: UTF8.self)
    }

    func shard(_ number: Int) -> String {
      "[shards][run][\(plan)][--shard][\(number)][--items-failed-exit][0]"
    }

    var merge: String { "[shards][merge][\(plan)][--output][\(output)]" }

    /// Runs a command, which has to call the program once, with these arguments.
    func expect(
      _ expected: String,
      by command: [String],
      _ variables: [String: String] = [:],
      code: Int32 = 0,
      _ location: SourceLocation = #_sourceLocation
    ) throws -> String {
      let result = try Tool.run(command[0], Array(command.dropFirst()), environment: variables)
      #expect(result.status == code, "\(result.error)", sourceLocation: location)
      #expect(try calls() == expected, sourceLocation: location)
      return result.output
    }
  }

  /// The text between two others, of which the first stands once.
  private static func text(_ text: String, after start: String, until end: String) throws -> String {
    let parts = text.components(separatedBy: start)
    try #require(parts.count == 2, "\(start)")
    return try #require(parts[1].components(separatedBy: end).first)
  }

  // MARK: Nextflow

  /// What Groovy makes of the inside of a string between three double quotes, where `shard` is 2.
  private static func groovy(_ text: String) throws -> String {
    var (result, rest) = (String.UnicodeScalarView(), text.unicodeScalars[...])
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\\":
        let escaped = rest.popFirst()
        result.append(try #require(escaped))
      case "$":
        try #require(rest.starts(with: "{shard}".unicodeScalars), "\(String(rest.prefix(20)))")
        rest = rest.dropFirst("{shard}".count)
        result.append("2")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  @Test("Nextflow runs each shard and then the merge, whose summary it shows also when items failed")
  func nextflow() throws {
    let place = try Place()
    let file = place.job.text(for: .nextflow)
    let quotes = "  \"\"\"\n"
    func script(_ process: String) throws -> String {
      let body = try Self.text(file, after: "\nprocess \(process) {\n", until: "\n}\n")
      return try Self.groovy(try Self.text(body + "\n", after: "script:\n" + quotes, until: quotes))
    }
    let bash = ["/bin/bash", "-ue", "-c"]
    _ = try place.expect(place.shard(2), by: bash + [try script("SHARD")])
    let merge = place.merge + "[--format][json]"
    for code in ["0", "3"] {
      let shown = try place.expect(merge, by: bash + [try script("MERGE")], ["MERGE_CODE": code])
      #expect(shown == "merged\n")
    }
    _ = try place.expect(merge, by: bash + [try script("MERGE")], ["MERGE_CODE": "70"], code: 1)
    #expect(file.contains("SHARD(channel.of(1..3))\n"))
    #expect(file.contains("in [64, 69, 75, 76, 77, 78] ? 'finish' : 'retry' }\n"))
  }

  // MARK: AWS Batch

  @Test("Each request to AWS Batch is JSON, whose array has an index from 0 for each shard")
  func awsBatch() throws {
    let place = try Place()
    typealias Members = [String: Any]
    func requests(_ place: Place) throws -> (definition: Members, submit: Members, merge: Members) {
      let text = place.job.text(for: .awsBatch)
      let all = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Members)
      return (
        try #require(all["registerJobDefinition"] as? Members), try #require(all["submitJob"] as? Members),
        try #require(all["submitMerge"] as? Members)
      )
    }
    let (definition, submit, merge) = try requests(place)
    let container = try #require(definition["containerProperties"] as? Members)
    let shard = try #require(container["command"] as? [String])
    _ = try place.expect(place.shard(3), by: shard, ["AWS_BATCH_JOB_ARRAY_INDEX": "2"])
    #expect((submit["arrayProperties"] as? Members)?["size"] as? Int == 3)
    #expect(submit["jobDefinition"] as? String == definition["jobDefinitionName"] as? String)
    let overrides = try #require(merge["containerOverrides"] as? Members)
    let merging = try #require(overrides["command"] as? [String])
    _ = try place.expect(place.merge, by: merging, ["MERGE_CODE": "3"], code: 3)
    #expect((merge["retryStrategy"] as? Members)?["attempts"] as? Int == 1)
    // Plan and library lie below the folder that the container has.
    let mounts = try #require(container["mountPoints"] as? [Members])
    #expect(mounts.map { $0["containerPath"] as? String } == [place.folder])
    let strategy = try #require(definition["retryStrategy"] as? Members)
    let rules = try #require(strategy["evaluateOnExit"] as? [[String: String]])
    #expect(rules.filter { $0["action"] == "EXIT" }.map { $0["onExitCode"] } == ["64", "69", "77", "78"])
    #expect(rules.last == ["onReason": "*", "action": "RETRY"])
    // A job without an array has no index.
    let one = try Place(shards: 1)
    let (alone, submitted, _) = try requests(one)
    let properties = try #require(alone["containerProperties"] as? Members)
    _ = try one.expect(one.shard(1), by: try #require(properties["command"] as? [String]))
    #expect(submitted["arrayProperties"] == nil)
  }

  // MARK: Snakemake

  @Test("Snakemake makes the receipt of each shard and then the merge's summary")
  func snakemake() throws {
    let place = try Place()
    let file = place.job.text(for: .snakemake)
    /// The command of a rule, as Python's `format` gives it to bash.
    func command(_ rule: String) throws -> String {
      let body = try Self.text(file + "\n\n", after: "\nrule \(rule):\n", until: "\n\n")
      let lines = try Self.text(body + "\n", after: "    shell:\n", until: "\n\n").split(separator: "\n")
      let texts = try lines.map { line in
        try #require(line.hasPrefix("        \""))
        return try JSONDecoder().decode([String].self, from: Data("[\(line)]".utf8))[0]
      }
      return texts.joined().replacing("{wildcards.shard}", with: "2").replacing("{{", with: "{")
        .replacing("}}", with: "}")
    }
    let bash = ["/bin/bash", "-euo", "pipefail", "-c"]
    _ = try place.expect(place.shard(2), by: bash + [try command("shard")])
    let merge = place.merge + "[--format][json]"
    _ = try place.expect(merge, by: bash + [try command("merge")], ["MERGE_CODE": "3"])
    #expect(try readBytes(place.plan + "/merge.json") == Array("merged\n".utf8))
    #expect(file.contains(#"expand("receipts/{shard}.json", shard=range(1, 4)),"#))
    let folder = try Self.text(file, after: "\nworkdir: ", until: "\n")
    #expect(try JSONDecoder().decode([String].self, from: Data("[\(folder)]".utf8)) == [place.plan])
  }

  // MARK: Slurm and GNU parallel

  @Test("The script for Slurm imports the shard of its task, and as merge nothing but merges")
  func slurm() throws {
    let place = try Place()
    let file = place.job.text(for: .slurm)
    #expect(file.contains("\n#SBATCH --array=1-3\n"))
    try place.put("job", file)
    let script = ["bash", place.folder + "/job"]
    _ = try place.expect(place.shard(3), by: script, ["SLURM_ARRAY_TASK_ID": "3"])
    _ = try place.expect(place.merge, by: script + ["merge"], ["SLURM_ARRAY_TASK_ID": "1"])
    _ = try place.expect(
      place.merge,
      by: script + ["merge"],
      ["SLURM_ARRAY_TASK_ID": "1", "MERGE_CODE": "3"],
      code: 3
    )
  }

  @Test("The script for GNU parallel imports every shard, and merges if all of them ended well")
  func parallel() throws {
    let place = try Place()
    try place.put("job", place.job.text(for: .parallel))
    // The command is what follows the options; each line of the input is its last word.
    try place.put(
      "parallel",
      #"""
      #!/bin/bash
      while [[ $1 == --* ]]; do
        case $1 in --jobs) shift ;; --joblog) printf '%s' "$2" >"${0%/*}/log"; shift ;; esac
        shift
      done
      while read -r line; do "$PARALLEL_SHELL" -c "${*//\{\}/$line}" || exit; done
      exit "${PARALLEL_CODE:-0}"
      """#
    )
    let paths = place.folder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    let script = ["bash", place.folder + "/job"]
    let shards = (1...3).map(place.shard).joined()
    _ = try place.expect(shards + place.merge, by: script, ["PATH": paths])
    #expect(try readBytes(place.folder + "/log") == Array((place.plan + "/parallel.log").utf8))
    _ = try place.expect(shards, by: script, ["PATH": paths, "PARALLEL_CODE": "2"], code: 2)
  }
}
