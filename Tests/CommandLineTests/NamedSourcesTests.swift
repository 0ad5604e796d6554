import Foundation
import Glibc
import MediaSyntax
import MediaTestSupport
import Testing

/// Several sources of one kind in one library, each known by its name.
@Suite("Several sources of a kind", .enabled(if: Has.sqlite && Has.python, "no sqlite3 or python3"))
struct NamedSourcesTests {
  /// The folder of a Takeout in a scene.
  private static func folder(_ name: String) -> String { "takeouts/\(name)/Takeout/Google Photos/" }

  /// Puts a Takeout with two pictures in an album, of which the first is a favorite.
  private func takeout(_ scene: Scene, _ name: String, album: String? = nil) throws {
    let folder = Self.folder(name) + (album ?? "Trip \(name)") + "/"
    let title = album ?? "Trip \(name)"
    try scene.put(
      folder + "metadata.json",
      #"{ "title": "\#(title)", "date": { "timestamp": "1600000000" } }"#
    )
    for number in 1...2 {
      let picture = "\(name)\(number).jpg"
      try scene.put(folder + picture, try Media.photo("\(name) \(number)"))
      let favorite = number == 1 ? #", "favorited": true"# : ""
      let json =
        #"{ "title": "\#(picture)", "photoTakenTime": { "timestamp": "160000000\#(number)" }\#(favorite) }"#
      try scene.put(folder + picture + ".json", json)
    }
  }

  private func declaration(_ name: String, named: Bool = true, _ status: String = "authorized") -> JSONValue {
    var members: [String: JSONValue] = [
      "path": .string("takeouts/" + name), "kind": "takeout", "authorizationStatus": .string(status),
    ]
    if named { members["name"] = .string(name) }
    return .object(members)
  }

  /// A scene whose manifest has a list of Takeouts.
  private func scene(_ names: [String], refused: String? = nil) throws -> Scene {
    let scene = Scene()
    for name in names { try takeout(scene, name) }
    try list(scene, names, refused: refused)
    return scene
  }

  private func list(_ scene: Scene, _ names: [String], refused: String? = nil) throws {
    scene.manifest["sources"] = [
      "library": .array(names.map { declaration($0, $0 == refused ? "denied" : "authorized") })
    ]
  }

  private static let standing = "SELECT sourceName, label, isFavorite FROM assets ORDER BY sourceName, label"

  @Test(
    "Each keeps its albums, favorites and items, in each order, and twice",
    arguments: [["One", "Two"], ["Two", "One"]]
  )
  func both(order: [String]) throws {
    let scene = try scene(order)
    for run in 1...2 {
      let outcome = try scene.run()
      try outcome.expect(0)
      #expect(try outcome.problems() == [])
      #expect(try outcome.count(run == 1 ? "imported" : "unchanged") == (run == 1 ? 4 : 8))
      #expect(try scene.albums() == ["Trip One": 2, "Trip Two": 2])
    }
    #expect(try scene.catalogue(Self.standing) == ["One|One1|1", "One|One2|", "Two|Two1|1", "Two|Two2|"])
    let sources = try scene.run().json()["sources"].array
    #expect(sources.map { $0["sourceName"].string } == order)
    #expect(sources.map { $0["source"].string } == ["library", "library"])
    try scene.expectVerified()
  }

  @Test("Another manifest with a new name brings a second source, and the first one's memory stays")
  func otherManifest() throws {
    let scene = try scene(["One"])
    try scene.run().expect(0)
    try takeout(scene, "Two")
    try list(scene, ["Two"])
    for _ in 1...2 {
      let outcome = try scene.run()
      try outcome.expect(0)
      #expect(try outcome.problems() == [])
      #expect(try scene.albums() == ["Trip One": 2, "Trip Two": 2])
    }
    try list(scene, ["One"])
    try scene.run().expectCounts(["unchanged": 4, "skipped": 1])
    #expect(try scene.albums() == ["Trip One": 2, "Trip Two": 2])
    // The album ends when its own source says so.
    try FileManager.default.removeItem(atPath: scene.at(Self.folder("One") + "Trip One"))
    try scene.run().expect(0)
    #expect(try scene.albums() == ["Trip Two": 2])
    try scene.expectVerified()
  }

