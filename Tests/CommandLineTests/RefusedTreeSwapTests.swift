import Foundation
import Glibc
import MediaModel
import MediaSyntax
import MediaTestSupport
import Synchronization
import Testing

/// Somebody who may write in a source, while it is imported, points its names at what was refused.
@Suite("Swaps with the refused tree", .enabled(if: Has.magick, "no ImageMagick"))
struct RefusedTreeSwapTests {
  /// In every refused file, and in the name of one; it may be nowhere in a library.
  private static let canary = "CANARY-OF-THE-REFUSED-TREE"

  enum Status: String, CaseIterable { case authorized, limited }

  @Test(
    "Names swapped for links to the refused tree bring nothing of it into the library",
    arguments: Status.allCases
  )
  func swaps(status: Status) throws {
    let scene = try scene(status)
    let allowed = Set(try scene.digests("sources/camera").values)
      .union(try scene.digests("sources/library").values).union(try scene.digests("good").values)
    let attacker = Attacker(pairs: try plant(scene))
    let wanted = Amount.of(150, all: 5_000)
    let leastRuns = Amount.of(3, all: 20)
    var runs = 0
    while attacker.swaps < wanted || runs < leastRuns {
      attacker.start()
      let outcome = try scene.run()
      attacker.stop()
      runs += 1
      // Items that were gone or changed fail; nothing worse may come of it.
      #expect([0, 3].contains(outcome.code), "\(outcome.said)")
      #expect(!outcome.said.contains(Self.canary))
      guard runs.isMultiple(of: 4) || attacker.swaps >= wanted && runs >= leastRuns else {
        continue
      }
      #expect(try leaks(scene, allowed: allowed) == [])
      try scene.expectVerified()
      try FileManager.default.removeItem(atPath: scene.library)
    }
    #expect(attacker.problem == 0)
  }

  @Test("A source that is exempted from the rule on hard links lets them in: the attack is real")
  func exempted() throws {
    let scene = try scene(.authorized)
    try scene.declare("camera", "authorized", ["hardLinks": "allow"])
    let allowed = Set(try scene.digests("sources/camera").values)
    let attacker = Attacker(pairs: try plant(scene).filter { $0.0.hasSuffix("camera/hard.jpg") })
    var found: [String] = []
    for _ in 0..<60 where found.isEmpty {
      attacker.start()
      _ = try scene.run()
      attacker.stop()
      found = try leaks(scene, allowed: allowed).filter { $0.hasPrefix("bytes") }
    }
    #expect(!found.isEmpty)
  }

  @Test("The search for canaries finds them when the refused tree is allowed")
  func negativeControl() throws {
    let scene = try scene(.authorized)
    let allowed = Set(try scene.digests("sources/camera").values)
    scene.manifest["sources"] = [
      "camera": ["path": "refused", "authorizationStatus": "authorized"]
    ]
    try scene.run().expect(0)
    let found = try leaks(scene, allowed: allowed)
    for kind in ["bytes", "name", "pixels", "content"] {
      #expect(found.contains { $0.hasPrefix(kind) }, "\(kind): \(found)")
    }
  }

