internal import MediaModel

/// Looks for the head that a witness kept while a log is verified.
struct WitnessCheck {
  private let hash: RecordHash?
  private let tree: (size: Int, root: RecordHash)?
  /// The library that a signed head names, if it is another one than the log's.
  private let otherLibrary: String?
  private var match: (file: String, line: Int, isEnd: Bool)?
  private var treeRoot: RecordHash?

  /// - Parameters:
  ///   - head: The head that was kept.
  ///   - library: The identifier of the log's library; nil when nothing tells it.
  init(_ head: TrustedHead, of library: String?) {
    // A witness that is no hash is one that no record has.
    func hash(_ text: String) -> RecordHash { RecordHash(hexadecimal: text.lowercased()) ?? .zero }
    self.hash =
      switch head {
      case .hash(let text): hash(text)
      case .signed(let signed): hash(signed.head)
      case .tree: nil
      }
    if case .signed(let signed) = head, let library, signed.library != library {
      otherLibrary = EscapedText.printable(signed.library, limit: 100)
    } else {
      otherLibrary = nil
    }
    tree = head.tree.map { ($0.size, hash($0.root)) }
  }

  /// A record fits, and is the last one of a tree.
  mutating func observe(_ head: RecordHash, _ tree: TreeFrontier, _ file: String, _ line: Int) {
    if head == hash, line > 0 { match = (file, line, false) }
    if tree.size == self.tree?.size { treeRoot = tree.rootHash }
  }

  /// A file was read to its end.
  mutating func endOfFile(_ tree: TreeFrontier, _ file: String, _ records: Int) {
    guard let hash else { return }
    if tree.rootHash == hash { match = (file, records, true) }
    if let head = match, head.file == file, head.line == records {
      match = (file, records, true)
    }
  }

  /// Where the witness's head is, or that it is nowhere.
  func locate(
    head: RecordHash,
    tree end: TreeFrontier
  ) -> (AuditHeadPosition?, AuditDifference?) {
    if let otherLibrary {
      return (
        nil,
        AuditDifference(
          kind: .unexpectedHead,
          file: "",
          detail: "the expected head is of another library, \(otherLibrary)"
        )
      )
    }
    if let tree {
      guard tree.size <= end.size else {
        return (
          nil,
          AuditDifference(
            kind: .rolledBack,
            file: "",
            detail: "the expected head has \(tree.size) records, but the log \(end.size)"
          )
        )
      }
      guard treeRoot == tree.root else {
        return (
          nil,
          AuditDifference(
            kind: .unexpectedHead,
            file: "",
            detail: "the first \(tree.size) records are not those of the expected head"
          )
        )
      }
      if hash == nil { return (tree.size == end.size ? .last : .tree(size: tree.size), nil) }
    }
    guard let hash else { return (nil, nil) }
    if hash == head || hash == end.rootHash { return (.last, nil) }
    if let match, match.isEnd { return (.endOfRun(file: match.file), nil) }
    if let match {
      return (
        nil,
        AuditDifference(
          kind: .unexpectedHead,
          file: match.file,
          line: match.line,
          sequence: match.line,
          detail: "the expected head is of a record in the middle of a run"
        )
      )
    }
    return (
      nil,
      AuditDifference(kind: .unexpectedHead, file: "", detail: "no record has the expected head")
    )
  }
}
