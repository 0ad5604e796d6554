internal import Glibc
internal import MediaFileSystem
internal import MediaModel

/// The file that holds a user's signing key: mode 0600, in a folder that only the user can write.
package struct AuditKeyFile {
  /// Absolute.
  package let path: [UInt8]
  private let folder: Descriptor
  private let name: [UInt8]

  /// Opens the folder of the file, which is made, mode 0700, where it is missing and `makesFolder`.
  ///
  /// - Throws: ``AuditKeyError``, also for a folder that another user owns or can write.
  package init(path: [UInt8], makesFolder: Bool) throws(AuditKeyError) {
    self.path = path
    let slash = path.lastIndex(of: UInt8.slash) ?? 0
    name = Array(path[(slash + 1)...])
    let above = slash == 0 ? [UInt8.slash] : Array(path[..<slash])
    do {
      if makesFolder { try FileSystem.makePrivateFolders(above) }
      folder = try FileSystem.openFolder(above)
    } catch {
      throw error.isMissing
        ? AuditKeyError(.missing, path: path, "There is no signing key in")
        : AuditKeyError(.cannotRead, path: path, "Its folder cannot be opened (\(error)):")
    }
    try Self.check(folder, path: path, isFolder: true)
  }

  /// The key that the file holds.
  ///
  /// - Throws: ``AuditKeyError`` `.missing`; `.notSafe` when others can read or could have written
  ///   it, or it is no regular file; `.notAKey`.
  package func read() throws(AuditKeyError) -> AuditSigner {
    let file: Descriptor
    do {
      guard try FileSystem.status(in: folder, name: name).kind == .regular else {
        throw AuditKeyError(.notSafe, path: path, "Not a regular file, so it is not read:")
      }
      file = try FileSystem.openForReading(beneath: folder, name, crossMounts: true)
    } catch let error as FileSystemError {
      throw error.isMissing
        ? AuditKeyError(.missing, path: path, "There is no signing key in")
        : AuditKeyError(.cannotRead, path: path, "The signing key cannot be read (\(error)):")
    } catch let error as AuditKeyError {
      throw error
    } catch {
      throw AuditKeyError(.cannotRead, path: path, "\(error)")
    }
    try Self.check(file, path: path, isFolder: false)
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    let count = buffer.withUnsafeMutableBytes { (try? file.read(into: $0, at: 0)) ?? 0 }
    guard count < buffer.count, let text = String(validating: buffer[..<count], as: UTF8.self),
      let signer = AuditSigner(text)
    else {
      throw AuditKeyError(.notAKey, path: path, "There is no signing key of mediabatch, or a damaged one, in")
    }
    return signer
  }

  /// The key that the file holds, or a new one that it then holds; then `onCreation` is called.
  ///
  /// - Throws: ``AuditKeyError`` as ``read()`` does, never `.missing`; `.cannotWrite`.
  package func readOrMake(_ onCreation: () -> Void = {}) throws(AuditKeyError) -> AuditSigner {
    do {
      return try read()
    } catch {
      guard error.code == .missing else { throw error }
    }
    // Another process may have made the key first: read the one that exists.
    if try write(AuditSigner(), replaces: false) { onCreation() }
    return try read()
  }

  /// Puts a key that follows the one that is there in its place, whole or not at all. Another rotation is waited for:
  /// of two that followed the same key, one would be lost.
  ///
  /// Where the file system has no locks of folders, nothing is waited for. Source: flock(2).
  ///
  /// - Returns: The new key.
  /// - Throws: ``AuditKeyError`` as ``read()`` does; `.cannotWrite`.
  package func rotate() throws(AuditKeyError) -> AuditSigner {
    while flock(folder.raw, LOCK_EX) != 0, errno == EINTR {}
    defer { _ = flock(folder.raw, LOCK_UN) }
    let next = try read().rotated(at: .now)
    _ = try write(next, replaces: true)
    return next
  }

  private func write(_ signer: AuditSigner, replaces: Bool) throws(AuditKeyError) -> Bool {
    var generator = SystemRandomNumberGenerator()
    let random = String(generator.next() as UInt64, radix: 16)
    let new = [UInt8](".audit-key.\(random).new".utf8)
    defer { try? FileSystem.removeFile(in: folder, new) }
    do {
      let file = try FileSystem.createFile(in: folder, new, mode: 0o600)
      // The umask may have taken bits away.
      fchmod(file.raw, 0o600)
      let bytes = Array(signer.serialized.utf8)
      try bytes.withUnsafeBytes { bytes in
        Result { () throws(FileSystemError) in try file.write(bytes) }
      }.get()
      try file.flush()
      if replaces {
        // Not `FileSystem.rename`, which never replaces what is there.
        guard renameat(folder.raw, cString(new), folder.raw, cString(name)) == 0 else {
          throw FileSystemError(call: "renameat", path: path, errno: errno)
        }
      } else {
        try FileSystem.link(from: folder, new, to: folder, name)
      }
    } catch {
      if !replaces, (error as? FileSystemError)?.errno == EEXIST { return false }
      throw AuditKeyError(.cannotWrite, path: path, "The signing key cannot be written (\(error)):")
    }
    fsync(folder.raw)
    return true
  }

  private func cString(_ name: [UInt8]) -> [CChar] { name.map { CChar(bitPattern: $0) } + [0] }

  private static func check(
    _ file: Descriptor,
    path: [UInt8],
    isFolder: Bool
  ) throws(AuditKeyError) {
    let ownership: Ownership
    do {
      ownership = try file.ownership()
    } catch {
      throw AuditKeyError(.cannotRead, path: path, "The signing key cannot be read (\(error)):")
    }
    guard ownership.owner == geteuid() else {
      throw AuditKeyError(
        .notSafe,
        path: path,
        "\(isFolder ? "The folder" : "The file") belongs to another user, so its key is not used:"
      )
    }
    guard ownership.mode & (isFolder ? 0o022 : 0o7177) == 0 else {
      throw AuditKeyError(
        .notSafe,
        path: path,
        isFolder
          ? "Others can write to the folder of this key (ask who did, and use chmod go-w):"
          : "Others can read or change the signing key (mode \(String(ownership.mode, radix: 8))). "
            + "Rotate it with `mediabatch audit key rotate --key "
            + "\(ShellWord.quoted(EscapedText.percentEscaped(path)))` after a chmod 600 of"
      )
    }
  }
}

/// The reason why there is no key to sign with.
package struct AuditKeyError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: String, CaseIterable, Sendable, Hashable {
    case missing
    /// Another user owns it, or can read or write it.
    case notSafe
    case notAKey
    case cannotRead
    case cannotWrite
  }

  package var code: Code
  /// A sentence for a person, which names the file and never its content.
  package var description: String

  init(_ code: Code, path: [UInt8], _ message: String) {
    self.code = code
    description = "\(message) \"\(EscapedText.percentEscaped(path))\"."
  }
}
