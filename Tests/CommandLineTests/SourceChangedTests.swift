import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("A source file that has changed", .enabled(if: Has.sqlite, "no sqlite3"))
struct SourceChangedTests {
  private static let file = "sources/camera/a.jpg"

  /// A library with one photo, `a.jpg`.
  private func imported(_ policy: String, replaces: Bool = false) throws -> Scene {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    if replaces { scene.manifest["onSourceChanged"] = "replace" }
    try scene.declare("camera", "authorized", ["capture": ["mode": "photoAndVideo"]])
    try scene.put(Self.file, try Media.photo("one"))
    try scene.run().expect(0)
    return scene
  }

  /// The catalogue is the one that folders and log tell of, as sqlite3 dumps it.
  private func expectRebuilt(_ scene: Scene) throws {
    let before = try CatalogueDump(scene.library)
    try scene.removeCatalogue()
    let rebuild = try scene.rebuild()
    try rebuild.expect(0)
    let after = try CatalogueDump(scene.library)
    #expect(after.lacking(in: before) == [])
    #expect(before.lacking(in: after) == [])
  }

  @Test(
    "Its new content becomes an asset of its own, which names the older one; that stays",
    arguments: ["keep", "strip"]
  )
  func adds(policy: String) throws {
    let scene = try imported(policy)
    let before = try scene.digests("Library/Originals")
    try scene.put(Self.file, try Media.photo("two", from: Samples.photo(1)))
    let run = try scene.run()
    try run.expectCounts(["imported": 1])
    #expect(try run.json()["newerVersions"].int == 1)
    #expect(try run.json()["replaced"].int == 0)
    let after = try scene.digests("Library/Originals")
    #expect(after.count == 2 && before.allSatisfy { after[$0.key] == $0.value })
    let older = try scene.catalogue("SELECT localIdentifier FROM assets WHERE id = 1")
    #expect(
      try scene.catalogue(
        """
        SELECT older.localIdentifier FROM assets JOIN assets AS older ON older.id = assets.olderVersion
        WHERE assets.id = 2
        """
      ) == older
    )
    let outcomes = try scene.lastLog().filter { $0["event"].string == "outcome" }
    #expect(outcomes.compactMap { $0["olderVersion"].string } == older)
    // The older content is known wherever it comes back.
    try scene.put(Self.file, try Media.photo("one"))
    try scene.run().expectCounts(["duplicate": 1])
    try LibraryState.expectWhole(scene.library)
    try expectRebuilt(scene)
  }

  @Test("What stands in between and fails does not cut the line of versions")
  func failsBetween() throws {
    let scene = try imported("keep")
    try scene.put(Self.file, [UInt8](repeating: 0, count: 5_000))
    try scene.run().expect(3)
    #expect(try scene.originals().count == 1)
    try scene.put(Self.file, try Media.photo("two"))
    let run = try scene.run()
    try run.expectCounts(["imported": 1])
    #expect(try run.json()["newerVersions"].int == 1)
    try expectRebuilt(scene)
  }

  @Test("A copy that grew while it was imported is one asset when it is whole")
  func grows() throws {
    let files = [("memo.wav", Samples.sound), ("a.jpg", Samples.harbour), ("b.png", Samples.png)]
    let scene = Scene(policy: "keep")
    scene.manifest["acceptDamaged"] = true
    try scene.declare("library")
    /// Puts the beginning of each file, so many ninetieths of it.
    func put(_ parts: Int) throws {
      for (name, file) in files {
        let whole = try readBytes(file)
        try scene.put("sources/library/" + name, Array(whole[..<(whole.count * parts / 90)]))
      }
    }
    for parts in [60, 75] {
      try put(parts)
      try scene.run().expectCounts(["imported": 3])
      #expect(try scene.catalogue("SELECT count(*), sum(degraded) FROM assets") == ["3|3"])
    }
    let identifiers = """
      SELECT CAST(sourcePath AS TEXT), localIdentifier FROM assets
      JOIN resources ON resources.asset = assets.id AND resources.superseded = 0 ORDER BY 1
      """
    let before = try scene.catalogue(identifiers)
    #expect(before.count == 3)
    // Not accepted any more, and not whole yet: what is there stays.
    scene.manifest["acceptDamaged"] = false
    try put(80)
    let cut = try scene.run()
    try cut.expect(3)
    #expect(try cut.failures().count == 3, "\(cut.streams)")
    try put(90)
    let run = try scene.run()
    try run.expectCounts(["imported": 3])
    #expect(try run.json()["replaced"].int == 3)
    #expect(try scene.catalogue(identifiers) == before)
    #expect(try scene.catalogue("SELECT count(*), sum(degraded) FROM assets") == ["3|0"])
    let outcomes = try scene.lastLog().filter { $0["event"].string == "outcome" }
    #expect(outcomes.compactMap { $0["replaces"].string } == files.map { _ in "beginning" })
    try expectRebuilt(scene)
    try scene.command("repair", scene.library, "--superseded").expect(0)
    let digests = try files.map { try Independent.sha256($0.1) }.sorted()
    #expect(try scene.originals().map(\.sha256).sorted() == digests)
    try scene.run().expectCounts(["unchanged": 3])
    try LibraryState.expectWhole(scene.library)
  }

  @Test("A copy that failed while it was not whole is one asset when it is")
  func failsThenGrows() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("library")
    let whole = try readBytes(Samples.sound)
    try scene.put("sources/library/memo.wav", Array(whole.dropLast(whole.count / 3)))
    try scene.run().expect(3)
    try scene.put("sources/library/memo.wav", whole)
    let run = try scene.run()
    try run.expectCounts(["imported": 1])
    #expect(try run.json()["newerVersions"].int == 0)
    try expectRebuilt(scene)
  }

  @Test("A degraded file that other content follows stays: that is another asset")
  func doesNotGrow() throws {
    let scene = Scene(policy: "keep")
    scene.manifest["acceptDamaged"] = true
    try scene.declare("camera")
    let whole = try Media.photo("one")
    try scene.put(Self.file, Array(whole[..<(whole.count * 2 / 3)]))
    try scene.run().expectCounts(["imported": 1])
    try scene.put(Self.file, try Media.photo("two") + whole)
    let run = try scene.run()
    try run.expectCounts(["imported": 1])
    #expect(try run.json()["newerVersions"].int == 1)
    #expect(try scene.originals().count == 2)
  }

  @Test("Replaced on request, the older original is kept until repair --superseded --replaced")
  func replaces() throws {
    let scene = try imported("keep", replaces: true)
    let first = try scene.originals()
    let identifier = try scene.catalogue("SELECT localIdentifier FROM assets")
    for text in ["two", "three"] {
      try scene.put(Self.file, try Media.photo(text))
      let run = try scene.run()
      try run.expectCounts(["imported": 1])
      #expect(try run.json()["replaced"].int == 1)
      #expect(try run.json()["newerVersions"].int == 0)
    }
    #expect(try scene.catalogue("SELECT localIdentifier FROM assets") == identifier)
    let outcomes = try scene.lastLog().filter { $0["event"].string == "outcome" }
    #expect(outcomes.compactMap { $0["replaces"].string } == ["version"])
    try expectRebuilt(scene)
    try scene.run().expectCounts(["unchanged": 1])
    let clean = try scene.command("repair", scene.library, "--superseded")
    try clean.expect(0)
    #expect(clean.output.contains("Replaced originals that are kept: 2"))
    let kept = try scene.originals()
    #expect(kept.count == 3 && kept.contains { $0 == first[0] })
    try LibraryState.expectWhole(scene.library)
    // A replaced original is verified like a current one.
    let path = scene.library + "/Originals/" + first[0].path
    let bytes = try readBytes(path)
    try scene.put("Library/Originals/" + first[0].path, bytes + [0])
    try scene.command("verify", scene.library).expect(65)
    try scene.put("Library/Originals/" + first[0].path, bytes)

    let removal = try scene.command(
      "repair",
      scene.library,
      "--superseded",
      "--replaced",
      "--format",
      "json"
    )
    try removal.expect(0)
    #expect(try removal.json()["removed"].array.count == 2)
    #expect(try removal.json()["replaced"].int == 0)
    let left = try scene.originals()
    #expect(left.count == 1)
    #expect(left.first?.sha256 == (try Independent.sha256(scene.at(Self.file))))
    try LibraryState.expectWhole(scene.library)
    try expectRebuilt(scene)
  }

  /// A reason that new content does not take the place of the older one.
  enum Obstacle: String { case otherDate, otherFormat, cut, alsoElsewhere, stripped }

  @Test(
    "Content that may be another photo, is not whole or not alone replaces nothing",
    arguments: ["keep", "strip"]
  )
  func replacesNothing(policy: String) throws {
    let obstacles: [Obstacle] =
      policy == "strip" ? [.stripped] : [.otherDate, .otherFormat, .cut, .alsoElsewhere]
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 32, 32, "aspectFill")])
    scene.manifest["onSourceChanged"] = "replace"
    try scene.declare("camera", "authorized", ["capture": ["mode": "photoAndVideo"]])
    func put(_ obstacle: Obstacle, _ content: [UInt8]) throws {
      try scene.put("sources/camera/\(obstacle).jpg", content)
    }
    for obstacle in obstacles { try put(obstacle, try Media.photo("one \(obstacle)")) }
    try scene.run().expectCounts(["imported": obstacles.count])
    let before = try scene.digests("Library/Originals")
    if obstacles.contains(.alsoElsewhere) {
      try scene.put("sources/camera/copy.jpg", try Media.photo("one \(Obstacle.alsoElsewhere)"))
      try scene.run().expectCounts(["unchanged": obstacles.count, "duplicate": 1])
    }
    if obstacles.contains(.cut) { scene.manifest["acceptDamaged"] = true }
    for obstacle in obstacles {
      let content = try Media.photo("two \(obstacle)")
      switch obstacle {
      case .otherDate: try put(obstacle, try Media.photo("two", from: Samples.photo(1)))
      case .otherFormat: try put(obstacle, try readBytes(Samples.png))
      case .cut: try put(obstacle, Array(content[..<(content.count * 5 / 6)]))
      case .alsoElsewhere, .stripped: try put(obstacle, content)
      }
    }
    let run = try scene.run()
    #expect(try run.count("imported") == obstacles.count, "\(run.streams)")
    #expect(try run.json()["replaced"].int == 0)
    #expect(try run.json()["newerVersions"].int == obstacles.count)
    let after = try scene.digests("Library/Originals")
    #expect(after.count == 2 * obstacles.count)
    #expect(before.allSatisfy { after[$0.key] == $0.value })
    try LibraryState.expectWhole(scene.library)
  }

  @Test("Both halves of a live photo are replaced together, or neither")
  func livePhoto() throws {
    let scene = Scene(policy: "keep")
    scene.manifest["onSourceChanged"] = "replace"
    try scene.declare("library")
    func put(_ text: String) throws {
      let (still, movie) = try Media.livePhoto(text)
      try scene.put("sources/library/IMG_1.JPG", still)
      try scene.put("sources/library/IMG_1.MOV", movie)
    }
    try put("one")
    try scene.run().expectCounts(["imported": 2])
    try put("two")
    let run = try scene.run()
    try run.expectCounts(["imported": 2])
    #expect(try scene.catalogue("SELECT count(*) FROM assets") == ["1"])
    #expect(
      try scene.catalogue("SELECT superseded, count(*) FROM resources GROUP BY 1 ORDER BY 1")
        == ["0|2", "2|2"]
    )
    try expectRebuilt(scene)
    let (still, _) = try Media.livePhoto("three")
    try scene.put("sources/library/IMG_1.JPG", still)
    try scene.run().expectCounts(["imported": 1, "unchanged": 1])
    #expect(try scene.catalogue("SELECT count(*), max(olderVersion) FROM assets") == ["2|1"])
    try LibraryState.expectWhole(scene.library)
  }
}
