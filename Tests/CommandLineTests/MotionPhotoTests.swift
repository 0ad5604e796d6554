import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Motion photos", .enabled(if: Has.sqlite, "no sqlite3"))
struct MotionPhotoTests {
  /// A JPEG with a movie behind it that has a picture track and a sound track.
  private static func photo(_ text: String) throws -> (bytes: [UInt8], still: Int) {
    let still = try Media.photo(text)
    return (still + (try readBytes(Samples.video)), still.count)
  }

  private func scene(policy: String = "keep") throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("library")
    try scene.put("sources/library/MVIMG_1.jpg", try Self.photo("motion").bytes)
    try scene.put("sources/library/plain.jpg", try Media.photo("plain"))
    return scene
  }

  @Test("Under keep it is one asset, live and in the album of live photos, and its file is whole")
  func live() throws {
    let scene = try scene()
    try scene.run().expectCounts(["imported": 2])
    let (bytes, still) = try Self.photo("motion")
    #expect(
      try scene.catalogue(
        "SELECT embeddedOffset, embeddedLength, stillLength, mediaSubtypes FROM assets "
          + "WHERE label = 'MVIMG_1'"
      ) == ["\(still)|\(bytes.count - still)|\(still)|8"]
    )
    #expect(try scene.originalNames() == ["MVIMG_1.jpg", "plain.jpg"])
    let digests = Set(try scene.originals().map(\.sha256))
    #expect(digests.contains(try Independent.sha256(scene.at("sources/library/MVIMG_1.jpg"))))
    let outcome = try scene.command(
      "list",
      "Library",
      "--where",
      "(mediaSubtypes & photoLive) != 0",
      "--format",
      "ndjson"
    )
    try outcome.expect(0)
    let asset = try JSON(text: outcome.output)
    #expect(asset["label"].string == "MVIMG_1")
    #expect(asset["mediaSubtypes"].array.compactMap(\.string) == ["photoLive"])
    let files = asset["files"].array
    #expect(files.count == 1)
    #expect(files.first?["embedded"]["role"].string == "pairedVideo")
    #expect(files.first?["embedded"]["offset"].int == still)
    #expect(files.first?["embedded"]["length"].int == bytes.count - still)
    let albums = try scene.command("albums", "Library")
    #expect(albums.output.contains("Live Photos"))
    try scene.run().expectCounts(["unchanged": 2])
    try scene.expectVerified()
    // A catalogue that is made anew says the same.
    for ending in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: scene.library + "/library.sqlite" + ending)
    }
    try scene.command("rebuild", "Library").expect(0)
    #expect(
      try scene.catalogue("SELECT embeddedOffset FROM assets WHERE embeddedOffset IS NOT NULL")
        == ["\(still)"]
    )
  }

  @Test("A length that is a lie is named, and nothing is lost")
  func lie() throws {
    let scene = Scene()
    try scene.declare("library")
    let packet =
      "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description "
      + "xmlns:GCamera='http://ns.google.com/photos/1.0/camera/' GCamera:MicroVideo='1' "
      + "GCamera:MicroVideoOffset='1099511627776'/></rdf:RDF>"
    let content = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)
    let segment: [UInt8] = [0xFF, 0xE1] + big(content.count + 2, 2) + content
    for name in ["with", "without"] {
      var photo = try Media.photo(name)
      photo.insert(contentsOf: segment, at: 2)
      if name == "with" { photo += try readBytes(Samples.video) }
      try scene.put("sources/library/\(name).jpg", photo)
    }
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 2])
    #expect(try outcome.problems() == ["moviesMisstated"])
    #expect(
      outcome.output.contains("of their movies; for 1 of them no whole one was found"),
      "\(outcome.output)"
    )
    #expect(Set(try scene.originals().map(\.sha256)) == Set(try scene.digests("sources/library").values))
    #expect(try scene.catalogue("SELECT label FROM assets WHERE embeddedLength IS NOT NULL") == ["with"])
    try scene.expectVerified()
  }

  @Test("Under strip the movie is gone, and the asset is not live")
  func stripped() throws {
    let scene = try scene(policy: "strip")
    scene.manifest["catalogue"] = ["privateFacts": true]
    try scene.run().expectCounts(["imported": 2])
    #expect(try scene.catalogue("SELECT count(*) FROM assets WHERE embeddedOffset > 0") == ["0"])
    let albums = try scene.command("albums", "Library")
    try albums.expect(0)
    #expect(!albums.streams.contains("Live Photos"))
    try scene.expectVerified()
  }

  /// What the camera's mode makes of a motion photo with sound when the microphone is refused.
  struct Capture: CustomTestStringConvertible {
    var mode: String
    var onRefused: String
    var testDescription: String { "\(mode), \(onRefused)" }
  }

  private static let captures = ["photo", "photoAndLivePhoto", "photoAndVideo"].flatMap { mode in
    ["refuse", "stillOnly", "mute"].map { Capture(mode: mode, onRefused: $0) }
  }

  @Test(
    "With the microphone refused it is refused or comes without its movie, in every mode",
    arguments: Amount.some(4, of: captures)
  )
  func microphone(capture: Capture) throws {
    let scene = Scene()
    try scene.declare("camera", "authorized", ["capture": ["mode": .string(capture.mode)]])
    try scene.declare("microphone", "denied")
    scene.manifest["onMicrophoneRefused"] = .string(capture.onRefused)
    let (bytes, still) = try Self.photo("motion")
    try scene.put("sources/camera/MVIMG_1.jpg", bytes)
    try scene.put("sources/camera/plain.jpg", try Media.photo("plain"))
    let outcome = try scene.run()
    try outcome.expect(0)
    let record = try #require(
      try scene.lastLog().first {
        $0["event"].string == "outcome" && $0["path"].string == "MVIMG_1.jpg"
      }
    )
    guard capture.onRefused == "stillOnly" else {
      try outcome.expectCounts(["imported": 1, "refused": 1])
      #expect(record["reason"].string == "microphoneRefused")
      return try scene.expectVerified()
    }
    try outcome.expectCounts(["imported": 2])
    #expect(record["trailerRemoved"].bool == true)
    let source = try Independent.sha256(scene.at("sources/camera/MVIMG_1.jpg"))
    #expect(record["sourceSHA256"].string == source)
    let output = try #require(try scene.originals().first { $0.path.hasSuffix("/MVIMG_1.jpg") })
    #expect(record["output"]["sha256"].string == output.sha256)
    let written = try readBytes(scene.library + "/Originals/" + output.path)
    #expect(written == Array(bytes[..<still]))
    #expect(try scene.catalogue("SELECT count(*) FROM assets WHERE embeddedLength > 0") == ["0"])
    let plain = try scene.lastLog().first { $0["path"].string == "plain.jpg" && $0["role"].exists }
    #expect(plain?["trailerRemoved"].exists == false)
    try scene.run().expectCounts(["unchanged": 2])
    // The same picture under another name is the same, and gets thumbnails from its source.
    try scene.put("sources/camera/again.jpg", bytes)
    scene.setThumbnails([("grid", 64, 64, "aspectFit")])
    let again = try scene.run()
    try again.expect(0)
    #expect(try again.count("duplicate") == 1)
    #expect(try scene.thumbnails("grid").count == 2)
    try scene.expectVerified()
  }

  @Test("Nobody has refused the microphone: the photo comes whole, as without a movie")
  func undeclared() throws {
    let scene = Scene()
    try scene.declare("camera", "authorized", ["capture": ["mode": "photo"]])
    scene.manifest["onMicrophoneRefused"] = "stillOnly"
    try scene.put("sources/camera/MVIMG_1.jpg", try Self.photo("motion").bytes)
    try scene.run().expectCounts(["imported": 1])
    #expect(try scene.catalogue("SELECT mediaSubtypes FROM assets") == ["8"])
  }

  @Test("An export has the file as it is, the still, or both parts", arguments: [false, true])
  func export(makesBag: Bool) throws {
    let scene = try scene()
    try scene.run().expect(0)
    let (bytes, still) = try Self.photo("motion")
    let folder = makesBag ? "data/" : ""
    for motion in ["keep", "still", "split"] {
      let options = ["--layout", "{label}", "--motion", motion] + (makesBag ? ["--bag"] : [])
      try scene.command(["export", "Library", motion] + options).expect(0)
      let picture = try readBytes(scene.at("\(motion)/\(folder)MVIMG_1.jpg"))
      #expect(picture == (motion == "keep" ? bytes : Array(bytes[..<still])), "\(motion)")
      let movie = scene.at("\(motion)/\(folder)MVIMG_1.mp4")
      #expect(FileManager.default.fileExists(atPath: movie) == (motion == "split"))
      if motion == "split" { #expect(try readBytes(movie) == Array(bytes[still...])) }
      #expect(try readBytes(scene.at("\(motion)/\(folder)plain.jpg")) == (try Media.photo("plain")))
      if makesBag {
        let check = try Tool.run(
          "sha256sum",
          ["--check", "--quiet", "manifest-sha256.txt"],
          in: scene.at(motion)
        )
        #expect(check.status == 0, "\(check.output)\(check.error)")
      }
      // Made again with another photo it is what it was.
      guard motion == "split" else { continue }
      let files = try scene.digests(motion)
      try scene.put("sources/library/other.jpg", try Media.photo("other"))
      try scene.run().expect(0)
      let later = try scene.command(["export", "Library", motion, "--format", "json"] + options)
      try later.expect(0)
      #expect(try later.json()["filesAdded"].int == 1)
      let again = try scene.digests(motion)
      for name in ["MVIMG_1.jpg", "MVIMG_1.mp4"] {
        #expect(again["./" + folder + name] == files["./" + folder + name])
      }
    }
    try scene.expectVerified()
  }

  @Test("A gallery plays the movie, as a file of its own, where it has originals")
  func gallery() throws {
    let scene = try scene()
    scene.setThumbnails([("grid", 256, 256, "aspectFit")])
    try scene.run().expect(0)
    try scene.command("gallery", "Library", "site", "--originals").expect(0)
    let (bytes, still) = try Self.photo("motion")
    let movies = try scene.digests("site").keys.filter { $0.hasSuffix(".mp4") }
    #expect(movies.count == 1)
    let movie = try #require(movies.first)
    #expect(try readBytes(scene.at("site/" + movie)) == Array(bytes[still...]))
    let name = (movie as NSString).lastPathComponent
    let pages = try Tool.run("grep", ["-rl", name, scene.at("site")])
    #expect(pages.status == 0)
  }

  @Test(
    "No facts are written into a picture that is a part of a motion photo, which is said",
    .enabled(if: Has.exiftool, "no exiftool")
  )
  func partWithoutFacts() throws {
    let scene = try scene()
    try Independent.make(
      "exiftool",
      ["-q", "-o", scene.at("sources/library/MVIMG_1.jpg.xmp"), "-XMP-xmp:Rating=4"]
    )
    try scene.run().expect(0)
    let (bytes, still) = try Self.photo("motion")
    for motion in ["still", "split"] {
      let options = ["--layout", "{label}", "--embed", "rating", "--motion", motion]
      let outcome = try scene.command(["export", "Library", motion, "--format", "json"] + options)
      try outcome.expect(0)
      let besides = try outcome.json()["besides"].array
      #expect(besides.compactMap { $0["path"].string } == ["MVIMG_1.jpg"], "\(outcome.output)")
      #expect(besides.compactMap { $0["detail"].string } == ["it is a part of a motion photo"])
      #expect(outcome.error.contains("it is a part of a motion photo"), "\(outcome.error)")
      #expect(try readBytes(scene.at("\(motion)/MVIMG_1.jpg")) == Array(bytes[..<still]))
      let sidecar = try Independent.exif(scene.at("\(motion)/MVIMG_1.jpg.xmp"))
      #expect(sidecar["XMP-xmp:Rating"] == "4", "\(motion)")
    }
  }

  @Test(
    "Takeout's movie beside its still makes one live photo",
    arguments: Amount.pairs(
      [
        ("PXL_1.MP", "PXL_1.MP.jpg"), ("PXL_1.MP", "PXL_1.jpg"),
        ("PXL_1.MP~2", "PXL_1.MP~2.jpg"), ("pxl_1.mp", "PXL_1.MP.JPG"),
      ],
      ["keep", "strip"]
    )
  )
  func takeout(names: (movie: String, still: String), policy: String) throws {
    let scene = Scene(policy: policy)
    try scene.declare("library")
    try scene.put("sources/library/" + names.movie, copyOf: Samples.video)
    try scene.put("sources/library/" + names.still, try Media.photo("still"))
    try scene.run().expectCounts(["imported": 2])
    #expect(
      try scene.catalogue(
        "SELECT count(DISTINCT asset), group_concat(role) FROM (SELECT * FROM resources ORDER BY role)"
      ) == ["1|pairedVideo,photo"]
    )
    #expect(try scene.catalogue("SELECT degraded, mediaSubtypes FROM assets") == ["0|8"])
    try scene.run().expectCounts(["unchanged": 2])
    try scene.expectVerified()
  }

  @Test(
    "Two stills, each beside one and the same movie, are two live photos",
    arguments: ["keep", "strip"]
  )
  func oneMovie(policy: String) throws {
    let scene = Scene(policy: policy)
    try scene.declare("library")
    let (still, movie) = try Media.livePhoto("first")
    let other = try Media.livePhoto("second").still
    try scene.put("sources/library/a/IMG_1.JPG", still)
    try scene.put("sources/library/a/IMG_1.MOV", movie)
    try scene.put("sources/library/b/IMG_1.JPG", other)
    try scene.put("sources/library/b/IMG_1.MOV", movie)
    try scene.run().expectCounts(["imported": 4])
    let live = "SELECT count(*) FROM assets WHERE degraded = 0 AND mediaSubtypes = 8"
    #expect(try scene.catalogue(live) == ["2"])
    try scene.run().expectCounts(["unchanged": 4])
    // A later run meets a third one; a copy of both halves is a duplicate.
    try scene.put("sources/library/c/IMG_1.JPG", try Media.livePhoto("third").still)
    try scene.put("sources/library/c/IMG_1.MOV", movie)
    try scene.put("sources/library/d/IMG_1.JPG", still)
    try scene.put("sources/library/d/IMG_1.MOV", movie)
    try scene.run().expectCounts(["unchanged": 4, "imported": 2, "duplicate": 2])
    #expect(try scene.catalogue(live) == ["3"])
    try scene.expectVerified()
  }
}
