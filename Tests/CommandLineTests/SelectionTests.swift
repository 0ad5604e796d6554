import Foundation
import MediaModel
import MediaTestSupport
import Testing

@Suite("What a client chose in a gallery", .enabled(if: Has.sqlite, "no sqlite3"))
struct SelectionTests {
  private static let identifiers = [
    "0a1b2c3d-1111-4000-8000-000000000001", "0a1b2c3d-2222-4000-8000-000000000002",
    "99887766-3333-4000-8000-000000000003", "55667788-4444-4000-8000-000000000004",
  ]

  /// A library of `photo1` … `photo4` with these identifiers, of which the last one is hidden.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 256, 256, "aspectFit")])
    try scene.declare("library")
    for number in 1...4 {
      try scene.put("sources/library/photo\(number).jpg", try Media.photo("\(number)"))
    }
    try scene.run().expect(0)
    for (index, identifier) in Self.identifiers.enumerated() {
      _ = try scene.catalogue(
        "UPDATE assets SET localIdentifier = '\(identifier)' WHERE label = 'photo\(index + 1)'"
      )
    }
    _ = try scene.catalogue("UPDATE assets SET isHidden = 1 WHERE label = 'photo4'")
    return scene
  }

  private func put(_ lines: [String], head: [String] = [], in scene: Scene) throws {
    let text = (["mediabatch-selection/1"] + head + [""] + lines).joined(separator: "\r\n")
    try scene.put("chosen.txt", text)
  }

  private func listed(_ outcome: Outcome) throws -> [String] {
    try outcome.json()["assets"].array.compactMap { $0["label"].string }.sorted()
  }

  private func list(_ scene: Scene, _ further: String...) throws -> Outcome {
    try scene.command(["list", "Library", "--selection", "chosen.txt", "--format", "json"] + further)
  }

  @Test("A list has the chosen assets alone, in its own order, and says who chose")
  func list() throws {
    let scene = try scene()
    try put(
      ["99887766-3333  photo3", "0A1B2C3D1111  photo1"],
      head: ["gallery: 7F3C Coast", "from: Ann\u{202E} \u{1B}[2JM", "note: A bit warmer"],
      in: scene
    )
    let outcome = try list(scene, "--sort", "label")
    try outcome.expect(0)
    #expect(try outcome.json()["assets"].array.compactMap { $0["label"].string } == ["photo1", "photo3"])
    #expect(
      outcome.error.contains(
        "2 assets of a selection by \"Ann\\u{202E} \\u{1B}[2JM\" in the gallery \"7F3C Coast\"."
      )
    )
    #expect(outcome.error.contains("Their note: \"A bit warmer\""))
    #expect(!outcome.output.contains("warmer") && !outcome.error.contains("\u{1B}"))
    let reversed = try list(scene, "--sort", "label:descending", "--limit", "1")
    #expect(try listed(reversed) == ["photo3"])
    let both = try list(scene, "--where", "label == \"photo1\"")
    try both.expect(0)
    #expect(try listed(both) == ["photo1"])
  }

  @Test(
    "A list leads to the sources' files, and with whole stacks to the raw file behind a chosen JPEG",
    .enabled(if: Has.exiftool, "no exiftool")
  )
  func wholeStacks() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    for name in ["DSC_1.JPG", "DSC_1.NEF", "DSC_2.JPG", "Größe 1.jpg"] {
      let photo = try Media.photo(name)
      let bytes = name.hasSuffix("NEF") ? RawUnderStripTests.raw(photo) : photo
      let file = try scene.put("sources/library/Trip 100%25/\(name)", bytes)
      let date = "-DateTimeOriginal=2019:07:04 10:15:30"
      try Independent.make("exiftool", ["-q", "-overwrite_original", date, file])
    }
    try scene.run().expect(0)
    let chosen = """
      SELECT localIdentifier FROM assets JOIN resources ON asset = assets.id
      WHERE label = 'DSC_1' AND format = 'jpeg'
      """
    try put(scene.catalogue(chosen), in: scene)
    func sources(_ outcome: Outcome) throws -> [String] {
      try outcome.expect(0)
      return try outcome.json()["assets"].array.map { asset in
        "\(asset["sourceName"].string ?? "") \(asset["files"].array.first?["sourcePath"].string ?? "")"
      }.sorted()
    }
    let (jpeg, raw) = ("library Trip 100%25/DSC_1.JPG", "library Trip 100%25/DSC_1.NEF")
    #expect(try sources(list(scene)) == [jpeg])
    #expect(try sources(list(scene, "--whole-stacks")) == [jpeg, raw])
    #expect(try sources(list(scene, "--whole-stacks", "--limit", "1")).count == 1)
    let named = ["list", "Library", "--where", "format == 'jpeg'", "--whole-stacks", "--sort", "label"]
    let csv = try scene.command(named + ["--format", "csv"]).output.split(whereSeparator: \.isNewline)
    #expect(csv.count == 5 && csv[0].hasSuffix(",\"path\",\"sourcePath\""), "\(csv)")
    #expect(csv.contains { $0.hasSuffix("\"Trip 100%25/DSC_1.NEF\"") }, "\(csv)")
    // One name leads to both halves of a pair.
    #expect(try scene.command(named + ["--format", "lightroom"]).output == "DSC_1, DSC_2, Größe 1\n")
    let nothing = ["list", "Library", "--where", "label == 'no'", "--whole-stacks", "--format", "lightroom"]
    #expect(try scene.command(nothing).output.isEmpty)
    let export = ["export", "Library", "--selection", "chosen.txt", "--layout", "{label}"]
    try scene.command(export + ["jpegs"]).expect(0)
    #expect(try scene.madePaths("jpegs") == ["DSC_1.jpg"])
    try scene.command(export + ["--whole-stacks", "all"]).expect(0)
    #expect(try scene.madePaths("all") == ["DSC_1.jpg", "DSC_1.nef"])
    let gallery = ["gallery", "Library", "site", "--selection", "chosen.txt", "--format", "json"]
    #expect(try scene.command(gallery).json()["assets"].int == 1)
    #expect(try scene.command(gallery + ["--whole-stacks"]).json()["assets"].int == 2)
    let refused = try Scene.program(export + ["--whole-stacks", "--covers", "no"], in: scene.path)
    #expect(refused.code == 64 && refused.error.contains("--covers"), "\(refused.streams)")
  }

  @Test("A selection comes from standard input too")
  func standardInput() throws {
    let scene = try scene()
    try put(["> 99887766", "> -- ", "> 0A1B2C3D1111"], in: scene)
    let result = try Tool.run(
      "sh",
      [
        "-c", "\"$0\" list Library --selection - --format paths <chosen.txt",
        try Scene.executable(),
      ],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.split(separator: "\n").count == 1 && result.output.contains("photo3"))
  }

  @Test(
    "An identifier of no asset, of several, or of a hidden one is named, and the rest is written"
  )
  func unknown() throws {
    let scene = try scene()
    try put(["0a1b2c3d", "12345678", "99887766", "55667788-4444", "Kind regards"], in: scene)
    let outcome = try list(scene)
    try outcome.expect(3)
    #expect(try listed(outcome) == ["photo3"])
    for line in [
      "The identifiers of 2 assets begin with \"0a1b2c3d\"", "The library has no asset \"12345678\".",
      "The library has no asset \"55667788-4444\".", "\"Kind\" is no identifier",
      "--include-hidden",
    ] { #expect(outcome.error.contains(line), "\(line): \(outcome.error)") }
    let hidden = try list(scene, "--include-hidden")
    try hidden.expect(3)
    #expect(try listed(hidden) == ["photo3", "photo4"])
    #expect(!hidden.error.contains("55667788"))
    try put(["0a1b2c3d-1111", "0a1b2c3d2"], in: scene)
    try list(scene).expect(0)
    // Nobody looks for hidden ones where none is meant.
    try put(["12345678", "99887766"], in: scene)
    let other = try list(scene)
    try other.expect(3)
    #expect(!other.error.contains("--include-hidden"), "\(other.error)")
    try put([], in: scene)
    let none = try list(scene)
    try none.expect(3)
    #expect(try listed(none).isEmpty && none.error.contains("0 assets of a selection"))
  }

  @Test("What is no selection, cannot be read, or stands beside --id is a mistake of usage")
  func usage() throws {
    let scene = try scene()
    try scene.put("chosen.txt", "0a1b2c3d-1111\n")
    let outcome = try list(scene)
    try outcome.expect(64)
    #expect(outcome.error.contains("\"chosen.txt\" is no selection"))
    try scene.put("chosen.txt", [UInt8](repeating: 0x20, count: 1 << 20 + 1))
    let long = try list(scene)
    try long.expect(64)
    #expect(long.error.contains("more than 1 MiB"))
    let folder = try scene.command("list", "Library", "--selection", "sources")
    try folder.expect(64)
    #expect(folder.error.contains("\"sources\" is a folder"), "\(folder.error)")
    let missing = try scene.command("list", "Library", "--selection", "nothing.txt")
    try missing.expect(64)
    #expect(missing.error.contains("There is no file \"nothing.txt\". Name the one"), "\(missing.error)")
    try scene.command("export", "Library", "out", "--selection", "nothing.txt").expect(64)
    #expect(!FileManager.default.fileExists(atPath: scene.at("out")))
    try put([Self.identifiers[0]], in: scene)
    try list(scene, "--id", Self.identifiers[0]).expect(64)
  }

  @Test(
    "A folder has the chosen assets alone, and follows the file when it changes",
    arguments: ["export", "gallery", "contact-sheet"]
  )
  func folders(kind: String) throws {
    let scene = try scene()
    func make() throws -> Outcome {
      try scene.command(kind, "Library", "out", "--selection", "chosen.txt", "--format", "json")
    }
    try put([Self.identifiers[0], "99887766"], head: ["from: Ann Planted", "note: SecretNote"], in: scene)
    let first = try make()
    try first.expect(0)
    #expect(try first.json()["assets"].int == 2)
    #expect(first.error.contains("by \"Ann Planted\""))
    #expect(try make().json()["isCurrent"].bool == true)
    // Neither the name nor the note is in any file.
    let result = try Tool.run("grep", ["-rlaE", "Planted|SecretNote", scene.at("out"), scene.library])
    #expect(result.status == 1, "\(result.output)")
    try put([Self.identifiers[0], "12345678"], in: scene)
    let second = try make()
    try second.expect(3)
    #expect(try second.json()["assets"].int == 1)
    #expect(second.error.contains("The library has no asset \"12345678\"."))
    let again = try make()
    try again.expect(3)
    #expect(try again.json()["isCurrent"].bool == true)
    // A selection of another library leaves the folder as it is.
    let before = try scene.snapshot("out")
    try put(["12345678", "deadbeef"], in: scene)
    let none = try make()
    try none.expect(3)
    #expect(none.error.contains("This library has no asset of the selection"))
    #expect(try scene.snapshot("out") == before)
  }

  /// Takes seconds: the catalogue gets so many rows.
  @Test(
    "100,000 identifiers are found in a library of as many assets",
    .enabled(if: Amount.isAll, "MEDIABATCH_TEST_ALL is not set")
  )
  func many() throws {
    let scene = try scene()
    _ = try scene.catalogue(
      """
      WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)
      INSERT INTO assets (localIdentifier, saved, label, mediaType, source, sourceName, policy,
        orientation, creationDate, degraded, run)
      SELECT printf('%08x-0000-4000-8000-000000000000', n), saved, 'made ' || n, mediaType, source, sourceName,
        policy, orientation, '2020-01-01T00:00:00', degraded, run
      FROM numbers, assets WHERE assets.id = 1
      """
    )
    let words = (1...100_000).map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }
    try scene.put("chosen.txt", "mediabatch-selection/1\n\n" + words.joined(separator: "\n"))
    let outcome = try list(scene, "--limit", "1")
    try outcome.expect(0)
    #expect(outcome.error.contains("100,000 assets of a selection"))
  }
}
