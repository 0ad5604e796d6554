import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "Gallery: downloads",
  .enabled(if: Has.sqlite && Has.python && Tool.exists("unzip"), "no sqlite3, python3 or unzip")
)
struct GalleryDownloadTests {
  private func scene(policy: String = "keep") throws -> Scene {
    let scene = Scene(policy: policy)
    scene.setThumbnails([])
    scene.manifest["labels"] = ["template": "{originalName}"]
    try scene.declare("library")
    let pair = try Media.livePhoto("pair")
    try scene.put("sources/library/IMG_1.jpg", pair.still)
    try scene.put("sources/library/IMG_1.mov", pair.movie)
    try scene.put("sources/library/other/img_1.jpg", try Media.photo("Planted 2"))
    try scene.put("sources/library/a:b.jpg", try Media.photo("Planted 3"))
    try scene.put("sources/library/film.mp4", copyOf: Samples.video)
    try scene.run().expect(0)
    return scene
  }

  /// What `unzip` extracts of a ZIP: names with digests.
  private func extracted(_ zip: String, _ scene: Scene, to folder: String) throws -> [String: String] {
    let result = try Tool.run("unzip", ["-q", scene.at(zip), "-d", scene.at(folder)])
    try #require(result.status == 0, "\(result.output)\(result.error)")
    return try scene.madeFiles(folder)
  }

  private func page(_ folder: String, _ scene: Scene) throws -> String {
    try String(contentsOfFile: scene.at(folder + "/index.html"), encoding: .utf8)
  }

  @Test("All originals are in one zip, under names that Windows has too, and with their times")
  func all() throws {
    let scene = try scene()
    let outcome = try scene.command("gallery", "Library", "site", "--originals", "--format", "json")
    try outcome.expect(0)
    let zips = try outcome.json()["downloads"].array
    let path = "downloads/pictures-1.zip"
    #expect(zips.count == 1 && zips.first?["path"].string == path && zips.first?["files"].int == 5)
    let size = try readBytes(scene.at("site/" + path)).count
    #expect(zips.first?["bytes"].int == size)
    #expect(outcome.error.contains("\"Download all\" takes "), "\(outcome.error)")
    #expect(outcome.error.contains(" for 1 new zip; --no-download-all leaves it out."), "\(outcome.error)")
    let files = try extracted("site/" + path, scene, to: "all")
    let names = Set(files.keys.map { String($0.drop { "./".contains($0) }) })
    let first: Set = ["IMG_1.jpg", "IMG_1.mov", "img_1 (2).jpg", "a_b.jpg", "film.mp4"]
    let second: Set = ["img_1.jpg", "IMG_1 (2).jpg", "IMG_1 (2).mov", "a_b.jpg", "film.mp4"]
    #expect(names == first || names == second, "\(names)")
    let originals = try scene.madeFiles("site").filter { $0.key.contains("originals/") }
    #expect(Set(originals.values) == Set(files.values) && originals.count == 5)
    func times(_ folder: String) throws -> [Substring] {
      try Tool.run("find", [scene.at(folder), "-type", "f", "-printf", "%Ts\\n"]).output.split(
        separator: "\n"
      ).sorted()
    }
    #expect(try times("all") == times("site/originals") && times("all").count == 5)
    // The page and the viewer name both.
    let page = try page("site", scene)
    #expect(page.contains("href=\"downloads/pictures-1.zip\" download=\"site.zip\""), "\(page)")
    #expect(page.contains("data-name=\"a_b.jpg\"") && page.contains("data-name=\"film.mp4\""))
    try scene.expectVerified()
  }

