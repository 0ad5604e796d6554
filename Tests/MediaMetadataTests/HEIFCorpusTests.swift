import Foundation
import MediaModel
import MediaTestSupport
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Real files, and readers that did not make what they read.
@Suite(
  "HEIC and AVIF, read by others",
  .serialized,
  .enabled(if: Corpus.folder != nil && Tool.exists("exiftool"), "no corpus or no exiftool")
)
struct HEIFCorpusTests {
  private struct Pair {
    var source: String
    var output: String
  }

  private let folder = TemporaryFolder()

  private static func files() -> [String] {
    let suffixes = [".heic", ".heif", ".avif"]
    return Corpus.files(beneath: "visible").filter { path in
      suffixes.contains { path.lowercased().hasSuffix($0) }
    }
  }

  private func stripAll(
    _ options: StripOptions = StripOptions()
  ) throws -> (pairs: [Pair], failed: [String]) {
    var pairs: [Pair] = []
    var failed: [String] = []
    for path in Self.files() {
      let name = URL(fileURLWithPath: path).lastPathComponent
      do {
        let output = try stripHEIF(try readBytes(path), options).output
        let file = "\(folder.path)/\(pairs.count)-\(options.except.count)-\(name)"
        try Data(output).write(to: URL(fileURLWithPath: file))
        pairs.append(Pair(source: path, output: file))
      } catch {
        failed.append(name)
      }
    }
    return (pairs, failed)
  }

  /// What exiftool may say of an output: sizes, codecs, colors, shapes; by tag, whatever its group.
  private static let allowed: Set<String> = [
    "AV1ConfigurationVersion", "AuxiliaryImageType", "AverageFrameRate", "AvgBitrate",
    "BitDepthChroma", "BitDepthLuma", "ChromaFormat", "ChromaSamplePosition", "ChunkOffset",
    "CleanAperture", "ColorPrimaries", "ColorProfiles", "CompatibleBrands", "ConstantFrameRate",
    "ConstraintIndicatorFlags", "CreateDate", "CurrentTime", "Duration",
    "GenProfileCompatibilityFlags", "GeneralLevelIDC", "GeneralProfileIDC", "GeneralProfileSpace",
    "GeneralTierFlag", "GraphicsMode", "HEVCConfigurationVersion", "HandlerType", "ImageHeight",
    "ImagePixelDepth", "ImageSize", "ImageSpatialExtent", "ImageWidth", "InitialDelaySamples",
    "MajorBrand", "MatrixCoefficients", "MatrixStructure", "MediaCreateDate", "MediaData",
    "MediaDataOffset", "MediaDataSize", "MediaDuration", "MediaHeaderVersion", "MediaLanguageCode",
    "MediaModifyDate", "MediaTimeScale", "Megapixels", "MetaImageSize", "MinSpatialSegmentationIDC",
    "MinorVersion", "ModifyDate", "MovieHeaderVersion", "NextTrackID", "NumTemporalLayers",
    "OpColor", "OtherFormat", "ParallelismType", "PosterTime", "PreferredRate", "PreferredVolume",
    "PreviewDuration", "PreviewTime", "PrimaryItemReference", "Rotation", "SampleSizes",
    "SampleToChunk", "SelectionDuration", "SelectionTime", "SeqProfile", "SeqTier0",
    "SyncSampleTable", "TemporalIDNested", "TimeScale", "TimeToSampleTable", "TrackCreateDate",
    "TrackDuration", "TrackHeaderVersion", "TrackID", "TrackLayer", "TrackModifyDate",
    "TrackVolume", "TransferCharacteristics", "VideoFullRangeFlag",
  ]

  private static func isAllowed(_ key: String) -> Bool {
    let parts = key.split(separator: ":").map(String.init)
    guard parts.count == 2 else { return key == "SourceFile" }
    if ["File", "System", "ExifTool", "ICC-header", "ICC_Profile"].contains(parts[0]) {
      return !["Warning", "Error", "Comment"].contains(parts[1])
    }
    if allowed.contains(parts[1]) { return true }
    // Fields of configurations and boxes of tracks that exiftool has no name for.
    return parts[1].hasPrefix("QuickTime_") || parts[1].hasPrefix("Unknown_")
  }

