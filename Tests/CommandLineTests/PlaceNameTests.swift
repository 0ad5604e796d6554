import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Names that a file of GeoNames gives to the places of pictures.
@Suite("Names of places", .enabled(if: Has.exiftool && Has.sqlite, "no exiftool or sqlite3"))
struct PlaceNameTests {
  private func scene(_ policy: String = "keep", describesLocation: Bool = true) throws -> Scene {
    let scene = Scene(policy: policy)
    if describesLocation, case .object(var texts)? = scene.manifest["usageDescriptions"] {
      texts["NSLocationWhenInUseUsageDescription"] = "Pictures get the names of their places."
      scene.manifest["usageDescriptions"] = .object(texts)
    }
    try scene.declare("camera")
    scene.manifest["places"] = ["data": "geo/names.txt"]
    return scene
  }

  private static func line(_ name: String, _ latitude: Double, _ longitude: Double) -> String {
    "1\t\(name)\t\(name)\t\t\(latitude)\t\(longitude)\tP\tPPL\tFR\t\tA8\t\t\t\t1\t\t1\tEurope/Paris\t2014-08-20"
  }

  private static let names = [
    line("Paris", 48.85341, 2.3488), line("Versailles", 48.80359, 2.13424),
    "FR.A8\tÎle-de-France\tIle-de-France\t3012874",
  ].joined(separator: "\n")

  /// Puts a picture whose only metadata are a date and a place, if there is one.
  private func put(_ scene: Scene, _ name: String, _ number: Int, _ place: (Double, Double)?) throws {
    let file = try scene.put("sources/camera/" + name, copyOf: Samples.photo(number))
    let location =
      place.map {
        [
          "-GPSLatitude=\($0.0)", "-GPSLatitudeRef=N", "-GPSLongitude=\($0.1)",
          "-GPSLongitudeRef=E",
        ]
      } ?? []
    let date = ["-DateTimeOriginal=2019:07:04 10:15:33", "-OffsetTimeOriginal=+02:00"]
    let arguments = ["-q", "-overwrite_original", "-all="] + date + location + [file]
    try Independent.make("exiftool", arguments)
  }

  private func rows(_ scene: Scene) throws -> [String] {
    try scene.catalogue("SELECT label, city, region, country FROM assets ORDER BY label")
  }

  private func labels(_ scene: Scene, _ predicate: String) throws -> [String] {
    let list = try scene.command("list", "Library", "--where", predicate, "--format", "json")
    try list.expect(0)
    return try list.json()["assets"].array.compactMap { $0["label"].string }
  }

  private func records(_ scene: Scene) throws -> [JSON] {
    try scene.lastLog().filter { $0["path"].string?.hasSuffix("names.txt") == true }
  }

  @Test("What has a place has the names of the nearest city, and is found by them")
  func named() throws {
    let scene = try scene()
    let file = try scene.put("geo/names.txt", Self.names)
    try put(scene, "a.jpg", 1, (48.858222, 2.294512))
    try put(scene, "b.jpg", 2, (48.8, 2.1))
    try put(scene, "c.jpg", 3, (43.3, 5.4))
    try put(scene, "d.jpg", 4, nil)
    let run = try scene.run()
    try run.expect(0)
    #expect(try run.problems() == [])
    let expected = [
      "a|Paris|Île-de-France|FR", "b|Versailles|Île-de-France|FR", "c|||", "d|||",
    ]
    #expect(try rows(scene) == expected)
    #expect(try labels(scene, "city == 'Paris'") == ["a"])
    let region = try labels(scene, "region BEGINSWITH[cd] 'ile' AND country == 'FR'")
    #expect(region.sorted() == ["a", "b"])
    // It has a record before it is opened, behind that of the source, and one with its digest.
    let log = try scene.lastLog()
    let source = try #require(log.firstIndex { $0["event"].string == "source" })
    let opened = try records(scene)
    try #require(opened.count == 2)
    let first = log.firstIndex { $0["path"].string?.hasSuffix("names.txt") == true }
    #expect(try #require(first) > source)
    #expect(opened.allSatisfy { $0["event"].string == "access" && $0["source"].string == "camera" })
    #expect(opened[0]["sha256"].string == nil)
    #expect(try opened[1]["sha256"].string == Independent.sha256(file))
    // What is there gets no other name, and the file is not read for it.
    try scene.put("geo/names.txt", Self.line("Other", 48.85, 2.3))
    try scene.run().expectCounts(["unchanged": 4])
    #expect(try records(scene).isEmpty)
    let rebuild = try scene.command("rebuild", "Library", "--format", "json")
    try rebuild.expect(0)
    #expect(try rebuild.rowDifferences().isEmpty)
    #expect(try rows(scene) == expected)
    try scene.expectVerified()
  }

