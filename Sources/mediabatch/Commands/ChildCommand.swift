internal import ArgumentParser
internal import Glibc
internal import MediaFileSystem
internal import MediaModel

/// This program once more, for the part of a command that confines itself for good.
enum ChildCommand {
  /// The arguments of this command with some more, behind the name of the command, which may have two words: what
  /// follows a `--` is no flag.
  static func arguments(with words: [[UInt8]], behind count: Int = 1) -> [[UInt8]] {
    var arguments = CommandArguments.current.typed
    arguments.insert(contentsOf: words, at: min(count, arguments.count))
    return arguments
  }

  /// The bytes of texts that are no paths, such as the names of options.
  static func words(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

  /// Runs this program with other arguments, and passes signals on to it.
  ///
  /// - Parameters:
  ///   - arguments: The arguments, without the name of the program.
  ///   - output: The descriptor that it has as standard output; nil for that of this process.
  /// - Returns: Its exit code, 128 and the number of a signal that ended it.
  /// - Throws: An error of the system when the program cannot be started.
  static func run(_ arguments: [[UInt8]], output: Int32? = nil) throws -> Int32 {
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&mask, signal) }
    var before = sigset_t()
    sigprocmask(SIG_BLOCK, &mask, &before)
    defer {
      // A signal that was meant for the child is not to end this process behind it.
      var none = timespec()
      while sigtimedwait(&mask, nil, &none) > 0 {}
      sigprocmask(SIG_SETMASK, &before, nil)
    }
    let child: pid_t
    do throws(FileSystemError) {
      child = try spawn(
        "/proc/self/exe",
        [CommandArguments.programName] + arguments,
        output: output,
        mask: before
      )
    } catch {
      Console.note("The command could not be started: \(FileSystemError.text(error.errno)).")
      throw RunExitCode.internalCheck.end
    }
    var status: Int32 = 0
    var pause = timespec(tv_sec: 0, tv_nsec: 50_000_000)
    while waitpid(child, &status, WNOHANG) == 0 {
      var information = siginfo_t()
      let signal = sigtimedwait(&mask, &information, &pause)
      // The terminal sends Ctrl-C to both; a signal of a process is for this one alone.
      if signal > 0, information.si_code <= 0 { kill(child, signal) }
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: Its path, or a name that is looked up in `PATH`.
  ///   - words: Its arguments, its own name first.
  ///   - input: The descriptor that it has as standard input; nil for that of this process.
  ///   - output: The same for standard output.
  ///   - mask: The signals that it blocks; nil for those of this process.
  /// - Returns: Its process.
  /// - Throws: `FileSystemError`. Source: posix_spawn(3), posix_spawnp(3).
  static func spawn(
    _ program: String,
    _ words: [[UInt8]],
    input: Int32? = nil,
    output: Int32?,
    mask: sigset_t? = nil
  ) throws(FileSystemError) -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    if var mask {
      posix_spawnattr_setsigmask(&attributes, &mask)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    var arguments = words.map { strdup($0.map { CChar(bitPattern: $0) } + [0]) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var child: pid_t = 0
    let start = program.utf8.contains(UInt8.slash) ? posix_spawn : posix_spawnp
    let error = start(&child, program, &actions, &attributes, arguments, environ)
    if error != 0 { throw FileSystemError(call: "posix_spawnp", path: program.utf8, errno: error) }
    return child
  }
}
