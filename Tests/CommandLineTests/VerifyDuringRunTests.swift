import Foundation
import MediaFileSystem
import MediaLibrary
import MediaModel
import MediaTestSupport
import MediaVerification
import Testing

/// Looks at a library at every moment of a run: verifying never takes for damage what a run is doing,
/// or has left to the next one.
@Suite(
  "Verifying while a run goes on",
  .serialized,
  .enabled(if: Has.sqlite && Has.strace, "no sqlite3 or strace")
)
struct VerifyDuringRunTests {
  /// The result of verifying a folder.
  private enum Verdict: Hashable {
    case good
    /// Exit code 73: in use, or not yet made.
    case inUse
    case noLibrary
    case wrong(String)
  }

  private static func verdict(_ library: String) -> Verdict {
    do {
      let verification = try LibraryVerification(library: Array(library.utf8))
      if verification.isGood { return .good }
      let findings = try verification.files.findings.all().filter(\.isDifference)
      return .wrong("\(findings) \(try verification.problems.all()) \(verification.audit)")
    } catch let error as LibraryError where error.exitCode == .libraryHeld {
      return .inUse
    } catch let error as LibraryError where error.code == .notALibrary {
      return .noLibrary
    } catch {
      return .wrong("\(error)")
    }
  }

  /// Expects that all commands that judge the library find nothing wrong.
  private static func expectGood(_ library: String, _ moment: String) throws {
    for command in [["verify"], ["audit", "verify"], ["report", "--format", "json"]] {
      let outcome = try Scene.program(command + [library], in: library)
      // Before the first run has recorded anything, a report is about nothing.
      let codes: Set<Int32> = command[0] == "report" ? [0, 5, 73] : [0, 73]
      #expect(codes.contains(outcome.code), "\(command), \(moment): \(outcome.streams)")
      #expect(!outcome.streams.contains("from a copy"), "\(command), \(moment): \(outcome.streams)")
    }
  }

  /// Whether a folder has nothing by which a library that is being made can be told from others.
  private static func isBare(_ library: String) -> Bool {
    !FileSystem.exists(Array((library + "/.lock").utf8))
  }

