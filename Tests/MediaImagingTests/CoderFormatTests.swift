import Foundation
import MediaImaging
import MediaModel
import MediaTestSupport
import Testing

/// The formats that ImageMagick decodes by a coder of its own.
@Suite("Formats of ImageMagick's coders")
struct CoderFormatTests {
  /// What `convert` is told for each kind: format, prefix of the output, arguments.
  static let kinds: [(format: MediaFormat, output: String, arguments: [String])] = [
    (.psd, "psd", []), (.psd, "psd", ["-compress", "none"]), (.psd, "psd", ["-depth", "16"]),
    (.psd, "psd", ["-colorspace", "Gray"]), (.psb, "psb", []), (.tga, "tga", []),
    (.tga, "tga", ["-compress", "RLE"]), (.tga, "tga", ["-type", "Palette"]),
    (.tga, "tga", ["-colorspace", "Gray"]), (.jp2, "jp2", ["-quality", "0"]), (.j2k, "j2k", []),
    (.jp2, "jp2", ["-colorspace", "Gray"]), (.pnm, "ppm", []),
    (.pnm, "ppm", ["-compress", "none"]),
    (.pnm, "ppm", ["-depth", "16"]), (.pnm, "pgm", ["-colorspace", "Gray"]),
    (.pnm, "pgm", ["-colorspace", "Gray", "-compress", "none"]), (.pnm, "pam", []),
    (.pnm, "pfm", []), (.pcx, "pcx", []), (.pcx, "pcx", ["-type", "Palette"]), (.sgi, "sgi", []),
    (.sgi, "sgi", ["-compress", "RLE"]), (.dds, "dds", ["-define", "dds:compression=none"]),
    (.dds, "dds", ["-define", "dds:compression=dxt1"]), (.ico, "ico", []),
  ]

  @Test("Each kind is shown as it was drawn", arguments: kinds.indices)
  func shown(index: Int) throws {
    let (format, output, arguments) = Self.kinds[index]
    let bench = Bench()
    try bench.makeScene("scene.png", width: 128, height: 96)
    let gray = arguments.contains("Gray") ? ["-colorspace", "Gray"] : []
    try bench.convert(["scene.png"] + gray + ["plain.png"])
    // ImageMagick 6 writes the rows of a TGA from the top and states that they begin below.
    let turn = format == .tga && Bench.magickVersion == 6 ? ["-flip"] : []
    try bench.convert(["scene.png"] + turn + arguments + ["\(output):file"])
    let bytes = try readBytes(bench.path("file"))
    let thumbnailer = ImageThumbnailer()
    let orientation = format == .tga && bytes[17] & 0x20 == 0 ? 4 : 1
    let ours = try bytes.withUnsafeBytes {
      try thumbnailer.thumbnails(
        of: $0,
        format: format,
        orientation: orientation,
        specifications: [spec(64, 64, quality: 98)]
      )
    }
    let plain = try readBytes(bench.path("plain.png"))
    let wanted = try thumbnailer.thumbnails(of: plain, format: .png, spec(64, 64, quality: 98))
    try bench.write(ours[0].bytes, "ours.jpg")
    try bench.write(wanted[0].bytes, "wanted.jpg")
    let least = arguments.contains("Palette") || output == "dds" ? 24.0 : 34
    #expect(try bench.psnr("ours.jpg", "wanted.jpg") > least)
    #expect(frame(ours[0].bytes)?.prefix(2) == [64, 48])
  }

  @Test("One bit for each pixel is white where it is set", arguments: ["pbm", "pcx"])
  func bilevel(output: String) throws {
    let bench = Bench()
    var bytes = Array("P4\n16 2\n".utf8) + [0x00, 0xFF, 0x00, 0xFF]
    if output == "pcx" {
      // PCX: version 5, run length, 1 bit, 16 x 2, one plane of 2 bytes for each row.
      bytes = [10, 5, 1, 1, 0, 0, 0, 0, 15, 0, 1, 0] + [UInt8](repeating: 0, count: 116)
      (bytes[19], bytes[20], bytes[21], bytes[65], bytes[66]) = (255, 255, 255, 1, 2)
      bytes += [0xC1, 0xFF, 0x00, 0xC1, 0xFF, 0x00]
    }
    let thumbnails = try ImageThumbnailer().thumbnails(
      of: bytes,
      format: output == "pcx" ? .pcx : .pnm,
      spec(16, 16, quality: 98)
    )
    try bench.write(thumbnails[0].bytes, "made.jpg")
    // In a PBM a set bit is black.
    let left = try bench.identify("made.jpg", "%[fx:p{2,0}.r > 0.9] %[fx:p{13,1}.r < 0.1]")
    #expect(left == "1 1")
  }

