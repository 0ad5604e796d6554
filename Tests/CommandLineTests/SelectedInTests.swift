import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "What a client chose in another library's gallery",
  .enabled(if: Has.sqlite && Has.exiftool, "no sqlite3 or no exiftool")
)
struct SelectedInTests {
  /// `Library`, which keeps, and `Stripped` of the same files: three photos and a live photo.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 64, 64, "aspectFit")])
    try scene.declare("library")
    for number in 1...3 {
      let file = try scene.put("sources/library/photo\(number).jpg", copyOf: Samples.photo(number))
      try Independent.make("exiftool", ["-q", "-overwrite_original", "-Artist=Planted", file])
    }
    let pair = try Media.livePhoto("pair")
    try scene.put("sources/library/pair.jpg", pair.still)
    try scene.put("sources/library/pair.mov", pair.movie)
    try scene.run().expect(0)
    scene.setPolicy("strip")
    scene.manifest["output"] = ["path": "Stripped"]
    try scene.run().expect(0)
    return scene
  }

  private func stripped(_ sql: String, _ scene: Scene) throws -> [String] {
    let result = try Tool.run("sqlite3", [scene.at("Stripped/library.sqlite"), sql])
    try #require(result.status == 0, "\(result.error)")
    return result.output.split(separator: "\n").map(String.init)
  }

  /// Writes a selection of assets of `Library` by their labels, and of further lines.
  private func choose(_ labels: [String], _ lines: [String] = [], in scene: Scene) throws {
    let names = labels.map { "'\($0)'" }.joined(separator: ", ")
    let chosen = try scene.catalogue(
      "SELECT substr(localIdentifier, 1, 13) FROM assets WHERE label IN (\(names))"
    )
    #expect(chosen.count == labels.count)
    let text = ["mediabatch-selection/1", "from: Ann", ""] + chosen + lines
    try scene.put("chosen.txt", text.joined(separator: "\r\n"))
  }

  private static let chosen = ["--selection", "chosen.txt", "--selected-in", "Library"]

  private func labels(_ outcome: Outcome) throws -> [String] {
    try outcome.json()["assets"].array.compactMap { $0["label"].string }.sorted()
  }

  @Test("Each command finds the stripped copies of what was chosen, and only reads the other library")
  func commands() throws {
    let scene = try scene()
    try choose(["photo1", "photo3", "pair"], in: scene)
    let before = try scene.snapshot("Library")
    let list = try scene.command(["list", "Stripped", "--format", "json"] + Self.chosen)
    try list.expect(0)
    #expect(try labels(list) == ["pair", "photo1", "photo3"])
    #expect(list.error.contains("3 assets of a selection by \"Ann\"."), "\(list.error)")
    for kind in ["export", "gallery", "contact-sheet"] {
      let outcome = try scene.command([kind, "Stripped", kind + "-made", "--format", "json"] + Self.chosen)
      try outcome.expect(0)
      #expect(try outcome.json()["assets"].int == 3, "\(kind)")
    }
    try scene.command(["similar", "Stripped"] + Self.chosen).expect(0)
    let sums = Set(try stripped("SELECT sha256 FROM resources WHERE path NOT LIKE '%photo2%'", scene))
    #expect(try Set(scene.madeFiles("export-made").values) == sums && sums.count == 4)
    #expect(try Tool.run("grep", ["-rla", "Planted", scene.at("export-made")]).output.isEmpty)
    #expect(try scene.snapshot("Library") == before)
    // The digest that was looked up is what openssl makes of the source file with the library's key.
    let digest = try scene.shell(
      """
      key=$(sed -n 's/^key //p' Stripped/.state/digest.key)
      openssl dgst -sha256 -binary sources/library/photo1.jpg | openssl dgst -sha256 -mac HMAC -macopt hexkey:$key
      """
    )
    let stored = try stripped(
      "SELECT lower(hex(sourceDigest)) FROM resources WHERE path LIKE '%photo1.jpg'",
      scene
    )
    #expect(digest.output.hasSuffix("= \(stored.first ?? "none")\n"))
  }

  @Test("Where it leads from a library that keeps into another one, no key is needed")
  func kept() throws {
    let scene = try scene()
    try choose(["photo2", "pair"], in: scene)
    scene.setPolicy("keep")
    scene.manifest["output"] = ["path": "Second"]
    try scene.run().expect(0)
    try? FileManager.default.removeItem(atPath: scene.at("Second/.state/digest.key"))
    let list = try scene.command(["list", "Second", "--format", "json"] + Self.chosen)
    try list.expect(0)
    #expect(try labels(list) == ["pair", "photo2"])
    // A stripped library does not have the SHA-256 of what it was made of.
    let stripped = try stripped("SELECT localIdentifier FROM assets WHERE label = 'photo2'", scene)
    try scene.put("chosen.txt", "mediabatch-selection/1\n\n" + stripped.joined())
    let back = ["list", "Library", "--selection", "chosen.txt", "--selected-in", "Stripped"]
    let outcome = try scene.command(back)
    try outcome.expect(3)
    #expect(outcome.error.contains("is stripped in the gallery's library"), "\(outcome.error)")
  }

  @Test("What leads to no asset or to several is named, and the rest is written")
  func unknown() throws {
    let scene = try scene()
    // Two of the library were made of one file, as under two policies.
    _ = try stripped(
      """
      UPDATE resources SET sourceDigest = (SELECT sourceDigest FROM resources WHERE path LIKE '%photo1.jpg')
      WHERE path LIKE '%photo2.jpg'
      """,
      scene
    )
    try scene.put("sources/library/late.jpg", copyOf: Samples.photo(4))
    scene.setPolicy("keep")
    scene.manifest["output"] = ["path": "Library"]
    try scene.run().expect(0)
    try choose(["photo1", "photo3", "late"], ["12345678", "Kind"], in: scene)
    let outcome = try scene.command(["list", "Stripped", "--format", "json"] + Self.chosen)
    try outcome.expect(3)
    #expect(try labels(outcome) == ["photo3"])
    let late = try scene.catalogue("SELECT localIdentifier FROM assets WHERE label = 'late'").joined()
    for line in [
      "The library of the gallery has no asset \"12345678\".", "\"Kind\" is no identifier",
      "\"late\" (\(late)) is not in this library",
      "2 assets of this library are from the file of \"photo1\"",
    ] { #expect(outcome.error.contains(line), "\(line): \(outcome.error)") }
    _ = try stripped("UPDATE assets SET isHidden = 1 WHERE label = 'photo3'", scene)
    let hidden = try scene.command(["list", "Stripped", "--format", "json"] + Self.chosen)
    try hidden.expect(3)
    #expect(try labels(hidden).isEmpty && hidden.error.contains("--include-hidden"), "\(hidden.error)")
    let none = try scene.command("export", "Stripped", "out", "--selection", "chosen.txt")
    try none.expect(3)
    #expect(none.error.contains("name that library with --selected-in"), "\(none.error)")
  }

  @Test("With whole stacks comes what stands behind a pick there, in a stack of this library or not")
  func wholeStacks() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    let names = ["JPG", "NEF"].map { "sources/library/DSC_1.\($0)" }
    try scene.put(names[0], Media.photo("pick"))
    try scene.put(names[1], RawUnderStripTests.raw(Media.photo("pick")))
    let options = ["-q", "-overwrite_original", "-DateTimeOriginal=2019:07:04 10:15:30"]
    try Independent.make("exiftool", options + names.map(scene.at))
    let (photo, raw) = (try readBytes(scene.at(names[0])), try readBytes(scene.at(names[1])))
    try scene.run().expect(0)
    let jpeg = """
      SELECT localIdentifier FROM assets JOIN resources ON asset = assets.id WHERE format = 'jpeg'
      """
    try scene.put("chosen.txt", "mediabatch-selection/1\n\n" + scene.catalogue(jpeg).joined())
    try scene.declare("library", "authorized", ["path": "sources/apart"])
    try scene.put("sources/apart/one/a.jpg", photo)
    try scene.put("sources/apart/two/b.nef", raw)
    scene.manifest["output"] = ["path": "Apart"]
    try scene.run().expect(0)
    let list = ["list", "Apart", "--format", "json"] + Self.chosen
    #expect(try labels(scene.command(list)) == ["a"])
    let whole = try scene.command(list + ["--whole-stacks"])
    try whole.expect(0)
    #expect(try labels(whole) == ["a", "b"])
    let export = ["export", "Apart", "out", "--layout", "{label}", "--whole-stacks"] + Self.chosen
    try scene.command(export).expect(0)
    #expect(try scene.madePaths("out") == ["a.jpg", "b.nef"])
  }

  @Test("It goes with a selection, needs a library, and a lost digest key is told")
  func usage() throws {
    let scene = try scene()
    try choose(["photo1"], in: scene)
    for command in ["list", "similar"] {
      let alone = try scene.command(command, "Stripped", "--selected-in", "Library")
      try alone.expect(64)
      #expect(alone.error.contains("--selected-in goes with --selection."), "\(alone.error)")
    }
    let list = ["list", "Stripped", "--selection", "chosen.txt", "--selected-in"]
    let folder = try scene.command(list + ["sources"])
    #expect(folder.code == 78 && folder.error.contains("is not a library"), "\(folder.streams)")
    try FileManager.default.removeItem(atPath: scene.at("Stripped/.state/digest.key"))
    let lost = try scene.command(list + ["Library"])
    #expect(lost.code == 70 && lost.error.contains("digest.key"), "\(lost.streams)")
  }
}
