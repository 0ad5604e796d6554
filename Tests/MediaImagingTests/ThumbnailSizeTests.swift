import Foundation
import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

@Suite("Thumbnail sizes")
struct ThumbnailSizeTests {
  static let pictures = [
    PixelSize(width: 97, height: 61), PixelSize(width: 40, height: 64),
    PixelSize(width: 3, height: 50), PixelSize(width: 1, height: 1),
    PixelSize(width: 333, height: 2),
  ]

  /// The rule in fractions of big numbers, written without looking at the program.
  private func expected(_ picture: PixelSize, _ box: PixelSize, _ mode: ContentMode) -> [Int] {
    let (w, h, a, b) = (
      Decimal(picture.width), Decimal(picture.height), Decimal(box.width), Decimal(box.height)
    )
    func nearest(_ value: Decimal) -> Int {
      var (input, output) = (value + Decimal(sign: .plus, exponent: -20, significand: 1), Decimal())
      NSDecimalRound(&output, &input, 0, .plain)
      return max(1, (output as NSDecimalNumber).intValue)
    }
    if mode == .aspectFit {
      let scale = min(1, min(a / w, b / h))
      return [nearest(w * scale), nearest(h * scale)]
    }
    let scale = min(1, max(a / w, b / h))
    return [min(box.width, nearest(w * scale)), min(box.height, nearest(h * scale))]
  }

  @Test(
    "Every box up to 64 pixels gives exactly the size that arithmetic says",
    arguments: pictures,
    ContentMode.allCases
  )
  func everyBox(picture: PixelSize, mode: ContentMode) throws {
    let bench = Bench()
    try bench.makeScene("scene.jpg", width: picture.width, height: picture.height)
    let bytes = try readBytes(bench.path("scene.jpg"))
    let thumbnailer = ImageThumbnailer()
    for width in 1...64 {
      for height in Set([width, 65 - width, 7, 64]) {
        let box = PixelSize(width: width, height: height)
        let thumbnail = try #require(
          try thumbnailer.thumbnails(of: bytes, format: .jpeg, spec(width, height, mode)).first
        )
        let size = expected(picture, box, mode)
        #expect([thumbnail.pixelSize.width, thumbnail.pixelSize.height] == size, "\(box)")
        #expect(frame(thumbnail.bytes)?.prefix(2) == size[...], "\(box)")
      }
    }
  }

  @Test("An orientation that lies on its side swaps the picture, not the box", arguments: 1...8)
  func orientedSize(orientation: Int) throws {
    let bench = Bench()
    try bench.makeScene("scene.jpg", width: 120, height: 50)
    let bytes = try readBytes(bench.path("scene.jpg"))
    let thumbnail = try #require(
      try ImageThumbnailer().thumbnails(
        of: bytes,
        format: .jpeg,
        orientation: orientation,
        spec(60, 100)
      ).first
    )
    #expect(
      thumbnail.pixelSize
        == (orientation < 5
          ? PixelSize(width: 60, height: 25) : PixelSize(width: 42, height: 100))
    )
  }

  @Test("Several sizes come back in the order asked for, each as if it were alone")
  func severalSizes() throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 1200, height: 800)
    try bench.convert("scene.png", "-quality", "95", "scene.jpg")
    let bytes = try readBytes(bench.path("scene.jpg"))
    let thumbnailer = ImageThumbnailer()
    let specifications = [
      spec(64, 64, .aspectFill, name: "a"), spec(500, 500, name: "b"), spec(100, 100, name: "c"),
      spec(2000, 2000, name: "d"), spec(201, 133, name: "e"),
    ]
    let together = try bytes.withUnsafeBytes { bytes in
      try thumbnailer.thumbnails(of: bytes, format: .jpeg, orientation: 6, specifications: specifications)
    }
    #expect(together.map(\.name) == ["a", "b", "c", "d", "e"])
    for (specification, thumbnail) in zip(specifications, together) {
      let alone = try #require(
        try thumbnailer.thumbnails(of: bytes, format: .jpeg, orientation: 6, specification).first
      )
      #expect(alone.pixelSize == thumbnail.pixelSize)
      try bench.write(alone.bytes, "alone.jpg")
      try bench.write(thumbnail.bytes, "together.jpg")
      #expect(try bench.psnr("alone.jpg", "together.jpg") > 36, "\(specification.name)")
    }
  }

  @Test("aspectFill shows the middle")
  func fillIsCentered() throws {
    let bench = Bench()
    try bench.convert(
      "-size",
      "300x100",
      "xc:red",
      "-fill",
      "lime",
      "-draw",
      "rectangle 100,0 199,99",
      "-quality",
      "95",
      "stripes.jpg"
    )
    let bytes = try readBytes(bench.path("stripes.jpg"))
    for side in [100, 50, 20] {
      let thumbnail = try #require(
        try ImageThumbnailer().thumbnails(of: bytes, format: .jpeg, spec(side, side, .aspectFill))
          .first
      )
      try bench.write(thumbnail.bytes, "thumbnail.jpg")
      try bench.convert("-size", "\(side)x\(side)", "xc:lime", "lime.png")
      #expect(try bench.psnr("thumbnail.jpg", "lime.png") > 28, "\(side)")
    }
  }
}
