import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Places that GPS tracks give to pictures without one.
@Suite("GPS tracks", .enabled(if: Has.exiftool && Has.sqlite, "no exiftool or sqlite3"))
struct TrackTests {
  private func scene(_ policy: String = "keep", describesLocation: Bool = true) throws -> Scene {
    let scene = Scene(policy: policy)
    if describesLocation, case .object(var texts)? = scene.manifest["usageDescriptions"] {
      texts["NSLocationWhenInUseUsageDescription"] = "Pictures get the places of your tracks."
      scene.manifest["usageDescriptions"] = .object(texts)
    }
    try scene.declare("camera", "authorized", ["tracks": ["tracks/*.gpx"]])
    return scene
  }

  /// Puts a picture whose only metadata are these tags.
  private func put(_ scene: Scene, _ name: String, _ number: Int, _ tags: [String]) throws {
    let file = try scene.put("sources/camera/" + name, copyOf: Samples.photo(number))
    try Independent.make("exiftool", ["-q", "-overwrite_original", "-all="] + tags + [file])
  }

  private static let taken = [
    "-DateTimeOriginal=2019:07:04 10:15:33", "-OffsetTimeOriginal=+02:00",
  ]

  /// A way through Paris, a point each seven seconds from 08:15:00 to 08:17:20 UTC.
  private static func track(_ more: String = "") -> String {
    let points = (0..<21).map { index -> String in
      let second = index * 7
      let time = String(format: "2019-07-04T08:%02d:%02dZ", 15 + second / 60, second % 60)
      let (north, east) = (48.85 + 0.0003 * Double(index), 2.29 - 0.0005 * Double(index * index))
      return "<trkpt lat=\"\(north)\" lon=\"\(east)\"><ele>35</ele><time>\(time)</time></trkpt>"
    }
    return """
      <?xml version="1.0"?>\(more)
      <gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      \(points.joined(separator: "\n"))
      </trkseg></trk></gpx>
      """
  }

  private func places(_ scene: Scene) throws -> [String] {
    try scene.catalogue(
      "SELECT label, latitude, longitude, placeTag, hasLocation FROM assets ORDER BY label"
    )
  }

  /// What Python reads of some labels and coordinates in `list`, as JSON and as a spreadsheet.
  private func expectListed(_ scene: Scene, _ expected: [String]) throws {
    let script = """
      import csv, json, sys
      rows = csv.DictReader(open(sys.argv[2], newline=''))
      places = {r['label']: tuple(float(r[k]) if r[k] else None for k in ('latitude', 'longitude')) for r in rows}
      for asset in sorted(json.load(open(sys.argv[1]))['assets'], key=lambda a: a['label']):
          place = (asset['latitude'], asset['longitude'])
          assert place == places[asset['label']], (place, places)
          print(asset['label'], *place)
      """
    let files = try ["json", "csv"].map { format in
      try scene.put("list." + format, try scene.command("list", "Library", "--format", format).output)
    }
    let read = try Tool.run("python3", ["-c", script] + files)
    let lines = read.output.split(separator: "\n").map(String.init)
    #expect(read.status == 0 && expected.allSatisfy(lines.contains), "\(read.output)\(read.error)")
  }

