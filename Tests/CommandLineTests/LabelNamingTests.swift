import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Labels as file names")
struct LabelNamingTests {
  /// A label as a person writes it into `labels.csv`, and the file's name that it gives.
  static let labels: [(csv: String, name: String)] = [
    ("Harbour at dawn", "Harbour at dawn.jpg"),
    ("../../../etc/passwd", "-..-..-etc-passwd.jpg"),
    ("a/b", "a-b.jpg"),
    (".hidden", "hidden.jpg"),
    ("...", "untitled.jpg"),
    ("\"line\nbreak\ttab\u{1B}[31m\"", "linebreaktab[31m.jpg"),
    ("e\u{301}te\u{301}", "\u{E9}t\u{E9}.jpg"),
    ("👩‍👩‍👧‍👦 🏴‍☠️", "👩‍👩‍👧‍👦 🏴‍☠️.jpg"),
    ("\"say \"\"yes\"\", please\"", "say \"yes\", please.jpg"),
    ("\u{202E}gpj.exe", "gpj.exe.jpg"),
    (String(repeating: "x", count: 300), String(repeating: "x", count: 200) + ".jpg"),
    (String(repeating: "é", count: 300), String(repeating: "é", count: 100) + ".jpg"),
    ("-rf", "-rf.jpg"), ("msl:x", "msl:x.jpg"), ("name.png", "name.png.jpg"),
  ]

