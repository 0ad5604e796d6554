import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaStripping

/// MPEG-2 as HDV, IMX and XDCAM have it in movies, and MPEG-1 beside it.
@Suite("MPEG-2 without user data", .serialized)
struct MPEG2HeadersTests {
  private static func unit(_ code: UInt8, _ content: [UInt8]) -> [UInt8] { [0, 0, 1, code] + content }
  private static let text = Array("CaNaRy of a tape".utf8)
  /// A picture of type I: its number, its type and the buffer, then bits that end.
  private static let picture = unit(0x00, [0x00, 0x0F, 0xFF, 0xF8])
  private static let coding = unit(0xB5, [0x8F, 0xFF, 0xF3, 0xC0, 0x80])
  private static let slice = unit(0x01, [0x12, 0x34, 0x56])
  private static let sequence = unit(0xB3, [0x2D, 0x02, 0x40, 0x23, 0xFF, 0xFF, 0xE0, 0x18])
  private static let group = unit(0xB8, [0x00, 0x08, 0x00, 0x40])

  private func kept(_ sample: [UInt8]) throws -> (bytes: [UInt8], names: [String]) {
    let (kept, names) = try Bitstream.mpeg2.cleaned(sample)
    return (kept, names)
  }

  @Test("What a decoder reads stays as it is")
  func stays() throws {
    let matrix = [UInt8](repeating: 16, count: 64)
    let units = [
      Self.sequence,
      Self.unit(0xB3, Array(Self.sequence[4..<11]) + [Self.sequence[11] | 2] + matrix),
      Self.unit(0xB5, [0x14, 0x82, 0x00, 0x01, 0x00, 0x00]), Self.unit(0xB5, [0x22, 0x0B, 0x42, 0x12, 0x00]),
      Self.unit(0xB5, [0x23, 1, 1, 1, 0x0B, 0x42, 0x12, 0x00]), Self.group, Self.picture, Self.coding,
      Self.slice,
      Self.unit(0xB7, []),
      // Markers behind each offset.
      Self.unit(0xB5, [0x70, 0x00, 0x08, 0x00, 0x04]),
    ]
    for unit in units {
      let (bytes, names) = try kept(unit + [0, 0])
      #expect(bytes == unit + [0, 0] && names.isEmpty, "\(unit) \(names)")
    }
  }

