import MediaCodecs
import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

/// The expected hashes are those of PyPI's imagehash 4.3.2 (`phash`) for the same pixels.
@Suite("Perceptual hashes")
struct PerceptualHashTests {
  @Test(
    "A picture has the hash that another program makes of it",
    arguments: [
      (PixelSize(width: 32, height: 32), "a832b3b593525a9b"),
      (PixelSize(width: 64, height: 48), "ad32b3b592525a8b"),
      (PixelSize(width: 640, height: 480), "ad32b3b592d2529a"),
      (PixelSize(width: 300, height: 900), "a223b73497d25aca"),
    ]
  )
  func scene(size: PixelSize, expected: String) throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: size.width, height: size.height)
    let wanted = PerceptualHash(bits: try #require(UInt64(expected, radix: 16)))
    let hash = try hash(of: "scene.png", bench)
    // Programs round the samples of a reduced picture in their own ways.
    #expect(hash.distance(to: wanted) <= 2, "\(String(hash.bits, radix: 16)) is not \(expected)")
  }

  @Test("Another size, format and quality change few bits, another picture many")
  func copies() throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 800, height: 600)
    let whole = try hash(of: "scene.png", bench)
    try bench.convert("scene.png", "-resize", "20%", "-quality", "40", "small.jpg")
    let small = try hash(of: "small.jpg", bench, format: .jpeg)
    #expect(whole.distance(to: small) <= 4)
    try bench.convert("scene.png", "-flop", "mirrored.png")
    #expect(whole.distance(to: try hash(of: "mirrored.png", bench)) > 16)
    // The corners of a transparent picture are white, as they are in a copy without transparency.
    try bench.convert(
      [
        "scene.png", "(", "-size", "800x600", "xc:black", "-fill", "white", "-draw",
        "circle 400,300 400,20", ")", "-alpha", "off", "-compose", "CopyOpacity", "-composite",
        "disc.png",
      ]
    )
    try bench.convert("disc.png", "-background", "white", "-alpha", "remove", "flat.png")
    let disc = try hash(of: "disc.png", bench)
    #expect(disc.distance(to: try hash(of: "flat.png", bench)) <= 2)
  }

  @Test("It is of the whole, upright picture, whatever the thumbnails show of it")
  func whole() throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 320, height: 240)
    try bench.convert("scene.png", "-rotate", "270", "turned.png")
    let upright = try hash(of: "scene.png", bench)
    #expect(upright.distance(to: try hash(of: "turned.png", bench, orientation: 6)) <= 2)
    let square = try hash(of: "scene.png", bench, spec(64, 64, .aspectFill))
    #expect(upright.distance(to: square) <= 2)
    let both = try ImageThumbnailer().thumbnails(
      of: try readBytes(bench.path("scene.png")),
      format: .png,
      spec(100, 100, name: "a"),
      spec(32, 32, .aspectFill, name: "b")
    )
    #expect(both[0].hashes?.perceptual == both[1].hashes?.perceptual)
  }

  @Test("The hash of a turned picture follows from its own, but for some bits; turned back it is the same")
  func turned() throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 320, height: 240)
    let upright = try hash(of: "scene.png", bench)
    for turn in PictureTurn.all {
      let mirror = turn.isMirrored ? ["-flop"] : []
      try bench.convert(["scene.png"] + mirror + ["-rotate", "\(turn.degrees)", "copy.png"])
      let copy = try hash(of: "copy.png", bench)
      let error = upright.turned(by: turn).distance(to: copy)
      #expect(error <= PerceptualHash.mostTurnedError, "\(turn.text): \(error)")
      // No turn is a small change of the hash.
      #expect(upright.distance(to: copy) > 12, "\(turn.text)")
      let read = try hash(of: "copy.png", bench, rotation: turn.readingDegrees)
      let back = turn.isMirrored ? read.transposed : read
      #expect(upright.distance(to: back) <= 2, "\(turn.text)")
    }
    let text = PictureTurn.all.map(\.text)
    #expect(text.count == 7 && Set(text).count == 7)
    #expect(text.first == "turned 90" && text.last == "mirrored, turned 270")
  }

  @Test("The hash of a picture whose rows and columns are swapped follows bit for bit from its own")
  func transposed() {
    var generator = SeededGenerator()
    for _ in 0..<20 {
      let edges = (0..<8).map { _ in Int.random(in: 0..<256, using: &generator) }
      let luma = (0..<1024).map { (index: Int) -> UInt8 in
        let (column, row) = (index % 32, index / 32)
        return UInt8(truncatingIfNeeded: (edges[column / 8] + edges[4 + row / 8]) / 2 + column * row % 31)
      }
      func turned(_ place: (Int, Int) -> (Int, Int)) -> PerceptualHash {
        PerceptualHash(
          luma: (0..<1024).map { index in
            let (column, row) = place(index % 32, index / 32)
            return luma[row * 32 + column]
          }
        )
      }
      let hash = PerceptualHash(luma: luma)
      #expect(turned { ($1, $0) } == hash.transposed)
      #expect(turned { ($1, $0) } == hash.turned(by: .transposition))
      #expect(hash.transposed.transposed == hash)
    }
  }

  @Test("A picture that is nearly of one color is like no other")
  func plain() throws {
    let bench = Bench()
    try bench.convert("-size", "64x64", "xc:#808080", "gray.png")
    #expect(try hash(of: "gray.png", bench) == .plain)
    let faint = (0..<1024).map { UInt8(120 + $0 % 4) }
    #expect(PerceptualHash(luma: faint) == .plain)
    let strong = (0..<1024).map { UInt8($0 % 32 * 8) }
    #expect(PerceptualHash(luma: strong) != .plain)
    #expect(PerceptualHash(luma: Array(strong.dropLast())) == .plain)
    #expect(PerceptualHash(luma: []) == .plain)
  }

  @Test("The hash of samples is the same everywhere")
  func samples() {
    // A pattern without symmetry, so that a changed order of bits or axes shows.
    let samples = (0..<1024).map { (index: Int) -> UInt8 in
      let (column, row) = (index % 32, index / 32)
      return UInt8(truncatingIfNeeded: column * 5 + row * 3 + index * index % 97)
    }
    #expect(String(PerceptualHash(luma: samples).bits, radix: 16) == "9a25691b566a56ad")
  }

  private func hash(
    of name: String,
    _ bench: Bench,
    _ specification: ThumbnailSpec = spec(640, 640),
    format: MediaFormat = .png,
    orientation: Int = 1,
    rotation: Int = 0
  ) throws -> PerceptualHash {
    let thumbnails = try ImageThumbnailer().thumbnails(
      of: try readBytes(bench.path(name)),
      format: format,
      orientation: orientation,
      rotation: rotation,
      specification
    )
    return try #require(thumbnails.first?.hashes?.perceptual)
  }
}
