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
    let template = try read { () throws(TemplateMistake) in try FieldTemplate(text) }
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
        "unknown field \(Spelling.quoted(name))",
        suggestion: Spelling.nearest(to: name, among: fields).map { "{\($0)}" }
      )
    }
    switch (field, argument) {
    case ("originalName", nil): return .originalName
    case ("source", nil): return .source
    case ("number", let digits):
      return .number(digits: try read { () throws(TemplateMistake) in try FieldTemplate.digits(digits) })
    case ("creationDate", let text):
      let pattern = try read { () throws(TemplateMistake) in try FieldTemplate.date(text) }
      if pattern.hasSlash { throw slash }
      return .creationDate(pattern)
    default: throw issue(FieldTemplate.withoutColon(field).message)
    }
  }

  /// What a template's part is read as; a mistake in it becomes the manifest's.
  private static func read<Value>(
    _ body: () throws(TemplateMistake) -> Value
  ) throws(ValueIssue) -> Value {
    do {
      return try body()
    } catch {
      throw ValueIssue(
        .invalidTemplate,
        error.message,
        allowed: error.allowed.isEmpty ? allowed : error.allowed
      )
    }
  }
}
