import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Shards that are killed, doubled and lost, and merges that are stopped.
@Suite("Faults of shards", .enabled(if: Has.sqlite, "no sqlite3"))
struct ShardFaultTests {
  /// The number of different photos; of half of them there are copies.
  private static let contents = Amount.of(10, all: 20)

  /// Photos and copies of some, and a live photo whose halves are the first and the last file.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("library")
    for number in 0..<Self.contents * 3 / 2 {
      try scene.put("sources/library/\(number).jpg", try Media.photo("\(number % Self.contents)"))
    }
    let (still, movie) = try Media.livePhoto("one")
    try scene.put("sources/library/a.jpg", still)
    try scene.put("sources/library/0 movie.mov", movie)
    return scene
  }

  @Test(
    "Whatever happens to shards, a merge names those that are missing, and is then what one run makes"
  )
  func shards() throws {
    let scene = try scene()
    let (before, missing): ([Int], [Int]) = Amount.isAll ? ([1, 4], [5, 3]) : ([], [3, 1])
    try scene.makePlan(1 + before.count + missing.count)
    let shard = ["shards", "run", "Plan", "--shard", "2", "--unsigned"]
    // The process that imports, in attempts of its own.
    func attempt(_ number: Int) -> [String] {
      ["shards", "run", "Plan", "--shard-attempt", "2-\(number)", "--unsigned"]
    }
    let count = Amount.of(2, all: 30)
    let moments = try RunMoment.spread(over: attempt(100), in: scene.path, count: count)
    for (number, moment) in moments.enumerated() {
      try moment.kill(attempt(101 + number), in: scene.path).wait()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scene.plan + "/receipts") == [])
    // Two at once.
    let pair = try (0..<2).map { _ in
      try RunningProgram(try Scene.executable(), shard, in: scene.path)
    }
    for program in pair { try program.wait().expect(0) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scene.plan + "/receipts") == ["2.json"])
    for number in before { try scene.runShard(number).expect(0) }
    let merge = try scene.merge()
    try merge.expect(65)
    let names = missing.sorted().map(String.init).joined(separator: ",")
    #expect(try merge.json()["missing"].string == names)
    #expect(!FileManager.default.fileExists(atPath: scene.merged))
    for number in missing { try scene.runShard(number).expect(0) }
    try scene.merge().expect(0)
    try scene.expectMergedAsOne()
  }

  @Test("A merge that is killed leaves nothing under the library's name, and the next one makes it")
  func merge() throws {
    let scene = try scene()
    let shards = Amount.of(2, all: 3)
    try scene.makePlan(shards)
    try scene.runShards(shards)
    let command = ["shards", "merge", "Plan", "--output", "Merged", "--unsigned"]
    let moments = try RunMoment.spread(over: command, in: scene.path, count: Amount.of(6, all: 15))
    for moment in Amount.some(3, of: moments) {
      try? FileManager.default.removeItem(atPath: scene.merged)
      try moment.kill(command, in: scene.path).wait()
      if FileManager.default.fileExists(atPath: scene.merged) {
        try scene.command("verify", "Merged").expect(0)
      }
    }
    try? FileManager.default.removeItem(atPath: scene.merged)
    try scene.merge().expect(0)
    try scene.expectMergedAsOne()
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.path)
    #expect(!names.contains { $0.contains("mediabatch-merge") }, "\(names)")
    let again = try scene.merge()
    try again.expect(0)
    #expect(again.error.contains("already"))
  }

  @Test("A library of a shard that is not what its receipt says is refused")
  func damaged() throws {
    let scene = try scene()
    try scene.makePlan(2)
    try scene.runShards(2)
    let library = scene.plan + "/shards/1-1"
    let originals = try Tool.run("find", [library + "/Originals", "-name", "*.jpg"]).output
      .split(separator: "\n").map(String.init)
    let file = try #require(originals.first)
    let bytes = try readBytes(file)
    try Data(bytes.dropLast()).write(to: URL(fileURLWithPath: file))
    let merge = try scene.merge()
    try merge.expect(70)
    let name = file.dropFirst(library.utf8.count + 1)
    let message = "shard 1 was changed since its run: \"\(name)\" has another length"
    #expect(merge.error.contains(message), "\(merge.error)")
    #expect(!FileManager.default.fileExists(atPath: scene.merged))
    try FileManager.default.removeItem(atPath: file)
    try scene.merge().expect(70)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    // A row of the catalogue, and a record of the log.
    let label = ["UPDATE assets SET label = 'x' WHERE id = 1"]
    let changed = try Tool.run("sqlite3", [library + "/library.sqlite"] + label)
    try #require(changed.status == 0, "\(changed.error)")
    try scene.merge().expect(70)
  }

  @Test("Nobody decides about the library of a shard, whose receipt says what is in it")
  func withdrawal() throws {
    let scene = try scene()
    try scene.makePlan(2)
    try scene.runShards(2)
    func first(of library: String) throws -> String {
      let listed = try scene.command("list", library, "--format", "json").json()
      return try #require(listed["assets"].array.first?["localIdentifier"].string)
    }
    let asset = try first(of: "Plan/shards/1-1")
    let refused = try scene.command("withdraw", "Plan/shards/1-1", asset)
    #expect(refused.code == 64 && refused.output.isEmpty, "\(refused.streams)")
    #expect(refused.error.contains("library of shard 1 of a plan"), "\(refused.error)")
    for words in [["rotate", "--by", "90"], ["label", "other"]] {
      let others = try scene.command([words[0], "Plan/shards/1-1", asset] + words.dropFirst())
      #expect(others.code == 64 && others.error.contains("library of shard 1"), "\(others.streams)")
    }
    try scene.merge().expect(0)
    let merged = try first(of: "Merged")
    try scene.command("withdraw", "Merged", merged, "--unsigned").expect(0)
    try scene.command("verify", "Merged").expect(0)
    // A folder that is only called so is any library.
    try scene.makeFolder("shards")
    try FileManager.default.moveItem(atPath: scene.merged, toPath: scene.at("shards/1-1"))
    let other = try first(of: "shards/1-1")
    try scene.command("withdraw", "shards/1-1", other, "--unsigned").expect(0)
  }

  @Test("A log of a shard with one other byte is refused")
  func changedLog() throws {
    let scene = try scene()
    try scene.makePlan(2)
    try scene.runShards(2)
    let audit = scene.plan + "/shards/2-1/Audit"
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: audit).first { $0.hasSuffix(".ndjson") }
    )
    let log = String(decoding: try readBytes(audit + "/" + name), as: UTF8.self)
    try Data(
      log.replacingOccurrences(of: "\"outcome\":\"imported\"", with: "\"outcome\":\"importer\"")
        .utf8
    )
    .write(to: URL(fileURLWithPath: audit + "/" + name))
    let merge = try scene.merge()
    try merge.expect(65)
    #expect(merge.error.contains("another log"), "\(merge.error)")
  }

  @Test("A shard without its private facts or signed head is refused, and a plan with another key")
  func gone() throws {
    let scene = try scene()
    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.makePlan(2)
    try scene.runShards(2)
    func expectRefused(_ words: String) throws {
      let merge = try scene.merge()
      try merge.expect(65)
      #expect(merge.error.contains(words), "\(merge.error)")
    }
    let facts = scene.plan + "/shards/1-1/private.sqlite"
    let whole = try readBytes(facts)
    let change = try Tool.run("sqlite3", [facts, "UPDATE facts SET camera = 'Other'"])
    try #require(change.status == 0, "\(change.error)")
    try expectRefused("has damaged private facts")
    try FileManager.default.removeItem(atPath: facts)
    try expectRefused("has no private facts any more")
    try Data(whole).write(to: URL(fileURLWithPath: facts))

    let file = URL(fileURLWithPath: scene.plan + "/plan.json")
    let plan = try Data(contentsOf: file)
    try Data(
      String(decoding: plan, as: UTF8.self).replacingOccurrences(
        of: "(\"digestKey\":\")[0-9a-f]{64}",
        with: "$1" + String(repeating: "a", count: 64),
        options: .regularExpression
      ).utf8
    ).write(to: file)
    try expectRefused("has another digest key")
    try plan.write(to: file)

    // A signed attempt.
    try FileManager.default.removeItem(atPath: scene.plan + "/receipts/1.json")
    try scene.command("shards", "run", "Plan", "--shard", "1").expect(0)
    let audit = scene.plan + "/shards/1-2/Audit"
    let head = try #require(
      try FileManager.default.contentsOfDirectory(atPath: audit).first { $0.hasSuffix(".head") }
    )
    try Data().write(to: URL(fileURLWithPath: audit + "/" + head))
    try expectRefused("the signed head is empty")
    try FileManager.default.removeItem(atPath: audit + "/" + head)
    try expectRefused("the signed head is missing")
  }

  @Test("Of two merges at once one makes the library, and the other says that it is held")
  func together() throws {
    let scene = try scene()
    let shards = Amount.of(2, all: 3)
    try scene.makePlan(shards)
    try scene.runShards(shards)
    for _ in 0..<Amount.of(1, all: 20) {
      try? FileManager.default.removeItem(atPath: scene.merged)
      let pair = try (0..<2).map { _ in
        try RunningProgram(
          try Scene.executable(),
          ["shards", "merge", "Plan", "--output", "Merged", "--unsigned"],
          in: scene.path
        )
      }
      let codes = try pair.map { try $0.wait().code }
      #expect(codes.contains(0) && codes.allSatisfy { $0 == 0 || $0 == 73 }, "\(codes)")
      try scene.command("verify", "Merged").expect(0)
    }
    try scene.expectMergedAsOne()
  }

  @Test("The library of another plan of the same listing is not taken for that of this one")
  func otherPlan() throws {
    let scene = try scene()
    try scene.makePlan(1)
    try scene.runShards(1)
    try scene.merge().expect(0)
    try scene.makePlan(1)
    try scene.runShards(1)
    try scene.merge().expect(78)
  }

  @Test("A source that is empty when a merge needs it costs no asset")
  func emptySource() throws {
    let scene = try scene()
    let shards = Amount.of(2, all: 5)
    try scene.makePlan(shards)
    try scene.runShards(shards)
    try FileManager.default.moveItem(atPath: scene.at("sources"), toPath: scene.at("elsewhere"))
    try scene.makeFolder("sources/library")
    let merge = try scene.merge()
    try merge.expect(3)
    let assets = try Tool.run(
      "sqlite3",
      [scene.merged + "/library.sqlite", "SELECT count(*), sum(degraded) FROM assets"]
    ).output
    // The photos, the still, and its movie.
    #expect(assets.hasPrefix("\(Self.contents + 2)|"), "\(assets)")
    // What it was then is still known.
    try scene.merge().expect(3)
    try scene.command("verify", "Merged").expect(0)
  }

  @Test("A row that is gone from a shard's catalogue is missed")
  func goneRow() throws {
    let scene = try scene()
    try scene.makePlan(2)
    try scene.runShards(2)
    for table in Amount.some(2, of: ["items", "thumbnails", "changes"]) {
      let library = scene.plan + "/shards/1-1/library.sqlite"
      let bytes = try readBytes(library)
      let change = "DELETE FROM \(table) WHERE rowid = (SELECT max(rowid) FROM \(table))"
      let items = "DELETE FROM items WHERE path = (SELECT max(path) FROM items)"
      let done = try Tool.run("sqlite3", [library, table == "items" ? items : change])
      try #require(done.status == 0, "\(done.error)")
      let merge = try scene.merge()
      #expect(merge.code == 70 || merge.code == 65, "\(table): \(merge.streams)")
      #expect(merge.error.contains("library of shard 1 "), "\(table): \(merge.error)")
      #expect(!FileManager.default.fileExists(atPath: scene.merged))
      try Data(bytes).write(to: URL(fileURLWithPath: library))
    }
    try scene.merge().expect(0)
  }

  @Test("A folder with something in it is no place for a merge, and stays as it is")
  func occupied() throws {
    let scene = try scene()
    try scene.makePlan(1)
    try scene.runShards(1)
    try scene.put("Merged/mine.txt", "mine")
    let before = try scene.snapshot("Merged")
    try scene.merge().expect(78)
    #expect(try scene.snapshot("Merged") == before)
    try FileManager.default.removeItem(atPath: scene.at("Merged/mine.txt"))
    try scene.merge().expect(0)
  }
}