  @Test("exiftool finds nothing in a stripped file but what is needed to show it")
  func nothingIsLeft() throws {
    let (pairs, failed) = try stripAll()
    // Their meta boxes are broken; no library opens them either.
    #expect(failed.sorted() == ["corrupted.heic", "oom_large_box.heic"])
    #expect(pairs.count >= 14)
    let tags = try CorpusTests.exiftool(["-a", "-s", "-ee", "-U"], pairs.map(\.output))
    #expect(tags.count == pairs.count)
    for file in tags {
      let name = file["SourceFile"] as? String ?? ""
      for (key, value) in file {
        #expect(Self.isAllowed(key), "\(name): \(key)")
        if key.hasSuffix("Date") && !key.hasPrefix("System") {
          #expect("\(value)" == "0000:00:00 00:00:00", "\(name): \(key)")
        }
      }
    }
  }

  @Test("A stripped file has the pixels, the size and the colors of its source")
  func sameToLookAt() throws {
    let (pairs, _) = try stripAll()
    var compared = 0
    let arguments = ["-limit", "thread", "1", "-format", "%# %w %h %[colorspace]\n"]
    for pair in pairs {
      // ImageMagick 7 shows pictures beside the primary one, which alone is kept.
      let shown = try Tool.run("identify", arguments + [pair.source]).output
      let before = shown.split(separator: "\n").first.map { $0 + "\n" } ?? ""
      // What the installed library cannot open shows nothing.
      guard !before.isEmpty else { continue }
      compared += 1
      let after = try Tool.run("identify", arguments + [pair.output]).output
      #expect(before == after, "\(pair.source)")
    }
    #expect(compared >= 10)
  }

  @Test(
    "A sequence has the same frames at the same times",
    .enabled(if: Tool.exists("ffmpeg"), "no ffmpeg")
  )
  func sameFrames() throws {
    let (pairs, _) = try stripAll()
    let pair = try #require(pairs.first { $0.source.contains("animated") })
    let frames = { (path: String) in
      try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-f", "framemd5", "-"])
        .output.split(separator: "\n").filter { !$0.hasPrefix("#") }
    }
    let after = try frames(pair.output)
    // ffmpeg 7 takes the still of the same file for a stream, too.
    let count = Tool.hasLibrary("libavformat", atLeast: "61") ? 6 : 5
    #expect(try after == frames(pair.source) && after.count == count)
  }

  private static let hasEncoders: Bool = {
    let encoders = try? Tool.run("ffmpeg", ["-v", "error", "-encoders"]).output
    return ["libx264", "libx265"].allSatisfy { encoders?.contains($0) ?? false }
  }()

