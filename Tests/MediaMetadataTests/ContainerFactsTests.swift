import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("What a container says")
struct ContainerFactsTests {
  @Test(
    "A file that is described has the facts and the description that two readings give, and what its other blocks say",
    .enabled(if: Corpus.folder != nil, "no corpus")
  )
  func described() throws {
    var formats: [MediaFormat: Int] = [:]
    for path in Corpus.files(beneath: "visible") + Corpus.files(beneath: "damaged") {
      try withSource(try readBytes(path)) { source in
        guard let format = FormatSniffer.format(of: source),
          var expected = try? MetadataReader.facts(of: source, format: format)
        else { return }
        expected.description = MetadataReader.description(of: source, format: format)
        let described = try MetadataReader.describedFacts(of: source, format: format)
        // Without a description blocks other than Exif's are not read.
        expected.lensModel = expected.lensModel ?? described.lensModel
        expected.camera = expected.camera ?? described.camera
        expected.creationDate = described.creationDate ?? expected.creationDate
        expected.hasLocation = expected.hasLocation || described.hasLocation
        #expect(described == expected, "\(path)")
        if described.camera != nil { formats[format, default: 0] += 1 }
      }
    }
    #expect(formats[.jpeg] ?? 0 > 20)
  }

  @Test("A HEIC's size is its primary item's, its turn is irot's, its Exif an item's")
  func heif() throws {
    let block = TinyTIFF.block(
      [.short(0x0112, 8), .text(0x010F, "Make")],
      exif: [.text(0x9003, "2026:01:02 03:04:05")]
    )
    for (angle, orientation) in [(UInt8(0), 1), (1, 8), (2, 3), (3, 6)] {
      let facts = try facts(of: TinyHEIF.file(exif: block, angle: angle))
      #expect(facts.pixelSize == PixelSize(width: 40, height: 30))
      #expect(facts.orientation == orientation)
      #expect(facts.creationDate?.local == "2026-01-02T03:04:05")
      #expect(facts.camera == "Make")
    }
    // Another file's item, or one outside of this file, is absent, and no error.
    for method in [0, 2, 3] {
      #expect(try facts(of: TinyHEIF.file(exif: block, method: method)).camera == nil)
    }
  }

  @Test(
    "A movie's track matrix is its orientation",
    arguments: [
      ([0x10000, 0, 0, 0x10000], 1), ([0, 0x10000, -0x10000, 0], 6),
      ([-0x10000, 0, 0, -0x10000], 3),
      ([0, -0x10000, 0x10000, 0], 8), ([1, 2, 3, 4], 1),
    ]
  )
  func movie(matrix: [Int], orientation: Int) throws {
    let facts = try facts(of: TinyHEIF.movie(matrix: matrix))
    #expect(facts.format == .mov)
    #expect(facts.pixelSize == PixelSize(width: 64, height: 48))
    #expect(facts.orientation == orientation)
    #expect(facts.durationMilliseconds == 2000)
    #expect(try statesPlace(TinyHEIF.movie(matrix: matrix)))
    #expect(facts.creationDate == nil)
  }

  @Test(
    "A movie header's date counts from 1904, in UTC; 0 and the beginning of 1970 are none",
    arguments: [
      (0, nil), (1_451_692_800, "1950-01-01T00:00:00"), (2_082_844_800, nil),
      (2_082_844_801, "1970-01-01T00:00:01"),
      (3_834_000_000, "2025-06-29T00:00:00"),
    ]
  )
  func movieDate(created: Int, expected: String?) throws {
    let date = try facts(of: TinyHEIF.movie(matrix: [1, 0, 0, 1], created: created)).creationDate
    #expect(date?.local == expected)
    #expect(date?.tag == (expected == nil ? nil : "mvhd"))
    #expect(date?.offsetMinutes == (expected == nil ? nil : 0))
  }

