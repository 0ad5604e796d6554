import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Pictures whose dates differ in a fraction of a second, or are a year or a month alone.
@Suite("One order of assets, and dates of which not all is known", .enabled(if: Has.exiftool, "no exiftool"))
struct OrderTests {
  /// Puts a picture that says these tags and nothing else.
  private func put(_ scene: Scene, _ name: String, _ number: Int, _ tags: [String]) throws {
    let file = try scene.put("sources/library/" + name, copyOf: Samples.photo(number))
    try Independent.make("exiftool", ["-q", "-overwrite_original", "-all=", file])
    if !tags.isEmpty {
      try Independent.make("exiftool", ["-q", "-overwrite_original", "-n"] + tags + [file])
    }
  }

  private func scene(_ files: [(name: String, tags: [String])]) throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("library")
    for (number, file) in files.enumerated() { try put(scene, file.name, number + 1, file.tags) }
    return scene
  }

  private func labels(_ scene: Scene, _ arguments: String...) throws -> [String] {
    let list = try scene.command(["list", scene.library, "--format", "json"] + arguments)
    try list.expect(0)
    return try list.json()["assets"].array.compactMap { $0["label"].string }
  }

  private func dates(_ scene: Scene) throws -> [String] {
    try scene.catalogue(
      """
      SELECT label, creationDate, creationDateOffsetMinutes, creationDateTag, creationDatePrecision,
        creationDateFraction FROM assets ORDER BY label
      """
    )
  }

  private static let second = "-EXIF:DateTimeOriginal=2019:07:04 10:15:30"

  @Test("Pictures of one second are in the order of its fractions, then of their names, in both directions")
  func fractions() throws {
    let scene = try scene([
      ("IMG_0001.jpg", [Self.second, "-EXIF:SubSecTimeOriginal=9"]),
      ("IMG_0002.jpg", [Self.second, "-EXIF:SubSecTimeOriginal=0947"]),
      ("IMG_0003.jpg", ["-XMP-exif:DateTimeOriginal=2019:07:04 10:15:30.311"]),
      ("IMG_10.jpg", [Self.second]), ("IMG_9.jpg", [Self.second]), ("IMG_11.jpg", []), ("IMG_8.jpg", []),
    ])
    try scene.run().expect(0)
    let dated = ["IMG_9", "IMG_10", "IMG_0002", "IMG_0003", "IMG_0001"]
    #expect(try labels(scene, "--sort", "creationDate:ascending") == dated + ["IMG_8", "IMG_11"])
    #expect(try labels(scene) == dated.reversed() + ["IMG_11", "IMG_8"])
    #expect(
      try labels(scene, "--sort", "name", "--limit", "3") == ["IMG_0001", "IMG_0002", "IMG_0003"]
        && labels(scene, "--sort", "label:descending").prefix(2) == ["IMG_11", "IMG_10"]
    )
    #expect(
      try dates(scene).prefix(3) == [
        "IMG_0001|2019-07-04T10:15:30||DateTimeOriginal|fraction|9",
        "IMG_0002|2019-07-04T10:15:30||DateTimeOriginal|fraction|0947",
        "IMG_0003|2019-07-04T10:15:30||exif:DateTimeOriginal|fraction|311",
      ]
    )
    #expect(try labels(scene, "--where", "creationDate == '2019-07-04T10:15:30'").count == 5)
  }

  @Test("A limit of a source takes what the list shows first")
  func limit() throws {
    let scene = try scene([
      ("IMG_10.jpg", [Self.second]), ("IMG_9.jpg", [Self.second]),
      ("IMG_8.jpg", [Self.second, "-EXIF:SubSecTimeOriginal=5"]),
    ])
    let fetch: JSONValue = ["fetchLimit": 2, "sortDescriptors": ["creationDate:descending"]]
    try scene.declare("library", "authorized", ["fetch": fetch])
    try scene.run().expect(0)
    #expect(try labels(scene) == ["IMG_8", "IMG_10"])
  }

  @Test("A year or a month alone stays one, rules out the scanner's date, and takes one within it")
  func coarse() throws {
    let scanned = "-EXIF:CreateDate=2019:05:05 10:11:12"
    let scene = try scene([
      ("a.jpg", ["-XMP-photoshop:DateCreated=1978", "-XMP-xmp:CreateDate=2019:05:05 10:11:12"]),
      ("b.jpg", ["-EXIF:DateTimeOriginal=1978:06:00 00:00:00", scanned]),
      ("c.jpg", ["-EXIF:DateTimeOriginal=1978:  :     :  :  ", scanned]),
      ("d.jpg", ["-IPTC:DateCreated=19780600", scanned]),
      ("e.jpg", ["-XMP-photoshop:DateCreated=2019", scanned]),
      ("f.jpg", ["-XMP-photoshop:DateCreated=1978:06:05", scanned]),
      ("g.jpg", ["-XMP-photoshop:DateCreated=1978:06:04 10:15"]),
    ])
    try scene.run().expect(0)
    #expect(
      try dates(scene) == [
        "a|1978||photoshop:DateCreated|year|", "b|1978-06||DateTimeOriginal|month|",
        "c|1978||DateTimeOriginal|year|", "d|1978-06||IPTC:DateCreated|month|",
        "e|2019-05-05T10:11:12||DateTimeDigitized|second|", "f|1978-06-05||photoshop:DateCreated|day|",
        "g|1978-06-04T10:15:00||photoshop:DateCreated|minute|",
      ]
    )
    #expect(try labels(scene, "--sort", "creationDate") == ["a", "c", "b", "d", "g", "f", "e"])
    #expect(try labels(scene, "--where", "creationDate < 1978-01-02").sorted() == ["a", "c"])
    #expect(try labels(scene, "--where", "creationDatePrecision IN {'year', 'month'}").count == 4)
    let table = try scene.command("list", scene.library).output
    #expect(table.contains("1978-06 ") && !table.contains("1978-06-01"))
  }

  @Test("Copies and sidecars say a year or a month as it is, and no layout invents a month")
  func written() throws {
    let scene = try scene([
      ("a.jpg", ["-XMP-photoshop:DateCreated=1978"]), ("b.jpg", ["-XMP-photoshop:DateCreated=1978:06"]),
    ])
    try scene.run().expect(0)
    let layout = ["--layout", "{created:yyyy'/'MM}/{label}", "--embed", "date", "--sidecars", "xmp"]
    try scene.command(["export", scene.library, "out"] + layout).expect(0)
    for (path, exif, xmp) in [
      ("1978/a.jpg", "1978:  :     :  :", "1978"), ("1978/06/b.jpg", "1978:06:     :  :", "1978:06"),
    ] {
      let copy = scene.at("out/" + path)
      let values = try Tool.run(
        "exiftool",
        ["-s3", "-ExifIFD:DateTimeOriginal", "-XMP-exif:DateTimeOriginal", copy]
      )
      let lines = values.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(lines == [exif, xmp], "\(path)")
      let sidecar = try Tool.run("exiftool", ["-s3", "-XMP-photoshop:DateCreated", copy + ".xmp"])
      #expect(sidecar.output.trimmingCharacters(in: .newlines) == xmp, "\(path)")
    }
    let again = Scene(policy: "keep")
    try again.declare("library")
    try again.put("sources/library/a.jpg", copyOf: scene.at("out/1978/a.jpg"))
    try again.put("sources/library/b.jpg", copyOf: scene.at("out/1978/06/b.jpg"))
    try again.run().expect(0)
    #expect(
      try again.catalogue("SELECT creationDate, creationDatePrecision FROM assets ORDER BY label")
        == ["1978|year", "1978-06|month"]
    )
  }

  @Test("Under strip a published year is the catalogue's, and no fraction is in either")
  func stripped() throws {
    let scene = try scene([
      ("a.jpg", ["-EXIF:DateTimeOriginal=1978:00:00 00:00:00", "-EXIF:CreateDate=2019:05:05 10:11:12"]),
      ("b.jpg", [Self.second, "-EXIF:SubSecTimeOriginal=25"]),
    ])
    scene.manifest["metadata"] = ["policy": "strip", "except": ["creationDate"]]
    try scene.run().expect(0)
    let rows = "SELECT creationDate, creationDatePrecision, creationDateFraction FROM assets ORDER BY 1"
    #expect(try scene.catalogue(rows) == ["1978|year|", "2019-07-04T10:15:30|second|"])
    let files = try scene.catalogue("SELECT path FROM resources ORDER BY sourcePath").map {
      scene.at("Library/" + $0)
    }
    let values = try Tool.run("exiftool", ["-s3", "-Exif:all"] + files).output
    #expect(values.contains("1978:") && !values.contains("2019:05:05") && !values.contains("\n25\n"))
  }

  @Test("A person's date of scans counts before all others, and what a file says within it is taken")
  func about() throws {
    let scanned = "-EXIF:DateTimeOriginal=2019:05:05 10:11:12"
    let scene = try scene([
      ("box/a.jpg", [scanned]), ("box/b.jpg", ["-EXIF:DateTimeOriginal=1978:06:05 10:15:30"]),
      ("box/c.jpg", []),
      ("d.jpg", []), ("e.jpg", [scanned]),
    ])
    func state(_ about: JSONValue) throws {
      try scene.declare("library", "authorized", ["dates": ["about": about]])
    }
    try state([["path": "box/**", "date": "1978~"], ["path": "d.*", "date": "1912-06"]])
    try scene.run().expect(0)
    let rows = "SELECT label, creationDate, creationDateTag, creationDatePrecision FROM assets ORDER BY label"
    let first = [
      "a|1978|dates.about~|year", "b|1978-06-05T10:15:30|DateTimeOriginal|second", "c|1978|dates.about~|year",
      "d|1912-06|dates.about|month", "e|2019-05-05T10:11:12|DateTimeOriginal|second",
    ]
    #expect(try scene.catalogue(rows) == first)
    let outcomes = try scene.lastLog().filter { $0["event"].string == "outcome" }
    #expect(
      outcomes.compactMap { $0["dateAbout"].string }.sorted() == ["1912-06", "1978~", "1978~", "1978~"]
    )
    // What the log says is enough to make the catalogue anew.
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try scene.catalogue(rows) == first)
    // Another statement is no new import.
    try state([["path": "box/a.*", "date": "1979-02-03"]])
    try scene.run().expectCounts(["unchanged": 5])
    let second = [
      "a|1979-02-03|dates.about|day", "b|1978-06-05T10:15:30|DateTimeOriginal|second", "c||", "d||",
      "e|2019-05-05T10:11:12|DateTimeOriginal|second",
    ]
    #expect(try scene.catalogue(rows).map { $0.replacing("|||", with: "||") } == second)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try scene.catalogue(rows).map { $0.replacing("|||", with: "||") } == second)
    try scene.run().expectCounts(["unchanged": 5])
  }

  @Test("Offsets and fractions inside Exif's text, and numbers padded with spaces, are read")
  func shapes() throws {
    let scene = try scene([
      ("a.jpg", ["-EXIF:DateTimeOriginal=2017:04:22 03:00:22+02:00"]),
      ("b.jpg", ["-EXIF:DateTimeOriginal=2017: 4:22  3: 0:22"]),
      ("c.jpg", ["-EXIF:DateTimeOriginal=2017:04:22 03:00:22.5Z   "]),
    ])
    try scene.run().expect(0)
    let expected = [
      "a|2017-04-22T03:00:22|120|DateTimeOriginal|second|", "b|2017-04-22T03:00:22||DateTimeOriginal|second|",
      "c|2017-04-22T03:00:22|0|DateTimeOriginal|fraction|5",
    ]
    #expect(try dates(scene) == expected)
  }
}
