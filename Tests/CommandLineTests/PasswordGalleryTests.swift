import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Gallery: with a password", .enabled(if: Has.sqlite, "no sqlite3"))
struct PasswordGalleryTests {
  private static let password = "five words drawn by chance"
  private static let plain = Set(
    ["index.html", "gallery.js", "words.js"] + PageTag.all.map { "languages/\($0).js" }
  )

  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 256, 256, "aspectFit"), ("large", 800, 800, "aspectFit")])
    try scene.declare("library")
    scene.manifest["albums"] = ["fromFolders": true]
    for number in 1...4 {
      try scene.put(
        "sources/library/PlantedFolder/PlantedName\(number).jpg",
        try Media.photo("Planted \(number)")
      )
    }
    let pair = try Media.livePhoto("Planted pair")
    try scene.put("sources/library/pair.jpg", pair.still)
    try scene.put("sources/library/pair.mov", pair.movie)
    let old = try Tool.run(
      "sh",
      ["-c", "find \"$0\" -type f -exec touch -d 2001-01-01 {} +", scene.at("sources")]
    )
    try #require(old.status == 0)
    try scene.run().expect(0)
    try scene.put("password.txt", Self.password + "\n")
    return scene
  }

  private func make(_ scene: Scene, _ folder: String, _ options: String...) throws -> Outcome {
    let own = ["--title", "Planted Title", "--originals", "--password-file", scene.at("password.txt")]
    return try scene.command(["gallery", "Library", folder, "--format", "json"] + own + options)
  }

  /// What opens the gallery, as its page has it.
  private func lock(_ scene: Scene, _ folder: String) throws -> String {
    let page = try String(contentsOfFile: scene.at(folder + "/index.html"), encoding: .utf8)
    let start = try #require(page.range(of: "data-lock=\""))
    return String(page[start.upperBound...].prefix { $0 != "\"" })
  }

  @Test("No file tells anything: names, sizes, times and the list are nobody's who has no password")
  func nothingIsTold() throws {
    let scene = try scene()
    let before = try scene.snapshot("Library")
    let made = try make(scene, "site")
    try made.expect(0)
    #expect(try made.json()["assets"].int == 5 && made.error.contains("there is no \"Download all\""))
    #expect(try scene.snapshot("Library") == before)
    let sealed = /mediabatch\("([0-9a-f]{32})"(,"[A-Za-z0-9+\/]+=*")+\)\n/
    let identifiers = try scene.catalogue("SELECT localIdentifier FROM assets")
    let digests = try scene.catalogue("SELECT sha256 FROM thumbnails")
    try #require(identifiers.count == 5 && digests.count >= 5)
    for path in try scene.madePaths("site") where !Self.plain.contains(path) {
      let text = try String(contentsOfFile: scene.at("site/" + path), encoding: .utf8)
      let call = try #require(try sealed.wholeMatch(in: text), "\(path)")
      #expect(path == "\(call.1.prefix(2))/\(call.1).js")
    }
    for path in Self.plain.union([".mediabatch-export"]) {
      let text = String(decoding: try readBytes(scene.at("site/" + path)), as: UTF8.self)
      for word in ["Planted"] + digests + identifiers.map({ String($0.prefix(13)) }) {
        #expect(!text.contains(word) && !text.contains(word.lowercased()), "\(path): \(word)")
      }
    }
    let old = try Tool.run("find", [scene.at("site"), "-type", "f", "-mtime", "+1"])
    #expect(old.output.isEmpty, "\(old.output)")
    // Nor what belongs together: all was made in one second, and pages are in the list as pictures are.
    let times = try Tool.run("find", [scene.at("site"), "-printf", "%TY-%Tm-%Td %TT\\n"])
    #expect(Set(times.output.split(separator: "\n").map { $0.prefix(19) }).count == 1, "\(times.output)")
    let list = String(decoding: try readBytes(scene.at("site/.mediabatch-export")), as: UTF8.self)
    // But for the sentences, which are plain.
    for record in list.split(separator: "\0").dropFirst()
    where record.contains("/") && !record.contains(" languages/") {
      #expect(try /f [0-9a-f]{64} \d+ \d+ ..\/[0-9a-f]{32}\.js/.wholeMatch(in: record) != nil, "\(record)")
    }
  }

  @Test("The same password keeps what opens the gallery and all unchanged files; another one makes all anew")
  func repeated() throws {
    let scene = try scene()
    try make(scene, "site").expect(0)
    let (first, own) = (try scene.madeFiles("site"), try lock(scene, "site"))
    // As Notepad writes it.
    try scene.put("password.txt", "\u{FEFF}" + Self.password + "\r\n")
    #expect(try make(scene, "site").json()["isCurrent"].bool == true)
    try scene.put("sources/library/new.jpg", try Media.photo("new"))
    try scene.run().expect(0)
    let second = try make(scene, "site")
    try second.expect(0)
    let files = try scene.madeFiles("site")
    let changed = first.filter { files[$0.key] != $0.value }.keys
    // Pages and styles are written anew by each call, with nonces of their own.
    let count = try #require(try second.json()["filesKept"].int)
    #expect(count >= 10 && count + changed.count >= first.count - Self.plain.count, "\(changed)")
    #expect(Set(first.keys).isSubset(of: files.keys))
    #expect(try lock(scene, "site") == own)
    try scene.put("password.txt", "other words that chance has drawn")
    let third = try make(scene, "site")
    try third.expect(0)
    #expect(try third.json()["filesKept"].int == 0 && lock(scene, "site") != own)
    #expect(try Set(scene.madeFiles("site").keys).intersection(first.keys) == Self.plain)
  }

  @Test("Stripped copies that are there are kept, and their receipts with them")
  func strippedAgain() throws {
    let scene = try scene()
    let first = try make(scene, "site", "--strip")
    try first.expect(0)
    let files = try scene.madeFiles("site")
    try scene.put("sources/library/new.jpg", try Media.photo("new"))
    try scene.run().expect(0)
    let second = try make(scene, "site", "--strip")
    try second.expect(0)
    #expect(try second.json()["filesKept"].int == first.json()["filesAdded"].int, "\(second.streams)")
    let kept = try scene.madeFiles("site").filter { files[$0.key] == $0.value }.count
    #expect(try kept >= (second.json()["filesKept"].int ?? .max))
  }

  @Test("A gallery that was open becomes one with a password, and the other way round")
  func openBefore() throws {
    let scene = try scene()
    let open = ["gallery", "Library", "site", "--title", "Planted Title", "--originals"]
    try scene.command(open).expect(0)
    let first = try scene.madeFiles("site")
    try make(scene, "site").expect(0)
    #expect(try Set(scene.madePaths("site")).intersection(first.keys) == Self.plain)
    try scene.command(open).expect(0)
    #expect(try scene.madeFiles("site") == first)
  }

  @Test("A film that browsers do not decrypt in one piece is left out and named")
  func longFilm() throws {
    let scene = try scene()
    let path = try scene.put("sources/library/long.mp4", copyOf: Samples.video)
    let length = try readBytes(path).count
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    // A box that readers skip, of zeros that take no room. Source: ISO/IEC 14496-12, 8.1.2.
    let free = 200_100_000
    try file.write(contentsOf: withUnsafeBytes(of: UInt32(free).bigEndian) { Data($0) } + Data("free".utf8))
    try file.truncate(atOffset: UInt64(length + free))
    try file.close()
    try scene.run().expect(0)
    let made = try make(scene, "site")
    try made.expect(3)
    let left = try made.json()["tooLong"].array
    #expect(left.count == 1 && left.first?["detail"].string?.contains("at most 200 MB") == true)
    #expect(made.error.contains("The gallery leaves out \"long.mp4\""))
    #expect(try made.json()["assets"].int == 6)
  }

  @Test("What is no password, or does not go with one, is refused, and nothing is made")
  func refused() throws {
    let scene = try scene()
    try scene.put("weak.txt", "Summer2024!\n")
    try scene.put("none.txt", "\n\(Self.password)\n")
    try scene.put("control.txt", Self.password + "\u{3}\n")
    try scene.put("space.txt", Self.password + " \r\n")
    let refusals: [([String], String)] = [
      (["--password-file", scene.at("weak.txt")], "too weak"),
      (["--password-file", scene.at("none.txt")], "1 to 1024 bytes"),
      (["--password-file", scene.at("control.txt")], "control characters"),
      (["--password-file", scene.at("space.txt")], "without spaces at its ends"),
      (["--password-file", scene.at("missing.txt")], "cannot be read as a password"),
      (["--password", "--password-file", scene.at("password.txt")], "does not combine"),
      (["--password-file", scene.at("password.txt"), "--as", "hardlink"], "do not combine"),
      (["--password", "--as", "symlink"], "do not combine"),
    ]
    for (options, reason) in refusals {
      let outcome = try scene.command(["gallery", "Library", "site"] + options)
      try outcome.expect(64)
      #expect(outcome.error.contains(reason), "\(options): \(outcome.streams)")
      #expect(!outcome.streams.contains("Summer2024") && !outcome.streams.contains(Self.password))
    }
    let unasked = try scene.shell("\"$mediabatch\" gallery Library site --password </dev/null")
    try unasked.expect(64)
    #expect(unasked.error.contains("Name a file with --password-file"), "\(unasked.streams)")
    #expect(!FileManager.default.fileExists(atPath: scene.at("site")))
  }

  @Test("A process that is confined to the folder makes it too, and nobody sees the password in its streams")
  func confined() throws {
    let scene = try scene()
    let options = "--originals --title 'Planted Title' --password-file password.txt --format json"
    let made = try scene.shell("\"$mediabatch\" gallery Library site \(options)")
    try made.expect(0)
    #expect(!made.streams.contains(Self.password))
    // A process without confinement finds it to be what it would make.
    #expect(try make(scene, "site").json()["isCurrent"].bool == true)
  }

  // MARK: - Other programs

  private func web(_ script: String, _ arguments: [String]) throws -> String {
    let path = DocumentBlock.project + "/Tests/Web/" + script
    let result = try Tool.run(Browser.python ?? "", [path] + arguments)
    try #require(result.status == 0, "\(result.output)\(result.error)")
    return result.output
  }

  @Test(
    "A decrypting program that did not make it finds what a gallery without a password has, and no more",
    .enabled(if: Browser.python != nil, "takes Python's cryptography: make test-web")
  )
  func decrypted() throws {
    let scene = try scene()
    try make(scene, "site").expect(0)
    let options = ["--title", "Planted Title", "--originals", "--no-download-all"]
    try scene.command(["gallery", "Library", "open"] + options).expect(0)
    _ = try web("unseal.py", [scene.at("site"), Self.password, scene.at("unsealed")])
    let isSealed = { (path: String) in
      path.contains("/") && !path.hasPrefix("languages/") || path == "index.html"
        || path.hasSuffix(".css") && path != "base.css"
    }
    let open = try scene.madeFiles("open").filter { isSealed($0.key) }
    #expect(try scene.madeFiles("unsealed") == open)
  }

  @Test(
    "People can use it in Chromium and Firefox: from its folder, over https, and with files that were changed",
    .enabled(if: Browser.python != nil && Tool.exists("firefox-esr"), "takes browsers: make test-web")
  )
  func browserOpens() throws {
    let scene = try scene()
    try scene.put("sources/library/film.mp4", copyOf: Samples.video)
    for number in 0..<20 {
      try scene.put("sources/library/more/IMG_\(number).jpg", try Media.photo("more \(number)"))
    }
    try scene.run().expect(0)
    try make(scene, "site", "--choose", "3").expect(0)
    for number in 20..<Amount.of(540, all: 1000) {
      try scene.put("sources/library/more/IMG_\(number).jpg", try Media.photo("more \(number)"))
    }
    try scene.run().expect(0)
    // All are on the page of one month then.
    try make(scene, "large", "--months", "saved").expect(0)
    let checked = try web("check_locked.py", [scene.at("site"), Self.password, "--large", scene.at("large")])
    #expect(checked.contains("all checks have passed"))
  }
}
