import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Plans of files that are not here yet, as those of object storage.
@Suite(
  "Plans from a listing",
  .enabled(if: Has.sqlite && Tool.exists("md5sum"), "no sqlite3 or no md5sum")
)
struct ShardListingTests {
  /// A scene with an empty source, and a folder that stands for what is listed elsewhere.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "strip")
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("library", "authorized", ["ignore": ["drafts"]])
    for number in 0..<20 {
      try scene.put("remote/\(number % 4)/\(number).jpg", try Media.photo("\(number % 15)"))
    }
    let (still, movie) = try Media.livePhoto("one")
    try scene.put("remote/3/live é.jpg", still)
    try scene.put("remote/3/live é.mov", movie)
    try scene.put("remote/.DS_Store", "no media")
    try scene.put("remote/drafts/no.jpg", try Media.photo("draft"))
    return scene
  }

  /// The listing, in the form of `rclone lsjson -R --hash`.
  private func list(_ scene: Scene) throws {
    let sums = try Tool.run(
      "find",
      [".", "-type", "f", "-exec", "md5sum", "{}", "+"],
      in: scene.at("remote")
    )
    let lines = try sums.output.split(separator: "\n").map { line -> String in
      let path = String(line.dropFirst(36))
      let size = try readBytes(scene.at("remote/" + path)).count
      let object: JSONValue = [
        "Path": .string(path), "Size": JSONValue(size), "IsDir": false,
        "ModTime": "2026-11-21T01:44:39.000000000Z",
        "Hashes": ["md5": .string(String(line.prefix(32)))],
      ]
      return String(decoding: object.serialized, as: UTF8.self)
    }
    try scene.put("listing.json", "[\n" + lines.joined(separator: ",\n") + "\n]\n")
  }

  /// Copies what a shard needs into the source, and nothing else.
  private func stageIn(_ shard: Int, _ scene: Scene) throws {
    try? FileManager.default.removeItem(atPath: scene.at("sources/library"))
    try scene.makeFolder("sources/library")
    let files = try scene.command("shards", "plan", "Plan", "--files", "\(shard)")
    try files.expect(0)
    for path in files.output.split(separator: "\n") {
      try scene.put("sources/library/\(path)", copyOf: scene.at("remote/\(path)"))
    }
  }

  @Test(
    "Shards of a listing, each with the files that it needs, are what one run over all files makes"
  )
  func equal() throws {
    let scene = try scene()
    try list(scene)
    let shards = Amount.of(2, all: 4)
    try scene.makePlan(shards, "--listing", "listing.json", "--source", "library")
    for shard in 1...shards {
      try stageIn(shard, scene)
      try scene.runShard(shard).expect(0)
    }
    try scene.merge().expect(0)
    try FileManager.default.removeItem(atPath: scene.at("sources/library"))
    try FileManager.default.moveItem(atPath: scene.at("remote"), toPath: scene.at("sources/library"))
    let unsharded = try scene.runAsOne()
    let merged = try LibraryContent(scene.merged)
    // The files that were staged in had other inodes and times.
    func files(_ content: LibraryContent) -> [String] {
      content.lines.filter { $0.hasPrefix("file") }
    }
    #expect(files(unsharded) == files(merged) && files(unsharded).count > 30)
    try scene.command("verify", "Merged").expect(0)
    try scene.command("audit", "verify", "Merged").expect(0)
  }

  @Test("Sizes that have no sum, and a folder of an impossible attempt, stop no plan and no shard")
  func extremeNumbers() throws {
    let scene = try scene()
    try scene.makeFolder("sources/library")
    let object = { (name: String) in
      #"{"Path":"\#(name)","Size":9223372036854775807,"IsDir":false,"#
        + #""ModTime":"2026-11-21T01:44:39.000000000Z"}"#
    }
    try scene.put("listing.json", "[\n" + object("a/1.jpg") + ",\n" + object("a/2.jpg") + "\n]\n")
    try scene.makePlan(2, "--listing", "listing.json", "--source", "library")
    try scene.makeFolder("Plan/shards/1-9223372036854775807")
    for shard in 1...2 { #expect([0, 3].contains(try scene.runShard(shard).code)) }
  }

  @Test(
    "A file that is not what was listed fails, by its size and by its digest, and so does a missing one"
  )
  func notAsListed() throws {
    let scene = try scene()
    try list(scene)
    try scene.makePlan(1, "--listing", "listing.json", "--source", "library")
    try stageIn(1, scene)
    let same = try Media.photo("\(0)")
    // As long as it was listed.
    try scene.put("sources/library/0/0.jpg", same.dropLast() + [same[same.count - 1] ^ 1])
    try scene.put("sources/library/1/1.jpg", same + [0])
    try FileManager.default.removeItem(atPath: scene.at("sources/library/2/2.jpg"))
    let run = try scene.runShard(1)
    #expect(
      try run.failures() == [
        "0/0.jpg: notAsPlanned", "1/1.jpg: notAsPlanned", "2/2.jpg: notAsPlanned",
      ]
    )
    // Each file whose content was compared has its record before.
    let log = try Tool.run("grep", ["-rh", "\"path\":\"0/0.jpg\"", scene.plan + "/shards/1-1/Audit"]).output
    #expect(log.split(separator: "\n").first?.contains("\"event\":\"access\"") == true)
    try scene.merge().expect(3)
  }

  @Test("A listing that names nothing of a source is refused, with its line")
  func refused() throws {
    let scene = try scene()
    try scene.put("listing.json", "[\n{\"Path\":\"a.jpg\",\"Size\":1},\n{\"Path\":\"../b.jpg\"}\n]\n")
    try scene.writeManifest()
    let plan = try scene.command(
      [
        "shards", "plan", "manifest.json", "--shards", "2", "--output", "Plan", "--listing",
        "listing.json",
        "--source",
        "library", "--no-input", "--unsigned",
      ]
    )
    try plan.expect(78)
    #expect(plan.error.contains("Line 3"), "\(plan.error)")
  }
}
