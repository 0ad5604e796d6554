import Foundation
import Glibc
import MediaModel
import MediaTestSupport
import Testing

/// Disturbs runs in more than one way, or in ways that must not be seen: the library is the same.
@Suite(
  "Faults in a row",
  .serialized,
  .enabled(if: Has.sqlite && Has.strace, "no sqlite3 or strace")
)
struct CompoundFaultTests {
  private static let run = ["run", "manifest.json", "--format", "json"]

  /// A scene of distinct photos, so that what failed at first ends like what did not.
  private static func scene() throws -> Scene {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    scene.setThumbnails([("grid", 16, 16, "aspectFill")])
    for number in 1...24 {
      try scene.put("sources/camera/\(number).jpg", try Media.photo("\(number)"))
    }
    try scene.writeManifest()
    return scene
  }

  private static let undisturbed = Result {
    let scene = try CompoundFaultTests.scene()
    try scene.start().wait().expect(0)
    return try LibraryState(scene.library)
  }

  /// A way to disturb a command, as arguments of strace.
  private static func fault(_ random: inout SeededGenerator) -> [String] {
    let call = random.pick(["renameat2", "fdatasync", "pwrite64", "mkdirat", "unlinkat", "syncfs"])
    let error = random.pick(["signal=SIGKILL", "error=EIO", "error=ENOSPC", "signal=SIGTERM"])
    let last = ["pwrite64": 80, "renameat2": 30, "mkdirat": 20][call] ?? 8
    let number = 1 + Int(random.next() % UInt64(last))
    return ["-e", "trace=" + call, "-e", "inject=\(call):\(error):when=\(number)"]
  }

  private static func disturbed(_ fault: [String], _ command: [String], _ scene: Scene) throws {
    let strace = ["strace", "-f", "-qq", "--seccomp-bpf", "-e", "signal=none", "-o", "/dev/null"]
    let program = try RunningProgram(
      "/usr/bin/env",
      strace + fault + [try Scene.executable()] + command,
      in: scene.path
    )
    try program.wait()
  }

  @Test("Faults in a run, in the one that resumes it and in a repair end in the same library")
  func inARow() throws {
    var random = SeededGenerator()
    for _ in 0..<Amount.of(1, all: 100) {
      let scene = try Self.scene()
      let faults = (0..<3).map { _ in Self.fault(&random) }
      for fault in faults.prefix(2) { try Self.disturbed(fault, Self.run, scene) }
      try scene.start().wait().expect(0)
      // An original is lost, and a thumbnail damaged.
      let original = try #require(try scene.catalogue("SELECT path FROM resources LIMIT 1").first)
      let thumbnail = try #require(try scene.catalogue("SELECT path FROM thumbnails LIMIT 1").first)
      try FileManager.default.removeItem(atPath: scene.library + "/" + original)
      try scene.put("Library/" + thumbnail, "no picture")
      let repair = ["repair", scene.library, "--from", scene.manifestPath]
      try Self.disturbed(faults[2], repair, scene)
      _ = try scene.command(repair)
      let last = try scene.command(repair)
      #expect(last.code == 0, "\(faults): \(last.streams)")
      try scene.start().wait().expect(0)
      try LibraryState.expectWhole(scene.library)
      // An item whose original came back is unchanged.
      let assets = try LibraryState(scene.library).assets
      #expect(try assets == Self.undisturbed.get().assets, "\(faults)")
    }
  }

  @Test("The catalogue expects no record that a full disk has refused")
  func refusedRecord() throws {
    let scene = try Self.scene()
    try scene.start().wait().expect(0)
    // A run over what has not changed writes its last records after the catalogue was asked for the last time.
    for number in Amount.isAll ? 1...48 : 20...34 {
      let inject = "inject=pwrite64:error=ENOSPC:when=\(number)"
      try Self.disturbed(["-e", "trace=pwrite64", "-e", inject], Self.run, scene)
      let verified = try scene.command("audit", "verify", scene.library)
      #expect(verified.code == 0, "\(number): \(verified.streams)")
    }
    try scene.start().wait().expect(0)
    try scene.expectVerified()
  }

  @Test("Calls that are interrupted again and again change nothing")
  func isInterrupted() throws {
    let scene = try Self.scene()
    let calls = "write,pwrite64,pread64,sendmsg,recvmsg"
    let interrupted = ["-e", "trace=" + calls, "-e", "inject=\(calls):error=EINTR:when=3+3"]
    let strace = ["strace", "-qq", "--seccomp-bpf", "-f", "-e", "signal=none", "-o", "/dev/null"]
    let run = try RunningProgram(
      "/usr/bin/env",
      strace + interrupted + [try Scene.executable()] + Self.run,
      in: scene.path
    )
    try run.wait().expect(0)
    try LibraryState.expectWhole(scene.library)
    #expect(try LibraryState(scene.library) == Self.undisturbed.get())
  }

  @Test("Number of workers, time zone and language make no difference")
  func isDeterministic() throws {
    let scene = try Scene.mixed()
    var states: [LibraryState] = []
    var orders: [String] = []
    for (index, arguments) in [
      ["TZ=UTC", "LC_ALL=C"], ["TZ=Asia/Kolkata", "LC_ALL=tr_TR.UTF-8", "LANG=de_DE.UTF-8"],
    ].enumerated() {
      let library = try scene.choose(library: "Library-\(index)")
      let run = try RunningProgram(
        "/usr/bin/env",
        arguments + [try Scene.executable()] + Self.run + ["--workers", "\(index * 2 + 1)"],
        in: scene.path
      )
      try run.wait().expect(3)
      states.append(try LibraryState(library))
      orders.append(
        try Tool.run("sqlite3", [library + "/library.sqlite", "SELECT label FROM assets ORDER BY id"])
          .output
      )
    }
    #expect(states[0] == states[1])
    #expect(orders[0] == orders[1] && !orders[0].isEmpty)
  }

  @Test(
    "A run changes nothing in its sources, and needs no right to",
    .enabled(if: Namespace.isAvailable, "this user may not mount")
  )
  func leavesSources() throws {
    let scene = try Self.scene()
    let before = try scene.snapshot("sources")
    let result = try Namespace.run(
      """
      mount --bind sources sources && mount -o remount,bind,ro sources || exit 99
      if touch sources/camera/try 2> /dev/null; then exit 98; fi
      "$mediabatch" run manifest.json --format json
      """,
      in: scene.path
    )
    try result.expect(0)
    try scene.run("--reprocess").expect(0)
    #expect(try scene.snapshot("sources") == before)
    try LibraryState.expectWhole(scene.library)
  }
}