  @Test(
    "The long form of a movie header's date is signed; one beyond the calendar is marked",
    arguments: [
      (0, nil), (-1, nil), (2_082_844_800, nil), (2_082_844_801, "1970-01-01T00:00:01"),
      (-2_461_363_200, "1826-01-01T00:00:00"), (.min, "0000-01-01"), (.max, "0000-01-01"),
    ] as [(Int64, String?)]
  )
  func longMovieDate(created: Int64, expected: String?) {
    let body = [1, 0, 0, 0] + withUnsafeBytes(of: created.bigEndian) { Array($0) }
    let (date, stated) = withSource(body) { source in
      (
        MovieHeader.dateOrImpossible(of: source, in: 0..<body.count),
        MovieHeader.creationDate(of: source, in: 0..<body.count)
      )
    }
    #expect(date?.local == expected)
    #expect(stated?.local == (expected == "0000-01-01" ? nil : expected))
  }

  @Test(
    "A duration is whole milliseconds, and an absurd one is none",
    arguments: [
      (UInt64(1200), UInt64(600), 2000), (1, 3, 333), (0, 600, nil), (.max, 1, nil),
      (.max, .max, 1000),
      (1, 0, nil), (366 * 86_400, 1, 31_622_400_000), (367 * 86_400, 1, nil),
    ]
  )
  func duration(length: UInt64, timescale: UInt64, expected: Int?) {
    #expect(MovieHeader.milliseconds(length, timescale: timescale) == expected)
  }

  @Test("A WebP's size comes from whichever of its three headers it has")
  func webp() throws {
    let file = { (type: String, body: [UInt8]) -> [UInt8] in
      let chunk = Array("WEBP".utf8) + Array(type.utf8) + little(body.count) + body
      return Array("RIFF".utf8) + little(chunk.count) + chunk
    }
    let expected = PixelSize(width: 300, height: 200)
    #expect(try facts(of: file("VP8X", [0, 0, 0, 0, 0x2B, 1, 0, 199, 0, 0])).pixelSize == expected)
    #expect(
      try facts(of: file("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0x2C, 0x41, 200, 0x80])).pixelSize
        == expected
    )
    let bits = 299 | 199 << 14
    #expect(try facts(of: file("VP8L", [0x2F] + little(bits))).pixelSize == expected)
    #expect(code { _ = try facts(of: file("VP8L", [0x2E] + little(bits))) } == .damaged)
    #expect(code { _ = try facts(of: file("JUNK", [])) } == .damaged)
  }

  @Test("A GIF's size is its screen's, or its first picture's")
  func gif() throws {
    let image: [UInt8] = [0x21, 0xFE, 2, 1, 2, 0, 0x2C, 0, 0, 0, 0, 5, 0, 6, 0, 0]
    for (screen, expected) in [
      (3, PixelSize(width: 3, height: 4)), (0, PixelSize(width: 5, height: 6)),
    ] {
      let bytes =
        Array("GIF89a".utf8) + little(screen, 2) + little(4, 2) + [0x80, 0, 0]
        + [UInt8](repeating: 9, count: 6) + image
      #expect(try facts(of: bytes).pixelSize == expected)
    }
    #expect(code { _ = try facts(of: Array("GIF89a".utf8) + [0, 0, 0, 0, 0, 0, 0]) } == .damaged)
  }

  @Test("A WAV's and a FLAC's duration come from their headers")
  func audio() throws {
    let fmt =
      Array("fmt ".utf8) + little(16) + little(1, 2) + little(1, 2) + little(8000)
      + little(16_000) + little(2, 2) + little(16, 2)
    let body =
      Array("WAVE".utf8) + fmt + Array("data".utf8) + little(8000)
      + [UInt8](repeating: 0, count: 8000)
    #expect(try facts(of: Array("RIFF".utf8) + little(body.count) + body).durationMilliseconds == 500)
    // 44,100 Hz, 22,050 samples.
    let info: [UInt8] =
      [UInt8](repeating: 0, count: 10) + [0x0A, 0xC4, 0x42, 0xF0, 0, 0, 0x56, 0x22]
      + [UInt8](repeating: 0, count: 16)
    let flac = Array("fLaC".utf8) + [0x80, 0, 0, 34] + info
    #expect(try facts(of: flac).durationMilliseconds == 500)
    #expect(code { _ = try facts(of: Array("fLaC".utf8)) } == .damaged)
  }
}
