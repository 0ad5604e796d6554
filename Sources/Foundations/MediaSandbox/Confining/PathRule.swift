/// Rights for the file or folder that a path leads to now; they stay with it when it is renamed.
package struct PathRule: Sendable, Hashable {
  /// The path's bytes; a symlink is followed.
  package var path: [UInt8]
  /// The rights, which apply to everything beneath a folder.
  package var rights: LandlockRights
  /// Whether a missing path is ignored instead of being an error.
  package var isOptional: Bool

  /// Makes a rule for a path of bytes.
  package init(path: [UInt8], rights: LandlockRights, isOptional: Bool = false) {
    self.path = path
    self.rights = rights
    self.isOptional = isOptional
  }

  /// Makes a rule for a path that is text of this program.
  package init(path: String, rights: LandlockRights, isOptional: Bool = false) {
    self.init(path: Array(path.utf8), rights: rights, isOptional: isOptional)
  }
}

extension [UInt8] {
  /// Calls `body` with the bytes as a C string, which is valid during the call only. Returns nil if
  /// they contain a NUL, which no path does.
  func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result? {
    guard !contains(0) else { return nil }
    return (map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map(body)
    }
  }

  /// The path as text for messages; bytes that are not UTF-8 are replaced.
  var pathText: String { String(decoding: self, as: UTF8.self) }
}
