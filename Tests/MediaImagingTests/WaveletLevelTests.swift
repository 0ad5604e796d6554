import Foundation
import MediaCodecs
import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

/// JPEG 2000 is decoded without the wavelet levels that its thumbnails do not need.
@Suite(
  "Wavelet levels of JPEG 2000",
  .enabled(if: Tool.exists("opj_compress"), "no OpenJPEG")
)
struct WaveletLevelTests {
  private static let kinds: [[String]] = [
    [], ["-n", "1"], ["-n", "2"], ["-I", "-r", "10"], ["-t", "257,129", "-n", "4"],
  ]

  private func compressed(
    _ bench: Bench,
    _ source: String,
    _ arguments: [String],
    as name: String = "file.jp2"
  ) throws -> [UInt8] {
    let file = bench.path(name)
    let options = ["-i", bench.path(source), "-o", file] + arguments
    #expect(try Tool.run("opj_compress", options).status == 0)
    return try readBytes(file)
  }

  /// A scene without symmetry, whose sides are odd.
  private func compressedScene(
    _ bench: Bench,
    _ arguments: [String] = [],
    as name: String = "file.jp2"
  ) throws -> [UInt8] {
    try bench.makeScene("scene.png", width: 1003, height: 749)
    try bench.convert("scene.png", "scene.ppm")
    return try compressed(bench, "scene.ppm", arguments, as: name)
  }

  @Test(
    "A thumbnail is one of the whole picture, however many levels there are",
    arguments: kinds,
    [1, 6]
  )
  func whole(arguments: [String], orientation: Int) throws {
    let bench = Bench()
    let bytes = try compressedScene(bench, arguments)
    let ours = try bytes.withUnsafeBytes {
      try ImageThumbnailer().thumbnails(
        of: $0,
        format: .jp2,
        orientation: orientation,
        specifications: [spec(120, 120, quality: 98)]
      )[0]
    }
    let turn = orientation == 6 ? ["-rotate", "90"] : []
    let size = "\(ours.pixelSize.width)x\(ours.pixelSize.height)!"
    try bench.convert(["scene.png"] + turn + ["-filter", "Lanczos", "-resize", size, "wanted.png"])
    try bench.write(ours.bytes, "ours.jpg")
    #expect(try bench.psnr("ours.jpg", "wanted.png") > 34)
  }

  @Test("Levels are omitted where there are some: the same pixels give another thumbnail")
  func omitted() throws {
    let bench = Bench()
    let thumbnails = try [["-n", "1"], []].map { arguments in
      let bytes = try compressedScene(bench, arguments)
      return try ImageThumbnailer().thumbnails(of: bytes, format: .jp2, spec(120, 120))[0].bytes
    }
    #expect(thumbnails[0] != thumbnails[1])
  }

  /// The marker segments of a codestream's main header, and its tile-parts.
  private func parts(_ bytes: [UInt8]) -> (header: [[UInt8]], tiles: [[UInt8]]) {
    func number(at start: Int, _ count: Int) -> Int {
      bytes[start..<(start + count)].reduce(0) { $0 << 8 | Int($1) }
    }
    var (header, tiles): ([[UInt8]], [[UInt8]]) = ([], [])
    var position = 2
    while bytes[position + 1] != 0xD9 {
      let isTile = bytes[position + 1] == 0x90
      let end = position + (isTile ? number(at: position + 6, 4) : 2 + number(at: position + 2, 2))
      let part = Array(bytes[position..<end])
      if isTile { tiles.append(part) } else { header.append(part) }
      position = end
    }
    return (header, tiles)
  }

  /// A codestream whose first tile alone is as the main header states: the others are those of `other`, each with
  /// COD and QCD of their own.
  private func mixed(_ uniform: [UInt8], _ other: [UInt8]) -> [UInt8] {
    let (first, others) = (parts(uniform), parts(other))
    let coding = others.header.filter { [0x52, 0x5C].contains($0[1]) }.flatMap(\.self)
    let tiles = others.tiles.dropFirst().map { tile -> [UInt8] in
      tile[..<6] + big(tile.count + coding.count) + tile[10..<12] + coding + tile[12...]
    }
    let all = first.header + first.tiles.prefix(1) + tiles
    return uniform[..<2] + all.flatMap(\.self) + [0xFF, 0xD9]
  }

