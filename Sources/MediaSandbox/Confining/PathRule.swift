/// A right to what a path names now; renaming it later moves the right along.
package struct PathRule: Sendable, Hashable {
  /// Bytes as the file system holds them; a symlink is followed.
  package var path: [UInt8]
  /// Beneath it, if it is a folder.
  package var rights: LandlockRights
  /// Whether a path that names nothing is passed over instead of being an error.
  package var isOptional: Bool

  /// A rule for a path of bytes.
  package init(path: [UInt8], rights: LandlockRights, isOptional: Bool = false) {
    self.path = path
    self.rights = rights
    self.isOptional = isOptional
  }

  /// A rule for a path that is written in this program.
  package init(path: String, rights: LandlockRights, isOptional: Bool = false) {
    self.init(path: Array(path.utf8), rights: rights, isOptional: isOptional)
  }
}

extension [UInt8] {
  /// The bytes as a C string, valid during the call only; nil when they hold a NUL, which no path does.
  func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result? {
    guard !contains(0) else { return nil }
    return (map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map(body)
    }
  }

  /// For messages: replaces what is not UTF-8.
  var pathText: String { String(decoding: self, as: UTF8.self) }
}
