internal import MediaModel
internal import MediaSyntax

/// What a person was shown and asked before the runs, and what they chose.
enum HTMLQuestions {
  /// Beyond it older questions are counted, not listed.
  private static let limit = 50
  /// The number of selected files that are named; all have their place among the items.
  private static let nameLimit = 20

  /// The section, or nothing where no person was asked.
  static func questions(_ model: ReportModel) -> Markup {
    let questions = once(model.runs)
    guard !questions.isEmpty else { return "" }
    let rows = questions.suffix(limit).reversed().map(row)
    var body: Markup = "<p>Names that were shown and not selected are in no record.</p>\n"
    body += "<ul class=\"said\">\n\(rows.joined())</ul>\n"
    if questions.count > limit {
      body += "<p>And \(Quantity.text(questions.count - limit, "earlier question")).</p>\n"
    }
    return HTML.section("questions", "What a person saw and chose", body)
  }

  /// The questions of all runs, each once: one on whose answer later runs rest has the files of the first run that
  /// has any.
  static func once(_ runs: [ReportRun]) -> [ReportQuestion] {
    var questions: [ReportQuestion] = []
    for question in runs.flatMap(\.questions) {
      let earlier = questions.firstIndex { question.isAnswer(of: $0) || question.isSame(as: $0) }
      if let earlier {
        if questions[earlier].fileCount == 0 { questions[earlier].takeFiles(of: question) }
      } else {
        questions.append(question)
      }
    }
    return questions
  }

  private static func row(_ question: ReportQuestion) -> Markup {
    let names = question.files.prefix(nameLimit).map(HTML.path).joined(separator: ", ")
    let more = question.fileCount - min(question.files.count, nameLimit)
    let remainder: Markup = more > 0 && !names.isEmpty ? " and \(HTML.number(more)) more" : ""
    let files: Markup =
      ReportWording.selection(question).map { "<p>\($0)\(names)\(remainder)</p>" } ?? ""
    let shown: Markup = question.shownCount.map { "\(HTML.number($0)) shown" } ?? "no list shown"
    return """
      <li><span class="tile">\(HTML.icon(HTMLDecisions.icon(of: question.source)))</span>
      <div><p>\(HTML.time(question.time)) UTC: \(ReportWording.question(question))</p>\(files)</div>
      <div class="out"><p>\(shown)</p></div></li>

      """
  }
}
