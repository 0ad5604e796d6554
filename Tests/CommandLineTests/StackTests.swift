import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Assets that a person sees as one, as sqlite3 sees them in the catalogue.
@Suite("Stacks", .enabled(if: Has.exiftool && Has.sqlite, "no exiftool or sqlite3"))
struct StackTests {
  private func put(_ scene: Scene, _ name: String, _ text: String, taken: String? = nil) throws {
    if name.hasSuffix(".NEF") {
      try scene.put("sources/camera/" + name, RawUnderStripTests.raw(try Media.photo(text)))
    } else {
      try scene.put("sources/camera/" + name, try Media.photo(text))
    }
    guard let taken else { return }
    try Independent.make(
      "exiftool",
      [
        "-q", "-overwrite_original", "-DateTimeOriginal=2019:07:04 10:15:\(taken)",
        scene.at("sources/camera/" + name),
      ]
    )
  }

  /// The rows of `stacks` as `kind position label.format cover`, sorted.
  private func stacks(_ scene: Scene) throws -> [String] {
    try scene.catalogue(
      """
      SELECT stacks.kind || ' ' || stacks.position || ' ' || assets.label || '.' || resources.format
        || ' of ' || cover.label
      FROM stacks JOIN assets ON assets.id = stacks.asset
      JOIN assets AS cover ON cover.id = stacks.cover
      JOIN resources ON resources.asset = assets.id AND resources.superseded = 0 ORDER BY 1
      """
    )
  }

