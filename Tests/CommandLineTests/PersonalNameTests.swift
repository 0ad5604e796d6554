import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Names of people and places, and coordinates, which are known of a picture and told to nobody else.
@Suite(
  "Names of people and places",
  .enabled(if: Has.exiftool && Has.sqlite && Has.strace, "no exiftool, sqlite3 or strace")
)
struct PersonalNameTests {
  /// What the sources say, in each form in which an output could have it.
  private static let people = ["ZeldaCanary", "YorickCanary", "XeniaCanary", "WandaCanary"]
  /// What the file of names of places says.
  private static let names = ["TownCanary", "CountyCanary"]
  private static let canaries =
    people + names + [
      "VillageCanary", "48.858222", "48,51.49332", "488582220", "2.294512", "2,17.67072",
      "22945120", "41.123457", "411234570",
    ]
  /// Coordinates, which SQLite stores as eight bytes.
  private static let degrees = [48.858222, -2.294512, 41.123457, -12.765432]

  /// A photo with people in its regions, the place and its coordinates; the same of a sidecar, and of the JSON of a
  /// Takeout.
  private func scene(_ policy: String) throws -> Scene {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 64, 64, "aspectFit")])
    scene.manifest["receipts"] = "tags"
    scene.manifest["catalogue"] = ["privateFacts": true]
    scene.manifest["albums"] = ["fromFolders": true]
    if case .object(var texts)? = scene.manifest["usageDescriptions"] {
      texts["NSLocationWhenInUseUsageDescription"] = "Pictures get the names of their places."
      scene.manifest["usageDescriptions"] = .object(texts)
    }
    scene.manifest["places"] = ["data": "names.txt"]
    let columns = "1\tTownCanary\tT\t\t48.9\t-2.3\tP\tPPL\tFR\t\tC1\t\t\t\t1\t\t\tE\t2014"
    try scene.put("names.txt", "FR.C1\tCountyCanary\tC\t2\n" + columns)
    try scene.declare("camera")
    try scene.declare("library", "authorized", ["kind": "takeout"])
    let photo = try scene.put("sources/camera/folder/first.jpg", copyOf: Samples.photo(1))
    try Independent.make(
      "exiftool",
      [
        "-q", "-overwrite_original", "-all=", "-GPSLatitude=48.858222", "-GPSLatitudeRef=N",
        "-GPSLongitude=2.294512", "-GPSLongitudeRef=W", "-XMP-photoshop:City=VillageCanary",
        "-XMP-mwg-rs:RegionInfo={RegionList=[{Name=ZeldaCanary,Type=Face}]}",
        "-XMP-MP:RegionInfoMP={Regions=[{PersonDisplayName=YorickCanary}]}", photo,
      ]
    )
    try scene.put("sources/camera/second.jpg", copyOf: Samples.photo(2))
    let sidecar = try scene.put("sources/camera/second.jpg.xmp", "")
    try FileManager.default.removeItem(atPath: sidecar)
    try Independent.make(
      "exiftool",
      [
        "-q", "-XMP-digiKam:TagsList=People/XeniaCanary", "-XMP-exif:GPSLatitude=48.858222",
        "-XMP-exif:GPSLongitude=-2.294512", sidecar,
      ]
    )
    try scene.put("sources/library/Takeout/Google Photos/A/third.jpg", copyOf: Samples.photo(3))
    try scene.put(
      "sources/library/Takeout/Google Photos/A/third.jpg.json",
      """
      { "title": "third.jpg", "photoTakenTime": { "timestamp": "1530000000" },
        "geoData": { "latitude": 41.123457, "longitude": -12.765432 },
        "people": [{ "name": "WandaCanary" }] }
      """
    )
    return scene
  }

  private func personalNames(in data: Data) -> [String] {
    let texts = Self.canaries.map { ($0, Data($0.utf8)) }
    let numbers = Self.degrees.map { value in
      ("\(value) as bytes", withUnsafeBytes(of: value.bitPattern.bigEndian) { Data($0) })
    }
    return (texts + numbers).filter { data.range(of: $0.1) != nil }.map(\.0)
  }

  /// The canaries in the files of a folder and in their names.
  private func personalNames(below folder: String, but left: (String) -> Bool) throws -> Set<String> {
    var canaries: Set<String> = []
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where !left(name) {
      canaries.formUnion(personalNames(in: Data(name.utf8)))
      if let data = FileManager.default.contents(atPath: folder + "/" + name) {
        canaries.formUnion(personalNames(in: data))
      }
    }
    return canaries
  }

  private func labels(_ scene: Scene, _ person: String) throws -> [String] {
    let list = try scene.command(
      "list",
      "Library",
      "--where",
      "ANY people == '\(person)'",
      "--format",
      "json"
    )
    try list.expect(0)
    return try list.json()["assets"].array.compactMap { $0["label"].string }
  }

  @Test(
    "They are searched by, and are in no log, event, report, receipt, summary, crate, page or name",
    arguments: ["keep", "strip"]
  )
  func areNowhereElse(policy: String) throws {
    let scene = try scene(policy)
    let (first, calls) = try scene.tracedRun("%file")
    try first.expect(0)
    // Names of staged and published files, and the words with which processes are started.
    #expect(calls.contains { $0.contains(".staging") })
    #expect(personalNames(in: Data(calls.joined(separator: "\n").utf8)) == [])
    #expect(personalNames(in: Data(first.streams.utf8)) == [])

    for (person, label) in [
      ("ZeldaCanary", "first"), ("YorickCanary", "first"), ("XeniaCanary", "second"),
      ("WandaCanary", "third"),
    ] {
      #expect(try labels(scene, person) == [label], "\(person)")
    }
    // The same search finds what is there: of the published files under keep, and of what is apart under strip.
    let isKept = policy == "keep"
    let names = try personalNames(below: scene.library) { name in
      isKept ? !name.hasPrefix("library.sqlite") : !name.hasPrefix("private.sqlite")
    }
    #expect(names.isSuperset(of: Self.people + Self.names), "\(names)")
    #expect(names.contains("48.858222 as bytes") && names.contains("41.123457 as bytes"), "\(names)")
    #expect(
      try personalNames(below: scene.library) { name in
        name.hasPrefix("private.sqlite")
          || isKept && (name.hasPrefix("library.sqlite") || name.hasPrefix("Originals"))
      } == []
    )

    try scene.put("sources/camera/fourth.jpg", copyOf: Samples.photo(4))
    var commands = [
      ["run", "manifest.json", "--events"], ["check", "manifest.json"],
      ["run", "manifest.json", "--dry-run"], ["verify", "Library"], ["changes", "Library"],
      ["explain", "Library", "folder/first.jpg"], ["explain", "Library", "second.jpg"],
      ["albums", "Library"], ["stack", "list", "Library"], ["audit", "verify", "Library"],
      ["audit", "export", "Library"], ["audit", "export", "Library", "--format", "ocsf"],
    ]
    commands += ["html", "json", "csv", "junit", "sarif", "github", "in-toto"]
      .map { ["report", "Library", "--format", $0] }
    for command in Amount.some(8, of: commands) {
      let outcome = try scene.command(command)
      #expect(outcome.code == 0, "\(command): \(outcome.streams)")
      #expect(personalNames(in: Data(outcome.streams.utf8)) == [], "\(command)")
    }
    #expect(try personalNames(below: scene.library + "/Audit") { _ in false } == [])
    try expectFolders(scene, isKept: isKept)
  }

  /// What is made for others tells nothing beside the library's own files.
  private func expectFolders(_ scene: Scene, isKept: Bool) throws {
    let folders: [(name: String, arguments: [String])] = [
      ("crate", ["export", "--ro-crate"]), ("bag", ["export", "--bag"]),
      ("site", ["gallery", "--descriptions"]), ("sheet", ["contact-sheet", "--pdf"]),
      // What is read beside the catalogue is not written either.
      ("told", ["export", "--ro-crate", "--private-facts"]),
      ("shown", ["gallery", "--descriptions", "--private-facts"]),
      ("drawn", ["contact-sheet", "--pdf", "--private-facts"]),
    ]
    for (name, arguments) in Amount.some(3, of: folders) {
      let command = [arguments[0], "Library", name] + arguments.dropFirst()
      let outcome = try scene.command(command)
      #expect(outcome.code == 0, "\(command): \(outcome.streams)")
      #expect(personalNames(in: Data(outcome.streams.utf8)) == [], "\(command)")
      // Under keep the files themselves say what they said.
      let names = try personalNames(below: scene.at(name)) { path in
        isKept && (path.hasSuffix(".jpg") || path.hasSuffix(".xmp")) && arguments[0] == "export"
      }
      #expect(names == [], "\(command)")
    }
  }

  @Test("No sidecar of an export names a person")
  func isInNoSidecar() throws {
    for policy in ["keep", "strip"] {
      let scene = try scene(policy)
      try scene.run().expect(0)
      try scene.command(
        "export",
        "Library",
        "copies",
        "--sidecars",
        "xmp",
        "--private-facts",
        "--without-originals",
        "--thumbnails",
        "grid"
      ).expect(0)
      let names = try personalNames(below: scene.at("copies")) { _ in false }
      #expect(names.isDisjoint(with: Self.people + Self.names), "\(policy)")
    }
  }
}
