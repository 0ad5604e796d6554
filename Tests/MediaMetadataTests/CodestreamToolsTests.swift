import Foundation
import MediaCodecs
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// JPEG 2000 and JPEG XL that other programs make, and that other programs read again.
@Suite("JPEG 2000 and JPEG XL, read by others", .serialized)
struct CodestreamToolsTests {
  private static let profile = "/usr/share/color/icc/ghostscript/a98.icc"

  /// The pictures that encoders get, soft enough that what is searched afterwards is not long.
  private static func pictures(in folder: TemporaryFolder) throws -> [String] {
    let kinds: [(String, [String])] = [
      ("rgb.png", []), ("gray.png", ["-colorspace", "Gray"]),
      ("alpha.png", ["-alpha", "set", "-channel", "A", "-evaluate", "set", "50%"]),
      ("wide.png", ["-profile", profile]),
    ]
    return try kinds.map { name, arguments in
      let path = "\(folder.path)/\(name)"
      let plasma = ["-seed", "1", "-size", "300x280", "plasma:red-blue", "-blur", "0x2"]
      _ = try Tool.run("convert", plasma + ["-depth", "8"] + arguments + [path])
      return path
    }
  }

  /// Strips a file and writes the output beside it.
  private static func stripped(_ path: String) throws -> String {
    let bytes = try readBytes(path)
    let kind = try #require(format(of: bytes), "\(path)")
    #expect(withSource(bytes) { Completeness.missingPart(of: $0, format: kind) } == nil, "\(path)")
    let (output, _) = try strip(bytes, kind)
    let name = "\(path).out.\(kind.fileExtension)"
    try Data(output).write(to: URL(fileURLWithPath: name))
    return name
  }

  /// Puts texts where none is shown: in boxes, in comments, in names, and behind the end.
  private static func planted(_ bytes: [UInt8]) -> [UInt8] {
    let text = Canaries.ascii
    guard bytes.first == 0 else { return bytes + text }
    let boxes = ["uuid", "xml ", "asoc", "free"].flatMap { isoBox($0, text) }
    return bytes[..<32] + boxes + bytes[32...] + boxes
  }

  @Test(
    "The size of a picture that begins within the grid, or is subsampled, is what OpenJPEG shows",
    .enabled(if: ["opj_compress", "opj_decompress", "convert"].allSatisfy(Tool.exists), "no OpenJPEG"),
    arguments: [
      ["-d", "13,7"], ["-s", "2,3"], ["-d", "13,7", "-s", "3,2"], ["-d", "5,6", "-t", "64,64"],
    ]
  )
  func sizes(arguments: [String]) throws {
    let folder = TemporaryFolder()
    let path = { (name: String) in "\(folder.path)/\(name)" }
    _ = try Tool.run("convert", ["-size", "101x67", "plasma:red-blue", "-depth", "8", path("a.ppm")])
    let compress = ["-i", path("a.ppm"), "-o", path("a.j2k"), "-n", "3"] + arguments
    #expect(try Tool.run("opj_compress", compress).status == 0)
    let output = try Self.stripped(path("a.j2k"))
    let shown = try [path("a.j2k"), output].map { file in
      let name = file + ".ppm"
      #expect(try Tool.run("opj_decompress", ["-i", file, "-o", name]).status == 0)
      return try readBytes(name)
    }
    #expect(shown[0] == shown[1])
    let size = try Tool.run("identify", ["-format", "%w %h", path("a.j2k.ppm")]).output
    let pixelSize = try facts(of: try readBytes(path("a.j2k"))).pixelSize
    #expect(pixelSize.map { "\($0.width) \($0.height)" } == size)
  }

