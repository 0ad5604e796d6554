@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Bits of AAC, written out; not the code under test.
enum TinyAAC {
  static func bits(_ value: Int, _ count: Int) -> String {
    let text = String(value, radix: 2)
    return String((String(repeating: "0", count: count) + text).suffix(count))
  }

  static func bits(of bytes: [UInt8]) -> String { bytes.map { bits(Int($0), 8) }.joined() }

  static func bytes(_ bits: String) -> [UInt8] {
    let padded = Array(bits + String(repeating: "0", count: (8 - bits.count % 8) % 8))
    return stride(from: 0, to: padded.count, by: 8).map { offset in
      padded[offset..<(offset + 8)].reduce(0) { $0 << 1 | ($1 == "1" ? 1 : 0) }
    }
  }

  /// A fill element: `content` is its extension type and all that follows, whole bytes.
  static func fill(_ content: String) -> String {
    let count = content.count / 8
    return "110" + (count < 15 ? bits(count, 4) : "1111" + bits(count - 14, 8)) + content
  }

  /// A name as FAAC writes it: 13 bits of zero between the type and the text.
  static func named(_ text: [UInt8]) -> String {
    fill("0000" + bits(0, 13) + bits(of: text) + "0000000")
  }

  static func data(_ content: [UInt8], from position: Int) -> String {
    let head = "100" + "0000" + "1" + bits(content.count, 8)
    let padding = (8 - (position + head.count) % 8) % 8
    return head + bits(0, padding) + bits(of: content)
  }

  /// A program of one channel with a comment.
  static func program(_ comment: [UInt8], from position: Int) -> String {
    let head = "101" + "0000" + "01" + "0100" + "0001" + bits(0, 4 + 4 + 2 + 3 + 4) + "000"
    let fields = head + "00000"
    let padding = (8 - (position + fields.count) % 8) % 8
    return fields + bits(0, padding) + bits(comment.count, 8) + bits(of: comment)
  }

  /// Coded audio of a single channel, with bits that are not looked at.
  static let sound = "000" + bits(0x5AA55A, 24)

  static let packet = bytes(sound)
  static let frames = frame() + frame() + frame()

  /// A frame of one channel at 44,100 Hz; `flags` are private, original, home and the two of copyright.
  static func frame(
    _ packet: [UInt8] = packet,
    flags: String = "00000",
    checksum: [UInt8] = [],
    channels: Int = 1,
    blocks: Int = 0
  ) -> [UInt8] {
    let flags = flags.map { String($0) }
    var head = "111111111111" + "0" + "00" + (checksum.isEmpty ? "1" : "0") + "01" + "0100"
    head += flags[0] + bits(channels, 3) + flags[1...].joined()
    head += bits(7 + checksum.count + packet.count, 13) + bits(0x7FF, 11) + bits(blocks, 2)
    return bytes(head) + checksum + packet
  }
}
