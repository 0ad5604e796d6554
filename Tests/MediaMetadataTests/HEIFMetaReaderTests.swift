import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("HEIC and AVIF: the strict and the lenient reading")
struct HEIFMetaReaderTests {
  private static func plain() -> HEIFFixture {
    var file = HEIFFixture()
    file.properties = [TinyCoded.hvcC(), TinyCoded.ispe(8, 6)]
    let data = TinyCoded.nal(19, Array("one".utf8))
    file.items = [.init(number: 1, type: "hvc1", data: data, properties: [-1, 2])]
    return file
  }

  private func readings(
    _ bytes: [UInt8]
  ) throws -> (strict: MetadataError.Code?, lenient: HEIFMeta) {
    try withSource(bytes) { source in
      let box = try #require(ISOBoxes.first("meta", in: 0..<source.length, of: source))
      let strict = code { _ = try HEIFMetaReader.read(box.body, of: source) }
      return (strict, HEIFMetaReader.readLeniently(box.body, of: source))
    }
  }

  @Test("What a strict reading calls ambiguous, a lenient one reads")
  func ambiguous() throws {
    var second = Self.plain()
    second.inMeta = isoFullBox("pitm", big(7, 2))
    var twice = Self.plain()
    twice.items.append(twice.items[0])
    var grids = Self.plain()
    grids.items.append(.init(number: 2, type: "grid", data: [0, 0, 0, 0, 0, 8, 0, 8]))
    grids.references = [("dimg", 2, [1]), ("dimg", 2, [1])]
    for file in [second, twice, grids] {
      let (strict, lenient) = try readings(file.bytes)
      #expect(strict == .damaged && lenient.damage == nil)
      #expect(Set(lenient.items.map(\.identifier)).count == lenient.items.count)
      #expect(facts(ofHEIF: file.bytes)?.pixelSize == PixelSize(width: 8, height: 6))
    }
    #expect(try readings(second.bytes).lenient.primary == 1)
    #expect(try readings(Self.plain().bytes).strict == nil)
  }

  @Test("The size of a grid without ispe is in its data")
  func gridSize() {
    var file = Self.plain()
    for (data, size) in [
      ([0, 0, 0, 0, 0, 7, 0, 5], (7, 5)), ([0, 1, 0, 0, 0, 0, 0, 7, 0, 0, 0, 6], (7, 6)),
    ] as [([UInt8], (Int, Int))] {
      file.items = [
        .init(number: 1, type: "grid", data: data),
        .init(number: 2, type: "hvc1", data: TinyCoded.nal(19, [1]), properties: [-1, 2]),
      ]
      file.references = [("dimg", 1, [2])]
      #expect(facts(ofHEIF: file.bytes)?.pixelSize == PixelSize(width: size.0, height: size.1))
    }
  }

  @Test("Behind damage, a lenient reading goes on and tells it")
  func damage() throws {
    for type in ["iloc", "iref"] {
      var file = Self.plain()
      file.references = [("cdsc", 1, [1])]
      var bytes = file.bytes
      let offset = try #require(bytes.indices.first { bytes[$0...].starts(with: type.utf8) })
      // Another version, with wider fields than there are.
      bytes[offset + 4] = type == "iloc" ? 3 : 1
      let (strict, lenient) = try readings(bytes)
      #expect(strict != nil && lenient.damage?.code == strict, "\(type)")
      #expect(facts(ofHEIF: bytes)?.pixelSize == PixelSize(width: 8, height: 6), "\(type)")
    }
  }

  @Test("A file that says much of one item costs a lenient reading little time")
  func repetition() throws {
    var file = Self.plain()
    file.items += (0..<2000).map { _ in file.items[0] }
    file.references = (0..<20_000).map { _ in ("cdsc", 1, [1]) }
    let bytes = file.bytes
    let seconds = processorSeconds { _ = facts(ofHEIF: bytes) }
    #expect(seconds < 20)
  }
}
