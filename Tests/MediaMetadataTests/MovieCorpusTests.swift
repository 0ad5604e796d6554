import Foundation
import MediaModel
import MediaTestSupport
import Synchronization
import Testing

@testable import MediaContainers
@testable import MediaMetadata
@testable import MediaStripping

/// Real movies and those of an encoder, read by programs that did not make what they read.
@Suite(
  "Movies, read by others",
  .serialized,
  .enabled(if: Tool.exists("ffmpeg") && Tool.exists("exiftool"), "no ffmpeg or no exiftool")
)
struct MovieCorpusTests {
  private let folder = TemporaryFolder()

  private static let metadata = [
    "-metadata", "title=CANARYTITLE", "-metadata", "comment=CANARYCOMMENT",
    "-metadata", "location=+48.8577+002.2950/", "-metadata", "creation_time=2021-03-04T05:06:07Z",
    "-metadata:s:v", "handler_name=CANARYHANDLER",
  ]

  /// What ffmpeg is asked for; each is two seconds.
  static let recipes: [(name: String, arguments: [String])] = [
    ("base.mp4", ["-c:v", "libx264", "-c:a", "aac"]),
    ("fast.mp4", ["-c:v", "libx264", "-c:a", "aac", "-movflags", "+faststart"]),
    (
      "moof.mp4",
      [
        "-c:v", "libx264", "-g", "10", "-c:a", "aac", "-movflags",
        "+frag_keyframe+empty_moov+default_base_moof",
      ]
    ),
    (
      "separate.mp4",
      [
        "-c:v", "libx264", "-g", "10", "-c:a", "aac", "-movflags",
        "+frag_keyframe+empty_moov+separate_moof",
      ]
    ),
    (
      "omitted.mp4",
      [
        "-c:v", "libx264", "-g", "10", "-c:a", "aac", "-movflags",
        "+frag_keyframe+empty_moov+omit_tfhd_offset",
      ]
    ),
    ("both.mp4", ["-c:v", "libx264", "-g", "10", "-c:a", "aac", "-movflags", "+frag_keyframe"]),
    (
      "dash.mp4",
      [
        "-c:v", "libx264", "-g", "10", "-c:a", "aac", "-movflags",
        "+dash+global_sidx+frag_keyframe",
      ]
    ),
    (
      "hevc.mov",
      ["-c:v", "libx265", "-x265-params", "log-level=error", "-tag:v", "hvc1", "-c:a", "aac"]
    ),
    ("mpeg4.mp4", ["-c:v", "mpeg4", "-c:a", "aac"]),
    ("mjpeg.mov", ["-c:v", "mjpeg", "-c:a", "pcm_s16le"]),
    ("h263.3gp", ["-c:v", "h263", "-c:a", "aac", "-ar", "16000"]),
    ("prores.mov", ["-c:v", "prores", "-c:a", "pcm_s24le"]),
    (
      "vp9.mp4",
      ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus"]
    ),
    ("alac.mov", ["-c:v", "libx264", "-c:a", "alac"]),
    ("ima.mov", ["-c:v", "libx264", "-c:a", "adpcm_ima_qt"]),
    ("mulaw.mov", ["-c:v", "libx264", "-c:a", "pcm_mulaw", "-ar", "8000"]),
    ("ac3.mp4", ["-c:v", "libx264", "-c:a", "eac3"]),
    ("code.mov", ["-timecode", "10:11:12:13", "-c:v", "libx264", "-c:a", "aac"]),
    ("sound.m4a", ["-vn", "-c:a", "aac"]),
  ]

  /// Those that are made without all: each layout, and each kind of track once.
  private static let short: Set = [
    "fast.mp4", "moof.mp4", "dash.mp4", "hevc.mov", "mjpeg.mov", "h263.3gp", "vp9.mp4", "alac.mov",
    "code.mov", "sound.m4a",
  ]

