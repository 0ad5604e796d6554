import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaCodecs
@testable import MediaContainers
@testable import MediaMetadata

/// The headers of pictures that only their decoder takes apart.
@Suite("Headers of pictures")
struct PictureHeaderTests {
  /// A small file of each kind, made here: 6 pixels wide and 4 high.
  static let samples: [(name: String, format: MediaFormat, bytes: [UInt8])] = {
    let gray = (0..<24).map { UInt8($0) }
    let psd =
      Array("8BPS".utf8) + [0, 1, 0, 0, 0, 0, 0, 0] + big(1, 2) + big(4) + big(6) + big(8, 2)
      + big(1, 2) + big(0) + big(0) + big(0) + big(0, 2) + gray
    var psb = psd
    psb[5] = 2
    psb.replaceSubrange(34..<38, with: big(0, 8))
    let runs =
      psd[..<38] + big(1, 2) + (0..<4).flatMap { _ in big(2, 2) } + [251, 7, 251, 7]
      + [251, 7, 251, 7]
    let tga: [UInt8] = [0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 4, 0, 8, 0x20]
    let footer = [UInt8](repeating: 0, count: 8) + Array("TRUEVISION-XFILE.\0".utf8)
    var packed = tga + [0x97, 9]
    packed[2] = 11
    var map = tga + [1, 2, 3, 4, 5, 6] + gray
    (map[1], map[2], map[5], map[7]) = (1, 1, 2, 24)
    let size = big(6) + big(4) + big(0) + big(0) + big(6) + big(4) + big(0) + big(0)
    let siz = [0xFF, 0x51] + big(41, 2) + big(0, 2) + size + big(1, 2) + [7, 1, 1]
    let tile = [0xFF, 0x90, 0, 10, 0, 0] + big(20) + [0, 1, 0xFF, 0x93] + gray.prefix(6)
    let j2k = [0xFF, 0x4F] + siz + [0xFF, 0x64, 0, 6, 0, 1, 65, 66] + tile + [0xFF, 0xD9]
    let ihdr = isoBox("ihdr", big(4) + big(6) + big(1, 2) + [7, 7, 0, 0])
    let jp2 =
      JP2Header.signature + isoBox("ftyp", Array("jp2 \0\0\0\0jp2 ".utf8))
      + isoBox("jp2h", ihdr) + isoBox("jp2c", j2k)
    let bitmap =
      little(40) + little(6) + little(8) + little(1, 2) + little(8, 2)
      + [UInt8](repeating: 0, count: 60)
    let directory: [UInt8] = [0, 0, 1, 0, 1, 0, 6, 4, 0, 0, 1, 0, 8, 0]
    let ico = directory + little(bitmap.count) + little(22) + bitmap
    var pcx: [UInt8] = [10, 5, 1, 8, 0, 0, 0, 0, 5, 0, 3, 0] + [UInt8](repeating: 0, count: 116)
    (pcx[65], pcx[66]) = (1, 6)
    let sgi =
      [1, 0xDA, 0, 1, 0, 2, 0, 6, 0, 4, 0, 1] + [UInt8](repeating: 0, count: 500) + gray
    var dds = Array("DDS ".utf8) + little(124) + little(0x1007) + little(4) + little(6)
    dds += [UInt8](repeating: 0, count: 56) + little(32) + little(4) + Array("DXT1".utf8)
    dds += [UInt8](repeating: 0, count: 128 - dds.count) + gray.prefix(16)
    var coded = dds + gray.prefix(16)
    coded.replaceSubrange(84..<92, with: Array("ATI2A2XY".utf8))
    // Made with cjxl -d 0 of a gradient.
    let jxl: [UInt8] = [
      0xFF, 0x0A, 0x18, 0x40, 0x10, 0x14, 0x17, 0x02, 0x08, 0x02, 0x01, 0x00, 0x70, 0x00, 0x4B,
      0x18, 0x8B, 0x15, 0x52, 0x5C, 0x04, 0x74, 0x77, 0x01, 0x92, 0xCC, 0x85, 0x00, 0xF0, 0x11,
      0x49, 0x32, 0x7C, 0x3E, 0x5B, 0x4F, 0xCA, 0xC4, 0x4E, 0xF6, 0x90, 0x03,
    ]
    let boxes =
      JXLHeader.signature + isoBox("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
      + isoBox("jxlc", jxl)
    let layer = TinyXCF.Layer(width: 6, height: 4, x: 0, y: 0, color: [1, 2, 3, 255])
    return [
      ("psd", .psd, psd), ("psd of runs", .psd, Array(runs)), ("psb", .psb, psb),
      ("tga", .tga, tga + gray), ("tga with a footer", .tga, tga + gray + footer),
      ("tga of runs", .tga, packed), ("tga with colors", .tga, map), ("jp2", .jp2, jp2),
      ("j2k", .j2k, j2k), ("pgm", .pnm, Array("P5\n# six by four\n6 4\n255\n".utf8) + gray),
      ("pgm of 16 bits", .pnm, Array("P5 6 4 256\n".utf8) + gray + gray),
      ("pbm", .pnm, Array("P4 6 4\n".utf8) + gray.prefix(4)),
      ("plain pgm", .pnm, plain("P2 6 4 9\n7 # 8 8 8\n", "7", 23)),
      ("plain ppm", .pnm, plain("P3 6 4 9\n", "7", 72)),
      ("plain pbm", .pnm, plain("P1 6 4\n", "010110", 4)),
      ("pam", .pnm, Array("P7\nWIDTH 6\nHEIGHT 4\nDEPTH 1\nMAXVAL 255\nENDHDR\n".utf8) + gray),
      ("pfm", .pnm, Array("Pf\n6 4\n-1.0\n".utf8) + gray + gray + gray + gray), ("ico", .ico, ico),
      ("pcx", .pcx, pcx + gray + [12] + [UInt8](repeating: 7, count: 768)), ("sgi", .sgi, sgi),
      ("dds", .dds, dds), ("dds with a second code", .dds, coded),
      ("jxl alone", .jxl, jxl), ("jxl in boxes", .jxl, boxes),
      ("xcf", .xcf, TinyXCF.file(width: 6, height: 4, layers: [layer])),
    ]
  }()

  /// A plain kind: a header and samples, the last of which has one digit.
  private static func plain(_ header: String, _ sample: String, _ count: Int) -> [UInt8] {
    let samples = [String](repeating: sample, count: count)
    return Array((header + samples.joined(separator: " ")).utf8)
  }

  @Test("Each kind is found by its content, and its size is read", arguments: samples.indices)
  func isFound(index: Int) throws {
    let (name, expected, bytes) = Self.samples[index]
    #expect(format(of: bytes) == expected, "\(name)")
    #expect(try facts(of: bytes).pixelSize == PixelSize(width: 6, height: 4), "\(name)")
    #expect(missingPart(of: bytes, expected) == nil, "\(name)")
  }

  @Test(
    "A file that is cut at any byte is not whole, or is not found at all",
    arguments: samples.indices
  )
  func cut(index: Int) throws {
    let (name, expected, bytes) = Self.samples[index]
    // The tiles of a layer state no length.
    let end =
      switch expected {
      case .xcf: bytes.count - 8
      default: name.contains("footer") ? bytes.count - 26 : bytes.count
      }
    for count in 0..<end {
      let part = Array(bytes[..<count])
      guard format(of: part) == expected, (try? facts(of: part)) != nil else { continue }
      #expect(missingPart(of: part, expected) != nil, "\(name) \(count)")
    }
  }

  @Test("Any byte may have any value", arguments: samples.indices)
  func turned(index: Int) throws {
    let (_, expected, bytes) = Self.samples[index]
    for offset in bytes.indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var turned = bytes
        turned[offset] = value
        withSource(turned) { source in
          _ = FormatSniffer.format(of: source)
          _ = try? MetadataReader.facts(of: source, format: expected)
          _ = MetadataReader.description(of: source, format: expected)
        }
        _ = missingPart(of: turned, expected)
      }
    }
  }

  @Test("The orientation of a JPEG XL is read, and its XMP is")
  func boxesOfJXL() throws {
    // 8 x 8, ratio 1:1, not all default, extra fields, orientation 6: bits from the lowest.
    let turned: [UInt8] = [0xFF, 0x0A, 0b0100_0001, 0b0010_1100] + big(0, 8)
    let facts = try facts(of: turned)
    #expect(facts.pixelSize == PixelSize(width: 8, height: 8))
    #expect(facts.orientation == 6)
    let packet = """
      <x:xmpmeta xmlns:x='adobe:ns:meta/'>
      <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
      <rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:Rating='4'/>
      </rdf:RDF></x:xmpmeta>
      """
    let boxes = try #require(Self.samples.first { $0.name == "jxl in boxes" }).bytes
    let described = try withSource(boxes + isoBox("xml ", Array(packet.utf8))) {
      try MetadataReader.describedFacts(of: $0, format: .jxl)
    }
    #expect(described.description?.rating == 4)
  }

  @Test("Without its footer a TGA is one only if every field agrees and the pixels end the file")
  func strictTGA() throws {
    let tga = try #require(Self.samples.first { $0.name == "tga" }).bytes
    func variant(_ offset: Int, _ value: UInt8) -> MediaFormat? {
      var bytes = tga
      bytes[offset] = value
      return format(of: bytes)
    }
    #expect(format(of: tga + [0]) == nil)
    #expect(format(of: Array(tga.dropLast())) == nil)
    // A color map's type, fields of a map that is not there, kinds, sizes, depths, alpha, interleaving.
    for (offset, value): (Int, UInt8) in [
      (0, 1), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (2, 4), (2, 11), (2, 32), (3, 1), (5, 1),
      (7, 24), (12, 5), (14, 0), (16, 7), (16, 24), (17, 1), (17, 0x40), (17, 0x80),
    ] { #expect(variant(offset, value) == nil, "\(offset) \(value)") }
    let packed = try #require(Self.samples.first { $0.name == "tga of runs" }).bytes
    #expect(format(of: packed.dropLast(2) + [0x98, 9]) == nil, "a run beyond the last pixel")
  }

  @Test("With its footer a TGA may count alpha bits for which its pixels have no room")
  func alphaBitsTGA() {
    let footer = [UInt8](repeating: 0, count: 8) + Array("TRUEVISION-XFILE.\0".utf8)
    let picture = { (bits: UInt8) -> [UInt8] in
      [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 16, bits, 1, 2, 3, 4, 5, 6, 7, 8]
    }
    #expect(format(of: picture(8) + footer) == .tga)
    #expect(format(of: picture(9) + footer) == nil)
    #expect(format(of: picture(8)) == nil)
    #expect(format(of: picture(1)) == .tga)
  }

  @Test(
    "A TGA says where its first pixel is",
    arguments: [(0, 4), (0x10, 3), (0x20, 1), (0x30, 2)]
  )
  func originTGA(descriptor: UInt8, orientation: Int) throws {
    var tga = try #require(Self.samples.first { $0.name == "tga" }).bytes
    tga[17] = descriptor
    #expect(try facts(of: tga).orientation == orientation)
  }

  @Test(
    "A text, a table or another number is none of the formats with a short signature",
    arguments: [
      "P5 ", "P5 6 4", "P5 6 x 255\n", "P6 0 4 255\n", "P5 6 4 70000\n", "P3 is a road\n",
      "P2 6 4 255\nthree lines of text", "P7\nWIDTH 6\nENDHDR\n", "P8 6 4 255\n", "P56 4 255\n",
      "\u{0}\u{0}\u{1}\u{0}\u{1}\u{0}", "\n\u{5}\u{1}\u{8} a line of a text", "PF 6 4 none\n",
    ]
  )
  func others(text: String) {
    #expect(format(of: Array(text.utf8) + [UInt8](repeating: 0x20, count: 600)) == nil)
    #expect(format(of: Array(text.utf8)) == nil)
  }

  @Test(
    "Nothing in the corpus changes its format: the short signatures fit only files of their name",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func corpus() throws {
    let own: [MediaFormat: Set<String>] = [
      .tga: ["tga"], .ico: ["ico"], .pcx: ["pcx"], .sgi: ["sgi"], .dds: ["dds"], .psd: ["psd"],
      .pnm: ["pnm", "ppm", "pgm", "pbm", "pam", "pfm"], .jp2: ["jp2", "j2k"], .j2k: ["j2k"],
      .jxl: ["jxl"],
    ]
    var count = 0
    for file in Corpus.files(beneath: "") {
      let name = (file as NSString).pathExtension.lowercased()
      guard let bytes = try? readBytes(file) else { continue }
      count += 1
      guard let format = format(of: bytes) else { continue }
      if format.pictureHeader != nil {
        #expect(own[format]?.contains(name) == true, "\(file) as \(format)")
      } else {
        #expect(!own.values.contains { $0.contains(name) }, "\(file) as \(format)")
      }
    }
    #expect(count > 1000)
  }

  @Test(
    "Sizes of the corpus are those that exiftool reads",
    .enabled(if: Corpus.folder != nil && Tool.exists("exiftool"), "no corpus or no exiftool"),
    arguments: ["psd", "pgm", "ppm", "pnm", "jp2", "j2k", "jxl"]
  )
  func exiftool(name: String) throws {
    let files = Corpus.files(beneath: "second").filter { $0.hasSuffix("." + name) }
    #expect(!files.isEmpty)
    var sizes: [String: PixelSize] = [:]
    for file in files { sizes[file] = (try? facts(of: try readBytes(file)))?.pixelSize }
    let paths = sizes.keys.sorted()
    let result = try Tool.run("exiftool", ["-json", "-ImageSize"] + paths)
    let parsed = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    let entries = parsed as? [[String: Any]] ?? []
    #expect(entries.count == paths.count)
    for tags in entries {
      guard let read = tags["ImageSize"] as? String else { continue }
      let file = tags["SourceFile"] as? String ?? ""
      let size = try #require(sizes[file])
      let steps = Self.steps(try readBytes(file))
      let sides = read.split(separator: "x").compactMap { Int($0) }
      try #require(sides.count == 2)
      let shown = zip(sides, steps).map { ($0 + $1 - 1) / $1 }
      #expect(shown == [size.width, size.height], "\(file)")
    }
  }

  /// The columns and rows of the reference grid for one sample of a codestream's finest component, which
  /// exiftool does not divide by; 1 in other formats. Source: ISO/IEC 15444-1, A.5.1.
  private static func steps(_ bytes: [UInt8]) -> [Int] {
    let start: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]
    guard let soc = bytes.indices.first(where: { bytes[$0...].starts(with: start) }),
      soc + 42 < bytes.count
    else { return [1, 1] }
    let components = Int(bytes[soc + 40]) << 8 | Int(bytes[soc + 41])
    let steps = (0..<components).compactMap { number -> (Int, Int)? in
      let offset = soc + 42 + 3 * number
      return offset + 2 < bytes.count ? (Int(bytes[offset + 1]), Int(bytes[offset + 2])) : nil
    }
    return [steps.map(\.0).min() ?? 1, steps.map(\.1).min() ?? 1].map { max(1, $0) }
  }

  @Test(
    "What exiftool writes into a PSD and a JP2 is read as facts",
    .enabled(if: Tool.exists("exiftool") && Tool.exists("convert"), "no exiftool or ImageMagick"),
    arguments: ["psd", "jp2"]
  )
  func metadata(name: String) throws {
    let folder = TemporaryFolder()
    let file = folder.path + "/a." + name
    _ = try Tool.run("convert", ["-size", "8x8", "xc:red", file], in: folder.path)
    let tags = ["-XMP-dc:Description=A caption", "-XMP-xmp:Rating=4"]
    let exif =
      name == "psd" ? ["-EXIF:DateTimeOriginal=2024:05:06 07:08:09", "-EXIF:Make=Maker"] : []
    let result = try Tool.run("exiftool", tags + exif + [file], in: folder.path)
    #expect(result.status == 0, "\(result.error)")
    let bytes = try readBytes(file)
    let expected: MediaFormat = name == "psd" ? .psd : .jp2
    let described = try withSource(bytes) {
      try MetadataReader.describedFacts(of: $0, format: expected)
    }
    #expect(described.description?.rating == 4)
    #expect(described.description?.caption == "A caption")
    if name == "psd" {
      #expect(described.camera?.contains("Maker") == true)
      #expect(described.creationDate != nil)
    }
  }

  private func missingPart(of bytes: [UInt8], _ format: MediaFormat) -> String? {
    withSource(bytes) { Completeness.missingPart(of: $0, format: format) }
  }
}
