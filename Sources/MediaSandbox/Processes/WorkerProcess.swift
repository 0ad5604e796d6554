private import CSandbox
private import Glibc

/// How a worker ended.
package enum WorkerExit: Sendable, Hashable {
  /// It ended by itself, with this code.
  case exited(Int32)
  /// The number of the signal, such as 9 (SIGKILL) or 24 (SIGXCPU).
  case signalled(Int32)
}

/// One worker as the coordinator sees it: a process identifier and our end of its socket.
///
/// Belongs to one thread, the main one. When the last reference goes, the worker is killed and the
/// socket closed.
package final class WorkerProcess {
  /// The descriptor that is the coordinator's socket in every worker.
  package static let socketInWorker: Int32 = 3

  /// Its process identifier.
  package let pid: Int32
  /// Does not block. Owned by this object.
  package let socket: Int32
  /// Set once the worker is reaped: from then on its identifier may be another process's.
  package private(set) var exit: WorkerExit?

  private init(pid: Int32, socket: Int32) {
    self.pid = pid
    self.socket = socket
  }

  deinit {
    kill()
    _ = try? reap(blocking: false)
    close(socket)
  }

  /// All that a worker knows of its surroundings.
  ///
  /// One thread for each library that would start its own; one malloc arena; no look for a
  /// backtrace program when it crashes. No PATH, no HOME, no LD_ variable.
  package static let environment = [
    "LC_ALL=C", "OMP_NUM_THREADS=1", "MAGICK_THREAD_LIMIT=1", "MALLOC_ARENA_MAX=1",
    "SWIFT_BACKTRACE=enable=no",
  ]

  /// Starts a worker in a session of its own, with its socket as descriptor 3 and nothing else open.
  ///
  /// Its descriptors 0, 1 and 2 are `nullDevice`, its environment is ``environment``, no signal is
  /// blocked or ignored. It inherits this process's confinement, which must allow
  /// ``startRules(executable:)``.
  ///
  /// Only the main thread may do this: the kernel kills a worker when the *thread* that started it
  /// ends (PR_SET_PDEATHSIG), and a pool's thread ends when there is nothing to do.
  ///
  /// - Parameters:
  ///   - executable: An absolute path; the search path is never used. See ``programBeside(_:)``.
  ///   - arguments: Without the program's own name, which is put first.
  ///   - nullDevice: `/dev/null`, opened before confinement for reading and writing.
  /// - Returns: The process; it has not said anything yet.
  /// - Throws: `.notMainThread`, `.spawnFailed` (EACCES: confinement does not allow it; EMFILE).
  ///
  /// Source: posix_spawn(3), POSIX_SPAWN_SETSID, posix_spawn_file_actions_addclosefrom_np.
  package static func spawn(
    executable: [UInt8],
    arguments: [String] = [],
    nullDevice: Int32
  ) throws(SandboxError) -> WorkerProcess {
    guard csandbox_is_main_thread() == 1 else { throw SandboxError(.notMainThread) }
    var ends: [Int32] = [-1, -1]
    let paired = csandbox_socket_pair(&ends)
    guard paired == 0 else {
      throw SandboxError(.spawnFailed, result: paired, subject: "socketpair")
    }
    defer { close(ends[1]) }
    var pid: pid_t = 0
    let theirs = ends[1]
    let name = executable.map { CChar(bitPattern: $0) } + [0]
    let result = withCStrings([name] + arguments.map(cString)) { arguments in
      withCStrings(environment.map(cString)) { environment in
        csandbox_spawn(name, arguments, environment, theirs, nullDevice, &pid)
      }
    }
    guard result == 0 else {
      close(ends[0])
      throw SandboxError(.spawnFailed, result: result, subject: executable.pathText)
    }
    return WorkerProcess(pid: pid, socket: ends[0])
  }

  /// Ends the worker at once, whatever it does; nothing happens when it has been reaped.
  ///
  /// Source: kill(2), SIGKILL.
  package func kill() {
    guard exit == nil else { return }
    _ = Glibc.kill(pid, SIGKILL)
  }

  /// How the worker ended, or nil while it runs; waits for this one process and no other.
  ///
  /// - Throws: `.noSuchWorker` when somebody else has waited for it.
  ///
  /// Source: waitpid(2).
  @discardableResult
  package func reap(blocking: Bool) throws(SandboxError) -> WorkerExit? {
    if let exit { return exit }
    var code: Int32 = 0
    var signal: Int32 = 0
    let result = csandbox_reap(pid, blocking ? 1 : 0, &code, &signal)
    guard result >= 0 else { throw SandboxError(.noSuchWorker, result: result) }
    guard result == 1 else { return nil }
    exit = signal == 0 ? .exited(code) : .signalled(signal)
    return exit
  }

  /// Gives the worker this many CPU seconds more than it has used so far, all its threads together.
  ///
  /// Beyond them it is ended by SIGXCPU; a worker that was taken over can ignore that, so the
  /// coordinator's deadline stays necessary.
  ///
  /// - Throws: `.noSuchWorker` when it has ended.
  ///
  /// Source: clock_getcpuclockid(3), prlimit(2), RLIMIT_CPU.
  package func raiseCPULimit(bySeconds seconds: UInt64) throws(SandboxError) {
    guard exit == nil else { throw SandboxError(.noSuchWorker, number: ESRCH) }
    let result = csandbox_raise_cpu_limit(pid, seconds)
    guard result == 0 else { throw SandboxError(.noSuchWorker, result: result) }
  }
}

/// A string's bytes up to a NUL, and one.
private func cString(_ text: String) -> [CChar] {
  text.utf8.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
}

/// The strings, each ended by NUL already, as an array ended by nil that is valid during the call.
private func withCStrings<Result>(
  _ strings: [[CChar]],
  _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let pointers: [UnsafeMutablePointer<CChar>?] = strings.map { string in
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: string.count)
    copy.initialize(from: string, count: string.count)
    return copy
  }
  defer { for pointer in pointers { pointer?.deallocate() } }
  return body(pointers + [nil])
}
