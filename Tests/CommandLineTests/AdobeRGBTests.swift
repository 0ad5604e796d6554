import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

/// Pictures whose color space only the interoperability index of Exif states.
@Suite(
  "Adobe RGB by Exif alone",
  .enabled(if: Has.exiftool && Has.magick, "no exiftool or ImageMagick")
)
struct AdobeRGBTests {
  /// The samples of the picture's one color, and the same color in sRGB: by the primaries and curves of
  /// Adobe RGB (1998), version 2005-05, section 4.3, and IEC 61966-2-1.
  private static let samples = [120, 200, 90]
  private static let inSRGB: [Int] = {
    let linear = samples.map { pow(Double($0) / 255, 563.0 / 256) }
    let matrix = [
      [1.398_28, -0.398_31, 0.0], [0.0, 1.0, 0.0], [0.0, -0.042_94, 1.042_94],
    ]
    return matrix.map { row in
      let value = zip(row, linear).map { $0 * $1 }.reduce(0, +)
      return Int((255 * (1.055 * pow(max(0, value), 1 / 2.4) - 0.055)).rounded())
    }
  }()

  private func scene(_ index: String, policy: String) throws -> Scene {
    let scene = Scene(policy: policy)
    try scene.declare("camera")
    scene.manifest["thumbnails"] = [
      "grid": ["size": [16, 16], "format": "png", "colorSpace": "sRGB"]
    ]
    try scene.makeFolder("sources/camera")
    let file = scene.at("sources/camera/a.jpg")
    let color = "rgb(\(Self.samples.map(String.init).joined(separator: ",")))"
    let drawn = try Tool.run(
      "convert",
      ["-size", "64x64", "xc:\(color)", "-quality", "100", "-sampling-factor", "1x1", file]
    )
    try #require(drawn.status == 0, "\(drawn.error)")
    let tagged = try Tool.run(
      "exiftool",
      ["-q", "-overwrite_original", "-ColorSpace=Uncalibrated", "-InteropIndex=\(index)", file]
    )
    try #require(tagged.status == 0, "\(tagged.error)")
    try scene.run().expect(0)
    return scene
  }

  /// The picture's middle pixel as ImageMagick decodes it; `options` stand before the output.
  private func pixel(_ file: String, _ options: [String] = []) throws -> [Int] {
    let text = try Tool.run(
      "convert",
      [file] + options + [
        "-format",
        "%[fx:round(255*p{8,8}.r)] %[fx:round(255*p{8,8}.g)] "
          + "%[fx:round(255*p{8,8}.b)]", "info:",
      ]
    ).output
    return text.split(separator: " ").compactMap { Int($0) }
  }

  private func isClose(_ color: [Int], _ other: [Int]) -> Bool {
    color.count == 3 && zip(color, other).allSatisfy { abs($0 - $1) <= 2 }
  }

  @Test("The thumbnail has the picture's colors, and a stripped one a profile that says them")
  func shows() throws {
    for policy in ["strip", "keep"] {
      let scene = try scene("R03 - DCF option file (Adobe RGB)", policy: policy)
      let thumbnail = try #require(scene.catalogue("SELECT path FROM thumbnails").first)
      let shown = try pixel(scene.library + "/" + thumbnail)
      #expect(isClose(shown, Self.inSRGB), "\(policy): \(shown), \(Self.inSRGB)")
      #expect(!isClose(Self.samples, Self.inSRGB))
      guard policy == "strip" else { continue }
      let path = try #require(scene.catalogue("SELECT path FROM resources").first)
      let original = scene.library + "/" + path
      #expect(isClose(try pixel(original), Self.samples))
      let tags = try Tool.run(
        "exiftool",
        ["-s", "-G1", "-InteropIndex", "-ColorSpace", "-ICC_Profile:all", original]
      ).output
      #expect(!tags.contains("Interop") && tags.contains("RedMatrixColumn"), "\(tags)")
      // ImageMagick's lcms takes the profile, and comes to the same color.
      let srgb = scene.at("srgb.icc")
      let output = try Tool.run("find", ["/usr/share/color", "-iname", "sRGB.icc"]).output
      if let system = output.split(separator: "\n").first {
        try FileManager.default.copyItem(atPath: String(system), toPath: srgb)
        let converted = try pixel(original, ["-profile", srgb])
        #expect(isClose(converted, Self.inSRGB), "\(converted)")
      }
      try scene.expectVerified()
    }
  }

  @Test("A picture that states sRGB gets no profile")
  func leaves() throws {
    let scene = try scene("R98 - DCF basic file (sRGB)", policy: "strip")
    let path = try #require(scene.catalogue("SELECT path FROM resources").first)
    let tags = try Tool.run("exiftool", ["-ICC_Profile:all", scene.library + "/" + path]).output
    #expect(tags.isEmpty, "\(tags)")
    let thumbnail = try #require(scene.catalogue("SELECT path FROM thumbnails").first)
    #expect(isClose(try pixel(scene.library + "/" + thumbnail), Self.samples))
  }
}
