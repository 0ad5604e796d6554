import Foundation
import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

/// Patches of known color, in and out, compared by numbers that no color library made.
@Suite("Color spaces")
struct ColorSpaceTests {
  /// Inside of every space here.
  static let colors = [
    [192, 64, 48], [48, 160, 80], [56, 80, 176], [144, 128, 112], [208, 192, 64], [240, 240, 240],
    [24, 20, 16],
  ]

  static let spaces: [(name: String, space: RGBSpace)] = [
    ("Display P3", .displayP3), ("Adobe RGB", .adobeRGB), ("ProPhoto", .proPhoto),
  ]

  /// Writes patches of one color each, side by side, without any profile.
  private func makePatches(_ colors: [[Int]], _ bench: Bench) throws {
    var pixels: [UInt8] = []
    for _ in 0..<64 {
      for color in colors {
        for _ in 0..<64 { pixels += color.map { UInt8(min(max($0, 0), 255)) } }
      }
    }
    let header = "P6 \(64 * colors.count) 64 255\n"
    try bench.write(Array(header.utf8) + pixels, "patches.ppm")
  }

  /// The middle of each patch of a thumbnail at half the size, as ImageMagick reads it.
  private func patches(_ file: String, _ count: Int, _ bench: Bench) throws -> [[Int]] {
    try bench.convert(file, "+profile", "*", "-depth", "8", "RGB:pixels.rgb")
    let pixels = try readBytes(bench.path("pixels.rgb"))
    return (0..<count).map { index in
      let at = (16 * 32 * count + index * 32 + 16) * 3
      return pixels[at..<(at + 3)].map(Int.init)
    }
  }

