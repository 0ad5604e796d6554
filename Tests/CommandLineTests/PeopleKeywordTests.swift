import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "Keywords that are names of people",
  .enabled(if: Has.exiftool && Has.sqlite, "no exiftool or no sqlite3")
)
struct PeopleKeywordTests {
  private static let names = [
    "Ann Example", "ann EXAMPLE", "Bob Exemple", "Famille", "Eva Beispiel", "Дина", "花子", "Cy Sample",
    "Dee Tagged",
  ]
  private static let others = ["harbour", "Rome", "sea", "quiet", "wave", "boat", "tide"]

  /// What exiftool writes into each picture, in the forms of several programs.
  private static let tags: [(name: String, tags: [String])] = [
    (
      "picasa",
      [
        "-XMP-mwg-rs:RegionInfo={RegionList=[{Name=Ann Example,Type=Face}]}", "-XMP-dc:Subject=Ann Example",
        "-XMP-dc:Subject=harbour", "-IPTC:Keywords=Ann Example", "-XMP-digiKam:TagsList=People/Ann Example",
      ]
    ),
    (
      "lightroom",
      [
        "-XMP-lr:HierarchicalSubject=Personnes|Famille|Bob Exemple", "-XMP-lr:HierarchicalSubject=Lieux|Rome",
        "-XMP-dc:Subject=Personnes", "-XMP-dc:Subject=Famille", "-XMP-dc:Subject=Bob Exemple",
        "-XMP-dc:Subject=Rome",
      ]
    ),
    (
      "acdsee",
      [
        "-XMP-acdsee:Categories=<Categories><Category Assigned=\"0\">Personen<Category Assigned=\"1\">Eva Beispiel"
          + "</Category></Category></Categories>", "-XMP-dc:Subject=Eva Beispiel", "-XMP-dc:Subject=sea",
      ]
    ),
    // Nothing in these says what is a name but the other pictures.
    ("flat", ["-XMP-dc:Subject=ann EXAMPLE", "-XMP-dc:Subject=Famille", "-XMP-dc:Subject=quiet"]),
    (
      "paths",
      [
        "-IPTC:Keywords=Люди/Дина", "-IPTC:CodedCharacterSet=UTF8", "-XMP-dc:Subject=人物|花子",
        "-XMP-dc:Subject=wave",
      ]
    ),
    ("flat2", ["-XMP-dc:Subject=Дина", "-XMP-dc:Subject=花子", "-XMP-dc:Subject=wave"]),
    (
      "windows",
      ["-XMP-microsoft:LastKeywordXMP=People/Cy Sample", "-XMP-dc:Subject=Cy Sample", "-XMP-dc:Subject=boat"]
    ),
  ]

  private func scene(_ policy: String) throws -> Scene {
    let scene = Scene(policy: policy)
    scene.setThumbnails([("grid", 64, 64, "aspectFit")])
    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.declare("library")
    for (number, picture) in Self.tags.enumerated() {
      let file = try scene.put("sources/library/\(picture.name).jpg", copyOf: Samples.photo(number + 1))
      try Independent.make("exiftool", ["-q", "-overwrite_original", "-all="] + picture.tags + [file])
    }
    // Of this one a sidecar alone says something.
    let plain = try scene.put("sources/library/plain.jpg", copyOf: Samples.photo(8))
    try Independent.make("exiftool", ["-q", "-overwrite_original", "-all=", plain])
    let sidecar = [
      "-q", "-o", plain + ".xmp", "-XMP-digiKam:TagsList=People/Dee Tagged", "-XMP-dc:Subject=Dee Tagged",
      "-XMP-dc:Subject=tide",
    ]
    try Independent.make("exiftool", sidecar)
    try scene.run().expect(0)
    return scene
  }

  private func found(_ words: [String], in folder: String, only pattern: String = "*") throws -> [String] {
    try words.filter { word in
      let arguments = ["-rlaF", "--include=" + pattern, word, folder]
      return try !Tool.run("grep", arguments, environment: ["LC_ALL": "C"]).output.isEmpty
    }
  }

  @Test("No page has one, however it is known; with --people they are there", arguments: ["keep", "strip"])
  func gallery(policy: String) throws {
    let scene = try scene(policy)
    let described = ["--descriptions", "--private-facts"]
    try scene.command(["gallery", "Library", "site"] + described).expect(0)
    #expect(try found(Self.names, in: scene.at("site")) == [])
    #expect(try found(Self.others, in: scene.at("site")) == Self.others)
    try scene.command(["gallery", "Library", "site", "--people"] + described).expect(0)
    #expect(try found(Self.names + Self.others, in: scene.at("site")) == Self.names + Self.others)
    let alone = try scene.command("gallery", "Library", "other", "--people")
    try alone.expect(64)
    #expect(alone.error.contains("--people goes with --descriptions."), "\(alone.error)")
  }

  @Test("The catalogue has the people of each hierarchy, and keeps the keywords")
  func catalogue() throws {
    let scene = try scene("keep")
    let people = try scene.catalogue(
      "SELECT label, people FROM assets WHERE people IS NOT NULL ORDER BY label"
    )
    #expect(
      people == [
        "acdsee|[\"Eva Beispiel\"]", "lightroom|[\"Bob Exemple\"]", "picasa|[\"Ann Example\"]",
        "plain|[\"Dee Tagged\"]", "windows|[\"Cy Sample\"]",
      ]
    )
    let list = try scene.command("list", "Library", "--where", "label == 'lightroom'", "--format", "json")
      .json()
    let keywords = list["assets"].array.first?["keywords"].array.compactMap(\.string)
    #expect(keywords == ["Personnes", "Personnes/Famille", "Bob Exemple", "Rome"])
  }

  @Test("Neither a sidecar of an export nor what is embedded has one")
  func exports() throws {
    let scene = try scene("keep")
    let thumbnails = ["--without-originals", "--thumbnails", "grid", "--sidecars", "xmp"]
    for further in [[], ["--neutral"]] {
      try scene.command(["export", "Library", "sidecars"] + thumbnails + further).expect(0)
      #expect(try found(Self.names, in: scene.at("sidecars")) == [], "\(further)")
      #expect(try found(Self.others, in: scene.at("sidecars")) == Self.others, "\(further)")
    }
    try scene.command(["export", "Library", "sidecars", "--people"] + thumbnails).expect(0)
    #expect(try found(Self.names + Self.others, in: scene.at("sidecars")) == Self.names + Self.others)
    func embedded(_ further: String...) throws -> String {
      let export = ["export", "Library", "carried", "--where", "label == 'plain'", "--layout", "{label}"]
      try scene.command(export + ["--embed", "keywords", "--ro-crate"] + further).expect(0)
      let tags = ["-s3", "-XMP-dc:Subject", "-XMP-digiKam:TagsList", "-XMP-lr:HierarchicalSubject"]
      return try Tool.run("exiftool", tags + [scene.at("carried/plain.jpg")]).output
    }
    #expect(try embedded() == "tide\ntide\ntide\n")
    #expect(try found(Self.names, in: scene.at("carried"), only: "*.json") == [])
    #expect(try embedded("--people").hasPrefix("Dee Tagged, tide\n"))
    let alone = try scene.command("export", "Library", "other", "--people")
    try alone.expect(64)
    #expect(alone.error.contains("--people goes with --embed or --sidecars."), "\(alone.error)")
  }
}
