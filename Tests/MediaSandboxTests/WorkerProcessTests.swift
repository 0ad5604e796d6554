import Foundation
import MediaSandbox
import MediaTestSupport
import Testing

@Suite("Worker processes", .enabled(if: Probe.canEnforce, "no Landlock or seccomp here"))
struct WorkerProcessTests {
  @Test("A worker inherits four descriptors, a fixed environment and no signal settings")
  func surroundings() throws {
    let lines = try Probe.run("host", "surroundings")
    #expect(lines.contains("session true"))
    #expect(lines.contains("descriptors 0 1 2 3"))
    #expect(lines.contains("environment " + WorkerProcess.environment.sorted().joined(separator: " ")))
    #expect(lines.contains("signals 0 blocked, default true"))
    #expect(lines.contains("end Optional(MediaSandbox.WorkerExit.exited(0))"))
    #expect(lines.contains("afterwards noSuchWorker"))
  }

  @Test(
    "A worker that spins is ended by its CPU limit, which the coordinator can raise",
    arguments: [nil, Amount.of(1, all: 2)] as [Int?]
  )
  func cpuLimit(seconds: Int?) throws {
    let lines = try Probe.run(["host", "spin"] + (seconds.map { ["\($0)"] } ?? []))
    // 24: SIGXCPU.
    #expect(lines.contains("end Optional(MediaSandbox.WorkerExit.signalled(24))"))
    let used = try #require(lines.first { $0.hasPrefix("seconds ") }?.split(separator: " ").last)
    // Raised by `seconds` beyond what it had used when the coordinator said so, rounded up. The
    // kernel counts the limit in ticks and what it reports more finely: they differ by some 10 %.
    let limit = Double(1 + (seconds ?? 0))
    #expect(((limit - 0.5)...(limit + 0.9)).contains(Double(used) ?? 0), "\(used) of \(limit) s")
  }

  @Test("Beyond its memory a worker gets none, and beyond 64 descriptors none either")
  func otherLimits() throws {
    let lines = try Probe.run("host", "limits")
    #expect(lines.contains("100 MiB true"))
    #expect(lines.contains("300 MiB false"))
    #expect(lines.contains("descriptors 64 EMFILE"))
  }

  @Test("A worker may start threads, which are confined like it")
  func threads() throws {
    let lines = try Probe.run("host", "threads")
    #expect(lines.contains("started 0"))
    #expect(lines.contains("thread EACCES"))
  }

  @Test("When the coordinator is killed its workers die, also one that never looks up")
  func parentDeath() throws {
    let stage = try Stage()
    let workers = try Probe.run("host-ends", stage.folder)
    #expect(workers.count == 2)
    for worker in workers {
      let pid = try #require(Int32(worker))
      #expect(waits { RunningProgram.hasEnded(pid) }, "\(worker)")
    }
  }

  @Test("A worker without a coordinator does not start")
  func alone() throws {
    #expect(try Probe.run("alone") == ["error parentGone "])
  }

  @Test("Only the main thread starts workers")
  func mainThreadOnly() async throws {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    let path = try Array(Probe.path().utf8)
    let code = await withCheckedContinuation {
      (continuation: CheckedContinuation<SandboxError.Code?, Never>) in
      Thread {
        do throws(SandboxError) {
          _ = try WorkerProcess.spawn(executable: path, nullDevice: null)
          continuation.resume(returning: nil)
        } catch {
          continuation.resume(returning: error.code)
        }
      }.start()
    }
    #expect(code == SandboxError.Code.notMainThread)
  }

  @Test("Rules to start a worker: execute for the program and its loader and nothing else")
  func startRules() throws {
    let path = try Array(Probe.path().utf8)
    let rules = try WorkerProcess.startRules(executable: path)
    let executable = rules.filter { $0.rights.contains(.execute) }
    #expect(executable.count == 2)
    #expect(executable.first?.path == path)
    let loader = try #require(executable.last.map { String(decoding: $0.path, as: UTF8.self) })
    // An independent reader of the same header.
    let header = try Tool.run("readelf", ["-l", Probe.path()]).output
    #expect(header.contains("interpreter: \(loader)]"))
    #expect(rules.allSatisfy { $0.rights.isSubset(of: [.readFile, .listFolder, .execute]) })
  }

  @Test("A file that is no program of this machine has no start rules")
  func notAProgram() throws {
    let folder = TemporaryFolder()
    let elf = try readBytes(Probe.path())
    // Cut anywhere, or with an absurd table: an error or rules without a loader, never a crash.
    for length in [0, 1, 4, 16, 63, 64, 100, 200] {
      let path = folder.path + "/cut\(length)"
      try Data(elf.prefix(length)).write(to: URL(fileURLWithPath: path))
      #expect(throws: SandboxError.self) {
        try WorkerProcess.startRules(executable: Array(path.utf8))
      }
    }
    #expect(throws: SandboxError.self) {
      try WorkerProcess.startRules(executable: Array((folder.path + "/missing").utf8))
    }
  }
}
