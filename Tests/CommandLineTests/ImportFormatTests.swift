import Foundation
import MediaModel
import MediaTestSupport
import Testing

@Suite("Importing every format")
struct ImportFormatTests {
  /// A file of each format, made by a tool: its name, the tool, its arguments before the file's name.
  static let samples: [(name: String, tool: String, arguments: [String], role: String)] = [
    ("a.gif", "convert", ["-size", "40x30", "xc:red"], "photo"),
    ("a.webp", "convert", ["-size", "41x30", "xc:red"], "photo"),
    ("a.tif", "convert", ["-size", "42x30", "xc:red"], "photo"),
    ("a.bmp", "convert", ["-size", "43x30", "xc:red"], "photo"),
    ("a.jp2", "convert", ["-size", "47x30", "xc:red"], "photo"),
    ("a.j2k", "convert", ["-size", "48x30", "xc:red"], "photo"),
    ("a.aiff", "ffmpeg", sine, "audio"),
    ("a.m4a", "ffmpeg", sine + ["-c:a", "aac", "-f", "ipod"], "audio"),
    ("a.mp3", "ffmpeg", sine + ["-c:a", "libmp3lame"], "audio"),
    ("a.aac", "ffmpeg", sine + ["-c:a", "aac"], "audio"),
    ("a.flac", "ffmpeg", sine + ["-c:a", "flac"], "audio"),
    ("a.ogg", "ffmpeg", sine + ["-c:a", "libvorbis"], "audio"),
    ("a.3ga", "ffmpeg", sine + ["-ar", "8000", "-c:a", "aac", "-f", "3gp"], "audio"),
    ("a.mka", "ffmpeg", sine + ["-c:a", "flac"], "audio"),
    ("a.weba", "ffmpeg", sine + ["-c:a", "libopus", "-f", "webm"], "audio"),
    ("a.mkv", "ffmpeg", bars + ["-c:v", "mpeg4"], "video"),
    ("a.webm", "ffmpeg", bars + ["-c:v", "libvpx"], "video"),
    ("a.avi", "ffmpeg", bars + ["-c:v", "mpeg4"], "video"),
    ("a.dv", "ffmpeg", bars + ["-target", "ntsc-dv", "-an"], "video"),
  ]
  /// The formats that have no edit list, made as ``made`` is.
  static let unstrippable: [(name: String, tool: String, arguments: [String], role: String)] = [
    ("a.wmv", "ffmpeg", bars + ["-c:v", "wmv2"], "video"),
    ("a.ts", "ffmpeg", bars + ["-c:v", "mpeg2video", "-f", "mpegts"], "video"),
    (
      "a.m2ts", "ffmpeg",
      bars + ["-c:v", "libx264", "-f", "mpegts", "-mpegts_m2ts_mode", "1"], "video"
    ),
    ("a.ogv", "ffmpeg", bars + ["-c:v", "libtheora"], "video"),
    ("a.mpg", "ffmpeg", bars + ["-r", "25", "-c:v", "mpeg1video", "-f", "mpeg"], "video"),
    ("a.m2v", "ffmpeg", bars + ["-c:v", "mpeg2video", "-f", "mpeg2video"], "video"),
    ("a.flv", "ffmpeg", bars + ["-c:v", "flv"], "video"),
    ("a.wma", "ffmpeg", sine + ["-c:a", "wmav2"], "audio"),
    ("a.psd", "convert", ["-size", "44x30", "xc:red"], "photo"),
    ("a.psb", "convert", ["-size", "45x30", "xc:red"], "photo"),
    ("a.tga", "convert", ["-size", "46x30", "xc:red"], "photo"),
    ("a.pnm", "convert", ["-size", "49x30", "xc:red"], "photo"),
    ("a.ico", "convert", ["-size", "50x30", "xc:red"], "photo"),
    ("a.pcx", "convert", ["-size", "51x30", "xc:red"], "photo"),
    ("a.sgi", "convert", ["-size", "52x30", "xc:red"], "photo"),
    ("a.dds", "convert", ["-size", "52x32", "xc:red"], "photo"),
  ]
  private static let bars = [
    "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=0.5",
  ]
  private static let sine = [
    "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=0.3", "-strict", "-2",
  ]
  /// Files that the project holds, and what they are.
  static let held: [(file: String, name: String, role: String)] = [
    (Samples.photo(1), "b.jpg", "photo"), (Samples.png, "b.png", "photo"),
    (Samples.video, "b.mp4", "video"), (Samples.movie, "b.mov", "video"),
    (Samples.sound, "b.wav", "audio"),
  ]

