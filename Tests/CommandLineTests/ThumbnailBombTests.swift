import Foundation
import Glibc
import MediaTestSupport
import Testing

/// Files that ask for far more than they are: each fails by name, or lacks its thumbnail where only that
/// would cost so much, soon, and takes little on the way.
@Suite("Bombs", .ownProcesses, .serialized)
struct ThumbnailBombTests {
  private static let maximumSeconds = 2.0

  struct Bomb: CustomTestStringConvertible, Sendable {
    var name: String
    /// The reasons that say truly what is wrong with it.
    var reasons: Set<String>
    var make: @Sendable () throws -> [UInt8]
    var testDescription: String { name }
  }

  static let bombs: [Bomb] = [
    .init(name: "60,000 by 60,000 pixels.png", reasons: ["overLimit"]) { Bombs.png(side: 60_000) },
    .init(name: "200 MiB of zTXt.png", reasons: ["overLimit"]) {
      Bombs.png(kind: "zTXt", unpackingTo: 200 << 20)
    },
    .init(name: "200 MiB of iTXt.png", reasons: ["overLimit"]) {
      Bombs.png(kind: "iTXt", unpackingTo: 200 << 20)
    },
    .init(name: "200 MiB of profile.png", reasons: ["overLimit"]) {
      Bombs.png(kind: "iCCP", unpackingTo: 200 << 20)
    },
    .init(name: "100,000 frames.png", reasons: ["overLimit"]) { Bombs.apng(frames: 100_000) },
    .init(name: "100,000 frames.gif", reasons: ["overLimit"]) { Bombs.gif(frames: 100_000) },
    .init(name: "4,000 by 4,000, 5,000 scans.jpg", reasons: ["overLimit"]) {
      Bombs.progressiveJPEG(side: 4000, scans: 5000)
    },
    .init(name: "65,500 by 65,500, 3,000 scans.jpg", reasons: ["overLimit"]) {
      Bombs.progressiveJPEG(side: 65_500, scans: 3000)
    },
    .init(name: "a directory that follows itself.tif", reasons: ["damaged", "overLimit"]) {
      Bombs.tiff(directories: 1, loops: true)
    },
    .init(name: "1,000 directories in a ring.tif", reasons: ["damaged", "overLimit"]) {
      Bombs.tiff(directories: 1000, loops: true)
    },
    .init(name: "100,000 pages.tif", reasons: ["overLimit"]) {
      Bombs.tiff(directories: 100_000, loops: false)
    },
    .init(name: "grids 20 deep.heic", reasons: ["damaged", "overLimit"]) {
      try NestedGrids.file(.chain(depth: 20), around: heic())
    },
    .init(name: "a grid of itself.heic", reasons: ["damaged", "overLimit"]) {
      try NestedGrids.file(.loop, around: heic())
    },
  ]

  /// A bomb of each kind under one policy, the other in turn; each bomb under both for all.
  static let cases = Amount.pairs(["strip", "keep"], Amount.some(8, of: bombs))

  /// The same shapes with little in them.
  static let harmless: [Bomb] = [
    .init(name: "600 by 600 pixels.png", reasons: []) { Bombs.png(side: 600) },
    .init(name: "200 KiB of zTXt.png", reasons: []) {
      Bombs.png(kind: "zTXt", unpackingTo: 200 << 10)
    },
    .init(name: "200 KiB of iTXt.png", reasons: []) {
      Bombs.png(kind: "iTXt", unpackingTo: 200 << 10)
    },
    .init(name: "100 frames.gif", reasons: []) { Bombs.gif(frames: 100) },
    .init(name: "100 frames.png", reasons: []) { Bombs.apng(frames: 100) },
    .init(name: "100 pages.tif", reasons: []) { Bombs.tiff(directories: 100, loops: false) },
  ]

