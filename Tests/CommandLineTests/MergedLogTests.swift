import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// The log of a merged library: one proof over the logs of all shards.
@Suite("The log of a merge", .enabled(if: Has.sqlite, "no sqlite3"))
struct MergedLogTests {
  private func merged() throws -> Scene {
    let scene = Scene()
    try scene.declare("library")
    for number in 0..<12 {
      try scene.put("sources/library/\(number).jpg", try Media.photo("\(number % 10)"))
    }
    try scene.makePlan(3)
    try scene.runShards(3)
    try scene.merge().expect(0)
    return scene
  }

  private func root(_ scene: Scene) throws -> String {
    let verify = try scene.command("audit", "verify", "Merged", "--format", "json")
    try verify.expect(0)
    let json = try verify.json()
    return "\(json["size"].int ?? 0):\(json["root"].string ?? "")"
  }

  @Test(
    "An access of a shard is proved against the merged root, also by the second implementation"
  )
  func proof() throws {
    let scene = try merged()
    let root = try root(scene)
    for number in [0, 5, 11] {
      let proof = try scene.command("audit", "prove", "Merged", "--path", "\(number).jpg")
      try proof.expect(0)
      #expect(proof.output.contains("\"event\":\"access\""))
      let file = try scene.put("proof.ndjson", proof.output)
      try scene.command("audit", "check-proof", file, "--head", root).expect(0)
      #expect(try Verifier.proof(file, root).status == 0)
      let wrong = root.replacingOccurrences(of: ":", with: ":0").dropLast()
      #expect(try scene.command("audit", "check-proof", file, "--head", String(wrong)).code != 0)
    }
  }

