import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Places that files and sidecars state in any form, with a track that has another place for each.
@Suite("Places that are stated", .enabled(if: Has.exiftool && Has.sqlite, "no exiftool or sqlite3"))
struct StatedPlaceTests {
  /// Forms that give no position, by what exiftool writes.
  private static let stated: [(name: String, tags: [String])] = [
    ("area", ["-GPSAreaInformation=Rivoli"]), ("city", ["-IPTC:City=Essen"]),
    ("core", ["-XMP-iptcCore:Location=Rue"]), ("country", ["-IPTC:Country-PrimaryLocationName=France"]),
    ("created", ["-XMP-iptcExt:LocationCreatedCity=Essen"]),
    ("dest", ["-GPSDestLatitude=48", "-GPSDestLatitudeRef=N"]),
    ("directionless", ["-GPSLatitude=48.85", "-GPSLongitude=2.29"]), ("street", ["-IPTC:Sub-location=Rue"]),
    ("xmpcity", ["-XMP-photoshop:City=Essen"]), ("xmpdest", ["-XMP-exif:GPSDestLatitude=48"]),
  ]
  /// Forms that do; the last two are packets.
  private static let small = [
    "-GPSLatitude=36.8039", "-GPSLatitudeRef#=s", "-GPSLongitude=174.7264", "-GPSLongitudeRef#=e",
  ]
  private static let apple =
    "exif:GPSLatitude='36.8039' exif:GPSLatitudeRef='S' exif:GPSLongitude='174.7264' exif:GPSLongitudeRef='E'"
  private static let signed = "exif:GPSLatitude='-36.8039' exif:GPSLongitude='174.7264'"
  /// What cameras write without a fix, and programs of a person.
  private static let silent: [(name: String, tags: [String])] = [
    ("contact", ["-XMP-iptcCore:CreatorCity=Rome"]),
    ("receiver", ["-GPSVersionID=2.3.0.0", "-GPSMapDatum=WGS-84"]),
    ("zero", ["-GPSLatitude=0", "-GPSLatitudeRef=N", "-GPSLongitude=0", "-GPSLongitudeRef=E"]),
  ]

  private static func packet(_ attributes: String) -> String {
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
      + "<rdf:Description rdf:about='' xmlns:exif='http://ns.adobe.com/exif/1.0/' \(attributes)/>"
      + "</rdf:RDF></x:xmpmeta>"
  }

