/// A value in a property list, as far as an Info.plist is understood.
enum PropertyListValue {
  case string(String)
  case boolean(Bool)
  /// Anything else, by what a person calls it.
  case other(String)

  /// What it is, in a person's words.
  var kind: String {
    switch self {
    case .string: "a string"
    case .boolean: "true or false"
    case .other(let kind): kind
    }
  }
}

/// A key of the outermost dictionary, its value, and where the key stands.
struct PropertyListMember {
  var key: String
  /// Bytes from the start of the file.
  var offset: Int
  var value: PropertyListValue
}

/// What one of the two readers found.
struct PropertyListResult {
  var members: [PropertyListMember] = []
  var issues: [PropertyListIssue] = []
}

/// A mistake by its offset; lines and columns are counted once, for all of them.
struct PropertyListIssue: Error {
  var issue: ValueIssue
  var offset: Int
  var path: String

  init(
    _ code: ManifestIssueCode,
    _ message: String,
    at offset: Int = 0,
    path: String = JSONPath.root
  ) {
    issue = ValueIssue(code, message)
    self.offset = offset
    self.path = path
  }

  func placed(in bytes: [UInt8]) -> ManifestIssue {
    var scanner = JSONScanner(bytes)
    return placed(with: &scanner)
  }

  private func placed(with scanner: inout JSONScanner) -> ManifestIssue {
    while scanner.index < offset, scanner.current != nil { scanner.advance() }
    return ManifestIssue(position: scanner.position, path: path, issue: issue)
  }

  /// The mistakes in the order of their places, at most 1,000; a binary file has no lines.
  static func placed(_ issues: [PropertyListIssue], in bytes: [UInt8]) -> [ManifestIssue] {
    var scanner = JSONScanner(bytes.starts(with: BinaryPropertyList.magic) ? [] : bytes)
    return issues.enumerated()
      .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .prefix(JSONScanner.maximumIssueCount)
      .map { $0.element.placed(with: &scanner) }
  }
}

/// Keys of one dictionary, so that a second one is seen; compared byte by byte.
struct PropertyListKeys {
  private var found: Set<[UInt8]> = []

  /// False for a key that was there already.
  mutating func insert(_ key: String) -> Bool { found.insert(Array(key.utf8)).inserted }

  static func duplicate(_ key: String, at offset: Int, path: String) -> PropertyListIssue {
    PropertyListIssue(
      .duplicateKey,
      "the key \(Spelling.quoted(key)) is there twice; readers disagree which one counts",
      at: offset,
      path: path
    )
  }
}
