import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaImaging

@Suite("Colors of videos")
struct PosterColorTests {
  /// Bars of one color each, turned into luma and chroma here, as ISO/IEC 23091-2 says.
  private func makeVideo(
    _ bars: [[Double]],
    transfer: String,
    primaries: String,
    matrix: String,
    range: String = "tv",
    in bench: VideoBench
  ) throws -> [UInt8] {
    let weights = ["bt709": (0.2126, 0.0722), "smpte170m": (0.299, 0.114)]
    let (kr, kb) = weights[matrix] ?? (0.2627, 0.0593)
    var (luma, blue, red): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    func append(_ value: Double, _ scale: Double, _ zero: Double, to plane: inout [UInt8]) {
      plane += little(Int((value * scale + zero).rounded()), 2)
    }
    let isFull = range == "pc"
    for y in 0..<64 {
      for bar in bars {
        let light = kr * bar[0] + (1 - kr - kb) * bar[1] + kb * bar[2]
        for _ in 0..<32 { append(light, isFull ? 1023 : 876, isFull ? 0 : 64, to: &luma) }
        guard y % 2 == 0 else { continue }
        for _ in 0..<16 {
          append((bar[2] - light) / (2 - 2 * kb), isFull ? 1023 : 896, 512, to: &blue)
          append((bar[0] - light) / (2 - 2 * kr), isFull ? 1023 : 896, 512, to: &red)
        }
      }
    }
    try bench.bench.write(luma + blue + red, "bars.raw")
    try bench.ffmpeg(
      "-f",
      "rawvideo",
      "-pix_fmt",
      "yuv420p10le",
      "-s",
      "\(bars.count * 32)x64",
      "-i",
      "bars.raw",
      // Frames that do not say what they are would be converted to what the output says.
      "-vf",
      "setparams=range=\(range):color_primaries=\(primaries):color_trc=\(transfer):colorspace=\(matrix)",
      "-c:v",
      "libx265",
      "-x265-params",
      "log-level=none:lossless=1:range="
        + (isFull ? "full" : "limited"),
      "-color_range",
      range,
      "-color_primaries",
      primaries,
      "-color_trc",
      transfer,
      "-colorspace",
      matrix,
      "bars.mp4"
    )
    return try bench.bytes("bars.mp4")
  }

  /// The middle of each bar of a poster.
  private func middles(_ bytes: [UInt8], count: Int, in bench: VideoBench) throws -> [[Int]] {
    let poster = try poster(of: bytes, format: .mp4, spec(count * 32, 64, quality: 100))
    try #require(poster.pixelSize == PixelSize(width: count * 32, height: 64))
    try bench.bench.write(poster.bytes, "poster.jpg")
    let pixels = try bench.pixels("poster.jpg")
    return (0..<count).map { bar in
      let at = 3 * (32 * count * 32 + bar * 32 + 16)
      return pixels[at..<(at + 3)].map { Int($0) }
    }
  }

  /// Light of `nits` as PQ codes it (SMPTE ST 2084).
  private func pq(_ nits: Double) -> Double {
    let power = pow(nits / 10_000, 0.1593017578125)
    return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
  }

  /// Light of HLG's display (1,000 cd/m² at most) as HLG codes it, gray only (ITU-R BT.2100).
  private func hlg(_ nits: Double) -> Double {
    let scene = pow(nits / 1000, 1 / 1.2)
    return scene <= 1.0 / 12
      ? sqrt(3 * scene) : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
  }