  @Test(
    "Under keep each format arrives with its bytes, its role and the extension of its content",
    .enabled(if: Has.magick && Has.ffmpeg && Has.sqlite, "no ImageMagick, ffmpeg or sqlite3")
  )
  func keepsEveryFormat() throws {
    let scene = Scene()
    try scene.declare("library")
    var roles: [String: String] = [:]
    // Each file's name claims another format: only its content may count.
    func add(_ file: String, _ name: String, _ role: String) throws {
      let stem = (name as NSString).pathExtension
      try scene.put("sources/library/of-\(stem).dat", copyOf: file)
      roles[stem] = role
    }
    for sample in Self.samples + Self.unstrippable {
      let file = try scene.put("made/" + sample.name, "")
      try Independent.make(sample.tool, sample.arguments + (sample.tool == "ffmpeg" ? ["-y"] : []) + [file])
      try add(file, sample.name, sample.role)
    }
    for sample in Self.held { try add(sample.file, sample.name, sample.role) }
    let sources = try scene.digests("sources/library")
    let expected = roles.map { stem, role in
      "of-\(stem).\(stem)|\(role)|\(sources["of-\(stem).dat"] ?? "none")"
    }
    try #require(expected.count == Self.samples.count + Self.unstrippable.count + Self.held.count)

    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": expected.count])
    let files = try scene.digests("Library")
    let rows = try scene.catalogue("SELECT path, role, sha256 FROM resources").map { row in
      let fields = row.split(separator: "|").map(String.init)
      let digest = files[fields[0]] ?? "none"
      #expect(digest == fields[2])
      return "\((fields[0] as NSString).lastPathComponent)|\(fields[1])|\(digest)"
    }
    #expect(rows.sorted() == expected.sorted())
    try scene.expectVerified()
  }