  @Test(
    "Between any two steps of a run, and after a kill there, nothing is wrong",
    arguments: [false, true]
  )
  func everyStep(isFirstRun: Bool) throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    scene.setThumbnails([("grid", 16, 16, "aspectFill")])
    try scene.put("sources/camera/1.jpg", try Media.photo("1"))
    if !isFirstRun {
      try scene.run().expect(0)
      // The thumbnail of the first run is superseded, and a photo is new.
      scene.setThumbnails([("grid", 24, 24, "aspectFill")])
      try scene.run().expect(0)
      try scene.put("sources/camera/2.jpg", try Media.photo("2"))
    }
    try scene.writeManifest()
    let calls =
      "mkdirat,renameat2,unlinkat,fdatasync,syncfs,ftruncate" + (Amount.isAll ? ",pwrite64" : "")
    let held = try HeldProgram(["run", "manifest.json", "--format", "json"], in: scene.path, calls: calls)
    // The short form looks at every third step.
    var random = SeededGenerator()
    let stride = Amount.of(3, all: 1)
    let first = Int(random.next() % UInt64(stride))
    var stops = 0
    var seen: Set<Verdict> = []
    let copy = scene.at("Copy")
    while let call = try held.next() {
      stops += 1
      guard stops % stride == first else { continue }
      let moment = "stop \(stops), behind \(call.line)"
      // Behind these calls it holds the lock on the index of the write-ahead log, for microseconds when
      // nobody holds it there; SQLite's readers would wait for ten seconds.
      let isWaitedFor = call.path.hasSuffix("-shm")
      if !isWaitedFor {
        let verdict = Self.verdict(scene.library)
        seen.insert(verdict)
        switch verdict {
        case .good, .inUse: break
        case .noLibrary: #expect(Self.isBare(scene.library), "\(moment)")
        case .wrong(let text): Issue.record("\(moment): \(text)")
        }
      }
      guard FileSystem.exists(Array(scene.library.utf8)) else { continue }
      if LibraryFolder.isHeld(try FileSystem.openFolder(Array(scene.library.utf8))) {
        // A second run finds it held, whatever is there yet.
        #expect(throws: LibraryError.self) {
          _ = try Library(path: Array(scene.library.utf8), waits: false, holder: "a test")
        }
      }
      // A copy of this moment is the library after a kill: nobody holds it.
      try Independent.make("cp", ["-a", scene.library, copy])
      switch Self.verdict(copy) {
      case .good, .inUse: break
      case .noLibrary: #expect(Self.isBare(copy), "\(moment), killed")
      case .wrong(let text): Issue.record("\(moment), killed: \(text)")
      }
      if stops % Amount.of(36, all: 16) == first, !Self.isBare(copy) {
        if !isWaitedFor { try Self.expectGood(scene.library, moment) }
        try Self.expectGood(copy, moment + ", killed")
      }
      try FileManager.default.removeItem(atPath: copy)
    }
    #expect(stops > 40)
    #expect(seen.contains(.good))
    if isFirstRun { #expect(seen.contains(.inUse), "\(seen)") }
    try held.wait().expect(0)
    try LibraryState.expectWhole(scene.library)
  }

  @Test("What a killed run left is unfinished, and the next run finishes it")
  func namesUnfinished() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    try scene.put("sources/camera/1.jpg", try Media.photo("1"))
    try scene.writeManifest()
    let held = try HeldProgram(["run", "manifest.json"], in: scene.path, calls: "renameat2")
    _ = try #require(try held.next { $0.line.contains("/Originals/") })
    let during = try scene.command("verify", scene.library)
    #expect(during.code == 0)
    #expect(during.output.contains("unfinished: Originals/"), "\(during.streams)")
    #expect(during.output.contains("a run is working on it"), "\(during.streams)")
    held.kill(SIGKILL)
    _ = try held.wait()
    let after = try scene.command("verify", scene.library)
    #expect(after.code == 0)
    #expect(after.output.contains("the next one finishes it"), "\(after.streams)")
    try scene.run().expect(0)
    try LibraryState.expectWhole(scene.library)
    #expect(try !scene.command("verify", scene.library).output.contains("unfinished"))
  }

  /// The imported items by the log of a report, and the assets by its catalogue; each is said several times.
  private static func counts(_ report: JSON) throws -> (recorded: Int, published: Int) {
    let recorded = try #require(report["counts"]["imported"].int)
    let items = report["items"].array.filter { $0["outcome"].string == "imported" }
    #expect(items.count == recorded)
    let ofRuns = report["runs"].array.compactMap { $0["counts"]["imported"].int }
    #expect(ofRuns.reduce(0, +) == recorded)
    let published = try #require(report["holdings"]["assets"].int)
    #expect(report["holdings"]["originals"].int == published)
    #expect(report["holdings"]["thumbnails"].int == published)
    return (recorded, published)
  }

  @Test("A report is of one moment, whichever two of its reads a run publishes between")
  func reportOfOneMoment() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    scene.setThumbnails([("grid", 16, 16, "aspectFill")])
    try scene.put("sources/camera/1.jpg", try Media.photo("1"))
    try scene.run().expect(0)
    try scene.put("sources/camera/2.jpg", try Media.photo("2"))
    let before = scene.at("Before")
    try FileManager.default.moveItem(atPath: scene.library, toPath: before)
    // The short form stops the report at every sixteenth read.
    var random = SeededGenerator()
    let stride = Amount.of(16, all: 1)
    var readsBeforeStop = 1 + Int(random.next() % UInt64(stride))
    var hasStopped = true
    var recorded: Set<Int> = []
    while hasStopped {
      try Independent.make("cp", ["-a", before, scene.library])
      let run = try HeldProgram(["run", "manifest.json"], in: scene.path, calls: "renameat2,fdatasync")
      // The second photo has its name, and neither a row nor an outcome record.
      _ = try #require(try run.next { $0.line.contains("/Originals/") })
      let report = try HeldProgram(
        ["report", "Library", "--format", "json"],
        in: scene.path,
        calls: "pread64"
      )
      var line = "its end"
      for _ in 0..<readsBeforeStop where hasStopped {
        // The other reads are those of the libraries that it loads.
        let call = try report.next { $0.line.contains(scene.library + "/") }
        hasStopped = call != nil
        line = call?.line ?? line
      }
      // All rows and records are there; at its end the run would wait for the transaction of the report.
      _ = try #require(try run.next { $0.path.hasSuffix(".head") })
      let outcome = try report.wait()
      #expect(outcome.code == 0, "read \(readsBeforeStop), \(line): \(outcome.streams)")
      let counts = try Self.counts(try outcome.json())
      // The log is read behind the catalogue, so that it may have more, and never less.
      #expect(counts.published <= counts.recorded && counts.recorded <= 2, "\(line)")
      recorded.insert(counts.recorded)
      try run.wait().expect(0)
      try FileManager.default.removeItem(atPath: scene.library)
      readsBeforeStop += stride
    }
    // The last reads were of the moment before the second photo.
    #expect(recorded.contains(1))
    if Amount.isAll { #expect(recorded == [1, 2]) }
  }

  @Test("Run after run beside run after run, no look at the library is a false alarm")
  func stress() throws {
    let scene = Scene(policy: "keep")
    try scene.declare("camera")
    scene.setThumbnails([("grid", 16, 16, "aspectFill")])
    try scene.writeManifest()
    var looks: [String: Int] = [:]
    var run = 0
    while looks["good"] ?? 0 < Amount.of(30, all: 1_500) {
      run += 1
      for number in 1...20 {
        try scene.put("sources/camera/\(run)-\(number).jpg", try Media.photo("\(run) \(number)"))
      }
      // Every fourth library is made anew.
      let isMade = run % 4 == 1
      if run > 1, isMade { try FileManager.default.removeItem(atPath: scene.library) }
      let program = try scene.start()
      while !program.hasEnded() {
        let wasBare = Self.isBare(scene.library)
        let verdict = Self.verdict(scene.library)
        switch verdict {
        case .good: looks["good", default: 0] += 1
        case .inUse:
          looks["inUse", default: 0] += 1
          #expect(isMade, "only a library that is being made cannot be verified")
        case .noLibrary: #expect(wasBare)
        case .wrong(let text): Issue.record("\(text)")
        }
      }
      try program.wait().expect(0)
    }
    print("looks beside \(run) running imports: \(looks)")
    try LibraryState.expectWhole(scene.library)
  }
}
