import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// DV as cameras record it, with a text in each place that is neither picture nor sound, and no pack that says how both
/// are coded.
@Suite(
  "DV without what stands beside pictures and sound",
  .serialized,
  .enabled(if: Tool.exists("ffmpeg"), "no ffmpeg")
)
struct DVStripperTests {
  /// A system: its name, the bytes of a frame, and how ffmpeg makes a recording.
  struct System: Sendable, CustomStringConvertible {
    var description: String
    var frameLength: Int
    var arguments: String
    var hasSound = true
  }

  private static func high(_ name: String, _ length: Int, _ size: String, hasSound: Bool = true) -> System {
    let arguments = size + " -pix_fmt yuv422p \(hasSound ? "" : "-an ")-c:v dvvideo -f dv"
    return System(description: name, frameLength: length, arguments: arguments, hasSound: hasSound)
  }

  static let systems = [
    System(description: "pal25", frameLength: 144_000, arguments: "-target pal-dv"),
    System(description: "ntsc25", frameLength: 120_000, arguments: "-target ntsc-dv"),
    System(
      description: "pal25pro",
      frameLength: 144_000,
      arguments: "-s 720x576 -r 25 -pix_fmt yuv411p -c:v dvvideo -f dv"
    ),
    System(description: "pal50", frameLength: 288_000, arguments: "-target pal-dv50"),
    System(description: "ntsc50", frameLength: 240_000, arguments: "-target ntsc-dv50"),
    high("hd1080i50", 576_000, "-s 1440x1080 -r 25"),
    high("hd1080i60", 480_000, "-s 1280x1080 -r 30000/1001"),
    high("hd720p50", 288_000, "-s 960x720 -r 50", hasSound: false),
    high("hd720p60", 240_000, "-s 960x720 -r 60000/1001", hasSound: false),
  ]
  static let mark = Array("CNRY".utf8)
  private static let made = TemporaryFolder()

  /// A sixth of a second of pictures and sound, recorded on 6 May 2004.
  static func make(_ system: System) throws -> [UInt8] {
    let path = made.path + "/\(system).dv"
    if !FileManager.default.fileExists(atPath: path) {
      var arguments = [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=d=0.16:s=720x576:r=25", "-f", "lavfi", "-i",
      ]
      arguments += ["sine=d=0.16:r=48000", "-ac", "2", "-metadata", "creation_time=2004-05-06T07:08:09Z"]
      let result = try Tool.run(
        "ffmpeg",
        arguments + system.arguments.split(separator: " ").map(String.init) + [path]
      )
      try #require(result.status == 0, "\(result.error.prefix(300))")
    }
    return try readBytes(path)
  }

  /// Writes the mark wherever nothing reads.
  static func planted(_ recording: [UInt8], _ system: System) -> [UInt8] {
    var bytes = recording
    func put(_ range: Range<Int>) {
      for index in range { bytes[index] = mark[(index - range.lowerBound) % 4] }
    }
    func put(pack number: UInt8, at start: Int) {
      bytes[start] = number
      put((start + 1)..<(start + 5))
    }
    let sequences = system.description.contains("50") || system.description.contains("pal") ? 12 : 10
    for block in 0..<(bytes.count / 80) {
      let (start, place) = (80 * block, block % 150)
      let sequence = block % (system.frameLength / 80) / 150
      switch place {
      case 0: put((start + 8)..<(start + 80))
      case 1, 2:
        for part in 0..<6 {
          bytes[start + 3 + 8 * part] &= 0x8F
          put(pack: part < 3 ? 0x13 : 0x62, at: start + 6 + 8 * part)
        }
        put((start + 51)..<(start + 80))
      case 3, 4, 5:
        let kept = sequence % 2 == 1 ? (place == 3 ? [0, 1] : []) : place == 5 ? [9, 10] : []
        for pack in 0..<15 where !kept.contains(pack) {
          put(pack: [0x62, 0x63, 0x70, 0x55, 0x65][pack % 5], at: start + 3 + 5 * pack)
        }
        // Reserved bits of the pack that says how pictures are shown.
        if let control = kept.last { bytes[start + 5 + 5 * control] &= 0xB7 }
      case _ where (place - 6) % 16 == 0:
        let number = (place - 6) / 16
        let kept = sequence % 2 == 1 ? [0, 1] : [3, 4]
        if !kept.contains(number) { put(pack: 0x52, at: start + 3) }
        if !system.hasSound { put((start + 8)..<(start + 80)) }
      default:
        let (channel, number) = (sequence / sequences, sequence % sequences)
        let is1080 = system.description == "hd1080i50" && channel > 0 && number == 11
        let is720 = system.description == "hd720p50" && number > 9
        if is1080 || is720 { put((start + 3)..<(start + 80)) }
      }
    }
    return bytes
  }

