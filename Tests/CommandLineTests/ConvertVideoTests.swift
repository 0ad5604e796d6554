import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "Export --convert-video: films that every browser plays",
  .enabled(if: Has.ffmpeg && Has.exiftool, "no ffmpeg or no exiftool")
)
struct ConvertVideoTests {
  private static let picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=10:duration=1"]
  private static let tone = ["-f", "lavfi", "-i", "sine=frequency=440:duration=1"]

  /// Films of several codings, with a title that is no word of any format.
  private static let films: [(name: String, coding: [String])] = [
    ("avi.avi", picture + tone + ["-c:v", "mpeg4", "-c:a", "mp3"]),
    ("hevc.mp4", picture + tone + ["-c:v", "libx265", "-x265-params", "log-level=none"]),
    ("plays.mov", picture + tone + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]),
    ("silent.mov", picture + ["-c:v", "prores_ks"]),
  ]

  private static func make(_ path: String, _ coding: [String]) throws {
    try Independent.make("ffmpeg", ["-v", "error"] + coding + ["-metadata", "title=Planted", path])
  }

  /// A library of films, and a picture.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([])
    try scene.declare("library")
    for (name, coding) in Self.films {
      try Self.make(scene.at("sources/library/" + name), coding)
    }
    try scene.put("sources/library/photo.jpg", try Media.photo("photo"))
    try scene.run().expect(0)
    return scene
  }

  private func export(_ scene: Scene, _ folder: String, _ arguments: [String] = []) throws
    -> Outcome
  {
    try scene.command(["export", "Library", folder, "--layout", "{label}", "--format", "json"] + arguments)
  }

  private func codecs(_ path: String) throws -> [String] {
    try Tool.run("ffprobe", ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", path])
      .output.split(separator: "\n").map(String.init)
  }

  @Test("What browsers cannot play is H.264 in MP4 that tells nothing, and the rest is untouched")
  func films() throws {
    let scene = try scene()
    let before = try scene.snapshot("Library")
    let outcome = try export(scene, "out", ["--convert-video", "h264"])
    try outcome.expect(0)
    #expect(outcome.error.contains("Converted 3 videos to H.264."), "\(outcome.error)")
    #expect(try outcome.json()["converted"].int == 3)
    #expect(try scene.snapshot("Library") == before)
    let names = ["avi.mp4", "hevc.mp4", "photo.jpg", "plays.mov", "silent.mp4"]
    #expect(try scene.madePaths("out") == names)
    for name in ["photo.jpg", "plays.mov"] {
      let own = try Independent.sha256(scene.at("sources/library/" + name))
      #expect(try scene.madeFiles("out")[name] == own)
    }
    for name in ["avi.mp4", "hevc.mp4", "silent.mp4"] {
      let path = scene.at("out/" + name)
      #expect(try codecs(path) == (name == "silent.mp4" ? ["h264"] : ["h264", "aac"]), "\(name)")
      let bytes = try readBytes(path)
      let index = Int(bytes[3]) + 4
      #expect(Array(bytes[index..<index + 4]) == Array("moov".utf8), "the index stands first")
      // x264 writes its version and its options, and FFmpeg the names of handlers.
      for word in ["Planted", "x264", "Lavf", "Lavc", "Handler"] {
        #expect(try Tool.run("grep", ["-ac", word, path]).status == 1, "\(name): \(word)")
      }
      let inspected = try scene.command("inspect", path)
      #expect(inspected.output.contains("no metadata."), "\(inspected.output)")
      let tags = try Independent.exif(path)
      for tag in ["Encoder", "Title", "HandlerDescription", "HandlerVendorID", "Comment"] {
        #expect(!tags.keys.contains { $0.hasSuffix(":" + tag) }, "\(name): \(tags)")
      }
    }
  }

  @Test("A second call converts nothing, another height everything, and a bag has the new films")
  func incremental() throws {
    let scene = try scene()
    let bag = ["--bag", "--convert-video"]
    try export(scene, "out", bag + ["h264"]).expect(0)
    #expect(try export(scene, "out", bag + ["h264"]).json()["isCurrent"].bool == true)
    try scene.put("sources/library/new.jpg", try Media.photo("new"))
    try scene.run().expect(0)
    for (height, added) in [("1080", 1), ("144", 3)] {
      let result = try export(scene, "out", bag + ["h264:" + height]).json()
      #expect(result["filesAdded"].int == added && result["filesKept"].int == 6 - added, "\(result)")
      let checked = try Tool.run(
        "sha256sum",
        ["--quiet", "--check", "manifest-sha256.txt"],
        in: scene.at("out")
      )
      #expect(checked.status == 0, "\(checked.output)")
    }
    for word in ["vp9", "h264:143", "h264:2161", "h264:", "h264:9:9"] {
      let refused = try export(scene, "no", ["--convert-video", word])
      #expect(refused.code == 64, "\(word)")
      #expect(refused.error.contains("a height from 144 to 2160."), "\(refused.error)")
    }
    for option in [["--sidecars", "xmp"], ["--embed", "date"]] {
      #expect(try export(scene, "no", ["--convert-video", "h264"] + option).code == 64)
    }
  }

  @Test("A film of which nothing decodes is there as it is, is named, and the command ends with 3")
  func damaged() throws {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([])
    try scene.declare("library")
    let path = scene.at("sources/library/broken.mov")
    try Self.make(path, Self.picture + ["-c:v", "prores_ks", "-movflags", "faststart"])
    var bytes = try readBytes(path)
    let data = try #require(bytes.firstRange(of: Array("mdat".utf8))).upperBound
    for index in data..<bytes.count { bytes[index] = 0 }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try scene.run().expect(0)
    let outcome = try export(scene, "out", ["--convert-video", "h264"])
    #expect(outcome.code == 3)
    let named = try outcome.json()["notConverted"].array
    #expect(named.count == 1 && named.first?["path"].string == "broken.mov", "\(outcome.output)")
    #expect(named.first?["detail"].string?.hasPrefix("damaged") == true, "\(outcome.output)")
    #expect(try scene.madeFiles("out")["broken.mov"] == Independent.sha256(path))
  }

  @Test("A film that has a track of text alone is there as it is, and no worker ends")
  func text() throws {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([])
    try scene.declare("library")
    let text = try scene.put("text.srt", "1\n00:00:00,000 --> 00:00:01,000\nHello\n")
    let path = scene.at("sources/library/text.mp4")
    try Self.make(path, ["-i", text, "-c:s", "mov_text"])
    try scene.run().expect(0)
    let outcome = try export(scene, "out", ["--convert-video", "h264"])
    try outcome.expect(0)
    #expect(try outcome.json()["notConverted"].array.isEmpty, "\(outcome.output)")
    #expect(try scene.madeFiles("out") == ["text.mp4": Independent.sha256(path)])
  }

  @Test("A gallery has converted films to play, and those that browsers play as they are")
  func gallery() throws {
    let scene = try scene()
    func gallery(_ arguments: [String]) throws -> Outcome {
      try scene.command(["gallery", "Library", "site", "--format", "json"] + arguments)
    }
    #expect(try gallery(["--convert-video", "h264"]).code == 64)
    let outcome = try gallery(["--originals", "--convert-video", "h264"])
    try outcome.expect(0)
    #expect(try outcome.json()["notConverted"].array.isEmpty)
    let originals = try scene.madePaths("site").filter { $0.hasPrefix("originals/") }
    let films = originals.filter { !$0.hasSuffix(".jpg") }
    #expect(films.count(where: { $0.hasSuffix(".mp4") }) == 3 && films.count == 4, "\(originals)")
    for film in films { #expect(try codecs(scene.at("site/" + film)).first == "h264", "\(film)") }
    // Each film of a page is there.
    let pages = try Tool.run("sh", ["-c", "cat \"$0\"/*.html \"$0\"/*/*.html", scene.at("site")])
    for film in originals { #expect(pages.output.contains(film), "\(film)") }
  }

  @Test(
    "A terminal shows the film that is converted, and nothing else does",
    .enabled(if: Tool.exists("script"), "no script(1)"),
    arguments: ["export", "gallery"]
  )
  func progress(command: String) throws {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([])
    scene.manifest["labels"] = ["template": "{originalName}"]
    try scene.declare("library")
    try Self.make(scene.at("sources/library/harbour.avi"), Self.films[0].coding)
    try scene.run().expect(0)
    let options =
      ["--convert-video", "h264"] + (command == "gallery" ? ["--originals"] : [])
    // script(1) gives the program a terminal.
    let words = ["'\(try Scene.executable())'", command, "Library", "shown"] + options
    let shown = try Tool.run(
      "script",
      ["-qec", words.joined(separator: " "), "/dev/null"],
      environment: Scene.environment(in: scene.path).merging(["TERM": "xterm"]) { $1 },
      in: scene.path
    )
    #expect(shown.status == 0 && shown.output.contains("Converting harbour  0%"), "\(shown.output)")
    let silent = try scene.command([command, "Library", "silent"] + options)
    try silent.expect(0)
    #expect(!silent.streams.contains("Converting"), "\(silent.streams)")
  }

  @Test(
    "A film whose microphone was refused has no sound, converted too",
    .enabled(if: Has.sqlite, "no sqlite3")
  )
  func muted() throws {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([])
    try scene.declare("camera", "authorized", ["capture": ["mode": "photoAndVideo"]])
    try scene.declare("microphone", "denied")
    scene.manifest["onMicrophoneRefused"] = "mute"
    try Self.make(scene.at("sources/camera/muted.mp4"), Self.films[1].coding)
    try scene.run().expect(0)
    try export(scene, "out", ["--convert-video", "h264"]).expect(0)
    let name = try #require(try scene.madePaths("out").first)
    #expect(try codecs(scene.at("out/" + name)) == ["h264"])
  }
}
