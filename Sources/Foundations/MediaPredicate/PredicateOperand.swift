internal import MediaModel
internal import MediaSyntax

/// A side of a comparison as it is written; the other side tells what a value means.
struct PredicateOperand {
  enum Content {
    case key(PredicateSubject)
    case number(PredicateValue)
    case text(String)
    case date(String)
    case flag(Bool)
    case null
    /// A word that is no key.
    case word(String)
  }

  var content: Content
  var column: Int
}

extension PredicateOperand {
  init(word: String, column: Int) {
    self.column = column
    if let key = PredicateKey(name: word) {
      content = .key(PredicateSubject(key: key))
      return
    }
    switch word.uppercased() {
    case "YES", "TRUE": content = .flag(true)
    case "NO", "FALSE": content = .flag(false)
    case "NULL", "NIL": content = .null
    default: content = .word(word)
    }
  }

  /// A sentence about a word that is neither key nor constant.
  private func unknown(_ word: String) -> PredicateIssue {
    word.uppercased() == "SELF"
      ? PredicateIssue(column, "SELF is the asset itself; compare its localIdentifier")
      : .unknown(word, at: column, among: PredicateKey.names + PredicateWord.names)
  }

  // MARK: - Bits

  /// The number of a constant; nil for another value.
  private var bits: Int64? {
    switch content {
    case .number(.integer(let value)): value
    case .word(let word), .text(let word): PredicateWord.value(of: word)
    default: nil
    }
  }

  func combined(
    with other: PredicateOperand,
    isMask: Bool
  ) throws(PredicateIssue) -> PredicateOperand {
    if isMask {
      for (side, mask) in [(self, other), (other, self)] {
        guard case .key(let subject) = side.content else { continue }
        guard subject.key == .mediaSubtypes, subject.reading == .stored else {
          throw PredicateIssue(side.column, "& goes with mediaSubtypes")
        }
        guard let bits = mask.bits else { throw mask.noBits }
        return PredicateOperand(
          content: .key(PredicateSubject(key: subject.key, reading: .masked(bits))),
          column: side.column
        )
      }
    }
    guard let first = bits else { throw noBits }
    guard let second = other.bits else { throw other.noBits }
    let value = isMask ? first & second : first | second
    return PredicateOperand(content: .number(.integer(value)), column: column)
  }

  private var noBits: PredicateIssue {
    if case .word(let word) = content {
      return .unknown(word, at: column, among: PredicateWord.mediaSubtypes.map(\.name))
    }
    return PredicateIssue(column, "a subtype such as photoScreenshot is expected, or a whole number")
  }

  // MARK: - Comparisons

  func compared(
    _ relation: PredicateRelation,
    _ options: TextOptions?,
    with right: PredicateOperand,
    at column: Int
  ) throws(PredicateIssue) -> PredicateNode {
    guard case .key(let subject) = content else {
      if case .key = right.content {
        return try right.compared(relation.reversed, options, with: self, at: column)
      }
      if case .word(let word) = content { throw unknown(word) }
      if case .word(let word) = right.content { throw right.unknown(word) }
      throw PredicateIssue(column, "one side of a comparison has to be a key")
    }
    let key = subject.key
    if !relation.isEquality, !key.kind.isOrdered {
      throw PredicateIssue(column, "\(key.rawValue) has no order; == and != compare it")
    }
    if case .key(let other) = right.content {
      guard options == nil, key.kind.isComparable(with: other.key.kind) else {
        throw PredicateIssue(right.column, "\(key.rawValue) and \(other.key.rawValue) cannot be compared")
      }
      return .keys(subject, relation, other)
    }
    if let options {
      guard key.kind == .text, relation.isEquality, case .text(let text) = right.content else {
        throw PredicateIssue(column, "[c] and [d] go with == and != of texts")
      }
      let node = PredicateNode.text(key, TextComparison(.equals, text, options))
      return relation == .equal ? node : .not(node)
    }
    if case .null = right.content {
      guard relation.isEquality else {
        throw PredicateIssue(right.column, "NULL has no order; == and != compare with it")
      }
      return .comparison(subject, relation, .null)
    }
    if key.kind == .list {
      throw PredicateIssue(
        column,
        "\(key.rawValue) is a list; write \(key.rawValue) CONTAINS \"…\" or ANY \(key.rawValue) == \"…\""
      )
    }
    let (reading, values) = try right.values(for: subject, others: [])
    return .comparison(reading, relation, values[0])
  }

  func among(
    _ list: [PredicateOperand],
    at column: Int
  ) throws(PredicateIssue) -> PredicateNode {
    let subject = try subject(of: "IN", at: column)
    let (reading, values) = try list[0].values(for: subject, others: Array(list.dropFirst()))
    return .among(reading, values)
  }

  func between(
    _ list: [PredicateOperand],
    at column: Int
  ) throws(PredicateIssue) -> PredicateNode {
    let subject = try subject(of: "BETWEEN", at: column)
    guard subject.key.kind.isOrdered else {
      throw PredicateIssue(column, "\(subject.key.rawValue) has no order; == and != compare it")
    }
    guard list.count == 2 else {
      throw PredicateIssue(column, "BETWEEN takes two values, such as BETWEEN {1, 5}")
    }
    let (reading, values) = try list[0].values(for: subject, others: [list[1]])
    return .between(reading, values[0], values[1])
  }

  private func subject(
    of word: String,
    at column: Int
  ) throws(PredicateIssue) -> PredicateSubject {
    if case .word(let word) = content { throw unknown(word) }
    guard case .key(let subject) = content, subject.key.kind != .list else {
      throw PredicateIssue(column, "a key with one value is expected before \(word)")
    }
    return subject
  }

