import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@Suite("Kinds of JPEG")
struct JPEGKindTests {
  static let kinds: [(name: String, arguments: [String])] = [
    ("4:4:4", ["-sampling-factor", "1x1"]), ("4:2:2", ["-sampling-factor", "2x1"]),
    ("4:2:0", ["-sampling-factor", "2x2"]), ("4:4:0", ["-sampling-factor", "1x2"]),
    ("4:1:1", ["-sampling-factor", "4x1"]), ("4:1:0", ["-sampling-factor", "4x2"]),
    ("progressive", ["-interlace", "JPEG"]),
    ("progressive 4:4:4", ["-interlace", "JPEG", "-sampling-factor", "1x1"]),
    ("gray", ["-colorspace", "Gray"]), ("RGB", ["-define", "jpeg:colorspace=RGB"]),
    ("CMYK", ["-colorspace", "CMYK"]),
  ]

  /// Each kind in one size, another in turn; in all three for all.
  static let pictures: [(kind: Int, width: Int, height: Int)] = kinds.indices.flatMap { index in
    let sizes = [(1024, 768), (419, 331), (37, 29)]
    return (Amount.isAll ? sizes : [sizes[index % 3]]).map { (index, $0.0, $0.1) }
  }

  @Test(
    "Each kind gives the thumbnail that ImageMagick makes of it",
    arguments: pictures
  )
  func kind(kind number: Int, width: Int, height: Int) throws {
    let bench = Bench()
    let kind = Self.kinds[number]
    try bench.makeScene("scene.png", width: width, height: height)
    try bench.convert(["scene.png", "-quality", "95"] + kind.arguments + ["kind.jpg"])
    let bytes = try readBytes(bench.path("kind.jpg"))
    // Without all, the least and one of the others, so that each size of a picture has each.
    let boxes = [64, 200, 300]
    for box in [25] + (Amount.isAll ? boxes : [boxes[number / 3 % boxes.count]]) {
      let thumbnail = try #require(
        try ImageThumbnailer().thumbnails(of: bytes, format: .jpeg, spec(box, box, quality: 95))
          .first
      )
      #expect(frame(thumbnail.bytes)?.last == (kind.name == "gray" ? 1 : 3))
      try bench.write(thumbnail.bytes, "thumbnail.jpg")
      try bench.convert(
        "kind.jpg",
        "-colorspace",
        "sRGB",
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
      #expect(try bench.psnr("thumbnail.jpg", "expected.jpg") > 32, "\(kind.name) \(box)")
    }
  }

  @Test(
    "Arithmetic coding and restart markers decode",
    .enabled(if: Tool.exists("jpegtran"), "no jpegtran"),
    arguments: [["-arithmetic"], ["-restart", "1"], ["-arithmetic", "-progressive"]]
  )
  func transcoded(arguments: [String]) throws {
    let bench = Bench()
    try bench.makeScene("scene.jpg", width: 420, height: 300)
    let thumbnailer = ImageThumbnailer()
    let original = try thumbnailer.thumbnails(
      of: try readBytes(bench.path("scene.jpg")),
      format: .jpeg,
      spec(100, 100)
    )
    let other = try thumbnailer.thumbnails(of: try bench.jpegtran(arguments), format: .jpeg, spec(100, 100))
    #expect(original == other)
  }

  @Test("A picture that lacks tables gets none of the picture before it")
  func tables() throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 200, height: 120)
    try bench.convert("scene.png", "-quality", "85", "-define", "jpeg:optimize-coding=false", "usual.jpg")
    try bench.convert("scene.png", "-quality", "40", "-define", "jpeg:optimize-coding=true", "before.jpg")
    let usual = try readBytes(bench.path("usual.jpg"))
    func without(_ marker: UInt8) -> [UInt8] {
      var (picture, start) = (Array(usual[..<2]), 2)
      while usual[start + 1] != 0xDA {
        let end = start + 2 + Int(usual[start + 2]) << 8 + Int(usual[start + 3])
        if usual[start + 1] != marker { picture += usual[start..<end] }
        start = end
      }
      return picture + usual[start...]
    }
    let thumbnailer = ImageThumbnailer()
    let make = { (bytes: [UInt8]) in try thumbnailer.thumbnails(of: bytes, format: .jpeg, spec(100, 100)) }
    let expected = try make(usual)
    for _ in 0..<2 {
      _ = try make(try readBytes(bench.path("before.jpg")))
      // Without Huffman tables those of the standard are meant, as in Motion JPEG, and the usual picture has these.
      #expect(try make(without(0xC4)) == expected)
      _ = try make(usual)
      #expect(thumbnailer.code(of: without(0xDB), format: .jpeg, spec(100, 100)) == .damaged)
    }
  }

  @Test(
    "A thumbnail of real photos is as good as a reduction of the whole picture",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS"),
    arguments: [
      "visible/jpeg/sony-alpha-6000.jpg", "visible/jpeg/GettyVilla0001.jpg",
      "visible/jpeg/mongolia.jpeg", "visible/jpeg/pixel1_gps.jpg",
    ],
    ContentMode.allCases
  )
  func quality(file: String, mode: ContentMode) throws {
    let bench = Bench()
    let path = try #require(Corpus.file(file))
    let thumbnail = try #require(
      try ImageThumbnailer().thumbnails(
        of: try readBytes(path),
        format: .jpeg,
        spec(160, 160, mode, quality: 95)
      ).first
    )
    try bench.write(thumbnail.bytes, "thumbnail.jpg")
    // Cropped first: a reduction that is rounded to whole pixels and cropped after is up to half a
    // pixel beside the middle, which costs a picture with fine detail 10 dB.
    let sides = try bench.identify(path).split(separator: " ").compactMap { Int($0) }
    let side = try #require(sides.min())
    let crop = mode == .aspectFit ? [] : ["-gravity", "center", "-crop", "\(side)x\(side)+0+0"]
    let size = "\(thumbnail.pixelSize.width)x\(thumbnail.pixelSize.height)!"
    try bench.convert([path] + crop + ["+repage", "-filter", "Lanczos", "-resize", size, "expected.png"])
    #expect(try bench.psnr("thumbnail.jpg", "expected.png") > 28)
  }
}
