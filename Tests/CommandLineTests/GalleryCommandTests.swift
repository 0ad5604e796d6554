import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Gallery: a site of a library's pictures", .enabled(if: Has.sqlite, "no sqlite3"))
struct GalleryCommandTests {
  private func scene(policy: String = "keep") throws -> Scene {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 256, 256, "aspectFit"), ("large", 800, 800, "aspectFit")])
    try scene.declare("library")
    scene.manifest["albums"] = ["fromFolders": true]
    for number in 1...6 {
      try scene.put("sources/library/PlantedFolder/PlantedName\(number).jpg", try Media.photo("\(number)"))
    }
    let pair = try Media.livePhoto("pair")
    try scene.put("sources/library/pair.jpg", pair.still)
    try scene.put("sources/library/pair.mov", pair.movie)
    try scene.run().expect(0)
    return scene
  }

  @Test(
    "It has the library's thumbnails, leaves the library alone, and is made anew only where it must"
  )
  func incremental() throws {
    let scene = try scene()
    let before = try scene.snapshot("Library")
    let first = try scene.command("gallery", "Library", "site", "--format", "json")
    try first.expect(0)
    #expect(try first.json()["assets"].int == 7)
    // A library that has the sizes makes none.
    #expect(try first.json()["made"]["tiles"].int == 0 && first.json()["made"]["views"].int == 0)
    #expect(try scene.snapshot("Library") == before)
    let digests = Set(try scene.catalogue("SELECT sha256 FROM thumbnails"))
    let pictures = try scene.madeFiles("site").filter {
      $0.key.hasPrefix("tiles/") || $0.key.hasPrefix("views/")
    }
    #expect(pictures.count >= 7, "\(pictures)")
    #expect(pictures.allSatisfy { digests.contains($0.value) })
    // Each tile has the ThumbHash of its row.
    let hashes = try scene.catalogue("SELECT hex(thumbHash) FROM thumbnails WHERE name = 'grid'")
    #expect(hashes.allSatisfy { (34...50).contains($0.count) }, "\(hashes)")
    let pages = try Tool.run(
      "sh",
      [
        "-c", "grep -ho 'data-hash=\"[^\"]*' \"$0\"/index.html | cut -d'\"' -f2",
        scene.at("site"),
      ]
    ).output.split(separator: "\n")
    let drawn = pages.map { Data(base64Encoded: String($0)).map { Hexadecimal.text(Array($0)) } }
    #expect(Set(drawn) == Set(hashes.map { $0.lowercased() }), "\(drawn)")
    let again = try scene.command("gallery", "Library", "site", "--format", "json")
    #expect(try again.json()["isCurrent"].bool == true)
    // What is unchanged keeps its inode.
    let inode = try Tool.run("sh", ["-c", "stat -c %i \"$0\"/tiles/*/* | sort", scene.at("site")])
    try scene.put("sources/library/new.jpg", try Media.photo("new"))
    try scene.run().expect(0)
    let third = try scene.command("gallery", "Library", "site", "--format", "json")
    #expect(try (1...2).contains(third.json()["filesAdded"].int ?? 0))
    #expect(try third.json()["filesKept"].int == pictures.count)
    let now = try Tool.run("sh", ["-c", "stat -c %i \"$0\"/tiles/*/* | sort", scene.at("site")])
    #expect(Set(inode.output.split(separator: "\n")).isSubset(of: now.output.split(separator: "\n")))
    // It is what a new one would be.
    try scene.command("gallery", "Library", "fresh", "--title", "site").expect(0)
    #expect(try scene.madeFiles("site") == scene.madeFiles("fresh"))
    try scene.expectVerified()
  }

  /// A library of photos with squares of 256 pixels alone.
  private func squares(_ sizes: [String: String]) throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 256, 256, "aspectFill")])
    scene.manifest["labels"] = ["template": "{originalName}"]
    try scene.declare("library")
    for (name, size) in sizes {
      let path = scene.at("sources/library/\(name).jpg")
      try Independent.makePicture(path, color: "rgb(\(size.utf8.count * 20),90,60)", size: size)
      try Independent.make("exiftool", ["-q", "-overwrite_original", "-Artist=Planted", path])
    }
    try scene.run().expect(0)
    return scene
  }

  /// The sizes of the pictures of a folder of a gallery, sorted.
  private func sizes(_ scene: Scene, _ folder: String) throws -> [[Int]] {
    try scene.madePaths("site").filter { $0.hasPrefix(folder + "/") }
      .map { try Independent.size(scene.at("site/" + $0)) }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  @Test(
    "Pictures of tiles, as phones write them, get the sizes that the library lacks",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func tiledPictures() throws {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([("grid", 256, 256, "aspectFill")])
    try scene.declare("library")
    let files = Corpus.files(beneath: "visible/heic").filter { $0.hasSuffix(".heic") }
    for (number, file) in files.enumerated() {
      try scene.put("sources/library/\(number).heic", copyOf: file)
    }
    _ = try scene.run()
    let outcome = try scene.command("gallery", "Library", "site", "--format", "json")
    #expect(try outcome.json()["made"]["views"].int ?? 0 > 0, "\(outcome.output)")
    #expect(!outcome.error.contains("the worker ended"), "\(outcome.error)")
  }

  @Test(
    "Sizes that a library lacks are made of its originals, without their metadata, and once",
    .enabled(if: Has.magick && Has.exiftool, "no ImageMagick or no exiftool")
  )
  func makesSizes() throws {
    let scene = try squares(["wide": "2400x1800", "high": "1800x2400", "small": "200x150"])
    let before = try scene.snapshot("Library")
    let outcome = try scene.command("gallery", "Library", "site", "--format", "json")
    try outcome.expect(0)
    #expect(try scene.snapshot("Library") == before)
    // The thumbnail of the small one shows all of it.
    #expect(
      try outcome.json()["made"]["tiles"].int == 2 && outcome.json()["made"]["views"].int == 2,
      "\(outcome.output)"
    )
    let words = "Made 2 small pictures and 2 pictures of at most 1600 px, which the library lacks. A run with"
    #expect(outcome.error.contains(words), "\(outcome.error)")
    #expect(try sizes(scene, "tiles") == [[200, 150], [204, 272], [363, 272]])
    #expect(try sizes(scene, "views") == [[1200, 1600], [1600, 1200]])
    #expect(try Tool.run("grep", ["-rla", "Planted", scene.at("site")]).output.isEmpty)
    #expect(try Tool.run("grep", ["-rla", "Planted", scene.library + "/Originals"]).status == 0)
    let again = try scene.command("gallery", "Library", "site", "--format", "json")
    #expect(try again.json()["isCurrent"].bool == true)
    // What was made is taken over, and the pages are those of a new gallery.
    try Independent.makePicture(scene.at("sources/library/new.jpg"), color: "red", size: "640x480")
    try scene.run().expect(0)
    let third = try scene.command("gallery", "Library", "site", "--format", "json")
    try third.expect(0)
    #expect(try third.json()["made"]["tiles"].int == 1 && third.json()["made"]["views"].int == 1)
    #expect(
      third.error.contains(
        "Made 1 small picture and 1 picture of at most 1600 px of \"new\", which the library lacks.\n"
      ),
      "\(third.error)"
    )
    #expect(try third.json()["filesKept"].int == 5, "\(third.output)")
    try scene.command("gallery", "Library", "fresh", "--title", "site").expect(0)
    #expect(try scene.madeFiles("site") == scene.madeFiles("fresh"))
  }

  @Test(
    "Of an original that is damaged nothing is made: the thumbnail that is there is shown",
    .enabled(if: Has.magick && Has.exiftool, "no ImageMagick or no exiftool")
  )
  func makesNothingOfDamaged() throws {
    let scene = try squares(["one": "2400x1800", "two": "1800x2400"])
    let path = try #require(
      try scene.catalogue("SELECT path FROM resources WHERE path LIKE '%one.jpg'").first
    )
    try Independent.make("chmod", ["u+w", scene.library + "/" + path])
    try scene.put("Library/" + path, copyOf: Samples.photo(1))
    let outcome = try scene.command("gallery", "Library", "site", "--format", "json")
    try outcome.expect(3)
    #expect(try outcome.json()["damaged"].array.compactMap { $0["path"].string } == [path])
    #expect(try outcome.json()["notMade"].array.isEmpty)
    #expect(try sizes(scene, "tiles") == [[204, 272], [256, 256]])
    #expect(try sizes(scene, "views") == [[1200, 1600]])
  }

  @Test("An original that cannot be decoded, and has no thumbnail, is named with the reason in words")
  func showsNothing() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    // A side is longer than any that is decoded.
    try scene.put("sources/library/large.png", Bombs.png(side: 70_000))
    _ = try scene.run()
    let outcome = try scene.command("gallery", "Library", "site", "--format", "json")
    try outcome.expect(3)
    #expect(try outcome.json()["notMade"].array.count == 1)
    #expect(
      outcome.error.contains("No picture was made of \"large.png\": larger than the limits allow ("),
      "\(outcome.error)"
    )
    #expect(!outcome.error.contains("has no picture, only a name"), "\(outcome.error)")
    let last = outcome.error.split(separator: "\n").last
    #expect(
      last?.hasPrefix("\"site\" is incomplete (exit code 3) because of \"large.png\": larger than the limits")
        == true,
      "\(outcome.error)"
    )
  }

  @Test("A gallery without the files says of how many films and recordings")
  func silentFilms() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    try scene.put("sources/library/film.mp4", copyOf: Samples.video)
    try scene.run().expect(0)
    let silent = "1 asset is video or sound, which the pages do not play"
    for (options, isSilent) in [([], true), (["--originals"], false)] {
      let outcome = try scene.command(["gallery", "Library", "films"] + options)
      #expect(outcome.error.contains(silent) == isSilent, "\(outcome.streams)")
    }
  }

  @Test("In the album of a folder, the cover of a stack stands for what lies there of it")
  func coverOutsideAlbum() throws {
    let scene = try scene()
    try scene.put("sources/library/Other/beside.jpg", try Media.photo("beside"))
    try scene.run().expect(0)
    let assets = try ["PlantedName1", "beside"].map { label in
      try #require(scene.catalogue("SELECT localIdentifier FROM assets WHERE label = '\(label)'").first)
    }
    try scene.command(["stack", "add", scene.library] + assets).expect(0)
    let whole = try scene.command("gallery", "Library", "site", "--format", "json")
    #expect(try whole.json()["assets"].int == 7)
    let page = String(decoding: try readBytes(scene.at("site/albums/other.html")), as: UTF8.self)
    #expect(page.contains("PlantedName1") && !page.contains("beside"))
    // Where the cover is not among the pictures, the first of the others is.
    let album = ["gallery", "Library", "other", "--album", "Other", "--format", "json"]
    #expect(try scene.command(album).json()["assets"].int == 1)
  }

  @Test("A number out of its range is told the range, a negative one too")
  func ranges() throws {
    let scene = Scene()
    for (option, range) in [
      ("--choose", "1 to 100000"), ("--columns", "1 to 50"), ("--spacing", "0 to 100"),
    ] {
      let refused = try scene.command("gallery", "Library", "site", option, "-3")
      try refused.expect(64)
      #expect(refused.error.contains("\(option) takes a number from \(range)."), "\(refused.error)")
    }
  }

  @Test("A folder that it has not made, and changes of a person, are refused and named")
  func refused() throws {
    let scene = try scene()
    try scene.put("mine/letter.txt", "mine")
    let foreign = try scene.command("gallery", "Library", "mine")
    try foreign.expect(64)
    #expect(foreign.error.contains("was not made by `mediabatch gallery`"), "\(foreign.streams)")
    for folder in ["Library/site", "."] {
      try scene.command("gallery", "Library", folder).expect(64)
    }
    try scene.command("gallery", "Library", "site").expect(0)
    try scene.put("site/letter.txt", "mine")
    let added = try scene.command("gallery", "Library", "site", "--neutral")
    try added.expect(64)
    #expect(added.error.contains("\"letter.txt\""), "\(added.streams)")
    try FileManager.default.removeItem(atPath: scene.at("site/letter.txt"))
    try scene.put("site/index.html", "changed")
    let changed = try scene.command("gallery", "Library", "site", "--neutral")
    try changed.expect(64)
    #expect(changed.error.contains("\"index.html\""), "\(changed.streams)")
    #expect(try readBytes(scene.at("site/index.html")) == Array("changed".utf8))
    try scene.command("gallery", "Library", "site", "--neutral", "--replace-changes").expect(0)
    #expect(try !readBytes(scene.at("site/index.html")).elementsEqual("changed".utf8))
    let none = try scene.command("gallery", "Library", "other", "--album", "None")
    try none.expect(64)
    #expect(!FileManager.default.fileExists(atPath: scene.at("other")))
    let left = try FileManager.default.contentsOfDirectory(atPath: scene.path)
    #expect(!left.contains { $0.contains("partial") }, "\(left)")
  }

  @Test("Neutral pages have no label and no folder, and private facts are only read when asked for")
  func disclosure() throws {
    let scene = try scene(policy: "strip")
    try scene.command("gallery", "Library", "open").expect(0)
    let described = try scene.command("gallery", "Library", "described", "--descriptions")
    #expect(described.error.contains("caption of 7 assets is not known"), "\(described.streams)")
    try scene.command("gallery", "Library", "neutral", "--neutral", "--originals").expect(0)
    func finds(_ text: String, _ folder: String) throws -> Bool {
      try !Tool.run("grep", ["-rla", text, scene.at(folder)]).output.isEmpty
    }
    #expect(try finds("PlantedName", "open") && finds("PlantedFolder", "open"))
    #expect(try !finds("PlantedName", "neutral") && !finds("PlantedFolder", "neutral"))
    scene.manifest["catalogue"] = ["privateFacts": true]
    try FileManager.default.removeItem(atPath: scene.library)
    try scene.run().expect(0)
    let facts = try Tool.run(
      "sqlite3",
      [scene.library + "/private.sqlite", "SELECT substr(max(creationDate), 1, 7) FROM facts"]
    )
    let date = facts.output.trimmingCharacters(in: .newlines)
    #expect(date.count == 7)
    // Without dates there are no months; those of saving are made for who asks.
    let undated = try scene.command("gallery", "Library", "undated")
    try undated.expect(0)
    // Who makes it is told, and not who looks at it.
    #expect(undated.error.contains("The dates of these pictures are not known"), "\(undated.error)")
    #expect(
      try !finds("id=\"m20", "undated") && !finds("dates were", "undated") && !finds("no dates", "undated")
    )
    #expect(try finds("class=\"cover\"", "undated"))
    try scene.command("gallery", "Library", "saved", "--months", "saved").expect(0)
    #expect(try finds("id=\"m20", "saved") && !finds("id=\"m\(date)\"", "saved"))
    try scene.command("gallery", "Library", "created", "--private-facts").expect(0)
    #expect(try finds("id=\"m\(date)\"", "created"))
  }

  @Test(
    "The picture on top is the one that is named, or a favorite, and the name of the gallery stays"
  )
  func cover() throws {
    let scene = try scene()
    func page(_ folder: String, _ options: String...) throws -> String {
      let title = ["--title", "A title"]
      try scene.command(["gallery", "Library", folder] + title + options).expect(0)
      return try String(contentsOfFile: scene.at(folder + "/index.html"), encoding: .utf8)
    }
    func cover(_ page: String) -> String? {
      page.components(separatedBy: "<section class=\"cover\"").dropFirst().first?
        .components(separatedBy: "src=\"").dropFirst().first?
        .components(separatedBy: "\"").first
    }
    let identifiers = try scene.catalogue(
      "SELECT localIdentifier FROM assets WHERE label LIKE 'PlantedName%' ORDER BY label"
    )
    let last = try #require(identifiers.last)
    let named = try page("named", "--cover", String(last.prefix(13)).uppercased())
    #expect(cover(named)?.contains(last.prefix(36)) == true, "\(cover(named) ?? "none")")
    let missing = try scene.command("gallery", "Library", "missing", "--cover", "zz")
    try missing.expect(64)
    #expect(missing.error.contains("No picture of the gallery"), "\(missing.streams)")
    #expect(!FileManager.default.fileExists(atPath: scene.at("missing")))
    // Whatever is on the pages, a browser finds its favorites again.
    func name(_ page: String) -> String? {
      page.components(separatedBy: "data-gallery=\"").dropFirst().first.map { String($0.prefix(9)) }
    }
    let neutral = try page("neutral", "--neutral", "--choose", "30")
    #expect(name(named)?.count == 9 && name(named) == name(neutral))
    #expect(neutral.contains("data-choose=\"30\" class=\"proofing\""))
    try scene.command("gallery", "Library", "none", "--choose", "0").expect(64)
  }

  @Test("It is made in the language that is asked for, and has a table for each")
  func language() throws {
    let scene = try scene()
    try scene.command("gallery", "Library", "site", "--language", "de-CH").expect(0)
    let page = try String(contentsOfFile: scene.at("site/index.html"), encoding: .utf8)
    #expect(
      page.contains("<html lang=\"de\">") && page.contains("Diese Seite lädt nichts von anderen Orten.")
    )
    let tables = try FileManager.default.contentsOfDirectory(atPath: scene.at("site/languages"))
    #expect(tables.count == 14 && tables.contains("zh-Hans.js"))
    let unknown = try scene.command("gallery", "Library", "other", "--language", "xx")
    try unknown.expect(64)
    #expect(unknown.error.contains("it takes one of en, de, "), "\(unknown.streams)")
  }

  @Test(
    "In Chromium it is whole in each language: nothing is cut, and Arabic and Hebrew are mirrored",
    .enabled(if: Browser.python != nil, "takes a browser: make test-web")
  )
  func browserLanguages() throws {
    let scene = try scene()
    try scene.command("gallery", "Library", "site", "--language", "en-XA", "--choose", "2", "--originals")
      .expect(0)
    try Browser.checkLanguages(["gallery", scene.at("site")])
  }

  @Test(
    "Each way of getting files into it does what its name says",
    arguments: ["copy", "reflink", "hardlink", "symlink"]
  )
  func methods(method: String) throws {
    let scene = try scene()
    let outcome = try scene.command("gallery", "Library", "site", "--originals", "--as", method)
    try outcome.expect(0)
    let isShared = method == "hardlink" || method == "symlink"
    #expect(outcome.output.contains("changes the library") == isShared, "\(outcome.streams)")
    func inodes(_ folder: String) throws -> Set<Substring> {
      let result = try Tool.run("find", ["-L", folder, "-type", "f", "-printf", "%i\n"])
      try #require(result.status == 0, "\(result.error)")
      return Set(result.output.split(separator: "\n"))
    }
    let originals = try inodes(scene.at("site/originals"))
    #expect(originals.count == 8)
    #expect(isShared == originals.isSubset(of: try inodes(scene.library + "/Originals")))
    let links = try Tool.run("find", [scene.at("site"), "-type", "l"])
    #expect(links.output.isEmpty == (method != "symlink"))
    try scene.expectVerified()
  }

  @Test("A gallery that is killed leaves the old one or the new one, and the next one goes on")
  func killed() throws {
    let scene = try scene()
    try scene.command("gallery", "Library", "site").expect(0)
    let old = try scene.madeFiles("site")
    try scene.command("gallery", "Library", "fresh", "--title", "site", "--columns", "3").expect(0)
    let new = try scene.madeFiles("fresh")
    #expect(old != new)
    let command = ["gallery", "Library", "site", "--columns", "3"]
    var ends: Set<Bool> = []
    for moment in try RunMoment.spread(over: command, in: scene.path, count: Amount.of(4, all: 60)) {
      try scene.command("gallery", "Library", "site").expect(0)
      let killed = try moment.kill(command, in: scene.path)
      try killed.wait()
      let now = try scene.madeFiles("site")
      #expect(now == old || now == new, "\(moment)")
      ends.insert(now == new)
      try scene.command("gallery", "Library", "site", "--columns", "3").expect(0)
      #expect(try scene.madeFiles("site") == new, "\(moment)")
      let left = try FileManager.default.contentsOfDirectory(atPath: scene.path)
      #expect(!left.contains { $0.contains("partial") }, "\(moment): \(left)")
    }
    #expect(ends.contains(false))
    try scene.expectVerified()
  }

  @Test(
    "A library whose last changes are in its write-ahead log is read, and so is one that a run writes"
  )
  func writeAheadLog() throws {
    let scene = try scene()
    let path = scene.library + "/library.sqlite"
    // A reader keeps the log from being emptied; then the copy has one, and nothing beside it.
    let copy = try Tool.run(
      "python3",
      [
        "-c",
        """
        import shutil, sqlite3, sys
        db = sqlite3.connect(sys.argv[1])
        db.execute("UPDATE assets SET label = 'in the log' WHERE id = 1")
        db.commit()
        shutil.copytree(sys.argv[2], sys.argv[3])
        """,
        path, scene.library, scene.at("Copy"),
      ]
    )
    try #require(copy.status == 0, "\(copy.error)")
    try? FileManager.default.removeItem(atPath: scene.at("Copy/library.sqlite-shm"))
    let size = try Tool.run("stat", ["-c", "%s", scene.at("Copy/library.sqlite-wal")])
    #expect(size.output != "0\n")
    let outcome = try scene.command("gallery", "Copy", "site")
    #expect(outcome.code == 0, "\(outcome.streams)")
    let result = try Tool.run("grep", ["-rlF", "in the log", scene.at("site")])
    #expect(!result.output.isEmpty)
  }

  @Test(
    "The process can open for writing only what is not yet in its place",
    .enabled(if: Has.strace, "no strace")
  )
  func confined() throws {
    let scene = try scene()
    let trace = scene.at("trace")
    let run = try Tool.run(
      "strace",
      [
        "-f", "-o", trace, "-e", "trace=openat,openat2,landlock_restrict_self",
        try BuiltProgram.path("mediabatch"), "gallery", scene.library, scene.at("site"),
        "--originals",
      ]
    )
    #expect(run.status == 0, "\(run.error)")
    let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
    let start = try #require(lines.firstIndex { $0.contains("landlock_restrict_self") })
    let writing = lines[start...].filter { $0.contains("O_WRONLY") || $0.contains("O_RDWR") }
    #expect(!writing.isEmpty)
    #expect(
      writing.allSatisfy {
        $0.contains("\"new\"") || $0.contains("EACCES") || $0.contains("EROFS")
      },
      "\(writing)"
    )
  }

  @Test(
    "People can use it in Chromium, from its folder and from a server, without scripts and by keys",
    .enabled(if: Browser.python != nil, "takes a browser: make test-web")
  )
  func browser() throws {
    let scene = try scene()
    for number in 0..<Amount.of(510, all: 1200) {
      try scene.put("sources/library/more/IMG_\(number).jpg", try Media.photo("more \(number)"))
    }
    try scene.put("sources/library/film.mp4", copyOf: Samples.video)
    try scene.put("sources/library/<b>&\"'.jpg", try Media.photo("markup"))
    try scene.run().expect(0)
    // One with a page for each month, and one with all of its pictures on the first page.
    try scene.command("gallery", "Library", "site", "--originals").expect(0)
    #expect(FileManager.default.fileExists(atPath: scene.at("site/months")))
    let few = ["--where", "NOT (label BEGINSWITH 'IMG_')", "--choose", "2", "--originals"]
    try scene.command(["gallery", "Library", "few"] + few).expect(0)
    #expect(!FileManager.default.fileExists(atPath: scene.at("few/months")))
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Web/check_gallery.py").standardized.path
    for site in ["site", "few"] {
      let checked = try Tool.run(Browser.python ?? "", [script, scene.at(site)])
      #expect(checked.status == 0, "\(checked.output)\(checked.error)")
      #expect(checked.output.contains("all checks have passed"))
    }
  }
}

/// Chromium, and the Python that drives it, as `make test-web` installs them; that alone uses them.
enum Browser {
  static let python: String? = {
    guard ProcessInfo.processInfo.environment["MEDIABATCH_TEST_WEB"] != nil else { return nil }
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../.build/web/bin/python").standardized.path
    return Tool.exists("chromium") && FileManager.default.isExecutableFile(atPath: file)
      ? file : nil
  }()

  /// Looks at pages in each language.
  static func checkLanguages(_ arguments: [String]) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Web/check_languages.py").standardized.path
    let checked = try Tool.run(python ?? "", [script] + arguments)
    #expect(checked.status == 0, "\(checked.output)\(checked.error)")
    #expect(checked.output.contains("all checks have passed"))
  }
}
