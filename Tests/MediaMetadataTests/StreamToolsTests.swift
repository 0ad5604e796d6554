import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Films that ffmpeg made, stripped, and looked at by programs that did not strip them.
@Suite(
  "Films of other programs in Matroska, WebM and AVI",
  .enabled(if: ["ffmpeg", "ffprobe", "exiftool"].allSatisfy(Tool.exists), "no ffmpeg or no exiftool")
)
struct StreamToolsTests {
  static let cases: [EncodedCase] = [
    ("avc.mkv", "-c:v libx264 -g 12 -c:a aac", MediaFormat.mkv),
    ("hevc.mkv", "-c:v libx265 -x265-params log-level=none:keyint=12 -c:a flac", .mkv),
    ("mpeg4.mkv", "-c:v mpeg4 -g 12 -c:a libmp3lame", .mkv),
    ("jpeg.mkv", "-c:v mjpeg -c:a pcm_s16le", .mkv),
    ("front.mkv", "-c:v libx264 -g 12 -c:a ac3 -cues_to_front 1 -reserve_index_space 2000", .mkv),
    ("vp8.webm", "-c:v libvpx -g 12 -b:v 300k -c:a libvorbis", .webm),
    ("vp9.webm", "-c:v libvpx-vp9 -g 12 -b:v 300k -cpu-used 8 -c:a libopus", .webm),
    (
      "live.webm", "-c:v libvpx -g 12 -b:v 300k -c:a libopus -live 1 -cluster_time_limit 500", .webm
    ),
    ("xvid.avi", "-c:v mpeg4 -vtag XVID -g 12 -c:a libmp3lame", .avi),
    ("jpeg.avi", "-c:v mjpeg -c:a pcm_s16le", .avi),
    ("raw.avi", "-c:v rawvideo -pix_fmt bgr24 -c:a ac3", .avi),
  ].map { EncodedCase($0, $1, $2) }

  /// Each codec and layout once; all for all.
  private static let tried: [EncodedCase] = {
    let few = [
      "avc.mkv", "hevc.mkv", "front.mkv", "vp9.webm", "live.webm", "xvid.avi", "jpeg.avi",
      "raw.avi",
    ]
    return Amount.isAll ? cases : cases.filter { few.contains($0.description) }
  }()

  private static let sources = TemporaryFolder.untilExit()

  /// Two seconds of a moving picture and a tone, with a text in each tag that the muxer has.
  static func make(_ wanted: EncodedCase) throws -> String {
    let path = "\(sources.path)/\(wanted.description)"
    if FileManager.default.fileExists(atPath: path) { return path }
    let subtitles = "\(sources.path)/said.srt"
    try "1\n00:00:00,000 --> 00:00:01,000\nCaNaRySubtitle\n".write(
      toFile: subtitles,
      atomically: true,
      encoding: .utf8
    )
    var arguments = [
      "-v", "error", "-f", "lavfi", "-i", "testsrc=size=96x64:rate=25:duration=2", "-f", "lavfi",
      "-i", "sine=frequency=440:duration=2:sample_rate=48000",
    ]
    if wanted.format == .mkv {
      arguments += [
        "-i", subtitles, "-map", "0:v", "-map", "1:a", "-map", "2:s", "-attach", subtitles,
      ]
      arguments += ["-metadata:s:t", "mimetype=text/plain"]
    }
    for key in ["title", "artist", "copyright", "comment", "location", "encoder", "date"] {
      arguments += ["-metadata", "\(key)=CaNaRy\(key)"]
    }
    arguments += ["-metadata", "creation_time=2026-11-22T01:44:39Z"]
    arguments += ["-metadata:s:v", "title=CaNaRyTrack", "-metadata:s:a", "language=deu"]
    // Tests run at the same time: a file appears when it is whole.
    let part = "\(sources.path)/\(UUID().uuidString)-\(wanted.description)"
    let result = try Tool.run("ffmpeg", arguments + ["-ac", "2"] + wanted.arguments + [part])
    try #require(result.status == 0, "\(result.error.prefix(300))")
    rename(part, path)
    return path
  }

  /// The checksum of each decoded picture and piece of sound of two files, by one run of ffmpeg;
  /// what it complains of.
  static func frames(
    _ paths: [String],
    from start: String? = nil
  ) throws -> (frames: [[Substring]], error: String) {
    let folder = TemporaryFolder()
    var arguments = ["-v", "error"]
    for path in paths { arguments += (start.map { ["-ss", $0] } ?? []) + ["-i", path] }
    for index in paths.indices {
      arguments += ["-map", "\(index):v:0", "-map", "\(index):a"]
      if start != nil { arguments += ["-t", "0.4"] }
      arguments += ["-f", "framemd5", "\(folder.path)/\(index)"]
    }
    let result = try Tool.run("ffmpeg", arguments)
    let frames = try paths.indices.map { index in
      try String(contentsOfFile: "\(folder.path)/\(index)", encoding: .utf8).split(separator: "\n")
        .filter { !$0.hasPrefix("#") }
    }
    return (frames, result.error)
  }