  @Test("A place between two points is that of exiftool to a meter, and a file's own place stays")
  func agrees() throws {
    let scene = try scene()
    let track = try scene.put("tracks/walk.gpx", Self.track())
    try put(scene, "a.jpg", 1, Self.taken)
    let own = ["-GPSLatitude=1.5", "-GPSLatitudeRef=N", "-GPSLongitude=2.5", "-GPSLongitudeRef=E"]
    try put(scene, "b.jpg", 2, Self.taken + own)
    try put(scene, "c.jpg", 3, ["-DateTimeOriginal=2019:07:04 10:15:33"])
    try put(scene, "d.jpg", 4, ["-DateTimeOriginal=2019:07:04 10:19:33", "-OffsetTimeOriginal=+02:00"])
    try put(scene, "e.jpg", 5, ["-DateTimeOriginal=2019:07:04 10:18:00", "-OffsetTimeOriginal=+02:00"])
    let run = try scene.run()
    try run.expect(0)
    #expect(try run.problems() == [])
    let rows = try places(scene)
    #expect(rows[1] == "b|1.5|2.5||1")
    // A date without an offset is no moment, and the last point is more than a minute before.
    #expect(rows[2].hasPrefix("c|||") && rows[3].hasPrefix("d|||"), "\(rows)")
    // 40 s behind the last point, it is that one.
    #expect(rows[4] == "e|48.856|2.09|gpx|1")
    try expectListed(scene, ["b 1.5 2.5", "c None None", "e 48.856 2.09"])

    let copy = try scene.put("copy.jpg", try readBytes(scene.at("sources/camera/a.jpg")))
    try Independent.make(
      "exiftool",
      [
        "-q", "-overwrite_original", "-geotag", track, "-geotime<${DateTimeOriginal}+02:00", copy,
      ]
    )
    let expected = try Tool.run(
      "exiftool",
      ["-n", "-p", "$GPSLatitude $GPSLongitude", copy]
    ).output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    let fields = rows[0].split(separator: "|").compactMap { Double($0) }
    try #require(expected.count == 2 && fields.count == 3, "\(rows[0]) \(expected)")
    // 10⁻⁵ degrees are 1.1 m from north to south.
    #expect(abs(fields[0] - expected[0]) < 0.9e-5 && abs(fields[1] - expected[1]) < 0.9e-5)
    #expect(rows[0].hasSuffix("|gpx|1"))
    // What is there is not placed anew.
    try scene.run().expectCounts(["unchanged": 5])
    // A rebuild has it from the catalogue of before.
    let rebuild = try scene.command("rebuild", "Library", "--format", "json")
    try rebuild.expect(0)
    #expect(try rebuild.rowDifferences().isEmpty)
    #expect(try places(scene) == rows)
    try scene.expectVerified()
  }

  @Test("A corrected clock and a time zone make a moment of a date without an offset")
  func correctedDates() throws {
    let scene = try scene()
    let dates: JSONValue = ["timeZone": "Europe/Paris", "shift": [["by": "+00:01"]]]
    try scene.declare("camera", "authorized", ["tracks": ["tracks/*.gpx"], "dates": dates])
    try scene.put("tracks/walk.gpx", Self.track())
    try put(scene, "a.jpg", 1, ["-DateTimeOriginal=2019:07:04 10:17:00"])
    try scene.run().expect(0)
    #expect(try places(scene) == ["a|48.856|2.09|gpx|1"])
  }

