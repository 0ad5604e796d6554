private import CSandbox
private import Glibc

/// The end of a worker.
package enum WorkerExit: Sendable, Hashable {
  /// It ended by itself, with this code.
  case exited(Int32)
  /// The number of the signal, such as 9 (SIGKILL) or 24 (SIGXCPU).
  case signalled(Int32)
}

/// A worker process, with the coordinator's end of its socket.
///
/// The object belongs to the main thread. When its last reference is released, the worker is killed
/// and the socket closed.
package final class WorkerProcess {
  /// The name of the worker's program, in the same folder as this one.
  package static let programName = "mediabatch-worker"
  /// The descriptor that is the coordinator's socket in every worker.
  package static let socketInWorker: Int32 = 3

  /// This very program, even if its file was replaced since. Source: proc(5).
  package static let ownProgram = [UInt8]("/proc/self/exe".utf8)

  /// Its process identifier.
  package let pid: Int32
  /// The coordinator's end, which does not block; owned by this object.
  package let socket: Int32
  /// Set when the worker is reaped; its identifier may then belong to another process.
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

  /// The environment of every worker.
  ///
  /// It limits libraries that start threads to one, malloc to one arena, and disables Swift's
  /// search for a backtrace program after a crash. It has no PATH, no HOME and no LD_ variable.
  package static let environment = [
    "LC_ALL=C", "OMP_NUM_THREADS=1", "MAGICK_THREAD_LIMIT=1", "MALLOC_ARENA_MAX=1",
    "SWIFT_BACKTRACE=enable=no",
  ]

  /// Starts a worker in its own session, with its socket as descriptor 3 and no other open file.
  ///
  /// Its descriptors 0, 1 and 2 are `nullDevice`, its environment is ``environment``, no signal is
  /// blocked or ignored. It inherits this process's confinement, which must allow
  /// ``startRules(executable:)``.
  ///
  /// Only the main thread may call this: the kernel kills a worker when the *thread* that started
  /// it ends (PR_SET_PDEATHSIG), and a thread of a pool ends when it is idle.
  ///
  /// - Parameters:
  ///   - executable: An absolute path; the search path is never used. See ``programBeside(_:)``.
  ///   - arguments: The arguments without the program's own name, which is put first.
  ///   - nullDevice: `/dev/null`, opened before confinement for reading and writing.
  /// - Returns: The process, from which no message was received yet.
  /// - Throws: `.notMainThread`, `.spawnFailed` (EACCES: confinement does not allow it; EMFILE).
  ///
  /// Source: posix_spawn(3), POSIX_SPAWN_SETSID, posix_spawn_file_actions_addclosefrom_np.
  package static func spawn(
    executable: [UInt8],
    arguments: [String] = [],
    nullDevice: Int32
  ) throws(SandboxError) -> WorkerProcess {
    guard csandbox_is_main_thread() == 1 else { throw SandboxError(.notMainThread) }
    let ends = try DescriptorPassing.pair()
    defer { close(ends.blocking) }
    var pid: pid_t = 0
    let name = executable.map { CChar(bitPattern: $0) } + [0]
    let result = withCStrings([name] + arguments.map(cString)) { arguments in
      withCStrings(environment.map(cString)) { environment in
        csandbox_spawn(name, arguments, environment, ends.blocking, nullDevice, &pid)
      }
    }
    guard result == 0 else {
      close(ends.unblocking)
      throw SandboxError(.spawnFailed, result: result, subject: executable.pathText)
    }
    return WorkerProcess(pid: pid, socket: ends.unblocking)
  }

  /// Kills the worker; has no effect when it has been reaped.
  ///
  /// Source: kill(2), SIGKILL.
  package func kill() {
    guard exit == nil else { return }
    _ = Glibc.kill(pid, SIGKILL)
  }

  /// Returns how the worker ended, or nil while it runs. Waits for no other process.
  ///
  /// - Throws: `.noSuchWorker` when it was reaped elsewhere.
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

  /// The nanoseconds of processor time that all of the worker's threads have used; 0 once it has
  /// been reaped.
  ///
  /// Source: clock_getcpuclockid(3).
  package var processorTime: Int64 {
    exit == nil ? max(0, csandbox_cpu_nanoseconds(pid)) : 0
  }

  /// Raises the worker's CPU limit to this many seconds above the use of all its threads so far.
  ///
  /// Above the limit SIGXCPU ends it; a compromised worker can ignore that signal, so the
  /// coordinator's deadline is still necessary.
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

/// The bytes of a string up to a NUL, with a NUL at the end.
private func cString(_ text: String) -> [CChar] {
  text.utf8.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
}

/// Calls `body` with NUL-terminated strings as a nil-terminated array, valid during the call.
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
