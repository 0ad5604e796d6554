import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Videos without their sound")
struct MuteTests {
  /// A camera whose microphone is refused, with one video.
  private static func scene(_ policy: String, name: String, _ encoding: [String]) throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("camera", "authorized", ["capture": ["mode": "photoAndVideo"]])
    try scene.declare("microphone", "denied")
    scene.manifest["onMicrophoneRefused"] = "mute"
    try Independent.make(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=10:duration=2", "-f",
        "lavfi",
        "-i", "sine=frequency=440:duration=2", "-metadata", "title=canary",
      ] + encoding + [scene.at("sources/camera/" + name)]
    )
    return scene
  }

  private static func streams(_ path: String) throws -> [String] {
    try Tool.run("ffprobe", ["-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", path])
      .output.split(separator: "\n").map(String.init)
  }

  /// The checksums of the pictures as they are coded; a decoder's own settings may be other ones.
  private static func frames(_ path: String) throws -> String {
    try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-c", "copy", "-f", "framemd5", "-"])
      .output.split(separator: "\n").filter { !$0.hasPrefix("#extradata") }.joined(separator: "\n")
  }

  /// The checksums of the decoded pictures, with the times that are in the file.
  private static func pictures(_ path: String) throws -> String {
    try Tool.run("ffmpeg", ["-v", "error", "-copyts", "-i", path, "-map", "0:v", "-f", "framemd5", "-"])
      .output.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
  }

  @Test(
    "Under mute a video has no sound, its pictures and, under keep, its metadata",
    .enabled(if: Has.ffmpeg && Has.sqlite, "no ffmpeg or no sqlite3"),
    arguments: Amount.pairs(
      ["strip", "keep"],
      [
        ["-c:v", "mpeg4", "-c:a", "aac"],
        ["-c:v", "mpeg4", "-c:a", "aac", "-movflags", "faststart"],
        ["-c:v", "mpeg4", "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"],
      ]
    )
  )
  func mutes(policy: String, encoding: [String]) throws {
    let scene = try Self.scene(policy, name: "video.mp4", encoding)
    let source = scene.at("sources/camera/video.mp4")
    #expect(try Self.streams(source) == ["video", "audio"])
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1])
    let original = try #require(try scene.originals().first)
    let output = scene.at("Library/Originals/" + original.path)
    #expect(try Self.streams(output) == ["video"])
    // Strip sets the time code of each group of pictures of MPEG-4 to zero.
    if policy == "strip" {
      #expect(try Self.pictures(output) == Self.pictures(source))
    } else {
      #expect(try Self.frames(output) == Self.frames(source))
    }
    let holdsTitle =
      try Data(contentsOf: URL(fileURLWithPath: output)).range(of: Data("canary".utf8)) != nil
    #expect(holdsTitle == (policy == "keep"))
    let record = try #require(
      try scene.lastLog().first {
        $0["event"].string == "outcome" && $0["path"].string == "video.mp4"
      }
    )
    #expect(record["muted"].int == 1)
    #expect(try scene.catalogue("SELECT kind FROM tracks") == ["video"])
    try scene.run().expectCounts(["unchanged": 1])
    try scene.expectVerified()
  }

  @Test(
    "Matroska, WebM and AVI lose their sound, too",
    .enabled(if: Has.ffmpeg, "no ffmpeg"),
    arguments: Amount.pairs(
      ["strip", "keep"],
      [
        ("video.mkv", ["-c:v", "mpeg4", "-c:a", "aac"]),
        ("video.webm", ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]),
        ("video.avi", ["-c:v", "mpeg4", "-c:a", "libmp3lame"]),
      ]
    )
  )
  func mutesOtherContainers(
    policy: String,
    file: (name: String, encoding: [String])
  ) throws {
    let scene = try Self.scene(policy, name: file.name, file.encoding)
    let source = scene.at("sources/camera/" + file.name)
    try scene.run().expectCounts(["imported": 1])
    let output = scene.at("Library/Originals/" + (try #require(try scene.originals().first).path))
    #expect(try Self.streams(output) == ["video"])
    #expect(try Self.pictures(output) == Self.pictures(source))
    let holdsTitle =
      try Data(contentsOf: URL(fileURLWithPath: output)).range(of: Data("canary".utf8)) != nil
    #expect(holdsTitle == (policy == "keep"))
    try scene.expectVerified()
  }

  @Test(
    "A video whose sound cannot be taken out is refused, and not a byte of it is in the library",
    .enabled(if: Has.ffmpeg, "no ffmpeg")
  )
  func refusesOtherContainers() throws {
    let scene = try Self.scene("keep", name: "video.wmv", ["-c:v", "wmv2", "-c:a", "wmav2"])
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["refused": 1])
    #expect(try scene.originals().isEmpty)
    try scene.expectVerified()
  }

  @Test(
    "Sound that lies elsewhere in a file is not let through under keep",
    .enabled(if: Has.ffmpeg, "no ffmpeg")
  )
  func refusesHiddenSound() throws {
    let scene = try Self.scene("keep", name: "video.mp4", ["-c:v", "mpeg4", "-c:a", "aac"])
    let source = scene.at("sources/camera/video.mp4")
    let movie = try readBytes(source)
    try FileManager.default.removeItem(atPath: source)
    let picture = try readBytes(Samples.photo(1))
    try scene.put("sources/camera/twice.mp4", movie + movie)
    try scene.put("sources/camera/within.mp4", movie + isoBox("free", movie))
    try scene.put("sources/camera/motion.jpg", picture + movie)
    try scene.put("sources/camera/plain.jpg", picture)
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["refused": 3, "imported": 1])
    try scene.expectVerified()
  }
}
