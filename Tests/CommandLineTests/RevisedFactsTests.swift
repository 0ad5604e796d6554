import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Dates and places of items that are in the library already, where the manifest has other rules for them.
@Suite(
  "Other rules for what is there",
  .enabled(if: Has.exiftool && Has.sqlite, "no exiftool or sqlite3")
)
struct RevisedFactsTests {
  private func scene(_ policy: String = "keep") throws -> Scene {
    let scene = Scene(policy: policy)
    if case .object(var texts)? = scene.manifest["usageDescriptions"] {
      texts["NSLocationWhenInUseUsageDescription"] = "Pictures get the places of your tracks."
      scene.manifest["usageDescriptions"] = .object(texts)
    }
    try scene.declare("camera")
    try scene.put("names.txt", Self.line("Versailles", 48.80359, 2.13424))
    try scene.put("paris.txt", Self.line("Paris", 48.85341, 2.3488))
    try scene.put("walk.gpx", Self.track(north: 48.8))
    try scene.put("other.gpx", Self.track(north: 48.7))
    return scene
  }

  private static func line(_ name: String, _ latitude: Double, _ longitude: Double) -> String {
    "1\t\(name)\t\(name)\t\t\(latitude)\t\(longitude)\tP\tPPL\tFR\t\tA8\t\t\t\t1\t\t1\tEurope/Paris\t2014-08-20"
  }

  /// A point at 08:15:33 UTC, and one two hours later, half a degree to the north.
  private static func track(north: Double) -> String {
    let points = [("08", north), ("10", north + 0.5)].map { hour, north in
      "<trkpt lat='\(north)' lon='2.1'><time>2019-07-04T\(hour):15:33Z</time></trkpt>"
    }
    return "<gpx>\(points.joined())</gpx>"
  }

  /// Puts a picture whose only metadata are these tags.
  private func put(_ scene: Scene, _ name: String, _ number: Int, _ tags: [String]) throws {
    let file = try scene.put("sources/camera/" + name, copyOf: Samples.photo(number))
    try Independent.make("exiftool", ["-q", "-overwrite_original", "-all="] + tags + [file])
  }

  private static let taken = [
    "-DateTimeOriginal=2019:07:04 10:15:33", "-OffsetTimeOriginal=+02:00",
  ]
  private static let own = [
    "-GPSLatitude=48.858222", "-GPSLatitudeRef=N", "-GPSLongitude=2.294512",
    "-GPSLongitudeRef=E",
  ]

  /// A picture without a place, one with its own, and one whose date is no moment.
  private func putThree(_ scene: Scene) throws {
    try put(scene, "a.jpg", 1, Self.taken)
    try put(scene, "b.jpg", 2, Self.taken + Self.own)
    try put(scene, "c.jpg", 3, Array(Self.taken.prefix(1)))
  }

  private static let rows = """
    SELECT label, round(latitude, 4), placeTag, hasLocation, city FROM assets ORDER BY label
    """
  private static let unplaced = ["a|||0|", "b|48.8582||1|", "c|||0|"]

  private func places(_ scene: Scene) throws -> [String] { try scene.catalogue(Self.rows) }

  /// All that the catalogue says of assets but their places, of their files and their items; and the originals.
  private func unchangedRows(_ scene: Scene, besides changing: [String] = []) throws -> [String] {
    let places = [
      "digest", "hasLocation", "latitude", "longitude", "placeTag", "city", "region", "country",
    ]
    let excluded = (places + changing).map { "'\($0)'" }.joined(separator: ", ")
    let columns = try scene.catalogue(
      "SELECT name FROM pragma_table_info('assets') WHERE name NOT IN (\(excluded))"
    )
    #expect(columns.count > 30)
    return try scene.catalogue("SELECT \(columns.joined(separator: ", ")) FROM assets ORDER BY id")
      + scene.catalogue("SELECT * FROM resources ORDER BY id")
      + scene.catalogue("SELECT CAST(path AS TEXT), outcome, asset FROM items ORDER BY path")
      + scene.originals().map { "\($0.path) \($0.sha256)" }
  }

