import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Halves of live photos that are not met in one batch: they find each other by content identifier.
@Suite("Live photos whose halves come apart")
struct LateHalfTests {
  private static let rows = """
    SELECT r.asset || ' ' || r.role || ' ' || CAST(r.sourcePath AS TEXT) || ' ' || a.degraded
      || ' ' || a.mediaType
    FROM resources r JOIN assets a ON a.id = r.asset WHERE r.superseded = 0 ORDER BY r.role
    """

  /// A library source with a live photo of which the halves have these names.
  private func scene(
    _ policy: String,
    _ names: [String],
    between count: Int = 0
  ) throws -> Scene {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    try scene.declare("library")
    let (still, movie) = try Media.livePhoto("one")
    for name in names {
      try scene.put("sources/library/" + name, name.hasSuffix("jpg") ? still : movie)
    }
    for number in 0..<count {
      try scene.put("sources/library/m\(number).jpg", try Media.photo("\(number)"))
    }
    return scene
  }

  /// The content identifiers of all originals, as exiftool reads them.
  private func identifiers(_ scene: Scene) throws -> [String] {
    let paths = try scene.catalogue("SELECT path FROM resources WHERE superseded = 0")
    return try paths.compactMap { path in
      let text = try Tool.run(
        "exiftool",
        ["-s3", "-ContentIdentifier", "-MediaGroupUUID", scene.at("Library/" + path)]
      ).output.trimmingCharacters(in: .whitespacesAndNewlines)
      return text.isEmpty ? nil : text
    }
  }

  private func expectRebuilt(_ scene: Scene) throws {
    let answer = try scene.command("rebuild", scene.library, "--format", "json")
    try answer.expect(0)
    #expect(try answer.json()["comparison"]["differences"].array.isEmpty, "\(answer.output)")
  }