  @Test("User data, a copyright, reserved units, bytes behind fields and time codes go")
  func goes() throws {
    let film = Self.sequence + Self.group + Self.picture + Self.coding + Self.slice
    let planted: [[UInt8]] = [
      Self.text + film,
      Self.sequence + Self.unit(0xB2, Self.text) + Array(film.dropFirst(Self.sequence.count)),
      Self.sequence + Self.unit(0xB5, [0x40] + Self.text) + Array(film.dropFirst(Self.sequence.count)),
      Self.sequence + Self.text + Array(film.dropFirst(Self.sequence.count)),
      Self.sequence + Self.unit(0xB8, [0x12, 0x3C, 0xD1, 0xC0])
        + Array(film.dropFirst(Self.sequence.count + 8)),
      film + Self.unit(0xB1, Self.text), film + Self.unit(0xBE, Self.text), film + Self.unit(0xB5, Self.text),
      Self.sequence + Self.group + Self.picture + Self.text + Self.coding + Self.slice,
      Self.sequence + Self.group + Self.picture + Self.coding + Self.text + Self.slice,
    ]
    for sample in planted {
      let (bytes, names) = try kept(sample)
      #expect(bytes == film && names.count == 1, "\(names)")
    }
    #expect(try kept(Self.text).bytes.isEmpty)
    // Bytes that follow the fields of a picture one by one, each behind a bit.
    let more = Self.unit(0x00, [0x00, 0x0F, 0xFF, 0xFC, 0x41, 0xA0])
    #expect(try kept(more).bytes == Self.picture)
    // An encoder whose arithmetic decoders know by its name.
    #expect(
      code { _ = try Bitstream.mpeg2.cleaned(Self.unit(0xB2, Array("\u{0}TMPGEXS\u{0}".utf8))) }
        == .stripUnsupported
    )
  }

  @Test("Headers that end anywhere, and any bytes, are read to their end")
  func damage() throws {
    var generator = SeededGenerator()
    let film = Self.sequence + Self.unit(0xB5, [0x3F]) + Self.group + Self.picture + Self.coding + Self.slice
    for length in 0...film.count { _ = try kept(Array(film.prefix(length))) }
    for _ in 0..<2000 {
      var changed = film
      for _ in 0..<3 {
        changed[Int.random(in: 0..<film.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      let once = try kept(changed).bytes
      #expect(try kept(once).bytes == once, "\(changed)")
    }
  }

  @Test(
    "HDV, IMX, XDCAM and MP4 are decoded as before, and a planted text is gone",
    .enabled(if: Tool.exists("ffmpeg") && Tool.exists("ffprobe"), "no ffmpeg or ffprobe"),
    arguments: [
      ("mov", "hdv3", "-c:v mpeg2video -g 12 -bf 2"), ("mov", "mx5p", "-c:v mpeg2video -g 1"),
      ("mov", "xdv7", "-c:v mpeg2video -g 12 -flags +ildct+ilme"), ("mov", "xd5c", "-c:v mpeg2video"),
      ("mov", "m2v1", "-c:v mpeg2video -bf 1"), ("mov", "m1v ", "-c:v mpeg1video"),
      ("mp4", "mp4v", "-c:v mpeg2video -bf 2"), ("mp4", "mp4v", "-c:v mpeg1video"),
    ]
  )
  func films(container: String, type: String, coding: String) throws {
    let folder = TemporaryFolder()
    let (plain, planted, path) = (
      folder.path + "/a.m2v", folder.path + "/b.m2v", folder.path + "/a." + container
    )
    var all = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=d=0.6:s=352x288:r=25"]
    all += coding.split(separator: " ").map(String.init) + ["-q:v", "3", "-timecode", "01:02:03:04"]
    let stream = coding.contains("mpeg1video") ? "mpeg1video" : "mpeg2video"
    try #require(try Tool.run("ffmpeg", all + ["-f", stream, plain]).status == 0)
    // User data behind the headers of each sequence and of each group.
    var bytes: [UInt8] = []
    let made = try readBytes(plain)
    for (index, byte) in made.enumerated() {
      if byte == 0, made[index...].starts(with: [0, 0, 1, 0xB8]) { bytes += Self.unit(0xB2, Self.text) }
      bytes.append(byte)
      if index >= 7, made[(index - 7)..<(index - 3)].elementsEqual([0, 0, 1, 0xB8]) {
        bytes += Self.unit(0xB2, Self.text)
      }
    }
    try Data(bytes).write(to: URL(fileURLWithPath: planted))
    let copy = ["-v", "error", "-f", "mpegvideo", "-r", "25", "-i", planted, "-c", "copy", path]
    let result = try Tool.run("ffmpeg", copy)
    try #require(result.status == 0, "\(result.error.prefix(300))")
    // ffmpeg chooses the name of the codec by itself.
    var film = try readBytes(path)
    let entry = try #require(film.indices.first { film[$0...].starts(with: "stsd".utf8) }) + 16
    film.replaceSubrange(entry..<(entry + 4), with: type.utf8)
    let sniffed = try #require(format(of: film))
    #expect(DVStripperTests.count(Self.text, in: film) > 1)
    let (output, list) = try strip(film, sniffed)
    #expect(DVStripperTests.count(Self.text, in: output) == 0)
    #expect(list.removedNames["user data", default: 0] > 1 && list.removedNames["time code", default: 0] > 0)
    #expect(try strip(output, sniffed).output == output)
    func frames(_ bytes: [UInt8]) throws -> [Substring] {
      // Sizes of coded frames differ, so the digests of the decoded ones count.
      try DVStripperTests.frames(bytes, "a." + container).map { $0.suffix(32) }
    }
    let decoded = try frames(film)
    #expect(decoded.count > 10)
    #expect(try frames(output) == decoded)
  }
}
