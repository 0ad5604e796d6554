internal import MediaModel

/// Reads a property list in XML: as much of XML as Apple's tools write, and nothing that could mean
/// two things.
///
/// Source: PropertyList-1.0.dtd; Extensible Markup Language 1.0, of which this is a part.
struct XMLPropertyList {
  private static let maximumDepth = 64
  private static let maximumValueCount = 1_000_000

  var scanner: XMLScanner
  private var result = PropertyListResult()
  private var valueCount = 0

  private init(_ bytes: [UInt8]) {
    scanner = XMLScanner(bytes)
  }

  /// Stops at the first thing that is no property list; goes on behind a repeated key.
  static func read(_ bytes: [UInt8]) -> PropertyListResult {
    var reader = XMLPropertyList(bytes)
    do throws(PropertyListIssue) {
      try reader.document()
    } catch {
      reader.result.issues.append(error)
    }
    return reader.result
  }

  private mutating func document() throws(PropertyListIssue) {
    try scanner.prolog()
    let root = try scanner.startTag(allowsAttributes: true)
    guard root.isNamed("plist") else {
      throw PropertyListIssue(
        .syntax,
        "<\(root.shownName)> where <plist> is expected",
        at: root.offset
      )
    }
    if !root.isEmpty {
      try scanner.skipBlank()
      if !scanner.isAtEndTag {
        let tag = try scanner.startTag()
        if tag.isNamed("dict") {
          try dictionary(tag, depth: 1, path: JSONPath.root)
        } else {
          let value = try value(tag, depth: 1, path: JSONPath.root)
          throw PropertyListIssue(
            .wrongType,
            "a dictionary is expected, not \(value.kind)",
            at: tag.offset
          )
        }
        try scanner.skipBlank()
        try scanner.endTag("plist")
        try scanner.skipBlank()
        if !scanner.isAtEnd { throw scanner.issue("more behind the end of the property list") }
        return
      }
    }
    throw PropertyListIssue(.syntax, "the property list is empty", at: root.offset)
  }

  private mutating func dictionary(
    _ tag: XMLTag,
    depth: Int,
    path: String
  ) throws(PropertyListIssue) {
    if tag.isEmpty { return }
    var keys = PropertyListKeys()
    while true {
      try scanner.skipBlank()
      if scanner.isAtEndTag { break }
      let keyTag = try scanner.startTag()
      guard keyTag.isNamed("key") else {
        throw PropertyListIssue(
          .syntax,
          "<\(keyTag.shownName)> where <key> is expected",
          at: keyTag.offset,
          path: path
        )
      }
      let key = try scanner.text(of: keyTag)
      if !keys.insert(key) {
        result.issues.append(PropertyListKeys.duplicate(key, at: keyTag.offset, path: path))
      }
      try scanner.skipBlank()
      if scanner.isAtEndTag {
        throw scanner.issue("the key \(Spelling.quoted(key)) has no value", path: path)
      }
      let value = try value(
        try scanner.startTag(),
        depth: depth + 1,
        path: JSONPath.member(path, key)
      )
      if depth == 1 {
        result.members.append(
          PropertyListMember(key: key, offset: keyTag.offset, value: value)
        )
      }
    }
    try scanner.endTag("dict")
  }

  private mutating func value(
    _ tag: XMLTag,
    depth: Int,
    path: String
  ) throws(PropertyListIssue) -> PropertyListValue {
    valueCount += 1
    guard valueCount <= Self.maximumValueCount else {
      throw PropertyListIssue(.tooManyValues, "more than 1,000,000 values", at: tag.offset)
    }
    guard depth <= Self.maximumDepth else {
      throw PropertyListIssue(
        .tooDeep,
        "more than \(Self.maximumDepth) lists and dictionaries within each other",
        at: tag.offset
      )
    }
    switch tag.shownName {
    case "string": return .string(try scanner.text(of: tag))
    case "true", "false":
      if !tag.isEmpty { try scanner.endTag(tag.shownName) }
      return .boolean(tag.shownName == "true")
    case "integer", "real":
      _ = try scanner.text(of: tag)
      return .other("a number")
    case "date":
      _ = try scanner.text(of: tag)
      return .other("a date")
    case "data":
      _ = try scanner.text(of: tag)
      return .other("data")
    case "dict":
      try dictionary(tag, depth: depth, path: path)
      return .other("a dictionary")
    case "array":
      if tag.isEmpty { return .other("a list") }
      var index = 0
      while true {
        try scanner.skipBlank()
        if scanner.isAtEndTag { break }
        let element = JSONPath.element(path, index)
        _ = try value(try scanner.startTag(), depth: depth + 1, path: element)
        index += 1
      }
      try scanner.endTag("array")
      return .other("a list")
    default:
      throw PropertyListIssue(
        .syntax,
        "<\(tag.shownName)>, which no property list has",
        at: tag.offset,
        path: path
      )
    }
  }
}