  static func count(_ text: [UInt8], in bytes: [UInt8]) -> Int {
    let (searched, text) = (Data(bytes), Data(text))
    var (count, start) = (0, 0)
    while let match = searched.range(of: text, in: start..<searched.count) {
      (count, start) = (count + 1, match.upperBound)
    }
    return count
  }

  /// The recording in a container of another kind, with the streams that `maps` chooses.
  static func copied(_ recording: [UInt8], to container: String, maps: [String] = []) throws -> [UInt8] {
    let folder = TemporaryFolder()
    let (raw, path) = (folder.path + "/a.dv", folder.path + "/a." + container)
    try Data(recording).write(to: URL(fileURLWithPath: raw))
    let result = try Tool.run("ffmpeg", ["-v", "error", "-i", raw] + maps + ["-c", "copy", path])
    try #require(result.status == 0, "\(result.error.prefix(300))")
    return try readBytes(path)
  }

  /// The digests of all decoded frames of pictures and sound.
  static func frames(_ bytes: [UInt8], _ name: String) throws -> [Substring] {
    let folder = TemporaryFolder()
    let path = folder.path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let arguments = ["-v", "error", "-i", path, "-map", "0:v", "-map", "0:a?", "-f", "framemd5", "-"]
    return try Tool.run("ffmpeg", arguments).output.split(separator: "\n").filter { !$0.hasPrefix("#") }
  }

  @Test(
    "No planted text is left, each frame is decoded as before, and a second strip changes nothing",
    arguments: systems
  )
  func raw(system: System) throws {
    let recording = try Self.make(system)
    #expect(recording.count % system.frameLength == 0 && recording.count >= 3 * system.frameLength)
    let film = Self.planted(recording, system)
    #expect(Self.count(Self.mark, in: recording) == 0 && Self.count(Self.mark, in: film) > 1000)
    let (output, list) = try strip(film, .dv)
    #expect(output.count == film.count)
    #expect(Self.count(Self.mark, in: output) == 0)
    #expect(list.operations.count == 1)
    #expect(list.removedNames["creation time"] == film.count / system.frameLength)
    #expect(list.removedNames["time code"] == film.count / system.frameLength)
    #expect(list.removedTags.contains { $0.tag.metadataClass == .time })
    // The places that were planted are empty, whatever they had.
    #expect(try strip(recording, .dv).output == output)
    let again = try strip(output, .dv)
    #expect(again.output == output && again.list.removed.isEmpty)
    let frames = try Self.frames(recording, "a.dv")
    #expect(frames.count > 5)
    #expect(try Self.frames(output, "a.dv") == frames)
    #expect(try Self.frames(film, "a.dv") == frames)
    let (before, after) = (try facts(of: recording), try facts(of: output))
    #expect(after.creationDate == nil && after.pixelSize == before.pixelSize)
    #expect(after.tracks == before.tracks)
  }