  @Test("Where a tile has fewer levels than the main header states, all pixels are decoded")
  func fewerLevels() throws {
    let bench = Bench()
    let tiles = ["-t", "512,512"]
    let uniform = try compressedScene(bench, tiles, as: "uniform.j2k")
    let other = try compressedScene(bench, tiles + ["-n", "1"], as: "other.j2k")
    let mixed = mixed(uniform, other)
    try bench.write(mixed, "mixed.j2k")
    // The decoder refuses to leave out a level that a tile does not have.
    let options = ["-i", bench.path("mixed.j2k"), "-o", bench.path("mixed.ppm")]
    #expect(try Tool.run("opj_decompress", options).status == 0)
    #expect(try Tool.run("opj_decompress", options + ["-r", "1"]).status != 0)
    for (name, bytes) in [("uniform", uniform), ("mixed", mixed)] {
      let size = spec(40, 40, quality: 98)
      let thumbnails = try ImageThumbnailer().thumbnails(of: bytes, format: .j2k, size)
      try bench.write(thumbnails[0].bytes, name + ".jpg")
    }
    #expect(try bench.psnr("uniform.jpg", "mixed.jpg") > 30)
  }

  @Test("The thumbnail of a mirrored picture is the mirrored thumbnail")
  func isInPlace() throws {
    let bench = Bench()
    // Squares of 63 pixels. Two levels are omitted, whose coefficients are 1.5 pixels from the centers of theirs.
    try bench.convert("-size", "16x12", "pattern:gray50", "-scale", "1008x756!", "scene.ppm")
    try bench.convert(["scene.ppm", "-flip", "-flop", "mirrored.ppm"])
    for name in ["scene", "mirrored"] {
      let bytes = try compressed(bench, name + ".ppm", [])
      let size = spec(40, 40, quality: 98)
      let thumbnails = try ImageThumbnailer().thumbnails(of: bytes, format: .jp2, size)
      try bench.write(thumbnails[0].bytes, name + ".jpg")
    }
    try bench.convert(["mirrored.jpg", "-flip", "-flop", "turned.png"])
    // 35; 22 if the coefficients counted as means.
    #expect(try bench.psnr("scene.jpg", "turned.png") > 30)
  }

  @Test("The indices of a palette are not averaged")
  func palette() throws {
    let bench = Bench()
    // Of two colors by turns; the index between them is a third one.
    let side = 256
    let pixels = (0..<(side * side)).map { UInt8($0 % 2 * 2) }
    try bench.write(Array("P5\n\(side) \(side)\n255\n".utf8) + pixels, "index.pgm")
    let options = ["-i", bench.path("index.pgm"), "-o", bench.path("index.j2k")]
    #expect(try Tool.run("opj_compress", options).status == 0)
    let palette = isoBox("pclr", [0, 3, 3, 7, 7, 7] + [255, 0, 0, 0, 255, 0, 0, 0, 255])
    let channels = isoBox("cmap", [0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2])
    let header = isoBox("ihdr", big(side) + big(side) + [0, 1, 7, 7, 0, 0])
    let file =
      JP2Header.signature + isoBox("ftyp", Array("jp2 \0\0\0\0jp2 ".utf8))
      + isoBox("jp2h", header + isoBox("colr", [1, 0, 0] + big(16)) + palette + channels)
      + isoBox("jp2c", try readBytes(bench.path("index.j2k")))
    let ours = try ImageThumbnailer().thumbnails(of: file, format: .jp2, spec(32, 32, quality: 98))
    try bench.write(ours[0].bytes, "ours.jpg")
    try bench.convert("-size", "32x32", "xc:#800080", "wanted.png")
    #expect(try bench.psnr("ours.jpg", "wanted.png") > 30)
  }

  @Test("A file that is cut is damaged, wherever it is cut")
  func damaged() throws {
    let bench = Bench()
    let bytes = try compressedScene(bench)
    let thumbnailer = ImageThumbnailer()
    #expect(thumbnailer.code(of: bytes, format: .jp2, spec(64, 64)) == nil)
    for count in stride(from: 100, to: bytes.count, by: bytes.count / 16) {
      let code = thumbnailer.code(of: Array(bytes[..<count]), format: .jp2, spec(64, 64))
      #expect(code == .damaged, "\(count) of \(bytes.count) bytes")
    }
  }
}