  @Test("PQ and HLG are shown alike: gray is gray, shade by shade, and white is not clipped")
  func grays() throws {
    let light = [1.0, 10, 40, 100, 203, 500, 1000]
    for (transfer, code) in [("smpte2084", pq), ("arib-std-b67", hlg)] {
      let bench = VideoBench()
      let bytes = try makeVideo(
        light.map { [code($0), code($0), code($0)] },
        transfer: transfer,
        primaries: "bt2020",
        matrix: "bt2020nc",
        in: bench
      )
      let shown = try middles(bytes, count: light.count, in: bench)
      for pixel in shown {
        #expect((pixel.max() ?? 0) - (pixel.min() ?? 0) <= 4, "\(transfer) \(shown)")
      }
      let green = shown.map { $0[1] }
      #expect(zip(green, green.dropFirst()).allSatisfy { $0 < $1 }, "\(transfer) \(green)")
      // sRGB of 10/203 and 40/203: below the knee nothing is bent.
      #expect(abs(green[1] - 63) <= 4, "\(transfer) \(green)")
      #expect(abs(green[2] - 123) <= 4, "\(transfer) \(green)")
      // Diffuse white is light, and what is brighter still has shades.
      #expect((215...245).contains(green[4]), "\(transfer) \(green)")
      #expect(green[6] >= 250, "\(transfer) \(green)")
    }
  }

  @Test("BT.2020's and P3's numbers become sRGB's")
  func gamuts() throws {
    // sRGB's red, green and blue at half light, in linear values of the wide gamut.
    let wide: [(primaries: String, matrix: String, colors: [[Double]])] = [
      (
        "bt2020", "bt2020nc",
        [[0.6274, 0.0691, 0.0164], [0.3293, 0.9195, 0.0880], [0.0433, 0.0114, 0.8956]]
      ),
      (
        "smpte432", "bt709",
        [[0.8225, 0.0332, 0.0171], [0.1774, 0.9669, 0.0724], [0, 0, 0.9108]]
      ),
    ]
    for (primaries, matrix, colors) in wide {
      let bench = VideoBench()
      let coded = colors.map { color in
        color.map { $0 <= 0.0031308 ? 12.92 * $0 : 1.055 * pow($0, 1 / 2.4) - 0.055 }
      }
      let bytes = try makeVideo(coded, transfer: "bt709", primaries: primaries, matrix: matrix, in: bench)
      let shown = try middles(bytes, count: 3, in: bench)
      for channel in 0..<3 {
        for other in 0..<3 {
          let isOwn = channel == other
          #expect(isOwn ? shown[channel][other] > 244 : shown[channel][other] < 24, "\(shown)")
        }
      }
    }
  }

  @Test("Each matrix, in both ranges, gives the same colors")
  func matrices() throws {
    let colors = [[0.75, 0.2, 0.2], [0.2, 0.75, 0.2], [0.2, 0.2, 0.75]]
    for matrix in ["bt709", "smpte170m", "bt2020nc"] {
      for range in ["tv", "pc"] {
        let bench = VideoBench()
        let bytes = try makeVideo(
          colors,
          transfer: "bt709",
          primaries: "bt709",
          matrix: matrix,
          range: range,
          in: bench
        )
        let shown = try middles(bytes, count: 3, in: bench)
        for (pixel, color) in zip(shown, colors) {
          for (value, expected) in zip(pixel, color) {
            let distance = abs(value - Int((expected * 255).rounded()))
            #expect(distance <= 4, "\(matrix) \(range) \(shown)")
          }
        }
      }
    }
  }

  @Test("A transparent video is painted on the background")
  func alpha() throws {
    let bench = VideoBench()
    try bench.bench.convert(
      "-size",
      "32x64",
      "xc:red",
      "xc:none",
      "+append",
      "-fill",
      "blue",
      "-draw",
      "rectangle 0,0 15,63",
      "PNG32:half.png"
    )
    try bench.ffmpeg("-i", "half.png", "-pix_fmt", "argb", "-c:v", "qtrle", "half.mov")
    var green = spec(64, 64, quality: 100)
    green.background = RGBColor(red: 0, green: 255, blue: 0)
    let poster = try poster(of: try bench.bytes("half.mov"), format: .mov, green)
    try bench.bench.write(poster.bytes, "poster.jpg")
    let pixels = try bench.pixels("poster.jpg")
    let at = 3 * (32 * 64 + 50)
    #expect(pixels[at] < 12)
    #expect(pixels[at + 1] > 243)
    #expect(pixels[at + 2] < 12)
  }
}
