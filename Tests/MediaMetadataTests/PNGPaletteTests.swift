import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite(
  "Colors of a PNG's palette that no pixel uses",
  .enabled(if: Tool.exists("identify"), "no ImageMagick")
)
struct PNGPaletteTests {
  struct Form: CustomStringConvertible, Sendable {
    var depth: Int
    var isInterlaced: Bool
    var description: String { "\(depth) bits\(isInterlaced ? ", interlaced" : "")" }
    static let all = [1, 2, 4, 8].flatMap { depth in
      [false, true].map { Form(depth: depth, isInterlaced: $0) }
    }

    /// The number of colors that pixels use, of those that the palette has.
    var usedCount: Int { [1: 1, 2: 3][depth] ?? 5 }
    var colorCount: Int { 1 << depth }

    /// Rows of pixels, each with another filter than the one before it.
    func stream(width: Int, height: Int, used: Int) -> [UInt8] {
      let passes =
        isInterlaced
        ? [
          (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
          (0, 1, 1, 2),
        ] : [(0, 0, 1, 1)]
      var content: [UInt8] = []
      for (left, top, stepX, stepY) in passes where left < width {
        var above = [UInt8](repeating: 0, count: width)
        for (index, y) in stride(from: top, to: height, by: stepY).enumerated() {
          var bits: [Int] = []
          for x in stride(from: left, to: width, by: stepX) {
            let color = (x + 2 * y) % used
            bits += (0..<depth).map { color >> (depth - 1 - $0) & 1 }
          }
          // Bits behind the last pixel are ones: they are no pixels.
          bits += [Int](repeating: 1, count: (8 - bits.count % 8) % 8)
          let row = stride(from: 0, to: bits.count, by: 8).map { offset in
            UInt8(bits[offset..<(offset + 8)].reduce(0) { $0 << 1 | $1 })
          }
          content.append(UInt8(index % 5))
          for offset in row.indices {
            let a = offset > 0 ? Int(row[offset - 1]) : 0
            let (b, c) = (Int(above[offset]), offset > 0 ? Int(above[offset - 1]) : 0)
            let distances = [abs(b - c), abs(a - c), abs(a + b - 2 * c)]
            let nearest = [a, b, c][distances.firstIndex(of: distances.min() ?? 0) ?? 0]
            let predicted = [0, a, b, (a + b) / 2, nearest][index % 5]
            content.append(row[offset] &- UInt8(truncatingIfNeeded: predicted))
          }
          above = row
        }
      }
      return Zlib.stored(content)
    }

    func file(palette: [UInt8], alpha: [UInt8], after: [UInt8] = [], frames: [UInt8] = [])
      -> [UInt8]
    {
      let (width, height) = (37, 29)
      return TinyPNG.signature
        + pngChunk("IHDR", big(width) + big(height) + [UInt8(depth), 3, 0, 0, isInterlaced ? 1 : 0])
        + pngChunk("PLTE", palette) + pngChunk("tRNS", alpha) + after
        + pngChunk("IDAT", stream(width: width, height: height, used: usedCount)) + frames
        + TinyPNG.end
    }

    /// The colors that are used, then text or what is left of it.
    func palette(_ isPlanted: Bool, kept: Set<Int> = []) -> [UInt8] {
      (0..<(3 * colorCount)).map { index in
        let text = Array("Jane Doe, 48.1371N 11.5754E; ".utf8)
        if index / 3 < usedCount { return UInt8(200 - index) }
        return isPlanted || kept.contains(index / 3) ? text[index % text.count] : 0
      }
    }

    func alpha(_ isPlanted: Bool, kept: Set<Int> = []) -> [UInt8] {
      (0..<colorCount).map { index in
        let text = Array("serial 0815-4711".utf8)
        if index < usedCount { return UInt8(100 + index) }
        return isPlanted || kept.contains(index) ? text[index % text.count] : 255
      }
    }
  }

  /// The pixels with their transparency, as ImageMagick decodes them.
  private func pixels(_ bytes: [UInt8]) throws -> String {
    let folder = TemporaryFolder()
    let path = folder.path + "/picture.png"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let result = try Tool.run("identify", ["-format", "%#", path])
    try #require(result.status == 0, "\(result.error)")
    return result.output
  }

  @Test("They are black and opaque, whatever depth, filters and passes", arguments: Form.all)
  func unused(form: Form) throws {
    let planted = form.file(palette: form.palette(true), alpha: form.alpha(true))
    let (output, list) = try strip(planted, .png)
    #expect(output == form.file(palette: form.palette(false), alpha: form.alpha(false)))
    #expect(list.removedNames == ["unused colors": 2])
    #expect(try pixels(output) == pixels(planted))
    let again = try strip(output, .png)
    #expect(again.output == output && again.list.removed.isEmpty)
    withSource(planted) { source in
      #expect(code { try Stripper.verify(output: source, format: .png) } == .residue)
    }
    withSource(output) { source in
      #expect(code { try Stripper.verify(output: source, format: .png) } == nil)
    }
  }

  @Test("Transparency in front of the palette is none, and that behind it stays")
  func early() throws {
    let form = Form(depth: 4, isInterlaced: false)
    let file = form.file(palette: form.palette(false), alpha: form.alpha(false))
    let text = pngChunk("tRNS", Array("Jane Doe, 48.13N".utf8))
    let end = TinyPNG.signature.count + pngChunk("IHDR", [UInt8](repeating: 0, count: 13)).count
    let planted = file[..<end] + text + file[end...]
    let (output, list) = try strip(Array(planted), .png)
    #expect(output == file && list.removedNames == ["tRNS": 1])
    #expect(try pixels(output) == pixels(Array(planted)))
    withSource(Array(planted)) { source in
      #expect(code { try Stripper.verify(output: source, format: .png) } == .residue)
    }
  }

  @Test("A color of the background, and one of a frame of an animation, stay")
  func others() throws {
    let form = Form(depth: 4, isInterlaced: false)
    let control = pngChunk("acTL", big(1) + big(0))
    let frame =
      pngChunk("fcTL", big(0) + big(1) + big(1) + [UInt8](repeating: 0, count: 14))
      // One pixel of color 9.
      + pngChunk("fdAT", big(1) + Zlib.stored([0, 0x90]))
    let after = pngChunk("bKGD", [7]) + control
    let planted = form.file(
      palette: form.palette(true),
      alpha: form.alpha(true),
      after: after,
      frames: frame
    )
    let expected = form.file(
      palette: form.palette(false, kept: [7, 9]),
      alpha: form.alpha(false, kept: [7, 9]),
      after: after,
      frames: frame
    )
    #expect(try strip(planted, .png).output == expected)
  }
}
