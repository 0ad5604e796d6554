import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "A manifest may ask for picking, and only a person picks",
  .enabled(if: Has.sqlite, "no sqlite3")
)
struct PickTests {
  @Test("Exactly what is picked is imported, for this run alone")
  func picks() throws {
    let scene = try Scene.asking(["pick": ["limit": 2]])
    let terminal = try scene.runAtTerminal()
    #expect(terminal.shows("Pick from the photo library for \"A test\""))
    #expect(terminal.shows("Dates are read from the files for this list alone;"))
    #expect(terminal.shows("2 | b-canary/b.jpg"))
    terminal.answer("1 3", at: pickPlace)
    terminal.answer("done", at: pickPlace)
    let outcome = terminal.outcome()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 2])
    #expect(try scene.importedPaths() == ["a.jpg", "c.jpg"])
    let source = try outcome.json()["sources"].array[0]
    #expect(source["decision"].string == "allow")
    #expect(source["reason"].string == "picked")
    #expect(source["authorizationStatus"].string == "notDetermined")
    #expect(try !scene.logFiles().contains { $0.lines.contains { $0.contains("canary") } })
    #expect(!outcome.streams.contains("canary"))
    #expect(terminal.isAsBefore)
    // Nothing is stored: without a person the next run is undecided.
    try scene.run().expect(75)
    try scene.expectVerified()
  }

  @Test("A list of filters shows any of them, in the order that the manifest asks for")
  func filters() throws {
    let scene = try Scene.asking([
      "pick": ["filter": ["videos", "livePhotos"], "sort": "name:descending"]
    ])
    try scene.put("sources/library/d.mp4", copyOf: Samples.video)
    try scene.put("sources/library/e.JPG", copyOf: Samples.still)
    try scene.put("sources/library/e.MOV", copyOf: Samples.movie)
    let terminal = try scene.runAtTerminal()
    #expect(terminal.shows("Pick from the photo library for \"A test\""))
    #expect(terminal.shows("live photos, videos, at most 1."))
    #expect(terminal.shows("1 | e.JPG + e.MOV"))
    #expect(terminal.shows("2 | d.mp4"))
    #expect(terminal.shows("Names 1 to 2 of 2"))
    terminal.answer("2", at: pickPlace)
    terminal.answer("done", at: pickPlace)
    try terminal.outcome().expect(0)
    #expect(try scene.importedPaths() == ["d.mp4"])
  }

  @Test("A person passes their own denial by picking")
  func denied() throws {
    let scene = try Scene.asking(["pick": [:]], status: "denied")
    let terminal = try scene.runAtTerminal()
    #expect(terminal.shows("No file is opened for this list;"))
    terminal.answer("2", at: pickPlace)
    terminal.answer("done", at: pickPlace)
    let outcome = terminal.outcome()
    try outcome.expect(0)
    #expect(try scene.importedPaths() == ["b-canary/b.jpg"])
    #expect(try outcome.json()["sources"].array[0]["authorizationStatus"].string == "denied")
  }

  @Test("Where a person cannot change it, nobody is asked to pick")
  func restricted() throws {
    let scene = try Scene.asking(["pick": [:]], status: "restricted")
    let terminal = try scene.runAtTerminal()
    let outcome = terminal.outcome()
    #expect(!terminal.text.contains("Pick from"))
    #expect(try outcome.json()["sources"].array[0]["reason"].string == "restricted")
    #expect(try scene.originals().isEmpty)
  }

  @Test(
    "Leaving the picker picks nothing and says so; Ctrl-C is an interruption; neither stores anything",
    arguments: [("q\r", 0), ("\u{3}", 130), ("\u{4}", 0)]
  )
  func cancels(typed: String, code: Int32) throws {
    let scene = try Scene.asking(["pick": [:]])
    let terminal = try scene.runAtTerminal()
    #expect(terminal.shows(pickPlace))
    terminal.type(typed)
    let outcome = terminal.outcome()
    try outcome.expect(code)
    #expect(try outcome.problems() == [code == 0 ? "selectionEmpty" : "interrupted"])
    #expect(try scene.originals().isEmpty)
    try scene.run().expect(75)
  }

  @Test("More than the limit is an error that lists the surplus, and is picked again")
  func surplus() throws {
    let scene = try Scene.asking(["pick": ["limit": 1]])
    let terminal = try scene.runAtTerminal()
    terminal.answer("1 3", at: pickPlace)
    terminal.answer("done", at: pickPlace)
    #expect(terminal.shows("You chose 2, but at most 1 can be picked."))
    // The newest comes first.
    #expect(terminal.shows("3 | a.jpg"))
    terminal.answer("-1", at: pickPlace)
    terminal.answer("done", at: pickPlace)
    try terminal.outcome().expect(0)
    #expect(try scene.importedPaths() == ["a.jpg"])
  }

  @Test("Without a terminal, or with --no-input, nothing is picked", arguments: [true, false])
  func nobody(atTerminal: Bool) throws {
    let scene = try Scene.asking(["pick": [:]])
    if atTerminal {
      let terminal = try scene.runAtTerminal("--no-input")
      try terminal.outcome().expect(75)
      #expect(!terminal.text.contains("Pick from"))
    } else {
      try scene.run().expect(75)
    }
  }
}
