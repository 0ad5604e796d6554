internal import MediaFileSystem
package import MediaModel

/// A head that a witness kept outside the library.
package enum TrustedHead: Sendable, Hashable {
  /// The head of a chain or the root of a tree, 64 lowercase hexadecimal digits.
  case hash(String)
  case tree(AuditTreeHead)
  case signed(SignedHead)

  /// Reads 64 hexadecimal digits, `SIZE:ROOT`, or the path of a signed head's file; nil for other text.
  ///
  /// - Parameters:
  ///   - text: The words of a person.
  ///   - file: The bytes of the path, where they are no UTF-8; by default those of the text.
  package init?(_ text: String, file: [UInt8]? = nil) {
    func isHash(_ text: some StringProtocol) -> Bool {
      text.utf8.count == 64 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
    if isHash(text) {
      self = .hash(text.lowercased())
      return
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 2, let size = Int(parts[0]), size >= 0, isHash(parts[1]) {
      self = .tree(AuditTreeHead(size: size, root: parts[1].lowercased()))
      return
    }
    guard let bytes = try? FileSystem.readSmallStream(file ?? [UInt8](text.utf8), limit: 1 << 16),
      let note = String(validating: bytes, as: UTF8.self), let head = SignedHead(note: note)
    else { return nil }
    self = .signed(head)
  }

  /// The tree that the head is of; nil for digits alone, which do not say its size.
  package var tree: AuditTreeHead? {
    switch self {
    case .hash: nil
    case .tree(let tree): tree
    case .signed(let head): head.tree
    }
  }

  /// The reason why a proof with another head does not hold for this one; nil when it does.
  func difference(from head: SignedHead) -> String? {
    switch self {
    case .hash(let hash):
      hash == head.tree.root
        ? nil
        : hash == head.head
          ? "the expected head is that of the chain; give the root that the summary printed beside it"
          : "its log has another root than the expected one"
    case .tree(let tree): Self.difference(from: head.tree, expected: tree)
    case .signed(let other):
      other.library == head.library
        ? Self.difference(from: head.tree, expected: other.tree)
        : "it is of the library \(head.library), but the expected head is of \(other.library)"
    }
  }

  /// Tells a log that may only have grown from another one: of that, sizes alone say nothing certain.
  private static func difference(
    from actual: AuditTreeHead,
    expected: AuditTreeHead
  ) -> String? {
    if actual == expected { return nil }
    guard actual.size != expected.size else {
      return "it is of another log than the expected head: both have \(actual.size) records, and "
        + "their roots differ"
    }
    let (older, newer) = actual.size < expected.size ? (actual, expected) : (expected, actual)
    let verdict =
      actual.size > expected.size
      ? "its head is newer than the expected one: it has \(actual.size) records, not \(expected.size). This "
        + "shows whether the log has only grown; then check the proof against the newer head"
      : "its head is older than the expected one: it has \(actual.size) records, not \(expected.size). Make the "
        + "proof again; or check it against the older head, once this shows that the log has only grown"
    return verdict + ": mediabatch audit consistency \(older.size):\(older.root) "
      + "\(newer.size):\(newer.root) --library LIBRARY"
  }
}

extension VerifierKey {
  /// Reads a key's text, or the first line of the file at that path; nil when neither is a key.
  ///
  /// - Parameters:
  ///   - text: The words of a person.
  ///   - file: The bytes of the path, where they are no UTF-8; by default those of the text.
  package init?(textOrFile text: String, file: [UInt8]? = nil) {
    if let key = VerifierKey(text) {
      self = key
      return
    }
    guard let bytes = try? FileSystem.readSmallStream(file ?? [UInt8](text.utf8), limit: 4096),
      let line = String(validating: bytes, as: UTF8.self)?.split(separator: "\n").first
    else { return nil }
    self.init(String(line))
  }
}