  private func identifier(_ label: String, _ format: String, _ scene: Scene) throws -> String {
    try #require(
      scene.catalogue(
        """
        SELECT localIdentifier FROM assets JOIN resources ON resources.asset = assets.id
        WHERE label = '\(label)' AND format = '\(format)'
        """
      ).first
    )
  }

  private func expectRebuilt(_ scene: Scene) throws {
    let before = try CatalogueDump(scene.library)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    let after = try CatalogueDump(scene.library)
    #expect(after.lacking(in: before) == [])
    #expect(before.lacking(in: after) == [])
    try scene.expectVerified()
  }

  private static let whole = [
    "edited 0 IMG_E1234.jpeg of IMG_E1234", "edited 1 IMG_1234.jpeg of IMG_E1234",
    "formats 0 DSC_1.jpeg of DSC_1", "formats 1 DSC_1.nef of DSC_1",
  ]

  private func scene(policy: String = "keep") throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("camera")
    try put(scene, "A/DSC_1.JPG", "one", taken: "30")
    try put(scene, "A/DSC_1.NEF", "one raw", taken: "31")
    try put(scene, "A/DSC_2.JPG", "two", taken: "30")
    try put(scene, "A/DSC_2.NEF", "two raw", taken: "33")
    try put(scene, "A/IMG_1234.JPG", "before")
    try put(scene, "A/IMG_E1234.JPG", "after")
    try put(scene, "B/IMG_E1234.JPG", "alone")
    return scene
  }

  @Test("The earlier version of a file that has changed is in no stack, also if it was the cover")
  func olderVersions() throws {
    let scene = try scene()
    try scene.run().expect(0)
    try put(scene, "A/DSC_1.JPG", "one, changed", taken: "30")
    try put(scene, "A/IMG_1234.JPG", "before, changed")
    let changed = try scene.run()
    try changed.expect(0)
    try changed.expectCounts(["imported": 2, "unchanged": 5])
    #expect(try stacks(scene) == Self.whole)
    try expectRebuilt(scene)
    #expect(try stacks(scene) == Self.whole)
  }

  @Test("A run stacks by the rules, list shows covers, and a rebuild makes the same stacks")
  func run() throws {
    let scene = try scene()
    try scene.run().expect(0)
    #expect(try stacks(scene) == Self.whole)
    let list = try scene.command("list", scene.library, "--format", "json").json()["assets"].array
    #expect(list.count == 7)
    let jpeg = try identifier("DSC_1", "jpeg", scene)
    let raw = try #require(
      list.first { $0["label"].string == "DSC_1" && $0["files"].array[0]["format"].string == "nef" }
    )
    #expect(raw["stack"]["cover"].string == jpeg)
    #expect(raw["stack"]["kind"].string == "formats" && raw["stack"]["assets"].int == 2)
    let covers = try scene.command("list", scene.library, "--covers", "--format", "json").json()
    #expect(covers["assets"].array.count == 5)
    #expect(
      !covers["assets"].array.contains {
        $0["localIdentifier"].string == raw["localIdentifier"].string
      }
    )
    // The first of what is asked for stands for a stack whose cover is not among it.
    let raws = ["--where", "label == 'DSC_1' AND format == 'nef'", "--format", "json"]
    for option in [[], ["--covers"]] {
      let listing = try scene.command(["list", scene.library] + raws + option).json()
      let identifiers = listing["assets"].array.map { $0["localIdentifier"].string }
      #expect(identifiers == [raw["localIdentifier"].string], "\(option)")
    }
    #expect(try scene.command("list", scene.library).output.contains("stack:2"))
    let table = try scene.command("stack", "list", scene.library)
    #expect(table.output.split(separator: "\n").count == 5 && table.error.isEmpty)
    try expectRebuilt(scene)
    try scene.run().expectCounts(["unchanged": 7])
    #expect(try stacks(scene) == Self.whole)
  }

  @Test("Under strip no times are stored: names decide, and that is said")
  func strip() throws {
    let scene = try scene(policy: "strip")
    scene.manifest["rawUnderStrip"] = "previewOnly"
    try scene.run().expect(0)
    // The preview of a raw file is published as a JPEG, so there is nothing to tell the two apart by.
    #expect(try stacks(scene) == Array(Self.whole.prefix(2)))
    let table = try scene.command("stack", "list", scene.library)
    #expect(table.error.contains("no stored time of capture"))
    try expectRebuilt(scene)
  }

  @Test("The raw file that comes later joins its JPEG, and the history says so")
  func later() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try put(scene, "DSC_1.JPG", "one", taken: "30")
    try put(scene, "deep/er/DSC_1.NEF", "other raw", taken: "30")
    try scene.run().expect(0)
    #expect(try stacks(scene) == [])
    let token = try scene.changes().token
    try put(scene, "DSC_1.NEF", "one raw", taken: "30")
    try scene.run().expect(0)
    #expect(try stacks(scene) == Array(Self.whole.suffix(2)))
    let changes = try scene.changes(since: token)
    #expect(try changes.updated == [identifier("DSC_1", "jpeg", scene)])
    #expect(changes.inserted.count == 1)
    try expectRebuilt(scene)
  }

  @Test("Bursts are tied by what cameras write, also under strip, which keeps digests alone")
  func bursts() throws {
    for policy in ["keep", "strip"] {
      let scene = Scene(policy: policy)
      try scene.declare("camera")
      try put(scene, "IMG_20190704_101530_BURST001.jpg", "first")
      try put(scene, "IMG_20190704_101530_BURST002_COVER.jpg", "second")
      try put(scene, "IMG_20190704_101530_BURST003.jpg", "third")
      try put(scene, "IMG_20190704_101531_BURST001.jpg", "of another")
      try scene.run().expect(0)
      let name = "IMG_20190704_101530_BURST00"
      #expect(
        try stacks(scene) == [
          "burst 0 \(name)2_COVER.jpeg of \(name)2_COVER",
          "burst 1 \(name)1.jpeg of \(name)2_COVER", "burst 2 \(name)3.jpeg of \(name)2_COVER",
        ],
        "\(policy)"
      )
      #expect(try scene.catalogue("SELECT DISTINCT length(burstDigest) FROM assets") == ["16"])
      #expect(
        try scene.catalogue("SELECT count(*) FROM assets WHERE burst IS NOT NULL")
          == [policy == "keep" ? "4" : "0"]
      )
      try expectRebuilt(scene)
    }
  }

  @Test("A Pixel's pictures of a mode are a stack, and Samsung's of a burst, also under strip")
  func namesOfPhones() throws {
    for policy in ["keep", "strip"] {
      let scene = Scene(policy: policy)
      try scene.declare("camera")
      let pixel = "PXL_20230704_101530123.PORTRAIT-0"
      for name in [
        pixel + "1.COVER.jpg", pixel + "2.ORIGINAL.jpg", "20231207_101605_001.jpg",
        "20231207_101605_002.jpg", "20231207_101606_001.jpg",
      ] {
        try put(scene, name, name)
      }
      try scene.run().expect(0)
      #expect(
        try stacks(scene) == [
          "burst 0 20231207_101605_001.jpeg of 20231207_101605_001",
          "burst 1 20231207_101605_002.jpeg of 20231207_101605_001",
          "edited 0 \(pixel)1.COVER.jpeg of \(pixel)1.COVER",
          "edited 1 \(pixel)2.ORIGINAL.jpeg of \(pixel)1.COVER",
        ],
        "\(policy)"
      )
      try expectRebuilt(scene)
    }
  }

  @Test(
    "What fits in several ways stays apart and is listed; a person decides, and rebuild follows"
  )
  func decisions() throws {
    let scene = try scene()
    try put(scene, "A/DSC_1.jpeg", "one again")
    let run = try scene.run()
    try run.expect(0)
    #expect(run.error.contains("1 group of files could be stacked in several ways"), "\(run.error)")
    let ambiguous = try scene.command("stack", "list", scene.library, "--ambiguous", "--format", "json")
    #expect(try ambiguous.json()["stacks"].array.map { $0["assets"].array.count } == [3])
    #expect(try scene.command("stack", "list", scene.library).output.contains("DSC_1") == false)
    #expect(
      try scene.command("list", scene.library, "--covers", "--format", "ndjson").output
        .split(separator: "\n").count == 7
    )

    let raw = try identifier("DSC_1", "nef", scene)
    let jpegs = try scene.catalogue(
      """
      SELECT localIdentifier FROM assets JOIN resources ON resources.asset = assets.id
      WHERE label = 'DSC_1' AND format = 'jpeg' ORDER BY hex(sourcePath)
      """
    )
    let token = try scene.changes().token
    try scene.command("stack", "add", scene.library, jpegs[0], String(raw.prefix(13))).expect(0)
    let user = ["user 0 DSC_1.jpeg of DSC_1", "user 1 DSC_1.nef of DSC_1"]
    #expect(try stacks(scene) == Array(Self.whole.prefix(2)) + user)
    #expect(try Set(scene.changes(since: token).updated) == [jpegs[0], raw])
    let again = try scene.command("stack", "add", scene.library, jpegs[0], raw)
    #expect(again.output.contains("already this stack"))
    // Without all, the catalogue is made anew only when something is apart, too.
    if Amount.isAll { try expectRebuilt(scene) }
    // An edited rendition is taken apart with its original; no run stacks them again.
    let edited = try identifier("IMG_1234", "jpeg", scene)
    try scene.command("stack", "split", scene.library, edited).expect(0)
    try put(scene, "A/new.JPG", "new")
    try scene.run().expect(0)
    let apart = ["apart 0 IMG_1234.jpeg of IMG_1234", "apart 0 IMG_E1234.jpeg of IMG_E1234"]
    #expect(try stacks(scene) == apart + user)
    #expect(try scene.command("stack", "split", scene.library, edited).output.contains("None of them"))
    try expectRebuilt(scene)
    // Both stacks become one, with another cover.
    try scene.command("stack", "add", scene.library, jpegs[1], raw, edited).expect(0)
    #expect(try stacks(scene).filter { $0.hasPrefix("user") }.count == 4)
    try scene.command("stack", "add", scene.library, raw).expect(0)
    #expect(
      try scene.catalogue(
        "SELECT cover.localIdentifier FROM stacks JOIN assets AS cover ON cover.id = cover WHERE kind = 'user' GROUP BY 1"
      ) == [raw]
    )
    try scene.command("stack", "add", scene.library, "zzz", raw).expect(64)
    try scene.command("stack", "add", scene.library, try identifier("new", "jpeg", scene)).expect(64)
    try expectRebuilt(scene)
    let log = try scene.command("audit", "verify", scene.library)
    try log.expect(0)
  }

  @Test(
    "Killed at any moment, a decision is carried out by what comes next, or has changed nothing",
    .enabled(if: Has.strace, "no strace")
  )
  func isKilled() throws {
    let scene = try scene()
    try scene.run().expect(0)
    let two = ["jpeg", "nef"]
    let assets = try two.map { try identifier("DSC_2", $0, scene) }
    try Independent.make("cp", ["-a", scene.library, scene.at("Whole")])
    let command = ["stack", "add", scene.library] + assets
    var ends: Set<Int> = []
    let moments = try RunMoment.spread(over: command, in: scene.path, count: Amount.of(8, all: 60))
    for moment in Amount.some(3, of: moments) {
      try FileManager.default.removeItem(atPath: scene.library)
      try Independent.make("cp", ["-a", scene.at("Whole"), scene.library])
      let killed = try moment.kill(command, in: scene.path)
      try killed.wait()
      #expect(killed.wasKilled, "\(moment)")
      try scene.run().expectCounts(["unchanged": 7])
      let rows = try stacks(scene).filter { $0.hasPrefix("user") }
      ends.insert(rows.count)
      #expect(rows.count == 0 || rows.count == 2, "\(moment): \(rows)")
      try LibraryState.expectWhole(scene.library)
      try scene.removeCatalogue()
      try scene.rebuild().expect(0)
      #expect(try stacks(scene).filter { $0.hasPrefix("user") } == rows, "\(moment)")
    }
    #expect(ends == [0, 2])
  }

  @Test(
    "Real raw files are stacked with their previews, unless these say another time",
    .enabled(if: Corpus.folder != nil, "no MEDIABATCH_CORPUS")
  )
  func realFiles() throws {
    let options = ["-q", "-overwrite_original"]
    // Each raw file that says when it was taken, and a JPEG that says the same.
    let prepared = Scene()
    var jpegs: [String] = []
    for path in Corpus.files(beneath: "visible/raw") {
      if try Tool.run("exiftool", ["-s3", "-DateTimeOriginal", path]).output.isEmpty { continue }
      let file = URL(fileURLWithPath: path)
      let name = file.deletingPathExtension().lastPathComponent
      try prepared.put("files/" + file.lastPathComponent, copyOf: path)
      let jpeg = try prepared.put("files/\(name).JPG", try Media.photo(name))
      let copied = ["-TagsFromFile", path, "-DateTimeOriginal", jpeg]
      try Independent.make("exiftool", options + copied)
      jpegs.append(name + ".JPG")
    }
    for (shift, isStacked) in [("+=0:0:2", true), ("+=0:0:3", false)] {
      let scene = Scene(policy: "keep")
      try scene.declare("camera")
      try Independent.make("cp", ["-r", prepared.at("files") + "/.", scene.at("sources/camera")])
      try Independent.make(
        "exiftool",
        options + ["-DateTimeOriginal" + shift] + jpegs.map { scene.at("sources/camera/" + $0) }
      )
      // Some of them are cut, and fail.
      _ = try scene.run()
      let raw = try scene.catalogue("SELECT asset FROM resources WHERE format <> 'jpeg'")
      try #require(raw.count >= 3)
      #expect(
        try scene.catalogue("SELECT count(*) FROM stacks WHERE kind = 'formats'")
          == ["\(isStacked ? 2 * raw.count : 0)"],
        "\(shift)"
      )
    }
  }
}
