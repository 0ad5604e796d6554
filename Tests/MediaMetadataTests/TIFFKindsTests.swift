import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

@Suite("Unusual TIFFs that are whole")
struct TIFFKindsTests {
  typealias T = TinyTIFFFile

  @Test("The offset of a next directory may be missing at the end of the file")
  func noNext() throws {
    let whole = T.file()
    let wanted = try strip(whole, .tiff).output
    for missing in 1...4 {
      let bytes = Array(whole.dropLast(missing))
      #expect(try strip(bytes, .tiff).output == wanted, "\(missing)")
      #expect(try facts(of: bytes).frameCount == nil)
    }
    #expect(code { _ = try strip(Array(whole.dropLast(5)), .tiff) } == .damaged)
    // The last page of several, too; not one in front of others.
    let second = T.directory(T.page(strip: 8), at: whole.count)
    let two = T.file(after: second, next: whole.count)
    let output = try strip(Array(two.dropLast(4)), .tiff).output
    #expect(try output == strip(two, .tiff).output)
  }

  private static func fractions(_ tag: Int, _ values: [(Int, Int)]) -> T.Entry {
    (tag, 5, values.count, values.flatMap { little($0.0) + little($0.1) })
  }

  @Test(
    "Fractions are written from their values, and a text in them goes",
    arguments: [(0x013E, 2), (0x013F, 6), (0x0211, 3), (0x0214, 6)]
  )
  func fractions(tag: Int, count: Int) throws {
    let wanted = try strip(T.file(), .tiff).output
    // As text the numbers are up to 4; with bits of the letters changed, all are between 0 and 1.
    for mask in [UInt8(0), 0x40] {
      let text = Array("Jane Doe, 48.1371N 11.5754E, serial 0815-4711 of Erika M.".utf8)
        .prefix(8 * count).enumerated().map { $0.offset % 8 == 3 ? $0.element & ~mask : $0.element }
      let bytes = T.file([(tag, 5, count, text)])
      let (output, list) = try strip(bytes, .tiff)
      #expect(list.removed.count == 1)
      for start in stride(from: 0, to: text.count - 8, by: 1) {
        let part = text[start..<(start + 9)]
        #expect(!output.indices.contains { output[$0...].starts(with: part) })
      }
      #expect(try strip(output, .tiff).output == output)
    }
    for value in [(1, 0), (0xFFFF_FFFF, 1)] {
      let bytes = T.file([Self.fractions(tag, Array(repeating: value, count: count))])
      #expect(try strip(bytes, .tiff).output == wanted)
    }
    let plain = T.file([Self.fractions(tag, Array(repeating: (3127, 10_000), count: count))])
    let output = try strip(plain, .tiff).output
    #expect(output.indices.contains { output[$0...].starts(with: little(3127) + little(10_000)) })
    let binary = T.file(
      [Self.fractions(tag, Array(repeating: (1_343_036_273, 4_294_967_295), count: count))]
    )
    let rounded = try strip(binary, .tiff).output
    let expected = tag == 0x0214 ? (3127, 10_000) : (312_700, 1_000_000)
    let written = little(expected.0) + little(expected.1)
    #expect(rounded.indices.contains { rounded[$0...].starts(with: written) })
  }

  @Test(
    "A rounded white point is the same to another program",
    .enabled(if: Tool.exists("exiftool"), "no exiftool")
  )
  func whitePoint() throws {
    let folder = TemporaryFolder()
    let bytes = T.file([Self.fractions(0x013E, [(1_343_036_273, 4_294_967_295), (329, 1000)])])
    for (name, content) in [("a", bytes), ("b", try strip(bytes, .tiff).output)] {
      let path = "\(folder.path)/\(name).tif"
      try Data(content).write(to: URL(fileURLWithPath: path))
      let result = try Tool.run("exiftool", ["-s3", "-WhitePoint", path])
      #expect(result.output.hasPrefix("0.3127") && result.output.contains(" 0.329"), "\(name)")
    }
  }