  @Test("Each frame and its time are the same, also where a player seeks", arguments: tried)
  func frames(wanted: EncodedCase) throws {
    let folder = TemporaryFolder()
    let path = try Self.make(wanted)
    let bytes = try readBytes(path)
    #expect(format(of: bytes) == wanted.format)
    let (output, _) = try strip(bytes, wanted.format)
    let clean = "\(folder.path)/clean-\(wanted.description)"
    try Data(output).write(to: URL(fileURLWithPath: clean))
    let (frames, error) = try Self.frames([path, clean])
    #expect(frames[0].count > 50)
    #expect(frames[0] == frames[1])
    #expect(error.isEmpty)
    let sought = try Self.frames([path, clean], from: "1.2").frames
    #expect(sought[0].count > 10)
    #expect(sought[0] == sought[1])
  }

  @Test("No text is left that another program shows", arguments: tried)
  func texts(wanted: EncodedCase) throws {
    let folder = TemporaryFolder()
    let path = try Self.make(wanted)
    let bytes = try readBytes(path)
    let (output, _) = try strip(bytes, wanted.format)
    let clean = "\(folder.path)/clean-\(wanted.description)"
    try Data(output).write(to: URL(fileURLWithPath: clean))
    for word in ["CaNaRy", "Lavf", "Lavc", "x264 - core", "x265 (build"] {
      #expect(Data(output).range(of: Data(word.utf8)) == nil, "\(word)")
    }
    let tags = try Tool.run(
      "ffprobe",
      ["-v", "warning", "-show_entries", "format_tags:stream_tags:chapter_tags", clean]
    )
    // The names of programs are mandatory, and empty.
    let lines = tags.output.split(separator: "\n").filter { $0.hasPrefix("TAG:") }
    #expect(lines.allSatisfy { $0 == "TAG:encoder=" }, "\(tags.output)")
    // It takes a quarter of a second to start.
    let isShown = ["avc.mkv", "vp9.webm", "xvid.avi"].contains(wanted.description)
    let seen =
      isShown ? try Tool.run("exiftool", ["-ee", "-U", "-G1", "-s", "-a", clean]).output : ""
    for word in ["CaNaRy", "2026:11:22 01", "German", "Error"] {
      #expect(!seen.contains(word), "\(word): \(seen)")
    }
    // exiftool 13 warns of what ffmpeg has made.
    let before =
      isShown ? try Tool.run("exiftool", ["-ee", "-U", "-G1", "-s", "-a", path]).output : ""
    for line in seen.split(separator: "\n") where line.contains("Warning") {
      #expect(before.contains(line), "\(line)")
    }
    let entries = try withSource(output) {
      try MetadataInspector.entries(of: $0, format: wanted.format)
    }
    #expect(entries.allSatisfy { !$0.isRemoved })
  }

  @Test("What except keeps is what ffprobe and exiftool read")
  func kept() throws {
    let folder = TemporaryFolder()
    let options = StripOptions(except: [.caption, .copyright, .creationDate])
    for name in ["avc.mkv", "jpeg.avi"] {
      let wanted = try #require(Self.cases.first { $0.description == name })
      let output = try strip(try readBytes(Self.make(wanted)), wanted.format, options).output
      let clean = "\(folder.path)/kept-\(name)"
      try Data(output).write(to: URL(fileURLWithPath: clean))
      let tags = try Tool.run("ffprobe", ["-v", "error", "-show_entries", "format_tags", clean])
      let seen = try Tool.run("exiftool", ["-G1", "-s", "-a", clean]).output
      for word in ["CaNaRytitle", "CaNaRycopyright", "CaNaRyartist", "CaNaRycomment"] {
        #expect(tags.output.contains(word), "\(name): \(word)")
        #expect(seen.contains(word), "\(name): \(word)")
      }
      #expect(!tags.output.contains("CaNaRylocation"))
    }
  }

  @Test(
    "Real films keep their frames",
    .enabled(if: Corpus.folder != nil, "no corpus"),
    arguments: [
      "big-buck-bunny_trailer-short.vp8.webm", "no-tags.webm", "optimized.mkv",
      "tags-before-cues.mkv", "100_0306.AVI",
    ]
  )
  func corpus(name: String) throws {
    let folder = TemporaryFolder()
    let path = try #require(Corpus.file("second/formats2/" + name))
    let bytes = try readBytes(path)
    let sniffed = try #require(format(of: bytes))
    let output = try strip(bytes, sniffed).output
    let clean = "\(folder.path)/clean.\(sniffed.fileExtension)"
    try Data(output).write(to: URL(fileURLWithPath: clean))
    // The second has the pictures and the sound.
    for streams in Amount.isAll ? ["0:v:0", "0:a:0?"] : ["0:a:0?"] {
      let arguments = { (path: String) in
        ["-v", "error", "-i", path, "-map", "0:v:0", "-map", streams, "-f", "framemd5", "-"]
      }
      #expect(
        try Tool.run("ffmpeg", arguments(clean)).output
          == Tool.run("ffmpeg", arguments(path)).output
      )
    }
    #expect(try strip(output, sniffed).output == output)
  }
}
