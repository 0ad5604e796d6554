internal import Glibc
internal import MediaFileSystem
internal import MediaModel
internal import MediaPermissions

/// OpenSSH's program for keys, which signs: it knows passphrases and agents.
enum SSHKeygen {
  /// Why there is no signature, for a person.
  struct Failure: Error {
    var code: RunExitCode
    var description: String
  }

  /// Signs a file, of which it reads all.
  ///
  /// - Parameters:
  ///   - file: Open for reading, at its beginning.
  ///   - key: The path of a private key, or of a public one whose private key an agent holds.
  /// - Returns: The armored signature.
  /// - Throws: ``Failure``. Source: ssh-keygen(1), -Y sign.
  static func sign(_ file: Descriptor, key: [UInt8]) throws(Failure) -> [UInt8] {
    let output: MemoryFile
    do {
      output = try MemoryFile()
    } catch {
      throw Failure(code: .internalCheck, description: "Not signed: \(error).")
    }
    let words = ["ssh-keygen", "-Y", "sign", "-q", "-n", SSHSignature.namespace, "-f"].map { Array($0.utf8) }
    let child = try spawn(words + [key], input: file.raw, output: output.writable.raw)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let text = try? FileSystem.readSmallFile(output.readable, limit: SSHSignature.maximumByteCount)
    guard status == 0, let text, !text.isEmpty else {
      throw Failure(
        code: .usage,
        description:
          "Not signed: ssh-keygen made no signature by \"\(EscapedText.percentEscaped(key))\"; it says why "
          + "above. --key takes a private key, or a public one whose private key an agent holds."
      )
    }
    return text
  }

  /// Source: posix_spawnp(3).
  private static func spawn(_ words: [[UInt8]], input: Int32, output: Int32) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var arguments = words.map { strdup($0.map { CChar(bitPattern: $0) } + [0]) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var child: pid_t = 0
    let error = posix_spawnp(&child, "ssh-keygen", &actions, nil, arguments, environ)
    if error == 0 { return child }
    throw Failure(
      code: .internalCheck,
      description: error == ENOENT
        ? "Not signed: ssh-keygen is not there. Install the Debian package openssh-client."
        : "Not signed: ssh-keygen cannot be started: \(FileSystemError.text(error))."
    )
  }
}
