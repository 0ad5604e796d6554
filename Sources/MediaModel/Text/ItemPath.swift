/// A file's place beneath its source, as the bytes the file system holds.
///
/// A name is not text: it may be no UTF-8, and two names that Unicode calls equal are two files. So
/// this compares and hashes by bytes, and ``text`` writes it so that it can be read back.
package struct ItemPath: Sendable, Hashable, Comparable, Codable {
  /// Components joined by `/`, none empty, none `.` or `..`, no leading slash.
  package var bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  package static func < (lhs: ItemPath, rhs: ItemPath) -> Bool {
    let count = min(lhs.bytes.count, rhs.bytes.count)
    for index in 0..<count where lhs.bytes[index] != rhs.bytes[index] {
      return lhs.bytes[index] < rhs.bytes[index]
    }
    return lhs.bytes.count < rhs.bytes.count
  }

  /// The path of `name` in this folder; the empty path is the source itself.
  package func appending(_ name: [UInt8]) -> ItemPath {
    if bytes.isEmpty { return ItemPath(bytes: name) }
    var path: [UInt8] = []
    path.reserveCapacity(bytes.count + 1 + name.count)
    path += bytes
    path.append(UInt8(ascii: "/"))
    path += name
    return ItemPath(bytes: path)
  }

  /// The last component.
  package var name: ArraySlice<UInt8> {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes[...] }
    return bytes[(slash + 1)...]
  }

  /// The folder, empty for a file directly in its source.
  package var folder: ArraySlice<UInt8> {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return [] }
    return bytes[..<slash]
  }

  /// The name without its extension; a name that only starts with a dot has none.
  package var stem: ArraySlice<UInt8> {
    let name = name
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return name
    }
    return name[..<dot]
  }

  /// Readable text that loses nothing: see ``EscapedText``.
  package var text: String { EscapedText.percentEscaped(bytes) }
}
