internal import Glibc
internal import MediaDigest
package import MediaFileSystem
internal import MediaModel

/// The key under which a library stores the digests of stripped files' sources, in a file of its own.
///
/// `.state/digest.key`, mode 0600 in a folder of mode 0700, never in the log or an export:
///
///     mediabatch.digestKey/1
///     library 0b7e6f5d-3c1a-4f57-9a55-6e5b3d7b8d11
///     key 3f…                                          64 hexadecimal digits
///
/// It names the library, so that a key that was copied to the wrong place is noticed, and a library
/// whose catalogue is lost keeps its identifier. The file is made once and never written again; its ``check``
/// in the catalogue and in the log tells whether it still has the bytes that it was made with.
package struct DigestKey: Sendable, Hashable {
  package static let folderName = ".state"
  package static let fileName = "digest.key"
  private static let schema = "mediabatch.digestKey/1"

  /// The library's identifier.
  package var library: String
  /// 32 bytes.
  package var bytes: [UInt8]

  package init(library: String, bytes: [UInt8]) {
    self.library = library
    self.bytes = bytes
  }

  /// Makes the key of a library from the kernel's random numbers.
  package static func make(library: String) -> DigestKey {
    var generator = SystemRandomNumberGenerator()
    return DigestKey(
      library: library,
      bytes: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    )
  }

  /// The value by which the key is recognized and of which it does not follow: an HMAC-SHA256 of the
  /// library's identifier, 64 hexadecimal digits.
  package var check: String {
    let message = "\(Self.schema) \(library)"
    return Hexadecimal.text(SHA256.authenticationCode(for: Array(message.utf8), key: bytes))
  }

  /// The key of the library at `root`, if it is the one that the library had.
  ///
  /// - Parameters:
  ///   - root: The library's folder.
  ///   - library: The library's identifier.
  ///   - check: The key's check value; nil when none is known.
  /// - Returns: The key.
  /// - Throws: ``LibraryError`` `.inconsistent` when it is missing, damaged or another library's,
  ///   `.cannotWrite` when it cannot be read.
  package static func confirmed(
    in root: Descriptor,
    of library: String,
    check: String?
  ) throws(LibraryError) -> DigestKey {
    guard let key = try read(in: root) else {
      throw LibraryError(
        .inconsistent,
        "\(folderName)/\(fileName) is missing, by which the library recognizes what it has stripped. "
          + remedy
      )
    }
    let expected = DigestKey(library: library, bytes: key.bytes)
    guard key.library == library || check == expected.check else {
      throw LibraryError(
        .inconsistent,
        "\(folderName)/\(fileName) is not this library's. Restore it from a copy of this library."
      )
    }
    guard key.library == library, check == nil || check == key.check else { throw damaged }
    return key
  }

  private static let damaged = LibraryError(
    .inconsistent,
    "\(folderName)/\(fileName) is damaged, by which the library recognizes what it has stripped. "
      + remedy
  )

  private static let remedy =
    "Restore it from a copy. Without one, `mediabatch rebuild` makes a new key; then a stripped photo "
    + "is not recognized under another name."

  /// Reads the key of the library at `root`.
  ///
  /// - Returns: Nil when there is none.
  /// - Throws: ``LibraryError`` `.inconsistent` for a file that holds something else, `.cannotWrite`
  ///   for one that cannot be read.
  package static func read(in root: Descriptor) throws(LibraryError) -> DigestKey? {
    guard let bytes = try content(in: root) else { return nil }
    guard let key = DigestKey(text: bytes) else { throw damaged }
    return key
  }

  /// Reads the key of a library whose file may be damaged in another place than the key's own digits.
  ///
  /// - Returns: Nil when nothing in the file is a key with this check value.
  /// - Throws: ``LibraryError`` `.cannotWrite` for a file that cannot be read.
  package static func read(
    in root: Descriptor,
    of library: String,
    check: String
  ) throws(LibraryError) -> DigestKey? {
    guard let bytes = try content(in: root) else { return nil }
    let words = bytes.split { Hexadecimal.value(of: $0) == nil }
    return words.compactMap { Hexadecimal.bytes(String(decoding: $0, as: UTF8.self)) }
      .map { DigestKey(library: library, bytes: $0) }.first { $0.check == check }
  }

  /// The bytes of the file, none of what cannot be a key's; nil when there is no file.
  private static func content(in root: Descriptor) throws(LibraryError) -> [UInt8]? {
    do {
      let file = try FileSystem.openForReading(
        beneath: root,
        [UInt8]("\(folderName)/\(fileName)".utf8),
        crossMounts: true
      )
      return try FileSystem.readSmallFile(file, limit: 4096)
    } catch  where error.isMissing {
      return nil
    } catch  where [EFBIG, EINVAL, EISDIR, ELOOP, ENXIO].contains(error.errno) {
      // Longer than the file of a key, a link, or no regular file: none of it is a key.
      return []
    } catch {
      throw LibraryError(error)
    }
  }

  /// Gives the file another name in its folder, where it is there.
  package static func moveAside(in root: Descriptor, as name: String) throws(LibraryError) {
    do {
      let folder = try FileSystem.openForReading(
        beneath: root,
        [UInt8](folderName.utf8),
        crossMounts: true,
        isFolder: true
      )
      try FileSystem.rename(from: folder, [UInt8](fileName.utf8), to: folder, [UInt8](name.utf8))
    } catch  where error.isMissing {
      return
    } catch {
      throw LibraryError(error)
    }
  }

  /// Writes the key into the library at `root`, and returns when it is on the disk.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` when another key is there, which stays;
  ///   `.cannotWrite`, `.outOfSpace`.
  package func write(in root: Descriptor) throws(LibraryError) {
    if let stored = try Self.read(in: root) {
      guard stored == self else {
        throw LibraryError(
          .inconsistent,
          "\(Self.folderName)/\(Self.fileName) in the library and the catalogue do not belong together. "
            + "Restore both from the same copy."
        )
      }
      return
    }
    do {
      let folderName = [UInt8](Self.folderName.utf8)
      let folder = try FileSystem.openOrMakeFolder(in: root, folderName, mode: 0o700, crossMounts: true)
      let temporary = [UInt8]((Self.fileName + ".new").utf8)
      try FileSystem.removeFile(in: folder, temporary)
      let file = try FileSystem.createFile(in: folder, temporary, mode: 0o600)
      try file.write([UInt8](text.utf8))
      try file.flush()
      try FileSystem.rename(from: folder, temporary, to: folder, [UInt8](Self.fileName.utf8))
      try FileSystem.flush(fileSystemOf: folder)
    } catch {
      throw LibraryError(error)
    }
  }

  private var text: String {
    "\(Self.schema)\nlibrary \(library)\nkey \(Hexadecimal.text(bytes))\n"
  }

  private init?(text bytes: [UInt8]) {
    // Digits may be capitals to the reader of hexadecimal: what is not as it is written is damage.
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 4, lines[0] == Self.schema, lines[1].hasPrefix("library "),
      lines[2].hasPrefix("key "), lines[3].isEmpty,
      let key = Hexadecimal.bytes(lines[2].dropFirst(4)), key.count == 32
    else { return nil }
    library = String(lines[1].dropFirst(8))
    self.bytes = key
    guard self.text == text else { return nil }
  }
}