  @Test("A BigTIFF becomes the TIFF of the same picture", arguments: [ByteOrder.big, .little])
  func bigTIFF(order: ByteOrder) throws {
    let text = Array("canary".utf8)
    let bytes = TinyBigTIFF.file(order, extra: [(0x010F, 2, 6, text), (0x0131, 2, 6, text)])
    #expect(format(of: bytes) == .tiff)
    let facts = try facts(of: bytes)
    #expect(facts.pixelSize == PixelSize(width: 4, height: 2))
    #expect(facts.camera == "canary")
    let (output, list) = try strip(bytes, .tiff)
    #expect(list.removedNames["Make"] == 1 && list.removedNames["Software"] == 1)
    #expect(try strip(output, .tiff).output == output)
    let page =
      T.page(strip: 8).filter { ![0x0100, 0x0116].contains($0.tag) }
      + [T.long(0x0100, 4), T.long(0x0116, 2)]
    let plain = try strip(T.file(page: page), .tiff).output
    if order == .little { #expect(output == plain) }
    #expect(output.count == plain.count && output.suffix(8) == T.pixels[...])
    let entries = try withSource(bytes) { try MetadataInspector.entries(of: $0, format: .tiff) }
    #expect(entries.filter(\.isRemoved).map(\.path) == ["page 1/Make", "page 1/Software"])
    let options = StripOptions(except: [.camera])
    #expect(try strip(bytes, .tiff, options).output.count > output.count)
  }

  @Test("Numbers of 64 bits that no file can have are damage")
  func bigBounds() {
    let whole = TinyBigTIFF.file(.little)
    for offset in stride(from: 0, to: whole.count, by: 4) {
      for value in [[UInt8](repeating: 0xFF, count: 8), [0, 0, 0, 0, 0, 0, 0, 0x7F]] {
        var bytes = whole
        for index in 0..<min(8, whole.count - offset) { bytes[offset + index] = value[index] }
        _ = code { _ = try strip(bytes, .tiff) }
        _ = try? facts(of: bytes)
      }
      _ = code { _ = try strip(Array(whole[..<offset]), .tiff) }
    }
    for offset in [8, 24] {
      var bytes = whole
      bytes.replaceSubrange(offset..<(offset + 8), with: [0xF0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
      #expect(code { _ = try strip(bytes, .tiff) } == .damaged)
    }
  }

  @Test("Tiles may stand in the tags of strips, and strips in those of tiles")
  func tiles() throws {
    let size = [T.short(0x0142, 4), T.short(0x0143, 2)]
    let page = T.page(strip: 8).filter { $0.tag != 0x0116 }
    let right = page.map { entry -> T.Entry in
      let tag = [0x0111: 0x0144, 0x0117: 0x0145][entry.tag] ?? entry.tag
      return (tag, entry.type, entry.count, entry.value)
    }
    let wanted = try strip(T.file(page: right + size), .tiff).output
    #expect(try strip(T.file(page: page + size), .tiff).output == wanted)
    let plain = try strip(T.file(page: page), .tiff).output
    #expect(try strip(T.file(page: right), .tiff).output == plain)
  }

  @Test("Numbers may have another length, and extra samples that no reader knows go")
  func extraSamples() throws {
    let two =
      T.page(strip: 8).filter { ![0x0100, 0x0102, 0x0115].contains($0.tag) }
      + [T.short(0x0100, 2), T.short(0x0102, 8, 8), T.short(0x0115, 2)]
    func output(_ extra: [T.Entry]) throws -> [UInt8] {
      try strip(T.file(page: two + extra), .tiff).output
    }
    let alpha = try output([T.short(0x0152, 2)])
    #expect(try output([T.undefined(0x0152, [2], type: 1)]) == alpha)
    #expect(try output([T.long(0x0152, 2)]) == alpha)
    #expect(try output([T.short(0x0152, 999)]) == alpha)
    let none = try output([])
    for extra in [T.short(0x0152, 3), T.short(0x0152, 2, 2, 2), T.undefined(0x0152, [65, 66])] {
      #expect(try output([extra]) == none)
    }
  }
}

@Suite("Old-style JPEG in TIFF")
struct TIFFOldJPEGTests {
  typealias T = TinyTIFFFile

  /// A directory of old-style JPEG around a stream, which stands at `offset`.
  private static func page(_ jpeg: [UInt8], at offset: Int) -> [T.Entry] {
    [
      T.short(0x0100, 8), T.short(0x0101, 8), T.short(0x0103, 6), T.short(0x0106, 1),
      T.long(0x0111, offset), T.long(0x0117, jpeg.count), T.long(0x0201, offset),
      T.long(0x0202, jpeg.count),
    ]
  }

  @Test("A page of it is refused with its reason, whether it is the first or another")
  func refused() {
    let jpeg = TinyJPEG.file()
    let at = T.file().count
    let second = T.directory(Self.page(jpeg, at: at), at: at + jpeg.count)
    let refused = MetadataError(.stripUnsupported, "TIFF with old-style JPEG (compression 6)")
    for file in [
      T.file(page: Self.page(jpeg, at: 8), strip: jpeg),
      T.file(after: jpeg + second, next: at + jpeg.count),
      // The tables are missing, and so are samples and their bits.
      T.file(page: T.page(strip: 8, compression: 6)),
      T.file(page: [T.short(0x0103, 6)]),
    ] {
      #expect(throws: refused) { try strip(file, .tiff) }
    }
  }

  @Test("An Exif thumbnail of it is no page")
  func thumbnail() throws {
    let at = T.file().count
    let thumbnail = T.directory([T.short(0x0103, 6), T.long(0x0201, 8), T.long(0x0202, 8)], at: at)
    let (output, list) = try strip(T.file(after: thumbnail, next: at), .tiff)
    #expect(try output == strip(T.file(), .tiff).output)
    #expect(list.removedNames["reduced page"] == 1)
  }
}
