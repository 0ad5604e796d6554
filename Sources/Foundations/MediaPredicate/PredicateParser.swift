internal import MediaModel
internal import MediaSyntax

/// Parses a predicate: `OR` binds less than `AND`, that less than `NOT`.
struct PredicateParser {
  private let tokens: [PredicateToken]
  private var position = 0
  private var count = 0

  /// A part in parentheses is a condition or one side of a comparison.
  private enum Part {
    case condition(PredicateNode)
    case operand(PredicateOperand)
  }

  init(_ text: String) throws(PredicateIssue) {
    var lexer = try PredicateLexer(text)
    tokens = try lexer.tokens()
  }

  /// The whole text as a condition.
  mutating func predicate() throws(PredicateIssue) -> PredicateNode {
    if token.content == .end { throw PredicateIssue(1, "the predicate is empty") }
    let part = try disjunction(depth: 0)
    let node = try condition(part)
    guard token.content == .end else {
      throw PredicateIssue(token.column, "AND, OR or the end is expected, not \(token.shown)")
    }
    return node
  }

  // MARK: - Tokens

  private var token: PredicateToken { tokens[position] }

  private mutating func advance() -> PredicateToken {
    let token = tokens[position]
    if token.content != .end { position += 1 }
    return token
  }

  private mutating func take(sign: String) -> Bool {
    guard token.content == .sign(sign) else { return false }
    position += 1
    return true
  }

  /// Takes a word of the language, in any case.
  private mutating func take(word: String) -> Bool {
    guard isNext(word) else { return false }
    position += 1
    return true
  }

  private func isNext(_ word: String) -> Bool {
    guard case .word(let text) = token.content else { return false }
    return text.utf8.count == word.utf8.count && text.uppercased() == word
  }

  private mutating func expect(sign: String, _ after: String) throws(PredicateIssue) {
    if take(sign: sign) { return }
    throw PredicateIssue(token.column, "\"\(sign)\" is expected \(after), not \(token.shown)")
  }

  /// Counts a comparison or a value.
  private mutating func add(at column: Int) throws(PredicateIssue) {
    count += 1
    if count > FetchPredicate.maximumCount {
      throw PredicateIssue(
        column,
        "the predicate has more than \(FetchPredicate.maximumCount) comparisons and values"
      )
    }
  }

  private func check(_ depth: Int) throws(PredicateIssue) {
    if depth > FetchPredicate.maximumDepth {
      throw PredicateIssue(
        token.column,
        "parentheses and NOT are more than \(FetchPredicate.maximumDepth) deep"
      )
    }
  }

  // MARK: - Conditions

  private func condition(_ part: Part) throws(PredicateIssue) -> PredicateNode {
    switch part {
    case .condition(let node): return node
    case .operand(let operand):
      if case .key(let subject) = operand.content, subject.key.kind == .flag {
        throw PredicateIssue(token.column, "a comparison is expected, such as == YES")
      }
      if case .word(let word) = operand.content {
        throw .unknown(word, at: operand.column, among: PredicateKey.names + PredicateWord.names)
      }
      throw PredicateIssue(
        token.column,
        "an operator is expected, such as == or CONTAINS, not \(token.shown)"
      )
    }
  }

  private mutating func disjunction(depth: Int) throws(PredicateIssue) -> Part {
    let first = try conjunction(depth: depth)
    var nodes: [PredicateNode] = []
    while take(word: "OR") || take(sign: "||") {
      if nodes.isEmpty { nodes.append(try condition(first)) }
      let next = try conjunction(depth: depth)
      nodes.append(try condition(next))
    }
    return nodes.isEmpty ? first : .condition(.any(nodes))
  }

  private mutating func conjunction(depth: Int) throws(PredicateIssue) -> Part {
    let first = try unit(depth: depth)
    var nodes: [PredicateNode] = []
    while take(word: "AND") || take(sign: "&&") {
      if nodes.isEmpty { nodes.append(try condition(first)) }
      let next = try unit(depth: depth)
      nodes.append(try condition(next))
    }
    return nodes.isEmpty ? first : .condition(.all(nodes))
  }

  private mutating func unit(depth: Int) throws(PredicateIssue) -> Part {
    try check(depth)
    if take(word: "NOT") || take(sign: "!") {
      let part = try unit(depth: depth + 1)
      return .condition(.not(try condition(part)))
    }
    if take(word: "TRUEPREDICATE") { return .condition(.constant(true)) }
    if take(word: "FALSEPREDICATE") { return .condition(.constant(false)) }
    if take(word: "ANY") || take(word: "SOME") { return .condition(try element()) }
    if take(sign: "(") {
      let part = try disjunction(depth: depth + 1)
      try expect(sign: ")", "here")
      guard case .operand(let operand) = part else { return part }
      return try comparison(of: operand)
    }
    return try comparison(of: try operand())
  }

  // MARK: - Comparisons

