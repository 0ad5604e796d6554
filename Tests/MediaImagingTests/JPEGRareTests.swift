import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@Suite("JPEG processes that libjpeg-turbo lacks")
struct JPEGRareTests {
  /// A gray JPEG of 8 x 8 pixels with 12 bits per sample, in which only the DC coefficient differs from
  /// zero: `scan` has its ten bits after the code "0".
  static func twelve(_ scan: [UInt8], end: [UInt8] = [0xFF, 0xD9]) -> [UInt8] {
    func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
      [0xFF, marker, 0, UInt8(body.count + 2)] + body
    }
    let zeros = [UInt8](repeating: 0, count: 15)
    return [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 16, count: 64))
      + segment(0xC1, [12, 0, 8, 0, 8, 1, 1, 0x11, 0]) + segment(0xC4, [0x00, 1] + zeros + [10])
      + segment(0xC4, [0x10, 1] + zeros + [0]) + segment(0xDA, [1, 1, 0, 0, 63, 0]) + scan + end
  }

  @Test("12 bits per sample have a thumbnail of the right brightness")
  func twelveBits() throws {
    let bench = Bench()
    let thumbnailer = ImageThumbnailer()
    // DC of 1000 and -1000, times 16 / 8: 2000 above and below the middle of 4096.
    for (name, scan, brightness) in [
      ("bright", [UInt8(0x7D), 0x0F], 0.98...1.0), ("dark", [0x02, 0xEF], 0.0...0.02),
    ] {
      let thumbnails = try thumbnailer.thumbnails(of: Self.twelve(scan), format: .jpeg, spec(8, 8))
      try bench.write(thumbnails[0].bytes, "\(name).jpg")
      let mean = try #require(Double(try bench.identify("\(name).jpg", "%[fx:mean]")))
      #expect(brightness.contains(mean), "\(name): \(mean)")
    }
    let cut = Self.twelve([0x7D, 0x0F], end: [])
    #expect(thumbnailer.code(of: cut, format: .jpeg, spec(8, 8)) == .damaged)
  }

  @Test(
    "A lossless JPEG looks like the picture that it was made of",
    .enabled(if: Tool.exists("ffmpeg"), "no ffmpeg"),
    arguments: ["yuvj420p", "yuvj444p"]
  )
  func lossless(pixels: String) throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 96, height: 64)
    let arguments = ["-v", "error", "-i", "scene.png", "-pix_fmt", pixels, "-c:v", "ljpeg"]
    let result = try Tool.run(
      "ffmpeg",
      arguments + ["-strict", "unofficial", "-update", "1", "lossless.jpg"],
      in: bench.folder.path
    )
    try #require(result.status == 0, "\(result.error)")
    let bytes = try readBytes(bench.path("lossless.jpg"))
    #expect(bytes.indices.contains { bytes[$0...].starts(with: [0xFF, 0xC3]) })
    let thumbnailer = ImageThumbnailer()
    let thumbnails = try thumbnailer.thumbnails(of: bytes, format: .jpeg, spec(48, 48, quality: 95))
    let scene = try readBytes(bench.path("scene.png"))
    let wanted = try thumbnailer.thumbnails(of: scene, format: .png, spec(48, 48, quality: 95))
    try bench.write(thumbnails[0].bytes, "made.jpg")
    try bench.write(wanted[0].bytes, "wanted.jpg")
    #expect(try bench.psnr("made.jpg", "wanted.jpg") > 30)
    #expect(thumbnailer.code(of: Array(bytes.dropLast(400)), format: .jpeg, spec(9, 9)) == .damaged)
  }
}