  private func thumbnail(
    _ source: String,
    _ format: MediaFormat,
    _ colorSpace: ThumbnailColorSpace?,
    _ output: ThumbnailFormat,
    _ bench: Bench
  ) throws -> [UInt8] {
    var specification = spec(32 * 7, 32, quality: 100)
    specification.format = output
    specification.colorSpace = colorSpace
    return try #require(
      try ImageThumbnailer().thumbnails(
        of: try readBytes(bench.path(source)),
        format: format,
        specification
      ).first
    ).bytes
  }

  @Test(
    "Patches of wide spaces keep their color, converted or with the profile",
    arguments: spaces.indices,
    [MediaFormat.jpeg, .png, .tiff]
  )
  func wide(index: Int, format: MediaFormat) throws {
    let bench = Bench()
    let space = Self.spaces[index].space
    try bench.write(space.profile, "space.icc")
    try makePatches(Self.colors.map { space.samples(of: $0, in: .sRGB) }, bench)
    let source = "source.\(format.fileExtension)"
    try bench.convert(
      "patches.ppm",
      "-profile",
      "space.icc",
      "-quality",
      "100",
      "-sampling-factor",
      "1x1",
      source
    )
    // Without all, each space and format has one of the outputs.
    let outputs = ThumbnailFormat.allCases
    let number = (index + format.fileExtension.count) % outputs.count
    for output in Amount.isAll ? outputs : [outputs[number]] {
      for (wanted, shown) in [(ThumbnailColorSpace.sRGB, RGBSpace.sRGB), (.keep, space)] {
        let bytes = try thumbnail(source, format, wanted, output, bench)
        try bench.write(bytes, "thumbnail.\(output.fileExtension)")
        let profile = try Tool.run(
          "exiftool",
          ["-b", "-icc_profile", bench.path("thumbnail.\(output.fileExtension)")]
        )
        #expect(profile.output.isEmpty == (wanted == .sRGB), "\(output) \(wanted)")
        for (color, patch) in zip(
          Self.colors,
          try patches("thumbnail.\(output.fileExtension)", Self.colors.count, bench)
        ) {
          // What the samples themselves say, rounded to eight bits, is the measure.
          let stored = space.samples(of: color, in: .sRGB)
          let difference = space.lab(stored).difference(shown.lab(patch))
          #expect(
            // WebP has 219 levels of luma, not 255.
            difference < (output == .webp ? 2.5 : 2),
            "\(Self.spaces[index].name) \(output) \(wanted) \(color) \(patch)"
          )
        }
      }
    }
  }

  @Test("A small profile is kept, a large one converted, sRGB's own dropped, if nothing is said")
  func cheaper() throws {
    let bench = Bench()
    try makePatches(Self.colors, bench)
    let small = TestProfile.bytes(space: "RGB ", tags: [])
    #expect(small.count < 1000)
    for (profile, isKept) in [
      (RGBSpace.adobeRGB.profile, true), (RGBSpace.sRGB.profile, false),
    ] {
      try bench.write(profile, "space.icc")
      try bench.convert("patches.ppm", "-profile", "space.icc", "source.png")
      // The curve of 1,024 points, thrice, is more than is small: once is not.
      let bytes = try thumbnail("source.png", .png, nil, .jpeg, bench)
      let holds = String(decoding: bytes, as: UTF8.self).contains("ICC_PROFILE")
      #expect(holds == (isKept && profile.count <= 4096))
    }
  }

  @Test("Gray of another curve, and ink, are shown as their profiles say")
  func grayAndInk() throws {
    let bench = Bench()
    try makePatches(Self.colors.map { _ in [128, 128, 128] }, bench)
    try bench.write(TestProfile.gray(gamma: 1.5), "gray.icc")
    for format in [MediaFormat.jpeg, .png, .tiff] {
      let source = "gray.\(format.fileExtension)"
      try bench.convert(
        "patches.ppm",
        "-colorspace",
        "Gray",
        "-profile",
        "gray.icc",
        "-quality",
        "100",
        source
      )
      let bytes = try thumbnail(source, format, .sRGB, .png, bench)
      try bench.write(bytes, "thumbnail.png")
      let patch = try patches("thumbnail.png", Self.colors.count, bench)[0]
      let wanted = Lab(xyz: [0.9642, 1, 0.8249].map { $0 * pow(128.0 / 255, 1.5) })
      #expect(RGBSpace.sRGB.lab(patch).difference(wanted) < 2, "\(format) \(patch)")
    }
    // Corners of ink that sRGB has.
    let solid = [[255, 255, 255], [60, 60, 60], [230, 220, 40], [50, 48, 20]]
    let corners = (0..<16).map { index -> Lab in
      let base = solid[index % 4].map { $0 * (16 - index / 4 * 3) / 16 }
      return RGBSpace.sRGB.lab(base)
    }
    try bench.write(TestProfile.ink(corners), "ink.icc")
    var pixels: [UInt8] = []
    let inks = [0, 1, 2, 4, 6, 8, 12]
    for _ in 0..<64 {
      for ink in inks {
        let pixel = [8, 4, 2, 1].map { UInt8(ink & $0 == 0 ? 0 : 255) }
        for _ in 0..<64 { pixels += pixel }
      }
    }
    try bench.write(pixels, "ink.cmyk")
    for format in [MediaFormat.jpeg, .tiff] {
      let source = "ink.\(format.fileExtension)"
      try bench.convert(
        "-size",
        "\(64 * inks.count)x64",
        "-depth",
        "8",
        "ink.cmyk",
        "-profile",
        "ink.icc",
        "-quality",
        "100",
        source
      )
      let bytes = try thumbnail(source, format, nil, .png, bench)
      try bench.write(bytes, "thumbnail.png")
      for (ink, patch) in zip(inks, try patches("thumbnail.png", inks.count, bench)) {
        // White and black of the ink are white and black of the screen: perceptual, with its
        // black point, so the darkest corners may be darker.
        guard corners[ink].lightness > 60 else { continue }
        let difference = RGBSpace.sRGB.lab(patch).difference(corners[ink])
        #expect(difference < 2.5, "\(format) \(ink) \(patch)")
      }
    }
  }

  @Test(
    "Code points in a PNG say what its colors are, before its profile",
    arguments: [(12, 13, 8), (12, 4, 8), (9, 4, 16), (1, 8, 16), (9, 8, 16)]
  )
  func codePoints(primaries: Int, transfer: Int, depth: Int) throws {
    let bench = Bench()
    let points =
      switch primaries {
      case 12: RGBSpace.displayP3.points
      case 9: [0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046]
      default: RGBSpace.standardPoints
      }
    let space: RGBSpace =
      switch transfer {
      case 4: .gamma(points, 2.2)
      case 8: .gamma(points, 1)
      default: .standardCurve(points)
      }
    try makePatches(Self.colors.map { space.samples(of: $0, in: .sRGB) }, bench)
    try bench.write(RGBSpace.proPhoto.profile, "wrong.icc")
    try bench.convert(
      "patches.ppm",
      "-profile",
      "wrong.icc",
      "-define",
      "png:bit-depth=\(depth)",
      "-define",
      "png:color-type=2",
      "plain.png"
    )
    let bytes = try readBytes(bench.path("plain.png"))
    #expect(bytes[24] == UInt8(depth))
    let chunk = pngChunk("cICP", [UInt8(primaries), UInt8(transfer), 0, 1])
    try bench.write(Array(bytes[..<33]) + chunk + Array(bytes[33...]), "source.png")
    // Eight bits that stand for light are too few to keep.
    for wanted in transfer == 8 ? [ThumbnailColorSpace.sRGB] : [.sRGB, .keep] {
      try bench.write(try thumbnail("source.png", .png, wanted, .png, bench), "thumbnail.png")
      let shown = wanted == .sRGB ? RGBSpace.sRGB : space
      for (color, patch) in zip(Self.colors, try patches("thumbnail.png", Self.colors.count, bench)) {
        // Eight bits of light are few in the dark: what the samples themselves say is the measure.
        let stored = space.samples(of: color, in: .sRGB)
        let difference = space.lab(stored).difference(shown.lab(patch))
        #expect(difference < 2, "\(wanted) \(color) \(patch)")
      }
    }
  }
}
