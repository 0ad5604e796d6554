import Foundation
import Glibc
import MediaTestSupport
import Testing

/// Ends and stops workers: one item is done once more, nothing else suffers.
@Suite(
  "Workers that fail",
  .ownProcesses,
  .serialized,
  .enabled(if: Has.sqlite && Has.strace, "no sqlite3 or strace")
)
struct WorkerFailureTests {
  @Test("A worker that is killed at any moment costs nothing but time")
  func workerIsKilled() throws {
    let scene = try Scene.mixed()
    let undisturbed = try scene.choose(library: "Undisturbed")
    let wanted = try scene.start().wait()
    let state = try LibraryState(undisturbed)
    let trials = Amount.of(3, all: 50)
    for trial in 0..<trials {
      let library = try scene.choose(library: "Killed-\(trial)")
      // Behind one of the messages that send an item to a worker, there is one to kill.
      let held = try HeldProgram(
        ["run", "manifest.json", "--format", "json"],
        in: scene.path,
        calls: "sendmsg"
      )
      // The first message is to the process that sets times.
      _ = try held.next()
      for _ in 0...(trial * Self.messages / trials) { _ = try #require(try held.next()) }
      let workers = held.workers.sorted()
      try #require(!workers.isEmpty)
      #expect(kill(workers[trial % workers.count], SIGKILL) == 0)
      let outcome = try held.wait()
      #expect(outcome.code == wanted.code, "trial \(trial): \(outcome.streams)")
      #expect(try outcome.failures() == wanted.failures(), "trial \(trial)")
      try LibraryState.expectWhole(library)
      #expect(try LibraryState(library) == state, "trial \(trial)")
      try FileManager.default.removeItem(atPath: library)
    }
  }

  /// The items of ``Scene/mixed()`` that a worker is asked about, at least.
  private static let messages = 50

  @Test("Workers that are killed again and again do not keep a run from its end")
  func workersAreKilledAlways() throws {
    let scene = try Scene.mixed()
    let library = try scene.choose(library: "Library")
    let run = try scene.start()
    let limit = Date.now.addingTimeInterval(60)
    var killed = 0
    while !run.hasEnded(), Date.now < limit {
      for worker in run.workers where kill(worker, SIGKILL) == 0 { killed += 1 }
      // Waits for nothing: a worker has this long to begin before it is killed.
      usleep(10_000)
    }
    let outcome = try run.wait()
    #expect(killed > 0)
    #expect(outcome.code == 3 || outcome.code == 69, "\(outcome.streams)")
    for failure in try outcome.json()["failures"].array {
      #expect(failure["message"].string?.isEmpty == false)
    }
    let again = try scene.start().wait()
    try again.expect(3)
    try LibraryState.expectWhole(library)
    let undisturbed = try scene.choose(library: "Undisturbed")
    try scene.start().wait()
    // Whatever died: nothing is lost, nothing is there twice, and as many items ended in each way.
    let (disturbed, whole) = (try contents(library), try contents(undisturbed))
    #expect(disturbed == whole)
    // Who of two equal files is the first, and whether a live photo's halves came in one run, is only
    // the same where no item had to wait for the second run: see docs/design.md.
    let hasWaited = try outcome.json()["failures"].array.contains {
      $0["reason"].string == "workerCrashed"
    }
    if !hasWaited { #expect(try LibraryState(library) == LibraryState(undisturbed)) }
  }

  /// The digests of a library's originals, and how many items ended in each way, as sqlite3 sees it.
  private func contents(_ library: String) throws -> String {
    let result = try Tool.run(
      "sqlite3",
      [
        "-readonly", library + "/library.sqlite",
        "SELECT sha256 FROM resources ORDER BY 1; "
          + "SELECT outcome, reason, count(*) FROM items GROUP BY 1, 2 ORDER BY 1, 2",
      ]
    )
    try #require(result.status == 0 && !result.output.isEmpty, "\(result.error)")
    return result.output
  }

  @Test(
    "A worker that does nothing is ended at its deadline, and its item done once more",
    .enabled(if: Amount.isAll, "takes ten seconds: set MEDIABATCH_TEST_ALL")
  )
  func workerIsStopped() throws {
    let scene = try Scene.mixed()
    let library = try scene.choose(library: "Library")
    let run = try scene.start()
    #expect(run.waits { !run.workers.isEmpty })
    let worker = try #require(run.workers.first)
    // Stopped before it is another program, it would hold up who started it: vfork(2).
    let hasBegun = run.waits {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(worker)/exe"))?
        .hasSuffix("mediabatch-worker") ?? false
    }
    #expect(hasBegun)
    kill(worker, SIGSTOP)
    let outcome = try run.wait()
    try outcome.expect(3)
    let failures = try outcome.failures()
    #expect(!failures.contains { $0.contains("worker") || $0.contains("timed") })
    try LibraryState.expectWhole(library)
  }
}
