package import MediaFileSystem
internal import MediaModel

/// A file whose lock a process takes for as long as it writes a library, or watches for it, and in which
/// it leaves its name for others. The kernel frees the lock when the process ends.
package struct LockFile: Sendable {
  /// The file, open for reading and writing.
  package let file: Descriptor

  /// Opens the file, or makes it.
  ///
  /// - Parameters:
  ///   - folder: The folder that it lies in.
  ///   - name: Its name there.
  ///   - mode: The permissions of a new one.
  ///   - shown: Its path, escaped, for messages.
  /// - Throws: ``LibraryError`` `.notALibrary` for a hard link or no regular file; `FileSystemError`.
  package init(in folder: Descriptor, _ name: String, mode: UInt32, shown: String) throws {
    file = try FileSystem.openOrCreate(in: folder, [UInt8](name.utf8), mode: mode)
    // Another name of the file may be anything of this user's, and would be overwritten.
    let status = try file.status()
    guard status.kind == .regular, status.linkCount == 1 else {
      throw LibraryError(
        .notALibrary,
        "\"\(shown)\" is a hard link or no regular file, and is not written to. Ask who made it, and "
          + "remove it."
      )
    }
  }

  /// Takes the lock and writes the name of this process into the file.
  ///
  /// - Returns: False when another process holds the lock.
  package func take(holder: String) throws(FileSystemError) -> Bool {
    guard try file.tryLock() else { return false }
    try file.setLength(0)
    try file.write([UInt8](holder.utf8))
    return true
  }

  /// The name that the process which holds a lock has written into its file.
  package static func holder(of lock: Descriptor) -> String {
    var buffer = [UInt8](repeating: 0, count: 400)
    let count = buffer.withUnsafeMutableBytes { (try? lock.read(into: $0, at: 0)) ?? 0 }
    let holder = EscapedText.printable(String(decoding: buffer.prefix(count), as: UTF8.self))
    return holder.isEmpty ? "it has just begun" : holder
  }
}
