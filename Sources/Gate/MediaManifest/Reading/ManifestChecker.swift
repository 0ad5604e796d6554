internal import MediaModel
internal import MediaSyntax

/// The keys that an object may have.
struct KeySet {
  /// In the order in which a message lists them.
  var names: [String]
  /// Keys that belong to another object, and the name of that object.
  var elsewhere: [String: String] = [:]
  /// Keys that would grant something where only denying is possible.
  var granting: [String] = []
}

/// A value to check: a member of an object, or an element of a list.
struct Field {
  let node: JSONNode
  /// The JSON path of the value.
  let path: String
  /// The position of its key; for an element that of the value.
  let keyPosition: TextPosition

  init(root: JSONNode) {
    self.init(root, path: JSONPath.root)
  }

  init(_ member: JSONMember, in path: String) {
    node = member.value
    self.path = JSONPath.member(path, member.key)
    keyPosition = member.keyPosition
  }

  private init(_ node: JSONNode, path: String) {
    self.node = node
    self.path = path
    keyPosition = node.position
  }

  /// The elements of a list.
  func elements(_ nodes: [JSONNode]) -> [Field] {
    nodes.enumerated().map { Field($1, path: JSONPath.element(path, $0)) }
  }
}

/// An object whose keys were checked.
struct CheckedObject {
  let members: [JSONMember]
  let field: Field

  /// The value under a key, or nil.
  subscript(name: String) -> Field? {
    members.first { $0.isNamed(name) }.map { Field($0, in: field.path) }
  }
}

/// Checks the values of a manifest and collects the issues. Each check returns nil for a value that
/// has one.
struct ManifestChecker {
  private(set) var issues: [ManifestIssue] = []

  private var isFull: Bool { issues.count >= SyntaxIssue.maximumCount }

  /// Reports an issue of a value at its position, or at that of its key.
  mutating func report(
    _ code: ManifestIssueCode,
    _ message: String,
    at field: Field,
    atKey: Bool = false,
    allowed: [String] = [],
    suggestion: String? = nil
  ) {
    let issue = ValueIssue(code, message, allowed: allowed, suggestion: suggestion)
    report(issue, at: atKey ? field.keyPosition : field.node.position, path: field.path)
  }

  mutating func report(_ issue: ValueIssue, at position: TextPosition, path: String) {
    guard !isFull else { return }
    issues.append(ManifestIssue(position: position, path: path, issue: issue))
  }

  mutating func reportWrongType(_ field: Field, expected: String) {
    // A damaged value was reported when the text was read.
    if case .damaged = field.node.value { return }
    report(.wrongType, "\(expected) is expected, not \(field.node.kind)", at: field)
  }

  // MARK: - Objects and lists

  /// An object, after its keys were checked.
  mutating func object(_ field: Field, keys: KeySet) -> CheckedObject? {
    guard case .object(let members) = field.node.value else {
      reportWrongType(field, expected: "an object")
      return nil
    }
    for member in members where !keys.names.contains(where: member.isNamed) {
      // The edit distance is expensive, so stop when the list of issues is full.
      if isFull { break }
      report(issue(in: member, keys: keys), at: member.keyPosition, path: field.path)
    }
    return CheckedObject(members: members, field: field)
  }

  private func issue(in member: JSONMember, keys: KeySet) -> ValueIssue {
    let key = Spelling.quoted(member.key)
    if keys.granting.contains(where: member.isNamed) {
      return ValueIssue(.policyOnlyDenies, "a policy only denies, and has no \(key)", allowed: keys.names)
    }
    if let owner = keys.elsewhere.first(where: { member.isNamed($0.key) })?.value {
      return ValueIssue(.notApplicable, "\(key) belongs to \(owner)", allowed: keys.names)
    }
    return ValueIssue(
      .unknownKey,
      "unknown key \(key)",
      allowed: keys.names,
      suggestion: Spelling.nearest(to: member.key, among: keys.names)
    )
  }

  /// The value under a key that must be there; `example` is JSON that would do.
  mutating func required(_ key: String, such example: String, in object: CheckedObject) -> Field? {
    if let field = object[key] { return field }
    report(
      ValueIssue(.missingKey, "the key \"\(key)\" is missing", example: "\"\(key)\": \(example)"),
      at: object.field.node.position,
      path: object.field.path
    )
    return nil
  }

