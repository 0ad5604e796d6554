internal import MediaModel

extension SelectionPattern.Component {
  /// Whether the component matches a name; `**` is handled by the pattern.
  func matches(_ name: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .any: true
    case .literal(let bytes): name.elementsEqual(bytes)
    case .wildcard(let tokens):
      Wildcards.match(tokens, name, isRun: { $0 == .run }, matches: { $0.matches($1) })
        .map { tokens[$0...].allSatisfy { $0 == .run } } ?? false
    }
  }
}

/// The matching of a pattern in which some parts stand for a run of any length.
enum Wildcards {
  /// Returns the index of the first part that is left when all items are matched; nil for no match.
  ///
  /// Only the last run needs a retry, since it can match all that an earlier one could: this takes
  /// at most parts × items steps.
  static func match<Part, Items: RandomAccessCollection>(
    _ parts: [Part],
    _ items: Items,
    isRun: (Part) -> Bool,
    matches: (Part, Items.Element) -> Bool
  ) -> Int? {
    var part = 0
    var index = items.startIndex
    var retry: (part: Int, index: Items.Index)?
    while index < items.endIndex {
      if part < parts.count, isRun(parts[part]) {
        retry = (part, index)
        part += 1
      } else if part < parts.count, matches(parts[part], items[index]) {
        part += 1
        index = items.index(after: index)
      } else if let last = retry {
        index = items.index(after: last.index)
        retry = (last.part, index)
        part = last.part + 1
      } else {
        return nil
      }
    }
    return part
  }
}

/// Parses one component of a selection pattern.
struct PatternComponentParser {
  private let text: [UInt8]
  /// What the pattern is relative to, for messages.
  private let folder: String
  private var index = 0

  /// - Throws: `.invalidPattern`.
  static func component(
    _ text: [UInt8],
    in folder: String
  ) throws(ValueIssue) -> SelectionPattern.Component {
    if text.isEmpty {
      throw ValueIssue(.invalidPattern, "the pattern has nothing between two \"/\", or ends in one")
    }
    if text.elementsEqual("**".utf8) { return .any }
    var parser = PatternComponentParser(text: text, folder: folder)
    return try parser.parse()
  }

  private init(text: [UInt8], folder: String) {
    (self.text, self.folder) = (text, folder)
  }

  private mutating func parse() throws(ValueIssue) -> SelectionPattern.Component {
    var tokens: [SelectionPattern.Token] = []
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "*"):
        if tokens.last == .run {
          throw ValueIssue(.invalidPattern, "\"**\" has to stand alone between two \"/\"")
        }
        tokens.append(.run)
        index += 1
      case UInt8(ascii: "?"):
        tokens.append(.anyByte)
        index += 1
      case UInt8(ascii: "["):
        index += 1
        tokens.append(try set())
      default:
        tokens.append(.byte(try byte()))
      }
    }
    var name: [UInt8] = []
    for token in tokens {
      guard case .byte(let byte) = token else { return .wildcard(tokens) }
      name.append(byte)
    }
    if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) {
      throw ValueIssue(.invalidPattern, "a pattern cannot have \".\" or \"..\"; it never leaves \(folder)")
    }
    return .literal(name)
  }

  /// A literal byte, or one written as `%XX`.
  private mutating func byte() throws(ValueIssue) -> UInt8 {
    let byte = text[index]
    guard byte == UInt8(ascii: "%"), text.count - index > 2,
      let high = Hexadecimal.value(of: text[index + 1]),
      let low = Hexadecimal.value(of: text[index + 2])
    else {
      index += 1
      return byte
    }
    index += 3
    let value = high << 4 | low
    if value == 0 || value == .slash {
      throw ValueIssue(
        .invalidPattern,
        "\(value == 0 ? "%00" : "%2F") stands for a byte that no file name has"
      )
    }
    return value
  }

  /// Parses a set behind its `[`, up to and with its `]`.
  private mutating func set() throws(ValueIssue) -> SelectionPattern.Token {
    var isNegated = false
    if index < text.count, text[index] == UInt8(ascii: "!") || text[index] == UInt8(ascii: "^") {
      isNegated = true
      index += 1
    }
    var ranges: [ClosedRange<UInt8>] = []
    while index < text.count {
      if text[index] == UInt8(ascii: "]"), !ranges.isEmpty {
        index += 1
        return .set(ranges, isNegated: isNegated)
      }
      let first = try member()
      var last = first
      if text.count - index > 1, text[index] == .hyphen,
        text[index + 1] != UInt8(ascii: "]")
      {
        index += 1
        last = try member()
      }
      guard first <= last else {
        throw ValueIssue(.invalidPattern, "a range in \"[…]\" runs backwards")
      }
      ranges.append(first...last)
    }
    throw ValueIssue(
      .invalidPattern,
      "\"[\" has no \"]\" before the next \"/\"; for the character itself write %5B"
    )
  }

  private mutating func member() throws(ValueIssue) -> UInt8 {
    if text[index] >= 0x80 {
      throw ValueIssue(.invalidPattern, "a character in \"[…]\" has more than one byte; use \"*\"")
    }
    if text[index] == UInt8(ascii: "["), text.count - index > 1,
      [UInt8.colon, UInt8.dot, UInt8(ascii: "=")].contains(text[index + 1])
    {
      throw ValueIssue(
        .invalidPattern,
        "\"[…]\" takes no named sets, which begin with \"[:\", \"[.\" or \"[=\""
      )
    }
    return try byte()
  }
}
