internal import MediaFileSystem
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
/// whose catalogue is lost keeps its identifier. The file is made once and never written again.
struct DigestKey: Sendable, Hashable {
  static let folderName = ".state"
  static let fileName = "digest.key"
  private static let schema = "mediabatch.digestKey/1"

  /// The library's identifier.
  var library: String
  /// 32 bytes.
  var bytes: [UInt8]

  init(library: String, bytes: [UInt8]) {
    self.library = library
    self.bytes = bytes
  }

  /// Makes the key of a library from the kernel's random numbers.
  static func make(library: String) -> DigestKey {
    var generator = SystemRandomNumberGenerator()
    return DigestKey(
      library: library,
      bytes: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    )
  }

  /// Reads the key of the library at `root`.
  ///
  /// - Returns: Nil when there is none.
  /// - Throws: ``LibraryError`` `.inconsistent` for a file that holds something else, `.cannotWrite`
  ///   for one that cannot be read.
  static func read(in root: Descriptor) throws(LibraryError) -> DigestKey? {
    let bytes: [UInt8]
    do {
      let file = try FileSystem.openForReading(
        beneath: root,
        [UInt8]("\(folderName)/\(fileName)".utf8),
        crossMounts: true
      )
      bytes = try FileSystem.readSmallFile(file, limit: 4096)
    } catch  where error.isMissing {
      return nil
    } catch {
      throw LibraryError(error)
    }
    guard let key = DigestKey(text: String(decoding: bytes, as: UTF8.self)) else {
      throw LibraryError(
        .inconsistent,
        "\(folderName)/\(fileName) in the library is damaged. Restore it from a copy."
      )
    }
    return key
  }

  /// Writes the key into the library at `root`, and returns when it is on the disk.
  ///
  /// - Throws: ``LibraryError`` `.inconsistent` when another key is there, which stays;
  ///   `.cannotWrite`, `.outOfSpace`.
  func write(in root: Descriptor) throws(LibraryError) {
    if let known = try Self.read(in: root) {
      guard known == self else {
        throw LibraryError(
          .inconsistent,
          "\(Self.folderName)/\(Self.fileName) in the library is another library's, or of another "
            + "catalogue. Restore both from the same copy."
        )
      }
      return
    }
    do {
      let folderName = [UInt8](Self.folderName.utf8)
      try FileSystem.makeFolder(in: root, folderName, mode: 0o700)
      let folder = try FileSystem.openForReading(
        beneath: root,
        folderName,
        crossMounts: true,
        isFolder: true
      )
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

  private init?(text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 4, lines[0] == Self.schema, lines[1].hasPrefix("library "),
      lines[2].hasPrefix("key "), lines[3].isEmpty,
      let bytes = Hexadecimal.bytes(lines[2].dropFirst(4)), bytes.count == 32
    else { return nil }
    library = String(lines[1].dropFirst(8))
    self.bytes = bytes
  }
}