  @Test(
    "A movie and an AVI lose the same of each frame",
    arguments: ["mov", "avi"],
    ["pal25", "ntsc50", "hd1080i50"]
  )
  func containers(container: String, name: String) throws {
    let system = try #require(Self.systems.first { $0.description == name })
    let planted = Self.planted(try Self.make(system), system)
    let film = try Self.copied(planted, to: container, maps: ["-map", "0:v", "-map", "0:a:0"])
    let expected: MediaFormat = container == "mov" ? .mov : .avi
    #expect(format(of: film) == expected && Self.count(Self.mark, in: film) > 1000)
    let (output, list) = try strip(film, expected)
    #expect(Self.count(Self.mark, in: output) == 0)
    #expect(list.removedNames["time code", default: 0] > 2)
    #expect(try strip(output, expected).output == output)
    #expect(try Self.frames(output, "a." + container) == Self.frames(film, "a." + container))
    #expect(code { _ = try strip(film, expected, StripOptions(removesAudio: true)) } == .stripUnsupported)
    #expect(
      code { _ = try withSource(film) { try Stripper.muteList(of: $0, format: expected) } }
        == .stripUnsupported
    )
  }

  @Test("DV in Matroska is neither stripped nor muted")
  func matroska() throws {
    let recording = try Self.make(Self.systems[0])
    // Frames that have nothing to lose are refused as well: they have sound.
    for bytes in [recording, try strip(recording, .dv).output] {
      let film = try Self.copied(bytes, to: "mkv")
      #expect(code { _ = try strip(film, .mkv) } == .stripUnsupported)
      #expect(code { _ = try strip(film, .mkv, StripOptions(removesAudio: true)) } == .stripUnsupported)
      #expect(
        code { _ = try withSource(film) { try Stripper.muteList(of: $0, format: .mkv) } } == .stripUnsupported
      )
    }
  }

  @Test(
    "A movie and an AVI of DV have the date that the camera recorded, and except keeps it",
    arguments: ["mov", "avi"]
  )
  func dates(container: String) throws {
    // ffmpeg 7 takes its own rate of time codes in a movie of so few frames for too large.
    let options = container == "mov" ? ["-write_tmcd", "0"] : []
    let film = try Self.copied(try Self.make(Self.systems[0]), to: container, maps: options)
    let expected: MediaFormat = container == "mov" ? .mov : .avi
    #expect(try facts(of: film).creationDate?.local == "2004-05-06T07:08:09")
    let output = try strip(film, expected).output
    #expect(try facts(of: output).creationDate == nil)
    let dated = try strip(film, expected, StripOptions(except: [.creationDate])).output
    #expect(try facts(of: dated).creationDate?.local == "2004-05-06T07:08:09")
    #expect(try strip(dated, expected).output == output)
    #expect(try Self.frames(dated, "a." + container) == Self.frames(film, "a." + container))
  }

  @Test("An AVI whose one stream has video and sound loses the same, and keeps their formats")
  func joint() throws {
    let system = Self.systems[0]
    let recording = Self.planted(try Self.make(system), system)
    let frames = stride(from: 0, to: recording.count, by: system.frameLength).map {
      riffChunk("00__", Array(recording[$0..<($0 + system.frameLength)]))
    }
    // Source and control of two sounds and of the pictures, and two numbers without a meaning.
    let source = [0xD1, 0x30, 0xE0, 0xD0, 0x3F, 0xCF, 0xA0, 0xFF] as [UInt8]
    let format = source + source + [0xFF, 0xFF, 0xE0, 0xFF, 0x3F, 0xC8, 0xFC, 0xFF] + Self.mark + Self.mark
    func film(_ handler: String) -> [UInt8] {
      let head = TinyAVI.head("iavs", handler: Array(handler.utf8))
      let stream = TinyAVI.list("strl", head + riffChunk("strf", format))
      return TinyAVI.file(main: TinyAVI.main(1), streams: stream, data: frames.flatMap { $0 }, index: [])
    }
    let bytes = film("dvsd")
    let (output, _) = try strip(bytes, .avi)
    #expect(Self.count(Self.mark, in: output) == 0 && Self.count(source, in: output) == 2)
    #expect(try strip(output, .avi).output == output)
    let decoded = try Self.frames(bytes, "a.avi")
    #expect(decoded.count > 5)
    #expect(try Self.frames(output, "a.avi") == decoded)
    let tracks = try facts(of: bytes).tracks
    #expect(tracks.map(\.kind) == [.video])
    #expect(code { _ = try strip(bytes, .avi, StripOptions(removesAudio: true)) } == .stripUnsupported)
    #expect(code { _ = try strip(film("abcd"), .avi) } == .stripUnsupported)
  }

  @Test("Something else in the place of a pack that stays is removed there alone")
  func foreign() throws {
    let system = Self.systems[0]
    var film = try Self.make(system)
    let clean = try strip(film, .dv).output
    // The control of sound in the second sequence of the second frame.
    let place = system.frameLength + 12_000 + 80 * 22 + 3
    #expect(film[place] == 0x51 && clean[place] == 0x51)
    film.replaceSubrange(place..<(place + 5), with: [0x55] + Self.mark)
    let (output, list) = try strip(film, .dv)
    var expected = clean
    expected.replaceSubrange(place..<(place + 5), with: [UInt8](repeating: 0xFF, count: 5))
    #expect(output == expected)
    #expect(list.operations.count == 3)
  }

  @Test("The rate in the header of each sequence is that of the first")
  func headers() throws {
    let system = Self.systems[0]
    let film = try Self.make(system)
    var planted = film
    for start in stride(from: 0, to: film.count, by: 12_000) where start % system.frameLength > 0 {
      planted[start + 3] = Self.mark[start / 12_000 % 4]
    }
    #expect(try strip(planted, .dv).output == strip(film, .dv).output)
  }

  @Test("A block that is not in its place, a frame that is cut and an unknown system are refused")
  func refused() throws {
    let system = Self.systems[0]
    let film = try Self.make(system)
    let second = system.frameLength
    // The section, the sequence, the channel and the number of blocks in the second frame; the number of the system.
    for (offset, value, expected) in [
      (second + 80 * 7, 0x36, .damaged), (second + 12_000 + 1, 0x27, .damaged),
      (second + 80 * 5 + 1, 0x0F, .damaged),
      (second + 80 * 149 + 2, 7, .damaged), (second + 3, 0, .damaged),
      (second + 400 + 51, 0xE2, .stripUnsupported),
      (second + 400 + 48, 0x55, .stripUnsupported),
    ] as [(Int, UInt8, MetadataError.Code)] {
      var changed = film
      changed[offset] = value
      #expect(code { _ = try strip(changed, .dv) } == expected, "\(offset - second)")
      // It is listed up to there.
      #expect(try StreamStripperTests.entries(changed, .dv).contains { $0.isRemoved }, "\(offset - second)")
    }
    #expect(code { _ = try strip(Array(film.dropLast(100)), .dv) } == .damaged)
    for behind in [Array("a text behind the end".utf8), [UInt8](repeating: 0, count: 500)] {
      #expect(try strip(film + behind, .dv).output == strip(film, .dv).output)
    }
    // The second half of a frame says so in the first bytes of its blocks.
    let high = try #require(Self.systems.last)
    var halves = try Self.make(high)
    for start in stride(from: halves.count - high.frameLength, to: halves.count, by: 80) {
      halves[start + 1] &= 0xFB
    }
    #expect(code { _ = try strip(Array(halves.dropLast(100_000)), .dv) } == .damaged)
    #expect(code { _ = try strip(halves, .dv) } == nil)
    #expect(code { _ = try strip(film, .dv, StripOptions(removesAudio: true)) } == .stripUnsupported)
  }

  @Test("A part of a mask does to its bytes what the whole does, wherever it begins")
  func parts() throws {
    let mask = try #require(
      DIFMask(is50: false, channelCount: 1, is720: false, hasSound: false, foreign: [2, 7])
    )
    let frame = (0..<mask.frameLength).map { UInt8(truncatingIfNeeded: $0 &* 131) }
    func masked(_ bytes: [UInt8], from offset: Int) -> [UInt8] {
      var bytes = bytes
      bytes.withUnsafeMutableBytes { mask.apply(to: $0, at: offset) }
      return bytes
    }
    let whole = masked(frame + frame, from: 0)
    #expect(whole == masked(frame, from: 0) + masked(frame, from: 0))
    for length in [1, 79, 80, 81, 997, 4096] {
      var joined: [UInt8] = []
      for start in stride(from: 0, to: frame.count, by: length) {
        joined += masked(Array(frame[start..<min(start + length, frame.count)]), from: frame.count + start)
      }
      #expect(joined == Array(whole.prefix(frame.count)), "\(length)")
    }
    #expect(DIFMask(is50: false, channelCount: 3, is720: false, hasSound: true, foreign: []) == nil)
    #expect(DIFMask(is50: false, channelCount: 4, is720: true, hasSound: true, foreign: []) == nil)
    #expect(DIFMask(is50: true, channelCount: 1, is720: false, hasSound: true, foreign: [192]) == nil)
  }

  @Test("An output is read with its masks, from any offset")
  func source() throws {
    let system = Self.systems[1]
    let film = try Self.make(system)
    let (output, list) = try strip(film, .dv)
    try withSource(film) { original in
      let read = try ByteSource(applying: list, to: original)
      let part = ByteSource(read, 81..<read.length)
      for range in [0..<(output.count - 81), 80..<160, 245..<12_345, 119_990..<120_100] {
        #expect(read.bytes(in: range, limit: .max) == Array(output[range]), "\(range)")
        let moved = (range.lowerBound + 81)..<(range.upperBound + 81)
        #expect(part.bytes(in: range, limit: .max) == Array(output[moved]), "\(range)")
      }
    }
  }
}