  @Test(
    "Whatever they are called, and in one batch or two, one run makes one asset of them",
    .enabled(if: Has.sqlite && Has.exiftool, "no sqlite3 or no exiftool"),
    arguments: Amount.pairs(
      ["keep", "strip"],
      Amount.some(
        3,
        of: [
          ("IMG_1635.jpg", "IMG_1635_HEVC.MOV", 0), ("a.jpg", "z.mov", 80),
          ("a/x.jpg", "b/y.mov", 0), ("z.jpg", "a.mov", 80),
        ]
      )
    )
  )
  func oneRun(policy: String, files: (still: String, movie: String, between: Int)) throws {
    let scene = try scene(policy, [files.still, files.movie], between: files.between)
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["imported": 2 + files.between])
    let rows = try scene.catalogue(Self.rows).filter { !$0.contains(" m") }
    #expect(rows.count == 2 && Set(rows.map { $0.prefix { $0 != " " } }).count == 1, "\(rows)")
    #expect(rows.allSatisfy { $0.hasSuffix(" 0 image") }, "\(rows)")
    #expect(rows.contains { $0.contains("pairedVideo \(files.movie)") })
    let identifiers = try identifiers(scene)
    #expect(identifiers.count >= 2 && Set(identifiers).count == 1, "\(identifiers)")
    #expect(try scene.catalogue("SELECT count(*) FROM assets") == ["\(1 + files.between)"])
    try scene.run().expectCounts(["unchanged": 2 + files.between])
    try LibraryState.expectWhole(scene.library)
    try expectRebuilt(scene)
  }

  @Test(
    "A half that comes in a later run is published with the first, as the same asset",
    .enabled(if: Has.sqlite && Has.exiftool, "no sqlite3 or no exiftool"),
    arguments: Amount.pairs(
      ["keep", "strip"],
      Amount.some(
        2,
        of: [
          ["IMG_1.jpg", "IMG_1.mov"], ["IMG_1.mov", "IMG_1.jpg"], ["b.jpg", "a.mov"],
          ["b.mov", "a.jpg"],
        ]
      )
    )
  )
  func twoRuns(policy: String, names: [String]) throws {
    let scene = try scene(policy, [names[0]])
    try scene.run().expectCounts(["imported": 1])
    let first = try scene.catalogue("SELECT localIdentifier, path FROM assets, resources")
    #expect(try identifiers(scene).isEmpty == (policy == "strip"))
    let (still, movie) = try Media.livePhoto("one")
    try scene.put("sources/library/" + names[1], names[1].hasSuffix("jpg") ? still : movie)
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["imported": 1, "unchanged": 1])
    let rows = try scene.catalogue(Self.rows)
    #expect(rows.count == 2 && rows.allSatisfy { $0.hasSuffix(" 0 image") }, "\(rows)")
    #expect(
      try scene.catalogue("SELECT localIdentifier FROM assets").map { $0 + "|" }
        == first.map { String($0.prefix(37)) }
    )
    let identifiers = try identifiers(scene)
    #expect(identifiers.count == 2 && Set(identifiers).count == 1, "\(identifiers)")
    // The record of the first half is said to be another of what counted already.
    let again = try scene.lastLog().filter { $0["again"].bool == true }
    #expect(again.compactMap { $0["path"].string } == [names[0]])
    try expectRebuilt(scene)
    try scene.run().expectCounts(["unchanged": 2])
    #expect(try scene.catalogue("SELECT count(*) FROM resources") == ["2"])
    #expect(try scene.originals().count == 2)
    try LibraryState.expectWhole(scene.library)
    try expectRebuilt(scene)
  }

  @Test(
    "A movie whose still is gone from the source, or changed, stays an asset of its own, degraded",
    .enabled(if: Has.sqlite, "no sqlite3"),
    arguments: [true, false]
  )
  func stillIsGone(removed: Bool) throws {
    let scene = try scene("strip", ["a.jpg"])
    try scene.run().expect(0)
    let (_, movie) = try Media.livePhoto("one")
    try scene.put("sources/library/b.mov", movie)
    let path = scene.at("sources/library/a.jpg")
    try FileManager.default.removeItem(atPath: path)
    if !removed { try scene.put("sources/library/a.jpg", try Media.photo("another")) }
    try scene.run().expect(0)
    #expect(try scene.catalogue("SELECT role FROM resources ORDER BY id").contains("pairedVideo") == false)
    #expect(try scene.catalogue("SELECT degraded FROM assets WHERE mediaType = 'video'") == ["1"])
    try scene.expectVerified()
  }

  @Test(
    "A copy of a movie is a duplicate of the half that is published, wherever it comes first",
    .enabled(if: Has.sqlite, "no sqlite3"),
    arguments: Amount.pairs(["keep", "strip"], ["0.mov", "z.mov"])
  )
  func copiedMovie(policy: String, copy: String) throws {
    let scene = try scene(policy, ["live.jpg", "live.mov", copy])
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["imported": 2, "duplicate": 1])
    let rows = try scene.catalogue(Self.rows)
    #expect(rows == ["1 pairedVideo live.mov 0 image", "1 photo live.jpg 0 image"])
    try scene.run().expectCounts(["unchanged": 3])
    try scene.expectVerified()
  }

  @Test(
    "A copy of a still is a duplicate of the live photo, in whichever order and run they come",
    .enabled(if: Has.sqlite && Has.exiftool, "no sqlite3 or no exiftool"),
    arguments: Amount.pairs(
      ["keep", "strip"],
      [
        (["0.jpg", "live.jpg", "live.mov"], ["imported": 2, "duplicate": 1]),
        (["live.jpg", "live.mov", "z.jpg"], ["imported": 2, "duplicate": 1]),
        (["0/live.jpg"], ["imported": 1]),
      ]
    )
  )
  func copiedStill(policy: String, first: (names: [String], counts: [String: Int])) throws {
    let scene = try scene(policy, first.names)
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(first.counts)
    let identifier = try scene.catalogue("SELECT localIdentifier FROM assets")
    if first.names.count == 1 {
      let (still, movie) = try Media.livePhoto("one")
      try scene.put("sources/library/live.jpg", still)
      try scene.put("sources/library/live.mov", movie)
      try scene.run().expectCounts(["imported": 2, "unchanged": 1])
    }
    let rows = try scene.catalogue(Self.rows)
    #expect(rows == ["1 pairedVideo live.mov 0 image", "1 photo live.jpg 0 image"])
    #expect(try scene.catalogue("SELECT localIdentifier FROM assets") == identifier)
    let contentIdentifiers = try identifiers(scene)
    #expect(contentIdentifiers.count == 2 && Set(contentIdentifiers).count == 1)
    try scene.run().expectCounts(["unchanged": 3])
    try scene.run("--reprocess").expect(0)
    #expect(try scene.catalogue("SELECT count(*) FROM assets") == ["1"])
    try LibraryState.expectWhole(scene.library)
    try scene.expectVerified()
    try expectRebuilt(scene)
  }

  @Test("Under strip nothing but keyed digests tells the source's identifier")
  func holdsDigestsOnly() throws {
    let scene = try scene("strip", ["a.jpg", "b.mov", "c.jpg"])
    try scene.run().expect(0)
    let text = try Tool.run("exiftool", ["-s3", "-ContentIdentifier", Samples.movie]).output
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let bytes = try #require(text.isEmpty ? nil : Array(text.utf8))
    let plain = bytes.filter { $0 != UInt8(ascii: "-") }
    for file in try FileManager.default.subpathsOfDirectory(atPath: scene.library) {
      guard let content = FileManager.default.contents(atPath: scene.library + "/" + file) else {
        continue
      }
      for needle in [bytes, plain] {
        #expect(content.range(of: Data(needle)) == nil, "\(file)")
        let lower = String(decoding: needle, as: UTF8.self).lowercased()
        #expect(content.range(of: Data(lower.utf8)) == nil, "\(file)")
      }
    }
    #expect(try scene.catalogue("SELECT DISTINCT length(contentDigest) FROM assets") == ["16"])
  }

  @Test(
    "One library always makes the same files of a live photo, and another library others",
    .enabled(if: Has.sqlite, "no sqlite3")
  )
  func derivesIdentifiers() throws {
    let scene = try scene("strip", ["a.jpg", "b.mov"])
    try scene.run().expect(0)
    let sql = "SELECT sha256 FROM resources WHERE superseded = 0 ORDER BY role"
    let first = try scene.catalogue(sql)
    let other = try self.scene("strip", ["a.jpg", "b.mov"])
    try other.run().expect(0)
    #expect(try other.catalogue(sql) != first)
    // The same photo under stricter settings and back is published anew, with the same bytes.
    try FileManager.default.removeItem(atPath: scene.library + "/Originals")
    try scene.run().expect(0)
    #expect(try scene.catalogue(sql) == first)
    try scene.expectVerified()
  }

  @Test(
    "A run that is killed while it joins the halves is finished by the next one",
    .enabled(if: Has.strace && Has.sqlite, "no strace or no sqlite3"),
    arguments: [1, 2, 3]
  )
  func killed(rename: Int) throws {
    let scene = try scene("strip", ["a.jpg"])
    try scene.run().expect(0)
    let (_, movie) = try Media.livePhoto("one")
    try scene.put("sources/library/b.mov", movie)
    let killed = try RunMoment(call: "renameat2", number: rename)
      .kill(["run", "manifest.json"], in: scene.path)
    try killed.wait()
    try #require(killed.wasKilled)
    try scene.run().expect(0)
    #expect(try scene.catalogue(Self.rows).count == 2)
    #expect(try scene.catalogue("SELECT count(*) FROM assets") == ["1"])
    try LibraryState.expectWhole(scene.library)
    try scene.run().expectCounts(["unchanged": 2])
    try expectRebuilt(scene)
  }

  @Test(
    "Real live photos whose names differ are one asset each",
    .enabled(if: Has.sqlite && Has.exiftool, "no sqlite3 or no exiftool"),
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS"),
    arguments: ["keep", "strip"],
    [("train.jpg", "train.mov"), ("IMG_3853.HEIC", "IMG_3853.MOV")]
  )
  func realHalves(policy: String, files: (still: String, movie: String)) throws {
    let scene = Scene(policy: policy)
    try scene.declare("library")
    for (folder, name) in [("one/", files.still), ("two/3_", files.movie)] {
      try scene.put(
        "sources/library/" + folder + name,
        copyOf: try #require(Corpus.file("visible/livephoto/" + name))
      )
    }
    try scene.run().expect(0)
    #expect(try scene.catalogue("SELECT count(*) FROM assets") == ["1"])
    let identifiers = try identifiers(scene)
    #expect(identifiers.count == 2 && Set(identifiers).count == 1, "\(identifiers)")
    try scene.expectVerified()
  }
}
