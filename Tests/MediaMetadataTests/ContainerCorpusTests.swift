import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Real and made PNG, WebP, GIF, BMP and TIFF files, and readers that did not make what they read.
@Suite(
  "Pictures of other formats, read by others",
  .serialized,
  .enabled(
    if: Corpus.folder != nil && Tool.exists("exiftool") && Tool.exists("convert"),
    "no corpus, no exiftool or no ImageMagick"
  )
)
struct ContainerCorpusTests {
  static let formats: Set<MediaFormat> = [.png, .webp, .gif, .bmp, .tiff]

  /// What ImageMagick is told to write from a photo, one file each: name, arguments.
  static let commands: [(name: String, arguments: [String])] = {
    var commands: [(String, [String])] = [
      ("palette.bmp", ["-colors", "200", "BMP3:"]), ("four.bmp", ["-colors", "13", "BMP3:"]),
      ("bilevel.bmp", ["-monochrome", "BMP3:"]), ("true.bmp", ["BMP3:"]), ("old.bmp", ["BMP2:"]),
      ("modern.bmp", ["-alpha", "set", "-channel", "A", "-evaluate", "set", "50%", "BMP:"]),
      ("rle.bmp", ["-colors", "50", "-compress", "RLE", "BMP3:"]),
      ("565.bmp", ["-define", "bmp:subtype=RGB565", "BMP:"]),
      ("plain.gif", ["GIF:"]), ("interlaced.gif", ["-interlace", "GIF", "GIF:"]),
      ("two.gif", ["-colors", "2", "GIF:"]),
      ("animated.gif", ["(", "+clone", "-flip", ")", "-delay", "10", "-loop", "0", "GIF:"]),
      ("adam7.png", ["-interlace", "PNG", "PNG:"]), ("deep.png", ["-depth", "16", "PNG:"]),
      ("palette.png", ["-colors", "40", "PNG8:"]), ("gray.png", ["-colorspace", "Gray", "PNG:"]),
      ("lossy.webp", ["WEBP:"]), ("lossless.webp", ["-define", "webp:lossless=true", "WEBP:"]),
      ("alpha.webp", ["-alpha", "set", "-channel", "A", "-evaluate", "set", "50%", "WEBP:"]),
      ("group4.tif", ["-monochrome", "-compress", "Group4", "TIFF:"]),
      ("fax.tif", ["-monochrome", "-compress", "Fax", "-density", "204x98", "TIFF:"]),
      ("float.tif", ["-define", "quantum:format=floating-point", "-depth", "32", "TIFF:"]),
      ("pyramid.tif", ["PTIF:"]),
    ]
    let layouts: [(name: String, arguments: [String])] = [
      ("16", ["-depth", "16", "-endian", "MSB", "TIFF:"]),
      ("tiles", ["-define", "tiff:tile-geometry=32x32", "TIFF:"]),
      ("planes", ["-interlace", "plane", "TIFF:"]),
      ("rows", ["-define", "tiff:rows-per-strip=1", "TIFF:"]),
      ("cmyk", ["-colorspace", "CMYK", "TIFF:"]), ("palette", ["-colors", "60", "TIFF:"]),
      ("pages", ["(", "+clone", "-flip", ")", "TIFF:"]),
    ]
    for (compression, layout) in Amount.pairs(["None", "LZW", "Zip", "JPEG", "RLE"], layouts) {
      let name = "\(compression)-\(layout.name).tif"
      commands.append((name, ["-compress", compression] + layout.arguments))
    }
    return commands
  }()

  /// A photo of the corpus, small enough to be read in no time.
  private static let photo: Result<[UInt8], any Error> = Result {
    let photo = try #require(Corpus.files(beneath: "visible/orientation").first { $0.hasSuffix("jpg") })
    let folder = TemporaryFolder()
    let path = folder.path + "/photo.jpg"
    _ = try Tool.run("convert", [photo, "-auto-orient", "-strip", "-resize", "404x268!", path])
    return try readBytes(path)
  }

  /// Writes the made files; what ImageMagick was built without is left out.
  static func makeAll(into folder: TemporaryFolder, size: String = "101x67!") throws -> [String] {
    let photo = "\(folder.path)/photo.jpg"
    try Data(Self.photo.get()).write(to: URL(fileURLWithPath: photo))
    return try commands.compactMap { name, arguments in
      let path = "\(folder.path)/made-\(name)"
      var all = [photo, "-resize", size, "-strip"] + arguments
      all[all.count - 1] += path
      _ = try Tool.run("convert", all)
      return FileManager.default.fileExists(atPath: path) ? path : nil
    }
  }

