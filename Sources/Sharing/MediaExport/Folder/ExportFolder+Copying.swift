internal import Glibc
internal import MediaDigest
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaModel

extension ExportFolder {
  /// A file of the library that is not as the catalogue says, found while it was copied.
  struct Damage: Error {
    /// Below the library.
    var path: [UInt8]
    /// What is wrong, escaped.
    var detail: String

    static let content = "its SHA-256 is not that of the catalogue"
  }

  /// Copies a file of the library, or shares its content where the method and the file system have that.
  ///
  /// - Parameters:
  ///   - file: The library's file, from its start.
  ///   - source: What the catalogue says of it.
  ///   - copy: The new file.
  ///   - isHashed: Whether it was read before; if not, it is hashed here.
  /// - Throws: ``Damage``, and `FileSystemError` of the new file.
  func copy(
    _ file: Descriptor,
    of source: Source,
    to copy: Descriptor,
    isHashed: Bool
  ) throws {
    let isCloned = method == .reflink ? try FileSystem.clone(file, to: copy) : false
    if isHashed {
      if !isCloned { _ = try FileSystem.copy(file, to: copy) }
      return
    }
    let sha256 =
      try isCloned
      ? reading(source) { () throws(FileSystemError) in try FileDigest.of(file, &buffer).sha256 }
      : copyInParts(file, of: source, to: copy)
    if sha256 != source.sha256 { throw Damage(path: source.path, detail: Damage.content) }
  }

  /// Hashes each part of a file and copies it right behind that, while the kernel has it in memory: a film may be
  /// longer than that.
  ///
  /// - Returns: The digest of the file, in hexadecimal digits.
  private func copyInParts(
    _ file: Descriptor,
    of source: Source,
    to copy: Descriptor
  ) throws -> String {
    var hash = SHA256()
    var reader = SparseReader(file)
    var (start, end): (Int64, Int64) = (0, 0)
    repeat {
      start = end
      while end - start < partLength {
        let wanted = min(buffer.count, Int(partLength - (end - start)))
        let count = try buffer.withUnsafeMutableBytes { bytes in
          let room = UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted])
          let count = try reading(source) { () throws(FileSystemError) in
            try reader.read(into: room, at: UInt64(end)).count
          }
          hash.update(UnsafeRawBufferPointer(rebasing: room[..<count]))
          return count
        }
        if count == 0 { break }
        end += Int64(count)
      }
      // To look for holes moves the offset.
      try file.seek(to: start)
      if end > start { _ = try FileSystem.copy(file, to: copy, most: end - start) }
    } while end > start
    return Hexadecimal.text(hash.finalize())
  }

  /// Reads a file of the library; what cannot be read is damage, unless the error tells nothing of the file.
  private func reading<Value>(
    _ source: Source,
    _ body: () throws(FileSystemError) -> Value
  ) throws -> Value {
    do throws(FileSystemError) {
      return try body()
    } catch {
      if [EMFILE, ENFILE, ENOMEM].contains(error.errno) { throw error }
      throw Damage(path: source.path, detail: "\(error)")
    }
  }
}