  /// Parses a side of a comparison, without parentheses.
  private mutating func operand() throws(PredicateIssue) -> PredicateOperand {
    try add(at: token.column)
    let token = advance()
    switch token.content {
    case .word(let word): return PredicateOperand(word: word, column: token.column)
    case .text(let text): return PredicateOperand(content: .text(text), column: token.column)
    case .date(let text): return PredicateOperand(content: .date(text), column: token.column)
    case .integer(let value):
      return PredicateOperand(content: .number(.integer(value)), column: token.column)
    case .real(let value):
      return PredicateOperand(content: .number(.real(value)), column: token.column)
    case .sign, .end:
      throw PredicateIssue(token.column, "a key or a value is expected, not \(token.shown)")
    }
  }

  /// The side behind an operator: an operand with its bits, or one in parentheses.
  private mutating func side(depth: Int = 0) throws(PredicateIssue) -> PredicateOperand {
    try check(depth)
    var side: PredicateOperand
    if take(sign: "(") {
      side = try self.side(depth: depth + 1)
      try expect(sign: ")", "here")
    } else {
      side = try operand()
    }
    while token.content == .sign("&") || token.content == .sign("|") {
      let isMask = advance().content == .sign("&")
      side = try side.combined(with: try operand(), isMask: isMask)
    }
    return side
  }

  private mutating func comparison(of operand: PredicateOperand) throws(PredicateIssue) -> Part {
    var left = operand
    while token.content == .sign("&") || token.content == .sign("|") {
      let isMask = advance().content == .sign("&")
      let right = try side()
      left = try left.combined(with: right, isMask: isMask)
    }
    if case .sign(let sign) = token.content, let relation = PredicateRelation(rawValue: sign) {
      let column = advance().column
      let options = try textOptions()
      return .condition(try left.compared(relation, options, with: try side(), at: column))
    }
    let column = token.column
    if take(word: "IN") { return .condition(try membership(of: left, at: column)) }
    if take(word: "BETWEEN") {
      let values = try list()
      return .condition(try left.between(values, at: column))
    }
    if let comparison = try textOperator() {
      let options = try textOptions()
      return .condition(try left.compared(comparison, options ?? [], with: try side(), at: column))
    }
    return .operand(left)
  }

  private mutating func membership(
    of left: PredicateOperand,
    at column: Int
  ) throws(PredicateIssue) -> PredicateNode {
    if token.content == .sign("{") { return try left.among(try list(), at: column) }
    // `"sea" IN keywords` is `keywords CONTAINS "sea"`.
    return try side().compared(.contains, [], with: left, at: column)
  }

  /// Values in braces.
  private mutating func list() throws(PredicateIssue) -> [PredicateOperand] {
    try expect(sign: "{", "before a list of values")
    var values: [PredicateOperand] = []
    while true {
      values.append(try side())
      if take(sign: "}") { return values }
      try expect(sign: ",", "between values")
    }
  }

  private mutating func element() throws(PredicateIssue) -> PredicateNode {
    let left = try operand()
    guard case .key(let subject) = left.content, subject.key.kind == .list else {
      throw PredicateIssue(left.column, "ANY stands before a list, such as keywords")
    }
    let column = token.column
    if take(sign: "==") {
      let options = try textOptions()
      return try left.element(.equals, options ?? [], try side())
    }
    guard let comparison = try textOperator() else {
      throw PredicateIssue(column, "==, CONTAINS, BEGINSWITH, ENDSWITH or LIKE is expected")
    }
    let options = try textOptions()
    return try left.element(comparison, options ?? [], try side())
  }

  private mutating func textOperator() throws(PredicateIssue) -> TextComparison.Operator? {
    if take(word: "CONTAINS") { return .contains }
    if take(word: "BEGINSWITH") { return .beginsWith }
    if take(word: "ENDSWITH") { return .endsWith }
    if take(word: "LIKE") { return .like }
    guard case .word(let word) = token.content else { return nil }
    if isNext("MATCHES") {
      throw PredicateIssue(token.column, "MATCHES is not supported; LIKE has * and ?")
    }
    // A word in the place of an operator is a misspelled one, unless it joins conditions.
    if isNext("AND") || isNext("OR") { return nil }
    let operators = ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "IN", "BETWEEN", "AND", "OR"]
    throw PredicateIssue(
      token.column,
      "\(Spelling.quoted(word)) is no operator",
      suggestion: Spelling.nearest(to: word, among: operators)
    )
  }

  /// `[c]`, `[d]` or `[cd]`; nil when there is none.
  private mutating func textOptions() throws(PredicateIssue) -> TextOptions? {
    guard take(sign: "[") else { return nil }
    guard case .word(let word) = token.content, let options = TextOptions(word) else {
      throw PredicateIssue(token.column, "[c], [d] or [cd] is expected: case, diacritics")
    }
    position += 1
    try expect(sign: "]", "behind the options")
    return options
  }
}

/// The differences that a comparison of texts ignores.
struct TextOptions: OptionSet {
  let rawValue: Int
  static let ignoresCase = TextOptions(rawValue: 1)
  static let ignoresDiacritics = TextOptions(rawValue: 2)

  init(rawValue: Int) { self.rawValue = rawValue }

  init?(_ word: String) {
    switch word.lowercased() {
    case "c": self = .ignoresCase
    case "d": self = .ignoresDiacritics
    case "cd", "dc": self = [.ignoresCase, .ignoresDiacritics]
    default: return nil
    }
  }
}