  @Test("A zip is taken over as it is until a file comes or goes, and a new gallery has the same bytes")
  func incremental() throws {
    let scene = try scene()
    func make(_ folder: String, _ options: String...) throws -> (
      outcome: Outcome, inode: String, bytes: [UInt8]
    ) {
      let command = ["gallery", "Library", folder, "--originals", "--title", "A title"]
      let outcome = try scene.command(command + options)
      try outcome.expect(0)
      let zip = scene.at(folder + "/downloads/pictures-1.zip")
      return (outcome, try Tool.run("stat", ["-c", "%i", zip]).output, try readBytes(zip))
    }
    let first = try make("site")
    let again = try make("site", "--columns", "3")
    #expect(
      again.inode == first.inode && !again.outcome.error.contains("new zip"),
      "\(again.outcome.streams)"
    )
    #expect(try make("fresh").bytes == first.bytes)
    try scene.put("sources/library/new.jpg", try Media.photo("new"))
    try scene.run().expect(0)
    let more = try make("site", "--columns", "3")
    #expect(more.inode != first.inode && more.bytes.count > first.bytes.count)
  }

  @Test("Without originals, as links, or where it is not wanted there is none, and a single file needs none")
  func none() throws {
    let scene = try scene()
    for options in [
      [], ["--originals", "--no-download-all"], ["--originals", "--as", "symlink"],
      ["--originals", "--where", "label == \"film\""],
    ] {
      let outcome = try scene.command(["gallery", "Library", "site", "--format", "json"] + options)
      try outcome.expect(0)
      #expect(try outcome.json()["downloads"].array.isEmpty && !outcome.error.contains("Download all"))
      #expect(try !scene.madePaths("site").contains { $0.contains(".zip") })
      #expect(try !page("site", scene).contains("Download all"))
    }
    let refused = try scene.command("gallery", "Library", "site", "--no-download-all")
    try refused.expect(64)
    #expect(refused.error.contains("--no-download-all goes with --originals."), "\(refused.error)")
  }

  @Test("What strip took away is in no zip, and with --neutral no name of a source's file")
  func stripped() throws {
    let scene = try scene(policy: "strip")
    try scene.command("gallery", "Library", "site", "--originals", "--neutral").expect(0)
    let found = try Tool.run("grep", ["-rlaE", #"Planted|IMG_1|img_1|a_b\.jpg"#, scene.at("site")])
    #expect(found.output.isEmpty, "\(found.output)")
    #expect(try readBytes(scene.at("site/downloads/pictures-1.zip")).count > 1000)
  }

  @Test(
    "A disk without room for the zips is said with the room that is needed, and the earlier gallery stays",
    .ownProcesses,
    .enabled(if: Namespace.isAvailable, "this user may not mount a tmpfs")
  )
  func fullDisk() throws {
    let scene = try scene()
    for number in 1...30 {
      try scene.put("sources/library/more/\(number).jpg", try Media.photo("\(number)"))
    }
    try scene.run().expect(0)
    try scene.makeFolder("disk")
    let script = """
      set -u
      mount -t tmpfs -o size=64m tmpfs disk || exit 1
      "$mediabatch" gallery Library disk/site --originals --no-download-all >plain.out 2>&1; echo $? >codes
      find disk/site -type f -exec sha256sum {} + | sort >before
      used=$(df -k --output=used disk | tail -n 1)
      mount -o remount,size=$((used + 100))k disk || exit 2
      "$mediabatch" gallery Library disk/site --originals >full.out 2>&1; echo $? >>codes
      find disk/site -type f -exec sha256sum {} + | sort | cmp - before; echo $? >>codes
      ls -A disk >left
      mount -o remount,size=64m disk || exit 3
      "$mediabatch" gallery Library disk/site --originals >again.out 2>&1; echo $? >>codes
      """
    let result = try Namespace.run(script, in: scene.path)
    try #require(result.code == 0, "\(result.streams)")
    func text(_ name: String) throws -> String { try String(contentsOfFile: scene.at(name), encoding: .utf8) }
    let (full, again) = (try text("full.out"), try text("again.out"))
    #expect(try text("codes") == "0\n74\n0\n0\n", "\(full)\(again)")
    #expect(
      full.contains("was not written: \"Download all\" takes ") && full.contains("--no-download-all."),
      "\(full)"
    )
    #expect(try text("left") == "site\n")
  }
}