  @Test(
    "Under strip a place is in private.sqlite alone, and no file of a track is opened without that"
  )
  func stripped() throws {
    let scene = try scene("strip")
    scene.manifest["metadata"] = ["policy": "strip", "except": ["location"]]
    try scene.put("tracks/walk.gpx", Self.track())
    try put(scene, "a.jpg", 1, Self.taken)
    let without = try scene.run()
    try without.expect(0)
    #expect(try scene.lastLog().filter { $0["path"].string?.hasSuffix(".gpx") == true }.isEmpty)
    #expect(try places(scene) == ["a||||0"])

    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.writeManifest()
    #expect(
      try scene.command("check", "manifest.json").streams.contains(
        "\"tracks\" reads GPS tracks, which say where a person was."
      )
    )
    try put(scene, "b.jpg", 2, Self.taken)
    try scene.run().expect(0)
    #expect(try places(scene) == ["a||||0", "b||||0"])
    let facts = try Tool.run(
      "sqlite3",
      [
        scene.library + "/private.sqlite",
        "SELECT round(latitude, 4), round(longitude, 3), placeTag FROM facts",
      ]
    )
    #expect(facts.output == "48.8514|2.279|gpx\n", "\(facts)")
    for original in try scene.originals() {
      let tags = try Tool.run(
        "exiftool",
        ["-GPS:all", "-XMP:all", scene.library + "/Originals/" + original.path]
      )
      #expect(tags.output == "")
    }
    try scene.expectVerified()
  }

  @Test("What is fetched is decided by the place of a track too, and again where the tracks change")
  func fetched() throws {
    let scene = try scene()
    try scene.put("tracks/walk.gpx", Self.track())
    try put(scene, "../library/a.jpg", 1, Self.taken)
    try put(scene, "../library/b.jpg", 2, [])
    func declare(_ tracks: String) throws {
      let fetch: JSONValue = ["predicate": "latitude > 48"]
      try scene.declare("library", "authorized", ["tracks": [.string(tracks)], "fetch": fetch])
    }
    try declare("tracks/none.gpx")
    try scene.run().expectCounts(["skipped": 2])
    try declare("tracks/walk.gpx")
    try scene.run().expectCounts(["imported": 1, "skipped": 1])
    #expect(try places(scene).map { $0.prefix(2) } == ["a|"])
  }

  @Test("Tracks are read by a plan whose limit chooses by places, and by shards that open a file")
  func planned() throws {
    let scene = try scene()
    try scene.put("tracks/walk.gpx", Self.track())
    try put(scene, "../library/a.jpg", 1, [])
    try put(scene, "../library/b.jpg", 2, Self.taken)
    let fetch: JSONValue = ["predicate": "latitude > 48", "fetchLimit": 1]
    try scene.declare("library", "authorized", ["tracks": ["tracks/*.gpx"], "fetch": fetch])
    try scene.makePlan(2)
    try scene.runShards(2)
    let logs = try Tool.run("grep", ["-rl", "--include=*.ndjson", "walk.gpx", scene.plan + "/shards"])
    #expect(logs.output.split(separator: "\n").count == 1, "\(logs)")
    try scene.merge().expect(0)
    let merged = try Tool.run(
      "sqlite3",
      [
        "-readonly", "file:\(scene.merged)/library.sqlite?immutable=1",
        "SELECT label, latitude > 48, placeTag FROM assets",
      ]
    )
    #expect(merged.output == "b|1|gpx\n", "\(merged)")
  }

  @Test("Each track has an access record before it is opened, and one with its digest")
  func records() throws {
    let scene = try scene()
    let track = try scene.put("tracks/walk.gpx", Self.track())
    try put(scene, "a.jpg", 1, Self.taken)
    try scene.run().expect(0)
    let log = try scene.lastLog()
    let source = try #require(log.firstIndex { $0["event"].string == "source" })
    let records = log.indices.filter {
      log[$0]["path"].string?.hasSuffix("tracks/walk.gpx") == true
    }
    try #require(records.count == 2 && records[0] > source)
    #expect(records.allSatisfy { log[$0]["event"].string == "access" })
    #expect(log[records[0]]["sha256"].string == nil)
    #expect(try log[records[1]]["sha256"].string == Independent.sha256(track))
    let item = try #require(log.firstIndex { $0["path"].string == "a.jpg" })
    #expect(item > records[1])
    // No coordinate is told.
    let times = /\d{4}-\d\d-\d\dT[0-9:.]+Z/
    let logText = try scene.logFiles().flatMap(\.lines).joined().replacing(times, with: "")
    #expect(!logText.contains("48.85"))
    let report = try scene.command("report", "Library", "--format", "json")
    try report.expect(0)
    #expect(!report.output.contains("48.85"))
    try scene.command("audit", "export", "Library", "--format", "ocsf").expect(0)
  }

  @Test("What is no track is named, and nothing is lost")
  func damaged() throws {
    let scene = try scene()
    let entity = "<!DOCTYPE gpx [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]>"
    try scene.put("tracks/a-entities.gpx", Self.track(entity))
    try scene.put("tracks/b-cut.gpx", String(Self.track().prefix(700)))
    try scene.put("tracks/c-no-times.gpx", "<gpx><trk><trkpt lat='1' lon='2'/></trk></gpx>")
    try scene.put("tracks/d-empty.gpx", "")
    try scene.put("tracks/e-other.gpx", "<kml/>")
    let target = try scene.put("elsewhere.gpx", Self.track())
    try FileManager.default.createSymbolicLink(
      atPath: scene.at("tracks/f-link.gpx"),
      withDestinationPath: target
    )
    // 2 GiB that take no room.
    let large = try scene.put("tracks/g-large.gpx", "<gpx>")
    try Independent.make("truncate", ["-s", "2G", large])
    try put(scene, "a.jpg", 1, Self.taken)
    // A dry run opens none of them.
    let dry = try scene.run("--dry-run")
    try dry.expect(0)
    #expect(try dry.problems() == [], "\(dry.streams)")
    let run = try scene.run()
    try run.expect(0)
    try run.expectCounts(["imported": 1])
    #expect(try run.problems() == [String](repeating: "tracksNotUsed", count: 7), "\(run.streams)")
    let messages = try run.json()["problems"].array.compactMap { $0["message"].string }.joined()
    for name in ["a-entities", "b-cut", "c-no-times", "d-empty", "e-other", "f-link", "g-large"] {
      #expect(messages.contains(name + ".gpx"), "\(name)")
    }
    #expect(try places(scene) == ["a||||0"])
    #expect(try scene.lastLog().allSatisfy { $0["path"].string?.hasSuffix("f-link.gpx") != true })
    // A pattern that matches nothing is named too, and so is one whose folder is a link.
    try FileManager.default.createSymbolicLink(
      atPath: scene.at("linked"),
      withDestinationPath: scene.at("tracks")
    )
    try scene.declare("camera", "authorized", ["tracks": ["none.gpx", "linked/*.gpx"]])
    try put(scene, "b.jpg", 2, Self.taken)
    let second = try scene.run()
    #expect(try second.problems() == ["tracksNotUsed", "tracksNotUsed"])
    // Without anything new no track is looked into.
    #expect(try scene.run().problems() == [])
    try scene.expectVerified()
  }

  @Test("Of many files that are no tracks the first are named")
  func manyProblems() throws {
    let scene = try scene()
    try put(scene, "a.jpg", 1, Self.taken)
    for number in 0..<120 {
      try scene.makeFolder("tracks/\(number).gpx")
    }
    let run = try scene.run()
    try run.expect(0)
    #expect(try run.problems().count == 101)
    #expect(run.streams.contains("20 other problems with tracks"), "\(run.streams)")
  }

  @Test(
    "Without its usage description, or in a source that is not allowed, a track stops the run with 78"
  )
  func refused() throws {
    let silent = try scene(describesLocation: false)
    try silent.put("tracks/walk.gpx", Self.track())
    let run = try silent.run()
    try run.expect(78)
    #expect(run.streams.contains("NSLocationWhenInUseUsageDescription"), "\(run.streams)")
    #expect(try silent.command("check", "manifest.json").code == 78)

    for status in ["denied", "limited"] {
      let scene = try scene()
      let extra: [String: JSONValue] = status == "limited" ? ["selection": ["a.jpg"]] : [:]
      try scene.declare("library", status, extra)
      try scene.declare("camera", "authorized", ["tracks": ["sources/library/in/*.gpx"]])
      try scene.put("sources/library/in/walk.gpx", Self.track())
      let run = try scene.run()
      try run.expect(78)
      #expect(try run.problems() == ["sourcesOverlap"], "\(run.streams)")
      #expect(try scene.lastLog().allSatisfy { $0["event"].string != "access" })
      #expect(try scene.command("check", "manifest.json").code == 78)
      // By another name it is the same folder.
      try FileManager.default.createSymbolicLink(
        atPath: scene.at("way"),
        withDestinationPath: scene.at("sources/library/in")
      )
      try scene.declare("camera", "authorized", ["tracks": ["way/*.gpx"]])
      #expect(try scene.run().code == 78)
    }
  }

  @Test("A manifest with other tracks asks for more: check --against ends with 4")
  func widened() throws {
    let scene = try scene()
    try scene.writeManifest()
    try scene.put("old.json", try readBytes(scene.manifestPath))
    try scene.declare("camera", "authorized", ["tracks": ["tracks/*.gpx", "more.gpx"]])
    try scene.writeManifest()
    let check = try scene.command("check", "manifest.json", "--against", "old.json")
    #expect(check.code == 4, "\(check.streams)")
    #expect(check.streams.contains("tracks"), "\(check.streams)")
  }
}
