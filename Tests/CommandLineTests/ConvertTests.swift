import Foundation
import MediaSyntax
import MediaTestSupport
import Testing

@Suite(
  "Export --convert: pictures as JPEGs that every program opens",
  .enabled(if: Has.magick && Has.exiftool, "no ImageMagick or no exiftool")
)
struct ConvertTests {
  /// ImageMagick's arguments that draw a picture without any symmetry.
  private static let drawing = [
    "-size", "320x200", "gradient:#203080-#f0d060", "-fill", "#d02020", "-draw",
    "rectangle 0,0 90,60", "-fill", "#10a040", "-draw", "circle 220,130 220,90",
  ]

  /// Pictures in several formats, made once; the TIFF is stored on its side.
  private static let drawn = Result {
    let folder = TemporaryFolder()
    let variants: [(String, [String])] = [
      ("opaque.png", []), ("deep.png", ["-depth", "16"]), ("gray.png", ["-colorspace", "Gray"]),
      ("glass.png", ["-alpha", "set", "-channel", "A", "-evaluate", "set", "50%"]),
      ("turned.tif", ["-orient", "right-top"]), ("lossy.webp", ["-quality", "95"]),
    ]
    for (name, options) in variants {
      let path = folder.path + "/" + name
      try Independent.make("convert", ConvertTests.drawing + options + [path])
    }
    try Independent.make(
      "exiftool",
      [
        "-q", "-overwrite_original", "-XMP-dc:Title=Planted", "-XMP-dc:Rights=Planted",
        folder.path + "/opaque.png",
      ]
    )
    var files: [(name: String, bytes: [UInt8])] = []
    for (name, _) in variants { files.append((name, try readBytes(folder.path + "/" + name))) }
    return files
  }

