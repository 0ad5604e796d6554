import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Silent frames of MPEG audio, and tags around them.
enum TinyMP3 {
  /// MPEG 1, layer III, 128 kbit/s, 44,100 Hz, two channels: 417 bytes, no bit of sound.
  static let head: [UInt8] = [0xFF, 0xFB, 0x90, 0x00]
  static let frame = head + [UInt8](repeating: 0, count: 413)
  static let frames = frame + frame + frame + frame

  /// The frame that describes four others.
  static func information(
    encoder: String = "LAME3.100",
    frames: Int = 4,
    bytes: Int = 5 * 417,
    gaps: (delay: Int, padding: Int) = (576, 1000),
    behind: [UInt8] = []
  ) -> [UInt8] {
    var bytes =
      head + [UInt8](repeating: 0, count: 32) + Array("Info".utf8) + big(15)
      + big(frames) + big(bytes) + [UInt8](repeating: 7, count: 100) + big(57)
    bytes += Array(encoder.utf8.prefix(9)) + [UInt8](repeating: 3, count: 12)
    bytes += Array(big(gaps.delay << 12 | gaps.padding).dropFirst())
    bytes += [UInt8](repeating: 9, count: 12)
    return bytes + behind + [UInt8](repeating: 0, count: 417 - bytes.count - behind.count)
  }

  static func syncSafe(_ value: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(value >> $0 & 0x7F) }
  }

  /// A tag of text frames, each with its encoding byte.
  static func id3(_ version: UInt8, _ frames: [(String, [UInt8])], padding: Int = 0) -> [UInt8] {
    var body: [UInt8] = []
    for (name, content) in frames {
      body += Array(name.utf8)
      switch version {
      case 2: body += Array(big(content.count).dropFirst())
      case 3: body += big(content.count) + [0, 0]
      default: body += syncSafe(content.count) + [0, 0]
      }
      body += content
    }
    body += [UInt8](repeating: 0, count: padding)
    return Array("ID3".utf8) + [version, 0, 0] + syncSafe(body.count) + body
  }

  /// A tag of version 2.4 that stands at the end, with its footer.
  static func appended(_ frames: [(String, [UInt8])]) -> [UInt8] {
    var tag = id3(4, frames)
    tag[5] = 0x10
    return tag + Array("3DI".utf8) + tag[3..<10]
  }

  static func ape(_ items: [(String, [UInt8])], header: Bool = true) -> [UInt8] {
    var body: [UInt8] = []
    for (key, value) in items {
      body += little(value.count) + little(0) + Array(key.utf8) + [0] + value
    }
    let start = Array("APETAGEX".utf8) + little(header ? 2000 : 1000)
    let numbers = little(body.count + 32) + little(items.count)
    let zeros = [UInt8](repeating: 0, count: 8)
    let first = start + numbers + [0, 0, 0, 0xA0] + zeros
    return (header ? first : []) + body + start + numbers + [0, 0, 0, header ? 0x80 : 0] + zeros
  }

  static func lyrics3(_ text: [UInt8]) -> [UInt8] {
    let body = Array("LYRICSBEGIN".utf8) + text
    let digits = String(body.count)
    return body + Array(String(repeating: "0", count: 6 - digits.count).utf8) + Array(digits.utf8)
      + Array("LYRICS200".utf8)
  }

  static func id3v1(_ text: [UInt8]) -> [UInt8] {
    Array("TAG".utf8) + text.prefix(125) + [UInt8](repeating: 0, count: max(0, 125 - text.count))
  }
}

/// Ten samples of PCM as a WAV.
enum TinyWAV {
  static let format =
    little(1, 2) + little(1, 2) + little(8000) + little(16_000) + little(2, 2) + little(16, 2)
  static let samples = (0..<10).flatMap { little($0 * 100, 2) }
  /// MPEG audio layer III of 128 kbit/s, with the fields that it adds.
  static let mp3Format =
    little(0x55, 2) + little(2, 2) + little(44_100) + little(16_000) + little(1, 2) + little(0, 2)
    + little(12, 2) + little(1, 2) + little(2) + little(417, 2) + little(1, 2) + little(1393, 2)

  static func file(
    _ before: [UInt8] = [],
    format: [UInt8] = format,
    samples: [UInt8] = samples,
    after: [UInt8] = [],
    behind: [UInt8] = []
  ) -> [UInt8] {
    let chunks = riffChunk("fmt ", format) + before + riffChunk("data", samples) + after
    return Array("RIFF".utf8) + little(4 + chunks.count) + Array("WAVE".utf8) + chunks + behind
  }

  /// An RF64 or a BW64, its lengths in ds64.
  static func long(_ form: String, table: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
    let lengths =
      Array(little(200) + little(0) + little(20) + little(0) + little(10) + little(0))
      + little(table.count / 12) + table
    return Array(form.utf8) + little(0xFFFF_FFFF) + Array("WAVE".utf8) + riffChunk("ds64", lengths)
      + riffChunk("fmt ", format) + Array("data".utf8) + little(0xFFFF_FFFF) + samples + after
  }
}

/// The same as an AIFF.
enum TinyAIFF {
  static let rate: [UInt8] = [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
  static let common = big(1, 2) + big(10) + big(16, 2) + rate
  static let samples = (0..<10).flatMap { big($0 * 100, 2) }

  static func file(
    _ before: [UInt8] = [],
    kind: String = "AIFF",
    common: [UInt8] = common,
    audio: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0] + samples,
    after: [UInt8] = [],
    behind: [UInt8] = []
  ) -> [UInt8] {
    let chunks = iffChunk("COMM", common) + before + iffChunk("SSND", audio) + after
    return Array("FORM".utf8) + big(4 + chunks.count) + Array(kind.utf8) + chunks + behind
  }
}

