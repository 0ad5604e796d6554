internal import ArgumentParser
internal import MediaAudit
internal import MediaFileSystem
internal import MediaModel

/// A head as a witness keeps it: the 64 digits of a chain's head or a tree's root, `SIZE:ROOT`, or the
/// file of a signed head.
enum HeadArgument {
  case hash(String)
  case tree(AuditTreeHead)
  case signed(SignedHead)

  /// - Throws: The command's end, 64, when the text is none of these.
  init(_ text: String) throws {
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
    guard
      let bytes = try? FileSystem.readSmallFile([UInt8](text.utf8), limit: 1 << 16),
      let note = String(validating: bytes, as: UTF8.self), let head = SignedHead(note: note)
    else {
      throw ValidationError(
        "\"\(EscapedText.printable(text))\" is no head: give SIZE:ROOT, the file of a signed head, "
          + "or the 64 digits that a summary printed."
      )
    }
    self = .signed(head)
  }

  /// The tree that it is of; nil for mere digits.
  var tree: AuditTreeHead? {
    switch self {
    case .hash: nil
    case .tree(let tree): tree
    case .signed(let head): head.tree
    }
  }

  /// Why what has this head is not what is expected; nil when it is.
  func difference(from head: SignedHead) -> String? {
    switch self {
    case .hash(let hash):
      hash == head.tree.root
        ? nil
        : hash == head.head
          ? "the expected head is that of the chain; give the root that the summary printed beside it"
          : "it is of a log with another root than the expected one"
    case .tree(let tree): tree == head.tree ? nil : "it is of another log than the expected head"
    case .signed(let other):
      other.tree == head.tree ? nil : "it is of another log than the expected head"
    }
  }

  /// A trusted key, as text or in a file.
  ///
  /// - Throws: The command's end, 64, when it is none.
  static func key(_ text: String) throws -> VerifierKey {
    if let key = VerifierKey(text) { return key }
    if let bytes = try? FileSystem.readSmallFile([UInt8](text.utf8), limit: 4096),
      let line = String(validating: bytes, as: UTF8.self)?.split(separator: "\n").first,
      let key = VerifierKey(String(line))
    {
      return key
    }
    throw ValidationError(
      "\"\(EscapedText.printable(text))\" is no key: give what `mediabatch audit key show` printed, or "
        + "a file with it."
    )
  }
}