  @Test("Each change of a shard's log is found, without the catalogue too")
  func changes() throws {
    let scene = try merged()
    let root = try root(scene)
    let audit = scene.merged + "/Audit"
    let names = try FileManager.default.contentsOfDirectory(atPath: audit)
      .filter { $0.hasSuffix(".ndjson") }.sorted()
    #expect(names.count == 5)
    for name in names {
      let path = audit + "/" + name
      let bytes = try readBytes(path)
      for offset in stride(from: 40, to: bytes.count, by: max(1, bytes.count / Amount.of(3, all: 60))) {
        var changed = bytes
        changed[offset] = changed[offset] == 0x61 ? 0x62 : 0x61
        if changed == bytes { continue }
        try Data(changed).write(to: URL(fileURLWithPath: path))
        #expect(try scene.command("audit", "verify", "Merged").code == 65, "\(name) \(offset)")
      }
      // A whole log in the place of a shard's, chained anew, is not the one that the merge has bound.
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    try scene.command("audit", "verify", "Merged").expect(0)
    let second = try readBytes(audit + "/" + names[1])
    let lines = second.split(separator: 10, omittingEmptySubsequences: false)
    try Data(lines.dropLast(2).joined(separator: [10]) + [10])
      .write(to: URL(fileURLWithPath: audit + "/" + names[1]))
    let cut = try scene.command("audit", "verify", "Merged", "--expect-head", root)
    try cut.expect(65)
    try Data(second).write(to: URL(fileURLWithPath: audit + "/" + names[1]))
    try FileManager.default.moveItem(atPath: scene.merged + "/library.sqlite", toPath: scene.at("kept"))
    try scene.command("audit", "verify", "Merged", "--expect-head", root).expect(0)
    try Data(lines.dropLast(2).joined(separator: [10]) + [10])
      .write(to: URL(fileURLWithPath: audit + "/" + names[1]))
    try scene.command("audit", "verify", "Merged", "--expect-head", root).expect(65)
  }

  @Test("Signed heads of shards and of the merge are held against their own trees")
  func signed() throws {
    let scene = Scene()
    try scene.declare("library")
    for number in 0..<6 {
      try scene.put("sources/library/\(number).jpg", try Media.photo("\(number)"))
    }
    try scene.writeManifest()
    try scene.command(
      ["shards", "plan", "manifest.json", "--shards", "2", "--output", "Plan", "--no-input"]
    ).expect(0)
    for shard in 1...2 {
      try scene.command(["shards", "run", "Plan", "--shard", "\(shard)"]).expect(0)
    }
    try scene.command(["shards", "merge", "Plan", "--output", "Merged"]).expect(0)
    let key = try scene.command("audit", "key", "show").output.trimmingCharacters(in: .newlines)
    try scene.command("audit", "verify", "Merged", "--trust", key).expect(0)
    let heads = try FileManager.default.contentsOfDirectory(atPath: scene.merged + "/Audit")
      .filter { $0.hasSuffix(".head") }.sorted()
    #expect(heads.count == 4)
    for name in heads {
      let path = scene.merged + "/Audit/" + name
      let bytes = try readBytes(path)
      let text = String(decoding: bytes, as: UTF8.self)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let other = text.replacingOccurrences(of: "\n\(lines[1])\n", with: "\n\((Int(lines[1]) ?? 0) + 1)\n")
      try Data(other.utf8).write(to: URL(fileURLWithPath: path))
      try scene.command("audit", "verify", "Merged").expect(65)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    // A proof is made against the head of the merge, never against that of a shard.
    let proof = try scene.command("audit", "prove", "Merged", "--path", "5.jpg")
    try proof.expect(0)
    let file = try scene.put("proof.ndjson", proof.output)
    try scene.command("audit", "check-proof", file, "--trust", key).expect(0)
  }

  @Test("A catalogue that is made anew is the one that the merge has made")
  func rebuilt() throws {
    let scene = try merged()
    let before = try LibraryContent(scene.merged)
    let rebuild = try scene.command("rebuild", "Merged", "--unsigned", "--format", "json")
    try rebuild.expect(0)
    #expect(try rebuild.rowDifferences() == [])
    let after = try LibraryContent(scene.merged)
    #expect(before.lacking(in: after) == [] && after.lacking(in: before) == [])
    try scene.command("verify", "Merged").expect(0)
    // With an asset that has moved, and with one that is a duplicate of another shard's.
    #expect(before.lines.contains { $0.hasPrefix("items") && $0.contains("duplicate") })
  }

  @Test("A report counts and names what the merged library has, not what a shard had")
  func report() throws {
    let scene = Scene()
    try scene.declare("library")
    for number in 0..<8 {
      try scene.put("sources/library/a/\(number).jpg", try Media.photo("\(number)"))
    }
    try scene.put("sources/library/z/copy.jpg", try Media.photo("0"))
    try scene.makePlan(2)
    try scene.runShards(2)
    let merge = try scene.merge()
    try merge.expect(0)
    try #require(try merge.json()["duplicates"].int == 1)
    func rows(_ sql: String) throws -> String {
      try Tool.run("sqlite3", [scene.merged + "/library.sqlite", sql]).output
    }
    #expect(
      try rows("SELECT outcome, count(*) FROM items GROUP BY 1 ORDER BY 1")
        == "duplicate|1\nimported|8\n"
    )
    let report = try scene.command("report", "Merged", "--format", "json")
    try report.expect(0)
    let json = try report.json()
    #expect(json["counts"]["imported"].int == 8 && json["counts"]["duplicate"].int == 1)
    #expect(json["counts"]["discovered"].int == 9)
    #expect(json["runs"].array.allSatisfy { $0["addsUp"].bool == true })
    for item in json["items"].array {
      let isImported = item["outcome"].string == "imported"
      #expect(isImported == (item["path"].string != "z/copy.jpg"))
      guard let path = item["output"]["path"].string else {
        #expect(!isImported)
        continue
      }
      #expect(FileManager.default.fileExists(atPath: scene.merged + "/" + path))
    }
    let csv = try scene.command("report", "Merged", "--format", "csv").output
    let row = try #require(csv.split(separator: "\r\n").first { $0.contains("z/copy.jpg") })
    #expect(row.contains("\"duplicate\"") && !row.contains("Originals/"))
    // The duplicate's path means the asset that has its content.
    let asset = try rows(
      """
      SELECT localIdentifier FROM assets JOIN items ON items.asset = assets.id
        WHERE CAST(items.path AS TEXT) = 'z/copy.jpg'
      """
    )
    let ofAsset = try scene.command("report", "Merged", "--asset", "z/copy.jpg", "--format", "json")
    try ofAsset.expect(0)
    let subject = try ofAsset.json()
    #expect("\(subject["subject"]["asset"].string ?? "")\n" == asset)
    #expect(subject["counts"]["imported"].int == 1 && subject["counts"]["duplicate"].int == 1)
  }

  @Test(
    "Two assets with one time of saving get two folders, and log, catalogue and rebuild know it",
    .enabled(if: Tool.exists("faketime"), "no faketime")
  )
  func sameTime() throws {
    let scene = Scene()
    scene.setThumbnails([("grid", 24, 24, "aspectFill")])
    try scene.declare("library")
    for number in 0..<4 {
      try scene.put("sources/library/\(number).jpg", try Media.photo("\(number)"))
    }
    try scene.makePlan(2)
    // Both shards run at the same time, by a clock that stands still.
    for shard in 1...2 {
      let run = try Tool.run(
        "faketime",
        [
          "-f", "2026-11-21 01:44:39", try Scene.executable(), "shards", "run", "Plan", "--shard",
          "\(shard)",
          "--unsigned",
        ],
        // Later ones change the times of files, too.
        environment: Scene.environment(in: scene.path).merging(["NO_FAKE_STAT": "1"]) { $1 },
        in: scene.path
      )
      try #require(run.status == 0, "\(run.output)\(run.error)")
    }
    let merge = try scene.merge()
    try merge.expect(0)
    #expect(try merge.json()["moved"].int == 2)
    try scene.expectMergedAsOne()
    let rebuild = try scene.command("rebuild", "Merged", "--unsigned", "--format", "json")
    try rebuild.expect(0)
    #expect(try rebuild.rowDifferences() == [])
  }
}
