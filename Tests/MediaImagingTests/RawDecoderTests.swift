import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaImaging

/// A DNG of the smallest kind: a preview in the first directory, the sensor's data beneath it.
///
/// Source: TIFF 6.0 section 2; DNG 1.6 chapter 4.
struct DNGFixture {
  var preview: [UInt8]?
  var previewSize = (width: 0, height: 0)
  var orientation = 1
  /// Of a sensor with an RGGB filter; every sample of a color is the same.
  var sensor = (width: 128, height: 96)
  var colors: (red: Int, green: Int, blue: Int) = (12_000, 30_000, 6_000)

  private struct Entry {
    var tag: Int
    var type: Int
    var values: [Int]
  }

  /// A directory at an offset, its longer values behind it.
  private static func directory(_ entries: [Entry], at offset: Int) -> [UInt8] {
    var table = little(entries.count, 2)
    var values: [UInt8] = []
    let start = offset + 2 + 12 * entries.count + 4
    for entry in entries.sorted(by: { $0.tag < $1.tag }) {
      let size = [1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 10: 4][entry.type] ?? 1
      var bytes = entry.values.flatMap { little($0, size) }
      let count = entry.type == 5 || entry.type == 10 ? entry.values.count / 2 : entry.values.count
      table += little(entry.tag, 2) + little(entry.type, 2) + little(count, 4)
      if bytes.count <= 4 {
        table += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      } else {
        if bytes.count % 2 == 1 { bytes.append(0) }
        table += little(start + values.count, 4)
        values += bytes
      }
    }
    return table + little(0, 4) + values
  }

  var bytes: [UInt8] {
    let (width, height) = sensor
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let value =
          y % 2 == 0
          ? (x % 2 == 0 ? colors.red : colors.green) : (x % 2 == 0 ? colors.green : colors.blue)
        samples += little(value, 2)
      }
    }
    let text = { (text: String) in text.utf8.map(Int.init) + [0] }
    func file(
      _ places: (preview: Int, raw: Int, samples: Int)
    ) -> (bytes: [UInt8], raw: Int) {
      var first = [
        Entry(tag: 0x00FE, type: 4, values: [preview == nil ? 0 : 1]),
        Entry(tag: 0x010F, type: 2, values: text("Example")),
        Entry(tag: 0x0110, type: 2, values: text("Example One")),
        Entry(tag: 0x0112, type: 3, values: [orientation]),
        Entry(tag: 0xC612, type: 1, values: [1, 4, 0, 0]),
        Entry(tag: 0xC613, type: 1, values: [1, 1, 0, 0]),
        Entry(tag: 0xC614, type: 2, values: text("Example One")),
        // XYZ to the camera's colors, which are sRGB's.
        Entry(
          tag: 0xC621,
          type: 10,
          values: [32_406, -15_372, -4986, -9689, 18_758, 415, 557, -2040, 10_570]
            .flatMap { [$0, 10_000] }
        ),
        Entry(tag: 0xC628, type: 5, values: [1, 1, 1, 1, 1, 1]),
        Entry(tag: 0xC65A, type: 3, values: [21]),
        Entry(tag: 0x014A, type: 4, values: [places.raw]),
      ]
      if let preview = self.preview {
        first += [
          Entry(tag: 0x0100, type: 4, values: [previewSize.width]),
          Entry(tag: 0x0101, type: 4, values: [previewSize.height]),
          Entry(tag: 0x0102, type: 3, values: [8, 8, 8]),
          Entry(tag: 0x0103, type: 3, values: [7]), Entry(tag: 0x0106, type: 3, values: [6]),
          Entry(tag: 0x0111, type: 4, values: [places.preview]),
          Entry(tag: 0x0115, type: 3, values: [3]),
          Entry(tag: 0x0116, type: 4, values: [previewSize.height]),
          Entry(tag: 0x0117, type: 4, values: [preview.count]),
        ]
      }
      let raw = [
        Entry(tag: 0x00FE, type: 4, values: [0]), Entry(tag: 0x0100, type: 4, values: [width]),
        Entry(tag: 0x0101, type: 4, values: [height]), Entry(tag: 0x0102, type: 3, values: [16]),
        Entry(tag: 0x0103, type: 3, values: [1]), Entry(tag: 0x0106, type: 3, values: [32_803]),
        Entry(tag: 0x0111, type: 4, values: [places.samples]),
        Entry(tag: 0x0115, type: 3, values: [1]), Entry(tag: 0x0116, type: 4, values: [height]),
        Entry(tag: 0x0117, type: 4, values: [samples.count]),
        Entry(tag: 0x828D, type: 3, values: [2, 2]),
        Entry(tag: 0x828E, type: 1, values: [0, 1, 1, 2]),
        Entry(tag: 0xC61D, type: 4, values: [65_535]),
      ]
      let head = Array("II*\0".utf8) + little(8, 4)
      let firstDirectory = Self.directory(first, at: 8)
      let rawDirectory = Self.directory(raw, at: 8 + firstDirectory.count)
      return (head + firstDirectory + rawDirectory, 8 + firstDirectory.count)
    }
    // Lengths do not hang on where things stand.
    let draft = file((0, 0, 0))
    let start = draft.bytes.count
    let picture = self.preview ?? []
    return file((start, draft.raw, start + picture.count)).bytes + picture + samples
  }
}