  /// The movies that ffmpeg could make, made once for all tests: by one run, since it takes long to
  /// start, or by one for each if it lacks an encoder.
  private static let movies: Result<[String], any Error> = Result {
    let folder = TemporaryFolder.untilExit()
    let wanted = recipes.filter { Amount.isAll || short.contains($0.name) }
    let input = [
      "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=176x144:r=25:d=2", "-f", "lavfi", "-i",
      "sine=f=440:r=44100:d=2",
    ]
    var all = input
    for (name, arguments) in wanted { all += metadata + arguments + [folder.path + "/" + name] }
    if try Tool.run("ffmpeg", all).status == 0 {
      return wanted.map { folder.path + "/" + $0.name }
    }
    var movies: [String] = []
    for (name, arguments) in wanted {
      let path = folder.path + "/" + name
      let result = try Tool.run("ffmpeg", input + metadata + arguments + [path])
      if result.status == 0 { movies.append(path) }
    }
    return movies
  }

  /// The movies: what ffmpeg could make, and the corpus.
  private func movies() throws -> [String] {
    let movies = try Self.movies.get()
    #expect(movies.count >= Amount.of(8, all: 12), "this ffmpeg lacks encoders")
    let suffixes = [".mp4", ".mov", ".m4a", ".3gp", ".m4v"]
    let real = Corpus.files(beneath: "visible").filter { path in
      // One is there for its metadata; its samples were cut off.
      suffixes.contains { path.lowercased().hasSuffix($0) } && !path.contains("sony-a7-xavc")
    }
    return movies + real
  }

  private func write(_ bytes: [UInt8], _ name: String) throws -> String {
    let path = folder.path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// The hashes of every decoded frame, and what ffmpeg complains of.
  private static func decode(_ path: String) throws -> Tool.Result {
    let maps = ["v:0", "a"].flatMap { ["-map", "0:\($0)?"] }
    return try Tool.run("ffmpeg", ["-v", "warning", "-i", path] + maps + ["-f", "framemd5", "-"])
  }

  /// The same of a movie that is no output, decoded once for all tests.
  private static func decodeOnce(_ path: String) throws -> Tool.Result {
    if let cached = decoded.withLock({ $0[path] }) { return cached }
    let result = try decode(path)
    decoded.withLock { $0[path] = result }
    return result
  }

  private static let decoded = Mutex<[String: Tool.Result]>([:])

  /// Hashes of every picture, without their times.
  private func pictures(_ decoded: Tool.Result) -> [String] {
    decoded.output.split(separator: "\n").filter { $0.hasPrefix("0,") }
      .compactMap { $0.split(separator: ",").last.map(String.init) }
  }

  /// Whether a movie takes long to decode, and has nothing that shorter ones have not.
  private static func isLong(_ path: String) -> Bool {
    !Amount.isAll && path.hasSuffix("/IMG_3853.MOV")
  }

  private func streams(_ path: String) throws -> [String] {
    let result = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", path]
    )
    return result.output.split(separator: "\n").map(String.init)
  }

  /// Takes seconds: ffmpeg decodes each movie and its output.
  @Test("Pictures and sound are the same, decoded; and no reader finds more to complain about")
  func sameToSeeAndHear() throws {
    var compared = 0
    for path in try movies() where !Self.isLong(path) {
      let name = URL(fileURLWithPath: path).lastPathComponent
      let output = try write(try stripMovie(try readBytes(path)).output, "out-" + name)
      let decoded = [try Self.decodeOnce(path), try Self.decode(output)]
      // The number of the stream, and the digest.
      let frames = decoded.map { file in
        file.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
          .map { String($0.prefix { $0 != "," }) + String($0.suffix(32)) }.sorted()
      }
      #expect(frames[0] == frames[1], "\(name)")
      compared += frames[0].count
      let complaints = decoded.map { $0.error.split(separator: "\n").count }
      #expect(complaints[1] <= complaints[0], "\(name)")
    }
    #expect(compared > 1000)
  }

  /// Movies that differ from others in the coding of what is kept whole, or left out whole.
  private static let sameMuted = ["hevc.mov", "mjpeg.mov", "h263.3gp", "vp9.mp4"]