  @Test("A refused one is not opened, and the other one is imported")
  func refused() throws {
    let scene = try scene(["One", "Two"])
    try scene.run().expect(0)
    try list(scene, ["One", "Two"], refused: "One")
    try FileManager.default.removeItem(atPath: scene.at(Self.folder("One")))
    let outcome = try scene.run()
    try outcome.expectCounts(["unchanged": 4, "skipped": 1])
    #expect(try scene.albums() == ["Trip One": 2, "Trip Two": 2])
    let decisions = try scene.lastLog().filter { $0["event"].string == "decision" }
    #expect(decisions.map { $0["sourceName"].string } == ["One", "Two"])
    #expect(decisions.map { $0["decision"].string } == ["refuse", "allow"])
    #expect(
      try scene.lastLog().filter { $0["event"].string == "source" }.map { $0["sourceName"].string } == ["Two"]
    )
  }

  @Test(
    "A run that was killed in the second one is finished by the next run",
    .enabled(if: Has.strace, "no strace")
  )
  func killed() throws {
    let scene = try scene(["One", "Two"])
    try scene.writeManifest()
    let run = try HeldProgram(
      ["run", "manifest.json", "--format", "json"],
      in: scene.path,
      calls: "renameat2"
    )
    // Each original has a folder of its own, named after the time; the third is one of the second source.
    var published = 0
    let isPublishing =
      try run.next {
        if $0.line.contains(/"\d{6}\.\d{6}"/) { published += 1 }
        return published == 3
      } != nil
    try #require(isPublishing)
    run.kill(SIGKILL)
    try scene.run().expect(0)
    #expect(try scene.albums() == ["Trip One": 2, "Trip Two": 2])
    #expect(try scene.catalogue(Self.standing) == ["One|One1|1", "One|One2|", "Two|Two1|1", "Two|Two2|"])
    try scene.expectVerified()
  }

  @Test("Each that is missing counts by itself: 66 where it is required")
  func missing() throws {
    let scene = try scene(["One", "Two"])
    try FileManager.default.removeItem(atPath: scene.at("takeouts/One"))
    try scene.run().expect(66)
    var declaration: [String: JSONValue] = [:]
    if case .object(let members) = self.declaration("One") { declaration = members }
    declaration["required"] = false
    scene.manifest["sources"] = ["library": [.object(declaration), self.declaration("Two")]]
    try scene.run().expectCounts(["imported": 2, "skipped": 3])
  }

  @Test("Two folders may have files of the same paths, and the catalogue made of the log is equal")
  func samePaths() throws {
    let scene = Scene()
    for (index, name) in ["Card A", "Card B"].enumerated() {
      try scene.put("cards/\(index)/DCIM/1.jpg", try Media.photo("card \(name)"))
      try scene.put("cards/\(index)/DCIM/2.jpg", try Media.photo("both cards"))
    }
    try scene.put("photos/DCIM/1.jpg", try Media.photo("photos"))
    func card(_ index: Int, _ name: String) -> JSONValue {
      ["path": .string("cards/\(index)"), "name": .string(name), "authorizationStatus": "authorized"]
    }
    scene.manifest["sources"] = [
      "camera": [card(0, "Card A"), card(1, "Card B")],
      "library": ["path": "photos", "authorizationStatus": "authorized"],
    ]
    try scene.run().expectCounts(["imported": 4, "duplicate": 1])
    try scene.run().expectCounts(["unchanged": 5])
    let rows = try scene.catalogue("SELECT source, sourceName, path FROM outcomes ORDER BY sourceName, path")
    #expect(
      rows == [
        "camera|Card A|DCIM/1.jpg", "camera|Card A|DCIM/2.jpg", "camera|Card B|DCIM/1.jpg",
        "camera|Card B|DCIM/2.jpg", "library|library|DCIM/1.jpg",
      ]
    )
    // The name of a source is in no record where it is the kind's word.
    let outcomes = try scene.logFiles()[0].lines.filter { $0.contains(#""event":"outcome""#) }
    #expect(outcomes.count { $0.contains(#""sourceName":"Card A""#) } == 2)
    #expect(outcomes.count { !$0.contains("sourceName") } == 1)
    let before = try CatalogueDump(scene.library)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try CatalogueDump(scene.library).lacking(in: before) == [])
    #expect(try before.lacking(in: CatalogueDump(scene.library)) == [])
    try scene.run().expectCounts(["unchanged": 5])
    try scene.expectVerified()
  }

  @Test(
    "An equal picture is what the source says that tells most, whichever comes first",
    arguments: [["phone", "Two", "One"], ["One", "Two", "phone"], ["Two", "One", "phone"]]
  )
  func equalPictures(order: [String]) throws {
    let scene = Scene()
    for name in ["One", "Two"] { try takeout(scene, name) }
    // The other account has the favorite of the first one too, and says no more of it than when it was taken.
    let plain = Self.folder("Two") + "Trip Two/plain.jpg"
    let favorite = try Media.photo("One 1")
    try scene.put(plain, favorite)
    try scene.put(
      plain + ".json",
      #"{ "title": "plain.jpg", "photoTakenTime": { "timestamp": "1600000001" } }"#
    )
    try scene.put("phone/DCIM/1.jpg", favorite)
    func run(_ name: String) throws -> Outcome {
      scene.manifest["sources"] =
        name == "phone"
        ? ["camera": ["path": "phone", "authorizationStatus": "authorized"]]
        : ["library": [declaration(name)]]
      return try scene.run()
    }
    let favorites = "SELECT count(*), sum(isFavorite) FROM assets"
    for name in order { try run(name).expect(0) }
    #expect(try scene.catalogue(favorites) == ["4|2"])
    #expect(try scene.albums() == ["Trip One": 2, "Trip Two": 3])
    for name in order {
      let counts = ["phone": ["unchanged": 1], "One": ["unchanged": 4, "skipped": 1]]
      try run(name).expectCounts(counts[name] ?? ["unchanged": 6, "skipped": 1])
    }
    try scene.expectVerified()
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    for name in order { try run(name).expect(0) }
    #expect(try scene.catalogue(favorites) == ["4|2"])
    try scene.expectVerified()
  }

  @Test("Albums of another folder under the same name stay, and check and run say what settles it")
  func elsewhere() throws {
    let scene = Scene()
    for name in ["One", "Two"] { try takeout(scene, name) }
    scene.manifest["sources"] = ["library": declaration("One", named: false)]
    try scene.run().expect(0)
    scene.manifest["sources"] = ["library": declaration("Two", named: false)]
    let check = try scene.command("check", try scene.writeManifest())
    #expect(check.output.contains("--moved") && check.output.contains("\"name\""))
    for _ in 1...2 {
      let outcome = try scene.run()
      try outcome.expect(0)
      #expect(try outcome.problems() == ["albumsElsewhere"])
      #expect(try scene.albums() == ["Trip One": 2, "Trip Two": 2])
    }
    let moved = try scene.run("--moved")
    try moved.expect(0)
    #expect(try moved.problems() == [])
    #expect(try scene.albums() == ["Trip Two": 2])
    #expect(try scene.catalogue("SELECT count(*) FROM assets WHERE isFavorite = 1") == ["2"])
  }

  @Test("A source that has the same files in another folder has moved, and nobody is asked")
  func moved() throws {
    let scene = try scene(["One"])
    try scene.run().expect(0)
    try FileManager.default.moveItem(atPath: scene.at("takeouts/One"), toPath: scene.at("takeouts/Elsewhere"))
    var declaration: [String: JSONValue] = [:]
    if case .object(let members) = self.declaration("One") { declaration = members }
    declaration["path"] = "takeouts/Elsewhere"
    scene.manifest["sources"] = ["library": .object(declaration)]
    let check = try scene.command("check", try scene.writeManifest())
    try check.expect(0)
    #expect(!check.output.contains("--moved"), "\(check.output)")
    let outcome = try scene.run()
    try outcome.expectCounts(["unchanged": 4, "skipped": 1])
    #expect(try outcome.problems() == [] && scene.albums() == ["Trip One": 2])
    // In its new place it says again what ends.
    try FileManager.default.removeItem(atPath: scene.at("takeouts/Elsewhere/Takeout/Google Photos/Trip One"))
    #expect(try scene.run().problems() == [] && scene.albums() == [:])
  }

  @Test("A name belongs to one kind of source for good: 78")
  func otherKind() throws {
    let scene = Scene()
    try scene.put("photos/1.jpg", try Media.photo("kind"))
    let source: JSONValue = ["path": "photos", "name": "Holidays", "authorizationStatus": "authorized"]
    scene.manifest["sources"] = ["library": source]
    try scene.run().expect(0)
    scene.manifest["sources"] = ["camera": source]
    for arguments in [["check"], ["run", "--format", "json"], ["run", "--dry-run", "--format", "json"]] {
      let outcome = try scene.command([arguments[0], try scene.writeManifest()] + arguments.dropFirst())
      try outcome.expect(78)
      #expect(outcome.error.contains("a photo library with the name \"Holidays\""), "\(arguments)")
    }
  }

  @Test(
    "Advice names the place of a source in the manifest; a kind's word means the only one that has a file"
  )
  func told() throws {
    let scene = Scene()
    try scene.put("one/1.jpg", try Media.photo("one"))
    try scene.put("two/2.jpg", try Media.photo("two"))
    try FileManager.default.linkItem(atPath: scene.at("two/2.jpg"), toPath: scene.at("two/3.jpg"))
    try scene.put("two/4.jpg", try Media.photo("four"))
    scene.manifest["sources"] = [
      "library": [
        ["path": "one", "name": "One", "authorizationStatus": "denied"],
        ["path": "two", "name": "Two", "authorizationStatus": "authorized"],
      ]
    ]
    let problems = try scene.run().json()["problems"].array
    let hardLinked = problems.first { $0["code"].string == "hardLinked" }
    #expect(hardLinked?["message"].string?.hasSuffix("under sources.library[1].") == true, "\(problems)")
    for word in ["Two", "library"] {
      try scene.command("audit", "prove", scene.library, "--path", "4.jpg", "--source", word).expect(0)
    }
    try scene.command("audit", "prove", scene.library, "--path", "4.jpg", "--source", "One").expect(64)
  }

  @Test("A command names a source of several; a denial is about all of a kind")
  func commands() throws {
    let scene = try scene(["One", "Two"])
    scene.manifest["sources"] = [
      "library": .array(["One", "Two"].map { declaration($0, "notDetermined") })
    ]
    let path = try scene.writeManifest()
    try scene.command("access", "grant", path, "library").expect(64)
    try scene.command("access", "grant", path, "Three").expect(64)
    try scene.command("access", "grant", path, "One").expect(0)
    try scene.command("access", "deny", path, "Two").expect(0)
    let explained = try scene.command("access", "explain", path, "One", "--format", "json").json()
    #expect(explained["sources"].array[0]["sourceName"].string == "One")
    #expect(explained["sources"].array[0]["authorizationStatus"].string == "denied")
    // Without the manifest too a denial is taken back for the kind.
    try scene.command("access", "reset", "--client", "org.example.test", "--source", "Two").expect(0)
    let listed = try scene.command("access", "list", path, "--format", "json").json()
    #expect(listed["answers"].array.isEmpty)
  }
}