  @Test(
    "Under strip a format that cannot be stripped fails closed, and nothing of it is published",
    .enabled(if: Has.magick && Has.ffmpeg, "no ImageMagick or ffmpeg")
  )
  func refusesToStripOtherFormats() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("library")
    var failures: [String] = []
    for sample in Self.unstrippable {
      let file = try scene.put("sources/library/" + sample.name, "")
      try Independent.make(sample.tool, sample.arguments + (sample.tool == "ffmpeg" ? ["-y"] : []) + [file])
      failures.append("\(sample.name): stripUnsupported")
    }
    let outcome = try scene.run()
    try outcome.expect(3)
    #expect(try outcome.failures() == failures.sorted())
    #expect(try scene.originals().isEmpty)
    for failure in try outcome.json()["failures"].array {
      let message = try #require(failure["message"].string)
      #expect(message.contains(try #require(failure["path"].string)), "\(message)")
      #expect(message.contains("photo library"), "\(message)")
      #expect(message.contains("keep"), "what to do: \(message)")
      let name = failure["path"].string
      let role = Self.unstrippable.first { $0.name == name }?.role
      let format = ["photo": "JPEG", "audio": "FLAC"][role ?? ""] ?? "MP4"
      #expect(message.contains(format), "\(message)")
      #expect(role == "photo" || !message.contains("JPEG"), "\(message)")
    }
    // The next run says no more that a format cannot be stripped.
    try scene.run().expectCounts(["failedBefore": failures.count])
    try scene.expectVerified()
  }

  @Test(
    "Every picture format is stripped without a changed pixel",
    .enabled(if: Has.magick, "no ImageMagick")
  )
  func stripsEveryPicture() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("library")
    var sources: [String: String] = [:]
    for sample in Self.samples where sample.role == "photo" {
      let file = try scene.put("sources/library/" + sample.name, "")
      try Independent.make(sample.tool, sample.arguments + [file])
      sources[(sample.name as NSString).pathExtension] = file
    }
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": sources.count])
    for (path, _) in try scene.originals() {
      let source = try #require(sources[(path as NSString).pathExtension])
      let output = scene.library + "/Originals/" + path
      #expect(try Independent.pixels(source) == Independent.pixels(output), "\(path)")
    }
    try scene.expectVerified()
  }

  @Test(
    "Sound alone in a container of films is for the microphone, and no film of a camera",
    .enabled(if: Has.ffmpeg && Has.sqlite, "no ffmpeg or sqlite3"),
    arguments: ["keep", "strip"]
  )
  func soundOfFilmFormats(policy: String) throws {
    let containers = ["mp4", "3gp", "mkv", "webm"]
    let scene = Scene(policy: policy)
    try scene.declare("camera")
    try scene.declare("microphone")
    for (index, container) in containers.enumerated() {
      let codec = ["-ar", "48000", "-c:a", container == "webm" ? "libopus" : "aac"]
      let shape = ["-f", container == "mkv" ? "matroska" : container, "-y"]
      for source in ["camera", "microphone"] {
        let file = try scene.put("sources/\(source)/\(index).\(container)", source)
        let title = ["-metadata", "title=\(source)"]
        try Independent.make("ffmpeg", Self.sine + codec + title + shape + [file])
      }
    }
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 4, "skipped": 4])
    #expect(try scene.originalNames() == ["0.m4a", "1.3ga", "2.mka", "3.weba"])
    let types = try scene.catalogue("SELECT DISTINCT mediaType, source FROM assets")
    #expect(types == ["audio|microphone"])
    for (path, _) in try scene.originals() {
      let output = scene.library + "/Originals/" + path
      let probe = ["-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", output]
      #expect(try Tool.run("ffprobe", probe).output.hasPrefix("audio"), "\(path)")
    }
    try scene.expectVerified()
  }

  /// The tags that a stripped JPEG or PNG may still have: how it is decoded, how it is turned, its colors.
  static func isAllowed(_ tag: String) -> Bool {
    let groups = ["File:", "Composite:ImageSize", "Composite:Megapixels", "ICC_Profile", "ICC-"]
    let tags = [
      "IFD0:Orientation", "JFIF:", "Adobe:", "APP14:", "PNG:ImageWidth", "PNG:ImageHeight",
      "PNG:BitDepth", "PNG:ColorType", "PNG:Compression", "PNG:Filter", "PNG:Interlace",
      "PNG:Palette", "PNG:Transparency", "PNG:Gamma", "PNG:SRGBRendering", "PNG:WhitePoint",
      "PNG:Red", "PNG:Green", "PNG:Blue", "PNG-pHYs:", "PNG:SignificantBits",
      "PNG:BackgroundColor", "PNG:ProfileName", "PNG:AnimationFrames", "PNG:AnimationPlays",
      "PNG:NumPaletteColors", "PNG-cICP:",
    ]
    if tag == "File:Comment" { return false }
    return (groups + tags).contains { tag.hasPrefix($0) }
  }

  @Test(
    "A stripped photo says nothing outside the allow-list, and keeps pixels and orientation",
    .enabled(if: Has.exiftool && Has.magick, "no exiftool or ImageMagick")
  )
  func stripsHeldMedia() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    let files = (1...8).map(Samples.photo) + [Samples.png]
    for file in files {
      try scene.put("sources/camera/" + (file as NSString).lastPathComponent, copyOf: file)
    }
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": files.count])
    for (path, _) in try scene.originals() {
      let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
      let source = try #require(files.first { $0.contains(name) })
      try expectStripped(scene.library + "/Originals/" + path, of: source)
    }
    // The check itself must be able to fail: the sources are full of what it forbids.
    let before = try Independent.exif(Samples.photo(1)).keys.filter { !Self.isAllowed($0) }
    #expect(before.contains { $0.hasPrefix("GPS") } && before.contains("IFD0:Make"))
    try scene.expectVerified()
  }

  private func expectStripped(
    _ output: String,
    of source: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try Independent.exif(source)
    let after = try Independent.exif(output)
    let residual = after.keys.filter { !Self.isAllowed($0) }.sorted()
    #expect(residual.isEmpty, "\(source): \(residual)", sourceLocation: location)
    if let orientation = before["IFD0:Orientation"], (2...8).contains(Int(orientation) ?? 0) {
      #expect(after["IFD0:Orientation"] == orientation, "\(source)", sourceLocation: location)
    }
    // The profile's colors stay; what it is called and who made it go.
    for tag in Self.colors {
      #expect(before[tag] == after[tag], "\(source): \(tag)", sourceLocation: location)
    }
    #expect(
      try Independent.pixels(source) == Independent.pixels(output),
      "\(source)",
      sourceLocation: location
    )
  }

  private static let colors = [
    "ICC_Profile:MediaWhitePoint", "ICC_Profile:RedMatrixColumn", "ICC_Profile:GreenMatrixColumn",
    "ICC_Profile:BlueMatrixColumn", "ICC_Profile:RedTRC", "ICC_Profile:GreenTRC",
    "ICC_Profile:BlueTRC", "ICC_Profile:GrayTRC", "ICC-header:ColorSpaceData",
  ]

  @Test(
    "The colors of a photo's profile survive stripping, and not what the profile tells",
    .enabled(if: Has.exiftool && Has.magick, "no exiftool or ImageMagick"),
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS"),
    arguments: ["visible/jpeg/paris_exif_xmp_icc.jpg", "visible/png/paris_icc_exif_xmp.png"]
  )
  func keepsColorProfile(file: String) throws {
    let source = try #require(Corpus.file(file))
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    try scene.put("sources/camera/a", copyOf: source)
    try scene.run().expect(0)
    let output = scene.library + "/Originals/" + (try #require(try scene.originals().first).path)
    let before = try Independent.exif(source)
    let after = try Independent.exif(output)
    #expect(before["ICC_Profile:RedMatrixColumn"] != nil)
    for tag in Self.colors { #expect(before[tag] == after[tag], "\(tag)") }
    #expect(after["ICC_Profile:ProfileDescription"] != before["ICC_Profile:ProfileDescription"])
    func display(_ path: String) throws -> String {
      let profile = "/usr/share/color/icc/ghostscript/srgb.icc"
      let script =
        "set -o pipefail; convert \"$0\" -profile \"$1\" -strip rgb:- | sha256sum"
      let shown = try Tool.run("bash", ["-c", script, path, profile])
      try #require(shown.status == 0, "\(shown.error)")
      return shown.output
    }
    #expect(try display(source) == display(output))
  }

  /// JPEGs of the corpus that end before their picture begins.
  private static let cutOff = ["exif-no-tz.jpg", "truncated_motionphoto_tags_only.jpg"]

  /// Those that show a picture and are not whole: wrong checksums, no end of the picture's data.
  private static let damaged = ["exif-both.png", "ultrahdr.jpg"]

  /// Those that end before what they promise, which is found without decoding.
  private static let endsEarly = ["sony-a7-xavc.MP4", "ultrahdr.jpg"]

  @Test(
    "Every good file of the corpus is imported under keep with the SHA-256 of its source",
    .enabled(if: Has.sqlite, "no sqlite3"),
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func keepsCorpus() throws {
    let scene = Scene()
    try scene.declare("library")
    let extensions = [
      "jpg", "jpeg", "png", "gif", "webp", "tif", "tiff", "heic", "heif", "avif", "mp4", "mov",
      "m4a", "mp3", "wav", "flac", "ogg", "opus",
    ]
    let files = Corpus.files(beneath: "visible").filter { file in
      extensions.contains((file as NSString).pathExtension.lowercased()) && !file.contains("/edge/")
        && !Self.cutOff.contains((file as NSString).lastPathComponent)
    }
    #expect(files.count > 80)
    var digests: [String: String] = [:]
    for file in files {
      let name = file.split(separator: "/").suffix(2).joined(separator: "/")
      digests[name] = try Independent.sha256(try scene.put("sources/library/" + name, copyOf: file))
    }
    let outcome = try scene.run()
    // No thumbnails are asked for: under keep nothing fails but what is not whole.
    let failed = try outcome.failures().map { $0.split(separator: "/").last.map(String.init) }
    #expect(failed == Self.endsEarly.map { $0 + ": damaged" }.reversed())
    for name in digests.keys where Self.endsEarly.contains(where: name.hasSuffix) {
      digests[name] = nil
    }
    let rows = try scene.catalogue("SELECT CAST(sourcePath AS TEXT), path, format FROM resources")
    for row in rows {
      let fields = row.split(separator: "|").map(String.init)
      #expect(try Independent.sha256(scene.library + "/" + fields[1]) == digests[fields[0]], "\(fields[0])")
      let format = try #require(MediaFormat(rawValue: fields[2]))
      #expect((fields[1] as NSString).pathExtension == format.fileExtension)
    }
    // Two files of the corpus with the same bytes are one asset.
    #expect(rows.count == Set(digests.values).count, "\(outcome.streams)")
    let count = files.count - Self.endsEarly.count
    #expect(try outcome.count("imported") + outcome.count("duplicate") == count)
    try scene.expectVerified()
  }

  @Test(
    "Every JPEG and PNG of the corpus is stripped without a trace and without a changed pixel",
    .enabled(if: Has.exiftool && Has.magick && Has.sqlite, "no exiftool, ImageMagick or sqlite3"),
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func stripsCorpus() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    let all = Amount.isAll
    var files = ["jpeg", "orientation", "png", "makernote", "motionphoto"].flatMap {
      Corpus.files(beneath: "visible/" + $0)
    }.filter { ["jpg", "jpeg", "png"].contains(($0 as NSString).pathExtension.lowercased()) }
      .filter { !Self.cutOff.contains(($0 as NSString).lastPathComponent) }
    #expect(files.count > 30)
    if !all { files = files.enumerated().filter { $0.offset % 3 == 0 }.map(\.element) }
    var sources: [String: String] = [:]
    for (index, file) in files.enumerated() {
      sources["\(index)"] = file
      try scene.put("sources/camera/\(index)", copyOf: file)
    }
    let outcome = try scene.run()
    var damaged: [String] = []
    for failure in try outcome.json()["failures"].array {
      let source = try #require(sources[failure["path"].string ?? ""]) as NSString
      damaged.append("\(source.lastPathComponent): \(failure["reason"].string ?? "?")")
    }
    let expected = files.map { ($0 as NSString).lastPathComponent }
      .filter(Self.damaged.contains).map { $0 + ": damaged" }
    #expect(damaged.sorted() == expected.sorted())
    for row in try scene.catalogue("SELECT CAST(sourcePath AS TEXT), path FROM resources") {
      let fields = row.split(separator: "|").map(String.init)
      try expectStripped(scene.library + "/" + fields[1], of: try #require(sources[fields[0]]))
    }
    try scene.expectVerified()
  }
}
