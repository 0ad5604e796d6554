import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

@Suite("Live photos")
struct LivePhotoTests {
  private static let rows = """
    SELECT r.asset || ' ' || r.role || ' ' || CAST(r.sourcePath AS TEXT) || ' ' || a.degraded
    FROM resources r JOIN assets a ON a.id = r.asset ORDER BY r.id
    """

  /// Names of the two halves: another case, the movie first in byte order, a folder of its own.
  @Test(
    "A still and a movie with one content identifier are one asset, in one folder, under one label",
    .enabled(if: Has.sqlite, "no sqlite3"),
    arguments: Amount.some(
      3,
      of: [
        ("IMG_1.JPG", "IMG_1.MOV"), ("IMG_1.jpg", "IMG_1.MOV"), ("a/b/IMG_1.JPEG", "a/b/img_1.mov"),
        ("img_1.jpg", "IMG_1.MOV"), ("é 1.jpg", "é 1.MOV"),
      ]
    )
  )
  func pairsHalves(still: String, movie: String) throws {
    let scene = Scene()
    try scene.declare("library")
    try scene.put("sources/library/" + still, copyOf: Samples.still)
    try scene.put("sources/library/" + movie, copyOf: Samples.movie)
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 2])
    #expect(Set(try scene.catalogue(Self.rows)) == ["1 photo \(still) 0", "1 pairedVideo \(movie) 0"])
    let originals = try scene.originals()
    let label = ((still as NSString).lastPathComponent as NSString).deletingPathExtension
    #expect(try scene.originalNames() == ["\(label).jpg", "\(label).mov"])
    #expect(Set(originals.map { ($0.path as NSString).deletingLastPathComponent }).count == 1)
    #expect(
      Set(originals.map(\.sha256))
        == [try Independent.sha256(Samples.still), try Independent.sha256(Samples.movie)]
    )
    try scene.run().expectCounts(["unchanged": 2])
    try scene.expectVerified()
  }

  /// What the camera's mode and the microphone make of a live photo, a photo and a video.
  struct Capture: CustomTestStringConvertible {
    var mode: String
    var microphone: String
    var onRefused = "refuse"
    /// Of `live.jpg`, `live.mov`, `plain.jpg`, `video.mp4`.
    var outcomes: [String]
    var testDescription: String { "\(mode), microphone \(microphone), \(onRefused)" }
  }

  /// Those of `make test` have each mode, outcome and answer to a refusal.
  private static let captures = [
    Capture(
      mode: "photo",
      microphone: "authorized",
      outcomes: ["imported", "skipped", "imported", "skipped"]
    ),
    Capture(
      mode: "photoAndLivePhoto",
      microphone: "authorized",
      outcomes: ["imported", "imported", "imported", "skipped"]
    ),
    Capture(mode: "photo", microphone: "denied", outcomes: ["imported", "skipped", "imported", "skipped"]),
    Capture(
      mode: "photoAndLivePhoto",
      microphone: "denied",
      outcomes: ["refused", "refused", "imported", "skipped"]
    ),
    Capture(
      mode: "photoAndVideo",
      microphone: "authorized",
      outcomes: ["imported", "imported", "imported", "imported"]
    ),
    Capture(
      mode: "photoAndLivePhoto",
      microphone: "denied",
      onRefused: "stillOnly",
      outcomes: ["imported", "refused", "imported", "skipped"]
    ),
    Capture(
      mode: "photoAndVideo",
      microphone: "denied",
      onRefused: "stillOnly",
      outcomes: ["imported", "refused", "imported", "refused"]
    ),
    Capture(
      mode: "photoAndVideo",
      microphone: "denied",
      outcomes: ["refused", "refused", "imported", "refused"]
    ),
    Capture(
      mode: "photoAndLivePhoto",
      microphone: "denied",
      onRefused: "mute",
      outcomes: ["imported", "imported", "imported", "skipped"]
    ),
    Capture(
      mode: "photoAndVideo",
      microphone: "denied",
      onRefused: "mute",
      outcomes: ["imported", "imported", "imported", "imported"]
    ),
  ]

  @Test(
    "The capture mode and the microphone decide what the camera gives",
    arguments: Amount.some(6, of: captures)
  )
  func obeysCaptureMode(capture: Capture) throws {
    let scene = Scene()
    try scene.declare("camera", "authorized", ["capture": ["mode": .string(capture.mode)]])
    try scene.declare("microphone", capture.microphone)
    scene.manifest["onMicrophoneRefused"] = .string(capture.onRefused)
    let names = ["live.jpg", "live.mov", "plain.jpg", "video.mp4"]
    let files = [Samples.still, Samples.movie, Samples.photo(2), Samples.video]
    for (name, file) in zip(names, files) {
      try scene.put("sources/camera/" + name, copyOf: file)
    }
    let outcome = try scene.run()
    try outcome.expect(0)
    var counts: [String: Int] = [:]
    for name in capture.outcomes { counts[name, default: 0] += 1 }
    try outcome.expectCounts(counts)
    var outcomes: [String: String] = [:]
    for record in try scene.lastLog() where record["event"].string == "outcome" {
      let path = try #require(record["path"].string)
      outcomes[path] = record["outcome"].string
      switch record["outcome"].string {
      case "skipped": #expect(record["reason"].string == "mediaTypeExcluded", "\(path)")
      case "refused": #expect(record["reason"].string == "microphoneRefused", "\(path)")
      default: #expect(!record["reason"].exists, "\(path)")
      }
    }
    #expect(outcomes == Dictionary(uniqueKeysWithValues: zip(names, capture.outcomes)))
    try scene.expectVerified()
  }

  @Test(
    "Under photoAndVideo stills that were published alone get their movies, and no advice names the mode",
    .enabled(if: Has.sqlite, "no sqlite3")
  )
  func laterVideos() throws {
    let scene = Scene()
    try scene.declare("camera", "authorized", ["capture": ["mode": "photo"]])
    try scene.declare("microphone")
    try scene.put("sources/camera/live.jpg", copyOf: Samples.still)
    try scene.put("sources/camera/live.mov", copyOf: Samples.movie)
    try scene.put("sources/camera/film.mp4", copyOf: Samples.video)
    try scene.put("sources/camera/memo.wav", copyOf: Samples.sound)
    let words = "{\"mode\": \"photoAndVideo\"}"
    try scene.writeManifest()
    #expect(try scene.command("run", "manifest.json").output.contains(words))
    try scene.declare("camera", "authorized", ["capture": ["mode": "photoAndVideo"]])
    try scene.writeManifest()
    let run = try scene.command("run", "manifest.json")
    try run.expect(0)
    let roles = try scene.catalogue("SELECT role FROM resources WHERE superseded = 0 ORDER BY role")
    #expect(roles == ["pairedVideo", "photo", "video"], "\(run.output)")
    #expect(try scene.catalogue("SELECT count(*) FROM assets WHERE superseded = 0") == ["2"])
    #expect(run.output.contains("memo.wav") && !run.output.contains("photoAndVideo"), "\(run.output)")
    for format in ["csv", "html"] {
      let report = try scene.reportText(format, "--run", "last")
      #expect(report.contains("memo.wav") && !report.contains("photoAndVideo"), "\(format)")
    }
    let story = try scene.command("explain", "Library", "memo.wav").output
    #expect(story.contains("a camera has no sound files") && !story.contains("photoAndVideo"))
    try scene.expectVerified()
  }

  @Test(
    "Under strip both halves of a live photo get one fresh content identifier",
    .enabled(if: Has.exiftool && Has.sqlite, "no exiftool or no sqlite3")
  )
  func pairsStrippedHalves() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("library")
    try scene.put("sources/library/live.jpg", copyOf: Samples.still)
    try scene.put("sources/library/live.mov", copyOf: Samples.movie)
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 2])
    #expect(Set(try scene.catalogue(Self.rows)) == ["1 photo live.jpg 0", "1 pairedVideo live.mov 0"])
    func identifier(_ path: String) throws -> String {
      try Tool.run("exiftool", ["-s3", "-ContentIdentifier", "-MediaGroupUUID", path]).output
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let fresh = try scene.originals().map {
      try identifier(scene.at("Library/Originals/" + $0.path))
    }
    #expect(fresh.count == 2 && Set(fresh).count == 1, "\(fresh)")
    #expect(try fresh.allSatisfy { try !$0.isEmpty && $0 != identifier(Samples.movie) })
    try scene.expectVerified()
  }

  /// Files of which no pair is published.
  struct Lone: CustomTestStringConvertible {
    var testDescription: String
    /// The names; `.mov` and `.jpg` are halves of one live photo, `.mp4` is another video.
    var names: [String]
    var mode: String?
    var cuts: String?
    var code: Int32 = 0
  }

  private static let lones = [
    Lone(testDescription: "a still", names: ["live.jpg"]),
    Lone(testDescription: "a movie", names: ["live.mov"]),
    Lone(testDescription: "another video", names: ["live.jpg", "live.mp4"]),
    Lone(testDescription: "a damaged movie", names: ["live.jpg", "live.mov"], cuts: "live.mov", code: 3),
    Lone(testDescription: "mode photo", names: ["live.jpg", "live.mov"], mode: "photo"),
    Lone(testDescription: "mode photoAndVideo, a movie", names: ["live.mov"], mode: "photoAndVideo"),
  ]

  @Test(
    "Without its counterpart, a still or a movie keeps no identifier and no maker note",
    .enabled(if: Has.exiftool, "no exiftool"),
    arguments: Amount.some(4, of: lones)
  )
  func keepsNothingAlone(lone: Lone) throws {
    let scene = Scene(policy: "strip")
    let capture: [String: JSONValue] =
      lone.mode.map { ["capture": ["mode": .string($0)]] } ?? [:]
    let source = lone.mode == nil ? "library" : "camera"
    try scene.declare(source, "authorized", capture)
    try scene.declare("microphone")
    for name in lone.names {
      let samples = ["jpg": Samples.still, "mov": Samples.movie, "mp4": Samples.video]
      let bytes = try readBytes(try #require(samples[String(name.suffix(3))]))
      let kept = lone.cuts == name ? bytes.count * 2 / 3 : bytes.count
      try scene.put("sources/\(source)/" + name, Array(bytes.prefix(kept)))
    }
    try scene.run().expect(lone.code)
    let originals = try scene.originals().map { scene.at("Library/Originals/" + $0.path) }
    #expect(!originals.isEmpty)
    let tags = ["-a", "-G1", "-s", "-Apple:all", "-ContentIdentifier", "-MakerNotes:all"]
    for path in originals {
      #expect(try Tool.run("exiftool", tags + [path]).output.isEmpty, "\(path)")
    }
    let json = try scene.inspected(originals)
    for entry in json["files"].array.flatMap({ $0["entries"].array }) {
      #expect(entry["removed"].bool == false, "\(entry["path"].string ?? "")")
    }
    // A half that failed was said.
    try scene.run().expect(0)
    try scene.expectVerified()
  }

  @Test(
    "A still whose movie is damaged is imported without it, degraded, with exit 3",
    .enabled(if: Has.sqlite, "no sqlite3")
  )
  func importsDegradedStill() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("library")
    try scene.put("sources/library/live.jpg", copyOf: Samples.still)
    let movie = try Data(contentsOf: URL(fileURLWithPath: Samples.movie))
    try scene.put("sources/library/live.mov", Array(movie.dropLast(movie.count / 3)))
    let outcome = try scene.run()
    try outcome.expect(3)
    try outcome.expectCounts(["imported": 1, "failed": 1])
    #expect(try outcome.failures() == ["live.mov: damaged"])
    #expect(try scene.catalogue(Self.rows) == ["1 photo live.jpg 1"])
    try scene.expectVerified()
  }

  @Test(
    "A movie that shares only its name with a still is an asset of its own",
    .enabled(if: Has.sqlite, "no sqlite3")
  )
  func keepsNamesakesApart() throws {
    let scene = Scene()
    try scene.declare("library")
    try scene.put("sources/library/live.jpg", copyOf: Samples.still)
    try scene.put("sources/library/live.mp4", copyOf: Samples.video)
    try scene.run().expect(0)
    #expect(try scene.catalogue(Self.rows) == ["1 photo live.jpg 0", "2 video live.mp4 0"])
    try scene.expectVerified()
  }

  @Test(
    "The halves of a live photo in two sources are two assets",
    .enabled(if: Has.sqlite, "no sqlite3")
  )
  func neverPairsAcross() throws {
    let scene = Scene()
    try scene.declare("library")
    try scene.declare("camera", "authorized", ["capture": ["mode": "photoAndVideo"]])
    try scene.declare("microphone")
    try scene.put("sources/library/live.jpg", copyOf: Samples.still)
    try scene.put("sources/camera/live.mov", copyOf: Samples.movie)
    try scene.run().expect(0)
    #expect(try scene.catalogue("SELECT count(*) FROM assets") == ["2"])
    #expect(
      try scene.catalogue("SELECT DISTINCT role FROM resources ORDER BY role") == [
        "photo", "video",
      ]
    )
    try scene.expectVerified()
  }

  @Test(
    "A live photo of which the selection has one half gives that half alone",
    .enabled(if: Has.sqlite, "no sqlite3"),
    arguments: ["live.jpg", "live.mov"]
  )
  func neverPairsAcrossSelection(selected: String) throws {
    let scene = Scene()
    try scene.declare("library", "limited", ["selection": [.string(selected)]])
    try scene.put("sources/library/live.jpg", copyOf: Samples.still)
    try scene.put("sources/library/live.mov", copyOf: Samples.movie)
    let outcome = try scene.run()
    try outcome.expect(0)
    try outcome.expectCounts(["imported": 1])
    #expect(try scene.catalogue("SELECT CAST(sourcePath AS TEXT) FROM resources") == [selected])
    try scene.expectVerified()
  }

  @Test(
    "Real live photos of the corpus are one asset each",
    .enabled(if: Has.sqlite, "no sqlite3"),
    .enabled(if: Corpus.folder != nil, "no corpus: set MEDIABATCH_CORPUS"),
    arguments: [("train.jpg", "train.mov"), ("IMG_3853.HEIC", "IMG_3853.MOV")]
  )
  func pairsRealHalves(still: String, movie: String) throws {
    let scene = Scene()
    try scene.declare("library")
    for name in [still, movie] {
      try scene.put(
        "sources/library/" + name,
        copyOf: try #require(Corpus.file("visible/livephoto/" + name))
      )
    }
    try scene.run().expect(0)
    #expect(Set(try scene.catalogue(Self.rows)) == ["1 photo \(still) 0", "1 pairedVideo \(movie) 0"])
    try scene.expectVerified()
  }
}
