import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@Suite("Orientation")
struct OrientationTests {
  static let names = [
    "TopLeft", "TopRight", "BottomRight", "BottomLeft", "LeftTop", "RightTop", "RightBottom",
    "LeftBottom",
  ]
  static let formats: [MediaFormat] = [.jpeg, .png, .tiff, .webp]

  /// Every orientation of JPEGs, whose chroma is halved, and one of each other format; all for all.
  private static let turned: [(orientation: Int, format: MediaFormat)] = {
    var turned: [(orientation: Int, format: MediaFormat)] = []
    for (index, format) in formats.enumerated() {
      for orientation in 1...8
      where Amount.isAll || format == .jpeg || orientation == 2 * index + 1 {
        turned.append((orientation, format))
      }
    }
    return turned
  }()

  @Test(
    "A turned picture stands as ImageMagick's auto-orient makes it",
    arguments: turned
  )
  func upright(orientation: Int, format: MediaFormat) throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 211, height: 157)
    try bench.convert("scene.png", "-quality", "95", "turned.\(format.fileExtension)")
    let bytes = try readBytes(bench.path("turned.\(format.fileExtension)"))
    // Odd and even sides: chroma of an odd side must not slip when an axis is flipped.
    // Without all, each orientation and format has one of the boxes.
    let boxes = [53, 60, 21]
    let number = (orientation + (Self.formats.firstIndex(of: format) ?? 0)) % boxes.count
    for box in Amount.isAll ? boxes : [boxes[number]] {
      let thumbnail = try #require(
        try ImageThumbnailer().thumbnails(
          of: bytes,
          format: format,
          orientation: orientation,
          spec(box, box, quality: 95)
        ).first
      )
      try bench.write(thumbnail.bytes, "thumbnail.jpg")
      try bench.convert(
        "turned.\(format.fileExtension)",
        "-orient",
        Self.names[orientation - 1],
        "-auto-orient",
        "-filter",
        "Lanczos",
        "-resize",
        "\(thumbnail.pixelSize.width)x\(thumbnail.pixelSize.height)!",
        "-sampling-factor",
        "2x2",
        "-quality",
        "95",
        "expected.jpg"
      )
      #expect(try bench.psnr("thumbnail.jpg", "expected.jpg") > 32, "\(box)")
    }
  }

  @Test("A turn is added to the orientation", arguments: [90, 180, 270])
  func rotated(degrees: Int) throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 211, height: 157)
    try bench.convert("scene.png", "-quality", "95", "turned.jpg")
    let bytes = try readBytes(bench.path("turned.jpg"))
    func spec(_ name: String, _ width: Int, _ height: Int, _ mode: ContentMode) -> ThumbnailSpec {
      ThumbnailSpec(name: name, size: PixelSize(width: width, height: height), contentMode: mode)
    }
    func thumbnails(_ orientation: Int, _ rotation: Int) throws -> [Thumbnail] {
      try bytes.withUnsafeBytes {
        try ImageThumbnailer().thumbnails(
          of: $0,
          format: .jpeg,
          orientation: orientation,
          rotation: rotation,
          specifications: [spec("t", 53, 21, .aspectFit), spec("u", 40, 60, .aspectFill)]
        )
      }
    }
    for orientation in 1...8 {
      let sum = Turn.orientation(orientation, rotatedBy: degrees)
      #expect(try thumbnails(orientation, degrees) == thumbnails(sum, 0), "\(orientation)")
    }
  }

  @Test(
    "Real pictures of all eight orientations stand upright",
    .enabled(if: Corpus.file("visible/orientation/f1t.jpg") != nil, "no corpus: set MEDIABATCH_CORPUS"),
    arguments: 1...8
  )
  func corpus(orientation: Int) throws {
    let bench = Bench()
    let path = try #require(Corpus.file("visible/orientation/f\(orientation)t.jpg"))
    let thumbnail = try #require(
      try ImageThumbnailer().thumbnails(
        of: try readBytes(path),
        format: .jpeg,
        orientation: orientation,
        spec(40, 40, quality: 95)
      ).first
    )
    try bench.write(thumbnail.bytes, "thumbnail.jpg")
    try bench.convert(path, "-auto-orient", "-resize", "40x40", "expected.png")
    #expect(try bench.psnr("thumbnail.jpg", "expected.png") > 22)
  }

  @Test(
    "HEIC and AVIF are turned by their decoder, and not twice",
    .enabled(if: Corpus.file("visible/heic/arrow.heic") != nil, "no corpus: set MEDIABATCH_CORPUS"),
    arguments: [
      ("visible/heic/arrow.heic", MediaFormat.heic), ("visible/orientation/rot3mir1.avif", .avif),
      ("visible/orientation/xmp_tags_orientation.avif", .avif),
    ]
  )
  func heif(file: (String, MediaFormat)) throws {
    let bench = Bench()
    let path = try #require(Corpus.file(file.0))
    let bytes = try readBytes(path)
    let thumbnails = try [1, 6].map {
      try ImageThumbnailer().thumbnails(
        of: bytes,
        format: file.1,
        orientation: $0,
        spec(120, 120, quality: 95)
      )
    }
    #expect(thumbnails[0] == thumbnails[1])
    try bench.write(try #require(thumbnails[0].first).bytes, "thumbnail.jpg")
    // libvips reads the file through libheif, and turns by itself.
    let result = try Tool.run("vipsthumbnail", ["--size", "120", "-o", bench.path("expected.png"), path])
    try #require(result.status == 0)
    #expect(try bench.psnr("thumbnail.jpg", "expected.png") > 26)
  }
}
