import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

/// Descriptions that source files have of themselves, in the catalogue and in the private facts.
@Suite("Facts about assets", .enabled(if: Has.exiftool && Has.sqlite, "no exiftool or sqlite3"))
struct DescribedFactsTests {
  /// Puts a photo without metadata, then writes tags into it.
  private func put(_ scene: Scene, _ name: String, _ number: Int, _ tags: [String]) throws {
    let format = name.split(separator: ".").last ?? ""
    let sample = format == "png" ? Samples.png : Samples.photo(number)
    let file = try scene.put("sources/camera/" + name, copyOf: sample)
    try Independent.make("exiftool", ["-q", "-overwrite_original", "-all="] + [file])
    if !tags.isEmpty {
      try Independent.make("exiftool", ["-q", "-overwrite_original"] + tags + [file])
    }
  }

  private static let described = [
    "-Make=Apple", "-Model=CanaryModel", "-CustomRendered#=8",
    "-DateTimeOriginal=2019:07:04 10:15:30",
    "-GPSLatitude=48.858222", "-GPSLatitudeRef=N", "-GPSLongitude=2.2945", "-GPSLongitudeRef=W",
    "-GPSDateStamp=2019:07:04", "-GPSTimeStamp=08:15:28", "-XMP-xmp:Rating=4",
    "-XMP-dc:Description=CanaryCaption \"quoted\"", "-XMP-dc:Subject=CanaryFirst",
    "-XMP-dc:Subject=CanarySecond", "-IPTC:Keywords=CanaryThird", "-IPTC:Keywords=CanaryFirst",
    "-XMP-GCamera:BurstID=CanaryBurst", "-XMP-GCamera:BurstPrimary=1",
    "-XMP-mwg-rs:RegionInfo={RegionList=[{Name=CanaryPerson,Type=Face},{Name=Rex,Type=Pet}]}",
    "-XMP-MP:RegionInfoMP={Regions=[{PersonDisplayName=CanaryFriend}]}",
  ]

  private static let columns = """
    creationDate, creationDateOffsetMinutes, creationDateTag, camera, mediaSubtypes, rating,
    isFavorite, isHidden, caption, keywords, people, burst, isBurstPick, latitude, longitude
    """

  private static let row =
    "2019-07-04T10:15:30|120|DateTimeOriginal+GPSTimeStamp|Apple CanaryModel|16|4|||"
    + #"CanaryCaption "quoted"|["CanaryFirst","CanarySecond","CanaryThird"]|["CanaryFriend","CanaryPerson"]|"#