  /// The last components of the paths that the last run has recorded before it opened them.
  private func opened(_ scene: Scene) throws -> [String] {
    try scene.lastLog().filter { $0["event"].string == "access" && $0["sha256"].string == nil }
      .compactMap { $0["path"].string?.split(separator: "/").last.map(String.init) }
  }

  private func notes(_ scene: Scene) throws -> [String] {
    try scene.writeManifest()
    let check = try scene.command("check", "manifest.json", "--format", "json")
    let dry = try scene.run("--dry-run")
    func placeNotes(_ outcome: Outcome) throws -> [String] {
      try outcome.json()["notes"].array.compactMap(\.string)
        .filter { $0.hasPrefix("The next run") }
    }
    let notes = try placeNotes(check)
    #expect(try placeNotes(dry) == notes)
    return notes
  }

  @Test("Tracks and names that are declared later place what is there, and no item is opened")
  func declaredLater() throws {
    let scene = try scene()
    try putThree(scene)
    try scene.run().expectCounts(["imported": 3])
    let (before, token) = (try unchangedRows(scene), try scene.changes().token)
    #expect(try places(scene) == Self.unplaced)
    #expect(try notes(scene) == [])

    try scene.declare("camera", "authorized", ["tracks": ["walk.gpx"]])
    #expect(try notes(scene).map { $0.contains("the places of 1 asset of the camera") } == [true])
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try opened(scene) == ["walk.gpx"])
    #expect(try places(scene) == ["a|48.8|gpx|1|", "b|48.8582||1|", "c|||0|"])
    #expect(try unchangedRows(scene) == before)
    #expect(try scene.changes(since: token).updated.count == 1)

