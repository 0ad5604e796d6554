import Foundation
import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@Suite("WebP")
struct WebPDecoderTests {
  private func thumbnail(_ bench: Bench, _ name: String, side: Int) throws -> Thumbnail {
    let thumbnails = try ImageThumbnailer().thumbnails(
      of: try readBytes(bench.path(name)),
      format: .webp,
      spec(side, side, quality: 98)
    )
    let thumbnail = try #require(thumbnails.first)
    try bench.write(thumbnail.bytes, "thumbnail.jpg")
    return thumbnail
  }

  @Test(
    "Lossy and lossless, whole and reduced",
    arguments: [["-quality", "95"], ["-define", "webp:lossless=true"]],
    [400, 333, 150, 61, 20]
  )
  func pictures(_ options: [String], _ side: Int) throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 333, height: 201)
    try bench.convert(["scene.png"] + options + ["scene.webp"])
    let resize = side < 333 ? "\(side)x\(side)" : "100%"
    try bench.convert("scene.png", "-filter", "Lanczos", "-resize", resize, "reference.png")
    _ = try thumbnail(bench, "scene.webp", side: side)
    #expect(try bench.identify("thumbnail.jpg") == (try bench.identify("reference.png")))
    #expect(try bench.psnr("reference.png", "thumbnail.jpg") > 25)
  }

  @Test("Black and white stay black and white: lossy planes have a limited range")
  func limitedRange() throws {
    let bench = Bench()
    for color in ["black", "white"] {
      try bench.convert("-size", "64x64", "xc:\(color)", "-quality", "90", "\(color).webp")
      _ = try thumbnail(bench, "\(color).webp", side: 64)
      try bench.convert("-size", "64x64", "xc:\(color)", "reference.png")
      #expect(try bench.psnr("reference.png", "thumbnail.jpg") > 45, "\(color)")
    }
  }

  @Test(
    "What is transparent shows the background",
    arguments: [["-quality", "95"], ["-define", "webp:lossless=true"]],
    [300, 40]
  )
  func alpha(_ options: [String], _ side: Int) throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 200, height: 120)
    try bench.convert("-size", "200x120", "gradient:white-black", "mask.png")
    let composite = ["-alpha", "off", "-compose", "CopyOpacity", "-composite"]
    try bench.convert(["scene.png", "mask.png"] + composite + ["clear.png"])
    try bench.convert(["clear.png"] + options + ["clear.webp"])
    try bench.convert(
      "clear.png",
      "-background",
      "white",
      "-flatten",
      "-resize",
      side < 200 ? "\(side)x\(side)" : "100%",
      "reference.png"
    )
    _ = try thumbnail(bench, "clear.webp", side: side)
    #expect(try bench.psnr("reference.png", "thumbnail.jpg") > 26)
  }

  @Test("Of an animation the first frame, at its place on its canvas", arguments: [200, 50])
  func animation(_ side: Int) throws {
    let bench = Bench()
    // A first frame that is smaller than the canvas, by hand: ImageMagick writes whole ones.
    try bench.makeScene("frame.png", width: 80, height: 60)
    try bench.convert("frame.png", "-quality", "95", "frame.webp")
    let still = try readBytes(bench.path("frame.webp"))
    let frame =
      little(20 / 2, 3) + little(30 / 2, 3) + little(79, 3) + little(59, 3) + little(100, 3) + [0]
    var chunks = riffChunk("VP8X", [0x02, 0, 0, 0] + little(159, 3) + little(119, 3))
    chunks += riffChunk("ANIM", [0, 0, 0, 0, 0, 0])
    chunks += riffChunk("ANMF", frame + still[12...])
    chunks += riffChunk("ANMF", frame + still[12...])
    let body = Array("WEBP".utf8) + chunks
    try bench.write(Array("RIFF".utf8) + little(body.count, 4) + body, "animation.webp")
    try bench.convert(
      "-size",
      "160x120",
      "xc:white",
      "frame.png",
      "-geometry",
      "+20+30",
      "-composite",
      "-resize",
      side < 160 ? "\(side)x\(side)" : "100%",
      "reference.png"
    )
    #expect(try thumbnail(bench, "animation.webp", side: side).pixelSize.width == min(side, 160))
    #expect(try bench.psnr("reference.png", "thumbnail.jpg") > 26)
    let limited = ImageThumbnailer(limits: ImagingLimits(ItemLimits(frames: 1)))
    let bytes = try readBytes(bench.path("animation.webp"))
    #expect(limited.code(of: bytes, format: .webp, spec(64, 64)) == .overLimit)
  }

  @Test("The profile travels along", .enabled(if: Corpus.folder != nil, "no corpus"))
  func profile() throws {
    let path = try #require(Corpus.file("visible/webp/exif_tool1.webp"))
    let thumbnails = try ImageThumbnailer().thumbnails(of: try readBytes(path), format: .webp, spec(64, 64))
    #expect(thumbnails.count == 1)
  }

  @Test("A file cut anywhere is damaged, and shows what there is of it when that is accepted")
  func cut() throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 200, height: 120)
    for options in [["-quality", "95"], ["-define", "webp:lossless=true"]] {
      try bench.convert(["scene.png"] + options + ["scene.webp"])
      let bytes = try readBytes(bench.path("scene.webp"))
      let thumbnailer = ImageThumbnailer()
      for count in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 61)) {
        let code = thumbnailer.code(of: Array(bytes.prefix(count)), format: .webp, spec(64, 64))
        #expect(code == .damaged, "\(count) bytes")
      }
      let half = Array(bytes.prefix(bytes.count * 2 / 3))
      let thumbnails = try half.withUnsafeBytes { half in
        try thumbnailer.thumbnails(
          of: half,
          format: .webp,
          orientation: 1,
          specifications: [spec(64, 64)],
          acceptDamaged: true
        )
      }
      #expect(thumbnails.count == 1)
    }
  }

  @Test("A picture that claims more pixels than allowed is refused")
  func limits() throws {
    let bench = Bench()
    try bench.convert("-size", "400x300", "xc:#808080", "-quality", "90", "plain.webp")
    let bytes = try readBytes(bench.path("plain.webp"))
    let thumbnailer = ImageThumbnailer(limits: ImagingLimits(ItemLimits(pixels: 100_000)))
    #expect(thumbnailer.code(of: bytes, format: .webp, spec(64, 64)) == .overLimit)
  }
}
