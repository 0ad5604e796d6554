import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

/// The expected hashes are those of PyPI's thumbhash-python 1.0.1 for the same pixels.
@Suite("ThumbHash")
struct ThumbHashTests {
  static let scenes: [(PixelSize, String)] = [
    (PixelSize(width: 32, height: 24), "22190a358ac18578059a763f9886877aaa90fcccdb"),
    (PixelSize(width: 20, height: 32), "21090a340cc36591f88376b88778ab90fcdcea"),
    (PixelSize(width: 32, height: 32), "22190a370ac285781599773f988687b86788a70ac9cfbc0d"),
    (PixelSize(width: 32, height: 4), "a6590a398c9089862698d876ab90fbbb8c"),
    // Averaged to 32 × 24 first.
    (PixelSize(width: 640, height: 480), "2219063588c28578138a773f9986966aaa90fbcceb"),
  ]

  @Test("A picture has the hash that another program makes of it", arguments: scenes)
  func scene(size: PixelSize, expected: String) throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: size.width, height: size.height)
    try expect(expected, of: "scene.png", bench, within: size.width > 32 ? 2 : 1)
  }

  @Test("Gray pictures and transparent ones have their hashes too")
  func channels() throws {
    let bench = Bench()
    try bench.convert("-size", "32x16", "gradient:black-white", "-colorspace", "Gray", "gray.png")
    // Behind the waves of brightness are those of color, of which there is none: they mean nothing.
    let gray = try hash(of: "gray.png", bench)
    let wanted = try #require(Hexadecimal.bytes("20081e0480887888808888888887"))
    #expect(gray.count == 19)
    #expect(distance(Array(gray.prefix(14)), wanted) <= 1)
    try bench.convert(
      [
        "-size", "30x20", "xc:black", "-fill", "#ff2010", "-draw", "circle 15,10 15,2", "(",
        "-size",
        "30x20", "xc:black", "-fill", "white", "-draw", "circle 15,10 15,2", "-fill", "#808080",
        "-draw", "rectangle 15,9 29,19", ")", "-alpha", "off", "-compose", "CopyOpacity",
        "-composite", "disc.png",
      ]
    )
    try expect("135b871388360d884c89840d4cd4c04405969586736968", of: "disc.png", bench)
  }

  @Test("The hash is of the upright thumbnail, and of its own crop")
  func upright() throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 320, height: 240)
    try bench.convert("scene.png", "-rotate", "270", "turned.png")
    let upright = try hash(of: "scene.png", bench)
    #expect(distance(upright, try hash(of: "turned.png", bench, orientation: 6)) <= 1)
    let square = try hash(of: "scene.png", bench, spec(64, 64, .aspectFill))
    #expect(square.count == 24)
    #expect(upright.count == 21)
  }

  @Test("The hash is of the colors in sRGB, whatever profile the thumbnail carries")
  func profile() throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 64, height: 48)
    let colors = ColorTests()
    try bench.write(colors.profile(ColorTests.sRGB, isSRGB: true), "srgb.icc")
    try bench.write(colors.profile(ColorTests.adobeRGB), "wide.icc")
    try bench.convert("scene.png", "-profile", "srgb.icc", "-profile", "wide.icc", "wide.png")
    let wide = try hash(of: "wide.png", bench)
    #expect(distance(wide, try hash(of: "scene.png", bench)) <= 1)
    try bench.convert("wide.png", "+profile", "*", "bare.png")
    #expect(distance(wide, try hash(of: "bare.png", bench)) > 1)
  }

  // MARK: Support

  private func expect(
    _ expected: String,
    of name: String,
    _ bench: Bench,
    within tolerance: Int = 1
  ) throws {
    let hash = try hash(of: name, bench)
    let text = Hexadecimal.text(hash)
    let wanted = try #require(Hexadecimal.bytes(expected))
    #expect(hash.count == wanted.count)
    #expect(distance(hash, wanted) <= tolerance, "\(text) is not \(expected)")
  }

  private func hash(
    of name: String,
    _ bench: Bench,
    orientation: Int = 1,
    _ specification: ThumbnailSpec = spec(640, 640)
  ) throws -> [UInt8] {
    var specification = specification
    // In a JPEG, colors have half the size.
    specification.format = .png
    let thumbnails = try ImageThumbnailer().thumbnails(
      of: try readBytes(bench.path(name)),
      format: .png,
      orientation: orientation,
      specification
    )
    return try #require(thumbnails.first?.hashes?.thumb.bytes)
  }

  /// The largest difference of two hashes in a level: planes of 8 bits round colors once.
  private func distance(_ first: [UInt8], _ other: [UInt8]) -> Int {
    guard first.count == other.count, first.count > 5 else { return .max }
    func levels(_ hash: [UInt8]) -> [Int] {
      let color = Int(hash[0]) | Int(hash[1]) << 8 | Int(hash[2]) << 16
      let shape = Int(hash[3]) | Int(hash[4]) << 8
      let header = [
        color & 63, color >> 6 & 63, color >> 12 & 63, color >> 18 & 31, color >> 23, shape & 7,
        shape >> 3 & 63, shape >> 9 & 63, shape >> 15,
      ]
      return header + hash[5...].flatMap { [Int($0 & 15), Int($0 >> 4)] }
    }
    return zip(levels(first), levels(other)).map { abs($0 - $1) }.max() ?? .max
  }
}
