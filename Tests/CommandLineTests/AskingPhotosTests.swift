import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

extension PhotosScene {
  /// A Photos library about which a person is asked.
  fileprivate static func asking(_ extra: [String: JSONValue] = [:]) throws -> PhotosScene {
    let photos = try PhotosScene()
    photos.scene.manifest["onNotDetermined"] = "ask"
    try photos.scene.declare(
      "library",
      nil,
      extra.merging(["kind": "photosLibrary"]) { $1 },
      makesFolder: false
    )
    return photos
  }
}

@Suite("A person selects from an Apple Photos library", .enabled(if: Has.sqlite, "no sqlite3"))
struct AskingPhotosTests {
  /// In the order of the list: each asset's first file.
  private static let shown = [
    "Harbour at dawn.JPG", "Live.HEIC", "B1.JPG", "B2.JPG", "Raw.JPG", "Edited.JPG",
  ]
  /// What neither a page nor a log may tell of a library of which something else was selected.
  private static let unseen =
    [PhotosScene.hidden, PhotosScene.trashed, PhotosScene.shared, PhotosScene.cloud]
    + [PhotosScene.elsewhere, PhotosScene.unlisted, "Hidden one", "Thrown away", "In the cloud"]
    + ["Elsewhere", "Secret", "Away", "derivatives"]

  @Test("Names, albums and edits are Photos', and what was selected is imported with its original")
  func selects() throws {
    let photos = try PhotosScene.asking()
    let scene = photos.scene
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.body.contains("data-total=\"6\""))
    for name in Self.shown { #expect(names.body.contains(name), "\(name)") }
    let albums = try #require(visitor.ask("GET", "/albums"))
    #expect(albums.body.contains("Summer / sea"))
    for word in Self.unseen + [PhotosScene.plain, PhotosScene.edited, "originals"] {
      #expect(!names.body.contains(word) && !albums.body.contains(word), "\(word) is shown")
    }
    let filtered = try #require(visitor.ask("GET", "/names?search=harbour&from=0"))
    #expect(filtered.body.contains("data-total=\"1\"") && filtered.body.contains("value=\"0\""))
    let live = try #require(visitor.ask("GET", "/names?kind=livePhotos&from=0"))
    #expect(live.body.contains("data-total=\"1\"") && live.body.contains("value=\"1\""))
    for index in [0, 1, 5] { #expect(visitor.picture("\(index)")?.status == 200, "\(index)") }
    #expect(visitor.ask("POST", "/answer", body: "select 0 1 5")?.status == 200)
    let outcome = try program.outcome()
    try outcome.expect(0)
    #expect(
      try scene.importedPaths() == [
        "originals/1/\(PhotosScene.plain).jpeg", "originals/2/\(PhotosScene.edited).jpeg",
        "originals/3/\(PhotosScene.live).jpeg", "originals/3/\(PhotosScene.live)_3.mov",
        "resources/renders/2/\(PhotosScene.edited)_1_201_a.jpeg",
      ]
    )
    #expect(try photos.labels() == ["Edited", "Edited", "Harbour at dawn", "Live"])
    // Pictures that were selected by other names make no album.
    #expect(try scene.catalogue("SELECT title FROM albums").isEmpty)
    let records = try scene.lastLog().filter { $0["event"].string == "shown" }
    #expect(records.map { $0["count"].int } == [6])
    let written = try scene.logFiles().flatMap(\.lines).joined() + outcome.streams
    for word in Self.unseen + [PhotosScene.pick, PhotosScene.raw, "B1.JPG", "Raw.JPG", "Summer"] {
      #expect(!written.contains(word), "\(word) is told")
    }
    try scene.expectVerified()
    // The answer counts for the next run.
    try scene.run().expectCounts(["unchanged": 5])
  }

