internal import MediaModel
internal import MediaSyntax

/// A piece of a predicate's text.
struct PredicateToken: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    /// A key, an operator or a constant.
    case word(String)
    case text(String)
    case integer(Int64)
    case real(Double)
    /// A date without quotes.
    case date(String)
    /// A sign, in its shortest form.
    case sign(String)
    case end
  }

  var content: Content
  /// 1-based, in Unicode scalars.
  var column: Int

  /// The token in a sentence.
  var shown: String {
    switch content {
    case .word(let word): Spelling.quoted(word)
    case .text(let text): "the text \(Spelling.quoted(text))"
    case .integer(let value): "the number \(value)"
    case .real(let value): "the number \(value)"
    case .date(let text): "the date \(text)"
    case .sign(let sign): "\"\(sign)\""
    case .end: "the end"
    }
  }
}

/// Splits a predicate's text into tokens.
struct PredicateLexer {
  private let scalars: [Unicode.Scalar]
  private var index = 0

  /// - Throws: ``PredicateIssue`` when the text is too long.
  init(_ text: String) throws(PredicateIssue) {
    // A character more is enough to see that it is too long.
    scalars = Array(text.unicodeScalars.prefix(FetchPredicate.maximumLength + 1))
    if scalars.count > FetchPredicate.maximumLength {
      throw PredicateIssue(
        FetchPredicate.maximumLength + 1,
        "the predicate has more than \(FetchPredicate.maximumLength) characters"
      )
    }
  }

  /// All tokens, and one for the end.
  mutating func tokens() throws(PredicateIssue) -> [PredicateToken] {
    var tokens: [PredicateToken] = []
    while true {
      while let scalar = peek(), scalar.properties.isWhitespace { index += 1 }
      let column = index + 1
      guard let scalar = peek() else {
        return tokens + [PredicateToken(content: .end, column: column)]
      }
      tokens.append(PredicateToken(content: try content(from: scalar), column: column))
    }
  }

  private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    index + offset < scalars.count ? scalars[index + offset] : nil
  }

  private mutating func content(
    from scalar: Unicode.Scalar
  ) throws(PredicateIssue) -> PredicateToken.Content {
    if scalar == "\"" || scalar == "'" { return .text(try quoted(scalar)) }
    if Self.isDigit(scalar) || (scalar == "-" && peek(1).map(Self.isDigit) == true) {
      return try number()
    }
    if Self.isWordStart(scalar) {
      let start = index
      while let next = peek(), Self.isWordPart(next) { index += 1 }
      return .word(string(start))
    }
    for sign in Self.signs where matches(sign.written) {
      index += sign.written.unicodeScalars.count
      return .sign(sign.meant)
    }
    let shown = Spelling.quoted(String(scalar))
    switch scalar {
    case "%", "$":
      throw PredicateIssue(index + 1, "\(shown): write the value itself, there are no arguments")
    case "\u{201C}", "\u{201D}", "\u{2018}", "\u{2019}":
      throw PredicateIssue(index + 1, "\(shown): a text has to stand in straight quotes")
    default: throw PredicateIssue(index + 1, "\(shown) has no meaning here")
    }
  }

  /// Operators as they are written and in their shortest forms, longer ones first.
  private static let signs: [(written: String, meant: String)] = [
    ("==", "=="), ("!=", "!="), ("<>", "!="), ("<=", "<="), ("=<", "<="), (">=", ">="),
    ("=>", ">="), ("&&", "&&"), ("||", "||"), ("=", "=="), ("<", "<"), (">", ">"), ("!", "!"),
    ("&", "&"), ("|", "|"), ("(", "("), (")", ")"), ("{", "{"), ("}", "}"), ("[", "["), ("]", "]"),
    (",", ","),
  ]

  private func matches(_ sign: String) -> Bool {
    sign.unicodeScalars.enumerated().allSatisfy { peek($0.offset) == $0.element }
  }

  /// A text in quotes; a backslash takes the character behind it as it is.
  private mutating func quoted(_ quote: Unicode.Scalar) throws(PredicateIssue) -> String {
    let column = index + 1
    index += 1
    var text = ""
    while let scalar = peek() {
      index += 1
      if scalar == quote { return text }
      var meant = scalar
      if scalar == "\\", let next = peek() {
        index += 1
        meant = next
      }
      if meant == "\0" { throw PredicateIssue(index, "a text cannot have the character U+0000") }
      text.unicodeScalars.append(meant)
    }
    throw PredicateIssue(column, "the quote that begins here is never closed")
  }

  private mutating func number() throws(PredicateIssue) -> PredicateToken.Content {
    let start = index
    if isDate {
      while let scalar = peek(), Self.isDatePart(scalar) { index += 1 }
      return .date(string(start))
    }
    index += 1
    while let scalar = peek(), Self.isDigit(scalar) { index += 1 }
    var isWhole = true
    if peek() == ".", peek(1).map(Self.isDigit) == true {
      isWhole = false
      index += 1
      while let scalar = peek(), Self.isDigit(scalar) { index += 1 }
    }
    if let scalar = peek(), Self.isWordPart(scalar) {
      throw PredicateIssue(index + 1, "a number ends before \(Spelling.quoted(String(scalar)))")
    }
    let text = string(start)
    if isWhole {
      guard let value = Int64(text) else {
        throw PredicateIssue(start + 1, "the number has more than 64 bits")
      }
      return .integer(value)
    }
    guard let value = Double(text), value.isFinite else {
      throw PredicateIssue(start + 1, "the number is too large")
    }
    return .real(value)
  }

  /// Whether four digits and a hyphen come next; no number is subtracted from another here.
  private var isDate: Bool {
    (0..<4).allSatisfy { peek($0).map(Self.isDigit) == true } && peek(4) == "-"
  }

  private func string(_ start: Int) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<index])
    return String(text)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isWordStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic
  }

  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    isWordStart(scalar) || isDigit(scalar) || scalar == "."
  }

  private static func isDatePart(_ scalar: Unicode.Scalar) -> Bool {
    isDigit(scalar) || "-:.+TZtz".unicodeScalars.contains(scalar)
  }
}
