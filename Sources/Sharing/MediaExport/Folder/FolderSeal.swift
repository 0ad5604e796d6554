internal import MediaDigest
internal import MediaFileSystem
package import MediaGallery
internal import MediaModel

/// Seals the files of a folder by a password: of each only an encrypted and padded content under a name that tells
/// nothing.
///
/// A name is an HMAC of the file's path, so that no list of names is needed: who has the key finds each file, and for
/// others all names are random. `docs/decisions/0029` has the format.
package struct FolderSeal {
  /// A file that is too long to be opened by a browser in one piece.
  struct TooLong: Error {
    /// In bytes.
    var length: Int64

    /// The reason that it is left out.
    var reason: String {
      let (megabytes, most) = ((length + 999_999) / 1_000_000, FolderSeal.mostBytes / 1_000_000)
      return "it has \(megabytes) MB, and browsers decrypt files of at most \(most) MB"
    }
  }

  /// The most bytes of a file.
  static let mostBytes: Int64 = 200_000_000
  /// The bytes that are encrypted at once, in Base64 one text of a script; a multiple of 48.
  private static let pieceLength = 3 << 20

  /// What the page has.
  package let lock: GalleryLock
  private let files: [UInt8]
  private let names: [UInt8]
  private let recipes: [UInt8]
  /// A file without a name for what is written before it is sealed, away from the folder's disk.
  private let plain: Descriptor

  /// Derives the keys of a password, which takes a second.
  ///
  /// - Parameters:
  ///   - password: As it is typed, in UTF-8.
  ///   - page: The page of the folder that is there; with its password the salt stays, and so all keys.
  /// - Throws: `ExportError` when no temporary file can be made.
  package init(password: [UInt8], page: [UInt8]?) throws(ExportError) {
    let plain: Descriptor
    do {
      plain = try FileSystem.temporaryFile()
    } catch {
      throw ExportError(
        .failed,
        "No temporary file can be made (\(error)). Set TMPDIR to a folder with room."
      )
    }
    if let earlier = page.flatMap({ GalleryLock(page: $0) }) {
      let key = Self.master(password, earlier.salt)
      if Self.check(key) == earlier.check {
        self.init(key, earlier.salt, plain)
        return
      }
    }
    // What another password opened is nothing to this one.
    let salt = Self.random(GalleryLock.saltLength)
    self.init(Self.master(password, salt), salt, plain)
  }

  private init(_ key: [UInt8], _ salt: [UInt8], _ plain: Descriptor) {
    self.plain = plain
    lock = GalleryLock(salt: salt, check: Self.check(key))
    files = Self.derived("files", key)
    names = Self.derived("names", key)
    recipes = Self.derived("recipes", key)
  }

  private static func master(_ password: [UInt8], _ salt: [UInt8]) -> [UInt8] {
    SHA256.key(of: password, salt: salt, rounds: GalleryLock.rounds)
  }

  private static func derived(_ purpose: String, _ key: [UInt8]) -> [UInt8] {
    SHA256.authenticationCode(for: Array("mediabatch-gallery/1 \(purpose)".utf8), key: key)
  }

  private static func check(_ key: [UInt8]) -> [UInt8] { Array(derived("check", key).prefix(16)) }

  private static func random(_ count: Int) -> [UInt8] {
    RandomNumbers.with { numbers in
      (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
    }
  }

  // MARK: - Names

  /// The name by which a file is sealed, 32 hexadecimal digits.
  func name(of path: [UInt8]) -> String {
    Hexadecimal.text(Array(SHA256.authenticationCode(for: path, key: names).prefix(16)))
  }

  /// Where the file with a name lies, below the folder.
  static func path(of name: String) -> [UInt8] { Array("\(name.prefix(2))/\(name).js".utf8) }

  /// What a file was made from, for the folder's list, which tells nothing then; random for a file that is written anew
  /// each time, so that it is like the others.
  package func recipe(_ recipe: String, of path: [UInt8] = []) -> String {
    if recipe.isEmpty { return Hexadecimal.text(Self.random(SHA256.byteCount)) }
    let message = path + [0] + Array(recipe.utf8)
    return Hexadecimal.text(SHA256.authenticationCode(for: message, key: recipes))
  }

  // MARK: - Contents

  /// Returns the file for what is written before it is sealed, empty.
  func emptied() throws(FileSystemError) -> Descriptor {
    try plain.setLength(0)
    try plain.seek(to: 0)
    return plain
  }

  /// The length to which one is padded by Padmé, so that it tells its magnitude and four or five bits more.
  ///
  /// Source: Nikitin et al., Reducing Metadata Leakage from Encrypted Files, 2019, section 5.
  static func padded(_ length: Int64) -> Int64 {
    guard length > 1 else { return length }
    let exponent = Int64(63 - length.leadingZeroBitCount)
    let significantBits = Int64(64 - exponent.leadingZeroBitCount)
    let mask = (Int64(1) << (exponent - significantBits)) - 1
    return (length + mask) & ~mask
  }

  /// Writes a script that hands on a part of a file, sealed.
  ///
  /// The texts of its call are the name, and in Base64 the nonce, the ciphertext in pieces, and the tag; the name is
  /// the associated data. What is encrypted is the length in 8 bytes, the content, and zeros.
  ///
  /// - Parameters:
  ///   - plain: The file.
  ///   - part: Its bytes that are taken.
  ///   - name: The name.
  ///   - file: The new file.
  /// - Throws: ``TooLong``, `FileSystemError`, and ``ExportError`` for a file that has become shorter.
  func seal(
    _ plain: Descriptor,
    _ part: Range<Int64>,
    named name: String,
    to file: Descriptor
  ) throws {
    let length = Int64(part.count)
    guard length <= Self.mostBytes else { throw TooLong(length: length) }
    let nonce = Self.random(AES256GCM.nonceLength)
    var cipher = AES256GCM(key: files, nonce: nonce, associatedData: Array(name.utf8))
    try file.write(Array("mediabatch(\"\(name)\",\"".utf8) + Base64.encoded(nonce))
    var piece = withUnsafeBytes(of: length.bigEndian) { Array($0) }
    var left = Self.padded(Int64(piece.count) + length)
    var unread = part
    while left > 0 {
      let start = piece.count
      piece += [UInt8](repeating: 0, count: Int(min(Int64(Self.pieceLength), left)) - start)
      let wanted = min(piece.count - start, unread.count)
      let offset = UInt64(unread.lowerBound)
      let count = try piece.withUnsafeMutableBytes { bytes throws(FileSystemError) in
        let room = bytes[start...].prefix(wanted)
        return try plain.read(into: UnsafeMutableRawBufferPointer(rebasing: room), at: offset)
      }
      guard count == wanted else {
        throw ExportError(.failed, "A file became shorter while it was read.")
      }
      unread = unread.dropFirst(wanted)
      left -= Int64(piece.count)
      cipher.encrypt(&piece)
      try file.write(Array("\",\"".utf8) + Base64.encoded(piece))
      piece = []
    }
    try file.write(Array("\",\"".utf8) + Base64.encoded(cipher.finalize()) + Array("\")\n".utf8))
  }

  /// Opens a small file that ``seal(_:_:named:to:)`` wrote.
  ///
  /// - Parameters:
  ///   - script: The file.
  ///   - name: The name.
  /// - Returns: Its content; nil for one of another key or name, and for one that was changed.
  func opened(_ script: [UInt8], named name: String) -> [UInt8]? {
    let parts = String(decoding: script, as: UTF8.self).split(
      separator: "\"",
      omittingEmptySubsequences: false
    )
    // Those between are the call and its commas.
    var texts = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
    guard texts.count > 3, texts[0] == name, let nonce = Base64.bytes(texts[1]),
      let tag = Base64.bytes(texts.removeLast())
    else { return nil }
    var cipher = AES256GCM(key: files, nonce: nonce, associatedData: Array(name.utf8))
    var plain: [UInt8] = []
    for text in texts[2...] {
      guard var piece = Base64.bytes(text) else { return nil }
      cipher.decrypt(&piece)
      plain += piece
    }
    let length = plain.prefix(8).reduce(0 as UInt64) { ($0 << 8) | UInt64($1) }
    let content = plain.dropFirst(8)
    guard cipher.finalize() == tag, length <= UInt64(content.count) else { return nil }
    return Array(content.prefix(Int(length)))
  }
}