  @Test("Muted, a movie has the same pictures and no sound", arguments: [false, true])
  func muted(keepsMetadata: Bool) throws {
    // Each movie in one of two ways, unless all are wanted.
    let movies = try movies().filter { path in
      !path.hasSuffix(".m4a") && !Self.isLong(path)
        && (Amount.isAll || !Self.sameMuted.contains { path.hasSuffix("/" + $0) })
    }
    for (index, path) in movies.enumerated()
    where Amount.isAll || (index % 2 == 0) == keepsMetadata {
      let name = URL(fileURLWithPath: path).lastPathComponent
      let bytes = try readBytes(path)
      let muted =
        keepsMetadata
        ? try muteMovie(bytes).output
        : try stripMovie(bytes, StripOptions(removesAudio: true)).output
      let output = try write(muted, "muted-" + name)
      #expect(try !streams(output).contains("audio"), "\(name)")
      let seen = pictures(try Self.decodeOnce(path))
      #expect(pictures(try Self.decode(output)) == seen, "\(name)")
      if keepsMetadata, try Self.movies.get().contains(path) {
        #expect(muted.contains("CANARYTITLE"), "\(name)")
      }
    }
  }

  /// What exiftool may say: sizes, codecs, colors, tables of samples, and times of zero.
  private static let allowed: Set<String> = [
    "AVCConfiguration", "AudioBitsPerSample", "AudioChannelTypes", "Endianness",
    "NumChannelDescriptions", "AudioChannels", "AudioFormat", "AudioSampleRate",
    "Balance", "BitDepth", "ChunkOffset", "ChunkOffset64", "CleanApertureDimensions",
    "CleanApertureHeight", "CleanApertureOffsetX", "CleanApertureOffsetY", "CleanApertureWidth",
    "ColorPrimaries", "ColorProfiles", "CompatibleBrands", "CompositionTimeToSample",
    "CompositionToDecodeTimelineMapping", "CompressorID", "CreateDate", "CurrentTime", "Duration",
    "EncodedPixelsDimensions", "GraphicsMode", "HandlerClass", "HandlerType",
    "IdependentAndDisposableSamples", "ImageHeight", "ImageWidth", "LayoutFlags", "MajorBrand",
    "MatrixCoefficients", "MatrixStructure", "MediaCreateDate", "MediaData", "MediaDataOffset",
    "MediaDataSize", "MediaDuration", "MediaHeaderVersion", "MediaLanguageCode",
    "MediaModifyDate", "MediaTimeScale", "MinorVersion", "ModifyDate", "MovieFragmentSequence",
    "MovieHeaderVersion", "NextTrackID", "OpColor", "PixelAspectRatio", "PosterTime",
    "PreferredRate", "PreferredVolume", "PreviewDuration", "PreviewTime",
    "ProductionApertureDimensions", "PurchaseFileFormat", "SampleGroupDescription", "SampleSizes",
    "SampleToChunk", "SampleToGroup", "SelectionDuration", "SelectionTime", "SourceImageHeight",
    "SourceImageWidth", "SyncSampleTable", "TimeScale", "TimeToSampleTable", "TrackCreateDate",
    "TrackDuration", "TrackHeaderVersion", "TrackID", "TrackLayer", "TrackModifyDate",
    "TrackVolume", "TransferCharacteristics", "VideoFieldOrder", "VideoFrameRate",
    "VideoFullRangeFlag", "XResolution", "YResolution", "BufferSize", "MaxBitrate",
    "AverageBitrate", "FieldOrder", "Gamma", "SampleDuration", "ApertureMode",
  ]