/// Frames of constant samples as a FLAC; checksums are computed bit by bit, not with the code under
/// test.
enum TinyFLAC {
  static func information(samples: Int = 576) -> [UInt8] {
    big(192, 2) + big(192, 2) + [0, 0, 0, 0, 0, 0] + [0x0A, 0xC4, 0x40, 0xF0] + big(samples)
      + [UInt8](repeating: 0xAB, count: 16)
  }

  static func sum(_ bytes: [UInt8], bits: Int, polynomial: Int) -> Int {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ Int(byte) << (bits - 8)) { sum, _ in
        (sum << 1 ^ (sum >> (bits - 1) & 1 == 1 ? polynomial : 0)) & (1 << bits - 1)
      }
    }
  }

  /// 192 samples of one value.
  static func frame(_ number: UInt8, value: Int = 5) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xF8, 0x19, 0x08, number]
    bytes.append(UInt8(sum(bytes, bits: 8, polynomial: 0x07)))
    bytes += [0] + big(value, 2)
    return bytes + big(sum(bytes, bits: 16, polynomial: 0x8005), 2)
  }

  static let frames = frame(0) + frame(1) + frame(2)

  static func block(_ type: UInt8, _ data: [UInt8], isLast: Bool = false) -> [UInt8] {
    [type | (isLast ? 0x80 : 0)] + big(data.count).dropFirst() + data
  }

  static func file(
    _ blocks: [UInt8] = [],
    before: [UInt8] = [],
    information: [UInt8] = information(),
    frames: [UInt8] = frames,
    after: [UInt8] = []
  ) -> [UInt8] {
    let first = block(0, information, isLast: blocks.isEmpty)
    // The last of the other blocks has its flag set by whoever makes it.
    return before + Array("fLaC".utf8) + first + blocks + frames + after
  }

  static func comment(_ fields: [String], vendor: String = "", behind: [UInt8] = []) -> [UInt8] {
    var bytes = little(vendor.utf8.count) + Array(vendor.utf8) + little(fields.count)
    for field in fields { bytes += little(field.utf8.count) + Array(field.utf8) }
    return bytes + behind
  }
}

/// Pages of Ogg; checksums are computed bit by bit, not with the code under test.
enum TinyOgg {
  static func page(
    _ packets: [[UInt8]],
    flags: UInt8 = 0,
    granule: Int = 0,
    serial: Int = 1,
    sequence: Int
  ) -> [UInt8] {
    var lacing: [UInt8] = []
    for packet in packets {
      lacing += [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
    }
    return page(
      lacing: lacing,
      packets.flatMap { $0 },
      flags: flags,
      granule: granule,
      serial: serial,
      sequence: sequence
    )
  }

  static func page(
    lacing: [UInt8],
    _ body: [UInt8],
    flags: UInt8 = 0,
    granule: Int = 0,
    serial: Int = 1,
    sequence: Int
  ) -> [UInt8] {
    var page = Array("OggS".utf8) + [0, flags] + little(granule) + little(granule < 0 ? -1 : 0)
    page += little(serial) + little(sequence) + [0, 0, 0, 0] + [UInt8(lacing.count)] + lacing
    page += body
    let sum = TinyFLAC.sum(page, bits: 32, polynomial: 0x04C1_1DB7)
    page.replaceSubrange(22..<26, with: little(sum))
    return page
  }

  static let opusHead =
    Array("OpusHead".utf8) + [1, 2] + little(312, 2) + little(48_000) + [0, 0, 0]
  static func tags(_ comment: [UInt8] = TinyFLAC.comment([])) -> [UInt8] {
    Array("OpusTags".utf8) + comment
  }
  /// 20 ms each.
  static let packets: [[UInt8]] = (0..<5).map { [0xFC, 0xFF, 0xFE, UInt8($0)] }

  static func opus(
    head: [UInt8] = opusHead,
    tags: [UInt8] = tags(),
    serial: Int = 1,
    start: [UInt8] = [],
    middle: [UInt8] = [],
    after: [UInt8] = []
  ) -> [UInt8] {
    page([head], flags: 2, serial: serial, sequence: 0) + start
      + page([tags], serial: serial, sequence: 1) + middle
      + page(packets, granule: 4800, serial: serial, sequence: 2)
      + page(packets, flags: 4, granule: 9600, serial: serial, sequence: 3) + after
  }

  static let vorbisHead =
    [1] + Array("vorbis".utf8) + little(0) + [2] + little(44_100)
    + [UInt8](repeating: 0, count: 12) + [0xB8, 1]
  static let setup = [5] + Array("vorbis".utf8) + (0..<600).map { UInt8($0 & 0xFF) }

  static func vorbis(
    comment: [UInt8] = TinyFLAC.comment([]) + [1],
    head: [UInt8] = vorbisHead
  ) -> [UInt8] {
    page([head], flags: 2, sequence: 0)
      + page([[3] + Array("vorbis".utf8) + comment, setup], sequence: 1)
      + page([[2, 4, 6], [8, 10]], flags: 4, granule: 44_100, sequence: 2)
  }
}
