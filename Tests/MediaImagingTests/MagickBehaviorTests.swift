import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

/// What we rely on in the installed libraries: an upgrade that changes it fails here, loudly.
@Suite("ImageMagick's behavior")
struct MagickBehaviorTests {
  @Test("Every decoder that we name works")
  func preload() {
    #expect(ImageThumbnailer().missingDecoders() == [:])
  }

  @Test(
    "Content of one format is not decoded as another",
    arguments: [MediaFormat.png, .gif, .webp]
  )
  func forcedFormat(format: MediaFormat) throws {
    let bench = Bench()
    try bench.makeScene("scene.bmp", width: 20, height: 20)
    let bytes = try readBytes(bench.path("scene.bmp"))
    #expect(ImageThumbnailer().code(of: bytes, format: .bmp) == nil)
    #expect(ImageThumbnailer().code(of: bytes, format: format) == .damaged)
  }

  @Test("A script for ImageMagick is a damaged picture")
  func script() {
    let script = Array("<svg width=\"9\" height=\"9\"/>".utf8)
    for format in MediaFormat.allCases where format.mediaType == .image && !format.isRaw {
      #expect(ImageThumbnailer().code(of: script, format: format) == .damaged, "\(format)")
    }
  }

  @Test(
    "Harmless warnings of real files do not refuse them",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS"),
    arguments: [
      ("visible/tiff/piexif_01.tif", MediaFormat.tiff), ("visible/edge/invalid_iccp.png", .png),
      ("visible/webp/flower2.webp", .webp), ("visible/png/paris_icc_exif_xmp.png", .png),
    ]
  )
  func harmless(file: (String, MediaFormat)) throws {
    let bytes = try readBytes(try #require(Corpus.file(file.0)))
    #expect(ImageThumbnailer().code(of: bytes, format: file.1, spec(50, 50)) == nil)
  }
}