  @Test(
    "A palette whose channels are named behind the header keeps its colors",
    .enabled(if: ["opj_compress", "opj_decompress"].allSatisfy(Tool.exists), "no OpenJPEG")
  )
  func palette() throws {
    let folder = TemporaryFolder()
    let path = { (name: String) in "\(folder.path)/\(name)" }
    let pixels = (0..<256).map { UInt8($0 / 16 % 4) }
    try Data(Array("P5\n16 16\n255\n".utf8) + pixels)
      .write(to: URL(fileURLWithPath: path("index.pgm")))
    let compress = ["-i", path("index.pgm"), "-o", path("index.j2k"), "-n", "2"]
    #expect(try Tool.run("opj_compress", compress).status == 0)
    let palette = isoBox("pclr", [0, 4, 3, 7, 7, 7] + (0..<12).map { UInt8(20 * $0) })
    let channels = isoBox("cmap", [0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2])
    let header = isoBox("ihdr", big(16) + big(16) + [0, 1, 7, 7, 0, 0])
    let file =
      JP2Header.signature + isoBox("ftyp", Array("jp2 \0\0\0\0jp2 ".utf8))
      + isoBox("jp2h", header + isoBox("colr", [1, 0, 0] + big(16)) + palette) + channels
      + isoBox("jp2c", try readBytes(path("index.j2k")))
    try Data(file).write(to: URL(fileURLWithPath: path("a.jp2")))
    let shown = try [path("a.jp2"), try Self.stripped(path("a.jp2"))].map { file in
      let name = file + ".ppm"
      #expect(try Tool.run("opj_decompress", ["-i", file, "-o", name]).status == 0)
      return try readBytes(name)
    }
    #expect(shown[0].count > 3 * 256 && shown[0] == shown[1])
  }

  /// The tags that an output may have, of those that exiftool finds in JPEG 2000.
  private static let allowed: Set<String> = [
    "MajorBrand", "MinorVersion", "CompatibleBrands", "ImageWidth", "ImageHeight",
    "NumberOfComponents", "BitsPerComponent", "Compression", "ColorSpecMethod",
    "ColorSpecPrecedence", "ColorSpecApproximation", "ColorSpace",
  ]

