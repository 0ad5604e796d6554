import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Whole means whole")
struct WholeFileTests {
  /// The project's own media, each without its last third, as a copy that was interrupted leaves it.
  static func cut() throws -> [(name: String, bytes: [UInt8])] {
    let files = [
      ("cut.jpg", Samples.photo(1)), ("cut.png", Samples.png), ("cut.wav", Samples.sound),
      ("cut.mov", Samples.movie),
    ]
    return try files.map { name, file in
      let bytes = try readBytes(file)
      return (name, Array(bytes.prefix(bytes.count * 2 / 3)))
    }
  }

  /// A film whose index comes first, and sounds, made by ffmpeg and cut.
  private static let files: Result<[(name: String, bytes: [UInt8])], any Error> = Result {
    let (sine, bars) = (["-map", "0"], ["-map", "1"])
    let all: [(String, [String])] = [
      ("fast.mp4", bars + ["-c:v", "mpeg4", "-movflags", "+faststart"]),
      ("cut.webm", bars + ["-c:v", "libvpx"]), ("cut.avi", bars + ["-c:v", "mpeg4"]),
      ("cut.aiff", sine), ("cut.ogg", sine + ["-c:a", "libvorbis"]), ("cut.flac", sine),
      ("cut.mp3", sine + ["-c:a", "libmp3lame"]),
    ]
    let folder = TemporaryFolder()
    var arguments = ["-v", "error", "-f", "lavfi", "-i", "sine=d=2"]
    arguments += ["-f", "lavfi", "-i", "testsrc=s=64x48:d=1"]
    for (name, options) in all { arguments += options + [folder.path + "/" + name] }
    try Independent.make("ffmpeg", arguments)
    var truncated: [(name: String, bytes: [UInt8])] = []
    for (name, _) in all {
      let bytes = try readBytes(folder.path + "/" + name)
      truncated.append((name, Array(bytes.prefix(bytes.count * 2 / 3))))
    }
    return truncated
  }

  @Test("What a damaged file lacks is told by log and reports, and no text of the file is")
  func lacks() throws {
    let scene = Scene()
    try scene.declare("camera")
    let jpeg = try Array(readBytes(Samples.photo(1)).dropLast(40))
    try scene.put("sources/camera/cut.jpg", jpeg)
    // A chunk of no known type, which goes on behind the end.
    let head = try readBytes(Samples.png).prefix(33)
    try scene.put("sources/camera/odd.png", Array(head) + [0, 1, 0, 0] + Array("sEcRet".utf8))
    try scene.run().expect(3)
    let lines = try #require(try scene.logFiles().last).lines
    #expect(!lines.contains { $0.contains("sEcR") })
    let damage = try lines.map { try JSON(text: $0) }.filter { $0["event"].string == "outcome" }
      .map { $0["damage"].string }
    let missing = "it ends early; missing: EOI at byte \(jpeg.count)"
    #expect(damage.contains(missing) && damage.count == 2 && !damage.contains(nil), "\(damage)")
    let items = try JSON(text: try scene.reportText("json"))["items"].array
    #expect(items.compactMap { $0["damage"].string }.contains(missing))
    for format in ["html", "json", "csv", "junit", "sarif", "github"] {
      let report = try scene.reportText(format)
      #expect(report.contains("missing: EOI") && !report.contains("sEcR"), "\(format)")
    }
    let story = try scene.command("explain", "Library", "cut.jpg", "--format", "json").json()
    let told = "missing: EOI, the picture's end, at byte \(jpeg.count)"
    #expect(story["items"].array.first?["message"].string?.contains(told) == true)
  }

