import Foundation
import MediaSandbox
import MediaTestSupport
import Testing

@Suite("Confinement by trying", .enabled(if: Probe.canEnforce, "no Landlock or seccomp here"))
struct ConfinementTests {
  @Test("A confined coordinator is refused every way to a refused file and to the network")
  func coordinatorIsConfined() throws {
    let stage = try Stage()
    let attempts = try Probe.attempts("coordinator", stage.folder)
    #expect(attempts.count >= 120)
    for attempt in attempts.values {
      #expect(attempt.refused, "\(attempt.name): \(attempt.detail)")
    }
    #expect(try readBytes(stage.stage.refusedFile) == Array("canary".utf8))
    #expect(try readBytes(stage.stage.publishedFile) == Array("canary".utf8))
  }

  @Test("A confined worker, started by a confined coordinator, is refused everything")
  func workerIsConfined() throws {
    let stage = try Stage()
    let lines = try Probe.run("coordinator-spawns", stage.folder).filter { !$0.isEmpty }
    #expect(lines.last == "end Optional(MediaSandbox.WorkerExit.exited(0))")
    let attempts = try #require(Attempt.attempts(fromLines: lines.dropLast().joined(separator: "\n")))
    #expect(attempts.count >= 130)
    for attempt in attempts { #expect(attempt.refused, "\(attempt.name): \(attempt.detail)") }
  }

  @Test("A worker's filter refuses on its own what its Landlock layer refuses too")
  func workerFilterAlone() throws {
    let stage = try Stage()
    let attempts = try Probe.attempts("coordinator-spawns", stage.folder)
    let names = [
      "write to a refused file", "make a file in a refused folder", "write in the staging folder",
      "open its job's file for writing", "open again a descriptor that only names it",
      "remove a published file", "become another program",
    ]
    // EPERM is the filter's answer, EACCES Landlock's; the filter is asked first.
    for name in names { #expect(attempts[name]?.detail == "EPERM", "\(name)") }
  }

  static let filesWithoutLandlock = [
    "open a refused file by its absolute path", "open it from a granted folder by way of ..",
    "open it through a symlink in a granted folder", "open it through /proc/self/root",
    "open again a descriptor that only names it",
    "open it beneath a descriptor that names its folder", "list a refused folder",
    "write to a refused file", "make a file in a refused folder", "start a program",
    "link a refused file into the staging folder", "move a refused file into the staging folder",
    "write to a granted source", "overwrite a published file", "move a published file away",
    "link a published file into the staging folder, where it could be written",
    "remove a published file",
  ]

  @Test("Without Landlock the same attempts work, so it is Landlock that refuses them")
  func withoutLandlock() throws {
    let stage = try Stage()
    let attempts = try Probe.attempts("coordinator", stage.folder, "landlock")
    for name in Self.filesWithoutLandlock { #expect(attempts[name]?.detail == "worked", "\(name)") }
    #expect(attempts["a TCP socket"]?.refused == true)
  }

  static let callsWithoutFilter = [
    "a TCP socket", "a UDP socket", "a UNIX socket", "a netlink socket",
    "a pair of datagram sockets", "a program in memory (memfd)", "change a refused file's mode",
    "change a refused file's times", "watch a refused folder (inotify)",
    "change a source's file's mode by its descriptor",
    "change a source's file's owner by its descriptor",
    "change a source's file's times by its descriptor",
    "add to a source's file's attributes by its descriptor", "change a published file's mode",
    "handling page faults (userfaultfd)", "type into a terminal (TIOCSTI)",
    "give a socket it has an abstract name", "make a socket behind a filter that allows it",
  ]

  @Test("Without the filter the same calls work, so it is the filter that refuses them")
  func withoutFilter() throws {
    let stage = try Stage()
    let attempts = try Probe.attempts("coordinator", stage.folder, "seccomp")
    for name in Self.callsWithoutFilter { #expect(attempts[name]?.detail == "worked", "\(name)") }
    #expect(attempts["open a refused file by its absolute path"]?.refused == true)
  }

  @Test(
    "Every single attempt works for a process without the layers, so none is refused for nothing",
    .enabled(if: getuid() == 0, "mounts and devices are root's, whatever the layers"),
    arguments: ["coordinator", "coordinator-spawns"]
  )
  func unconfined(verb: String) throws {
    let stage = try Stage()
    let attempts = try Probe.attempts(verb, stage.folder, "landlock", "seccomp", "worker")
    #expect(attempts.count >= 120)
    for (name, attempt) in attempts {
      // A kernel may be built without the x32 entry, keys or counters; the rest has to be there.
      if attempt.detail == "ENOSYS", Self.mayBeMissing.contains(name) { continue }
      #expect(attempt.detail == "worked", "\(name)")
    }
  }

  /// What some kernels are built without.
  static let mayBeMissing = [
    "an x32 system call", "a 32-bit system call", "read a key of the kernel's",
    "add a key to the kernel's", "ask for a key", "a performance counter",
    "memory that the kernel itself cannot see (memfd_secret)",
    "handling page faults (userfaultfd)", "watch who opens files (fanotify)",
    "a ring of system calls (io_uring)", "compare itself with the parent (kcmp)",
    "another personality", "switch swap off", "move the parent's pages",
  ]

  @Test("Each attempt of a coordinator is open without Landlock, or without the filter, or both")
  func everyAttemptIsOneLayers() throws {
    var refused: [String: Set<String>] = [:]
    for layer in ["landlock", "seccomp"] {
      let stage = try Stage()
      for (name, attempt) in try Probe.attempts("coordinator", stage.folder, layer)
      where attempt.refused {
        refused[layer, default: []].insert(name)
      }
    }
    let both = try #require(refused["landlock"]).intersection(refused["seccomp", default: []])
    // Landlock refuses all changes of the mount tree; the parent's memory and signals are both's.
    #expect(both.count < 25, "\(both.sorted())")
    #expect(refused["landlock", default: []].count > 45)
    #expect(refused["seccomp", default: []].count > 45)
  }

  @Test("A worker that forgot its own layers still has the coordinator's")
  func workerInheritsTheCoordinatorsLayers() throws {
    let stage = try Stage()
    let attempts = try Probe.attempts("coordinator-spawns", stage.folder, "worker")
    #expect(attempts["open a refused file by its absolute path"]?.detail == "EACCES")
    #expect(attempts["a TCP socket"]?.detail == "EPERM")
    #expect(attempts["start a process"]?.detail == "worked")
  }

  @Test(
    "strace sees no successful open of a refused path",
    .enabled(if: Tool.exists("strace"), "no strace"),
    arguments: [true, false]
  )
  func straceAgrees(isConfined: Bool) throws {
    let stage = try Stage()
    let log = stage.folder + "/strace.log"
    _ = try Probe.run(
      ["coordinator", stage.folder] + (isConfined ? [] : ["landlock"]),
      underStrace: ["-e", "trace=open,openat,openat2"],
      log: log
    )
    let text = String(decoding: try readBytes(log), as: UTF8.self)
    let opened = text.split(separator: "\n").filter { line in
      line.contains("/refused") && !line.contains("O_PATH") && !line.contains("= -1")
    }
    #expect(text.contains("/refused/secret.jpg"))
    #expect(opened.isEmpty == isConfined)
  }

  @Test("The 32-bit and x32 entries of the kernel are closed")
  func foreignEntries() throws {
    let lines = try Probe.run("foreign-abi")
    #if arch(x86_64)
      #expect(lines.last == "after EPERM EPERM")
      #expect(lines.first?.hasPrefix("before worked") == true)
    #else
      #expect(lines.last == "after ENOSYS ENOSYS")
    #endif
  }
}
