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
      bytes.replaceSubrange(
        offset..<(offset + 8),
        with: [0xF0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]
      )
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

  /// Tables, frame and scan of a JPEG, as a TIFF writer would take them apart; read without the code
  /// under test.
  struct Parts {
    var quantization: [[UInt8]] = []
    /// By class and number: DC 0, DC 1, AC 0, AC 1.
    var huffman: [UInt8: [UInt8]] = [:]
    var size = (width: 0, height: 0)
    var factors: UInt8 = 0x11
    var componentCount = 0
    var interval = 0
    /// From SOI to the end of the SOS.
    var header: [UInt8] = []
    /// The entropy-coded data between restart markers.
    var intervals: [[UInt8]] = [[]]

    init(_ jpeg: [UInt8]) {
      var offset = 2
      while jpeg[offset + 1] != 0xDA {
        let length = Int(jpeg[offset + 2]) << 8 | Int(jpeg[offset + 3])
        var body = Array(jpeg[(offset + 4)..<(offset + 2 + length)])
        switch jpeg[offset + 1] {
        case 0xDB:
          while !body.isEmpty {
            quantization.append(Array(body[1..<65]))
            body.removeFirst(65)
          }
        case 0xC4:
          while !body.isEmpty {
            let count = 16 + body[1..<17].reduce(0) { $0 + Int($1) }
            huffman[body[0]] = Array(body[1..<(1 + count)])
            body.removeFirst(1 + count)
          }
        case 0xC0:
          size = (Int(body[3]) << 8 | Int(body[4]), Int(body[1]) << 8 | Int(body[2]))
          (componentCount, factors) = (Int(body[5]), body[7])
        case 0xDD: interval = Int(body[0]) << 8 | Int(body[1])
        default: break
        }
        offset += 2 + length
      }
      offset += 2 + Int(jpeg[offset + 3])
      header = Array(jpeg[..<offset])
      while offset < jpeg.count - 2 {
        if jpeg[offset] == 0xFF, (0xD0...0xD7).contains(jpeg[offset + 1]) {
          intervals.append([])
          offset += 2
        } else {
          intervals[intervals.count - 1].append(jpeg[offset])
          offset += 1
        }
      }
    }

    /// A page whose tables have tags of their own. Each strip is `perStrip` intervals of the scan, and
    /// `behind` follows each.
    func inTags(rows: Int, perStrip: Int = 1, behind: [UInt8] = [], tiled: Bool = false) -> [UInt8]
    {
      var data: [UInt8] = []
      func add(_ bytes: [UInt8]) -> Int {
        data += bytes
        return 8 + data.count - bytes.count
      }
      var positions: [Int] = []
      var counts: [Int] = []
      for start in stride(from: 0, to: intervals.count, by: perStrip) {
        var strip: [UInt8] = []
        for (index, interval) in intervals[start..<min(start + perStrip, intervals.count)]
          .enumerated()
        {
          strip += (index == 0 ? [] : [0xFF, 0xD0 + UInt8(index - 1)]) + interval
        }
        positions.append(add(strip + behind))
        counts.append(strip.count + behind.count)
      }
      let tables = quantization.map(add)
      let dc = [UInt8(0), 1].compactMap { huffman[$0].map(add) }
      let ac = [UInt8(0x10), 0x11].compactMap { huffman[$0].map(add) }
      let three = { (offsets: [Int]) in
        (0..<componentCount).flatMap { little(offsets[min($0, 1, offsets.count - 1)]) }
      }
      let long = { (tag: Int, values: [Int]) -> T.Entry in
        (tag, 4, values.count, values.flatMap { little($0) })
      }
      var page: [T.Entry] = [
        T.short(0x0100, size.width), T.short(0x0101, size.height), T.short(0x0103, 6),
        T.short(0x0106, componentCount == 3 ? 6 : 1), long(tiled ? 0x0144 : 0x0111, positions),
        T.short(0x0115, componentCount), long(tiled ? 0x0145 : 0x0117, counts), T.short(0x0200, 1),
        (0x0207, 4, componentCount, three(tables)), (0x0208, 4, componentCount, three(dc)),
        (0x0209, 4, componentCount, three(ac)),
      ]
      page +=
        tiled ? [T.short(0x0142, size.width), T.short(0x0143, rows)] : [T.short(0x0116, rows)]
      if perStrip > 1 { page.append(T.short(0x0203, interval)) }
      if componentCount == 3 {
        page.append(T.short(0x0212, Int(factors >> 4), Int(factors & 15)))
      }
      return T.file(page: page, strip: data)
    }
  }

  /// A page around the bytes of a JPEG, which stand at 8.
  static func page(of jpeg: [UInt8], _ parts: Parts, strip: Int, count: Int) -> [UInt8] {
    T.file(
      page: [
        T.short(0x0100, parts.size.width), T.short(0x0101, parts.size.height), T.short(0x0103, 6),
        // A writer's mistake that libtiff corrects: the data are YCbCr.
        T.short(0x0106, parts.componentCount == 3 ? 2 : 1), T.long(0x0111, strip),
        T.short(0x0115, parts.componentCount), T.short(0x0116, parts.size.height),
        T.long(0x0117, count), T.long(0x0201, 8), T.long(0x0202, jpeg.count),
      ],
      strip: jpeg
    )
  }

  /// The strips of an output as JPEG files: the shared tables in front of each stream.
  static func streams(of output: [UInt8]) throws -> [[UInt8]] {
    try withSource(output) { source in
      let file = try TIFFFile(source)
      let page = try #require(file.pages.first)
      func numbers(_ tags: Int...) -> [Int] {
        page.fields.first { tags.contains($0.tag) }?
          .numbers(of: source, order: file.order, limit: 1000) ?? []
      }
      #expect(numbers(0x0103) == [7])
      let tables = page.fields.first { $0.tag == 0x015B }?.value
      let shared =
        tables.flatMap { source.bytes(in: $0, limit: 1 << 16) } ?? [0xFF, 0xD8, 0xFF, 0xD9]
      return zip(numbers(0x0111, 0x0144), numbers(0x0117, 0x0145)).map { offset, count in
        shared.dropLast(2) + output[(offset + 2)..<(offset + count)]
      }
    }
  }

  /// The pixels of JPEGs one below the other, as libjpeg's own program decodes them.
  static func pixels(_ jpegs: [[UInt8]]) throws -> [UInt8] {
    let folder = TemporaryFolder()
    return try jpegs.enumerated().flatMap { index, jpeg -> [UInt8] in
      let (input, output) = ("\(folder.path)/\(index).jpg", "\(folder.path)/\(index).pnm")
      try Data(jpeg).write(to: URL(fileURLWithPath: input))
      // Smooth upsampling reads chroma of the next strip.
      let result = try Tool.run("djpeg", ["-nosmooth", "-outfile", output, input])
      #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
      let bytes = try readBytes(output)
      // Three lines of text come first.
      return Array(bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)[3])
    }
  }

  /// A JPEG of 96 x 80 pixels with a restart marker behind each row of 16 lines.
  static func jpeg(gray: Bool, in folder: TemporaryFolder) throws -> [UInt8] {
    let path = "\(folder.path)/scene"
    _ = try Tool.run(
      "convert",
      ["-size", "96x80", "plasma:red-blue", "-colorspace", gray ? "Gray" : "sRGB", path + ".pnm"]
    )
    let arguments = ["-baseline", "-restart", gray ? "2" : "1", "-sample", gray ? "1x1" : "2x2"]
    _ = try Tool.run("cjpeg", arguments + ["-outfile", path + ".jpg", path + ".pnm"])
    return try readBytes(path + ".jpg")
  }

  @Test(
    "Every arrangement keeps its pixels",
    .enabled(
      if: Tool.exists("cjpeg") && Tool.exists("djpeg") && Tool.exists("convert"),
      "no cjpeg, djpeg or ImageMagick"
    ),
    arguments: [true, false]
  )
  func pixels(gray: Bool) throws {
    let folder = TemporaryFolder()
    let jpeg = try Self.jpeg(gray: gray, in: folder)
    let parts = Parts(jpeg)
    try #require(parts.intervals.count == 5 && parts.size == (96, 80))
    let wanted = try Self.pixels([jpeg])
    let canary = TinyJPEG.segment(0xE1, "canary", [])
    let planted = jpeg.prefix(2) + canary + jpeg.dropFirst(2)
    let data = planted.count - jpeg.count + parts.header.count
    let cases: [(name: String, file: [UInt8], count: Int)] = [
      ("stream", Self.page(of: Array(planted), parts, strip: 8, count: planted.count), 1),
      (
        "in it", Self.page(of: Array(planted), parts, strip: 8 + data, count: planted.count - data),
        1
      ),
      ("strips", parts.inTags(rows: 16), 5),
      ("padded strips", parts.inTags(rows: 16, behind: [0xFF, 0xD9] + Array("canary".utf8)), 5),
      ("long strips", parts.inTags(rows: 32, perStrip: 2), 3),
      ("tiles", parts.inTags(rows: 16, tiled: true), 5),
    ]
    for (name, file, count) in cases {
      let output = try strip(file, .tiff).output
      let streams = try Self.streams(of: output)
      #expect(streams.count == count, "\(name)")
      #expect(try Self.pixels(streams) == wanted, "\(name)")
      #expect(!String(decoding: output, as: UTF8.self).contains("canary"), "\(name)")
      #expect(try strip(output, .tiff).output == output, "\(name)")
    }
  }

  @Test(
    "libtiff decodes the same gray samples before and after",
    .enabled(
      if: Tool.exists("cjpeg") && Tool.exists("convert"),
      "no cjpeg or ImageMagick"
    )
  )
  func library() throws {
    let folder = TemporaryFolder()
    let parts = Parts(try Self.jpeg(gray: true, in: folder))
    for (name, file) in [
      ("strips", parts.inTags(rows: 16)), ("long", parts.inTags(rows: 80, perStrip: 5)),
    ] {
      var raw: [[UInt8]] = []
      for (part, bytes) in [("before", file), ("after", try strip(file, .tiff).output)] {
        let path = "\(folder.path)/\(name)-\(part)"
        try Data(bytes).write(to: URL(fileURLWithPath: path + ".tif"))
        // ImageMagick reads it by libtiff.
        let result = try Tool.run("convert", [path + ".tif", "-depth", "8", "gray:\(path).raw"])
        #expect(result.status == 0, "\(result.error)")
        raw.append(try readBytes(path + ".raw"))
      }
      #expect(raw[0] == raw[1] && raw[0].count >= 96 * 80 && Set(raw[0]).count > 10, "\(name)")
    }
  }

  @Test("An Exif thumbnail is no page, and one page of old-style JPEG refuses no other")
  func pages() throws {
    let at = T.file().count
    let thumbnail = T.directory(
      [T.short(0x0103, 6), T.long(0x0201, 8), T.long(0x0202, 8)],
      at: at
    )
    let (output, list) = try strip(T.file(after: thumbnail, next: at), .tiff)
    #expect(try output == strip(T.file(), .tiff).output)
    #expect(list.removedNames["reduced page"] == 1)
    let jpeg = TinyJPEG.file(TinyJPEG.segment(0xFE, "canary", []))
    let old = T.directory(
      [
        T.short(0x0100, 8), T.short(0x0101, 8), T.short(0x0103, 6), T.short(0x0106, 1),
        T.long(0x0111, at), T.long(0x0117, jpeg.count), T.long(0x0201, at),
      ],
      at: at + jpeg.count
    )
    let two = try strip(T.file(after: jpeg + old, next: at + jpeg.count), .tiff).output
    #expect(!String(decoding: two, as: UTF8.self).contains("canary"))
    #expect(try facts(of: two).frameCount == 2)
  }

  /// A page of each arrangement: a stream, tables in tags.
  static let seeds: [[UInt8]] = {
    let jpeg = TinyJPEG.file(TinyJPEG.segment(0xE1, "canary", []))
    let parts = Parts(jpeg)
    return [page(of: jpeg, parts, strip: 8, count: jpeg.count), parts.inTags(rows: 8)]
  }()

  private static func isJPEG(_ source: ByteSource) throws -> Bool {
    let file = try TIFFFile(source)
    let field = file.pages.first?.fields.first { $0.tag == 0x0103 }
    return field?.numbers(of: source, order: file.order, limit: 1) == [7]
  }

  @Test("What is made of a page with any byte changed is an output", arguments: seeds.indices)
  func changed(index: Int) throws {
    let whole = Self.seeds[index]
    _ = try strip(whole, .tiff)
    var count = 0
    for offset in whole.indices {
      for change in [UInt8(1), 0x80] {
        var bytes = whole
        bytes[offset] ^= change
        guard let output = try? strip(bytes, .tiff).output else { continue }
        count += 1
        #expect(try strip(output, .tiff).output == output, "\(offset)")
        // Without the tag of its compression, the JPEG is taken for pixels without any.
        guard try withSource(output, Self.isJPEG) else { continue }
        #expect(!String(decoding: output, as: UTF8.self).contains("canary"), "\(offset)")
      }
    }
    #expect(count > 100)
  }

  @Test("What cannot be put together is refused")
  func refused() {
    let lossless = [T.short(0x0200, 14), T.long(0x0207, 8), T.long(0x0208, 8), T.long(0x0209, 8)]
    let page = T.page(strip: 8, compression: 6)
    #expect(code { _ = try strip(T.file(page: page + lossless), .tiff) } == .stripUnsupported)
    #expect(code { _ = try strip(T.file(page: page), .tiff) } == .damaged)
    let progressive = TinyJPEG.file().map { $0 == 0xC0 ? 0xC2 : $0 }
    let cut = Parts(TinyJPEG.file())
    let data = Array(progressive.dropLast(2))
    let file = Self.page(of: data, cut, strip: 8 + data.count - 1, count: 1)
    #expect(code { _ = try strip(file, .tiff) } == .stripUnsupported)
  }
}
