import Foundation
import Glibc
import MediaTestSupport
import Testing

/// Ends a run at chosen moments: what it had begun must be finished by the next one.
@Suite(
  "Interrupted runs",
  .serialized,
  .enabled(if: Has.sqlite && Has.strace, "no sqlite3 or strace")
)
struct InterruptionTests {
  /// Takes seconds: it kills runs at several moments, and each is followed by a whole one.
  @Test("A coordinator that is killed at any moment leaves what the next run makes whole")
  func coordinatorIsKilled() throws {
    let scene = try Scene.mixed()
    let undisturbed = try scene.choose(library: "Undisturbed")
    try scene.start().wait().expect(3)
    let wanted = try LibraryState(undisturbed)
    try LibraryState.expectWhole(undisturbed)
    try #require(wanted.assets.count == 46)
    try #require(wanted.items.count == 64)
    _ = try scene.choose(library: "Measured")
    let run = ["run", "manifest.json", "--format", "json"]
    let moments = try RunMoment.spread(over: run, in: scene.path, count: Amount.of(3, all: 50))
    for (index, moment) in moments.enumerated() {
      let library = try scene.choose(library: "Killed-\(index)")
      let first = try moment.kill(run, in: scene.path)
      try first.wait()
      #expect(first.wasKilled, "\(moment)")
      // Every third time the resuming run is killed too, where it gets so far, and the one after it.
      if index % 3 == 2 {
        for _ in 0..<2 { try moment.kill(run, in: scene.path).wait() }
      }
      let last = try scene.start().wait()
      // A run that got to its end before has said what fails.
      #expect([0, 3].contains(last.code), "\(moment): \(last.streams)")
      try LibraryState.expectWhole(library)
      #expect(try LibraryState(library) == wanted, "\(moment)")
      try FileManager.default.removeItem(atPath: library)
    }
  }

  /// Enough photos for three batches, and one of the second.
  private static let count = Amount.of(200, all: 300)
  private static let middle = Amount.isAll ? "250.jpg" : "190.jpg"

  /// A scene of several batches, so that there is always something left to interrupt.
  private func many() throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    for number in 1...Self.count {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("\(number)"))
    }
    return scene
  }

  /// A run of ``many()`` that stands still as it opens a photo in the middle of all.
  private func heldInTheMiddle(_ scene: Scene) throws -> HeldProgram {
    let held = try HeldProgram(
      ["run", "manifest.json", "--format", "json"],
      in: scene.path,
      calls: "openat2",
      paths: [Self.middle]
    )
    _ = try #require(try held.next())
    return held
  }

  /// Takes seconds: each signal interrupts a run of three batches.
  @Test(
    "One signal finishes what is in hand, and the next run does the rest",
    arguments: Amount.some(2, of: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 143)] as [(Int32, Int32)])
  )
  func oneSignal(signal: Int32, code: Int32) throws {
    let scene = try many()
    let library = try scene.choose(library: "Library")
    let held = try heldInTheMiddle(scene)
    held.kill(signal)
    let stopped = try held.wait()
    try stopped.expect(code)
    #expect(try stopped.json()["exitCode"].int == Int(code))
    let imported = try stopped.count("imported")
    #expect((1..<Self.count).contains(imported))
    try LibraryState.expectWhole(library)

    let remaining = try scene.start().wait()
    try remaining.expect(0)
    try remaining.expectCounts(["imported": Self.count - imported, "unchanged": imported])
    try LibraryState.expectWhole(library)
  }

  @Test("A second signal stops at once, and nothing is lost")
  func secondSignal() throws {
    let scene = try many()
    let library = try scene.choose(library: "Library")
    let held = try heldInTheMiddle(scene)
    held.kill(SIGINT)
    held.kill(SIGTERM)
    let stopped = try held.wait()
    try stopped.expect(130)
    #expect(try stopped.count("imported") < Self.count)
    let remaining = try scene.start().wait()
    try remaining.expect(0)
    #expect(try LibraryState(library).assets.count == Self.count)
    try LibraryState.expectWhole(library)
  }
}
