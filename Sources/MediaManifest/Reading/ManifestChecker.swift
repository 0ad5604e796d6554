internal import MediaModel
internal import MediaSyntax

/// The keys that may stand in one object.
struct KeySet {
  /// In the order in which a message lists them.
  var known: [String]
  /// Part of the format, but not of this version.
  var later: [String] = []
  /// Keys that belong elsewhere, and where.
  var elsewhere: [String: String] = [:]
  /// Keys that would grant something where only denying is possible.
  var granting: [String] = []
}

/// An object whose keys were checked.
struct CheckedObject {
  var members: [JSONMember]
  var position: TextPosition
  var path: String

  func member(_ name: String) -> JSONMember? { members.first { $0.isNamed(name) } }

  func path(of key: String) -> String { JSONPath.member(path, key) }
}

/// Collects what is wrong with the values of a manifest; each check says all that it can and
/// returns nil when it said something.
struct ManifestChecker {
  private(set) var issues: [ManifestIssue] = []

  private var isFull: Bool { issues.count >= SyntaxIssue.maximumCount }

  mutating func report(_ issue: ValueIssue, at position: TextPosition, path: String) {
    guard !isFull else { return }
    issues.append(ManifestIssue(position: position, path: path, issue: issue))
  }

  mutating func reportWrongType(_ node: JSONNode, path: String, expected: String) {
    if case .damaged = node.value { return }
    report(
      ValueIssue(.wrongType, "\(expected) is expected, not \(node.kind)"),
      at: node.position,
      path: path
    )
  }

  /// The object at a place, once every key in it was looked at.
  mutating func object(_ node: JSONNode, path: String, keys: KeySet) -> CheckedObject? {
    guard case .object(let members) = node.value else {
      reportWrongType(node, path: path, expected: "an object")
      return nil
    }
    for member in members where !keys.known.contains(where: member.isNamed) {
      // Finding the nearest word is dear, and nobody reads the hundred thousandth.
      if isFull { break }
      report(issue(in: member, keys: keys), at: member.keyPosition, path: path)
    }
    return CheckedObject(members: members, position: node.position, path: path)
  }

  private func issue(in member: JSONMember, keys: KeySet) -> ValueIssue {
    let key = Spelling.quoted(member.key)
    if keys.later.contains(where: member.isNamed) {
      return ValueIssue(
        .notYetSupported,
        "\(key) is not supported by this version of mediabatch"
      )
    }
    if keys.granting.contains(where: member.isNamed) {
      return ValueIssue(
        .policyOnlyDenies,
        "\(key) in a policy, which only denies and grants nothing",
        allowed: keys.known
      )
    }
    if let place = keys.elsewhere.first(where: { member.isNamed($0.key) })?.value {
      return ValueIssue(.notApplicable, "\(key) belongs to \(place)", allowed: keys.known)
    }
    return ValueIssue(
      .unknownKey,
      "unknown key \(key)",
      allowed: keys.known,
      suggestion: Spelling.nearest(to: member.key, among: keys.known)
    )
  }

  /// The member of that name, which has to be there.
  mutating func required(_ key: String, in object: CheckedObject) -> JSONMember? {
    if let member = object.member(key) { return member }
    report(
      ValueIssue(.missingKey, "the key \"\(key)\" is missing"),
      at: object.position,
      path: object.path
    )
    return nil
  }

  mutating func text(_ member: JSONMember?, in object: CheckedObject, limit: Int) -> String? {
    guard let member else { return nil }
    let path = object.path(of: member.key)
    guard case .string(let text) = member.value.value else {
      reportWrongType(member.value, path: path, expected: "a string")
      return nil
    }
    if text.unicodeScalars.isEmpty {
      report(
        ValueIssue(.invalidText, "the text is empty"),
        at: member.value.position,
        path: path
      )
      return nil
    }
    guard text.unicodeScalars.count <= limit else {
      report(
        ValueIssue(.invalidText, "the text is longer than \(limit) characters"),
        at: member.value.position,
        path: path
      )
      return nil
    }
    return text
  }

  /// A path as the operating system takes it, relative to the manifest or not.
  mutating func path(_ member: JSONMember?, in object: CheckedObject) -> String? {
    text(member, in: object, limit: 4096)
  }

  mutating func flag(_ member: JSONMember?, in object: CheckedObject) -> Bool? {
    guard let member else { return nil }
    guard case .bool(let value) = member.value.value else {
      reportWrongType(
        member.value,
        path: object.path(of: member.key),
        expected: "true or false"
      )
      return nil
    }
    return value
  }

  mutating func integer(_ node: JSONNode, path: String, range: ClosedRange<Int>) -> Int? {
    guard case .number(let integer) = node.value else {
      reportWrongType(node, path: path, expected: "a whole number")
      return nil
    }
    guard let integer, range.contains(integer) else {
      report(
        ValueIssue(
          .outOfRange,
          "a whole number from \(range.lowerBound) to \(range.upperBound) is expected, "
            + "written with digits only"
        ),
        at: node.position,
        path: path
      )
      return nil
    }
    return integer
  }

  /// One of a fixed set of words.
  mutating func word<Word>(
    _ node: JSONNode,
    path: String,
    words: [(String, Word)],
    later: [String] = []
  ) -> Word? {
    guard case .string(let text) = node.value else {
      reportWrongType(node, path: path, expected: "a string")
      return nil
    }
    if let match = words.first(where: { $0.0.utf8.elementsEqual(text.utf8) }) { return match.1 }
    let allowed = words.map(\.0)
    if later.contains(where: { $0.utf8.elementsEqual(text.utf8) }) {
      report(
        ValueIssue(
          .notYetSupported,
          "\(Spelling.quoted(text)) is not supported by this version of mediabatch",
          allowed: allowed
        ),
        at: node.position,
        path: path
      )
    } else {
      report(
        ValueIssue(
          .unknownValue,
          "unknown value \(Spelling.quoted(text))",
          allowed: allowed,
          suggestion: Spelling.nearest(to: text, among: allowed + later)
        ),
        at: node.position,
        path: path
      )
    }
    return nil
  }

  mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ member: JSONMember?,
    in object: CheckedObject,
    as type: Word.Type,
    later: [String] = []
  ) -> Word? {
    guard let member else { return nil }
    return word(
      member.value,
      path: object.path(of: member.key),
      words: type.allCases.map { ($0.rawValue, $0) },
      later: later
    )
  }
}