  func compared(
    _ comparison: TextComparison.Operator,
    _ options: TextOptions,
    with right: PredicateOperand,
    at column: Int
  ) throws(PredicateIssue) -> PredicateNode {
    if case .word(let word) = content { throw unknown(word) }
    guard case .key(let subject) = content else {
      throw PredicateIssue(self.column, "a key is expected before this operator")
    }
    if subject.key.kind == .list {
      guard comparison == .contains else {
        throw PredicateIssue(
          column,
          "\(subject.key.rawValue) is a list; write ANY \(subject.key.rawValue) before the operator"
        )
      }
      return try element(.equals, options, right)
    }
    guard subject.key.kind == .text else {
      throw PredicateIssue(
        column,
        "\(subject.key.rawValue) is \(subject.key.kind.text), and this operator compares texts"
      )
    }
    return .text(subject.key, TextComparison(comparison, try right.quotedText(), options))
  }

  /// The condition that an element of this list is as `right` says.
  func element(
    _ comparison: TextComparison.Operator,
    _ options: TextOptions,
    _ right: PredicateOperand
  ) throws(PredicateIssue) -> PredicateNode {
    guard case .key(let subject) = content else {
      throw PredicateIssue(column, "a list such as keywords is expected")
    }
    return .element(subject.key, TextComparison(comparison, try right.quotedText(), options))
  }

  private func quotedText() throws(PredicateIssue) -> String {
    guard case .text(let text) = content else {
      throw PredicateIssue(column, "a text in quotes is expected")
    }
    return text
  }

  // MARK: - Values

  /// Values in the form in which a key's are compared, and how the key is read for that.
  ///
  /// Dates with an offset are instants: then all of them have one.
  private func values(
    for subject: PredicateSubject,
    others: [PredicateOperand]
  ) throws(PredicateIssue) -> (PredicateSubject, [PredicateValue]) {
    let all = [self] + others
    guard subject.key.kind == .localDate else {
      var values: [PredicateValue] = []
      for operand in all { values.append(try operand.value(for: subject)) }
      return (subject, values)
    }
    var dates: [PredicateDate] = []
    for operand in all { dates.append(try operand.date(for: subject.key)) }
    let isInstant = dates[0].offsetMinutes != nil
    if let index = dates.firstIndex(where: { ($0.offsetMinutes != nil) != isInstant }) {
      throw PredicateIssue(
        all[index].column,
        "either all dates here have an offset, such as Z or +01:00, or none has"
      )
    }
    return isInstant
      ? (PredicateSubject(key: subject.key, reading: .instant), dates.map(\.instant))
      : (subject, dates.map { .text($0.local) })
  }

  private func value(for subject: PredicateSubject) throws(PredicateIssue) -> PredicateValue {
    let key = subject.key
    switch (key.kind, content) {
    case (.text, .text(let text)): return .text(text)
    case (.number, .number(let value)): return value
    case (.flag, .flag(let isTrue)): return .integer(isTrue ? 1 : 0)
    case (.flag, .number(.integer(let value))) where value == 0 || value == 1:
      return .integer(value)
    case (.mediaType, .number(.integer(let value))): return .integer(value)
    case (.mediaType, .word(let word)), (.mediaType, .text(let word)):
      let words = PredicateWord.mediaTypes
      guard let value = words[word] else {
        throw .unknownWord(word, at: column, of: key, among: words.keys.sorted())
      }
      return .integer(value)
    case (.mediaSubtypes, .number(.integer(let value))): return .integer(value)
    case (.mediaSubtypes, .word(let word)), (.mediaSubtypes, .text(let word)):
      let words = PredicateWord.mediaSubtypes
      guard let value = words.first(where: { $0.name == word })?.bit else {
        throw .unknownWord(word, at: column, of: key, among: words.map(\.name))
      }
      return .integer(value)
    case (.timestamp, _):
      return .text(try date(for: key).timestamp)
    case (.nanoseconds, _):
      guard let value = try date(for: key).nanosecondsSince1970 else {
        throw PredicateIssue(column, "the date is too far away")
      }
      return .integer(value)
    case (_, .word(let word)): throw unknown(word)
    default:
      throw PredicateIssue(column, "\(key.rawValue) is compared with \(key.kind.text)")
    }
  }

  private func date(for key: PredicateKey) throws(PredicateIssue) -> PredicateDate {
    if case .word(let word) = content { throw unknown(word) }
    let text: String? =
      switch content {
      case .date(let text), .text(let text): text
      default: nil
      }
    guard let date = text.flatMap({ PredicateDate($0) }) else {
      throw PredicateIssue(column, "\(key.rawValue) is compared with \(key.kind.text)")
    }
    guard key.kind != .localDate || !date.hasFraction else {
      throw PredicateIssue(column, "\(key.rawValue) is compared to the second; leave the fraction out")
    }
    return date
  }
}

extension PredicateIssue {
  fileprivate static func unknownWord(
    _ word: String,
    at column: Int,
    of key: PredicateKey,
    among words: [String]
  ) -> PredicateIssue {
    PredicateIssue(
      column,
      "\(Spelling.quoted(word)) is no \(key.rawValue); it is one of \(words.joined(separator: ", "))",
      suggestion: Spelling.nearest(to: word, among: words)
    )
  }
}

extension TextComparison {
  init(_ comparison: Operator, _ pattern: String, _ options: TextOptions) {
    self.init(
      comparison,
      pattern,
      ignoresCase: options.contains(.ignoresCase),
      ignoresDiacritics: options.contains(.ignoresDiacritics)
    )
  }
}