  @Test("The fourth byte of a TGA without alpha bits hides nothing", arguments: [0, 8] as [UInt8])
  func alphaTGA(bits: UInt8) throws {
    let bench = Bench()
    let bytes: [UInt8] =
      [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 0, 32, 0x20 | bits]
      + (0..<16).flatMap { _ in [0, 0, 255, 0] as [UInt8] }
    let thumbnails = try ImageThumbnailer().thumbnails(of: bytes, format: .tga, spec(4, 4, quality: 98))
    try bench.write(thumbnails[0].bytes, "made.jpg")
    // A transparent pixel shows the background, which is white.
    let isRed = try bench.identify("made.jpg", "%[fx:p{2,2}.r > 0.9 && p{2,2}.g < 0.2]")
    #expect(isRed == (bits == 0 ? "1" : "0"))
  }

  @Test("Layers of an XCF lie at their places, hidden ones are not shown, and the canvas decides")
  func layers() throws {
    let bench = Bench()
    let blue: [UInt8] = [0, 0, 255, 255]
    let red: [UInt8] = [255, 0, 0, 255]
    let green: [UInt8] = [0, 255, 0, 255]
    let file = TinyXCF.file(
      width: 100,
      height: 80,
      layers: [
        .init(width: 20, height: 20, x: 40, y: 40, color: green, isVisible: false),
        .init(width: 20, height: 20, x: 10, y: 5, color: red),
        .init(width: 200, height: 90, x: -50, y: 0, color: blue),
      ]
    )
    let thumbnails = try ImageThumbnailer().thumbnails(of: file, format: .xcf, spec(100, 80, quality: 98))
    #expect(frame(thumbnails[0].bytes)?.prefix(2) == [100, 80])
    try bench.write(thumbnails[0].bytes, "made.jpg")
    let seen = try bench.identify(
      "made.jpg",
      "%[fx:p{20,15}.r > 0.9] %[fx:p{50,50}.b > 0.9] %[fx:p{50,50}.g < 0.1] %[fx:p{99,79}.b > 0.9]"
    )
    #expect(seen == "1 1 1 1")
    let alone = TinyXCF.file(
      width: 60,
      height: 40,
      layers: [.init(width: 10, height: 10, x: 20, y: 20, color: red)]
    )
    let small = try ImageThumbnailer().thumbnails(of: alone, format: .xcf, spec(60, 60))
    #expect(frame(small[0].bytes)?.prefix(2) == [60, 40])
  }

  @Test("Of an icon the largest picture is shown, whether it is a bitmap or a PNG")
  func icon() throws {
    let bench = Bench()
    try bench.convert(
      "(",
      "-size",
      "16x16",
      "xc:red",
      ")",
      "(",
      "-size",
      "48x48",
      "xc:green1",
      ")",
      "(",
      "-size",
      "32x32",
      "xc:blue",
      ")",
      "many.ico"
    )
    let many = try readBytes(bench.path("many.ico"))
    let thumbnails = try ImageThumbnailer().thumbnails(of: many, format: .ico, spec(64, 64))
    #expect(frame(thumbnails[0].bytes)?.prefix(2) == [48, 48])
    try bench.convert("-size", "40x30", "xc:red", "one.png")
    let png = try readBytes(bench.path("one.png"))
    let icon =
      [0, 0, 1, 0, 1, 0, 40, 30, 0, 0, 1, 0, 32, 0] + little(png.count)
      + [22, 0, 0, 0] + png
    let drawn = try ImageThumbnailer().thumbnails(of: icon, format: .ico, spec(64, 64))
    #expect(frame(drawn[0].bytes)?.prefix(2) == [40, 30])
  }

