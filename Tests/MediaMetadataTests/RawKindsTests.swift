import Foundation
import MediaContainers
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaMetadata

@Suite("Camera raw of each maker")
struct RawKindsTests {
  private static let preview = TinyJPEG.file()

  private static func made(_ make: String, _ model: String) -> MadeRaw {
    MadeRaw(preview: preview, make: make, model: model)
  }

  /// A file of each maker with its format and name.
  static let kinds: [(name: String, format: MediaFormat, bytes: [UInt8])] = [
    ("Pentax PEF", .pef, made("PENTAX Corporation", "PENTAX K10D").tiff()),
    ("Samsung SRW", .srw, made("SAMSUNG", "NX100").tiff()),
    ("Hasselblad 3FR", .threeFR, made("Hasselblad", "H3D").tiff()),
    ("Phase One IIQ", .iiq, made("Phase One", "P 45").tiff(mark: "IIIITwaR")),
    ("Kodak DCR", .dcr, made("Kodak", "DCS Pro 14N").tiff()),
    ("Kodak KDC", .kdc, made("EASTMAN KODAK COMPANY", "KODAK P850").tiff()),
    ("Epson ERF", .erf, made("SEIKO EPSON CORP.", "R-D1").tiff()),
    ("Mamiya MEF", .mef, made("Mamiya-OP Co.,Ltd.", "Mamiya ZD").tiff()),
    ("Leaf MOS", .mos, made("Leaf", "Leaf Aptus 22").tiff()),
    ("Leaf MOS", .mos, made("Nobody", "Valeo 6").tiff(more: [0x8606: 0])),
    ("Minolta MRW", .mrw, made("KONICA MINOLTA", "DiMAGE A2").minolta()),
    ("Canon CRW", .crw, made("Canon", "Canon EOS 10D").canon(seconds: 1_620_284_889)),
    ("TIFF-based", .raw, made("Canon", "EOS-1D").tiff()),
  ]

  @Test(
    "Each is told by its content, with date, camera and the size of its preview",
    arguments: kinds.indices
  )
  func facts(index: Int) throws {
    let (name, expected, bytes) = Self.kinds[index]
    #expect(format(of: bytes) == expected)
    try withSource(bytes) { source in
      #expect(RawFormat.name(of: source) == name)
      #expect(Completeness.missingPart(of: source, format: expected) == nil)
      let facts = try MetadataReader.describedFacts(of: source, format: expected)
      #expect(facts.creationDate?.local == "2021-05-06T07:08:09")
      #expect(facts.pixelSize == PixelSize(width: 8, height: 8))
      #expect(facts.camera?.isEmpty == false)
      let preview = try #require(try RawPreview(of: source, format: expected))
      #expect(source.bytes(in: preview.range, limit: 1 << 16) == Self.preview)
      #expect(preview.facts.creationDate?.local == "2021-05-06T07:08:09")
    }
  }

  @Test("Those of Sigma have date and camera in their preview")
  func sigma() throws {
    let exif = TinyTIFF.block(
      [.text(0x010F, "SIGMA"), .text(0x0110, "SIGMA SD14")],
      exif: [.text(0x9003, "2021:05:06 07:08:09")]
    )
    let bytes = MadeRaw(preview: jpeg(exif: exif), make: "", model: "").sigma()
    #expect(format(of: bytes) == .x3f)
    try withSource(bytes) { source in
      #expect(RawFormat.name(of: source) == "Sigma X3F")
      let facts = try MetadataReader.facts(of: source, format: .x3f)
      #expect(facts.creationDate?.local == "2021-05-06T07:08:09")
      #expect(facts.camera == "SIGMA SD14")
      #expect(facts.pixelSize == PixelSize(width: 8, height: 8))
    }
    withSource(bytes.dropLast(1)) { source in
      #expect(Completeness.missingPart(of: source, format: .x3f) == "a directory")
    }
  }

  @Test(
    "A CRW is turned as its picture's record says",
    arguments: [(0, 1), (90, 6), (180, 3), (270, 8), (45, 1)]
  )
  func turned(degrees: Int, orientation: Int) throws {
    let bytes = Self.made("Canon", "EOS 10D").canon(seconds: 1, degrees: degrees)
    try withSource(bytes) { source in
      let facts = try MetadataReader.facts(of: source, format: .crw)
      #expect(facts.orientation == orientation)
    }
  }

  @Test(
    "The first bytes alone are no raw file",
    arguments: ["\0MRM", "\0MRM\0\0\0\u{20}", "FOVb", "FOVb\0\0\u{2}\0", "II\u{1A}\0\0\0HEAPCCDR"]
  )
  func marks(start: String) {
    #expect(format(of: Array(start.utf8)) == nil)
    #expect(format(of: Array(start.utf8) + [UInt8](repeating: 0, count: 4096)) == nil)
  }

  @Test("A file cut or changed anywhere gives facts, or is damaged", arguments: kinds.indices)
  func damage(index: Int) throws {
    let (_, format, bytes) = Self.kinds[index]
    for position in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 199)) {
      var changed = bytes
      changed[position] ^= 0xFF
      for variant in [Array(bytes.prefix(position)), changed] {
        withSource(variant) { source in
          _ = RawFormat.name(of: source)
          _ = Completeness.missingPart(of: source, format: format)
          _ = try? MetadataReader.describedFacts(of: source, format: format)
          _ = try? RawPreview(of: source, format: format)
        }
      }
    }
  }

  @Test("A file without its last byte lacks a part", arguments: kinds.indices)
  func cut(index: Int) throws {
    let (_, format, bytes) = Self.kinds[index]
    withSource(bytes.dropLast()) { source in
      #expect(Completeness.missingPart(of: source, format: format) != nil, "\(format)")
    }
  }
}
