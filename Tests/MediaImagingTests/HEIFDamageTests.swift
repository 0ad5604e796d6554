import Foundation
import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@Suite("Damaged and hostile HEIF")
struct HEIFDamageTests {
  typealias F = HEIFFixture

  private static let coded = Result {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 192, height: 128)
    return (try bench.hevc("scene.png"), try bench.av1("scene.png"))
  }

  @Test("A file cut anywhere is damaged")
  func cut() throws {
    let (hevc, av1) = try Self.coded.get()
    let thumbnailer = ImageThumbnailer()
    for (coded, format) in [(hevc, MediaFormat.heic), (av1, .avif)] {
      let bytes = F(items: [coded.item()], brand: format.rawValue).bytes
      #expect(thumbnailer.code(of: bytes, format: format, spec(64, 64)) == nil)
      for count in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 97)) {
        let code = thumbnailer.code(of: Array(bytes.prefix(count)), format: format, spec(64, 64))
        #expect(code == .damaged, "\(format) of \(count) bytes")
      }
    }
  }

  @Test("A changed byte anywhere never crashes, and none takes long")
  func changed() throws {
    let (hevc, av1) = try Self.coded.get()
    let thumbnailer = ImageThumbnailer()
    for (coded, format) in [(hevc, MediaFormat.heic), (av1, .avif)] {
      let bytes = F(items: [coded.item(F.irot(1))], brand: format.rawValue).bytes
      for index in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 331)) {
        var changed = bytes
        changed[index] ^= 0xFF
        let time = processorSeconds {
          _ = thumbnailer.code(of: changed, format: format, spec(64, 64))
        }
        #expect(time < 2, "byte \(index)")
      }
    }
  }

  /// Behind its headers, noise is a picture too: arithmetic coding gives every stream a meaning.
  @Test("Noise instead of a coded picture is damaged")
  func noise() throws {
    let (hevc, av1) = try Self.coded.get()
    for (coded, format) in [(hevc, MediaFormat.heic), (av1, .avif)] {
      var noisy = coded
      // The length of the first unit stays.
      for index in noisy.data.indices where index >= 4 {
        noisy.data[index] = UInt8(truncatingIfNeeded: index &* 2_654_435_761 >> 7)
      }
      let bytes = F(items: [noisy.item()], brand: format.rawValue).bytes
      #expect(ImageThumbnailer().code(of: bytes, format: format, spec(64, 64)) == .damaged)
    }
  }

  @Test("A picture that claims to be larger than allowed is refused before it is decoded")
  func largeClaim() throws {
    var coded = try Self.coded.get().0
    coded.width = 60_000
    coded.height = 60_000
    let bytes = F(items: [coded.item()]).bytes
    let time = processorSeconds {
      #expect(ImageThumbnailer().code(of: bytes, format: .heic, spec(64, 64)) == .overLimit)
    }
    #expect(time < 2)
  }

  @Test("A picture that is larger than it claims is refused by its codec")
  func smallClaim() throws {
    let (hevc, av1) = try Self.coded.get()
    for (coded, format) in [(hevc, MediaFormat.heic), (av1, .avif)] {
      var small = coded
      small.width = 16
      small.height = 16
      let bytes = F(items: [small.item()], brand: format.rawValue).bytes
      let thumbnailer = ImageThumbnailer(limits: ImagingLimits(ItemLimits(pixels: 10_000)))
      #expect(thumbnailer.code(of: bytes, format: format, spec(64, 64)) == .overLimit)
    }
  }

  @Test("Grids of grids, of themselves, and of too many parts are refused at once")
  func grids() throws {
    let coded = try Self.coded.get().0
    // Each grid has 256 parts that are the next grid: 256 to the power of the depth.
    var nested = F(items: (0..<6).map { _ in F.grid(16_384, 16_384, columns: 16, rows: 16) })
    for index in 0..<6 { nested.items[index].properties = [F.ispe(16_384, 16_384)] }
    nested.items.append(coded.item())
    nested.references = (1...6).map { ("dimg", $0, [Int](repeating: $0 + 1, count: 256)) }
    var looping = F(items: [F.grid(192, 128, columns: 1, rows: 1)])
    looping.references = [("dimg", 1, [1])]
    var derived = F(items: [F.Item(type: "iden", properties: [F.ispe(192, 128)])])
    derived.references = [("dimg", 1, [1])]
    var many = F(items: [F.grid(192, 128, columns: 256, rows: 256), coded.item()])
    many.references = [("dimg", 1, [Int](repeating: 2, count: 65_535))]
    var large = F(items: [F.grid(60_000, 60_000, columns: 1, rows: 1), coded.item()])
    large.references = [("dimg", 1, [2])]
    for (name, file) in [("nested", nested), ("looping", looping), ("derived", derived)] {
      let time = processorSeconds {
        let code = ImageThumbnailer().code(of: file.bytes, format: .heic, spec(64, 64))
        #expect(code == .overLimit, "\(name)")
      }
      #expect(time < 2, "\(name)")
    }
    for (name, file) in [("many", many), ("large", large)] {
      let time = processorSeconds {
        let code = ImageThumbnailer().code(of: file.bytes, format: .heic, spec(64, 64))
        #expect(code == .overLimit || code == .damaged, "\(name)")
      }
      #expect(time < 2, "\(name)")
    }
  }

  @Test("A thumbnail without a side is not taken", arguments: [(192, 2, 96, 0), (2, 128, 0, 64)])
  func emptyThumbnail(width: Int, height: Int, ownWidth: Int, ownHeight: Int) throws {
    var coded = try Self.coded.get().0
    (coded.width, coded.height) = (width, height)
    var thumbnail = coded
    (thumbnail.width, thumbnail.height) = (ownWidth, ownHeight)
    let thumbnailer = ImageThumbnailer()
    let plain = F(items: [coded.item()]).bytes
    var file = F(items: [coded.item(), thumbnail.item()])
    file.references = [("thmb", 2, [1])]
    #expect(
      try thumbnailer.thumbnails(of: file.bytes, format: .heic, spec(16, 16))
        == thumbnailer.thumbnails(of: plain, format: .heic, spec(16, 16))
    )
  }

  @Test("Extents that take no bytes in the file are counted")
  func manyExtents() throws {
    var file = F(items: [try Self.coded.get().0.item()])
    file.locations = { _ in
      let item = big(101, 2) + big(0, 2) + big(0xFFFF, 2)
      return [0, 0] + big(8, 2) + (0..<8).flatMap { _ in item }
    }
    #expect(ImageThumbnailer().code(of: file.bytes, format: .heic, spec(64, 64)) == .overLimit)
  }

  @Test("A picture's bytes may stand in several places, but not be more than the file has")
  func severalExtents() throws {
    func iloc(_ extents: [(Int, Int)]) -> [UInt8] {
      [0x44, 0] + big(1, 2) + big(1, 2) + big(0, 2) + big(extents.count, 2)
        + extents.flatMap { big($0.0, 4) + big($0.1, 4) }
    }
    let thumbnailer = ImageThumbnailer()
    var file = F(items: [try Self.coded.get().0.item()])
    let plain = try thumbnailer.thumbnails(of: file.bytes, format: .heic, spec(64, 64))
    file.locations = { places in
      let (offset, length) = places[0]
      return iloc([(offset, 9), (offset + 9, length - 9)])
    }
    #expect(try thumbnailer.thumbnails(of: file.bytes, format: .heic, spec(64, 64)) == plain)
    file.locations = { places in
      iloc([places[0]] + [(Int, Int)](repeating: places[0], count: 2000))
    }
    #expect(thumbnailer.code(of: file.bytes, format: .heic, spec(64, 64)) == .damaged)
  }

  @Test("What a picture's transparency takes is counted once, and all of it")
  func manyAlphas() throws {
    let coded = try Self.coded.get().0
    var other = coded
    other.type = "vvc1"
    let grid = F.grid(192 * 64, 128 * 64, columns: 64, rows: 64, F.alpha)
    var file = F(items: [coded.item(), grid, coded.item(), other.item(F.alpha)])
    file.references = [("dimg", 2, [Int](repeating: 3, count: 4096))]
    file.references += (0..<4000).map { _ in ("auxl", 2, [1]) } + [("auxl", 4, [1])]
    let time = processorSeconds {
      #expect(ImageThumbnailer().code(of: file.bytes, format: .heic, spec(64, 64)) == .unsupported)
    }
    #expect(time < 2)
    var large = coded
    (large.width, large.height) = (15_000, 15_000)
    var many = F(items: [coded.item()] + (0..<5).map { _ in large.item(F.alpha) })
    many.references = (2...6).map { ("auxl", $0, [1]) }
    #expect(ImageThumbnailer().code(of: many.bytes, format: .heic, spec(64, 64)) == .overLimit)
  }

  @Test("A coding that nobody decodes is unsupported, and a sequence without a picture too")
  func unsupported() throws {
    var coded = try Self.coded.get().0
    coded.type = "vvc1"
    let bytes = F(items: [coded.item()]).bytes
    #expect(ImageThumbnailer().code(of: bytes, format: .heic, spec(64, 64)) == .unsupported)
    let sequence = isoBox("ftyp", F.text("hevc") + big(0, 4)) + isoBox("moov", [])
    #expect(ImageThumbnailer().code(of: sequence, format: .heic, spec(64, 64)) == .unsupported)
  }

  @Test("Real damaged files are failures", .enabled(if: Corpus.folder != nil, "no corpus"))
  func corpus() throws {
    for name in ["corrupted", "truncated", "oom_large_box"] {
      let path = try #require(Corpus.file("visible/edge/\(name).heic"))
      let code = ImageThumbnailer().code(of: try readBytes(path), format: .heic, spec(64, 64))
      #expect(code == .damaged, "\(name)")
    }
  }
}