  @Test("exiftool and ffprobe list nothing but what is on the list")
  func nothingIsLeft() throws {
    var outputs: [String] = []
    for path in try movies() {
      let name = URL(fileURLWithPath: path).lastPathComponent
      let output = try stripMovie(try readBytes(path)).output
      for text in ["CANARY", "Lavf", "Lavc", "x264", "x265"] {
        #expect(!output.contains(text), "\(name): \(text)")
      }
      outputs.append(try write(output, "\(outputs.count)-\(name)"))
    }
    let result = try Tool.run(
      "exiftool",
      ["-j", "-ee", "-U", "-G1", "-a", "-q", "-api", "LargeFileSupport=1"] + outputs
    )
    let files =
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]] ?? []
    #expect(files.count == outputs.count)
    var strange: Set<String> = []
    for file in files {
      for (key, value) in file {
        let parts = key.split(separator: ":").map(String.init)
        guard parts.count == 2, !["File", "System", "ExifTool", "Composite"].contains(parts[0])
        else {
          if key.hasSuffix("Warning") || key.hasSuffix("Error") {
            strange.insert("\(key)=\(value)")
          }
          continue
        }
        if parts[1].hasSuffix("Date"), "\(value)" != "0000:00:00 00:00:00" {
          strange.insert("\(key)=\(value)")
        }
        let isField = parts[1].hasPrefix("Unknown_") || parts[1].hasPrefix("QuickTime_")
        if !isField, !Self.allowed.contains(parts[1]) { strange.insert(parts[1]) }
      }
    }
    #expect(strange == [])
    for output in Amount.some(9, of: outputs) {
      let probe = try Tool.run(
        "ffprobe",
        ["-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "csv=p=0:nk=0", output]
      )
      let tags = probe.output.split { "\n,".contains($0) }.filter { $0.contains("=") }
        .map { String($0.prefix { $0 != "=" }) }
      let allowedTags: Set<String> = [
        "tag:major_brand", "tag:minor_version", "tag:compatible_brands", "tag:language",
        "tag:handler_name", "tag:vendor_id",
      ]
      #expect(Set(tags).subtracting(allowedTags) == [], "\(output)")
    }
  }

  @Test("Facts are what ffprobe says")
  func sameFacts() throws {
    for path in try Self.movies.get() {
      let name = URL(fileURLWithPath: path).lastPathComponent
      let original = try facts(of: try readBytes(path))
      let length = try #require(original.durationMilliseconds, "\(name)")
      #expect((1990...2200).contains(length), "\(name): \(length)")
      for track in original.tracks {
        switch track.kind {
        case .video:
          #expect(track.pixelSize == PixelSize(width: 176, height: 144), "\(name)")
          #expect(track.frameRateMilli == 25_000, "\(name)")
        case .audio:
          // An entry for AC-3 says 2 whatever its sound has.
          #expect(track.channelCount == (track.codec == "ec-3" ? 2 : 1), "\(name)")
          #expect([44_100, 48_000, 16_000, 8000].contains(track.sampleRate), "\(name)")
        default: #expect(track.codec == "tmcd", "\(name)")
        }
      }
      let output = try stripMovie(try readBytes(path)).output
      let stripped = try facts(of: output)
      #expect(stripped.durationMilliseconds == original.durationMilliseconds, "\(name)")
      #expect(try stripped.creationDate == nil && !statesPlace(output), "\(name)")
    }
  }

  @Test(
    "Players of another family open what is left",
    .enabled(
      if: ["gst-discoverer-1.0", "MP4Box", "mp4info"].contains { Tool.exists($0) },
      "neither gst-discoverer-1.0 nor MP4Box nor mp4info is there"
    )
  )
  func others() throws {
    var opened = 0
    // Without all, every other one.
    for path in Amount.some(8, of: try movies()) {
      let output = try write(try stripMovie(try readBytes(path)).output, "other.mp4")
      for (tool, options) in [
        ("gst-discoverer-1.0", []), ("MP4Box", ["-info"]), ("mp4info", []),
      ] where Tool.exists(tool) {
        // A codec that it does not have is no fault of ours.
        guard try Tool.run(tool, options + [path]).status == 0 else { continue }
        opened += 1
        let result = try Tool.run(tool, options + [output])
        #expect(result.status == 0, "\(tool) \(path): \(result.error.suffix(300))")
      }
    }
    #expect(opened > 5)
  }
}
