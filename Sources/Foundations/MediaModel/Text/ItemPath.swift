/// A file's path relative to its source, as the bytes of the file system.
///
/// A file name is not text: it may be invalid UTF-8, and two names that are canonically equivalent
/// in Unicode are two files. Paths are therefore compared and hashed by bytes, and ``text`` writes
/// them reversibly.
package struct ItemPath: Sendable, Hashable, Comparable, Codable {
  /// The components joined by `/`: none is empty, `.` or `..`; no leading slash.
  package var bytes: [UInt8]

  /// Creates a path from its bytes.
  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Orders paths by their bytes.
  package static func < (lhs: ItemPath, rhs: ItemPath) -> Bool {
    let count = min(lhs.bytes.count, rhs.bytes.count)
    for index in 0..<count where lhs.bytes[index] != rhs.bytes[index] {
      return lhs.bytes[index] < rhs.bytes[index]
    }
    return lhs.bytes.count < rhs.bytes.count
  }

  /// Returns the path of `name` in this folder; the empty path is the source itself.
  package func appending(_ name: [UInt8]) -> ItemPath {
    if bytes.isEmpty { return ItemPath(bytes: name) }
    var path: [UInt8] = []
    path.reserveCapacity(bytes.count + 1 + name.count)
    path += bytes
    path.append(UInt8.slash)
    path += name
    return ItemPath(bytes: path)
  }

  /// The last component.
  package var name: ArraySlice<UInt8> {
    guard let slash = bytes.lastIndex(of: UInt8.slash) else { return bytes[...] }
    return bytes[(slash + 1)...]
  }

  /// The path of the folder, empty for a file directly in its source.
  package var folder: ArraySlice<UInt8> {
    guard let slash = bytes.lastIndex(of: UInt8.slash) else { return [] }
    return bytes[..<slash]
  }

  /// The first bytes of a name, at most `length`, without a part of a character at the end; bytes that are no text are
  /// cut anywhere.
  ///
  /// A file system that keeps names as UTF-16 takes no part of a character. Source: RFC 3629, section 3: one has at
  /// most four bytes.
  package static func prefix(of name: [UInt8], length: Int) -> ArraySlice<UInt8> {
    let prefix = name.prefix(length)
    guard prefix.count < name.count, name[prefix.count] & 0xC0 == 0x80,
      let start = prefix.lastIndex(where: { $0 & 0xC0 != 0x80 }), prefix.count - start < 4
    else { return prefix }
    return prefix[..<start]
  }

  /// The name without its extension; a name whose only dot is the first character has none.
  package var stem: ArraySlice<UInt8> {
    let name = name
    guard let dot = name.lastIndex(of: UInt8.dot), dot > name.startIndex else {
      return name
    }
    return name[..<dot]
  }

  /// The bytes after the last dot of the name, in lowercase (ASCII); empty for a name without an
  /// extension.
  package var fileExtension: String {
    String(decoding: name.dropFirst(stem.count + 1), as: UTF8.self).lowercased()
  }

  /// The path as readable, reversible text: see ``EscapedText``.
  package var text: String { EscapedText.percentEscaped(bytes) }
}