  @Test(
    "A file that is cut is damaged under every policy, and nothing of it is published",
    .enabled(if: Has.ffmpeg, "no ffmpeg"),
    arguments: ["keep", "strip", "mute"]
  )
  func cutFails(policy: String) throws {
    let scene = Scene(policy: policy == "strip" ? "strip" : "keep")
    if policy == "mute" {
      try scene.declare("camera", "authorized", ["capture": ["mode": "photoAndVideo"]])
      try scene.declare("microphone", "denied")
      scene.manifest["onMicrophoneRefused"] = "mute"
    } else {
      try scene.declare("library")
    }
    let folder = "sources/" + (policy == "mute" ? "camera" : "library")
    var names: [String] = []
    for (name, bytes) in try Self.files.get() + Self.cut() {
      try scene.put(folder + "/" + name, bytes)
      names.append(name)
    }
    let isSound = { (name: String) in
      ["wav", "aiff", "ogg", "flac", "mp3"].contains((name as NSString).pathExtension)
    }
    let wanted = policy == "mute" ? names.filter { !isSound($0) } : names
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.failures() == wanted.map { $0 + ": damaged" }.sorted())
    #expect(try scene.originals().isEmpty)
    for failure in try outcome.json()["failures"].array {
      #expect(failure["message"].string?.contains("Copy it from its device again") == true)
    }
    try scene.expectVerified()
  }

  @Test(
    "A JPEG of which libjpeg warns, and which has every sample, is imported with a thumbnail",
    arguments: ["keep", "strip"]
  )
  func warned(policy: String) throws {
    let scene = Scene(policy: policy)
    try scene.declare("camera")
    scene.setThumbnails([("grid", 64, 64, "aspectFit")])
    let plain = scene.at("plain.jpg")
    try Independent.make("convert", ["-size", "48x64", "gradient:#203080-#f0d060", plain])
    let bytes = try readBytes(plain)
    // In the place of the JFIF segment, one of Adobe that says four colors.
    let adobe: [UInt8] = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 2]
    try #require(Array(bytes[2..<6]) == [0xFF, 0xE0, 0, 16])
    let odd = Array(bytes[..<2]) + adobe + bytes[20...]
    try scene.put("sources/camera/odd.jpg", odd)
    try scene.run().expect(0)
    let path = try #require(try scene.originals().first).path
    if policy == "keep" { #expect(try readBytes(scene.library + "/Originals/" + path) == odd) }
    #expect(try scene.thumbnails("grid").count == 1)
    try scene.expectVerified()
  }

  @Test("acceptDamaged takes a cut file as it is, and marks its asset degraded")
  func accepted() throws {
    let scene = Scene()
    try scene.declare("library")
    scene.manifest["acceptDamaged"] = true
    let cut = try Self.cut().filter { $0.name != "cut.mov" }
    for (name, bytes) in cut { try scene.put("sources/library/" + name, bytes) }
    try scene.put("sources/library/whole.jpg", copyOf: Samples.harbour)
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": cut.count + 1])
    let digests = Set(try scene.originals().map(\.sha256))
    for (name, _) in cut {
      #expect(digests.contains(try Independent.sha256(scene.at("sources/library/" + name))))
    }
    let degraded = try scene.lastLog().filter { $0["degraded"].bool == true }
    #expect(degraded.compactMap { $0["path"].string }.sorted() == cut.map(\.name).sorted())
    #expect(
      try scene.catalogue("SELECT label FROM assets WHERE degraded = 1 ORDER BY label")
        == cut.map { _ in "cut" }
    )
    // The second run takes them for what they are.
    try scene.run().expectCounts(["unchanged": cut.count + 1])
    try scene.expectVerified()
  }

  @Test("No stripped file has lengths that hide that its source was cut, accepted or not")
  func neverHidden() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("library")
    scene.manifest["acceptDamaged"] = true
    let cut = try Self.cut().filter { $0.name == "cut.wav" }
    try scene.put("sources/library/cut.wav", try #require(cut.first).bytes)
    let outcome = try scene.run()
    for (path, _) in try scene.originals() {
      let bytes = try readBytes(scene.at("Library/Originals/" + path))
      let data = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("data".utf8)) })
      let length = (0..<4).reduce(0) { $0 | Int(bytes[data + 4 + $1]) << (8 * $1) }
      #expect(data + 8 + length > bytes.count)
    }
    if try scene.originals().isEmpty {
      #expect(try outcome.failures() == ["cut.wav: damaged"])
    }
  }

  @Test(
    "A name that promises media over content that is none fails, and every output names it",
    .enabled(if: Has.python, "no python3")
  )
  func contentUnknown() throws {
    let scene = Scene()
    // macOS's own files have to be looked at here.
    try scene.declare("library", "authorized", ["ignoreDefaults": false]).declare("microphone")
    var random = SeededGenerator(seed: 20_261_122)
    let noise = (0..<5000).map { _ in UInt8.random(in: 1...255, using: &random) }
    let unknown: [(String, [UInt8])] = [
      ("empty.JPG", []), ("noise.mp4", noise), ("zeros.heic", [UInt8](repeating: 0, count: 9000)),
      ("zeros.WAV", [UInt8](repeating: 0, count: 50)),
    ]
    for (name, bytes) in unknown {
      let source = name == "zeros.WAV" ? "microphone" : "library"
      try scene.put("sources/\(source)/" + name, bytes)
    }
    let left = ["._empty.JPG", "a.json", "notes.txt", "zeros"]
    for name in left { try scene.put("sources/library/" + name, "no picture") }
    try scene.put("sources/library/whole.jpg", copyOf: Samples.harbour)

    let outcome = try scene.run()
    try outcome.expect(3)
    try outcome.expectCounts([
      "imported": 1, "failed": unknown.count, "unsupported": left.count,
    ])
    let names = unknown.map(\.0)
    #expect(try outcome.failures() == names.map { $0 + ": contentUnknown" }.sorted())
    let listed = try outcome.json()["unsupported"].array
    #expect(listed.compactMap { $0["path"].string } == left)
    #expect(listed.allSatisfy { $0["reason"].string == "unknownFormat" })
    for failure in try outcome.json()["failures"].array {
      let message = try #require(failure["message"].string)
      #expect(message.contains("from its device again"), "\(message)")
      #expect(message.contains("it is empty") == (failure["path"].string == "empty.JPG"))
    }
    // As text.
    let text = try scene.command("run", "manifest.json", "--retry-failed")
    #expect(text.code == 3)
    for name in names + left { #expect(text.output.contains("\"\(name)\""), "\(text.output)") }
    for format in ["html", "json", "csv", "junit", "sarif", "github", "in-toto"] {
      let report = try scene.command("report", scene.library, "--run", "last", "--format", format)
      #expect(report.code == 0, "\(report.streams)")
      for name in names { #expect(report.output.contains(name), "\(name) in \(format)") }
    }
    try scene.expectVerified()
  }

  @Test("A name that promises media of a kind that the source does not ask for is no failure")
  func otherKind() throws {
    let scene = Scene()
    try scene.declare("library", "authorized", ["fetch": ["mediaTypes": ["image"]]])
    try scene.put("sources/library/empty.mp4", "")
    try scene.put("sources/library/empty.jpg", "")
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.failures() == ["empty.jpg: contentUnknown"])
    try outcome.expectCounts(["failed": 1, "unsupported": 1])
  }
}