  /// A library of pictures in several formats.
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([])
    try scene.declare("library")
    let folder = "sources/library/"
    try scene.put(folder + "photo.jpg", try Media.photo("photo"))
    try scene.put(folder + "movie.mov", try Media.livePhoto("movie").movie)
    for (name, bytes) in try Self.drawn.get() { try scene.put(folder + name, bytes) }
    try scene.run().expect(0)
    return scene
  }

  private func export(_ scene: Scene, _ folder: String, _ arguments: [String] = []) throws
    -> Outcome
  {
    try scene.command(["export", "Library", folder, "--layout", "{label}", "--format", "json"] + arguments)
  }

  private func signature(_ path: String) throws -> String { try Independent.sha256(path) }

  @Test(
    "Each picture is upright, sRGB, and near to what ImageMagick makes of it; the rest is untouched"
  )
  func pictures() throws {
    let scene = try scene()
    let before = try scene.snapshot("Library")
    try export(scene, "out", ["--convert", "jpeg:95"]).expect(0)
    #expect(try scene.snapshot("Library") == before)
    #expect(
      try scene.madePaths("out") == [
        "deep.jpg", "glass.jpg", "gray.jpg", "lossy.jpg", "movie.mov", "opaque.jpg", "photo.jpg",
        "turned.jpg",
      ]
    )
    for name in ["photo.jpg", "movie.mov"] {
      let own = try Independent.sha256(scene.at("sources/library/" + name))
      #expect(try scene.madeFiles("out")[name] == own)
    }
    let sources = [
      "deep": "png", "glass": "png", "gray": "png", "lossy": "webp", "opaque": "png",
      "turned": "tif",
    ]
    for (name, ending) in sources {
      let output = scene.at("out/\(name).jpg")
      let expected = scene.at("expected-\(name).png")
      try Independent.make(
        "convert",
        [
          scene.at("sources/library/\(name).\(ending)"), "-auto-orient", "-background", "white",
          "-alpha", "remove", expected,
        ]
      )
      #expect(try Independent.size(output) == (name == "turned" ? [200, 320] : [320, 200]), "\(name)")
      let compared = try Tool.run("compare", ["-metric", "PSNR", output, expected, "null:"])
      let noise = try #require(Double(compared.error.split(separator: " ").first ?? ""), "\(compared)")
      #expect(noise > 36, "\(name): \(noise) dB")
      let tags = try Independent.exif(output).keys.filter {
        !["File:", "JFIF:", "Composite:", "ExifTool:"].contains(where: $0.hasPrefix)
      }
      #expect(tags.isEmpty, "\(name): \(tags)")
    }
    let planted = try Tool.run("grep", ["-rac", "Planted", scene.at("out/opaque.jpg")])
    #expect(planted.status == 1)
    // As they are in the library, pictures keep what they have.
    try export(scene, "whole").expect(0)
    #expect(try scene.madePaths("whole").contains("opaque.png"))
  }

  @Test(
    "A second call converts nothing, and another quality everything; a bag is checked by sha256sum"
  )
  func incremental() throws {
    let scene = try scene()
    try export(scene, "out", ["--convert", "jpeg", "--bag"]).expect(0)
    #expect(try export(scene, "out", ["--convert", "jpeg", "--bag"]).json()["isCurrent"].bool == true)
    try scene.put("sources/library/new.jpg", try Media.photo("new"))
    try scene.run().expect(0)
    func expect(added: Int, kept: Int, _ quality: String) throws {
      let outcome = try export(scene, "out", ["--convert", "jpeg:" + quality, "--bag"])
      let result = try outcome.json()
      let converted = try #require(result["converted"].int)
      // The picture that is new is a JPEG.
      #expect(converted == (added == 1 ? 0 : added), "\(result)")
      #expect(outcome.error.contains("Converted \(converted) pictures to JPEG."), "\(outcome.error)")
      #expect(result["filesAdded"].int == added && result["filesKept"].int == kept, "\(result)")
      let checked = try Tool.run(
        "sha256sum",
        ["--quiet", "--check", "manifest-sha256.txt"],
        in: scene.at("out")
      )
      #expect(checked.status == 0, "\(checked.output)")
      let listed = try String(contentsOfFile: scene.at("out/manifest-sha256.txt"), encoding: .utf8)
      #expect(listed.split(separator: "\n").count == 9)
    }
    try expect(added: 1, kept: 8, "90")
    let first = try scene.madeFiles("out")["data/opaque.jpg"]
    try expect(added: 6, kept: 3, "40")
    #expect(try scene.madeFiles("out")["data/opaque.jpg"] != first)
    for word in ["png", "jpeg:0", "jpeg:101", "jpeg:", "jpeg:9:9", "jpeg90"] {
      #expect(try export(scene, "no", ["--convert", word]).code == 64, "\(word)")
    }
  }

  @Test("A picture that cannot be decoded is there as it is, is named, and is tried again")
  func damaged() throws {
    let scene = try scene()
    let result = try Tool.run("find", [scene.at("Library"), "-name", "deep.png"])
    let path = result.output.trimmingCharacters(in: .newlines)
    let whole = try readBytes(path)
    var bytes = whole
    for index in bytes.count / 3..<bytes.count * 2 / 3 { bytes[index] = 0 }
    try write(bytes, to: path, of: scene)
    for _ in 1...2 {
      let outcome = try export(scene, "out", ["--convert", "jpeg"])
      #expect(outcome.code == 3)
      let named = try outcome.json()["notConverted"].array
      #expect(named.count == 1 && named.first?["path"].string == "deep.png", "\(outcome.output)")
      #expect(outcome.streams.contains("\"deep.png\" was not converted, and is as it is in the library"))
      #expect(try scene.madeFiles("out")["deep.png"] == Independent.sha256(path))
      #expect(try scene.madePaths("out").count == 8)
    }
    // A sidecar has the name of the file that is there, in the crate too, and then that of the JPEG.
    func expectSidecar(_ name: String, not other: String, _ code: Int32) throws {
      let words = ["--convert", "jpeg", "--sidecars", "xmp", "--ro-crate"]
      #expect(try export(scene, "named", words).code == code)
      let crate = try String(contentsOfFile: scene.at("named/ro-crate-metadata.json"), encoding: .utf8)
      let paths = try scene.madePaths("named")
      for path in [name, "opaque.jpg.xmp"] {
        #expect(paths.contains(path) && crate.contains("\"\(path)\""), "\(paths)")
      }
      #expect(!paths.contains(other) && !crate.contains("\"\(other)\""), "\(paths)")
    }
    for _ in 1...2 { try expectSidecar("deep.png.xmp", not: "deep.jpg.xmp", 3) }
    try write(whole, to: path, of: scene)
    try expectSidecar("deep.jpg.xmp", not: "deep.png.xmp", 0)
    let mended = try export(scene, "out", ["--convert", "jpeg"])
    try mended.expect(0)
    #expect(try mended.json()["filesAdded"].int == 1)
    #expect(try scene.madePaths("out").contains("deep.jpg"))
  }

  /// Writes a file of the library again, as if it had been imported so; its size stays.
  private func write(_ bytes: [UInt8], to path: String, of scene: Scene) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.write(contentsOf: bytes)
    try file.close()
    let own = path.dropFirst(scene.at("Library/").count)
    let digest = try Independent.sha256(path)
    _ = try scene.catalogue("UPDATE resources SET sha256 = '\(digest)' WHERE path = '\(own)'")
  }

  @Test("A picture that does not fit in the worker's memory is said to be over the limit")
  func memory() throws {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([])
    try scene.declare("library")
    // 100 million pixels; and 49 million, which are more than ImageMagick's policy on Debian allows.
    try scene.put("sources/library/large.png", Bombs.png(side: 10_000))
    try scene.put("sources/library/middle.png", Bombs.png(side: 7_000))
    try scene.put("sources/library/small.png", copyOf: Samples.png)
    try scene.run().expect(0)
    let outcome = try export(scene, "out", ["--convert", "jpeg"])
    #expect(outcome.code == 3)
    let named = try outcome.json()["notConverted"].array
    #expect(named.count == 1)
    #expect(named.first?["detail"].string?.hasPrefix("overLimit") == true, "\(outcome.output)")
    #expect(try scene.madePaths("out") == ["large.png", "middle.jpg", "small.jpg"])
    #expect(try Independent.size(scene.at("out/middle.jpg")) == [7000, 7000])
  }

  @Test(
    "HEIC and AVIF of cameras have the colors and the turn that ImageMagick gives them",
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS")
  )
  func corpus() throws {
    let scene = Scene(policy: "keep")
    scene.setThumbnails([])
    try scene.declare("library")
    let files = (Corpus.files(beneath: "visible/heic") + Corpus.files(beneath: "visible/avif"))
      .filter { !$0.contains("clap") && ($0.hasSuffix(".heic") || $0.hasSuffix(".avif")) }
    #expect(files.count >= 6, "\(files)")
    for (number, file) in files.enumerated() {
      try scene.put("sources/library/p\(number).\(file.hasSuffix("avif") ? "avif" : "heic")", copyOf: file)
    }
    _ = try scene.run()
    try export(scene, "out", ["--convert", "jpeg"]).expect(0)
    let names = try scene.madePaths("out").filter { $0.hasSuffix(".jpg") }
    #expect(names.count >= 6, "\(names)")
    for name in names {
      let number = try #require(Int(name.dropFirst().prefix { $0 != "." }))
      let source = files[files.startIndex + number]
      // exiftool's size of a HEIC is that of the picture as it is shown.
      let size = try Tool.run("exiftool", ["-s3", "-ImageSize", "-Rotation", source]).output
      let sides = size.split(whereSeparator: { !$0.isNumber }).prefix(2).compactMap { Int($0) }
      #expect(try Set(Independent.size(scene.at("out/" + name))) == Set(sides), "\(source)")
    }
  }

  @Test(
    "Whatever a worker answers that no honest one does, the picture is there as it is",
    arguments: Amount.some(
      3,
      of: [
        "crash", "thumbnailOtherName", "thumbnailEndless", "thumbnailNotJPEG", "doneAtOnce",
        "otherJob",
      ]
    )
  )
  func liar(_ lie: String) throws {
    let scene = try scene()
    let result = try Tool.run("find", [scene.at("Library"), "-name", "deep.png"])
    let path = result.output.trimmingCharacters(in: .newlines)
    try write(Array("LIE:\(lie) ".utf8), to: path, of: scene)
    let run = try RunningProgram(
      try LyingWorker.program(),
      ["export", "Library", "out", "--layout", "{label}", "--format", "json", "--convert", "jpeg"],
      in: scene.path
    )
    let (outcome, memory, _) = try run.waitMeasuring()
    #expect(outcome.code == 3, "\(outcome.streams)")
    #expect(memory < 1 << 30, "\(memory) bytes")
    #expect(try scene.madePaths("out").filter { $0.hasPrefix("deep") } == ["deep.png"])
    #expect(try scene.madePaths("out").count == 8)
  }
}