  private static func expectNothingLeft(_ files: [String]) throws {
    for tags in try CorpusTests.exiftool(["-a", "-s", "-ee", "-U"], files) {
      for key in tags.keys where key != "SourceFile" {
        let parts = key.split(separator: ":").map(String.init)
        guard parts.count == 2, !["File", "System", "ExifTool", "Composite"].contains(parts[0]),
          !parts[0].hasPrefix("ICC")
        else {
          // It says the same of the source.
          let isKnown = "\(tags[key] ?? "")" == "[minor] Unknown SIZ segment"
          #expect(key != "File:Comment" && (isKnown || !key.hasSuffix("Warning")), "\(tags)")
          continue
        }
        #expect(
          parts[0] == "Jpeg2000" && allowed.contains(parts[1])
            || parts[0] == "XMP-GPano" && XMPProjection.names.contains(parts[1]),
          "\(tags["SourceFile"] ?? ""): \(key)"
        )
      }
    }
  }

  /// ImageMagick's signature, a digest of all pixels; nil for what it cannot decode.
  private static func signature(_ path: String) throws -> String? {
    let run = try Tool.run("identify", ["-limit", "thread", "1", "-format", "%# %w %h", path])
    return run.status == 0 && !run.output.isEmpty ? run.output : nil
  }

  @Test(
    "Each JPEG 2000 keeps its pixels and nothing else",
    .enabled(
      if: Tool.exists("opj_compress") && Tool.exists("convert") && Tool.exists("exiftool"),
      "no opj_compress (libopenjp2-tools), ImageMagick or exiftool"
    )
  )
  func jpeg2000() throws {
    let folder = TemporaryFolder()
    let settings: [[String]] = [
      [], ["-r", "20"], ["-t", "64,64"], ["-t", "128,128", "-TP", "R", "-n", "3"],
      ["-TP", "L", "-r", "40,20,1"], ["-p", "RPCL", "-c", "[64,64],[32,32]"],
      ["-SOP", "-EPH", "-C", "CaNaRy of a comment"], ["-I", "-M", "63"], ["-PLT", "-TLM"],
      ["-ROI", "c=0,U=3"], ["-POC", "T0=0,0,1,5,3,CPRL"],
    ]
    var outputs: [String] = []
    var count = 0
    for picture in try Self.pictures(in: folder) where !picture.hasSuffix("wide.png") {
      let isFirst = picture.hasSuffix("rgb.png")
      for (index, setting) in Amount.some(
        isFirst ? 5 : 2,
        of: isFirst ? settings : Array(settings.prefix(2))
      )
      .enumerated() {
        // Without all, one of both in turn.
        let endings = ["jp2", "j2k"]
        for ending in Amount.isAll ? endings : [endings[index % 2]] {
          let path = "\(picture).\(index).\(ending)"
          let result = try Tool.run("opj_compress", ["-i", picture, "-o", path] + setting)
          guard result.status == 0 else { continue }
          let bytes = try readBytes(path)
          let text = String(decoding: bytes, as: UTF8.self)
          #expect(text.contains("Created by OpenJPEG") || text.contains("CaNaRy of a comment"))
          try Data(Self.planted(bytes)).write(to: URL(fileURLWithPath: path))
          let output = try Self.stripped(path)
          let left = try readBytes(output)
          #expect(Canaries.present(in: left).isEmpty)
          #expect(!String(decoding: left, as: UTF8.self).contains("OpenJPEG"))
          #expect(!String(decoding: left, as: UTF8.self).contains("CaNaRy"))
          // Both decoders: OpenJPEG's own program, and ImageMagick.
          var pixels: [[UInt8]] = []
          for file in [path, output] {
            let raw = "\(file).ppm.raw"
            _ = try Tool.run("opj_decompress", ["-i", file, "-o", raw])
            pixels.append(try readBytes(raw))
          }
          #expect(pixels[0] == pixels[1] && pixels[0].count > 80_000, "\(path)")
          #expect(try Self.signature(path) == Self.signature(output), "\(path)")
          outputs.append(output)
          count += 1
        }
      }
    }
    #expect(count >= Amount.of(7, all: 24), "\(count)")
    try Self.expectNothingLeft(outputs)
  }

  @Test(
    "Each JPEG 2000 of the corpus that others decode keeps its pixels",
    .enabled(
      if: Corpus.folder != nil && Tool.exists("identify") && Tool.exists("exiftool"),
      "no corpus, no ImageMagick or no exiftool"
    )
  )
  func corpus() throws {
    let folder = TemporaryFolder()
    var outputs: [String] = []
    for file in Corpus.files(beneath: "second/formats") {
      guard file.hasSuffix(".jp2") || file.hasSuffix(".j2k"), let bytes = try? readBytes(file),
        let kind = format(of: bytes), let output = try? strip(bytes, kind).output
      else { continue }
      let path = "\(folder.path)/\(outputs.count).\(kind.fileExtension)"
      try Data(output).write(to: URL(fileURLWithPath: path))
      #expect(try Self.signature(file) == Self.signature(path), "\(file)")
      outputs.append(path)
    }
    #expect(outputs.count >= 10)
    try Self.expectNothingLeft(outputs)
  }

  /// The output of djxl: the samples of all frames, with NumPy's header.
  private static func samples(_ path: String) throws -> [UInt8] {
    let raw = "\(path).npy"
    let run = try Tool.run("djxl", [path, raw])
    #expect(run.status == 0, "\(path): \(run.error)")
    return try readBytes(raw)
  }

  /// Takes seconds: it looks for each text in coded data, at each of the eight places of a bit.
  @Test(
    "Each JPEG XL keeps its pixels and nothing else",
    .enabled(
      if: Tool.exists("cjxl") && Tool.exists("djxl") && Tool.exists("convert")
        && Tool.exists("exiftool"),
      "no cjxl and djxl (libjxl-tools), ImageMagick or exiftool"
    )
  )
  func jpegXL() throws {
    let folder = TemporaryFolder()
    let settings: [[String]] = [
      ["-d", "0"], ["-d", "1"], ["-d", "1", "--container=1"], ["-d", "2", "-p"],
      ["--progressive_dc=1"], ["--progressive_dc=2", "-d", "6"], ["--group_order=1", "-d", "1"],
      ["-d", "0", "-g", "0", "--group_order=1"], ["--resampling=4"], ["--photon_noise=ISO3200"],
      ["-m", "1", "-d", "2"], ["-e", "1", "-d", "0"], ["-R", "0", "-m", "1"], ["--epf=3"],
      ["--gaborish=0", "--epf=0"], ["--intensity_target=1000"], ["--codestream_level=10"],
    ]
    var files: [String] = []
    for (number, picture) in try Self.pictures(in: folder).enumerated() {
      // Without all, each of the others with one of the first three in turn.
      let others = Amount.isAll ? Array(settings.prefix(3)) : [settings[number % 3]]
      for (index, setting) in (number == 0 ? Amount.some(5, of: settings) : others).enumerated() {
        let path = "\(picture).\(index).jxl"
        if try Tool.run("cjxl", [picture, path] + setting).status == 0 { files.append(path) }
      }
    }
    let photo = "\(folder.path)/rgb.jpg"
    _ = try Tool.run("convert", ["\(folder.path)/rgb.png", photo])
    let tags = ["-Artist=CaNaRy", "-XMP-dc:Rights=CaNaRy", "-GPSLatitude=47", "-Comment=CaNaRy"]
    _ = try Tool.run("exiftool", ["-q", "-overwrite_original"] + tags + [photo])
    _ = try Tool.run("cjxl", [photo, "\(folder.path)/transcoded.jxl"])
    let moving = "\(folder.path)/moving.gif"
    let frames = [
      "(", "+clone", "-flip", ")", "(", "+clone", "-negate", ")", "-delay", "10", "+dither",
    ]
    _ = try Tool.run("convert", ["\(folder.path)/rgb.png"] + frames + [moving])
    _ = try Tool.run("cjxl", [moving, "\(folder.path)/moving.jxl", "-d", "0"])
    files += ["\(folder.path)/transcoded.jxl", "\(folder.path)/moving.jxl"]
    for (name, bytes) in [
      ("named", TinyJXL.named), ("animated", TinyJXL.animated), ("plain", TinyJXL.plain),
      ("profiled", TinyJXL.profiled), ("preview", try TinyJXL.withPreview()),
    ] {
      files.append("\(folder.path)/\(name).jxl")
      try Data(bytes).write(to: URL(fileURLWithPath: files[files.count - 1]))
    }
    #expect(files.count > Amount.of(11, all: 30))
    var outputs: [String] = []
    for path in files {
      let original = try readBytes(path)
      // A part of a file is found to be one, although no decoder looks at it.
      let part = Array(original[..<(original.count / 3)])
      #expect(withSource(part) { Completeness.missingPart(of: $0, format: .jxl) } != nil, "\(path)")
      let bytes = Self.planted(original)
      let before = try Self.samples(path)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let output = try Self.stripped(path)
      let left = try readBytes(output)
      #expect(Canaries.present(in: left).isEmpty && !CodestreamStripTests.holds(left, "CaNaRy"))
      #expect(try Self.samples(output) == before, "\(path)")
      outputs.append(output)
    }
    try Self.expectNothingLeft(outputs)
  }

  @Test(
    "What except names is where other programs find it",
    .enabled(if: Tool.exists("exiftool"), "no exiftool"),
    arguments: [(MediaFormat.jp2, TinyJP2.file()), (.jxl, TinyJXL.file())]
  )
  func excepted(format: MediaFormat, bytes: [UInt8]) throws {
    let folder = TemporaryFolder()
    let exif = ExifWriter.block(orientation: 1, kept: KeptMetadataTests.all) ?? []
    let packet = XMPWriter.packet(kept: KeptMetadataTests.all, scope: .besideExif) ?? []
    let boxes =
      format == .jp2
      ? isoBox("uuid", JP2Metadata.exif + exif) + isoBox("uuid", JP2Metadata.xmp + packet)
      : isoBox("Exif", [0, 0, 0, 0] + exif) + isoBox("xml ", packet)
    let options = StripOptions(except: Set(MetadataException.allCases))
    let output = try strip(bytes + boxes, format, options).output
    let path = "\(folder.path)/out.\(format.fileExtension)"
    try Data(output).write(to: URL(fileURLWithPath: path))
    let wanted = ["-DateTimeOriginal", "-Make", "-Model", "-Description", "-Rights", "-Rating"]
    let printed = try Tool.run("exiftool", ["-s", "-s", "-s", "-m"] + wanted + [path]).output
    #expect(printed.split(separator: "\n").count == wanted.count, "\(printed)")
  }
}
