internal import MediaModel
internal import MediaSyntax

/// Parses a label template.
enum LabelTemplateParser {
  private static let fields = ["originalName", "creationDate", "source", "number"]
  private static let allowed = [
    "{originalName}", "{creationDate:yyyy-MM-dd}", "{source}", "{number}", "{number:4}",
  ]

  /// - Throws: `.invalidTemplate`.
  static func parse(_ text: String) throws(ValueIssue) -> [LabelTemplate.Part] {
    let template: FieldTemplate
    do { template = try FieldTemplate(text) } catch { throw issue(error.message) }
    if template.parts.isEmpty { throw issue("the template is empty") }
    var parts: [LabelTemplate.Part] = []
    for part in template.parts {
      switch part {
      case .text(let text):
        if text.utf8.contains(UInt8.slash) { throw slash }
        parts.append(.text(text))
      case .field(let name, let argument): parts.append(try field(name, argument))
      }
    }
    return parts
  }

  private static var slash: ValueIssue {
    issue("a template cannot have \"/\", since a label is one name and no path")
  }

  private static func issue(_ message: String, suggestion: String? = nil) -> ValueIssue {
    ValueIssue(.invalidTemplate, message, allowed: allowed, suggestion: suggestion)
  }

  private static func field(
    _ name: String,
    _ argument: String?
  ) throws(ValueIssue) -> LabelTemplate.Part {
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
      guard let digit = Int(digits), (1...9).contains(digit), digits.utf8.count == 1 else {
        throw issue("{number:…} takes one digit from 1 to 9")
      }
      return .number(digits: digit)
    case ("creationDate", let pattern):
      return .creationDate(try datePattern(pattern ?? "yyyy-MM-dd"))
    default:
      throw issue("{\(field)} takes nothing behind a colon")
    }
  }

  private static func datePattern(_ text: String) throws(ValueIssue) -> DatePattern {
    if text.isEmpty { throw issue("{creationDate:…} has no pattern") }
    let pattern: DatePattern
    do {
      pattern = try DatePattern(text)
    } catch {
      throw ValueIssue(
        .invalidTemplate,
        error.message,
        allowed: error.allowed.isEmpty ? allowed : error.allowed
      )
    }
    if pattern.hasSlash { throw slash }
    return pattern
  }
}
