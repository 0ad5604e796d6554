import Foundation
import MediaModel
import MediaSyntax
import MediaTestSupport
import Testing

private let isLongForm = ConditionTrait.enabled(
  if: Amount.isAll,
  "swaps 10000 names: set MEDIABATCH_TEST_ALL"
)

/// Between listing, opening and reading, names come to mean something else: never a refused file.
@Suite("Names that are swapped during a run", .serialized)
struct SwapRaceTests {
  private static let folders = 8
  private static let files = 6

  /// A camera that is allowed beside a photo library that is denied, with the same names in both.
  ///
  /// `swap` has what takes the place of the camera's names: links into the photo library, its very
  /// files under another name, and other files that belong to the camera.
  private static func scene() throws -> Scene {
    let scene = Scene()
    try scene.declare("camera")
    try scene.declare("library", "denied")
    try scene.makeFolder("swap")
    for folder in 0..<folders {
      for file in 0..<files {
        let name = "f\(folder)/\(file).jpg"
        try scene.put("sources/camera/" + name, try Media.photo("camera \(name)"))
        try scene.put("sources/library/" + name, try Media.photo("canary \(name)"))
        try scene.put("swap/other-\(folder)-\(file)", try Media.photo("other \(name)"))
      }
      try link(scene.at("sources/library/f\(folder)"), scene.at("swap/f\(folder)"))
      try link(scene.at("sources/library/f\(folder)/0.jpg"), scene.at("swap/link-\(folder)"))
      try FileManager.default.linkItem(
        atPath: scene.at("sources/library/f\(folder)/1.jpg"),
        toPath: scene.at("swap/hard-\(folder)")
      )
    }
    return scene
  }

  private static func link(_ target: String, _ path: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  /// Runs again and again, each time into another library, until there were enough exchanges; then
  /// expects that nothing of the photo library is in any of them.
  private func race(_ scene: Scene, _ pairs: [(String, String)], codes: Set<Int32>) throws {
    let wanted = 10_000
    let leastRuns = 40
    var exchanged = 0
    var runs = 0
    var imported = 0
    // Most runs see the exchange and stop; the search proves something only where one went through.
    while exchanged < wanted || runs < leastRuns || (imported == 0 && runs < 100) {
      runs += 1
      try #require(runs <= 200, "only \(exchanged) exchanges")
      scene.manifest["output"] = ["path": .string("Library-\(runs)")]
      try scene.writeManifest()
      let swapper = Swapper(pairs.map { (scene.at($0.0), scene.at($0.1)) })
      let outcome = try scene.command("run", "manifest.json", "--format", "json")
      swapper.stop()
      exchanged += swapper.count
      #expect(swapper.count > 0 && swapper.failed == 0)
      #expect(codes.contains(outcome.code), "\(outcome.streams)")
      // A run that stopped at the manifest has no counts.
      imported += try outcome.json()["counts"]["imported"].int ?? 0
      let library = scene.at("Library-\(runs)")
      guard FileManager.default.fileExists(atPath: library) else { continue }
      let grep = try Tool.run("grep", ["-rlaF", "canary", library])
      #expect(grep.status == 1, "run \(runs): \(grep.output)")
      for command in [["verify", library], ["audit", "verify", library]] {
        let outcome = try Scene.program(command, in: scene.path)
        #expect(outcome.code == 0, "\(outcome.streams)")
      }
      try FileManager.default.removeItem(atPath: library)
    }
    // Something was imported all the same, and the search would have found it.
    #expect(imported > 0, "\(runs) runs, \(exchanged) exchanges")
  }

  @Test(
    "A folder that becomes a link into a refused source, and back, gives nothing of it",
    isLongForm
  )
  func folders() throws {
    let scene = try Self.scene()
    try race(scene, (0..<Self.folders).map { ("sources/camera/f\($0)", "swap/f\($0)") }, codes: [0, 3])
  }

  @Test(
    "A file that becomes a link, a second name or another file gives nothing of a refused one",
    isLongForm
  )
  func files() throws {
    let scene = try Self.scene()
    let pairs = (0..<Self.folders).flatMap { folder in
      [
        ("sources/camera/f\(folder)/0.jpg", "swap/link-\(folder)"),
        ("sources/camera/f\(folder)/1.jpg", "swap/hard-\(folder)"),
        ("sources/camera/f\(folder)/2.jpg", "swap/other-\(folder)-2"),
      ]
    }
    try race(scene, pairs, codes: [0, 3])
  }

  @Test(
    "A source's own folder that becomes a link, and back, is not taken for the source",
    isLongForm
  )
  func root() throws {
    let scene = try Self.scene()
    try Self.link(scene.at("sources/library"), scene.at("swap/root"))
    // A link that is met as the manifest is read is an overlap.
    try race(scene, [("sources/camera", "swap/root")], codes: [0, 3, 66, 78])
  }

  @Test(
    "A source's own folder that becomes a link behind any look at it gives nothing of a refused one",
    .enabled(if: Has.strace, "no strace")
  )
  func heldRoot() throws {
    let scene = try Self.scene()
    let (camera, link) = (scene.at("sources/camera"), scene.at("swap/root"))
    try Self.link(scene.at("sources/library"), link)
    try scene.writeManifest()
    var codes: Set<Int32> = []
    var moment = 1
    while true {
      let held = try HeldProgram(
        ["run", "manifest.json", "--format", "json"],
        in: scene.path,
        calls: "readlink,newfstatat,statx,openat",
        paths: [camera]
      )
      var looks = 0
      while looks < moment, let call = try held.next() {
        if call.isLookup, call.path == camera { looks += 1 }
        if looks == moment { try #require(exchange(camera, link) == 0) }
      }
      let outcome = try held.wait()
      // There are no more looks than that.
      if looks < moment { break }
      codes.insert(outcome.code)
      #expect([0, 3, 66, 78].contains(outcome.code), "\(outcome.streams)")
      try #require(exchange(camera, link) == 0)
      if FileManager.default.fileExists(atPath: scene.library) {
        let grep = try Tool.run("grep", ["-rlaF", "canary", scene.library])
        #expect(grep.status == 1, "look \(moment): \(grep.output)")
        try FileManager.default.removeItem(atPath: scene.library)
      }
      moment += 1
    }
    #expect(moment > 3)
    // The name is compared once more behind the opening, so that no run goes on under another one.
    #expect(codes == [66, 78], "\(codes)")
  }
}