  @Test("The place of a track is named, too")
  func tracked() throws {
    let scene = try scene()
    try scene.declare("camera", "authorized", ["tracks": ["walk.gpx"]])
    try scene.put("geo/names.txt", Self.names)
    let point = "<trkpt lat='48.8' lon='2.1'><time>2019-07-04T08:15:33Z</time></trkpt>"
    try scene.put("walk.gpx", "<gpx>\(point)</gpx>")
    try put(scene, "a.jpg", 1, nil)
    try scene.run().expect(0)
    #expect(try rows(scene) == ["a|Versailles|Île-de-France|FR"])
  }

  @Test("Under strip names are in private.sqlite alone, and the file is not opened without that")
  func stripped() throws {
    let scene = try scene("strip")
    scene.manifest["metadata"] = ["policy": "strip", "except": ["location"]]
    try scene.put("geo/names.txt", Self.names)
    try put(scene, "a.jpg", 1, (48.858222, 2.294512))
    try scene.run().expect(0)
    #expect(try records(scene).isEmpty)

    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.writeManifest()
    let there = try scene.command("check", "manifest.json").streams
    #expect(there.contains("places.data") && !there.contains("is not there"))
    try FileManager.default.removeItem(atPath: scene.at("geo/names.txt"))
    let missing = try scene.command("check", "manifest.json")
    #expect(missing.streams.contains("geo/names.txt\". Places get no names."))
    try missing.expect(0)
    try scene.put("geo/names.txt", Self.names)
    try put(scene, "b.jpg", 2, (48.8, 2.1))
    try scene.run().expect(0)
    #expect(try records(scene).count == 2)
    #expect(try rows(scene) == ["a|||", "b|||"])
    let facts = try Tool.run(
      "sqlite3",
      [scene.library + "/private.sqlite", "SELECT city, region, country FROM facts"]
    )
    #expect(facts.output == "Versailles|Île-de-France|FR\n", "\(facts)")
    #expect(try labels(scene, "city == 'Versailles'") == ["b"])
    try scene.expectVerified()
  }

  @Test("What is fetched is decided by the names, and again where another file gives them")
  func fetched() throws {
    let scene = try scene()
    try scene.put("geo/names.txt", Self.line("Other", 48.85, 2.3))
    try scene.put("geo/more.txt", Self.names)
    try put(scene, "../library/a.jpg", 1, (48.858222, 2.294512))
    try put(scene, "../library/b.jpg", 2, nil)
    let fetch: JSONValue = ["predicate": "city == 'Paris'"]
    try scene.declare("library", "authorized", ["fetch": fetch])
    try scene.run().expectCounts(["skipped": 2])
    scene.manifest["places"] = ["data": .string(scene.at("geo/more.txt"))]
    try scene.run().expectCounts(["imported": 1, "skipped": 1])
    #expect(try rows(scene) == ["a|Paris|Île-de-France|FR"])
  }