  @Test("Nothing is left, nothing looks different, nothing intact fails")
  func madeAndReal() throws {
    let folder = TemporaryFolder()
    let real = Corpus.files(beneath: "visible")
    var pairs: [(source: String, output: String)] = []
    var failed: [String] = []
    for path in real + (try Self.makeAll(into: folder)) {
      let bytes = try readBytes(path)
      guard let format = format(of: bytes), Self.formats.contains(format) else { continue }
      do {
        let output = "\(folder.path)/\(pairs.count).\(format.fileExtension)"
        try Data(strip(bytes, format).output).write(to: URL(fileURLWithPath: output))
        pairs.append((path, output))
      } catch {
        failed.append("\(URL(fileURLWithPath: path).lastPathComponent): \(error)")
      }
    }
    #expect(pairs.count >= Amount.of(36, all: 60))
    // This one has a header that no checksum fits.
    #expect(failed.map { $0.prefix { $0 != ":" } } == ["exif-both.png"], "\(failed)")
    try Self.expectNothingLeft(pairs.map(\.output))
    // ImageMagick's signature is a digest of all pixels of a frame, not turned by orientation.
    let looks = try CorpusTests.identify(
      "%# %w %h %T %D %[colorspace]",
      pairs.flatMap { [$0.source, $0.output] }
    )
    for pair in pairs {
      let (before, after) = (looks[pair.source] ?? [], looks[pair.output] ?? [])
      #expect(before == after && !after.isEmpty, "\(pair.source)")
    }
  }

  /// By group; what is listed is needed to show a picture, or is about the file on the disk.
  static let allowed: [String: Set<String>] = [
    "PNG": [
      "ImageWidth", "ImageHeight", "BitDepth", "ColorType", "Compression", "Filter", "Interlace",
      "SRGBRendering", "Gamma", "ProfileName", "WhitePointX", "WhitePointY", "RedX", "RedY",
      "GreenX", "GreenY", "BlueX", "BlueY", "Palette", "Transparency", "SignificantBits",
      "BackgroundColor", "AnimationFrames", "AnimationPlays",
    ],
    "XMP-GPano": Set(XMPProjection.names),
    "GIF": [
      "GIFVersion", "ImageWidth", "ImageHeight", "HasColorMap", "ColorResolutionDepth",
      "BitsPerPixel", "BackgroundColor", "TransparentColor", "AnimationIterations", "FrameCount",
      "Duration",
    ],
    "RIFF": [
      "ImageWidth", "ImageHeight", "WebP_Flags", "VP8Version", "HorizontalScale", "VerticalScale",
      "AlphaPreprocessing", "AlphaFiltering", "AlphaCompression", "AlphaIsUsed", "BackgroundColor",
      "AnimationLoopCount", "FrameCount", "Duration",
    ],
    "IFD": [
      "SubfileType", "ImageWidth", "ImageHeight", "BitsPerSample", "Compression", "FillOrder",
      "PhotometricInterpretation", "StripOffsets", "StripByteCounts", "SamplesPerPixel",
      "RowsPerStrip", "PlanarConfiguration", "Orientation", "T4Options", "T6Options", "Predictor",
      "WhitePoint", "PrimaryChromaticities", "ColorMap", "TileWidth", "TileLength", "TileOffsets",
      "TileByteCounts", "InkSet", "ExtraSamples", "SampleFormat", "JPEGTables",
      "YCbCrSubSampling", "YCbCrPositioning", "YCbCrCoefficients", "ReferenceBlackWhite",
      "MinSampleValue", "MaxSampleValue",
    ],
  ]

  /// What exiftool says of a strip that is a JPEG, and of pixels that are not square.
  private static let namesOfPixels: Set<String> = [
    "PreviewImageStart", "PreviewImageLength", "PreviewImage", "ThumbnailOffset",
    "ThumbnailLength", "ThumbnailImage", "JpgFromRawStart", "JpgFromRawLength", "JpgFromRaw",
  ]