  private func manyFiles(_ policy: String) throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("camera")
    try scene.declare("library")
    try put(scene, "a.jpg", 1, Self.described)
    try put(scene, "IMG_20190704_101530_BURST001_COVER.jpg", 2, [])
    try put(scene, "IMG_20190704_101530_BURST002.jpg", 3, [])
    try put(scene, "IMG-20190704-WA0003.jpg", 4, [])
    try put(scene, "Screenshot_20190704-101530.png", 0, [])
    try put(scene, "old.jpg", 5, ["-DateTimeOriginal=1700:01:02 03:04:05"])
    try put(scene, "day.jpg", 6, ["-IPTC:DateCreated=2019:07:04"])
    let iptc = ["-IPTC:DateCreated=2019:07:05", "-IPTC:TimeCreated=10:15:30+00:00"]
    try put(scene, "iptc.jpg", 7, iptc)
    let (still, movie) = try Media.livePhoto("one")
    try scene.put("sources/library/IMG_1.jpg", still)
    try scene.put("sources/library/IMG_1.MOV", movie)
    try scene.put("sources/library/clip.mp4", copyOf: Samples.video)
    return scene
  }

  @Test("Under keep the catalogue has what each file says, and a rebuild brings all of it back")
  func keep() throws {
    let scene = try manyFiles("keep")
    let outcome = try scene.run()
    try outcome.expect(0)
    #expect(try outcome.problems() == ["datesNotUsed"])
    let message = try #require(try outcome.json()["problems"].array.first?["message"].string)
    #expect(message.hasPrefix("1 file says in DateTimeOriginal that it was taken before 1826"))
    #expect(message.hasSuffix("Set the camera's clock, and correct the files."), "\(message)")
    func row(_ label: String, _ columns: String) throws -> [String] {
      try scene.catalogue("SELECT \(columns) FROM assets WHERE label = '\(label)'")
    }
    #expect(try row("a", Self.columns) == [Self.row + "CanaryBurst|1|48.858222|-2.2945"])
    let dates = "creationDate, creationDateOffsetMinutes, creationDateTag"
    #expect(try row("IMG-20190704-WA0003", dates) == ["2019-07-04||fileName"])
    #expect(try row("old", dates) == ["||"])
    #expect(try row("day", dates) == ["2019-07-04||IPTC:DateCreated"])
    #expect(try row("iptc", dates) == ["2019-07-05T10:15:30||IPTC:DateCreated"])
    #expect(
      try row("Screenshot_20190704-101530", dates + ", mediaSubtypes")
        == ["2019-07-04T10:15:30||fileName|4"]
    )
    let bursts = try scene.catalogue(
      "SELECT isBurstPick FROM assets WHERE burst = 'IMG_20190704_101530_BURST' ORDER BY label"
    )
    #expect(bursts == ["1", "0"])
    #expect(try row("IMG_1", "mediaSubtypes & 8") == ["8"])
    let before = try CatalogueDump(scene.library)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try CatalogueDump(scene.library) == before)
    try scene.expectVerified()
    try scene.run().expectCounts(["unchanged": 11])
  }

  @Test("Files that other rules may give another date are read again, and a rebuild follows them")
  func rules() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    scene.manifest["dates"] = ["fromName": false]
    try put(scene, "IMG_20190704_101530.jpg", 1, [])
    try scene.run().expect(0)
    scene.manifest["dates"] = ["fromModification": true]
    try put(scene, "b.jpg", 2, [])
    try Independent.make("touch", ["-d", "2020-05-05T12:00:00Z", scene.at("sources/camera/b.jpg")])
    try scene.run().expect(0)
    scene.manifest["dates"] = nil
    try put(scene, "VID_20190704_101530.jpg", 3, [])
    try scene.run().expect(0)
    let rows = "SELECT label, creationDate, creationDateTag FROM assets ORDER BY id"
    let expected = [
      "IMG_20190704_101530|2019-07-04T10:15:30|fileName", "b||",
      "VID_20190704_101530|2019-07-04T10:15:30|fileName",
    ]
    #expect(try scene.catalogue(rows) == expected)
    let dated = try LibraryState.records(scene.library).filter { $0["event"].string == "dated" }
    #expect(dated.map { $0["read"].bool } == [true, true])
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try scene.catalogue(rows) == expected)
  }

  @Test(
    "A film lies between the photos of its minute: its name tells the local time of its header",
    .enabled(if: Has.ffmpeg, "no ffmpeg")
  )
  func localTime() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try scene.declare("library")
    try put(scene, "20240120_112500.jpg", 1, ["-DateTimeOriginal=2024:01:20 11:25:00"])
    try put(scene, "20240120_112700.jpg", 2, ["-DateTimeOriginal=2024:01:20 11:27:00"])
    let film = try scene.put("sources/library/20240120_112609.mp4", copyOf: Samples.video)
    try Independent.make(
      "ffmpeg",
      [
        "-v", "error", "-y", "-i", Samples.video, "-c", "copy", "-metadata",
        "creation_time=2024-01-20T10:26:09Z", film,
      ]
    )
    try scene.run().expect(0)
    let rows = """
      SELECT creationDate, creationDateOffsetMinutes, creationDateTag FROM assets ORDER BY creationDate
      """
    let expected = [
      "2024-01-20T11:25:00||DateTimeOriginal", "2024-01-20T11:26:09|60|mvhd+fileName",
      "2024-01-20T11:27:00||DateTimeOriginal",
    ]
    #expect(try scene.catalogue(rows) == expected)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try scene.catalogue(rows) == expected)
  }

  @Test("A time zone of a source completes its dates in summer and winter, also for a rebuild")
  func timeZone() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera", "authorized", ["dates": ["timeZone": "Europe/Berlin"]])
    try scene.declare("library")
    try put(scene, "summer.jpg", 1, ["-DateTimeOriginal=2024:07:20 11:26:09"])
    try put(scene, "winter.jpg", 2, ["-DateTimeOriginal=2024:01:20 11:26:09"])
    try put(scene, "PXL_20231231_231000123.jpg", 3, [])
    let other = try scene.put("sources/library/other.jpg", copyOf: Samples.photo(4))
    try Independent.make(
      "exiftool",
      ["-q", "-overwrite_original", "-all=", "-DateTimeOriginal=2024:07:20 11:26:09", other]
    )
    try scene.writeManifest()
    let check = try scene.command("check", "manifest.json", "--format", "json")
    let notes = try check.json()["notes"].array.compactMap(\.string)
    #expect(notes.contains { $0.contains("Dates of the camera") && $0.contains("+02:00 on 1 July") })
    try scene.run().expect(0)
    let rows = """
      SELECT label, creationDate, creationDateOffsetMinutes, creationDateTag FROM assets
      ORDER BY creationDate, label
      """
    let expected = [
      "PXL_20231231_231000123|2024-01-01T00:10:00|60|fileName+timeZone",
      "winter|2024-01-20T11:26:09|60|DateTimeOriginal+timeZone",
      "other|2024-07-20T11:26:09||DateTimeOriginal",
      "summer|2024-07-20T11:26:09|120|DateTimeOriginal+timeZone",
    ]
    #expect(try scene.catalogue(rows) == expected)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try scene.catalogue(rows) == expected)
  }

  @Test("A date that cannot be right is named by its field, and a clock only where no better date is used")
  func wrongFields() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    let good = "-DateTimeOriginal=2019:07:04 10:15:30"
    try put(scene, "a.jpg", 1, [good, "-XMP-xmp:CreateDate=2999:01:01 00:00:00"])
    try put(scene, "b.jpg", 2, [good, "-ExifIFD:CreateDate=1700:01:01 00:00:00"])
    let run = try scene.run()
    try run.expect(0)
    let message = try #require(try run.json()["problems"].array.first?["message"].string)
    #expect(
      message.hasPrefix("2 files say in DateTimeDigitized and xmp:CreateDate that they were taken before"),
      "\(message)"
    )
    #expect(message.hasSuffix("The first is \"a.jpg\". Correct the files."), "\(message)")
    #expect(try scene.catalogue("SELECT DISTINCT creationDateTag FROM assets") == ["DateTimeOriginal"])
  }

  @Test("A wrong clock is corrected in the catalogue, beside what it said, and in no original")
  func clockShift() throws {
    let scene = Scene(policy: "keep")
    let shifts: JSONValue = [
      [
        "by": "+01:02:30", "where": "camera CONTAINS 'TZ7'", "from": "2019-07-01",
        "to": "2019-07-31",
      ],
      ["by": "-26280:00", "where": "name BEGINSWITH 'future'"],
    ]
    try scene.declare("camera", "authorized", ["dates": ["shift": shifts]])
    let wrong = ["-Make=Panasonic", "-Model=DMC-TZ7", "-DateTimeOriginal=2019:07:31 23:30:00"]
    try put(scene, "a.jpg", 1, wrong)
    try put(scene, "b.jpg", 2, ["-Model=Other", "-DateTimeOriginal=2019:07:04 10:15:30"])
    try put(scene, "c.jpg", 3, Array(wrong.dropLast()) + ["-DateTimeOriginal=2019:08:01 00:00:00"])
    try put(scene, "future.jpg", 4, ["-DateTimeOriginal=1827:01:01 00:00:00"])
    let source = try readBytes(scene.at("sources/camera/a.jpg"))
    try scene.writeManifest()
    let check = try scene.command("check", "manifest.json", "--format", "json")
    let notes = try check.json()["notes"].array.compactMap(\.string)
    let note = try #require(notes.first { $0.contains("camera CONTAINS 'TZ7'") })
    #expect(note.contains("2019-07-01T00:00:00 becomes 2019-07-01T01:02:30"))
    #expect(note.components(separatedBy: " becomes ").count == 4)
    let run = try scene.run()
    try run.expect(0)
    // Three years before 1827 is not plausible: the date stays, and the summary says so.
    #expect(try run.problems() == ["datesNotUsed"])
    let message = try #require(try run.json()["problems"].array.first?["message"].string)
    #expect(message.hasPrefix("1 file says in DateTimeOriginal (shifted) that it was"), "\(message)")
    #expect(message.hasSuffix("\". Correct the shift under \"dates\"."), "\(message)")
    let rows = """
      SELECT label, creationDate, creationDateTag, creationDateStated FROM assets ORDER BY label
      """
    let expected = [
      "a|2019-08-01T00:32:30|DateTimeOriginal+shift|2019-07-31T23:30:00",
      "b|2019-07-04T10:15:30|DateTimeOriginal|", "c|2019-08-01T00:00:00|DateTimeOriginal|",
      "future|1827-01-01T00:00:00|DateTimeOriginal|",
    ]
    #expect(try scene.catalogue(rows) == expected)
    let list = try scene.command("list", "Library", "--format", "json").json()["assets"].array
    #expect(Set(list.compactMap { $0["creationDateStated"].string }) == ["2019-07-31T23:30:00"])
    let original = try #require(try scene.originals().first { $0.path.hasSuffix("/a.jpg") })
    #expect(try readBytes(scene.library + "/Originals/" + original.path) == source)
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try scene.catalogue(rows) == expected)
  }

  @Test("Other corrections are no new import: the catalogue is corrected, and nothing is opened")
  func otherCorrections() throws {
    let scene = Scene(policy: "keep")
    scene.manifest["labels"] = ["template": "{creationDate:yyyy-MM-dd HH.mm}"]
    func declare(_ dates: JSONValue?) throws {
      try scene.declare("camera", "authorized", dates.map { ["dates": $0] } ?? [:])
    }
    try declare(nil)
    try put(scene, "a.jpg", 1, ["-Model=TZ7", "-DateTimeOriginal=2024:07:20 23:30:00"])
    try put(scene, "PXL_20231231_231000123.jpg", 2, [])
    let stated = ["-DateTimeOriginal=2024:07:20 10:00:00", "-OffsetTimeOriginal=+02:00"]
    try put(scene, "b.jpg", 3, stated)
    try scene.run().expect(0)
    let names = try scene.originalNames()
    let rows = """
      SELECT creationDate, creationDateOffsetMinutes, creationDateTag, creationDateStated
      FROM assets ORDER BY creationDate
      """
    let first = try scene.catalogue(rows)
    let shift: JSONValue = [["by": "+01:00", "where": "camera CONTAINS 'TZ7'"]]
    try declare(["timeZone": "Europe/Berlin", "shift": shift])
    try scene.writeManifest()
    let check = try scene.command("check", "manifest.json", "--format", "json")
    let notes = try check.json()["notes"].array.compactMap(\.string)
    #expect(notes.contains { $0.hasPrefix("The next run corrects 2 dates of the camera") })
    let expected = [
      "2024-01-01T00:10:00|60|fileName+timeZone|2023-12-31T23:10:00+00:00",
      "2024-07-20T10:00:00|120|DateTimeOriginal|",
      "2024-07-21T00:30:00|120|DateTimeOriginal+shift+timeZone|2024-07-20T23:30:00",
    ]
    let second = try scene.run()
    try second.expectCounts(["unchanged": 3])
    #expect(try scene.catalogue(rows) == expected)
    #expect(try scene.originalNames() == names)
    try scene.expectVerified()
    try scene.removeCatalogue()
    try scene.rebuild().expect(0)
    #expect(try scene.catalogue(rows) == expected)
    try declare(nil)
    try scene.run().expectCounts(["unchanged": 3])
    #expect(try scene.catalogue(rows) == first)
    let dated = try LibraryState.records(scene.library).filter { $0["event"].string == "dated" }
    #expect(dated.map { $0["assets"].array.count } == [1, 1, 2])
    #expect(dated.map { $0["dateShift"].string } == [nil, "+01:00:00", nil])
  }

  @Test("A time zone that the system does not have is a mistake at its place")
  func unknownTimeZone() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera", "authorized", ["dates": ["timeZone": "Europe/Berln"]])
    try scene.writeManifest()
    for command in ["check", "run"] {
      let outcome = try scene.command(command, "manifest.json", "--format", "json")
      try outcome.expect(78)
      #expect(outcome.error.contains("$.sources.camera.dates.timeZone"))
      #expect(outcome.error.contains("no \"Europe/Berln\""))
    }
  }

  @Test("A label has the date of the rules, and of a date without a time the day alone")
  func labels() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    scene.manifest["labels"] = ["template": "{creationDate:yyyy-MM-dd HH.mm} {number}"]
    try put(scene, "IMG-20190704-WA0003.jpg", 1, [])
    try put(scene, "IMG_20190704_101530.jpg", 2, [])
    try put(scene, "x.jpg", 3, ["-XMP-photoshop:DateCreated=2018:01:02 03:04:05"])
    try put(scene, "y.jpg", 4, [])
    try scene.run().expect(0)
    #expect(
      try scene.originalNames() == [
        "2018-01-02 03.04 3.jpg", "2019-07-04 1.jpg", "2019-07-04 10.15 2.jpg", "undated 4.jpg",
      ]
    )
  }

  @Test("Subtypes are those that cameras and programs write", .enabled(if: Has.ffmpeg, "no ffmpeg"))
  func subtypes() throws {
    let files: [(name: String, tags: [String], subtypes: Int)] = [
      ("pano.jpg", ["-XMP-GPano:ProjectionType=equirectangular"], 1),
      ("hdr.jpg", ["-Make=Apple", "-CustomRendered#=3"], 2),
      ("panorama.jpg", ["-Make=Apple", "-CustomRendered#=6"], 1),
      ("both.jpg", ["-Make=Apple", "-CustomRendered#=7"], 18),
      ("other.jpg", ["-Make=Other", "-CustomRendered#=7"], 0),
      ("shot.jpg", ["-UserComment=Screenshot"], 4),
      ("shot.png", ["-XMP-exif:UserComment=Screenshot"], 4),
      (
        "selfie.jpg", ["-Make=Apple", "-LensModel=iPhone 12 front TrueDepth camera 2.71mm f/2.2"],
        1 << 30
      ),
      ("pixel.jpg", ["-Make=Google", "-LensModel=Pixel 7 front camera 2.74mm f/2.2"], 1 << 30),
      ("back.jpg", ["-Make=Apple", "-LensModel=iPhone 12 back camera 4.2mm f/1.6"], 0),
      ("lens.jpg", ["-Make=Other", "-LensModel=Glass with a front element"], 0),
      ("portrait.jpg", ["-XMP-GCamera:SpecialTypeID=com.google.SpecialType-PORTRAIT"], 16),
    ]
    func movies(_ scene: Scene) throws {
      let lapse = try scene.put("sources/library/lapse.mp4", copyOf: Samples.video)
      try Independent.make(
        "ffmpeg",
        [
          "-v", "error", "-y", "-i", Samples.video, "-c", "copy", "-movflags", "use_metadata_tags",
          "-metadata", "com.apple.photos.captureMode=Time-lapse", lapse,
        ]
      )
      try Independent.make(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=120:duration=1", "-pix_fmt",
          "yuv420p", scene.at("sources/library/slow.mp4"),
        ]
      )
    }
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try scene.declare("library")
    for (number, file) in files.enumerated() {
      try put(scene, file.name, number % 8 + 1, file.tags + ["-XMP-dc:Source=\(number)"])
    }
    try put(scene, "percent.jpg", 8, ["-XMP-microsoft:RatingPercent=75"])
    try movies(scene)
    try scene.run().expect(0)
    let rows = try scene.catalogue(
      "SELECT label || ifnull(mediaSubtypes, 0) FROM assets WHERE label != 'percent' ORDER BY 1"
    )
    let expected = files.map { String($0.name.prefix { $0 != "." }) + "\($0.subtypes)" }
    #expect(rows == (expected + ["lapse262144", "slow131072"]).sorted())
    #expect(try scene.catalogue("SELECT rating FROM assets WHERE label = 'percent'") == ["4"])
    // Subtypes that the published movie shows are known under strip too.
    let stripped = Scene(policy: "strip")
    try stripped.declare("library")
    try movies(stripped)
    try stripped.run().expect(0)
    #expect(
      try stripped.catalogue("SELECT label, mediaSubtypes FROM assets ORDER BY 1")
        == ["lapse|", "slow|131072"]
    )
    let before = try CatalogueDump(stripped.library)
    try stripped.removeCatalogue()
    try stripped.rebuild().expect(0)
    #expect(try CatalogueDump(stripped.library) == before)
  }

  // MARK: strip

  /// Values that are planted in the sources of ``manyFiles(_:)``, and may be nowhere in a stripped library.
  private static let canaries = [
    "CanaryModel", "CanaryCaption", "CanaryFirst", "CanarySecond", "CanaryThird", "CanaryBurst",
    "CanaryPerson", "CanaryFriend",
    "2019-07-04T10:15:30", "2019:07:04 10:15:30", "1700:01:02", "488582220", "22945000",
  ]
  /// Coordinates, which SQLite stores as eight bytes.
  private static let degrees = [48.858222, -2.2945]

  /// Returns the canaries that are in any byte of any file of a library.
  private func canaries(_ scene: Scene, except: String = "/") throws -> Set<String> {
    var patterns = Self.canaries.map { ($0, Data($0.utf8)) }
    for value in Self.degrees {
      patterns.append(("\(value)", withUnsafeBytes(of: value.bitPattern.bigEndian) { Data($0) }))
    }
    var matches: Set<String> = []
    let files = try FileManager.default.subpathsOfDirectory(atPath: scene.library)
    for file in files where !file.hasPrefix(except) {
      guard let data = FileManager.default.contents(atPath: scene.library + "/" + file) else {
        continue
      }
      for (name, pattern) in patterns where data.range(of: pattern) != nil { matches.insert(name) }
    }
    return matches
  }

  @Test("Under strip nothing of it is in any byte of the library, unless the manifest asks for it")
  func stripped() throws {
    let scene = try manyFiles("strip")
    try scene.run().expect(0)
    #expect(try canaries(scene) == [])
    #expect(!FileManager.default.fileExists(atPath: scene.library + "/private.sqlite"))
    // A live photo is one by its two files.
    let rows = "SELECT count(*), sum(mediaSubtypes) FROM assets WHERE mediaSubtypes IS NOT NULL"
    #expect(try scene.catalogue(rows) == ["1|8"])
    let other =
      "rating, isFavorite, caption, keywords, people, burst, isBurstPick, latitude, longitude"
    let given = other.split(separator: ",").map { "count(\($0))" }.joined(separator: " + ")
    #expect(try scene.catalogue("SELECT \(given) FROM assets") == ["0"])
    // The same search finds what is there when metadata are kept.
    let kept = try manyFiles("keep")
    try kept.run().expect(0)
    let all = Set(Self.canaries + Self.degrees.map { "\($0)" })
    #expect(try all.subtracting(canaries(kept)).isSubset(of: ["488582220", "22945000"]))
  }

  @Test("Asked for, it is in private.sqlite alone, for the owner alone, and can be removed")
  func privateFacts() throws {
    let scene = try manyFiles("strip")
    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.writeManifest()
    let check = try scene.command("check", "manifest.json")
    #expect(check.output.contains("stores when, where and with which camera stripped files were taken"))
    try scene.run().expect(0)
    let file = scene.library + "/private.sqlite"
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try canaries(scene, except: "private.sqlite") == [])
    func facts(_ sql: String) throws -> [String] {
      let result = try Tool.run("sqlite3", [file, sql])
      try #require(result.status == 0, "\(result.error)")
      return result.output.split(separator: "\n").map(String.init)
    }
    let identifier = try #require(
      try scene.catalogue("SELECT localIdentifier FROM assets WHERE label = 'a'").first
    )
    let of = "FROM facts WHERE localIdentifier = '\(identifier)'"
    let burst = try #require(try facts("SELECT burst " + of).first)
    #expect(burst.utf8.count == 32 && burst != "CanaryBurst")
    #expect(try facts("SELECT \(Self.columns) " + of) == [Self.row + "\(burst)|1|48.858222|-2.2945"])
    #expect(try facts("SELECT count(*) FROM facts") == ["10"])
    #expect(
      try facts("SELECT count(DISTINCT burst), count(burst) FROM facts WHERE burst != '\(burst)'")
        == ["1|2"]
    )
    try scene.expectVerified()
    // A rebuild leaves it alone, and says when it is gone.
    let before = try facts("SELECT * FROM facts")
    try scene.removeCatalogue()
    let rebuild = try scene.rebuild()
    try rebuild.expect(0)
    #expect(try rebuild.unknownCounts() == [:])
    #expect(try facts("SELECT * FROM facts") == before)
    for name in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file + name)
    }
    try scene.expectVerified()
    #expect(try scene.rebuild().unknownCounts().keys.contains("privateFacts"))
    try scene.run().expectCounts(["unchanged": 11])
    #expect(try facts("SELECT count(*) FROM facts") == ["0"])
    try scene.expectVerified()
  }

  @Test(
    "A run that does not store private facts opens no file of them",
    .enabled(if: Has.strace, "no strace")
  )
  func notOpened() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    scene.manifest["catalogue"] = ["privateFacts": true]
    try put(scene, "a.jpg", 1, Self.described)
    try scene.run().expect(0)
    try put(scene, "b.jpg", 2, Self.described)
    scene.manifest["catalogue"] = nil
    let run = try scene.tracedRun("openat,open")
    try run.outcome.expect(0)
    #expect(!run.lines.contains { $0.contains("private.sqlite") })
    #expect(run.lines.contains { $0.contains("library.sqlite") })
  }

  @Test(
    "A private.sqlite that is another program's, a link, or readable by others is not written to"
  )
  func foreign() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    try scene.run().expect(0)
    scene.manifest["catalogue"] = ["privateFacts": true]
    let file = scene.library + "/private.sqlite"
    _ = try Tool.run("sqlite3", [file, "CREATE TABLE other (a)"])
    let foreign = try readBytes(file)
    #expect(try scene.run().code == 70)
    #expect(try readBytes(file) == foreign)
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: scene.at("x"))
    #expect(try scene.run().code != 0)
    #expect(!FileManager.default.fileExists(atPath: scene.at("x")))
    try FileManager.default.removeItem(atPath: file)
    try scene.run().expect(0)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    try scene.run().expect(0)
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }
}