  @Test(
    "A label of any text is one safe component, in NFC",
    arguments: Amount.isAll ? labels.map { [$0] } : [labels]
  )
  func makesLabelsSafe(labels: [(csv: String, name: String)]) throws {
    let scene = Scene()
    try scene.declare("camera")
    scene.setThumbnails([("grid", 16, 16, "aspectFit")])
    scene.manifest["labels"] = ["file": "labels.csv"]
    var rows = "source,path,label\n"
    for (number, label) in labels.enumerated() {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("\(number)"))
      rows += "camera,\(number).jpg,\(label.csv)\n"
    }
    try scene.put("labels.csv", rows)
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": labels.count])
    let sources = try scene.digests("sources/camera")
    let originals = try scene.originals()
    let thumbnails = try scene.thumbnails("grid")
    #expect(originals.count == labels.count && thumbnails.count == labels.count)
    for (number, label) in labels.enumerated() {
      let digest = try #require(sources["\(number).jpg"])
      let path = try #require(originals.first { $0.sha256 == digest }?.path)
      // Compared by bytes: Swift's own comparison would take NFD for NFC.
      let name = (path as NSString).lastPathComponent
      #expect(Array(name.utf8) == Array(label.name.utf8), "\(path)")
      #expect(path.split(separator: "/").count == 3)
      #expect(thumbnails.count { $0.hasSuffix(" " + label.name) } == 1, "\(thumbnails)")
    }
    for thumbnail in thumbnails {
      #expect(thumbnail.utf8.elementsEqual(thumbnail.precomposedStringWithCanonicalMapping.utf8))
    }
    try scene.expectVerified()
  }

  @Test(
    "Joiners of a source's names stay in labels, files, exports and folders; one that hides does not"
  )
  func keepsJoiners() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    scene.manifest["albums"] = ["fromFolders": true]
    let names = ["👨\u{200D}👩\u{200D}👧\u{200D}👦 family", "عکس\u{200C}ها", "क\u{94D}\u{200D}ष"]
    for name in names {
      try scene.put("sources/camera/خانه\u{200C}ها/\(name).jpg", try Media.photo(name))
    }
    try scene.put("sources/camera/photo\u{200D}.jpg", try Media.photo("hidden"))
    try scene.run().expect(0)
    let expected = Set((names + ["photo%E2%80%8D"]).map { Array("\($0).jpg".utf8) })
    #expect(Set(try scene.originalNames().map { Array($0.utf8) }) == expected)
    let albums = try scene.command("albums", scene.library, "--format", "json")
    #expect(albums.output.unicodeScalars.contains("\u{200C}"), "\(albums.output)")
    let out = scene.at("out")
    try scene.command("export", scene.library, out, "--layout", "{album}/{label}").expect(0)
    let folder = out + "/خانه\u{200C}ها"
    let exported = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(
      Set(exported.map { Array($0.utf8) })
        == expected.subtracting([Array("photo%E2%80%8D.jpg".utf8)])
    )
    try scene.expectVerified()
  }

  @Test("A % before two digits stays in labels, files, exports and albums")
  func keepsPercent() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    scene.manifest["albums"] = ["fromFolders": true]
    let names = ["100%25", "Caesarea%20bay", "50%"]
    for name in names {
      try scene.put("sources/camera/%28trip%29/\(name).jpg", try Media.photo(name))
    }
    try scene.run().expect(0)
    let expected = Set(names.map { $0 + ".jpg" })
    #expect(Set(try scene.originalNames()) == expected)
    let albums = try scene.command("albums", scene.library, "--format", "json")
    #expect(albums.output.contains("\"%28trip%29\""), "\(albums.output)")
    let out = scene.at("out")
    try scene.command("export", scene.library, out, "--layout", "{album}/{label}").expect(0)
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: out + "/%28trip%29")) == expected)
    try scene.expectVerified()
  }

  @Test("Two assets may share a label; both keep it")
  func sharesLabel() throws {
    let scene = Scene()
    try scene.declare("camera")
    scene.manifest["labels"] = ["file": "labels.csv"]
    var rows = "source,path,label\n"
    for number in 1...3 {
      try scene.put("sources/camera/\(number).jpg", copyOf: Samples.photo(number))
      rows += "camera,\(number).jpg,Same\n"
    }
    try scene.put("labels.csv", rows)
    try scene.run().expectCounts(["imported": 3])
    #expect(try scene.originalNames() == ["Same.jpg", "Same.jpg", "Same.jpg"])
    try scene.expectVerified()
  }

  /// A template, and the names that it gives to `IMG 7.JPG` (taken 2026-05-17) and `b.png` (undated).
  @Test(
    "A template names what has no row of its own",
    .enabled(if: Has.magick, "no ImageMagick"),
    arguments: [
      ("{originalName}", "IMG 7.jpg", "b.png"),
      ("{creationDate:yyyy-MM-dd} {originalName}", "2026-05-17 IMG 7.jpg", "undated b.png"),
      ("{creationDate:yyyy'.'MM}", "2026.05.jpg", "undated.png"),
      ("{source} {number:4}", "camera 0001.jpg", "camera 0002.png"),
      ("{{{number}}}", "{1}.jpg", "{2}.png"),
    ]
  )
  func followsTemplate(template: String, photo: String, picture: String) throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    scene.manifest["labels"] = ["template": .string(template)]
    try scene.put("sources/camera/IMG 7.JPG", copyOf: Samples.photo(7))
    try Independent.makePicture(try scene.put("sources/camera/b.png", ""), color: "red")
    try scene.run().expect(0)
    let names = Set(try scene.originalNames())
    #expect(names == [photo, picture])
  }

  @Test("Neutral labels are numbers, and no file of the library has an original name")
  func numbersInPlaceOfNames() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    try scene.declare("library")
    scene.setThumbnails([("grid", 16, 16, "aspectFit")])
    scene.manifest["labels"] = ["neutral": true]
    try scene.put("sources/camera/Anna at home.jpg", copyOf: Samples.photo(7))
    try scene.put("sources/camera/sub/Anna's dog.jpg", copyOf: Samples.photo(8))
    try scene.put("sources/library/Anna.jpg", copyOf: Samples.harbour)
    try scene.run().expectCounts(["imported": 3])
    #expect(try scene.originalNames() == ["1.jpg", "2.jpg", "3.jpg"])
    let thumbnails = try scene.thumbnails("grid").map { $0.split(separator: " ").last ?? "" }
    #expect(thumbnails.sorted() == ["1.jpg", "2.jpg", "3.jpg"])
    let paths = FileManager.default.enumerator(atPath: scene.library)?.compactMap { $0 as? String }
    #expect(try #require(paths).allSatisfy { !$0.contains("Anna") })
    try scene.expectVerified()
  }

  @Test("A row wins over the template, and a label that is changed later renames nothing")
  func rowWins() throws {
    let scene = Scene()
    try scene.declare("camera")
    scene.manifest["labels"] = ["file": "labels.csv", "template": "T {originalName}"]
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/camera/b.jpg", copyOf: Samples.photo(2))
    try scene.put("labels.csv", "source,path,label\ncamera,a.jpg,Mine\n")
    try scene.run().expect(0)
    #expect(try scene.originalNames() == ["Mine.jpg", "T b.jpg"])
    try scene.put("labels.csv", "source,path,label\ncamera,a.jpg,Other\n")
    let second = try scene.run()
    try second.expect(0)
    try second.expectCounts(["unchanged": 2])
    #expect(try scene.originalNames() == ["Mine.jpg", "T b.jpg"])
  }

  @Test(
    "Rows that name nothing are reported, unless the source is limited",
    arguments: ["authorized", "limited"]
  )
  func reportsUnmetRows(status: String) throws {
    let scene = Scene()
    try scene.declare("library", status, status == "limited" ? ["selection": ["a.jpg"]] : [:])
    scene.manifest["labels"] = ["file": "labels.csv"]
    try scene.put("sources/library/a.jpg", copyOf: Samples.photo(1))
    try scene.put("sources/library/secret.jpg", copyOf: Samples.photo(2))
    try scene.put("labels.csv", "source,path,label\nlibrary,a.jpg,A\nlibrary,typo.jpg,B\n")
    let outcome = try scene.run()
    try outcome.expect(0)
    if status == "limited" {
      #expect(!outcome.streams.contains("typo.jpg"))
      #expect(try outcome.problems() == [])
    } else {
      let messages = try outcome.json()["problems"].array.compactMap { $0["message"].string }
      #expect(messages.contains { $0.contains("typo.jpg") }, "\(messages)")
    }
  }

  @Test(
    "A labels file with a mistake stops the run with 78, and names its line",
    arguments: [
      ("path,label\n", 1), ("source,path,label\ncamera,a.jpg\n", 2),
      ("source,path,label\ncamera,a.jpg,A\ncamera,a.jpg,B\n", 3),
      ("source,path,label\nphone,a.jpg,A\n", 2),
      ("source,path,label\ncamera,a.jpg,\"  \"\n", 2),
    ]
  )
  func refusesBadLabels(csv: String, line: Int) throws {
    let scene = Scene()
    try scene.declare("camera")
    scene.manifest["labels"] = ["file": "labels.csv"]
    try scene.put("sources/camera/a.jpg", copyOf: Samples.photo(1))
    try scene.put("labels.csv", csv)
    let outcome = try scene.run()
    try outcome.expect(78)
    #expect(outcome.error.contains("labels.csv:\(line):"), "\(outcome.error)")
    #expect(!FileManager.default.fileExists(atPath: scene.library))
  }

  @Test(
    "check says that a template publishes what strip removes",
    arguments: ["{creationDate:yyyy}", "{originalName}"]
  )
  func warnsOfPublishingTemplate(template: String) throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    scene.manifest["labels"] = ["template": .string(template)]
    try scene.writeManifest()
    let field = String(template.dropFirst().prefix { $0.isLetter })
    #expect(try scene.command("check", "manifest.json").streams.contains("{\(field)}"))
    // A date that stays in the file anyway is no news; an original name never stays in it.
    scene.manifest["metadata"] = ["policy": "strip", "except": ["creationDate"]]
    try scene.writeManifest()
    let textBesideDate = try scene.command("check", "manifest.json").streams
    #expect(textBesideDate.contains("{\(field)}") == (field == "originalName"))
    scene.setPolicy("keep")
    try scene.writeManifest()
    #expect(try !scene.command("check", "manifest.json").streams.contains("{\(field)}"))
  }
}
