import Foundation
import Glibc
import MediaTestSupport
import Testing

/// One writer at a time, and what a run does when nobody reads what it says.
@Suite("Held libraries and closed outputs", .serialized, .enabled(if: Has.sqlite, "no sqlite3"))
struct HeldLibraryTests {
  private func scene() throws -> Scene {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    for number in 1...150 {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("\(number)"))
    }
    try scene.writeManifest()
    return scene
  }

  /// A run that holds the library and stands still.
  private func holder(_ scene: Scene) throws -> RunningProgram {
    let run = try scene.start()
    let log = scene.library + "/Audit"
    let isRunning = run.waits {
      (try? FileManager.default.contentsOfDirectory(atPath: log))?.isEmpty == false
    }
    run.send(SIGSTOP)
    try #require(isRunning && !run.hasEnded())
    return run
  }

  @Test("While another run holds the library, a run ends with 73 and says who holds it")
  func held() throws {
    let scene = try scene()
    let first = try holder(scene)
    let second = try scene.start().wait(seconds: 30)
    try second.expect(73)
    #expect(second.said.contains("process \(first.pid)"), "\(second.said)")
    // Looking is allowed meanwhile.
    try #expect([0, 65].contains(scene.command("audit", "verify", scene.library).code))
    first.send(SIGCONT)
    try first.wait().expect(0)
    try LibraryState.expectWhole(scene.library)
  }

  @Test("With --wait a run begins when the other is done")
  func waits() throws {
    let scene = try scene()
    let first = try holder(scene)
    let second = try scene.start("--wait")
    usleep(700_000)
    #expect(!second.hasEnded())
    first.send(SIGCONT)
    try first.wait().expect(0)
    let outcome = try second.wait()
    try outcome.expect(0)
    try outcome.expectCounts(["unchanged": 150])
    try LibraryState.expectWhole(scene.library)
  }

  @Test("A run that waits can be interrupted", arguments: [SIGINT, SIGTERM])
  func waitIsInterrupted(signal: Int32) throws {
    let scene = try scene()
    let first = try holder(scene)
    let second = try scene.start("--wait")
    usleep(400_000)
    second.send(signal)
    try second.wait(seconds: 20).expect(128 + signal)
    first.send(SIGCONT)
    try first.wait().expect(0)
  }

  @Test("A holder that is dead blocks nobody")
  func deadHolder() throws {
    let scene = try scene()
    let first = try holder(scene)
    first.send(SIGKILL)
    try first.wait()
    let second = try scene.start().wait(seconds: 60)
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
    let scene = try scene()
    let run = try scene.start(output: unread.output)
    #expect(try run.wait().code == 0)
    #expect(!run.wasKilled)
    #expect(try LibraryState(scene.library).assets.count == 150)
    try LibraryState.expectWhole(scene.library)
  }
}
