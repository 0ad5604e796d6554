import Foundation
import MediaTestSupport
import Testing

/// That tests which perform commands in their own process show what the programs do.
@Suite("Commands in the process of a test")
struct InProcessTests {
  @Test("Neither program has what takes the place of processes and confinement")
  func isInNoProgram() throws {
    // In the memory's name that CInProcess gives to streams, which is in the tests' own file.
    let mark = Data("mediabatch-in-process".utf8)
    let tests = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe"))
    try #require(tests.range(of: mark) != nil)
    for name in ["mediabatch", "mediabatch-worker"] {
      let program = try Data(contentsOf: URL(fileURLWithPath: BuiltProgram.path(name)))
      #expect(program.range(of: mark) == nil, "\(name)")
    }
  }

  @Test("A command leaves the process as it was, and says what it says in a process of its own")
  func leavesNothing() throws {
    let scene = Scene(policy: "strip")
    try scene.declare("camera")
    try scene.putPhotos(1...2)
    try scene.writeManifest()
    let before = try Self.state()
    var outcomes: [Outcome] = []
    for isOff in [false, true] {
      outcomes.append(
        try InProcess.$isOff.withValue(isOff) {
          try scene.command("run", "manifest.json", "--dry-run")
        }
      )
      outcomes.append(
        try InProcess.$isOff.withValue(isOff) { try scene.command("list", "nowhere", "--count") }
      )
    }
    try scene.run().expect(0)
    #expect(try Self.state() == before)
    for (here, there) in zip(outcomes[..<2], outcomes[2...]) {
      #expect([here.output, here.error] == [there.output, there.error] && here.code == there.code)
    }
    #expect(outcomes[0].code == 0 && outcomes[1].code != 0)
  }

  @Test("What confines a process confines none here, and does so in a process of its own")
  func confinesNothing() throws {
    let scene = Scene()
    try scene.declare("camera")
    try scene.putPhotos(1...1)
    try scene.run().expect(0)
    let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    #expect(status.contains("\nSeccomp:\t0\n") && status.contains("\nNoNewPrivs:\t0\n"))
    let traced = try scene.tracedRun("landlock_restrict_self")
    #expect(!traced.lines.isEmpty)
  }

  /// Folder, variables, open files and threads' rights of this process.
  private static func state() throws -> [String] {
    let files = FileManager.default
    let descriptors = try files.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
      try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
    }
    let variables = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
    return [files.currentDirectoryPath] + variables.sorted()
      + descriptors.filter { !$0.hasSuffix("/fd") && !$0.hasPrefix("/proc") }.sorted()
  }
}