  @Test(
    "An edited photo is one item of the limit, and a filter leaves its kind",
    arguments: [("images", 6, 5), ("livePhotos", 1, 0), ("videos", 0, nil)] as [(String, Int, Int?)]
  )
  func picks(_ filter: String, _ count: Int, _ choice: Int?) throws {
    let photos = try PhotosScene.asking(["pick": ["limit": 1, "filter": .string(filter)]])
    let scene = photos.scene
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.body.contains("data-total=\"\(count)\""))
    #expect(visitor.ask("POST", "/answer", body: "select 0 1")?.status == 400)
    let answer = choice.map { "select \($0)" } ?? "later"
    #expect(visitor.ask("POST", "/answer", body: answer)?.status == 200)
    let outcome = try program.outcome()
    try outcome.expect(0)
    let expected =
      switch filter {
      case "images":
        [
          "originals/2/\(PhotosScene.edited).jpeg",
          "resources/renders/2/\(PhotosScene.edited)_1_201_a.jpeg",
        ]
      case "livePhotos":
        ["originals/3/\(PhotosScene.live).jpeg", "originals/3/\(PhotosScene.live)_3.mov"]
      default: [String]()
      }
    if choice == nil {
      #expect(try scene.originals().isEmpty)
    } else {
      #expect(try scene.importedPaths() == expected)
    }
  }

  @Test("At a terminal the same names are picked from, and of a refused library none are")
  func terminal() throws {
    let photos = try PhotosScene.asking(["pick": ["limit": 1]])
    let scene = photos.scene
    let terminal = try scene.runAtTerminal()
    #expect(terminal.shows("Harbour at dawn.JPG"))
    terminal.answer("/edited", at: pickPlace)
    terminal.answer("1", at: pickPlace)
    terminal.answer("done", at: pickPlace)
    try terminal.outcome().expect(0)
    #expect(!terminal.text.contains(PhotosScene.plain))
    #expect(
      try scene.importedPaths() == [
        "originals/2/\(PhotosScene.edited).jpeg",
        "resources/renders/2/\(PhotosScene.edited)_1_201_a.jpeg",
      ]
    )
    try scene.declare("library", "denied", ["kind": "photosLibrary", "pick": [:]], makesFolder: false)
    let refused = try scene.runAtTerminal().outcome()
    try refused.expect(77)
    #expect(refused.streams.contains("This was refused before."), "\(refused.streams)")
  }

  @Test("Hidden and shared assets are shown where the manifest imports them, and never the trash")
  func hidden() throws {
    let photos = try PhotosScene.asking(["fetch": ["includeHiddenAssets": true]])
    let program = try photos.scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.body.contains("data-total=\"8\""))
    for name in ["Hidden one.JPG", "Shared.JPG"] { #expect(names.body.contains(name)) }
    #expect(!names.body.contains("Thrown away"))
    #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
    _ = try program.outcome()
  }

  @Test(
    "Nothing of the library is opened before the person asks for its names, then its database alone",
    .enabled(if: Has.strace, "no strace")
  )
  func traced() throws {
    let photos = try PhotosScene.asking()
    try photos.bundle.sqlIntoLog(
      "UPDATE ZADDITIONALASSETATTRIBUTES SET ZORIGINALFILENAME = 'From the log.JPG' WHERE ZASSET = 1;"
    )
    func ask(isListed: Bool) throws -> TracedAsking {
      let trace = try TracedAsking(photos.scene, ["run", "manifest.json", "--format", "json", "--web"])
      var visitor = try PageVisitor(of: trace.program)
      try visitor.enter()
      _ = visitor.ask("GET", "/question")
      #expect(trace.program.child(named: "photos-reader") != nil)
      if isListed {
        let names = try #require(visitor.ask("GET", "/names?from=0"))
        #expect(names.body.contains("From the log.JPG"))
      }
      #expect(visitor.ask("POST", "/answer", body: "later")?.status == 200)
      try trace.program.outcome().expect(75)
      return trace
    }
    #expect(try ask(isListed: false).opened().isEmpty)
    let trace = try ask(isListed: true)
    let start = try #require(
      try trace.lines().first { $0.contains("execve(") && $0.contains("photos-reader") }
    )
    let reader = try #require(start.split(separator: " ").first)
    let opened = try trace.opened()
    for name in ["Photos.sqlite\"", "Photos.sqlite-wal\""] {
      #expect(opened.contains { $0.contains(name) }, "\(name)")
    }
    for line in opened {
      let isDatabase = line.contains("database/Photos.sqlite")
      #expect(isDatabase && line.hasPrefix("\(reader) "), "\(line)")
    }
  }

  @Test(
    "Of a library that is denied the database stays closed, so there is nothing to select from",
    .enabled(if: Has.strace, "no strace")
  )
  func denied() throws {
    let photos = try PhotosScene.asking()
    let scene = photos.scene
    try scene.writeManifest()
    try scene.access("deny", "manifest.json", "library").expect(0)
    let trace = try TracedAsking(scene, ["access", "ask", "manifest.json", "library", "--web"])
    var visitor = try PageVisitor(of: trace.program)
    try visitor.enter()
    let names = try #require(visitor.ask("GET", "/names?from=0"))
    #expect(names.status == 503 && names.body.contains("This was refused before."))
    #expect(visitor.picture("0")?.status == 404)
    #expect(visitor.ask("POST", "/answer", body: "select 0")?.status == 400)
    #expect(visitor.ask("POST", "/answer", body: "allow")?.status == 200)
    try trace.program.outcome().expect(0)
    #expect(try trace.opened().isEmpty)
    #expect(try !trace.lines().contains { $0.contains("photos-reader") })
    #expect(try scene.stored("SELECT status FROM answers") == ["authorized"])
  }

  @Test(
    "A database that cannot be read leaves the page its other answers, and is named",
    arguments: [
      ("DROP TABLE Z_28ASSETS;", "has an unknown version"), ("truncate", "cannot be read"),
      ("missing", "cannot be read"), ("symlink", "cannot be read"), ("second", "cannot be read"),
      ("journal", "is being changed"), ("killed", "cannot be read"),
    ]
  )
  func unreadable(_ damage: String, _ words: String) throws {
    let photos = try PhotosScene.asking()
    let scene = photos.scene
    let database = photos.bundle.database
    switch damage {
    case "truncate":
      try Data(try readBytes(database).prefix(9_000)).write(to: URL(fileURLWithPath: database))
    case "missing": try FileManager.default.removeItem(atPath: database)
    case "symlink":
      try FileManager.default.moveItem(atPath: database, toPath: scene.at("real"))
      #expect(symlink(scene.at("real"), database) == 0)
    case "second":
      try scene.declare("camera", "denied")
      #expect(link(database, scene.at("second")) == 0)
    case "journal":
      try Data("unfinished".utf8).write(to: URL(fileURLWithPath: database + "-journal"))
    case "killed": break
    default: try photos.bundle.sql(damage)
    }
    let program = try scene.askedRun()
    var visitor = try PageVisitor(of: program)
    try visitor.enter()
    if damage == "killed" {
      let reader = try #require(program.child(named: "photos-reader"))
      #expect(kill(reader, SIGKILL) == 0)
    }
    // On a busy machine the first answer may be that the names are still being read.
    var names = try #require(visitor.ask("GET", "/names?from=0"))
    for _ in 0..<100 where !names.body.contains(words) {
      usleep(100_000)
      names = try #require(visitor.ask("GET", "/names?from=0"))
    }
    #expect(names.status == 503 && names.body.contains(words), "\(names)")
    #expect(visitor.ask("GET", "/albums")?.status == 503)
    #expect(visitor.ask("POST", "/answer", body: "select 0")?.status == 400)
    #expect(visitor.ask("POST", "/answer", body: "deny")?.status == 200)
    _ = try program.outcome()
    #expect(try scene.originals().isEmpty)
  }
}

/// A program that asks on a page, under strace.
private struct TracedAsking {
  let program: RunningProgram
  private let path: String

  init(_ scene: Scene, _ arguments: [String]) throws {
    try scene.writeManifest()
    path = scene.at("trace")
    program = try RunningProgram(
      "strace",
      ["-f", "-y", "-s", "400", "-o", path, Scene.executable()] + arguments,
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
  }

  func lines() throws -> [String] {
    String(decoding: try readBytes(path), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The calls that opened a file of the library, or tried to; places (O_PATH) and folders are none.
  func opened() throws -> [String] {
    try lines().filter { line in
      line.contains(" open") && !line.contains("O_PATH") && !line.contains("O_DIRECTORY")
        && (line.contains("Photos.sqlite") || line.contains(".jpeg\""))
    }
  }
}
