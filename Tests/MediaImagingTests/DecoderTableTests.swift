import MediaModel
import Testing

@testable import MediaImaging

@Suite("The table of decoders")
struct DecoderTableTests {
  @Test("Each format has a decoder")
  func complete() {
    #expect(Set(PictureDecoders.table.keys) == Set(MediaFormat.allCases))
  }

  @Test("Films and sounds have the name of a demuxer, and what ImageMagick decodes that of a coder")
  func names() {
    let decoders = PictureDecoders(profiles: ProfileConverter())
    for (format, row) in PictureDecoders.table {
      switch decoders[format] {
      case is PosterDecoder:
        #expect(format.mediaType == .video && row.libraryName != nil, "\(format)")
      case is WaveformDecoder:
        #expect(format.mediaType == .audio && row.libraryName != nil, "\(format)")
      case is MagickDecoder:
        #expect(row.libraryName == format.rawValue.uppercased(), "\(format)")
      default: #expect(format.mediaType == .image, "\(format)")
      }
    }
  }
}
