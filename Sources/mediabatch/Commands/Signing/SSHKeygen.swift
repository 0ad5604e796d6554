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
    let child: pid_t
    do throws(FileSystemError) {
      child = try ChildCommand.spawn(
        "ssh-keygen",
        words + [key],
        input: file.raw,
        output: output.writable.raw
      )
    } catch {
      throw Failure(
        code: .internalCheck,
        description: error.isMissing
          ? "Not signed: ssh-keygen is not there. Install the Debian package openssh-client."
          : "Not signed: ssh-keygen cannot be started: \(FileSystemError.text(error.errno))."
      )
    }
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
}
