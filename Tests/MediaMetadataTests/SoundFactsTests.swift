import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Films in containers other than ISO media.
@Suite(
  "What other containers say",
  .serialized,
  .enabled(if: Tool.exists("ffmpeg") && Tool.exists("ffprobe"), "no ffmpeg or no ffprobe")
)
struct SoundFactsTests {
  static let cases: [(name: String, arguments: String, format: MediaFormat)] = [
    ("a.mkv", "-c:v mpeg4 -c:a flac", .mkv),
    ("a.webm", "-c:v libvpx -b:v 200k -c:a libopus", .webm),
    ("a.avi", "-c:v mpeg4 -c:a pcm_s16le", .avi), ("a.wmv", "-c:v wmv2 -c:a wmav2", .wmv),
  ]

  static func make(_ name: String, _ arguments: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/" + name
    var all = ["-v", "error", "-f", "lavfi", "-i", "testsrc=d=2:s=96x64:r=25"]
    all += ["-f", "lavfi", "-i", "sine=d=2:r=48000", "-ac", "2"]
    all += ["-metadata", "creation_time=2026-11-21T01:44:39Z"]
    let result = try Tool.run("ffmpeg", all + arguments.split(separator: " ").map { String($0) } + [path])
    try #require(result.status == 0, "\(result.error.prefix(300))")
    return path
  }

  @Test(
    "Length, size and tracks are what ffprobe says; a file cut or changed anywhere ends",
    arguments: cases
  )
  func facts(name: String, arguments: String, format: MediaFormat) throws {
    let folder = TemporaryFolder()
    let path = try Self.make(name, arguments, in: folder)
    let bytes = try readBytes(path)
    let refusal = code { _ = try strip(bytes, format) }
    #expect(refusal == (format == .wmv ? .stripUnsupported : nil))
    let far = stride(from: 600, to: min(bytes.count, 20_000), by: 970)
    for length in Array(stride(from: 0, to: 600, by: 12)) + Array(far) {
      HostileInputTests.useAll(Array(bytes[..<length]))
      var changed = bytes
      if length < changed.count { changed[length] = length % 2 == 0 ? 0xFF : 0 }
      HostileInputTests.useAll(changed)
    }
    let facts = try MediaMetadataTests.facts(of: bytes)
    #expect(facts.format == format)
    #expect(facts.pixelSize == PixelSize(width: 96, height: 64))
    let probe = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]
    let seconds = try #require(Double(try Tool.run("ffprobe", probe).output.filter { $0 != "\n" }))
    let milliseconds = Double(try #require(facts.durationMilliseconds))
    #expect(abs(milliseconds / 1000 - seconds) < 0.06)
    #expect(facts.tracks.map(\.kind) == [.video, .audio])
    let audio = try #require(facts.tracks.last)
    #expect(audio.channelCount == 2 && audio.sampleRate == 48_000)
    // An ASF does not say how many pictures a second it has.
    #expect(facts.tracks.first?.frameRateMilli == (format == .wmv ? nil : 25_000))
  }

  /// Sound alone in a container of films: file, FFmpeg's arguments, its format, that of a film.
  static let alone: [(name: String, arguments: String, format: MediaFormat, film: MediaFormat)] = [
    ("a.mp4", "-c:a aac -brand isom", .m4a, .mp4), ("b.mp4", "-c:a alac -brand mp42", .m4a, .mp4),
    ("c.mp4", "-c:a aac -movflags frag_keyframe+empty_moov", .m4a, .mp4),
    ("d.3gp", "-c:a aac", .threeGA, .threeGP), ("e.mka", "-c:a flac", .mka, .mkv),
    ("f.webm", "-c:a libopus", .weba, .webm),
    ("g.webm", "-c:a libvorbis -live 1 -cluster_time_limit 500", .weba, .webm),
  ]

  @Test("Sound alone in a container of films is sound, before strip and after", arguments: alone)
  func soundAlone(name: String, arguments: String, format: MediaFormat, film: MediaFormat) throws {
    let folder = TemporaryFolder()
    let path = try Self.make(name, "-vn " + arguments, in: folder)
    let bytes = try readBytes(path)
    let facts = try MediaMetadataTests.facts(of: bytes)
    #expect(facts.format == format && format.mediaType == .audio)
    #expect(facts.tracks.map(\.kind) == [.audio])
    let output = try strip(bytes, format).output
    #expect(MediaMetadataTests.format(of: output) == format)
    let stripped = folder.path + "/stripped"
    try Data(output).write(to: URL(fileURLWithPath: stripped))
    let decoded = try [path, stripped].map { file in
      try Tool.run("ffmpeg", ["-v", "error", "-i", file, "-f", "hash", "-"]).output
    }
    #expect(decoded[0].hasPrefix("SHA256=") && decoded[0] == decoded[1])
    // One picture makes it a film.
    let video = film == .webm ? " -c:v libvpx -b:v 200k" : " -c:v mpeg4"
    let shown = try Self.make("film-" + name, arguments + video + " -map 0 -map 1", in: folder)
    #expect(MediaMetadataTests.format(of: try readBytes(shown)) == film)
  }

  @Test("An Ogg with video is a film of the size and tracks that ffprobe says")
  func filmInOgg() throws {
    let folder = TemporaryFolder()
    for arguments in ["-c:v libtheora -c:a libvorbis", "-an -c:v libtheora"] {
      let path = try Self.make("a\(arguments.count).ogv", arguments, in: folder)
      let bytes = try readBytes(path)
      let facts = try MediaMetadataTests.facts(of: bytes)
      #expect(facts.format == .ogv && facts.format.mediaType == .video)
      #expect(code { _ = try strip(bytes, .ogv) } == .stripUnsupported)
      let probe = ["-v", "error", "-show_entries", "stream=codec_type,width,height"]
      let shown = try Tool.run("ffprobe", probe + ["-of", "csv=p=0", path]).output
      #expect(shown.hasPrefix("video,96,64\n"))
      #expect(facts.pixelSize == PixelSize(width: 96, height: 64))
      #expect(
        facts.tracks.map(\.kind.rawValue)
          == (shown.hasSuffix("audio\n") ? ["video", "audio"] : ["video"])
      )
    }
  }

  @Test("A sound in an ASF is known, and not stripped")
  func soundInASF() throws {
    let folder = TemporaryFolder()
    let path = try Self.make("a.wma", "-vn -c:a wmav2", in: folder)
    let bytes = try readBytes(path)
    #expect(code { _ = try strip(bytes, .wma) } == .stripUnsupported)
    let facts = try MediaMetadataTests.facts(of: bytes)
    #expect(facts.format == .wma && facts.format.mediaType == .audio)
    #expect(facts.tracks.map(\.kind) == [.audio] && facts.tracks.first?.sampleRate == 48_000)
    #expect(abs(Double(facts.durationMilliseconds ?? 0) / 1000 - 2) < 0.06)
  }
}
