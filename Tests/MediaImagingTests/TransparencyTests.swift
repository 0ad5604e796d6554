import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@Suite("Transparency and formats")
struct TransparencyTests {
  /// A red disc, half of it at half strength; what cannot be seen is black, or bright green.
  private static func makeDisc(_ name: String, hidden: String, _ bench: Bench) throws {
    try bench.convert(
      "-size",
      "300x200",
      "xc:\(hidden)",
      "-fill",
      "#ff2010",
      "-draw",
      "circle 150,100 150,20",
      "(",
      "-size",
      "300x200",
      "xc:black",
      "-fill",
      "white",
      "-draw",
      "circle 150,100 150,20",
      "-fill",
      "#808080",
      "-draw",
      "rectangle 150,90 299,199",
      ")",
      "-alpha",
      "off",
      "-compose",
      "CopyOpacity",
      "-composite",
      name
    )
  }

  static let sources: [(MediaFormat, [String])] = [
    (.png, []), (.png, ["-depth", "16"]), (.png, ["-interlace", "PNG"]), (.tiff, []),
    (.tiff, ["-define", "tiff:alpha=associated"]), (.webp, ["-define", "webp:lossless=true"]),
  ]

  /// Each source with one hidden color, another in turn; with both for all.
  ///
  /// ImageMagick 7 calls alpha associated that it has not multiplied with.
  static let discs: [(source: Int, hidden: String)] = sources.indices.filter {
    Bench.magickVersion == 6 || !sources[$0].1.contains("tiff:alpha=associated")
  }.flatMap { index in
    let colors = ["black", "#00ff00"]
    return (Amount.isAll ? colors : [colors[index % 2]]).map { (index, $0) }
  }

  static let outputs: [(format: ThumbnailFormat, background: RGBColor)] = [
    (.png, .white), (.webp, .white), (.jpeg, .white),
    (.jpeg, RGBColor(red: 16, green: 96, blue: 224)),
  ]

  /// The disc and what is expected of it, as files by their names: what is seen of it on each
  /// background, and how much it covers. Made once for each color that is hidden.
  private static let pictures: Result<[String: [String: [UInt8]]], any Error> = Result {
    var pictures: [String: [String: [UInt8]]] = [:]
    for hidden in Set(discs.map(\.hidden)) {
      let bench = Bench()
      try makeDisc("disc.png", hidden: hidden, bench)
      var names = ["disc.png", "cover.png"]
      for (index, output) in outputs.enumerated() {
        names.append(expected(index))
        // ImageMagick reduces what is seen, too.
        try bench.convert(
          "disc.png",
          "-background",
          output.background.text,
          "-flatten",
          "-filter",
          "Lanczos",
          "-resize",
          "60x40!",
          "-sampling-factor",
          "2x2",
          "-quality",
          "95",
          expected(index)
        )
      }
      try bench.convert("disc.png", "-filter", "Lanczos", "-resize", "60x40!", "small.png")
      try bench.convert("small.png", "-alpha", "extract", "cover.png")
      for name in names {
        pictures[hidden, default: [:]][name] = try readBytes(bench.path(name))
      }
    }
    return pictures
  }

  /// The name of what is expected as one of the outputs.
  private static func expected(_ output: Int) -> String {
    let ending = outputs[output].format == .jpeg ? "jpg" : "png"
    return "expected\(output).\(ending)"
  }

  @Test(
    "Transparency is kept in PNG and WebP, flattened in JPEG, without a halo of what is hidden",
    arguments: discs
  )
  func disc(source number: Int, hidden: String) throws {
    let bench = Bench()
    let (format, arguments) = Self.sources[number]
    let pictures = try #require(try Self.pictures.get()[hidden])
    for (name, bytes) in pictures { try bench.write(bytes, name) }
    let source = "source.\(format.fileExtension)"
    try bench.convert(["disc.png"] + arguments + [source])
    // Without all, one output that keeps transparency and one that does not, others in turn.
    for index in Amount.isAll ? [0, 1, 2, 3] : [number % 2, 2 + number / 2 % 2] {
      let (output, background) = Self.outputs[index]
      var specification = spec(60, 60, quality: 95)
      specification.format = output
      specification.background = background
      let thumbnail = try #require(
        try ImageThumbnailer().thumbnails(
          of: try readBytes(bench.path(source)),
          format: format,
          specification
        ).first
      )
      #expect(thumbnail.pixelSize == PixelSize(width: 60, height: 40))
      let name = "thumbnail.\(output.fileExtension)"
      try bench.write(thumbnail.bytes, name)
      #expect(try bench.identify(name, "%m %w %h") == "\(output.rawValue.uppercased()) 60 40")
      let isFlat = output == .jpeg
      if !isFlat {
        try bench.convert(name, "-background", background.text, "-flatten", "shown.png")
      }
      let noise = try bench.psnr(isFlat ? name : "shown.png", Self.expected(index))
      #expect(noise > 30, "\(output) \(background.text)")
      if isFlat { continue }
      try bench.convert(name, "-alpha", "extract", "kept.png")
      #expect(try bench.psnr("kept.png", "cover.png") > 30, "\(output)")
    }
  }

  @Test(
    "Each format shows what ImageMagick's reduction does, for color and for gray",
    arguments: ThumbnailFormat.allCases,
    [MediaFormat.jpeg, .png]
  )
  func formats(output: ThumbnailFormat, format: MediaFormat) throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 301, height: 203)
    for arguments in [[], ["-colorspace", "Gray"]] {
      let source = "source.\(format.fileExtension)"
      try bench.convert(["scene.png"] + arguments + ["-quality", "95", source])
      var specification = spec(75, 75, quality: 90)
      specification.format = output
      let thumbnail = try #require(
        try ImageThumbnailer().thumbnails(
          of: try readBytes(bench.path(source)),
          format: format,
          specification
        ).first
      )
      let name = "thumbnail.\(output.fileExtension)"
      try bench.write(thumbnail.bytes, name)
      try bench.convert(source, "-filter", "Lanczos", "-resize", "75x51!", "expected.png")
      #expect(try bench.psnr(name, "expected.png") > (output == .png ? 34 : 30), "\(arguments)")
    }
  }

  @Test("A gray picture on a background that is not gray becomes color")
  func grayOnColor() throws {
    let bench = Bench()
    try bench.convert(
      [
        "-size", "40x40", "xc:gray50", "(", "-size", "20x40", "xc:black", "xc:white", "+append",
        ")",
      ]
        + ["-alpha", "off", "-compose", "CopyOpacity", "-composite"]
        + ["-define", "png:color-type=4", "source.png"]
    )
    var specification = spec(20, 20, quality: 100)
    specification.background = RGBColor(red: 255, green: 0, blue: 0)
    let thumbnail = try #require(
      try ImageThumbnailer().thumbnails(
        of: try readBytes(bench.path("source.png")),
        format: .png,
        specification
      ).first
    )
    try bench.write(thumbnail.bytes, "thumbnail.jpg")
    let pixel = try bench.identify("thumbnail.jpg", "%[fx:p{4,10}.r>0.99] %[fx:p{4,10}.g<0.01]")
    #expect(pixel == "1 1")
  }
}
