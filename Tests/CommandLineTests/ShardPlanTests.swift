import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Plans, and when they do not hold any more.
@Suite("Plans")
struct ShardPlanTests {
  private func scene(_ status: String? = "authorized", photos: Int = 12) throws -> Scene {
    let scene = Scene()
    try scene.declare("library", status)
    for number in 0..<photos {
      try scene.put("sources/library/\(number % 3)/\(number).jpg", try Media.photo("\(number)"))
    }
    return scene
  }

  private func digest(_ outcome: Outcome) throws -> String {
    try #require(try outcome.json()["planSHA256"].string)
  }

  @Test("A plan's digest depends on manifest, decision and listing alone")
  func digest() throws {
    let scene = try scene()
    let first = try digest(scene.makePlan(3))
    #expect(try digest(scene.makePlan(3)) == first)
    #expect(try digest(scene.makePlan(4)) != first)
    let file = scene.at("sources/library/0/0.jpg")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 9)],
      ofItemAtPath: file
    )
    let second = try digest(scene.makePlan(3))
    #expect(second != first)
    #expect(try digest(scene.makePlan(3)) == second)
    scene.manifest["labels"] = ["neutral": true]
    #expect(try digest(scene.makePlan(3)) != second)
  }

  @Test("A plan holds the key of the library, and nobody else can read it")
  func modes() throws {
    let scene = try scene()
    try scene.makePlan(2)
    let result = try Tool.run("find", [scene.plan, "-maxdepth", "2", "-name", "*json", "-printf", "%m "])
    #expect(Set(result.output.split(separator: " ")) == ["600"])
    let folder = try Tool.run("stat", ["-c", "%a", scene.plan])
    #expect(folder.output == "700\n")
  }

  @Test("Files of one folder and stem are in one shard, and shards have about the same bytes")
  func groups() throws {
    let scene = Scene()
    try scene.declare("library")
    for number in 0..<40 {
      try scene.put("sources/library/\(number).jpg", try Media.photo("\(number)"))
      try scene.put("sources/library/\(number).XMP", "sidecar")
      try scene.put("sources/library/\(number).mov", [UInt8](repeating: 0, count: 90_000))
    }
    let plan = try scene.makePlan(4).json()
    for shard in 1...4 {
      let names = try scene.command("shards", "plan", "Plan", "--files", "\(shard)").output.split(
        separator: "\n"
      )
      let stems = Dictionary(grouping: names) { $0.prefix { $0 != "." } }
      #expect(stems.count == 10 && stems.values.allSatisfy { $0.count == 3 }, "\(names)")
    }
    let bytes = plan["shards"].array.compactMap { $0["bytes"].int }
    #expect(bytes.count == 4 && (bytes.max() ?? 0) - (bytes.min() ?? 0) < 400_000, "\(bytes)")
  }

  @Test("More shards than items are a plan too")
  func empty() throws {
    let scene = try scene(photos: 2)
    try scene.makePlan(5)
    try scene.runShards(5)
    let merge = try scene.merge()
    try merge.expect(0)
    #expect(try merge.json()["assets"].int == 2)
    try scene.command("verify", "Merged").expect(0)
  }

  @Test("Items without a decision make no plan, and the same folder takes the next one")
  func undecided() throws {
    let scene = try scene(nil)
    scene.manifest["onNotDetermined"] = "ask"
    try scene.writeManifest()
    let command = [
      "shards", "plan", "manifest.json", "--shards", "2", "--output", "Plan", "--no-input",
    ]
    let first = try scene.command(command)
    try first.expect(75)
    #expect(!FileManager.default.fileExists(atPath: scene.plan + "/plan.json"))
    try scene.command("access", "grant", "manifest.json", "library").expect(0)
    try scene.command(command).expect(0)
    try scene.runShards(2)
    try scene.merge().expect(0)
    // The log of both tries is part of the whole.
    try scene.command("audit", "verify", "Merged").expect(0)
    let third = try scene.command(command)
    try third.expect(74)
    #expect(third.error.contains("not empty"))
  }

  @Test(
    "An answer that was taken back refuses the shards, and one for a single run suffices for no plan"
  )
  func takenBack() throws {
    let scene = try scene(nil)
    scene.manifest["onNotDetermined"] = "ask"
    try scene.writeManifest()
    try scene.command("access", "grant", "manifest.json", "library").expect(0)
    try scene.makePlan(2)
    try scene.runShard(1).expect(0)
    try scene.command("access", "deny", "manifest.json", "library").expect(0)
    let shard = try scene.runShard(2)
    try shard.expect(77)
    #expect(!FileManager.default.fileExists(atPath: scene.plan + "/receipts/2.json"))
    try scene.command("access", "reset", "manifest.json", "library").expect(0)
    try scene.command("access", "grant", "manifest.json", "library", "--once").expect(0)
    let plan = try scene.command(
      [
        "shards", "plan", "manifest.json", "--shards", "2", "--output", "Other", "--no-input",
        "--unsigned",
      ]
    )
    try plan.expect(75)
    #expect(plan.error.contains("one run"), "\(plan.error)")
  }

  @Test("A selection that has changed is another decision")
  func selection() throws {
    let scene = try scene("limited")
    try scene.declare("library", "limited", ["selection": ["0/*", "1/1.jpg"]])
    try scene.makePlan(2)
    try scene.runShards(2)
    try scene.merge().expect(0)
    try scene.expectMergedAsOne()
    try scene.makePlan(2)
    try scene.declare("library", "limited", ["selection": ["0/*"]])
    try scene.writeManifest()
    let shard = try scene.runShard(1)
    try shard.expect(78)
    #expect(shard.error.contains("was changed since the plan"), "\(shard.error)")
  }

  @Test("A file that is not the planned one fails, and costs itself alone")
  func notAsPlanned() throws {
    let scene = try scene()
    try scene.makePlan(2)
    try scene.put("sources/library/0/0.jpg", try Media.photo("another, and longer"))
    try FileManager.default.removeItem(atPath: scene.at("sources/library/1/1.jpg"))
    try scene.put("sources/library/1/new.jpg", try Media.photo("new"))
    var failures: [String] = []
    for shard in 1...2 { failures += try scene.runShard(shard).failures() }
    #expect(failures.sorted() == ["0/0.jpg: notAsPlanned", "1/1.jpg: notAsPlanned"])
    let merge = try scene.merge()
    try merge.expect(3)
    #expect(try merge.json()["assets"].int == 10)
    let text = try scene.command("shards", "merge", "Plan", "--output", "Merged")
    try text.expect(3)
    #expect(text.output.contains("2 files failed. Which, and why: mediabatch report "), "\(text)")
  }

  @Test("A plan, a list or a receipt that was changed is refused")
  func changed() throws {
    let scene = try scene()
    try scene.makePlan(2)
    let items = scene.plan + "/items/1.ndjson"
    let list = try readBytes(items)
    try Data(list.dropLast(20)).write(to: URL(fileURLWithPath: items))
    try scene.runShard(1).expect(78)
    try Data(list).write(to: URL(fileURLWithPath: items))
    try scene.runShards(2)
    let path = scene.plan + "/receipts/2.json"
    let receipt = try readBytes(path)
    let other = String(decoding: receipt, as: UTF8.self)
      .replacingOccurrences(of: "\"planSHA256\":\"", with: "\"planSHA256\":\"0")
    try Data(other.utf8).write(to: URL(fileURLWithPath: path))
    let merge = try scene.merge()
    try merge.expect(65)
    #expect(merge.error.contains("receipts/2.json"), "\(merge.error)")
    try Data(receipt).write(to: URL(fileURLWithPath: path))
    let file = scene.plan + "/plan.json"
    let plan = String(decoding: try readBytes(file), as: UTF8.self)
    try Data(plan.replacingOccurrences(of: "\"items\":", with: "\"items\":1").utf8)
      .write(to: URL(fileURLWithPath: file))
    try scene.merge().expect(78)
  }

  @Test("The number of the shard comes from exactly one variable of a scheduler")
  func environment() throws {
    let scene = try scene()
    try scene.makePlan(3)
    func run(_ variables: [String: String]) throws -> Outcome {
      Outcome(
        try Tool.run(
          try Scene.executable(),
          ["shards", "run", "Plan", "--unsigned"],
          environment: Scene.environment(in: scene.path).merging(variables) { $1 },
          in: scene.path
        )
      )
    }
    func receipts() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: scene.plan + "/receipts").sorted()
    }
    try run([:]).expect(64)
    try run(["SLURM_ARRAY_TASK_ID": "1", "PARALLEL_SEQ": "1"]).expect(64)
    try run(["JOB_COMPLETION_INDEX": "three"]).expect(64)
    try run(["JOB_COMPLETION_INDEX": "3"]).expect(64)
    #expect(try receipts() == [])
    try run(["JOB_COMPLETION_INDEX": "0"]).expect(0)
    #expect(try receipts() == ["1.json"])
    try run(["AWS_BATCH_JOB_ARRAY_INDEX": "1"]).expect(0)
    #expect(try receipts() == ["1.json", "2.json"])
    try run(["SLURM_ARRAY_TASK_ID": "3"]).expect(0)
    #expect(try receipts() == ["1.json", "2.json", "3.json"])
    let again = try run(["PARALLEL_SEQ": "3"])
    try again.expect(0)
    #expect(again.error.contains("finished"))
  }
}
