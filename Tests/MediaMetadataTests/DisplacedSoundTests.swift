import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Sound that begins behind other bytes")
struct DisplacedSoundTests {
  private static let text = Array("not a frame, and no tag".utf8)
  private static let tag = TinyMP3.id3(4, [("TIT2", [3, 0x41])])
  private static let encoders = [(name: "mp3", encoder: "libmp3lame"), ("aac", "aac")]
  /// Bytes that stand before the first frame, with a tag before them or without.
  static let before: [[UInt8]] = {
    let zeros = [UInt8](repeating: 0, count: 700)
    let long = [UInt8](repeating: 0x2E, count: 60_000)
    let junk = [text, zeros + text, text + zeros, [0xFF, 0xFB] + text, [0xFF, 0xF1, 0x50], long]
    return junk + junk.map { tag + $0 }
  }()

  @Test("Frames behind text, zeros or both are an MP3 or AAC", arguments: before)
  func isFound(before: [UInt8]) throws {
    for (frame, expected) in [(TinyMP3.frame, MediaFormat.mp3), (TinyAAC.frame(), .aac)] {
      let frames = frame + frame + frame
      #expect(format(of: before + frames) == expected)
      #expect(format(of: before + frames + frame.prefix(20)) == expected)
      #expect(format(of: before + frames + TinyMP3.id3v1(Self.text)) == expected)
      // Two frames are enough behind a tag, if nothing but tags follows.
      let few = before.starts(with: Self.tag) ? expected : nil
      #expect(format(of: before + frame + frame) == few)
      #expect(format(of: before + frame + frame + TinyMP3.id3v1(Self.text)) == few)
      #expect(format(of: before + frame + frame + Self.text) == nil)
      if few != nil {
        #expect(try facts(of: before + frame + frame) == facts(of: frame + frame))
        #expect(try strip(before + frame + frame, expected).output == frame + frame)
      }
      #expect(try facts(of: before + frames) == facts(of: frames))
      #expect(try strip(before + frames, expected).output == frames)
    }
  }

  @Test("A document or an archive in which frames lie is neither")
  func enclosed() {
    for frame in [TinyMP3.frame, TinyAAC.frame()] {
      let frames = frame + frame + frame
      let archive = Self.text + frames
      #expect(format(of: archive + [UInt8](repeating: 0, count: 1024)) == nil)
      #expect(format(of: archive + Self.text + frames) == nil)
      #expect(format(of: archive + Self.text) == nil)
      #expect(format(of: [UInt8](repeating: 0x2E, count: 1 << 16) + frames) == nil)
    }
  }

  @Test(
    "ffmpeg decodes the same samples of the stripped file",
    .enabled(if: Tool.exists("ffmpeg"), "no ffmpeg"),
    arguments: encoders,
    [[], tag]
  )
  func samples(sound: (name: String, encoder: String), tag: [UInt8]) throws {
    let folder = TemporaryFolder()
    let path = { (name: String) in "\(folder.path)/\(name).\(sound.name)" }
    let make = ["-v", "error", "-f", "lavfi", "-i", "sine=d=0.4", "-c:a", sound.encoder]
    let bare = ["-id3v2_version", "0", path("plain")]
    let arguments = make + (sound.name == "mp3" ? bare : [path("plain")])
    #expect(try Tool.run("ffmpeg", arguments).status == 0)
    let source = tag + [0, 0] + Self.text + (try readBytes(path("plain")))
    let sniffed = try #require(format(of: source))
    #expect(sniffed.rawValue == sound.name)
    let output = try strip(source, sniffed).output
    #expect(!output.contains("no tag"))
    try Data(source).write(to: URL(fileURLWithPath: path("before")))
    try Data(output).write(to: URL(fileURLWithPath: path("after")))
    let decoded = try ["before", "after"].map { name in
      try Tool.run("ffmpeg", ["-v", "quiet", "-i", path(name), "-f", "hash", "-"]).output
    }
    #expect(decoded[0].hasPrefix("SHA256=") && decoded[0] == decoded[1])
  }
}