  @Test(
    "A JPEG XL shows what its JPEG 2000 sibling does",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func sibling() throws {
    let bench = Bench()
    for (name, format) in [("jxl", MediaFormat.jxl), ("jp2", .jp2)] {
      let file = try #require(Corpus.file("second/formats2/Reagan.\(name)"))
      let thumbnails = try ImageThumbnailer().thumbnails(
        of: readBytes(file),
        format: format,
        spec(100, 100, quality: 98)
      )
      try bench.write(thumbnails[0].bytes, "\(name).jpg")
    }
    #expect(try bench.psnr("jxl.jpg", "jp2.jpg") > 30)
  }

  @Test("A JPEG XL that is cut is damaged, and none larger than the limits is decoded")
  func damagedJXL() throws {
    let sample: [UInt8] = [
      0xFF, 0x0A, 0x18, 0x10, 0x10, 0x50, 0x5C, 0x08, 0x08, 0x02, 0x01, 0x00, 0x44, 0x00, 0x4B,
      0x18, 0x8B, 0x15, 0xC2, 0x49, 0x82, 0xE5, 0x05, 0x22, 0x00, 0x18, 0x20, 0x10, 0x00, 0x00,
      0x00,
    ]
    let thumbnailer = ImageThumbnailer()
    #expect(thumbnailer.code(of: sample, format: .jxl, spec(4, 4)) == nil)
    for count in 1..<20 {
      let code = thumbnailer.code(of: Array(sample[..<count]), format: .jxl, spec(4, 4))
      #expect(code == .damaged, "\(count)")
    }
    for offset in sample.indices {
      for bit in 0..<8 {
        var turned = sample
        turned[offset] ^= 1 << bit
        _ = thumbnailer.code(of: turned, format: .jxl, spec(4, 4))
      }
    }
    // Height and width with 30 bits each.
    let huge = [0xFF, 0x0A, 0xFE, 0xFF, 0xFF, 0xFF, 0x1F] + [UInt8](repeating: 0xFF, count: 20)
    #expect(detail(of: huge, .jxl).hasPrefix("overLimit: pixels"))
  }

  @Test("A size that the header states is checked before a decoder takes memory")
  func sizes() throws {
    // Where each header has width and height, and how many bytes each takes.
    let cases: [(MediaFormat, output: String, at: [Int], count: Int, isLittle: Bool)] = [
      (.psd, "psd", [14, 18], 4, false), (.psb, "psb", [14, 18], 4, false),
      (.tga, "tga", [12, 14], 2, true), (.j2k, "j2k", [8, 12], 4, false),
      (.pcx, "pcx", [8, 10, 66], 2, true), (.sgi, "sgi", [6, 8], 2, false),
      (.dds, "dds", [16, 12], 4, true),
    ]
    let bench = Bench()
    for (format, output, offsets, count, isLittle) in cases {
      try bench.convert("-size", "8x8", "xc:red", "\(output):file")
      var bytes = try readBytes(bench.path("file"))
      // Without its footer, a TGA of another size than its pixels have is no TGA.
      if format == .tga { bytes += [0, 0, 0, 0, 0, 0, 0, 0] + Array("TRUEVISION-XFILE.\0".utf8) }
      #expect(ImageThumbnailer().code(of: bytes, format: format) == nil, "\(format)")
      for offset in offsets {
        // A PCX has rows of more bytes than it has pixels.
        let number = offset == 66 ? 60_100 : 60_000
        let value = isLittle ? little(number, count) : big(number, count)
        bytes.replaceSubrange(offset..<(offset + count), with: value)
      }
      #expect(detail(of: bytes, format).hasPrefix("overLimit: pixels: 6000"), "\(format)")
    }
    #expect(detail(of: Array("P6 60000 60000 255\n".utf8), .pnm).hasPrefix("overLimit: pixels"))
    let canvas = TinyXCF.file(width: 60_000, height: 60_000, layers: [])
    #expect(detail(of: canvas, .xcf).hasPrefix("overLimit: pixels"))
    // Each layer fits, and all of them do not.
    let many = (0..<40).map { _ in
      TinyXCF.Layer(width: 8, height: 8, x: 0, y: 0, color: [1, 2, 3, 255], stated: 2000)
    }
    let layers = TinyXCF.file(width: 8, height: 8, layers: many)
    #expect(detail(of: layers, .xcf).hasPrefix("overLimit: pixels"))
  }

  @Test("What a coder does not read is unsupported and not damaged")
  func unsupported() throws {
    let bench = Bench()
    try bench.convert("-size", "8x8", "xc:red", "-define", "dds:compression=dxt1", "one.dds")
    var dds = try readBytes(bench.path("one.dds"))
    dds.replaceSubrange(84..<88, with: Array("DX10".utf8))
    #expect(ImageThumbnailer().code(of: dds, format: .dds) == .unsupported)
    let plain = TinyXCF.file(
      width: 8,
      height: 8,
      layers: [.init(width: 8, height: 8, x: 0, y: 0, color: [1, 2, 3, 255])],
      compression: 2
    )
    #expect(ImageThumbnailer().code(of: plain, format: .xcf) == .unsupported)
    try bench.convert(["-size", "40x30", "xc:red", "j2k:whole"])
    var codestream = try readBytes(bench.path("whole"))
    #expect(ImageThumbnailer().code(of: codestream, format: .j2k, spec(16, 16)) == nil)
    // The first component has every second column; the coder would show half of the others.
    codestream[43] = 2
    #expect(ImageThumbnailer().code(of: codestream, format: .j2k, spec(16, 16)) == .unsupported)
  }

  @Test(
    "A JPEG 2000 that begins within the reference grid is shown as one that begins with it",
    .enabled(if: Tool.exists("opj_compress"), "no OpenJPEG"),
    arguments: [MediaFormat.jp2, .j2k]
  )
  func offset(format: MediaFormat) throws {
    let bench = Bench()
    try bench.makeScene("scene.ppm", width: 128, height: 96)
    let thumbnails = try [[], ["-d", "32,17"], ["-d", "5,6", "-t", "64,64"]].map { arguments in
      let file = bench.path("file.\(format.fileExtension)")
      let compress = ["-i", bench.path("scene.ppm"), "-o", file] + arguments
      #expect(try Tool.run("opj_compress", compress).status == 0)
      let bytes = try readBytes(file)
      return try ImageThumbnailer().thumbnails(of: bytes, format: format, spec(64, 48))[0].bytes
    }
    #expect(thumbnails[1] == thumbnails[0])
    #expect(thumbnails[2] == thumbnails[0])
  }

  @Test("A picture in the clothes of another coder's format is not decoded by that coder")
  func forced() throws {
    let bench = Bench()
    try bench.makeScene("scene.png", width: 20, height: 20)
    let formats: [(MediaFormat, String)] = [
      (.psd, "psd"), (.tga, "tga"), (.jp2, "jp2"), (.j2k, "j2k"), (.pnm, "ppm"), (.ico, "ico"),
      (.pcx, "pcx"), (.sgi, "sgi"), (.dds, "dds"),
    ]
    for (format, output) in formats {
      try bench.convert("scene.png", "\(output):file")
      let bytes = try readBytes(bench.path("file"))
      for other in formats.map(\.0) + [.xcf, .bmp] where other != format {
        // TGA has no signature: another header may make sense as one.
        if other == .tga { continue }
        #expect(ImageThumbnailer().code(of: bytes, format: other) != nil, "\(format) as \(other)")
      }
    }
  }

  private func detail(of bytes: [UInt8], _ format: MediaFormat) -> String {
    bytes.withUnsafeBytes { bytes in
      do throws(ImagingError) {
        _ = try ImageThumbnailer().thumbnails(
          of: bytes,
          format: format,
          orientation: 1,
          specifications: [spec(9, 9)]
        )
        return "none"
      } catch {
        return error.description
      }
    }
  }
}