  /// The elements of a list, at most `limit`.
  mutating func list(
    _ field: Field,
    limit: Int = .max,
    of what: String = "",
    expected: String = "a list"
  ) -> [Field]? {
    guard case .array(let elements) = field.node.value else {
      reportWrongType(field, expected: expected)
      return nil
    }
    guard elements.count <= limit else {
      report(.outOfRange, "more than \(limit) \(what)", at: field)
      return nil
    }
    return field.elements(elements)
  }

  // MARK: - Single values

  /// A string of 1 to `limit` characters; one for people must have a character that can be seen.
  mutating func text(_ field: Field, limit: Int, blank: String? = nil) -> String? {
    guard case .string(let text) = field.node.value else {
      reportWrongType(field, expected: "a string")
      return nil
    }
    if text.unicodeScalars.isEmpty {
      report(.invalidText, "the text is empty", at: field)
    } else if text.unicodeScalars.count > limit {
      report(.invalidText, "the text is longer than \(limit) characters", at: field)
    } else if let blank, Blank.isBlank(text) {
      report(.invalidText, blank, at: field)
    } else {
      return text
    }
    return nil
  }

  /// A string in a notation of its own, which `parse` understands.
  mutating func text<Value>(
    _ field: Field,
    as parse: (String) throws(ValueIssue) -> Value
  ) -> Value? {
    guard case .string(let text) = field.node.value else {
      reportWrongType(field, expected: "a string")
      return nil
    }
    do throws(ValueIssue) {
      return try parse(text)
    } catch {
      report(error, at: field.node.position, path: field.path)
      return nil
    }
  }

  /// A path as the operating system takes it, relative to the manifest or absolute.
  mutating func path(_ field: Field) -> String? { text(field, limit: 4096) }

  /// The path of a file and its SHA-256, hexadecimal in small letters.
  mutating func pinnedPath(_ field: Field) -> (file: String?, sha256: String?) {
    guard let object = object(field, keys: KeySet(names: ["file", "sha256"])),
      let file = required("file", such: #""labels.csv""#, in: object),
      let digest = required("sha256", such: #""e3b0c442…""#, in: object)
    else { return (nil, nil) }
    guard let text = text(digest, limit: 64) else { return (path(file), nil) }
    if text.utf8.count == 64, text.utf8.allSatisfy({ $0.isASCIIDigit || 0x61...0x66 ~= $0 }) {
      return (path(file), text)
    }
    report(.invalidText, "a SHA-256 is expected, 64 hexadecimal digits in small letters", at: digest)
    return (path(file), nil)
  }

  mutating func flag(_ field: Field) -> Bool? {
    if case .bool(let value) = field.node.value { return value }
    reportWrongType(field, expected: "true or false")
    return nil
  }

  mutating func integer(_ field: Field, _ range: ClosedRange<Int>) -> Int? {
    guard case .number(let integer) = field.node.value else {
      reportWrongType(field, expected: "a whole number")
      return nil
    }
    if let integer, range.contains(integer) { return integer }
    report(
      .outOfRange,
      "a whole number from \(range.lowerBound) to \(range.upperBound) is expected, "
        + "written with digits only",
      at: field
    )
    return nil
  }

  /// One of a fixed set of words.
  mutating func word<Word>(_ field: Field, _ words: [(String, Word)]) -> Word? {
    guard case .string(let text) = field.node.value else {
      reportWrongType(field, expected: "a string")
      return nil
    }
    if let match = words.first(where: { $0.0.utf8.elementsEqual(text.utf8) }) { return match.1 }
    let allowed = words.map(\.0)
    report(
      .unknownValue,
      "unknown value \(Spelling.quoted(text))",
      at: field,
      allowed: allowed,
      suggestion: Spelling.nearest(to: text, among: allowed)
    )
    return nil
  }

  mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ field: Field,
    as type: Word.Type = Word.self
  ) -> Word? {
    word(field, type.allCases.map { ($0.rawValue, $0) })
  }

  /// `$schema`: editors use it; it is never fetched, so any text will do.
  mutating func schema(_ field: Field) {
    if case .string = field.node.value { return }
    reportWrongType(field, expected: "a string")
  }

  mutating func version(_ field: Field, of files: String) {
    guard case .number(let integer) = field.node.value else {
      return reportWrongType(field, expected: "the number 1")
    }
    if integer == 1 { return }
    let message = "this version of mediabatch knows \(files) of version 1"
    report(.unknownValue, message, at: field, allowed: ["1"])
  }
}
