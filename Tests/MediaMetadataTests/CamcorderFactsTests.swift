import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Films of cameras before 2008: MPEG program streams, DV and Flash Video.
@Suite(
  "What films of older cameras say",
  .serialized,
  .enabled(if: Tool.exists("ffmpeg") && Tool.exists("ffprobe"), "no ffmpeg or no ffprobe")
)
struct CamcorderFactsTests {
  struct Case: Sendable {
    var name: String
    var arguments: String
    var format: MediaFormat
    var video: String
    var size: (width: Int, height: Int) = (160, 120)
  }

  static let cases = [
    Case(name: "a.mpg", arguments: "-c:v mpeg1video -c:a mp2 -f mpeg", format: .mpg, video: "mpeg1video"),
    Case(name: "a.mod", arguments: "-c:v mpeg2video -c:a mp2 -f dvd", format: .mpg, video: "mpeg2video"),
    Case(name: "a.vob", arguments: "-c:v mpeg2video -c:a ac3 -f vob", format: .mpg, video: "mpeg2video"),
    Case(name: "a.m2v", arguments: "-an -c:v mpeg2video -f mpeg2video", format: .m2v, video: "mpeg2video"),
    Case(name: "a.m1v", arguments: "-an -c:v mpeg1video -f mpeg1video", format: .m2v, video: "mpeg1video"),
    Case(name: "a.dv", arguments: "-target pal-dv", format: .dv, video: "dvvideo", size: (720, 576)),
    Case(name: "b.dv", arguments: "-target ntsc-dv", format: .dv, video: "dvvideo", size: (720, 480)),
    Case(name: "c.dv", arguments: "-target pal-dv50", format: .dv, video: "dvvideo", size: (720, 576)),
    Case(name: "a.flv", arguments: "-c:v flv1 -ar 44100", format: .flv, video: "flv1"),
    Case(name: "b.flv", arguments: "-c:v libx264 -c:a aac", format: .flv, video: "h264"),
  ]

  /// Two seconds of pictures and sound.
  static func make(_ name: String, _ arguments: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/" + name
    var all = ["-v", "error", "-f", "lavfi", "-i", "testsrc=d=2:s=160x120:r=25"]
    all += ["-f", "lavfi", "-i", "sine=d=2:r=48000", "-ac", "2"]
    all += ["-metadata", "creation_time=2004-05-06T07:08:09Z"]
    let result = try Tool.run("ffmpeg", all + arguments.split(separator: " ").map { String($0) } + [path])
    try #require(result.status == 0, "\(result.error.prefix(300))")
    return path
  }

