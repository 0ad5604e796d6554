import MediaModel
import MediaTestSupport

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// A GIF of one red pixel, as parts.
enum TinyGIF {
  static let loop: [UInt8] = [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
  /// A tenth of a second, no transparency.
  static let control: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
  /// Clear, color 0, end, in codes of three bits.
  static let data: [UInt8] = [2, 0x44, 0x01]
  static let descriptor: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0]
  static let image = descriptor + [2] + data + [0]
  static let red: [UInt8] = [255, 0, 0]

  /// Four colors, of which the first is used.
  static func screen(colors: [UInt8] = red + [UInt8](repeating: 0, count: 9)) -> [UInt8] {
    let bits = [12: 1, 24: 2, 48: 3, 768: 7][colors.count] ?? 0
    return Array("GIF89a".utf8) + [1, 0, 1, 0, UInt8(0x80 | bits), 0, 0] + colors
  }

  static func file(
    _ before: [UInt8] = [],
    screen: [UInt8] = screen(),
    image: [UInt8] = image,
    between: [UInt8] = [],
    after: [UInt8] = []
  ) -> [UInt8] {
    screen + before + image + between + [0x3B] + after
  }

  /// An extension whose data stand in sub-blocks.
  static func block(_ label: UInt8, _ head: [UInt8] = [], _ data: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x21, label] + (head.isEmpty ? [] : [UInt8(head.count)] + head)
    for start in stride(from: 0, to: data.count, by: 255) {
      let part = data[start..<min(data.count, start + 255)]
      bytes += [UInt8(part.count)] + part
    }
    return bytes + [0]
  }
}

/// A WebP of one pixel, as parts; its picture is a header that no decoder was asked about.
enum TinyWebP {
  static let lossless: [UInt8] = [0x2F, 0, 0, 0, 0, 7, 0x10]
  /// A key frame of one pixel whose first partition takes four bytes.
  static let lossy: [UInt8] = [0x90, 0, 0, 0x9D, 0x01, 0x2A, 1, 0, 1, 0] + [1, 2, 3, 4]

  static func extended(_ flags: UInt8) -> [UInt8] {
    riffChunk("VP8X", [flags, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  static func frame(_ inner: [UInt8], flags: UInt8 = 0) -> [UInt8] {
    riffChunk("ANMF", [UInt8](repeating: 0, count: 12) + [100, 0, 0, flags] + inner)
  }

  static func file(_ chunks: [UInt8], after: [UInt8] = []) -> [UInt8] {
    Array("RIFF".utf8) + little(4 + chunks.count) + Array("WEBP".utf8) + chunks + after
  }

  static let simple = file(riffChunk("VP8L", lossless))
}

/// A BMP of 3 × 2 pixels, as parts.
enum TinyBMP {
  /// A whole file; `edit` changes the information header's bytes.
  static func file(
    header length: Int = 40,
    bits: Int = 24,
    palette: [UInt8] = [],
    gap: [UInt8] = [],
    rows: [UInt8] = rows,
    after: [UInt8] = [],
    reserved: Int = 0,
    edit: (inout [UInt8]) -> Void = { _ in }
  ) -> [UInt8] {
    var header = little(length) + little(3) + little(2) + little(1, 2) + little(bits, 2)
    header += [UInt8](repeating: 0, count: length - 16)
    edit(&header)
    let offset = 14 + header.count + palette.count + gap.count
    return Array("BM".utf8) + little(offset + rows.count) + little(reserved) + little(offset)
      + header + palette + gap + rows + after
  }

  static let rows: [UInt8] = Array(1...9) + [0, 0, 0] + Array(11...19) + [0, 0, 0]
}

/// A BigTIFF of 4 x 2 gray pixels: header, pixels, directory, values.
enum TinyBigTIFF {
  typealias Entry = (tag: Int, type: Int, count: Int, value: [UInt8])

  static func file(_ order: ByteOrder, extra: [Entry] = []) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] { value.bytes(count, order) }
    let entries: [Entry] =
      [
        (0x0100, 4, 1, bytes(4, 4)), (0x0101, 3, 1, bytes(2, 2)), (0x0102, 3, 1, bytes(8, 2)),
        (0x0103, 3, 1, bytes(1, 2)), (0x0106, 3, 1, bytes(1, 2)), (0x0111, 16, 1, bytes(16, 8)),
        (0x0115, 3, 1, bytes(1, 2)), (0x0116, 16, 1, bytes(2, 8)), (0x0117, 16, 1, bytes(8, 8)),
      ] + extra
    let start = 16 + TinyTIFFFile.pixels.count
    var directory = bytes(entries.count, 8)
    var values: [UInt8] = []
    let end = start + 8 + 20 * entries.count + 8
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      directory += bytes(entry.tag, 2) + bytes(entry.type, 2) + bytes(entry.count, 8)
      if entry.value.count > 8 {
        directory += bytes(end + values.count, 8)
        values += entry.value
      } else {
        directory += entry.value + [UInt8](repeating: 0, count: 8 - entry.value.count)
      }
    }
    let mark = Array((order == .big ? "MM" : "II").utf8)
    return mark + bytes(43, 2) + bytes(8, 2) + bytes(0, 2) + bytes(start, 8) + TinyTIFFFile.pixels
      + directory + bytes(0, 8) + values
  }
}
