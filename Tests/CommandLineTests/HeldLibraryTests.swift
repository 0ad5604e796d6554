import Foundation
import Glibc
import MediaTestSupport
import Testing

/// One writer at a time, and what a run does when nobody reads what it says.
@Suite(
  "Held libraries and closed outputs",
  .ownProcesses,
  .serialized,
  .enabled(if: Has.sqlite && Has.strace, "no sqlite3 or strace")
)
struct HeldLibraryTests {
  private func scene(_ count: Int = 150) throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    for number in 1...count {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("\(number)"))
    }
    try scene.writeManifest()
    return scene
  }

  /// A run that holds the library and stands still as it opens its first photo.
  private func holder(_ scene: Scene) throws -> HeldProgram {
    let run = try HeldProgram(
      ["run", "manifest.json", "--format", "json"],
      in: scene.path,
      calls: "openat2",
      paths: ["1.jpg"]
    )
    _ = try #require(try run.next())
    return run
  }

  /// A run that has found the library held, and waits for it.
  private func waiter(_ scene: Scene) throws -> HeldProgram {
    let run = try HeldProgram(
      ["run", "manifest.json", "--format", "json", "--wait"],
      in: scene.path,
      calls: "fcntl",
      paths: [scene.library + "/.lock"]
    )
    // The second try shows that it goes on to try.
    for _ in 0..<2 { _ = try #require(try run.next { $0.line.contains("F_OFD_SETLK") }) }
    return run
  }

  @Test("While another run holds the library, a run ends with 73 and says who holds it")
  func held() throws {
    let scene = try scene()
    let first = try holder(scene)
    let second = try scene.start().wait()
    try second.expect(73)
    #expect(second.streams.contains("process \(first.pid)"), "\(second.streams)")
    // Looking is allowed meanwhile.
    try #expect([0, 65].contains(scene.command("audit", "verify", scene.library).code))
    try first.wait().expect(0)
    try LibraryState.expectWhole(scene.library)
  }

  @Test("With --wait a run begins when the other is done")
  func waits() throws {
    let scene = try scene()
    let first = try holder(scene)
    let second = try waiter(scene)
    try first.wait().expect(0)
    let outcome = try second.wait()
    try outcome.expect(0)
    try outcome.expectCounts(["unchanged": 150])
    try LibraryState.expectWhole(scene.library)
  }

  @Test("A run that waits can be interrupted", arguments: [SIGINT, SIGTERM])
  func waitIsInterrupted(signal: Int32) throws {
    let scene = try scene(Amount.of(10, all: 150))
    let first = try holder(scene)
    let second = try waiter(scene)
    second.kill(signal)
    let outcome = try second.wait()
    try outcome.expect(128 + signal)
    #expect(outcome.streams.contains("Stopped on request."), "\(outcome.streams)")
    try first.wait().expect(0)
  }

  @Test("A holder that is dead blocks nobody")
  func deadHolder() throws {
    let scene = try scene()
    let first = try holder(scene)
    first.kill(SIGKILL)
    _ = try first.wait()
    let second = try scene.start().wait()
    try second.expect(0)
    #expect(try LibraryState(scene.library).assets.count == 150)
    try LibraryState.expectWhole(scene.library)
  }

  @Test("Of many runs at once each does its part or finds the library held")
  func manyAtOnce() throws {
    let scene = try scene()
    let runs = try (0..<4).map { _ in try scene.start() }
    let codes = try runs.map { try $0.wait().code }
    #expect(codes.contains(0) && Set(codes).isSubset(of: [0, 73]), "\(codes)")
    #expect(try LibraryState(scene.library).assets.count == 150)
    try LibraryState.expectWhole(scene.library)
  }

  /// Where a run's summary goes when nobody reads it.
  enum Unread: String, CaseIterable {
    case closed, broken
    var output: RunningProgram.Output { self == .closed ? .closed : .broken }
  }

  @Test("A closed standard output does not stop an import", arguments: Unread.allCases)
  func closedOutput(unread: Unread) throws {
    let count = Amount.of(10, all: 150)
    let scene = try scene(count)
    let run = try scene.start(output: unread.output)
    #expect(try run.wait().code == 0)
    #expect(!run.wasKilled)
    #expect(try LibraryState(scene.library).assets.count == count)
    try LibraryState.expectWhole(scene.library)
  }

  @Test(
    "An export that cannot read beside a run that has begun says who holds the library, with 73",
    .enabled(if: Has.strace, "no strace")
  )
  func exportBesideRun() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try scene.put("sources/camera/1.jpg", try Media.photo("1"))
    try scene.run().expect(0)
    // It has opened the catalogue as one that nobody writes, and can make no file in the library any more.
    let export = try HeldProgram(
      ["export", "Library", "out"],
      in: scene.path,
      calls: "landlock_restrict_self"
    )
    _ = try #require(try export.next())
    try scene.put("sources/camera/2.jpg", try Media.photo("2"))
    let run = try HeldProgram(["run", "manifest.json"], in: scene.path, calls: "fdatasync")
    let log = scene.library + "/library.sqlite-wal"
    _ = try #require(try run.next { _ in (try? readBytes(log))?.isEmpty == false })
    // As while SQLite makes the index of its log anew.
    try FileManager.default.removeItem(atPath: scene.library + "/library.sqlite-shm")
    let outcome = try export.wait()
    #expect(outcome.code == 73, "\(outcome.streams)")
    #expect(outcome.error.contains("A run writes the library: "), "\(outcome.error)")
    run.kill(SIGKILL)
    _ = try run.wait()
    try scene.run().expect(0)
    try scene.command("export", "Library", "out").expect(0)
    try scene.expectVerified()
  }
}