  static func expectNothingLeft(_ files: [String]) throws {
    for tags in try CorpusTests.exiftool(["-a", "-s", "-ee", "-U"], files) {
      let file = tags["SourceFile"] as? String ?? ""
      for (key, value) in tags where key != "SourceFile" {
        let parts = key.split(separator: ":").map(String.init)
        guard parts.count == 2 else { continue }
        let (group, tag) = (parts[0], parts[1])
        if ["File", "System", "ExifTool", "Composite"].contains(group) || group.hasPrefix("ICC") {
          #expect(tag != "Comment", "\(file)")
          if tag == "Warning" {
            // It says the same of the sources: of JPEG's identifier in a WebP, of JPEG in many strips.
            let tolerated = ["[minor] Improper EXIF header", "RawConv PreviewImage"]
            #expect(tolerated.contains { "\(value)".hasPrefix($0) }, "\(file): \(value)")
          }
          if tag.hasPrefix("PixelsPerMeter") { #expect("\(value)" == "0", "\(file)") }
          continue
        }
        let isAspect = ["XResolution", "YResolution", "ResolutionUnit"].contains(tag)
        if isAspect, group == "IFD0", file.hasSuffix("tif") {
          #expect(tags["IFD0:ResolutionUnit"] as? String == "None", "\(file)")
          continue
        }
        let family = group.hasPrefix("IFD") ? "IFD" : group
        let isAllowed =
          allowed[family]?.contains(tag) == true
          || family == "IFD" && namesOfPixels.contains(tag) && file.hasSuffix("tif")
        #expect(isAllowed, "\(file): \(key)")
      }
    }
  }

  @Test(
    "All eight orientations of every format that has one survive, alone",
    arguments: ["PNG", "TIFF", "WEBP"]
  )
  func orientations(format name: String) throws {
    let folder = TemporaryFolder()
    let files = try Self.orientedFiles(name, in: folder)
    var outputs: [String] = []
    for path in files {
      let bytes = try readBytes(path)
      let kind = try #require(format(of: bytes))
      let output = "\(path)-out"
      try Data(strip(bytes, kind).output).write(to: URL(fileURLWithPath: output))
      outputs.append(output)
    }
    let values = try CorpusTests.exiftool(["-n", "-Orientation", "-Make", "-Artist"], outputs)
    #expect(values.count == 8)
    for (index, tags) in values.enumerated() {
      let orientation = index + 1
      #expect(tags["IFD0:Orientation"] as? Int == (orientation == 1 ? nil : orientation))
      #expect(tags.keys.sorted() == (orientation == 1 ? [] : ["IFD0:Orientation"]) + ["SourceFile"])
    }
  }

  static func orientedFiles(_ format: String, in folder: TemporaryFolder) throws -> [String] {
    try (1...8).map { orientation in
      let path = "\(folder.path)/\(orientation).\(format.lowercased())"
      _ = try Tool.run("convert", ["-size", "6x4", "gradient:red-blue", "\(format):\(path)"])
      let tags = ["-IFD0:Orientation=\(orientation)", "-Make=canary", "-Artist=canary"]
      _ = try Tool.run("exiftool", ["-q", "-n", "-overwrite_original"] + tags + [path])
      return path
    }
  }

  @Test(
    "What except names is written anew, where other programs find it",
    arguments: ["PNG", "TIFF", "WEBP", "GIF"]
  )
  func excepted(format name: String) throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/kept.\(name.lowercased())"
    _ = try Tool.run("convert", ["-size", "6x4", "gradient:red-blue", "\(name):\(path)"])
    let isGIF = name == "GIF"
    let prefix = isGIF ? "XMP-" : ""
    let tags = [
      isGIF
        ? "XMP-exif:DateTimeOriginal=2026:05:01 10:11:12"
        : "ExifIFD:DateTimeOriginal=2026:05:01 10:11:12",
      "\(prefix)\(isGIF ? "tiff:" : "")Make=Maker", "\(prefix)\(isGIF ? "tiff:" : "")Model=Model 5",
      "XMP-dc:Description=A harbour", "XMP-dc:Rights=Someone", "XMP-xmp:Rating=4",
      "XMP-xmp:CreatorTool=canary", "XMP-photoshop:City=canary",
    ].map { "-\($0)" }
    _ = try Tool.run("exiftool", ["-q", "-overwrite_original"] + tags + [path])
    let bytes = try readBytes(path)
    let kind = try #require(format(of: bytes))
    let options = StripOptions(except: Set(MetadataException.allCases))
    let (output, _) = try strip(bytes, kind, options)
    let outputPath = "\(folder.path)/out.\(name.lowercased())"
    try Data(output).write(to: URL(fileURLWithPath: outputPath))
    let wanted = [
      "-DateTimeOriginal", "-Make", "-Model", "-Description", "-Rights", "-Rating", "-CreatorTool",
      "-City",
    ]
    let listed = try #require(
      try Tool.run("exiftool", ["-s", "-s", "-s", "-m"] + wanted + [outputPath]).output as String?
    )
    #expect(
      listed.split(separator: "\n").map(String.init) == [
        "2026:05:01 10:11:12", "Maker", "Model 5", "A harbour", "Someone", "4",
      ]
    )
    #expect(try strip(output, kind).output.count < output.count)
  }
}
