internal import MediaSyntax

/// Parses a label template.
enum LabelTemplateParser {
  private static let fields = ["originalName", "creationDate", "source", "number"]
  private static let allowed = [
    "{originalName}", "{creationDate:yyyy-MM-dd}", "{source}", "{number}", "{number:4}",
  ]
  private static let datePatterns: [(letters: String, offset: Int)] = [
    ("yyyy", 0), ("MM", 5), ("dd", 8), ("HH", 11), ("mm", 14), ("ss", 17),
  ]

  /// - Throws: `.invalidTemplate`.
  static func parse(_ text: String) throws(ValueIssue) -> [LabelTemplate.Part] {
    let scalars = Array(text.unicodeScalars)
    var parts: [LabelTemplate.Part] = []
    var literal = ""
    var index = 0
    func flush() {
      if !literal.isEmpty { parts.append(.text(literal)) }
      literal = ""
    }
    while index < scalars.count {
      let scalar = scalars[index]
      let isDoubled = index + 1 < scalars.count && scalars[index + 1] == scalar
      switch scalar {
      case "{" where isDoubled, "}" where isDoubled:
        literal.unicodeScalars.append(scalar)
        index += 2
      case "{":
        guard let end = scalars[index...].firstIndex(of: "}") else {
          throw issue("\"{\" without \"}\" in the template; for the character write \"{{\"")
        }
        flush()
        parts.append(try field(Array(scalars[(index + 1)..<end])))
        index = end + 1
      case "}":
        throw issue("\"}\" without \"{\" in the template; for the character write \"}}\"")
      case "/":
        throw issue("\"/\" in the template; a label is one name, not a path")
      default:
        literal.unicodeScalars.append(scalar)
        index += 1
      }
    }
    flush()
    if parts.isEmpty { throw issue("the template is empty") }
    return parts
  }

  private static func issue(_ message: String, suggestion: String? = nil) -> ValueIssue {
    ValueIssue(.invalidTemplate, message, allowed: allowed, suggestion: suggestion)
  }

  private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }

  private static func field(_ scalars: [Unicode.Scalar]) throws(ValueIssue) -> LabelTemplate.Part {
    let colon = scalars.firstIndex(of: ":")
    let name = string(scalars[..<(colon ?? scalars.count)])
    let argument = colon.map { Array(scalars[($0 + 1)...]) }
    guard let field = fields.first(where: { $0.utf8.elementsEqual(name.utf8) }) else {
      throw issue(
        "unknown field \(Spelling.quoted(name)) in the template",
        suggestion: Spelling.nearest(to: name, among: fields).map { "{\($0)}" }
      )
    }
    switch (field, argument) {
    case ("originalName", nil): return .originalName
    case ("source", nil): return .source
    case ("number", nil): return .number(digits: 1)
    case ("number", .some(let digits)):
      guard digits.count == 1, let digit = digits.first, ("1"..."9").contains(digit) else {
        throw issue("{number:…} takes one digit from 1 to 9")
      }
      return .number(digits: Int(digit.value - 48))
    case ("creationDate", let pattern):
      return .creationDate(try datePattern(pattern ?? Array("yyyy-MM-dd".unicodeScalars)))
    default:
      throw issue("{\(field)} takes nothing behind a colon")
    }
  }

  private static func datePattern(
    _ pattern: [Unicode.Scalar]
  ) throws(ValueIssue) -> [LabelTemplate.DatePart] {
    guard !pattern.isEmpty else { throw issue("{creationDate:…} has no pattern") }
    var parts: [LabelTemplate.DatePart] = []
    var index = 0
    while index < pattern.count {
      let scalar = pattern[index]
      switch scalar {
      case "'":
        let literal = try quotedLiteral(pattern, &index)
        parts.append(.text(literal))
      case "a"..."z", "A"..."Z":
        let run = string(pattern[index...].prefix { $0 == scalar })
        guard let known = datePatterns.first(where: { $0.letters.utf8.elementsEqual(run.utf8) })
        else {
          throw ValueIssue(
            .invalidTemplate,
            "\(Spelling.quoted(run)) in a date pattern; letters that stand for themselves need '…'",
            allowed: datePatterns.map(\.letters)
          )
        }
        parts.append(.digits(offset: known.offset, count: run.utf8.count))
        index += run.utf8.count
      case "{":
        throw issue("\"{\" in a date pattern")
      case "/":
        throw issue("\"/\" in the template; a label is one name, not a path")
      default:
        parts.append(.text(string([scalar])))
        index += 1
      }
    }
    return parts
  }

  /// Parses a literal in `'…'`; two adjacent quotes mean one quote, inside and outside.
  private static func quotedLiteral(
    _ pattern: [Unicode.Scalar],
    _ index: inout Int
  ) throws(ValueIssue) -> String {
    index += 1
    if index < pattern.count, pattern[index] == "'" {
      index += 1
      return "'"
    }
    var literal: [Unicode.Scalar] = []
    while index < pattern.count {
      let scalar = pattern[index]
      index += 1
      if scalar == "/" { throw issue("\"/\" in the template; a label is one name, not a path") }
      if scalar == "{" { throw issue("\"{\" in a date pattern") }
      guard scalar == "'" else {
        literal.append(scalar)
        continue
      }
      guard index < pattern.count, pattern[index] == "'" else { return string(literal) }
      literal.append("'")
      index += 1
    }
    throw issue("a quote that is not closed in a date pattern")
  }
}
