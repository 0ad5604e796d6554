import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata

/// Draws units of a program stream.
enum TinyProgramStream {
  /// A sequence header of 160 × 120 pixels and 25 pictures a second, a group at midnight, and a picture.
  static let video: [UInt8] =
    [0, 0, 1, 0xB3, 0x0A, 0, 0x78, 0x13, 0xFF, 0xFF, 0xE0, 0x18]
    + [0, 0, 1, 0xB8, 0, 8, 0, 0x40, 0, 0, 1, 0, 0, 0x0F, 0xFF, 0xF8]

  /// A pack header of MPEG-2, or of MPEG-1.
  static func pack(isMPEG2: Bool = true) -> [UInt8] {
    isMPEG2
      ? [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 1, 0x43, 0x37, 0xF8]
      : [0, 0, 1, 0xBA, 0x21, 0, 1, 0, 1, 0xA1, 0xA1, 0xAD]
  }

  private static func time(_ mark: UInt8, _ time: Int) -> [UInt8] {
    let bits = UInt64(time)
    return [
      mark << 4 | UInt8(bits >> 29 & 14) | 1, UInt8(bits >> 22 & 255), UInt8(bits >> 14 & 254) | 1,
      UInt8(bits >> 7 & 255), UInt8(bits << 1 & 254) | 1,
    ]
  }

  /// A packet of a stream with a time.
  static func packet(_ stream: UInt8, _ time: Int, _ payload: [UInt8] = video, isMPEG2: Bool = true)
    -> [UInt8]
  {
    let body =
      (isMPEG2 ? [0x80, 0x80, 5] + Self.time(2, time) : [0xFF, 0xFF, 0x60, 0x20] + Self.time(2, time))
      + payload
    return [0, 0, 1, stream] + big(body.count, 2) + body
  }

  static let seeds = [true, false].map { isMPEG2 in
    pack(isMPEG2: isMPEG2) + packet(0xE0, 90_000, isMPEG2: isMPEG2)
      + packet(0xC0, 90_000, [1], isMPEG2: isMPEG2)
      + packet(0xE0, 180_000, isMPEG2: isMPEG2)
  }
}

@Suite("Units of MPEG program streams")
struct ProgramStreamTests {
  private typealias T = TinyProgramStream

  @Test(
    "MPEG-1 and MPEG-2 are read alike: a second between the first and the last picture",
    arguments: [0, 1]
  )
  func both(index: Int) throws {
    let bytes = T.seeds[index]
    #expect(format(of: bytes) == .mpg)
    let facts = try MediaMetadataTests.facts(of: bytes)
    #expect(facts.pixelSize == PixelSize(width: 160, height: 120))
    #expect(facts.durationMilliseconds == 1040)
    #expect(facts.tracks.map(\.kind) == [.video, .audio])
    #expect(facts.tracks.map(\.codec) == ["mpeg1video", "mp2"])
  }

  @Test("Times of 33 bits start anew after 26 hours")
  func wraps() throws {
    let bytes = T.pack() + T.packet(0xE0, 1 << 33 - 45_000) + T.pack() + T.packet(0xE0, 45_000)
    #expect(try facts(of: bytes).durationMilliseconds == 1040)
    // A time that goes back, as where two films were joined, says nothing.
    let joined = T.pack() + T.packet(0xE0, 900_000) + T.pack() + T.packet(0xE0, 45_000)
    #expect(try facts(of: joined).durationMilliseconds == nil)
  }

  @Test(
    "What begins like a pack is no stream without another unit, without sound and pictures, or with wrong bits"
  )
  func marks() {
    let padding: [UInt8] = [0, 0, 1, 0xBE, 0, 2, 0xFF, 0xFF]
    #expect(format(of: T.pack()) == nil)
    #expect(format(of: T.pack() + padding + padding) == nil)
    #expect(format(of: T.pack() + [1, 2, 3, 4] + T.packet(0xE0, 0)) == nil)
    for index in [4, 6, 8, 9, 12] {
      var bytes = T.seeds[0]
      bytes[index] = 0
      #expect(format(of: bytes) == nil, "\(index)")
    }
  }

  @Test("Bytes between units are passed over up to the next pack")
  func broken() throws {
    let noise = [UInt8](repeating: 1, count: 5000) + [0, 0, 1, 0xBA, 0, 0, 0]
    let bytes = T.seeds[0] + noise + T.pack() + T.packet(0xE0, 450_000)
    #expect(try facts(of: bytes).durationMilliseconds == 4040)
  }

  @Test("Streams of DVDs are told by the first byte of their payload, others by the map")
  func kinds() throws {
    let map: [UInt8] = [
      0, 0, 1, 0xBC, 0, 18, 0xE1, 0xFF, 0, 0, 0, 8, 0x1B, 0xE1, 0, 0, 0x0F, 0xC1, 0, 0, 0, 0, 0, 0,
    ]
    var bytes = T.pack() + map
    for first in [0x80, 0x89, 0xA0, 0x21, 0x01] as [UInt8] { bytes += T.packet(0xBD, 0, [first, 1]) }
    bytes += T.packet(0xE1, 0, [9]) + T.packet(0xC1, 0, [9])
    let tracks = try facts(of: bytes).tracks
    #expect(tracks.map(\.codec) == ["ac3", "dts", "pcm_dvd", "dvd_subtitle", "unknown", "h264", "aac"])
    #expect(tracks.map(\.kind) == [.audio, .audio, .audio, .text, .other, .video, .audio])
  }

  @Test("Video alone needs a whole header and a picture, and lasts as its groups say")
  func video() throws {
    #expect(format(of: Array(T.video.prefix(12))) == nil)
    #expect(format(of: Array(T.video.prefix(20))) == nil)
    #expect(format(of: T.video) == .m2v)
    #expect(try facts(of: T.video).durationMilliseconds == 40)
    // A group at the second second.
    let later: [UInt8] = [0, 0, 1, 0xB8, 0, 8, 0x40, 0x40, 0, 0, 1, 0, 0, 0x0F]
    #expect(try facts(of: T.video + later).durationMilliseconds == 2040)
    for index in [4, 6, 7, 10] {
      var bytes = T.video
      bytes[index] = 0
      #expect(format(of: bytes) == nil, "\(index)")
    }
  }

  @Test("More streams than are told, and any cut or changed byte, end")
  func damage() throws {
    var many = T.pack()
    for stream in 0x80...0xFF { many += T.packet(0xBD, 0, [UInt8(stream), 1]) }
    #expect(try facts(of: many).tracks.count == 64)
    for seed in T.seeds + [T.video] {
      for index in seed.indices {
        HostileInputTests.useAll(Array(seed[..<index]))
        for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
          var bytes = seed
          bytes[index] = value
          HostileInputTests.useAll(bytes)
        }
      }
    }
  }
}