    scene.manifest["places"] = ["data": "names.txt"]
    #expect(try notes(scene).map { $0.contains("the places of 2 assets of the camera") } == [true])
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try opened(scene).sorted() == ["names.txt", "walk.gpx"])
    let named = [
      "a|48.8|gpx|1|Versailles", "b|48.8582||1|Versailles", "c|||0|",
    ]
    #expect(try places(scene) == named)
    #expect(try unchangedRows(scene) == before)
    // What follows the manifest already is not looked for again.
    #expect(try notes(scene) == [])
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try opened(scene) == [])

    let rebuild = try scene.command("rebuild", "Library", "--format", "json")
    try rebuild.expect(0)
    #expect(try rebuild.rowDifferences().isEmpty)
    #expect(try places(scene) == named)
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try opened(scene) == [])
    try scene.expectVerified()
  }

  @Test("Other tracks and names give others, a damaged file takes nothing, and none take all back")
  func others() throws {
    let scene = try scene()
    try putThree(scene)
    func declare(_ tracks: [JSONValue], _ data: String?) throws {
      try scene.declare("camera", "authorized", tracks.isEmpty ? [:] : ["tracks": .array(tracks)])
      scene.manifest["places"] = data.map { ["data": .string($0)] }
    }
    try declare(["walk.gpx"], "names.txt")
    try scene.run().expect(0)
    let before = try unchangedRows(scene)
    let first = ["a|48.8|gpx|1|Versailles", "b|48.8582||1|Versailles", "c|||0|"]
    #expect(try places(scene) == first)

    try scene.put("bad.gpx", "<kml/>")
    try scene.put("bad.txt", "no names")
    try declare(["bad.gpx"], "bad.txt")
    let damaged = try scene.run()
    #expect(try damaged.problems().sorted() == ["placesNotUsed", "tracksNotUsed"])
    #expect(try places(scene) == first)

    try declare(["other.gpx"], "paris.txt")
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try places(scene) == ["a|48.7|gpx|1|Paris", "b|48.8582||1|Paris", "c|||0|"])
    // A clock that was two hours slow was somewhere else at the time.
    let dates: JSONValue = ["shift": [["by": "+02:00", "where": "name == 'a.jpg'"]]]
    try scene.declare("camera", "authorized", ["tracks": ["other.gpx"], "dates": dates])
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try places(scene)[0] == "a|49.2|gpx|1|Paris")
    try declare([], nil)
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try opened(scene) == [])
    #expect(try places(scene) == Self.unplaced)
    #expect(try unchangedRows(scene) == before)
    try scene.expectVerified()
  }

  @Test("Under strip the places that are found later are in private.sqlite alone")
  func stripped() throws {
    let scene = try scene("strip")
    scene.manifest["catalogue"] = ["privateFacts": true]
    try putThree(scene)
    // No time in the log has these digits.
    try scene.put("walk.gpx", Self.track(north: 48.80712))
    try scene.run().expect(0)
    let (before, token) = (try unchangedRows(scene), try scene.changes().token)
    func facts() throws -> [String] {
      let facts = try Tool.run(
        "sqlite3",
        [
          scene.library + "/private.sqlite",
          "SELECT round(latitude, 4), city, creationDate FROM facts ORDER BY latitude",
        ]
      )
      return facts.output.split(separator: "\n").map(String.init)
    }
    let date = "2019-07-04T10:15:33"
    #expect(try facts() == ["||\(date)", "||\(date)", "48.8582||\(date)"])
    try scene.declare("camera", "authorized", ["tracks": ["walk.gpx"]])
    scene.manifest["places"] = ["data": "names.txt"]
    #expect(try notes(scene).map { $0.contains("the places of 2 assets") } == [true])
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try opened(scene).sorted() == ["names.txt", "walk.gpx"])
    #expect(try facts() == ["||\(date)", "48.8071|Versailles|\(date)", "48.8582|Versailles|\(date)"])
    #expect(try places(scene) == ["a||||", "b||||", "c||||"])
    #expect(try unchangedRows(scene) == before)
    #expect(try scene.changes(since: token).updated.count == 2)
    let log = try scene.logFiles().flatMap(\.lines).joined()
    #expect(!log.contains("48.8071") && !log.contains("48.8582") && !log.contains("Versailles"))
    try scene.expectVerified()
  }

  @Test("Without access to its source no place is found anew, and no track is opened")
  func denied() throws {
    let scene = try scene()
    try putThree(scene)
    try scene.run().expect(0)
    try scene.declare("camera", "denied", ["tracks": ["walk.gpx"]])
    _ = try scene.run()
    #expect(try opened(scene) == [])
    #expect(try places(scene) == Self.unplaced)
    try scene.declare("camera", "authorized", ["tracks": ["walk.gpx"]])
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try opened(scene) == ["walk.gpx"])
    #expect(try places(scene)[0] == "a|48.8|gpx|1|")
  }

  // MARK: Dates that only files tell

  private static let dates = [
    "creationDate", "creationDateOffsetMinutes", "creationDateTag", "creationDateStated",
  ]

  /// A picture of a clock that is an hour fast, with a GPS time; one without; and one with a date in its name alone.
  private func putDated(_ scene: Scene) throws {
    let time = ["-DateTimeOriginal=2019:07:04 11:15:33"]
    let fix = ["-GPSDateStamp=2019:07:04", "-GPSTimeStamp=08:15:28"]
    try put(scene, "fix.jpg", 1, time + fix + Self.own)
    try put(scene, "plain.jpg", 2, time)
    try put(scene, "20190704_101533.jpg", 3, [])
  }

  private func dates(_ scene: Scene) throws -> [String] {
    let columns = Self.dates.joined(separator: ", ")
    return try scene.catalogue("SELECT label, \(columns) FROM assets ORDER BY label")
  }

  private static let stated = [
    "20190704_101533|2019-07-04T10:15:33||fileName|",
    "fix|2019-07-04T11:15:33|180|DateTimeOriginal+GPSTimeStamp|",
    "plain|2019-07-04T11:15:33||DateTimeOriginal|",
  ]
  private static let corrected = [
    "20190704_101533|2019-07-04T09:15:33||fileName+shift|2019-07-04T10:15:33",
    "fix|2019-07-04T10:15:33|120|DateTimeOriginal+GPSTimeStamp+shift|2019-07-04T11:15:33+03:00",
    "plain|2019-07-04T10:15:33||DateTimeOriginal+shift|2019-07-04T11:15:33",
  ]
  private static let slow: [String: JSONValue] = ["dates": ["shift": [["by": "-01:00"]]]]

  @Test("Files that alone tell their dates are read again, each behind its record, and no others")
  func readAgain() throws {
    let scene = try scene()
    try putDated(scene)
    try scene.run().expectCounts(["imported": 3])
    let before = try unchangedRows(scene, besides: Self.dates)
    #expect(try dates(scene) == Self.stated)

    try scene.declare("camera", "denied", Self.slow)
    #expect(try self.notes(scene) == [])
    _ = try scene.run()
    #expect(try opened(scene) == [])
    #expect(try dates(scene) == Self.stated)

    try scene.declare("camera", "authorized", Self.slow)
    let notes = try self.notes(scene)
    #expect(notes.map { $0.contains("corrects 2 dates") } == [true, false], "\(notes)")
    #expect(notes.map { $0.contains("reads 1 file of the camera") } == [false, true])
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try opened(scene) == ["fix.jpg"])
    // Its record comes before that of its new date.
    let events = try scene.lastLog().filter {
      $0["path"].string == "fix.jpg" || $0["read"].bool == true
    }
    #expect(events.map { $0["event"].string } == ["access", "dated"])
    #expect(try dates(scene) == Self.corrected)
    #expect(try unchangedRows(scene, besides: Self.dates) == before)
    #expect(try self.notes(scene) == [])
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try opened(scene) == [])

    scene.manifest["dates"] = ["fromName": false]
    #expect(try self.notes(scene).map { $0.contains("reads 1 file") } == [true])
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try opened(scene) == ["20190704_101533.jpg"])
    #expect(try dates(scene) == ["20190704_101533||||"] + Self.corrected.dropFirst())
    try scene.expectVerified()
    // The log tells the same dates without the catalogue.
    let dated = try dates(scene)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try dates(scene) == dated)

    scene.manifest["dates"] = nil
    try scene.declare("camera")
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try opened(scene) == ["20190704_101533.jpg"])
    #expect(try dates(scene) == Self.stated)
    #expect(try unchangedRows(scene, besides: Self.dates) == before)
    try scene.expectVerified()
  }

  /// Runs the manifest, and kills the program as it asks for the so-many-th time that a file is on the disk.
  private func kill(_ scene: Scene, at number: Int) throws {
    try scene.writeManifest()
    let words = ["-f", "-qq", "-o", scene.at("trace"), "-e", "trace=fdatasync"]
    let fault = ["-e", "inject=fdatasync:signal=SIGKILL:when=\(number)"]
    _ = try Tool.run(
      "strace",
      words + fault + [try Scene.executable(), "run", "manifest.json"],
      environment: Scene.environment(in: scene.path),
      in: scene.path
    )
  }

  @Test(
    "After a run that was killed all dates follow the next manifest, that of before too",
    .enabled(if: Has.strace, "no strace"),
    arguments: Amount.isAll ? Array(7...18) : [12, 13]
  )
  func killed(number: Int) throws {
    let scene = try scene()
    try put(scene, "20190704_101533.jpg", 3, [])
    try scene.run().expect(0)
    scene.manifest["dates"] = ["fromName": false]
    try kill(scene, at: number)
    scene.manifest["dates"] = nil
    try scene.run().expectCounts(["unchanged": 1])
    #expect(try dates(scene) == [Self.stated[0]])
    #expect(try notes(scene) == [])
    try scene.expectVerified()
  }

  @Test(
    "Without the catalogue of a run that was killed the next one reads what that has not read",
    .enabled(if: Has.strace, "no strace"),
    arguments: Amount.isAll ? Array(7...18) : [10]
  )
  func killedAndLost(number: Int) throws {
    let scene = try scene()
    try put(scene, "20190704_101533.jpg", 3, [])
    try scene.run().expect(0)
    scene.manifest["dates"] = ["fromName": false]
    try kill(scene, at: number)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    try scene.run().expectCounts(["unchanged": 1])
    #expect(try dates(scene) == ["20190704_101533||||"])
    try scene.run().expectCounts(["unchanged": 1])
    #expect(try opened(scene) == [])
    try scene.expectVerified()
  }

  @Test("Without the catalogue of a run that ended the next one reads nothing again")
  func endedAndLost() throws {
    let scene = try scene()
    try put(scene, "20190704_101533.jpg", 3, [])
    try scene.run().expect(0)
    scene.manifest["dates"] = ["fromName": false]
    try scene.run().expectCounts(["unchanged": 1])
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    try scene.run().expectCounts(["unchanged": 1])
    #expect(try opened(scene) == [])
    try scene.expectVerified()
  }

  private static let packet = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
    xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:DateTimeOriginal="2018-03-04T05:06:07+02:00"/>
    </rdf:RDF></x:xmpmeta>
    """

  @Test(
    "A file whose content, or whose sidecar, changes behind its record gives its asset no date",
    .enabled(if: Has.strace, "no strace"),
    arguments: ["", ".xmp"]
  )
  func changedMeanwhile(end: String) throws {
    let scene = try scene()
    let name = "sources/camera/20190704_101533.jpg"
    try put(scene, "20190704_101533.jpg", 3, [])
    if !end.isEmpty { try scene.put(name + end, Self.packet) }
    try scene.run().expect(0)
    let before = try dates(scene)
    try put(scene, "other.jpg", 4, Self.taken)
    try FileManager.default.moveItem(
      atPath: scene.at("sources/camera/other.jpg"),
      toPath: scene.at("other.jpg")
    )
    scene.manifest["dates"] = ["fromName": false]
    try scene.writeManifest()
    let run = try HeldProgram(["run", "manifest.json"], in: scene.path, calls: "pwrite64")
    func isAccess(_ call: HeldProgram.Call) -> Bool { call.line.contains(#"\"access\""#) }
    try #require(try run.next(where: isAccess) != nil)
    if end.isEmpty {
      try Independent.make("sh", ["-c", #"cat "$0" >"$1""#, scene.at("other.jpg"), scene.at(name)])
    } else {
      try FileManager.default.removeItem(atPath: scene.at(name + end))
    }
    try run.wait().expect(0)
    #expect(try dates(scene) == before)
  }

  @Test("A sidecar that comes first is read with its file alone")
  func sidecars() throws {
    let scene = try scene()
    try putThree(scene)
    try scene.put("sources/camera/b.jpg.xmp", Self.packet)
    try scene.run().expect(0)
    let (first, before) = (try dates(scene), try unchangedRows(scene, besides: Self.dates))
    scene.manifest["dates"] = ["sidecarFirst": true]
    #expect(try notes(scene).map { $0.contains("reads 1 file of the camera") } == [true])
    try scene.run().expect(0)
    #expect(try opened(scene).sorted() == ["b.jpg", "b.jpg.xmp"])
    let row = "b|2018-03-04T05:06:07|120|sidecar:exif:DateTimeOriginal|"
    #expect(try dates(scene) == [first[0], row, first[2]])
    #expect(try unchangedRows(scene, besides: Self.dates) == before)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try dates(scene) == [first[0], row, first[2]])
    try scene.expectVerified()
  }

  @Test("Under strip the dates of private.sqlite are read again, and the catalogue has none")
  func strippedDates() throws {
    let scene = try scene("strip")
    scene.manifest["catalogue"] = ["privateFacts": true]
    try putDated(scene)
    try scene.run().expect(0)
    let before = try unchangedRows(scene)
    func facts() throws -> [String] {
      let facts = try Tool.run(
        "sqlite3",
        [
          scene.library + "/private.sqlite",
          """
          SELECT creationDate, creationDateOffsetMinutes, creationDateTag FROM facts
          ORDER BY creationDateTag
          """,
        ]
      )
      return facts.output.split(separator: "\n").map(String.init)
    }
    func parts(_ rows: [String]) -> [String] {
      rows.map { row in
        row.split(separator: "|", omittingEmptySubsequences: false)[1...3].joined(separator: "|")
      }
    }
    #expect(try Set(facts()) == Set(parts(Self.stated)))
    try scene.declare("camera", "authorized", Self.slow)
    #expect(try notes(scene).map { $0.contains("reads 3 files of the camera") } == [true])
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try opened(scene).sorted() == ["20190704_101533.jpg", "fix.jpg", "plain.jpg"])
    #expect(try Set(facts()) == Set(parts(Self.corrected)))
    #expect(try unchangedRows(scene) == before)
    #expect(try scene.lastLog().allSatisfy { $0["event"].string != "dated" })
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try opened(scene) == [])
    try scene.expectVerified()
  }
}
