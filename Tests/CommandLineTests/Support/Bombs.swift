import Foundation
import MediaTestSupport
import Testing

/// Small files that ask for much: each is valid in form, and none should be done as it says.
enum Bombs {
  // MARK: PNG

  /// A black picture of one bit a pixel: 60,000 by 60,000 takes 440 kB.
  static func png(side: Int) -> [UInt8] {
    let rowLength = 1 + (side + 7) / 8
    return png(side: side, depth: 1, pixels: Deflated.zlib(repeating: 0, count: rowLength * side))
  }

  /// 16 by 16 pixels and a `zTXt`, `iTXt` or `iCCP` whose content unpacks to `count` bytes.
  static func png(kind: String, unpackingTo count: Int) -> [UInt8] {
    let text = Deflated.zlib(repeating: UInt8(ascii: "a"), count: count)
    // Keyword; for iTXt two flags, language and translated keyword. PNG specification, 11.3.3.
    let head = Array("Comment".utf8) + (kind == "iTXt" ? [0, 1, 0, 0, 0] : [0, 0])
    let pixels = Deflated.zlib(repeating: 0, count: 17 * 16)
    return png(side: 16, depth: 8, pixels: pixels, before: pngChunk(kind, head + text))
  }

  /// An animation of `count` frames of one pixel.
  static func apng(frames count: Int) -> [UInt8] {
    let pixel = Deflated.zlib(repeating: 0, count: 2)
    var remaining: [UInt8] = []
    for number in 1..<count {
      remaining += pngChunk("fcTL", big(2 * number - 1) + frameControl)
      remaining += pngChunk("fdAT", big(2 * number) + pixel)
    }
    return png(
      side: 1,
      depth: 8,
      pixels: pixel,
      before: pngChunk("acTL", big(count) + big(0)) + pngChunk("fcTL", big(0) + frameControl),
      after: remaining
    )
  }

  /// 1 by 1 pixel at 0, 0, for 1/100 s.
  private static let frameControl: [UInt8] =
    big(1) + big(1) + big(0) + big(0) + [0, 1, 0, 100, 0, 0]

  private static func png(
    side: Int,
    depth: UInt8,
    pixels: [UInt8],
    before: [UInt8] = [],
    after: [UInt8] = []
  ) -> [UInt8] {
    [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A]
      + pngChunk("IHDR", big(side) + big(side) + [depth, 0, 0, 0, 0])
      + before + pngChunk("IDAT", pixels) + after + pngChunk("IEND", [])
  }

  // MARK: GIF

  /// An animation of `count` frames of one pixel, 23 bytes each.
  static func gif(frames count: Int) -> [UInt8] {
    let head: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let frame: [UInt8] = [
      0x21, 0xF9, 4, 0, 1, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0,
    ]
    var bytes = head
    bytes.reserveCapacity(head.count + count * frame.count + 1)
    for _ in 0..<count { bytes += frame }
    return bytes + [0x3B]
  }

  // MARK: JPEG

  /// A gray progressive picture whose scans each say of all blocks that nothing follows.
  static func progressiveJPEG(side: Int, scans count: Int) -> [UInt8] {
    func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
      [0xFF, marker] + big(data.count + 2, 2) + data
    }
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    bytes += segment(0xC2, [8] + big(side, 2) + big(side, 2) + [1, 1, 0x11, 0])
    // One code of one bit: for DC a difference of 0, for AC an end of 32,767 blocks.
    bytes += segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 15) + [0])
    bytes += segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0xE0])
    let blocks = ((side + 7) / 8) * ((side + 7) / 8)
    bytes += segment(0xDA, [1, 1, 0x00, 0, 0, 0])
    bytes += [UInt8](repeating: 0, count: (blocks + 7) / 8)
    for number in 1..<count {
      let coefficient = UInt8(number % 63 + 1)
      bytes += segment(0xDA, [1, 1, 0x00, coefficient, coefficient, 0])
      // 15 bits for each run, of which the first is the code.
      let runs = blocks / 32_767 + 1
      bytes += [UInt8](repeating: 0x7E, count: (runs * 15 + 7) / 8)
    }
    return bytes + [0xFF, 0xD9]
  }

  // MARK: TIFF

  /// One gray pixel; the directory after the `count`th is the first again, or none.
  static func tiff(directories count: Int, loops: Bool) -> [UInt8] {
    let tags = [
      (256, 1), (257, 1), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, 1), (279, 1),
    ]
    let entries = tags.flatMap { tag, value in
      little(tag, 2) + little([258, 259, 262, 277].contains(tag) ? 3 : 4, 2) + little(1, 4)
        + little(value, 4)
    }
    let start = 10
    let length = 2 + entries.count + 4
    var bytes = Array("II*\0".utf8) + little(start, 4) + [0x80, 0]
    bytes.reserveCapacity(start + count * length)
    for number in 1...count {
      let next = number < count ? start + number * length : loops ? start : 0
      bytes += little(tags.count, 2) + entries + little(next, 4)
    }
    return bytes
  }
}
