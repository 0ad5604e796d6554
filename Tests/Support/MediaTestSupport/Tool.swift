internal import Foundation
internal import Glibc

/// A program that did not make what it looks at.
package enum Tool {
  package struct Result: Sendable {
    package var status: Int32
    package var output: String
    package var error: String
  }

  /// Whether a program of that name is on the search path.
  package static func exists(_ name: String) -> Bool {
    path(of: name) != nil
  }

  /// Runs a program to its end, with nothing on its standard input; exiftool is started once and asked
  /// again.
  ///
  /// - Parameters:
  ///   - name: A name on the search path, or an absolute path.
  ///   - arguments: Passed as they are, no shell in between.
  ///   - environment: Added to this process's own.
  ///   - folder: Where it runs; nil for this process's own.
  /// - Returns: Its exit status, 128 and the signal's number after a signal, and what it printed.
  /// - Throws: An error when the program cannot be started; a failing status is not an error.
  package static func run(
    _ name: String,
    _ arguments: [String],
    environment: [String: String] = [:],
    in folder: String? = nil
  ) throws -> Result {
    guard let executable = path(of: name) else { throw CocoaError(.fileNoSuchFile) }
    if name == "exiftool", environment.isEmpty, folder == nil, ExifToolServer.takes(arguments) {
      return try ExifToolServer.run(arguments)
    }
    let scratch = TemporaryFolder()
    let (output, error) = (scratch.path + "/output", scratch.path + "/error")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for (stream, file) in [(STDOUT_FILENO, output), (STDERR_FILENO, error)] {
      posix_spawn_file_actions_addopen(&actions, stream, file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    if let folder {
      guard let changeFolder else { throw CocoaError(.featureUnsupported) }
      _ = changeFolder(&actions, folder)
    }
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let status = try wait(
      for: spawn(executable, arguments, variables.map { "\($0.key)=\($0.value)" }, &actions)
    )
    return Result(
      status: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F,
      output: String(decoding: try readBytes(output), as: UTF8.self),
      error: String(decoding: try readBytes(error), as: UTF8.self)
    )
  }

  /// `posix_spawn_file_actions_addchdir_np`, which glibc's headers show to GNU programs only.
  private static let changeFolder = dlsym(nil, "posix_spawn_file_actions_addchdir_np").map {
    unsafeBitCast(
      $0,
      to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>)
        ->
        Int32).self
    )
  }

  /// Starts a program in which no signal is blocked or ignored.
  private static func spawn(
    _ executable: String,
    _ arguments: [String],
    _ variables: [String],
    _ actions: inout posix_spawn_file_actions_t
  ) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, flags)
    var argv = ([executable] + arguments).map { strdup($0) }
    argv.append(nil)
    var envp = variables.map { strdup($0) }
    envp.append(nil)
    defer { for text in argv + envp { free(text) } }
    var child: pid_t = 0
    guard posix_spawn(&child, executable, &actions, &attributes, argv, envp) == 0 else {
      throw CocoaError(.fileNoSuchFile)
    }
    return child
  }

  /// Waits without looking again and again, as Foundation's `Process` does.
  private static func wait(for child: pid_t) throws -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { throw CocoaError(.fileReadUnknown) }
    }
    return status
  }

  /// Whether a library has at least this version, as pkg-config says it; false when it is not installed.
  package static func hasLibrary(_ name: String, atLeast version: String) -> Bool {
    (try? run("pkg-config", ["--atleast-version=" + version, name]))?.status == 0
  }

  private static func path(of name: String) -> String? {
    if name.hasPrefix("/") {
      return FileManager.default.isExecutableFile(atPath: name) ? name : nil
    }
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { $0 + "/" + name }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
