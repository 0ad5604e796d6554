import MediaCodecs
import MediaModel
import Testing

@testable import MediaMetadata
@testable import MediaStripping

@Suite("The tables of formats")
struct FormatTableTests {
  @Test("Each format has one reader, or a header that is all of it that is read")
  func readers() {
    let formats = FormatReader.table.map(\.0)
    #expect(Set(formats).count == formats.count)
    for format in MediaFormat.allCases {
      #expect(formats.contains(format) || format.pictureHeader != nil, "\(format)")
    }
  }

  @Test("Each format with a header is tried once when a file's format is searched")
  func headers() {
    let rows = MediaFormat.markedHeaders + MediaFormat.weaklyMarkedHeaders
    #expect(Set(rows.map(\.format)).count == rows.count)
    #expect(rows.allSatisfy { $0.format.pictureHeader != nil && $0.format.mediaType == .image })
  }

  /// The formats of which nothing is known that an output may hold.
  private static let unparsed: Set<MediaFormat> = [
    .psd, .psb, .tga, .pnm, .ico, .pcx, .sgi, .dds, .xcf,
    .cr2, .cr3, .nef, .arw, .raf, .rw2, .orf, .crw, .pef, .srw, .threeFR, .iiq, .dcr, .kdc, .erf, .mef,
    .mos, .mrw, .x3f, .raw, .wmv, .wma,
  ]

  @Test("Each format has an edit list, is refused with a reason, or is not parsed")
  func strippers() {
    let tables = [
      Set(Stripper.containers.keys), Set(Stripper.refusals.keys), Self.unparsed,
    ]
    for format in MediaFormat.allCases {
      #expect(tables.count { $0.contains(format) } == 1, "\(format)")
    }
  }
}