  @Test("A file that gives no names is said, and nothing is lost")
  func damaged() throws {
    let scene = try scene()
    let good = Self.line("Paris", 48.85341, 2.3488)
    try scene.put("geo/columns.txt", good + "\n" + good + "\tx\n")
    try scene.put("geo/degrees.txt", Self.line("Paris", 91, 2))
    try scene.put("geo/regions.txt", "FR.A8\tÎle-de-France\tIle-de-France\t3012874\n")
    let large = try scene.put("geo/large.txt", "")
    try Independent.make("truncate", ["-s", "2G", large])
    try FileManager.default.createSymbolicLink(
      atPath: scene.at("geo/link.txt"),
      withDestinationPath: try scene.put("names.txt", Self.names)
    )
    let cases = [
      ("geo/columns.txt", "line 2 has 20 columns, and not 19"), ("geo/degrees.txt", "line 1"),
      ("geo/regions.txt", "populated place"), ("geo/large.txt", "bytes"),
      ("geo/link.txt", "a link"), ("geo", "folder"), ("geo/none.txt", "not there"),
      ("none/names.txt", "folder is not there"),
    ]
    for (number, (path, why)) in cases.enumerated() {
      scene.manifest["places"] = ["data": .string(path)]
      try put(scene, "\(number).jpg", 1 + number % 4, (48.85 + Double(number) / 100, 2.3))
      let run = try scene.run()
      try run.expect(0)
      try run.expectCounts(number == 0 ? ["imported": 1] : ["imported": 1, "unchanged": number])
      #expect(try run.problems() == ["placesNotUsed"], "\(path): \(run.streams)")
      #expect(run.streams.contains(why), "\(path): \(run.streams)")
    }
    // Without anything new it is not looked into, and a dry run opens nothing.
    #expect(try scene.run().problems() == [])
    scene.manifest["places"] = ["data": "geo/columns.txt"]
    try put(scene, "new.jpg", 3, (1, 1))
    #expect(try scene.run("--dry-run").problems() == [])
    #expect(try rows(scene).allSatisfy { $0.hasSuffix("|||") })
    try scene.expectVerified()
  }

  @Test(
    "Without its usage description, or in a source that is not allowed, the file stops the run with 78"
  )
  func refused() throws {
    let silent = try scene(describesLocation: false)
    try silent.put("geo/names.txt", Self.names)
    let run = try silent.run()
    try run.expect(78)
    #expect(run.streams.contains("names of places"), "\(run.streams)")
    #expect(run.streams.contains("NSLocationWhenInUseUsageDescription"), "\(run.streams)")
    #expect(try silent.command("check", "manifest.json").code == 78)

    let scene = try scene()
    try scene.declare("library", "denied")
    try scene.put("sources/library/in/names.txt", Self.names)
    try FileManager.default.createSymbolicLink(
      atPath: scene.at("way"),
      withDestinationPath: scene.at("sources/library/in")
    )
    try scene.put("geo/other.txt", "")
    try put(scene, "a.jpg", 1, (48.858222, 2.294512))
    for path in ["sources/library/in", "way", "geo/../sources/library/in"] {
      scene.manifest["places"] = ["data": .string(path + "/names.txt")]
      let run = try scene.run()
      try run.expect(78)
      #expect(try run.problems() == ["sourcesOverlap"], "\(path): \(run.streams)")
      #expect(try scene.lastLog().allSatisfy { $0["event"].string != "access" })
    }
  }

  @Test("Names of places ask for more: check --against ends with 4")
  func widened() throws {
    let scene = try scene()
    let places = scene.manifest.removeValue(forKey: "places")
    try scene.writeManifest()
    try scene.put("old.json", try readBytes(scene.manifestPath))
    scene.manifest["places"] = places
    try scene.writeManifest()
    let check = try scene.command("check", "manifest.json", "--against", "old.json")
    #expect(check.code == 4, "\(check.streams)")
    #expect(check.streams.contains("places.data"), "\(check.streams)")
  }
}
