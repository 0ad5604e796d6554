import Foundation
import Glibc
import MediaSyntax
import MediaTestSupport
import Testing

/// A merge of shards is the library that one run makes.
@Suite("Shards and one run", .enabled(if: Has.sqlite, "no sqlite3"))
struct ShardEqualityTests {
  /// Photos, copies of photos in other folders, live photos whose halves lie apart, sidecars, pictures in two
  /// formats, a file that is no media and one that is damaged.
  private func scene(_ policy: String) throws -> Scene {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    scene.manifest["labels"] = ["neutral": true]
    try scene.declare("camera", "authorized", ["capture": ["mode": "photoAndLivePhoto"]])
    try scene.declare("library")
    let folder = "sources/library/"
    for number in 0..<24 {
      try scene.put(folder + "a/\(number).jpg", try Media.photo("a\(number)"))
    }
    for number in 0..<8 {
      try scene.put(folder + "z/copy \(number).jpg", try Media.photo("a\(3 * number)"))
      try scene.put("sources/camera/\(number).jpg", try Media.photo("a\(number)"))
    }
    for name in ["one", "two"] {
      let (still, movie) = try Media.livePhoto(name)
      try scene.put(folder + "b/\(name).jpg", still)
      try scene.put(folder + "z/\(name) movie.mov", movie)
      try scene.put("sources/camera/live \(name).mov", movie)
    }
    let (still, movie) = try Media.livePhoto("three")
    try scene.put(folder + "c/three.jpg", still)
    try scene.put(folder + "c/three.mov", movie)
    // The same still without its movie, and a movie without a still.
    try scene.put(folder + "y/three again.jpg", still)
    try scene.put(folder + "y/alone.mov", try Media.livePhoto("four").movie)
    try scene.put(folder + "d/pair.jpg", try Media.photo("pair"))
    try scene.put(folder + "d/pair.png", copyOf: Samples.png)
    try scene.put(folder + "d/pair.jpg.xmp", Self.sidecar)
    try scene.put(folder + "y/copied.jpg", try Media.photo("pair"))
    try scene.put(folder + "y/copied.xmp", Self.sidecar)
    try scene.put(folder + "e/video.mp4", copyOf: Samples.video)
    try scene.put(folder + "e/notes.txt", "No media.")
    try scene.put(folder + "e/cut.jpg", Array(try Media.photo("cut").prefix(400)))
    return scene
  }