  private func scene(_ metadata: JSONValue, tracks: Bool) throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.manifest["metadata"] = metadata
    if case .object(var texts)? = scene.manifest["usageDescriptions"] {
      texts["NSLocationWhenInUseUsageDescription"] = "Pictures get the places of your tracks."
      scene.manifest["usageDescriptions"] = .object(texts)
    }
    try scene.declare("camera", "authorized", tracks ? ["tracks": ["walk.gpx"]] : [:])
    try scene.put(
      "walk.gpx",
      """
      <gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      <trkpt lat="10" lon="20"><time>2019-07-04T08:15:30Z</time></trkpt></trkseg></trk></gpx>
      """
    )
    var number = 0
    func put(_ name: String, _ tags: [String]) throws {
      number += 1
      let file = try scene.put("sources/camera/\(name).jpg", copyOf: Samples.photo(number % 6 + 1))
      let all = ["-q", "-overwrite_original"]
      try Independent.make("exiftool", all + ["-all=", file])
      try Independent.make(
        "exiftool",
        all + [
          "-DateTimeOriginal=2019:07:04 10:15:30", "-OffsetTimeOriginal=+02:00", "-ImageDescription=\(name)",
        ]
          + tags + [file]
      )
    }
    for (name, tags) in Self.stated + Self.silent { try put(name, tags) }
    try put("small", Self.small)
    let apple = try scene.put("apple.xmp", Self.packet(Self.apple))
    try put("apple", ["-XMP<=\(apple)"])
    try put("signed", [])
    try scene.put("sources/camera/signed.jpg.xmp", Self.packet(Self.signed))
    return scene
  }

  private static let names = stated.map(\.name)
  private static let positioned = ["apple", "signed", "small"]

  private func rows(_ scene: Scene, _ condition: String) throws -> [String] {
    try scene.catalogue(
      "SELECT label, round(latitude, 4), round(longitude, 4), placeTag FROM assets WHERE \(condition) ORDER BY label"
    )
  }

  @Test("Under keep they count, are found by hasLocation, and no track takes their place")
  func keep() throws {
    let scene = try scene(["policy": "keep"], tracks: true)
    try scene.run().expect(0)
    let stated = Self.names.map { "\($0)|||stated" }
    let positioned = Self.positioned.map { "\($0)|-36.8039|174.7264|" }
    #expect(try rows(scene, "placeTag IS NOT 'gpx'") == (stated + positioned).sorted())
    #expect(try rows(scene, "placeTag = 'gpx'") == Self.silent.map { "\($0.name)|10.0|20.0|gpx" })
    #expect(try scene.catalogue("SELECT count(*) FROM assets WHERE hasLocation") == ["16"])
    // Pictures, and the sidecar.
    let outcome = try scene.command("export", "Library", "out", "--format", "json")
    try outcome.expect(0)
    #expect(try outcome.json()["places"].int == 14, "\(outcome.output)")
    #expect(outcome.error.contains("14 of these files say where they were taken"))
    let without = try scene.command("list", "Library", "--where", "hasLocation == NO", "--format", "paths")
    try without.expect(0)
    #expect(without.output.isEmpty, "\(without.output)")
    // Other tracks take nothing away, and a rebuild finds the same.
    let before = try rows(scene, "placeTag IS NOT 'gpx'")
    try scene.put(
      "walk.gpx",
      "<gpx><trk><trkseg><trkpt lat='11' lon='21'><time>2019-07-04T08:15:30Z</time></trkpt></trkseg></trk></gpx>"
    )
    try scene.declare("camera", "authorized", ["tracks": ["walk.gpx", "none.gpx"]])
    try scene.run().expect(0)
    #expect(try rows(scene, "placeTag IS NOT 'gpx'") == before)
    let rebuild = try scene.command("rebuild", "Library", "--format", "json")
    try rebuild.expect(0)
    #expect(try rebuild.rowDifferences().isEmpty, "\(rebuild.output)")
    #expect(try rows(scene, "placeTag IS NOT 'gpx'") == before)
    try scene.expectVerified()
  }

  @Test("Without tracks, what says no place in any form is not counted")
  func silent() throws {
    let scene = try scene(["policy": "keep"], tracks: false)
    try scene.run().expect(0)
    #expect(
      try scene.catalogue("SELECT label FROM assets WHERE NOT hasLocation ORDER BY label")
        == Self.silent.map(\.name)
    )
    let listed = try scene.command("list", "Library", "--where", "hasLocation == YES", "--format", "json")
    #expect(try listed.json()["assets"].array.count == 13, "\(listed.output)")
  }

  @Test(
    "Under strip the catalogue says a place exactly where the published file has one",
    arguments: [true, false]
  )
  func strip(hasPrivateFacts: Bool) throws {
    let scene = try scene(["policy": "strip", "except": ["location"]], tracks: hasPrivateFacts)
    if hasPrivateFacts { scene.manifest["catalogue"] = ["privateFacts": true] }
    try scene.run().expect(0)
    let labels = try scene.catalogue("SELECT label FROM assets WHERE hasLocation ORDER BY label")
    // The place of a sidecar is in no published file.
    #expect(labels == ["apple", "small"])
    let placed = try scene.originals().filter { original in
      let path = scene.library + "/Originals/" + original.path
      return try Independent.exif(path).keys.contains { $0.hasSuffix("GPSLatitude") }
    }
    #expect(placed.map { $0.path.hasSuffix("apple.jpg") || $0.path.hasSuffix("small.jpg") } == [true, true])
    let outcome = try scene.command("export", "Library", "out", "--format", "json")
    #expect(try outcome.json()["places"].int == 2, "\(outcome.output)")
    if hasPrivateFacts {
      let facts = try Tool.run(
        "sqlite3",
        [
          scene.library + "/private.sqlite",
          "SELECT placeTag, count(*) FROM facts GROUP BY placeTag ORDER BY placeTag",
        ]
      )
      #expect(facts.output == "|3\ngpx|3\nstated|10\n", "\(facts)")
      let listed = try scene.command("list", "Library", "--where", "hasLocation == YES", "--format", "json")
      #expect(try listed.json()["assets"].array.count == 16, "\(listed.output)")
    }
    let rebuild = try scene.command("rebuild", "Library", "--format", "json")
    // A sidecar that nobody opens is in no record.
    let differences = try rebuild.rowDifferences().filter { !$0.hasPrefix("gone items ") || hasPrivateFacts }
    #expect(differences.isEmpty, "\(rebuild.output)")
  }

  @Test("A place that is embedded leaves nothing of an earlier one that exiftool could read")
  func embed() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("library", "authorized")
    let earlier = [
      "-GPSLatitude=10", "-GPSLatitudeRef=S", "-GPSLongitude=20", "-GPSLongitudeRef=W", "-GPSAltitude=35",
      "-GPSMapDatum=TOKYO", "-GPSStatus=V", "-GPSDestLatitude=1", "-GPSDestLatitudeRef=S",
      "-GPSImgDirection=270",
    ]
    let apple = try scene.put(
      "apple.xmp",
      Self.packet(
        "exif:GPSLatitude='10' exif:GPSLatitudeRef='S' exif:GPSLongitude='20' exif:GPSLongitudeRef='W'"
      )
    )
    for (name, sample) in [("a.jpg", Samples.photo(1)), ("b.png", Samples.png)] {
      let file = try scene.put("sources/library/" + name, copyOf: sample)
      let all = ["-q", "-overwrite_original"]
      try Independent.make("exiftool", all + ["-all=", file])
      try Independent.make("exiftool", all + ["-XMP<=\(apple)"] + earlier + [file])
      try scene.put("sources/library/\(name).xmp", Self.packet(Self.signed))
    }
    let film = try scene.put("sources/library/c.mp4", copyOf: Samples.video)
    try Independent.make(
      "exiftool",
      [
        "-q", "-overwrite_original", "-UserData:GPSCoordinates=10, 20, 35", "-Keys:GPSCoordinates=10, 20",
        film,
      ]
    )
    try scene.put("sources/library/c.mp4.xmp", Self.packet(Self.signed))
    try scene.run().expect(0)
    try scene.command("export", "Library", "out", "--layout", "{label}", "--embed", "place").expect(0)
    for name in ["a.jpg", "b.png"] {
      let read = try Tool.run(
        "exiftool",
        ["-G1", "-s", "-n", "-a", "-GPS:all", "-XMP-exif:all", scene.at("out/" + name)]
      ).output
      let lines = read.split(separator: "\n").map { line in
        line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
      #expect(
        lines.contains("[GPS] GPSLatitude : 36.8039") && lines.contains("[GPS] GPSLatitudeRef : S"),
        "\(read)"
      )
      #expect(lines.contains("[GPS] GPSLongitudeRef : E"), "\(read)")
      #expect(lines.contains("[GPS] GPSImgDirection : 270"), "\(read)")
      #expect(lines.contains("[XMP-exif] GPSLatitude : -36.8039"), "\(read)")
      for gone in ["Altitude", "Datum", "Status", "Dest"] {
        #expect(!read.contains(gone), "\(gone): \(read)")
      }
      // exiftool does not show these.
      let bytes = String(decoding: try readBytes(scene.at("out/" + name)), as: UTF8.self)
      #expect(!bytes.contains("exif:GPSLatitudeRef") && !bytes.contains("exif:GPSLongitudeRef"))
    }
    let places = try Tool.run("exiftool", ["-s3", "-n", "-a", "-GPSCoordinates", scene.at("out/c.mp4")])
      .output
    #expect(places == "-36.8039 174.7264\n", "\(places)")
    // In free space nothing of it is left either.
    #expect(!String(decoding: try readBytes(scene.at("out/c.mp4")), as: UTF8.self).contains("+10.0"))
  }
}
