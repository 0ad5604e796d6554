import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Sounds whose first and last samples an encoder added, which players leave out.
@Suite("Sound keeps its timing")
struct SoundTimingTests {
  /// The user data in which iTunes says how many samples were added.
  static func comment(priming: Int, padding: Int, samples: Int, name: String = "iTunSMPB")
    -> [UInt8]
  {
    let hex = { (value: Int, digits: Int) in
      let text = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: digits - text.count) + text
    }
    let text =
      " 00000000 \(hex(priming, 8)) \(hex(padding, 8)) \(hex(samples, 16)) 00000000 00000000"
    let tag = isoBox(
      "----",
      isoFullBox("mean", Array("com.apple.iTunes".utf8)),
      isoFullBox("name", Array(name.utf8)),
      isoBox("data", big(1) + big(0) + Array(text.utf8))
    )
    let handler = isoFullBox("hdlr", big(0) + Array("mdirappl".utf8) + big(0) + big(0) + [0])
    return isoBox("udta", isoFullBox("meta", handler + isoBox("ilst", tag)))
  }

  /// Seven packets of 40 units of a thousandth of a second.
  private static func sound(
    _ comment: [UInt8] = comment(priming: 100, padding: 30, samples: 150)
  ) -> MovieFixture {
    var movie = TinyMovie.film
    movie.tracks = [movie.tracks[1]]
    movie.inMovie = comment
    return movie
  }

  private static func edits(of bytes: [UInt8]) -> [[UInt8]] {
    withSource(bytes) { source in
      guard let moov = ISOBoxes.first("moov", in: 0..<source.length, of: source) else { return [] }
      return ISOBoxes(source, in: moov.body).filter { $0.type == "trak" }.compactMap { trak in
        ISOBoxes.body(at: ["edts", "elst"], in: trak.body, of: source)
          .flatMap { source.bytes(in: $0, limit: 1000) }
      }
    }
  }

  private static func edit(_ start: Int, _ duration: Int) -> [UInt8] {
    big(0) + big(1) + big(duration) + big(start) + [0, 1, 0, 0]
  }

  @Test("The numbers of the comment become an edit list, which stays")
  func edited() throws {
    let output = try stripMovie(Self.sound().bytes).output
    #expect(!output.contains("SMPB"))
    #expect(Self.edits(of: output) == [Self.edit(100, 150)])
    #expect(try facts(of: output).durationMilliseconds == 150)
    #expect(try stripMovie(output).output == output)
    let samples = read(output).samples[2]
    #expect(samples == read(Self.sound().bytes).samples[2])
  }

  @Test("An edit list that leaves nothing out is replaced, any other stays")
  func own() throws {
    var whole = Self.sound()
    whole.tracks[0].inTrak = isoBox("edts", isoBox("elst", Self.edit(0, 280)))
    #expect(Self.edits(of: try stripMovie(whole.bytes).output) == [Self.edit(100, 150)])
    whole.tracks[0].inTrak = isoBox("edts", isoBox("elst", Self.edit(64, 200)))
    #expect(Self.edits(of: try stripMovie(whole.bytes).output) == [Self.edit(64, 200)])
  }

  @Test("Beside pictures, in fragments and without sense the comment changes nothing")
  func others() throws {
    var film = TinyMovie.film
    film.inMovie = Self.comment(priming: 100, padding: 30, samples: 150)
    #expect(Self.edits(of: try stripMovie(film.bytes).output).isEmpty)
    for comment in [
      Self.comment(priming: 0, padding: 30, samples: 150),
      Self.comment(priming: 280, padding: 0, samples: 150),
      Self.comment(priming: 20_000, padding: 0, samples: 150),
      Self.comment(priming: 100, padding: 30, samples: 0),
      Self.comment(priming: 100, padding: 30, samples: 150, name: "iTunNORM"),
    ] {
      #expect(Self.edits(of: try stripMovie(Self.sound(comment).bytes).output).isEmpty)
    }
    // Numbers of twice the rate, and a sound that says more than there is.
    let double = Self.comment(priming: 200, padding: 60, samples: 300)
    #expect(Self.edits(of: try stripMovie(Self.sound(double).bytes).output) == [Self.edit(100, 150)])
    let long = Self.comment(priming: 100, padding: 30, samples: 5000)
    #expect(Self.edits(of: try stripMovie(Self.sound(long).bytes).output) == [Self.edit(100, 180)])
  }

  @Test(
    "ffmpeg decodes the same samples before and after",
    .enabled(if: Tool.exists("ffmpeg") && Tool.exists("ffprobe"), "no ffmpeg or no ffprobe")
  )
  func decoded() throws {
    let folder = TemporaryFolder()
    let path = { (name: String) in folder.path + "/" + name }
    let make = [
      "-v", "error", "-f", "lavfi", "-i", "sine=d=0.8:r=44100", "-c:a", "aac", "-use_editlist", "0",
      path("plain.m4a"),
    ]
    #expect(try Tool.run("ffmpeg", make).status == 0)
    var bytes = try readBytes(path("plain.m4a"))
    let moov = try #require(
      withSource(bytes) { source in
        ISOBoxes.first("moov", in: 0..<source.length, of: source)?.range
      }
    )
    // The movie's header is the last box, so that nothing moves.
    #expect(moov.upperBound == bytes.count)
    let packets = 36
    let comment = Self.comment(priming: 2112, padding: 752, samples: 34_000)
    bytes += comment
    bytes.replaceSubrange(moov.lowerBound..<(moov.lowerBound + 4), with: big(moov.count + comment.count))
    // A second set of user data is not read, so the first one gets another name.
    if let offset = bytes.indices.first(where: { bytes[$0...].starts(with: Array("udta".utf8)) }),
      offset < moov.upperBound
    {
      bytes.replaceSubrange(offset..<(offset + 4), with: Array("free".utf8))
    }
    let output = try stripMovie(bytes).output
    try Data(bytes).write(to: URL(fileURLWithPath: path("before.m4a")))
    try Data(output).write(to: URL(fileURLWithPath: path("after.m4a")))
    let samples = try ["plain", "before", "after"].map { name in
      let raw = path(name + ".raw")
      let decode = ["-v", "error", "-i", path(name + ".m4a"), "-f", "s16le", raw]
      #expect(try Tool.run("ffmpeg", decode).status == 0)
      return try readBytes(raw)
    }
    #expect(samples[0].count == packets * 1024 * 2)
    #expect(samples[1].count == (packets * 1024 - 2112) * 2)
    #expect(samples[2] == samples[1])
    let probe = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0"]
    let duration = try Tool.run("ffprobe", probe + [path("after.m4a")]).output.filter { $0 != "\n" }
    #expect(abs((Double(duration) ?? 0) - 34_000 / 44_100) < 0.0001)
  }

  @Test(
    "Every sound of the corpus decodes to the same samples",
    .enabled(if: Tool.exists("ffmpeg"), "no ffmpeg"),
    .enabled(if: Corpus.folder != nil, "no corpus")
  )
  func corpus() throws {
    let folder = TemporaryFolder()
    var compared = 0
    let files = ["visible/audio", "second/formats2"].flatMap { Corpus.files(beneath: $0) }
    for path in files {
      let bytes = try readBytes(path)
      guard let format = format(of: bytes), format.mediaType == .audio, format != .wma else {
        continue
      }
      let output = "\(folder.path)/\(compared)"
      try Data(try strip(bytes, format).output).write(to: URL(fileURLWithPath: output))
      let decoded = try Tool.run(
        "ffmpeg",
        ["-v", "quiet", "-i", path, "-i", output, "-map", "0:a", "-f", "hash", "-"]
          + ["-map", "1:a", "-f", "hash", "-"]
      ).output.split(separator: "\n")
      #expect(decoded.count == 2 && decoded.first == decoded.last, "\(path)")
      compared += 1
    }
    #expect(compared >= 14)
  }
}