  /// Green pictures in two sources, red ones with canaries in a tree that is denied.
  private func scene(_ status: Status) throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("camera").declare("microphone", "denied", ["path": "refused"])
    try scene.declare(
      "library",
      status.rawValue,
      status == .limited
        ? ["selection": ["roll/*.jpg", "link.jpg", "hard.jpg", "other.jpg"]] : [:]
    )
    scene.setThumbnails([("grid", 64, 64, "aspectFill")])
    for folder in ["sources/camera", "sources/library", "good", "refused"] {
      let isRefused = folder == "refused"
      for name in ["roll/a.jpg", "roll/b.jpg", "roll/c.jpg", "link.jpg", "hard.jpg", "other.jpg"] {
        let file = scene.at(folder + "/" + name)
        try scene.makeFolder(folder + "/roll")
        let made = try Tool.run(
          "convert",
          [
            "-size", "600x400", "-seed", "\(abs((folder + name).hashValue) % 1_000_000)",
            isRefused ? "xc:rgb(255,0,0)" : "xc:rgb(0,160,40)", "-attenuate", "0.1", "+noise",
            "Gaussian", "-set", "comment", isRefused ? Self.canary : "allowed", file,
          ]
        )
        try #require(made.status == 0, "\(made.error)")
      }
    }
    try FileManager.default.copyItem(
      atPath: scene.at("refused/roll/a.jpg"),
      toPath: scene.at("refused/roll/\(Self.canary).jpg")
    )
    return scene
  }

  /// What the attacker puts in the place of each name, prepared beside the sources.
  private func plant(_ scene: Scene) throws -> [(String, String)] {
    var pairs: [(String, String)] = []
    for source in ["camera", "library"] {
      let aside = "aside-" + source
      try scene.makeFolder(aside)
      let refused = scene.at("refused")
      let files = FileManager.default
      for name in ["roll", "link.jpg"] {
        try files.createSymbolicLink(
          atPath: scene.at("\(aside)/\(name)"),
          withDestinationPath: "\(refused)/\(name)"
        )
      }
      try files.linkItem(atPath: refused + "/hard.jpg", toPath: scene.at(aside + "/hard.jpg"))
      try files.copyItem(
        atPath: scene.at("good/other.jpg"),
        toPath: scene.at(aside + "/other.jpg")
      )
      for name in ["roll", "link.jpg", "hard.jpg", "other.jpg"] {
        pairs.append((scene.at("sources/\(source)/\(name)"), scene.at("\(aside)/\(name)")))
      }
    }
    return pairs
  }

  /// Every trace of the refused tree in the library; empty when there is none.
  private func leaks(_ scene: Scene, allowed: Set<String>) throws -> [String] {
    var found: [String] = []
    let grep = try Tool.run("grep", ["-rlaF", Self.canary, scene.library])
    try #require(grep.status <= 1, "\(grep.error)")
    found += grep.output.split(separator: "\n").map { "bytes \($0)" }
    for (path, digest) in try scene.digests("Library/Originals") where !allowed.contains(digest) {
      // Also a file that is half of one and half of another.
      found.append("content \(path)")
    }
    for path in try scene.digests("Library").keys where path.contains(Self.canary) {
      found.append("name \(path)")
    }
    for path in try scene.thumbnails("grid") {
      let colour = try Independent.colour(path, x: 50, y: 50)
      if colour[0] > 128 { found.append("pixels \(path)") }
    }
    return found
  }
}

/// Exchanges pairs of names, each atomically, as long as it is started.
private final class Attacker: Sendable {
  private struct State {
    var isRunning = false
    var swaps = 0
    var problem: Int32 = 0
  }
  private let pairs: [(String, String)]
  private let state = Mutex(State())
  private let idle = DispatchSemaphore(value: 0)

  init(pairs: [(String, String)]) { self.pairs = pairs }

  var swaps: Int { state.withLock { $0.swaps } }
  /// The errno of a swap that failed, so that nothing was tested; 0 for none.
  var problem: Int32 { state.withLock { $0.problem } }

  func start() {
    state.withLock { $0.isRunning = true }
    Thread.detachNewThread { [self] in
      var isOn = true
      while isOn {
        let pair = pairs[Int.random(in: pairs.indices)]
        let result = exchange(pair.0, pair.1)
        let number = result == 0 ? 0 : errno
        isOn = state.withLock { state in
          state.swaps += 1
          if number != 0 { state.problem = number }
          return state.isRunning && number == 0
        }
        usleep(UInt32.random(in: 0..<3_000))
      }
      idle.signal()
    }
  }

  /// Exchanges two names in one step; -1 and errno when that cannot be.
  ///
  /// Source: renameat2(2), RENAME_EXCHANGE, which Swift's Glibc module does not have.
  private func exchange(_ path: String, _ other: String) -> Int32 {
    typealias Function =
      @convention(c) (
        Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
      ) -> Int32
    guard let symbol = dlsym(nil, "renameat2") else { return -1 }
    return unsafeBitCast(symbol, to: Function.self)(AT_FDCWD, path, AT_FDCWD, other, 2)
  }

  /// Waits for the swap in flight.
  func stop() {
    state.withLock { $0.isRunning = false }
    idle.wait()
  }
}
