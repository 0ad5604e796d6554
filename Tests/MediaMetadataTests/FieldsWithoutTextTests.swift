import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Fields of numbers that are written anew so that no text fits in them.
@Suite("Fields of numbers in which a text would fit")
struct FieldsWithoutTextTests {
  typealias T = TinyTIFFFile
  private static let words = Array("Jane Doe, 48.1371N 11.5754E, serial 0815-4711; ".utf8)

  private static func text(_ count: Int) -> [UInt8] {
    (0..<count).map { words[$0 % words.count] }
  }

  private func refuses(_ output: [UInt8], _ format: MediaFormat) -> Bool {
    withSource(output) { source in
      code { try Stripper.verify(output: source, format: format) } == .residue
    }
  }

  @Test("A movie's matrices keep the numbers that turn a picture, and nothing else fits in them")
  func matrix() throws {
    let film = TinyMovie.film.bytes
    let start = big(0x10000) + [UInt8](repeating: 0, count: 12) + big(0x10000)
    let identity = try #require(film.indices.first { film[$0...].starts(with: start) })
    var planted = film
    planted.replaceSubrange(identity..<(identity + 36), with: Self.text(36))
    let output = try stripMovie(planted).output
    let text = Self.text(36)
    let zero: [UInt8] = [0, 0, 0, 0]
    var expected: [UInt8] = text[..<8] + zero
    expected += text[12..<20] + zero
    expected += text[24..<32] + [0x40, 0, 0, 0]
    #expect(output.indices.contains { output[$0...].starts(with: expected) })
    #expect(try stripMovie(output).output == output)
    // One of zeros stays what it was.
    planted.replaceSubrange(identity..<(identity + 36), with: [UInt8](repeating: 0, count: 36))
    let zeros = try stripMovie(planted).output
    #expect(zeros.count == output.count && zeros != output)
    #expect(try stripMovie(zeros).output == zeros)
  }

  @Test("Of an AVI's picture properties the ratio and the shape stay")
  func properties() throws {
    let file = { (properties: [UInt8]) in
      TinyAVI.file(streams: TinyAVI.video(riffChunk("vprp", properties)) + TinyAVI.sound())
    }
    let text = Self.text(100)
    for length in [68, 72, 100] {
      let output = try strip(file(Array(text.prefix(length))), .avi).output
      var expected = [UInt8](repeating: 0, count: 20) + text[20..<32]
      expected += little((length - 36) / 32)
      expected += [UInt8](repeating: 0, count: length - 36)
      let chunk = riffChunk("vprp", expected)
      #expect(output.indices.contains { output[$0...].starts(with: chunk) }, "\(length)")
      #expect(try strip(output, .avi).output == output)
      let offset = try #require(output.indices.first { output[$0...].starts(with: chunk) })
      var changed = output
      changed[offset + 8 + 36] = 1
      #expect(refuses(changed, .avi))
    }
  }

  /// A page of four colors, of which pixels use the first and the last.
  private static func palette(_ colors: [Int], compression: Int = 1) -> [UInt8] {
    let values = colors + colors + colors
    let entry: T.Entry = (0x0140, 3, values.count, values.flatMap { little($0, 2) })
    let page = T.page(strip: 8, compression: compression, count: 2)
      .filter { ![0x0102, 0x0106].contains($0.tag) }
    return T.file(
      [entry, T.short(0x0102, 2), T.short(0x0106, 3)],
      page: page,
      strip: [0b0011_0011, 0b1100_0000]
    )
  }

  @Test("Colors of a TIFF's palette that no pixel uses are black where pixels are not compressed")
  func colors() throws {
    let (output, list) = try strip(Self.palette([100, 0x4A61, 0x6E65, 200]), .tiff)
    #expect(output == (try strip(Self.palette([100, 0, 0, 200]), .tiff).output))
    #expect(list.removedNames["unused colors"] == 1)
    let again = try strip(output, .tiff)
    #expect(again.output == output && again.list.removed.isEmpty)
    let red = [100, 0, 0, 200].flatMap { little($0, 2) }
    let offset = try #require(output.indices.first { output[$0...].starts(with: red) })
    var changed = output
    changed[offset + 2] = 1
    #expect(refuses(changed, .tiff))
    // The bytes of compressed pixels are not read.
    let packed = try strip(Self.palette([100, 0x4A61, 0x6E65, 200], compression: 5), .tiff)
    #expect(packed.list.removedNames["unused colors"] == nil)
  }

  @Test("A DNG's fractions stay, or are as near as a millionth where a text would fit")
  func fractions() throws {
    // Numbers and what becomes of them; each is one of three of a matrix.
    let cases: [(above: Int, below: Int, expected: (Int, Int))] = [
      (32_406, 10_000, (32_406, 10_000)), (-7, 0x1FFF_FFFF, (-7, 0x1FFF_FFFF)),
      (0x6000_0000, 0x4000_0000, (3, 2)), (-0x2000_0000, 0x4000_0000, (-1, 2)),
      (5, -10, (-1, 2)), (0x4A61_6E65, 0x2044_6F65, (2_305_137, 1_000_000)),
      (0, 0x4A61_6E65, (0, 1)),
    ]
    for (above, below, expected) in cases {
      var file = TinyDNG()
      let value = [[UInt8]](repeating: little(above) + little(below), count: 9).flatMap { $0 }
      file.inRaw = [(50722, 10, 9, value)]
      let output = try strip(file.bytes, .dng).output
      let field = try withSource(output) { try DNGFile(of: $0).pictures[0].bytes(50722) }
      let pairs = [[UInt8]](repeating: little(expected.0) + little(expected.1), count: 9)
      #expect(field == pairs.flatMap { $0 }, "\(above) / \(below)")
      #expect(try strip(output, .dng).output == output)
    }
  }

  @Test("Depths of channels that are no depths go with their property")
  func depths() throws {
    let cases: [([UInt8], Bool)] = [
      ([8, 8, 8], true), (Self.text(20), false), ([16], true), ([0], false),
    ]
    for (depths, isKept) in cases {
      let box = isoFullBox("pixi", [UInt8(depths.count)] + depths)
      let disposition = try withSource(box) { source in
        var boxes = ISOBoxes(source, in: 0..<source.length)
        let first = boxes.next()
        return try PictureProperty.judge(try #require(first), in: source)
      }
      let expected: PictureProperty.Disposition = isKept ? .kept(box) : .removed("pixi")
      #expect(disposition == expected)
    }
  }
}