  private static let sidecar = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
    """

  @Test(
    "Whatever the number of shards, and in any order, the merge is what one run makes",
    arguments: Amount.isAll ? Amount.pairs(["keep", "strip"], [1, 2, 7, 64]) : [("keep", 3)]
  )
  func equal(policy: String, shards: Int) throws {
    let scene = try scene(policy)
    try scene.makePlan(shards)
    try scene.runShards(shards)
    let merge = try scene.merge()
    try merge.expect(3)
    try scene.expectMergedAsOne()
    // Each live photo is whole: still and movie, whatever they are called.
    let pairs = try Tool.run(
      "sqlite3",
      [
        scene.merged + "/library.sqlite",
        """
        SELECT count(*) FROM resources WHERE superseded = 0 AND role = 'pairedVideo'
          AND source = 'library'
        """,
      ]
    ).output
    #expect(pairs == "3\n")
    if shards > 1 { #expect(try merge.json()["duplicates"].int ?? 0 > 0) }
    // Items that were left to the run behind the merge are counted there, and not as missing in a shard.
    let report = try scene.command("report", "Merged", "--format", "json").json()
    #expect(report["runs"].array.allSatisfy { $0["addsUp"].bool == true })
  }

  /// Without all so many that live photos are divided, as by seven.
  private static let several = Amount.of(3, all: 7)

  @Test("With --facts no live photo is divided, and the merge reads no source")
  func facts() throws {
    let scene = try scene("strip")
    try scene.makePlan(Self.several, "--facts")
    try scene.runShards(Self.several)
    try FileManager.default.moveItem(atPath: scene.at("sources"), toPath: scene.at("elsewhere"))
    let merge = try scene.merge()
    try merge.expect(3)
    #expect(try merge.json()["importedAgain"].int == 0)
    try FileManager.default.moveItem(atPath: scene.at("elsewhere"), toPath: scene.at("sources"))
    try scene.expectMergedAsOne()
    // Each file that was opened has a record before it, in the log of the planning.
    let audit = scene.merged + "/Audit/"
    let first = try #require(try FileManager.default.contentsOfDirectory(atPath: audit).min())
    let log = String(decoding: try readBytes(audit + first), as: UTF8.self)
    #expect(log.split(separator: "\n").count { $0.contains("\"event\":\"access\"") } > 50)
  }

  @Test(
    "Without the sources the halves of a live photo in two shards stay apart, and nothing is lost"
  )
  func withoutSources() throws {
    let scene = try scene("strip")
    try scene.makePlan(Self.several)
    try scene.runShards(Self.several)
    try FileManager.default.moveItem(atPath: scene.at("sources"), toPath: scene.at("elsewhere"))
    let merge = try scene.merge()
    try merge.expect(3)
    #expect(merge.error.contains("stays an asset of its own"), "\(merge.error)")
    #expect(try scene.command("verify", "Merged").code == 0)
    #expect(try scene.command("audit", "verify", "Merged").code == 0)
    let items = try Tool.run(
      "sqlite3",
      [scene.merged + "/library.sqlite", "SELECT count(*) FROM items WHERE outcome = 'imported'"]
    ).output
    #expect(Int(items.trimmingCharacters(in: .newlines)) ?? 0 >= 35)
  }

  @Test("The next run of the manifest finds nothing new in the merged library")
  func goesOn() throws {
    let scene = try scene("strip")
    try scene.makePlan(3)
    try scene.runShards(3)
    try scene.merge().expect(3)
    scene.manifest["output"] = ["path": "Merged"]
    let run = try scene.run()
    try run.expect(0)
    #expect(try run.count("imported") == 0 && run.count("duplicate") == 0, "\(run.output)")
    try scene.command("verify", "Merged").expect(0)
    try scene.command("audit", "verify", "Merged").expect(0)
  }

  @Test("Links, unreadable names and a limit by content end as in one run")
  func listed() throws {
    let scene = try scene("keep")
    try scene.declare(
      "library",
      "authorized",
      ["fetch": ["fetchLimit": 9, "sortDescriptors": ["creationDate:descending"]]]
    )
    try FileManager.default.createSymbolicLink(
      atPath: scene.at("sources/library/a/link.jpg"),
      withDestinationPath: "0.jpg"
    )
    try scene.makePlan(4)
    try scene.runShards(4)
    let merge = try scene.merge()
    let unsharded = try scene.runAsOne()
    let merged = try LibraryContent(scene.merged)
    // The reason of a limit depends on all files of a listing, and a shard has some of them.
    func rows(_ content: LibraryContent) -> [String] {
      content.lines.filter { !$0.hasPrefix("failures") }
    }
    #expect(rows(unsharded).filter { !rows(merged).contains($0) } == [])
    #expect(rows(merged).filter { !rows(unsharded).contains($0) } == [])
    #expect(merge.code == 0 || merge.code == 3, "\(merge.streams)")
  }

  @Test(
    "Onto another file system files are copied",
    .enabled(if: TemporaryFolder.onOtherFileSystem != nil, "one file system")
  )
  func otherFileSystem() throws {
    let scene = try scene("keep")
    try scene.makePlan(2)
    try scene.runShards(2)
    let folder = try #require(TemporaryFolder.onOtherFileSystem)
    let merged = folder + "/mediabatch-merge-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: merged) }
    let merge = try scene.command(
      ["shards", "merge", "Plan", "--output", merged, "--unsigned", "--format", "json"]
    )
    try merge.expect(3)
    #expect(try merge.json()["linked"].int == 0 && merge.json()["copied"].int ?? 0 > 0)
    try scene.command("verify", merged).expect(0)
  }

  @Test("Private facts are those of one run")
  func privateFacts() throws {
    let scene = try scene("strip")
    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.makePlan(Self.several)
    try scene.runShards(Self.several)
    try scene.merge().expect(3)
    _ = try scene.runAsOne()
    func facts(_ library: String) throws -> String {
      try Tool.run(
        "sqlite3",
        [
          library + "/private.sqlite",
          "SELECT creationDate, creationDateTag, camera, rating FROM facts ORDER BY 1, 2, 3, 4",
        ]
      ).output
    }
    let expected = try facts(scene.library)
    #expect(expected.split(separator: "\n").count > 20)
    #expect(try facts(scene.merged) == expected)
  }

  /// The runtime of threads that it did not start itself opens files of /proc, and ends the process where it is
  /// not let: the end of a dispatch queue starts one.
  @Test(
    "A merge of short logs starts the thread of its queue alone",
    .enabled(if: Has.strace, "no strace")
  )
  func threads() throws {
    let scene = try scene("strip")
    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.makePlan(Self.several)
    try scene.runShards(Self.several)
    let trace = scene.at("trace")
    let merge = try Tool.run(
      "strace",
      [
        "-f", "-qq", "-e", "trace=clone,clone3", "-e", "signal=none", "-o", trace,
        try Scene.executable(), "shards", "merge", "Plan", "--output", "Merged", "--unsigned",
      ],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    #expect(merge.status == 3, "\(merge.error)")
    let calls = String(decoding: try readBytes(trace), as: UTF8.self).split(separator: "\n")
    #expect(calls.count { $0.contains("CLONE_THREAD") } == 1)
  }

  @Test("Files are copied where they cannot be linked, or when that is wanted, with their times")
  func copies() throws {
    let scene = try scene("keep")
    try scene.makePlan(2)
    try scene.runShards(2)
    let merge = try scene.merge("--as", "copy")
    try merge.expect(3)
    #expect(try merge.json()["linked"].int == 0)
    func times(_ library: String) throws -> [String] {
      try Tool.run("find", [library + "/Originals", "-type", "f", "-printf", "%f %T@ %n\\n"]).output
        .split(separator: "\n").map(String.init).sorted()
    }
    let copied = try times(scene.merged)
    #expect(copied.allSatisfy { $0.hasSuffix(" 1") })
    try scene.expectMergedAsOne()
    #expect(try times(scene.library) == copied)
  }

  @Test(
    "Real files in many shards are what one run makes",
    .enabled(if: Corpus.folder != nil, "no real media: MEDIABATCH_CORPUS is not set"),
    arguments: Amount.isAll ? [1, 2, 7, 64] : [3]
  )
  func corpus(shards: Int) throws {
    let scene = Scene(policy: shards == 2 ? "keep" : "strip")
    scene.setThumbnails([("grid", 64, 64, "aspectFit")])
    try scene.declare("library")
    let corpus = try #require(Corpus.folder)
    // In test-all more than 5,000 files; each of them three times, so that most are duplicates across shards.
    let few = ["jpeg", "heic", "raw", "audio", "video"].map { "visible/" + $0 }
    for copy in Amount.isAll ? ["a", "b", "c"] : ["a"] {
      let parts = Amount.isAll ? ["visible", "damaged", "second"] : few + ["second/sidecars"]
      for part in parts {
        let target = scene.at("sources/library/\(copy)/\(part)")
        try FileManager.default.createDirectory(
          atPath: (target as NSString).deletingLastPathComponent,
          withIntermediateDirectories: true
        )
        let result = try Tool.run("cp", ["-r", corpus + "/" + part, target])
        try #require(result.status == 0, "\(result.error)")
      }
    }
    try scene.makePlan(shards)
    try scene.runShards(shards)
    try scene.merge().expect(3)
    try scene.expectMergedAsOne()
  }
}