@Suite("Camera raw")
struct RawDecoderTests {
  /// A JPEG, coded once for all tests.
  private static let coded: Result<[UInt8], any Error> = Result {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 320, height: 200)
    try bench.convert("scene.png", "-quality", "95", "preview.jpg")
    return try readBytes(bench.path("preview.jpg"))
  }

  private func fixture(_ bench: Bench, orientation: Int = 1) throws -> DNGFixture {
    let preview = try Self.coded.get()
    try bench.write(preview, "preview.jpg")
    return DNGFixture(preview: preview, previewSize: (320, 200), orientation: orientation)
  }

  private static let turns: [[String]] = [
    [], ["-flop"], ["-rotate", "180"], ["-flip"], ["-transpose"], ["-rotate", "90"],
    ["-transverse"], ["-rotate", "-90"],
  ]

  /// Each orientation with one of the sides, all for all.
  private static let shown: [(orientation: Int, side: Int)] =
    Amount.pairs([320, 90], Array(1...8)).map { side, orientation in (orientation, side) }

  @Test("The preview is shown, turned as the raw file says", arguments: shown)
  func preview(_ orientation: Int, _ side: Int) throws {
    let bench = Bench()
    let dng = try fixture(bench, orientation: orientation)
    try bench.convert(
      ["preview.jpg"] + Self.turns[orientation - 1] + [
        "-resize", "\(side)x\(side)", "reference.png",
      ]
    )
    let thumbnails = try ImageThumbnailer().thumbnails(
      of: dng.bytes,
      format: .dng,
      orientation: orientation,
      spec(side, side, quality: 98)
    )
    let thumbnail = try #require(thumbnails.first).bytes
    try bench.write(thumbnail, "thumbnail.jpg")
    let size = frame(thumbnail)?.prefix(2).map { "\($0)" }.joined(separator: " ")
    #expect(size == (try bench.identify("reference.png")))
    #expect(try bench.psnr("reference.png", "thumbnail.jpg") > 27)
  }

  @Test("Without a preview the sensor's data are developed")
  func development() throws {
    let bench = Bench()
    let thumbnails = try ImageThumbnailer().thumbnails(of: DNGFixture().bytes, format: .dng, spec(100, 100))
    let thumbnail = try #require(thumbnails.first)
    #expect(thumbnail.pixelSize == PixelSize(width: 64, height: 48))
    try bench.write(thumbnail.bytes, "thumbnail.jpg")
    let color = try bench.identify("thumbnail.jpg", "%[fx:mean.g>mean.r && mean.r>mean.b]")
    #expect(color == "1")
    let limited = ImageThumbnailer(limits: ImagingLimits(ItemLimits(pixels: 10_000)))
    #expect(limited.code(of: DNGFixture().bytes, format: .dng, spec(64, 64)) == .overLimit)
  }

  @Test("A file cut in its preview, or before it, is damaged")
  func cut() throws {
    let bench = Bench()
    let dng = try fixture(bench)
    let bytes = dng.bytes
    let previewEnd = bytes.count - 2 * dng.sensor.width * dng.sensor.height
    let thumbnailer = ImageThumbnailer()
    for count in stride(from: 16, to: previewEnd, by: max(1, previewEnd / 61)) {
      let code = thumbnailer.code(of: Array(bytes.prefix(count)), format: .dng, spec(64, 64))
      #expect(code == .damaged || code == .unsupported, "\(count) bytes")
    }
  }

  @Test("A preview that the file does not hold to its end is not completed from older memory")
  func cutPreview() throws {
    let bench = Bench()
    let dng = try fixture(bench)
    let bytes = dng.bytes
    let previewEnd = bytes.count - 2 * dng.sensor.width * dng.sensor.height
    let length = try #require(dng.preview).count
    // LibRaw is loaded with the first raw file.
    try #require(ImageThumbnailer().code(of: bytes, format: .dng, spec(64, 64)) == nil)
    /// The error of a file's preview, or nil.
    func code(_ count: Int) -> ImagingError.Code? {
      Array(bytes.prefix(count)).withUnsafeBytes { bytes -> ImagingError.Code? in
        do throws(ImagingError) {
          _ = try RawFile.open(bytes).preview()
          return nil
        } catch {
          return error.code
        }
      }
    }
    for missing in [1, 2, 10, 500, length / 2, length - 100] {
      #expect(code(previewEnd - missing) == .damaged, "\(missing) bytes are missing")
    }
    #expect(code(previewEnd) == nil)
  }

  @Test("A changed byte in the directories never crashes, and none takes long")
  func changed() throws {
    let bench = Bench()
    let bytes = try fixture(bench).bytes
    let thumbnailer = ImageThumbnailer()
    for index in 0..<600 {
      var changed = bytes
      changed[index] ^= 0xFF
      let seconds = processorSeconds {
        _ = thumbnailer.code(of: changed, format: .dng, spec(64, 64))
      }
      #expect(seconds < 2, "byte \(index)")
    }
  }

  @Test("A camera that LibRaw does not know still shows its preview")
  func unknownCamera() throws {
    let bench = Bench()
    let dng = try fixture(bench)
    let preview = try #require(dng.preview)
    let bytes = Array("FUJIFILMCCD-RAW ".utf8) + [UInt8](repeating: 0, count: 400) + preview
    let thumbnails = try ImageThumbnailer().thumbnails(of: bytes, format: .raf, spec(100, 100))
    #expect(thumbnails.first?.pixelSize == PixelSize(width: 100, height: 63))
  }

  @Test(
    "Real raw files without their pixels give what preview they have, or fail",
    .enabled(if: Corpus.folder != nil, "no corpus")
  )
  func corpus() throws {
    // LibRaw 0.21 finds a preview that 0.20 does not.
    let later: ImagingError.Code? = Tool.hasLibrary("libraw", atLeast: "0.21") ? nil : .damaged
    let expected: [String: ImagingError.Code?] = [
      "canon-r6.cr3": nil, "FujiFilm.raf": nil, "Panasonic.rw2": nil, "DNG.dng": later,
      "Nikon.nef": later, "CanonRaw.cr2": .unsupported,
    ]
    for (name, code) in expected {
      let path = try #require(Corpus.file("visible/raw/\(name)"))
      let format = try #require(MediaFormat(rawValue: String(name.suffix(3))))
      let bytes = try readBytes(path)
      #expect(ImageThumbnailer().code(of: bytes, format: format, spec(64, 64)) == code, "\(name)")
    }
  }
}