  private static func heic() throws -> [UInt8] {
    let folder = TemporaryFolder()
    let path = folder.path + "/plain.heic"
    try Independent.make("convert", ["-size", "64x64", "xc:red", path])
    return try readBytes(path)
  }

  @Test(
    "Each ends after little work with its reason, in little memory, and nothing of it is shown",
    .enabled(if: Has.magick, "no ImageMagick"),
    arguments: cases
  )
  func failsByName(policy: String, bomb: Bomb) throws {
    let (scene, usage) = try Self.run(bomb, policy: policy)
    let lacks = try !usage.outcome.withoutThumbnails().isEmpty
    try usage.outcome.expect(lacks ? 0 : 3)
    try usage.outcome.expectCounts([lacks ? "imported" : "failed": 1])
    let list = try usage.outcome.json()[lacks ? "thumbnailMissing" : "failures"].array
    let failure = try #require(list.first)
    let reason = lacks ? "overLimit" : failure["reason"].string ?? ""
    #expect(bomb.reasons.contains(reason), "\(bomb.name): \(usage.outcome.output)")
    let message = failure["message"].string ?? ""
    #expect(message.contains(bomb.name), "\(message)")
    // Where a file may also be said to be damaged, it is its form that is wrong, not a number.
    if bomb.reasons == ["overLimit"] {
      let remaining = message.replacingOccurrences(of: bomb.name, with: "")
      let hasNumber = remaining.contains { $0.isNumber }
      #expect(hasNumber, "which limit, and how much: \(message)")
    }
    #expect(try scene.originals().count == (lacks ? 1 : 0))
    #expect(try scene.thumbnails("grid").isEmpty)
    #expect(usage.seconds < Self.maximumSeconds, "\(usage)")
    #expect(usage.coordinatorBytes < 100 << 20, "\(usage)")
    #expect(usage.workerBytes < 512 << 20, "\(usage)")
    try #require(usage.coordinatorBytes > 0 && usage.workerBytes > 0, "no process was seen")
    try scene.expectVerified()
  }

  @Test(
    "The same shapes with little in them are imported",
    .enabled(if: Has.magick, "no ImageMagick"),
    arguments: harmless
  )
  func isImported(file: Bomb) throws {
    let (scene, usage) = try Self.run(file, policy: "keep")
    try usage.outcome.expect(0)
    try usage.outcome.expectCounts(["imported": 1])
    #expect(try scene.thumbnails("grid").count == 1)
  }

  /// What a run took.
  struct Usage: CustomStringConvertible {
    var outcome: Outcome
    /// The processor time of coordinator and workers together.
    var seconds: Double
    /// The kernel's own high-water marks.
    var coordinatorBytes: Int
    var workerBytes: Int
    var description: String {
      "\(seconds) s, coordinator \(coordinatorBytes >> 20) MiB, worker \(workerBytes >> 20) MiB"
    }
  }

  /// Runs until each process was seen at its work, which it may end while this one stands still.
  private static func run(_ bomb: Bomb, policy: String) throws -> (Scene, Usage) {
    var last = try runOnce(bomb, policy: policy)
    for _ in 0..<4 where min(last.1.coordinatorBytes, last.1.workerBytes) == 0 {
      last = try runOnce(bomb, policy: policy)
    }
    return last
  }

  private static func runOnce(_ bomb: Bomb, policy: String) throws -> (Scene, Usage) {
    let scene = try Scene(policy: policy).declare("camera")
    scene.setThumbnails([("grid", 64, 64, "aspectFit")])
    try scene.put("sources/camera/" + bomb.name, try bomb.make())
    try scene.writeManifest()
    let program = try RunningProgram(nil, ["run", "manifest.json", "--format", "json"], in: scene.path)
    let (outcome, memory, workerMemory) = try program.waitMeasuring()
    let usage = Usage(
      outcome: outcome,
      seconds: program.processorSeconds,
      coordinatorBytes: memory,
      workerBytes: workerMemory
    )
    return (scene, usage)
  }
}