  @Test(
    "Format, size, tracks and duration are what ffprobe says; strip refuses all but DV",
    arguments: cases.indices
  )
  func facts(index: Int) throws {
    let example = Self.cases[index]
    let folder = TemporaryFolder()
    let path = try Self.make(example.name, example.arguments, in: folder)
    let bytes = try readBytes(path)
    #expect(format(of: bytes) == example.format)
    let facts = try MediaMetadataTests.facts(of: bytes)
    #expect(facts.pixelSize == PixelSize(width: example.size.width, height: example.size.height))
    let film = try #require(facts.tracks.first { $0.kind == .video })
    #expect(film.codec == example.video)
    #expect(film.frameRateMilli == (example.name == "b.dv" ? 29_970 : 25_000))
    #expect(facts.tracks.contains { $0.kind == .audio } == (example.format != .m2v))
    let milliseconds = try #require(facts.durationMilliseconds)
    #expect((1900...2150).contains(milliseconds), "\(milliseconds)")
    // Of video alone ffprobe guesses the duration by the rate of bits.
    if example.format != .m2v {
      let probe = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]
      let seconds = try #require(Double(try Tool.run("ffprobe", probe).output.filter { $0 != "\n" }))
      #expect(abs(Double(milliseconds) / 1000 - seconds) < 0.1)
    }
    #expect(
      code { _ = try strip(bytes, example.format) } == (example.format == .dv ? nil : .stripUnsupported)
    )
    #expect(
      code { _ = try withSource(bytes) { try Stripper.muteList(of: $0, format: example.format) } } != nil
    )
  }

  @Test(
    "A file cut or changed anywhere ends, and its first bytes alone are no film",
    arguments: cases.indices
  )
  func damage(index: Int) throws {
    let example = Self.cases[index]
    let folder = TemporaryFolder()
    let bytes = try readBytes(try Self.make(example.name, example.arguments, in: folder))
    for length in [3, 4, 5, 8, 9, 12] {
      #expect(format(of: Array(bytes[..<length])) == nil, "\(length) bytes")
    }
    let start = Array(bytes[..<4])
    #expect(format(of: start + [UInt8](repeating: 0xFF, count: 200_000)) == nil)
    #expect(format(of: start + [UInt8](repeating: 0, count: 200_000)) == nil)
    let head = Array(bytes.prefix(150_000))
    for length in Array(stride(from: 0, to: 600, by: 7)) + Array(stride(from: 600, to: head.count, by: 9973))
    {
      HostileInputTests.useAll(Array(head[..<length]))
      for value in [0, 0xFF, 0x80] as [UInt8] {
        var changed = head
        changed[length] = value
        HostileInputTests.useAll(changed)
      }
    }
  }

  @Test(
    "DV has the date that the camcorder recorded, as exiftool says it",
    .enabled(if: Tool.exists("exiftool"), "no exiftool")
  )
  func recordingDate() throws {
    let folder = TemporaryFolder()
    let path = try Self.make("a.dv", "-target pal-dv", in: folder)
    let facts = try MediaMetadataTests.facts(of: try readBytes(path))
    let said = try Tool.run("exiftool", ["-s3", "-d", "%Y-%m-%dT%H:%M:%S", "-DateTimeOriginal", path]).output
    #expect(facts.creationDate?.local == said.filter { $0 != "\n" })
    #expect(facts.creationDate?.local == "2004-05-06T07:08:09")
    #expect(facts.creationDate?.offsetMinutes == nil)
  }

  @Test(
    "A date of DV that was not recorded, or cannot be, is none; a day alone is one",
    arguments: [
      ([0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF], nil), ([0xC6, 0x05, 0x70], [0x89, 0x88, 0xC7], nil),
      ([0xC6, 0x13, 0x04], [0x89, 0x88, 0xC7], nil), ([0xC6, 0x05, 0x04], [0xFF, 0xFF, 0xFF], "2004-05-06"),
      ([0xC6, 0x05, 0x99], [0x89, 0x88, 0xC7], "1999-05-06T07:08:09"),
    ] as [([UInt8], [UInt8], String?)]
  )
  func dates(day: [UInt8], time: [UInt8], expected: String?) throws {
    let folder = TemporaryFolder()
    var bytes = try readBytes(try Self.make("a.dv", "-target pal-dv", in: folder))
    // Each of three blocks of auxiliary data has the pack.
    for pack in [3, 4, 5].flatMap({ block in (0..<15).map { 80 * block + 3 + 5 * $0 } })
    where bytes[pack] == 0x62 {
      bytes.replaceSubrange((pack + 2)..<(pack + 5), with: day)
      bytes.replaceSubrange((pack + 7)..<(pack + 10), with: time)
    }
    #expect(try MediaMetadataTests.facts(of: bytes).creationDate?.local == expected)
  }

  @Test(
    "Flash Video has the date of its script",
    arguments: [
      ("Thu May 06 07:08:09 2021", "2021-05-06T07:08:09"), ("2021-05-06T07:08:09", "2021-05-06T07:08:09"),
      ("some day", nil), ("Thu May 36 07:08:09 2021", nil),
    ] as [(String, String?)]
  )
  func scripts(text: String, expected: String?) throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/a.flv"
    let arguments = [
      "-v", "error", "-f", "lavfi", "-i", "testsrc=d=0.2:s=96x64:r=25", "-metadata", "creationdate=\(text)",
      path,
    ]
    try #require(try Tool.run("ffmpeg", arguments).status == 0)
    #expect(try MediaMetadataTests.facts(of: try readBytes(path)).creationDate?.local == expected)
  }

  @Test("What lacks its last bytes lacks the end of a frame or of a packet; a program stream states no end")
  func whole() throws {
    let folder = TemporaryFolder()
    let expected: [MediaFormat: String] = [.dv: "the end of a frame", .flv: "the end of a packet"]
    for example in Self.cases {
      let bytes = try readBytes(try Self.make(example.name, example.arguments, in: folder))
      withSource(bytes) { source in
        #expect(Completeness.missingPart(of: source, format: example.format) == nil, "\(example.name)")
      }
      withSource(Array(bytes.dropLast(10))) { source in
        let part = Completeness.missingPart(of: source, format: example.format)
        #expect(part == expected[example.format], "\(example.name)")
      }
      // What is behind the end and begins as no frame or packet is none.
      withSource(bytes + Array("a text behind the end".utf8)) { source in
        #expect(Completeness.missingPart(of: source, format: example.format) == nil, "\(example.name)")
      }
    }
  }

  @Test("Objects within objects, and arrays of any length, end")
  func nested() {
    let head = Array("FLV\u{1}\u{5}".utf8) + big(9) + big(0)
    func file(_ script: [UInt8]) -> [UInt8] {
      head + [18] + big(script.count, 3) + [UInt8](repeating: 0, count: 7) + script + big(11 + script.count)
    }
    let name = [2, 0, 10] + Array("onMetaData".utf8) + [3]
    let deep = (0..<100_000).flatMap { _ in [0, 1, 0x61, 3] as [UInt8] }
    let endless: [UInt8] = [0, 1, 0x61, 10, 0xFF, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 5, count: 1000)
    for script in [deep, endless, [0, 1, 0x61, 2, 0xFF, 0xFF], []] {
      let bytes = file(name + script)
      #expect(format(of: bytes) == .flv)
      HostileInputTests.useAll(bytes)
    }
  }
}
