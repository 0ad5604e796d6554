import Foundation
import Glibc
import MediaTestSupport
import Testing

/// Ends a run at random moments: what it had begun must be finished by the next one.
@Suite(
  "Interrupted runs",
  .serialized,
  .enabled(if: Has.sqlite, "no sqlite3")
)
struct InterruptionTests {
  /// An undisturbed run's library, exit code and time.
  private func undisturbed(
    _ scene: Scene
  ) throws -> (state: LibraryState, code: Int32, seconds: Double) {
    let library = try scene.choose(library: "Undisturbed")
    let began = Date.now
    let code = try scene.start().wait().code
    let seconds = Date.now.timeIntervalSince(began)
    try LibraryState.expectWhole(library)
    return (try LibraryState(library), code, seconds)
  }

  @Test("A coordinator that is killed at any moment leaves what the next run makes whole")
  func coordinatorIsKilled() throws {
    let scene = try Scene.mixed()
    let wanted = try undisturbed(scene)
    try #require(wanted.code == 3)
    try #require(wanted.state.assets.count == 46)
    try #require(wanted.state.items.count == 64)
    let trials = Amount.of(12, all: 50)
    var killed = 0
    for trial in 0..<trials {
      let library = try scene.choose(library: "Killed-\(trial)")
      // Every third time the resuming run is killed too, and the one after it.
      for _ in 0..<(trial % 3 == 2 ? 3 : 1) {
        let part = (Double(trial) + .random(in: 0..<1)) / Double(trials)
        let run = try scene.start()
        usleep(UInt32(part * wanted.seconds * 1_000_000))
        run.send(SIGKILL)
        try run.wait()
        if run.wasKilled { killed += 1 }
      }
      let last = try scene.start().wait()
      #expect(last.code == wanted.code, "trial \(trial): \(last.said)")
      try LibraryState.expectWhole(library)
      #expect(try LibraryState(library) == wanted.state, "trial \(trial)")
      try FileManager.default.removeItem(atPath: library)
    }
    #expect(killed > trials / 3, "so few runs were killed before their end: \(killed)")
  }

  /// A scene of several batches, so that there is always something left to interrupt.
  private func many() throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    for number in 1...300 {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("\(number)"))
    }
    return scene
  }

  @Test(
    "One signal finishes what is in hand, and the next run does the rest",
    arguments: zip([SIGINT, SIGTERM, SIGHUP], [130, 143, 143] as [Int32])
  )
  func oneSignal(signal: Int32, code: Int32) throws {
    let scene = try many()
    let library = try scene.choose(library: "Library")
    let run = try scene.start()
    #expect(run.waits { Self.hasBatch(library) })
    run.send(signal)
    let stopped = try run.wait()
    #expect(!run.wasKilled)
    try stopped.expect(code)
    #expect(try stopped.json()["exitCode"].int == Int(code))
    let imported = try stopped.count("imported")
    #expect((1..<300).contains(imported))
    try LibraryState.expectWhole(library)

    let rest = try scene.start().wait()
    try rest.expect(0)
    try rest.expectCounts(["imported": 300 - imported, "unchanged": imported])
    try LibraryState.expectWhole(library)
  }

  @Test("A second signal stops at once, and nothing is lost")
  func secondSignal() throws {
    let scene = try many()
    let library = try scene.choose(library: "Library")
    let run = try scene.start()
    #expect(run.waits { Self.hasBatch(library) })
    run.send(SIGINT)
    run.send(SIGTERM)
    let stopped = try run.wait()
    try stopped.expect(130)
    #expect(try stopped.count("imported") < 300)
    let rest = try scene.start().wait()
    try rest.expect(0)
    #expect(try LibraryState(library).assets.count == 300)
    try LibraryState.expectWhole(library)
  }

  /// Whether a batch is being worked on.
  private static func hasBatch(_ library: String) -> Bool {
    let names = try? FileManager.default.contentsOfDirectory(atPath: library + "/.staging")
    return names?.contains { !$0.hasPrefix("try-") } ?? false
  }
}