  @Test(
    "What an encoder wrote of itself into its coded data goes, and every frame stays",
    .enabled(if: hasEncoders, "no ffmpeg with libx264 and libx265"),
    arguments: [("libx265", "hevc", "x265"), ("libx264", "avcs", "x264")]
  )
  func encoderTexts(encoder: String, brand: String, text: String) throws {
    let movie = folder.path + "/" + encoder + ".mp4"
    let result = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:r=10:s=160x96", "-c:v", encoder,
        "-metadata", "title=canary", movie,
      ]
    )
    try #require(result.status == 0, "\(result.error)")
    var bytes = try readBytes(movie)
    // The same tracks and samples make a sequence of pictures, when brands and handler say so.
    let word = Array(brand.utf8)
    bytes.replaceSubrange(8..<12, with: word)
    bytes.replaceSubrange(16..<24, with: Array("msf1".utf8) + word)
    let hdlr = Array("hdlr".utf8)
    let handler = try #require(bytes.indices.first { bytes[$0...].starts(with: hdlr) }) + 12
    #expect(bytes[handler...].starts(with: Array("vide".utf8)))
    bytes.replaceSubrange(handler..<(handler + 4), with: Array("pict".utf8))
    #expect(bytes.contains(text) && bytes.contains("canary"))
    let (output, list) = try stripHEIF(bytes)
    #expect(!output.contains(text) && !output.contains("canary") && !output.contains("Lavf"))
    #expect(list.removedNames["SEI"] != nil)
    let stripped = folder.path + "/" + encoder + ".heic"
    try Data(output).write(to: URL(fileURLWithPath: stripped))
    let frames = { (path: String) in
      try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:v", "-f", "framemd5", "-"])
        .output.split(separator: "\n").filter { !$0.hasPrefix("#") }
        .map { $0.split(separator: ",").last.map(String.init) ?? "" }
    }
    let after = try frames(stripped)
    #expect(try after == frames(movie) && after.count == 10)
  }

  @Test(
    "All eight orientations are shown as before",
    .enabled(if: Tool.exists("identify"), "no ImageMagick"),
    arguments: 1...8
  )
  func orientations(orientation: Int) throws {
    let path = try #require(Corpus.file("visible/orientation/rot3mir1.avif"))
    var bytes = try readBytes(path)
    // Its angle and axis stand at these places; ipma's last two entries are theirs.
    #expect(bytes[251..<260].elementsEqual([0, 0, 0, 9] + Array("irot".utf8) + [1]))
    #expect(bytes[260..<269].elementsEqual([0, 0, 0, 9] + Array("imir".utf8) + [0]))
    #expect(bytes[287..<294].elementsEqual([6, 1, 2, 0x83, 4, 0x85, 0x86]))
    bytes[259] = UInt8((orientation - 1) % 4)
    if orientation <= 4 {
      // The mirror counts for nothing: its entry is no property.
      bytes[293] = 0
    } else {
      bytes[268] = 1
    }
    let output = try stripHEIF(bytes).output
    #expect(facts(ofHEIF: output)?.orientation == facts(ofHEIF: bytes)?.orientation)
    var seen: [String] = []
    for (name, content) in [("before", bytes), ("after", output)] {
      let path = "\(folder.path)/turned-\(orientation)-\(name).avif"
      try Data(content).write(to: URL(fileURLWithPath: path))
      seen.append(try Tool.run("identify", ["-format", "%# %w %h", path]).output)
    }
    #expect(seen[0] == seen[1] && !seen[0].isEmpty)
  }

  @Test("The gain map of each kind stays where it is asked for")
  func gainMaps() throws {
    let (pairs, _) = try stripAll(StripOptions(except: [.hdrGainMap]))
    for (name, references) in [("seine_sdr", ["tmap", "altr"]), ("IMG_3853", ["tmap", "auxl"])] {
      let pair = try #require(pairs.first { $0.source.contains(name) })
      let output = try readBytes(pair.output)
      for text in references { #expect(output.contains(text), "\(name): \(text)") }
      let tags = try CorpusTests.exiftool(["-a", "-s", "-ee"], [pair.output])[0]
      #expect(!tags.keys.contains { $0.hasPrefix("IFD0") || $0.contains("GPS") })
      if name == "IMG_3853" {
        #expect("\(tags["XMP-HDRGainMap:HDRGainMapHeadroom"] ?? "")" == "6.902454")
        #expect(tags["XMP-xmp:CreatorTool"] == nil)
      }
    }
  }

  @Test("A live photo's still gets the fresh identifier, and nothing else of its maker note")
  func pairing() throws {
    let path = try #require(Corpus.file("visible/livephoto/IMG_3853.HEIC"))
    let key = [UInt8](repeating: 9, count: 32)
    let output = try stripHEIF(try readBytes(path), StripOptions(pairingKey: key)).output
    let file = folder.path + "/paired.heic"
    try Data(output).write(to: URL(fileURLWithPath: file))
    let tags = ["-a", "-s", "-Apple:all"]
    let before = try CorpusTests.exiftool(tags, [path])[0]
    let after = try CorpusTests.exiftool(tags, [file])[0]
    // exiftool 13 has another name for it.
    let tag = before["Apple:ContentIdentifier"] == nil ? "MediaGroupUUID" : "ContentIdentifier"
    let original = try #require(before["Apple:" + tag] as? String)
    let fresh = LivePhotoIdentifier.fresh(original: original, key: key)
    #expect(after["Apple:" + tag] as? String == fresh && fresh != original)
    #expect(after.keys.filter { $0.hasPrefix("Apple:") } == ["Apple:" + tag])
  }

  @Test("What is excepted is what exiftool read before, and nothing more")
  func exceptions() throws {
    let options = StripOptions(except: [.creationDate, .camera])
    let (pairs, _) = try stripAll(options)
    let tags = ["-DateTimeOriginal", "-Make", "-Model"]
    let before = try CorpusTests.exiftool(tags, pairs.map(\.source))
    let after = try CorpusTests.exiftool(["-a", "-s", "-ee", "-U"], pairs.map(\.output))
    var written = 0
    for (old, new) in zip(before, after) {
      for tag in ["ExifIFD:DateTimeOriginal", "IFD0:Make", "IFD0:Model"] {
        guard let value = old[tag] else { continue }
        written += 1
        #expect("\(new[tag] ?? "")" == "\(value)", "\(new["SourceFile"] ?? ""): \(tag)")
      }
      let ours: Set<String> = [
        "ExifIFD:DateTimeOriginal", "ExifIFD:OffsetTimeOriginal", "ExifIFD:ExifVersion",
        "IFD0:Make", "IFD0:Model", "Composite:SubSecDateTimeOriginal",
      ]
      for key in new.keys where !Self.isAllowed(key) { #expect(ours.contains(key), "\(key)") }
    }
    #expect(written >= 12)
  }
}
