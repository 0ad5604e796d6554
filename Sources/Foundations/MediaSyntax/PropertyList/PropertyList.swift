/// A value in a property list, as far as its readers need it.
package enum PropertyListValue: Sendable {
  case string(String)
  case boolean(Bool)
  /// A whole number within 64 bits with a sign.
  case integer(Int)
  /// Any other value, by its name for a person.
  case other(String)

  /// The name of the value's type for a person.
  package var kind: String {
    switch self {
    case .string: "a string"
    case .boolean: "true or false"
    case .integer: "a number"
    case .other(let kind): kind
    }
  }
}

/// A key of the outermost dictionary and its value.
package struct PropertyListMember: Sendable {
  package var key: String
  /// The key's offset in bytes from the start of the file.
  package var offset: Int
  package var value: PropertyListValue
}

/// The result of reading a property list: its outermost dictionary, and everything wrong with it.
package struct PropertyListReading: Sendable {
  package var members: [PropertyListMember] = []
  package var issues: [PropertyListIssue] = []

  /// Reads a property list, XML or binary.
  ///
  /// Two readers of our own, because Foundation accepts a dictionary that has a key twice. No
  /// external entity is fetched, and no entity can be declared.
  package init(_ bytes: [UInt8]) {
    self =
      bytes.starts(with: BinaryPropertyList.magic)
      ? BinaryPropertyList.read(bytes) : XMLPropertyList.read(bytes)
  }

  package init(members: [PropertyListMember] = [], issues: [PropertyListIssue] = []) {
    self.members = members
    self.issues = issues
  }
}

/// An error with its offset; lines and columns are counted once for all of them.
package struct PropertyListIssue: Error, Sendable {
  let code: SyntaxIssue.Code
  let message: String
  let offset: Int
  let path: String

  package init(
    _ code: SyntaxIssue.Code,
    _ message: String,
    at offset: Int = 0,
    path: String = JSONPath.root
  ) {
    self.code = code
    self.message = message
    self.offset = offset
    self.path = path
  }

  /// The issues sorted by position, at most ``SyntaxIssue/maximumCount``. Those of a binary file,
  /// which has no lines, are all at the start.
  package static func positioned(
    _ issues: [PropertyListIssue],
    in bytes: [UInt8]
  ) -> [SyntaxIssue] {
    var scanner = JSONScanner(bytes.starts(with: BinaryPropertyList.magic) ? [] : bytes)
    return issues.enumerated()
      .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .prefix(SyntaxIssue.maximumCount)
      .map { _, issue in
        while scanner.index < issue.offset, scanner.current != nil { scanner.advance() }
        return SyntaxIssue(
          position: scanner.position,
          path: issue.path,
          code: issue.code,
          message: issue.message
        )
      }
  }
}

/// The keys of one dictionary, compared byte by byte, to find a repeated one.
struct PropertyListKeys {
  private var keys: Set<[UInt8]> = []

  /// Returns false for a key that was there already.
  mutating func insert(_ key: String) -> Bool { keys.insert(Array(key.utf8)).inserted }

  static func duplicate(_ key: String, at offset: Int, path: String) -> PropertyListIssue {
    PropertyListIssue(
      .duplicateKey,
      "the key \(Spelling.quoted(key)) is there twice; readers disagree which one counts",
      at: offset,
      path: path
    )
  }
}
