internal import MediaModel
internal import MediaPages
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
    let more = questions.count - limit
    return .section(
      "questions",
      "What a person saw and chose",
      """
      <p>Names that were shown but not selected are in no record.</p>
      <ul class="said">
      \(rows)</ul>
      \("<p>And \(more, "earlier question").</p>\n", if: more > 0)
      """
    )
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
    let names = question.files.prefix(nameLimit).map(Markup.path).joined(separator: ", ")
    let more = question.fileCount - min(question.files.count, nameLimit)
    let files = ReportWording.selection(question).map { selection -> Markup in
      """
      <p>\(selection)\(names)\(" and \(grouped: more) more", if: more > 0 && !names.isEmpty)</p>
      """
    }
    return """
      <li><span class="tile">\(icon: HTMLDecisions.icon(of: question.source.kind))</span>
      <div><p>\(time: question.time) UTC: \(ReportWording.question(question))\
      \(ReportWording.asked(question))</p>\(files)</div>
      <div class="out"><p>\(question.shownCount.map { "\(grouped: $0)" as Markup } ?? "no list") shown</p></div></li>

      """
  }
}
