internal import MediaAudit
package import MediaModel
internal import MediaSyntax

/// What a person was shown of a source, or asked about it, and what came of it.
///
/// Names that were shown and not selected are in no record, and so in no question.
package struct ReportQuestion: Sendable, Hashable {
  package enum Answer: String, CaseIterable, Sendable, Hashable {
    /// All of the source.
    case allowed
    /// A selection, which is stored.
    case selected
    /// A selection for this run alone.
    case picked
    case refused
  }

  package var source: SourceID
  package var accessLevel: AccessLevel
  /// The time of the answer if ``isEarlier``, to the second; otherwise of its record, with which the log of the run
  /// begins as soon as all questions are over.
  package var time: String
  /// Whether the answer was given before the run, which rests on it.
  package var isEarlier = false
  /// The number of names that a page has shown; nil when it was none, as at a terminal.
  package var shownCount: Int?
  /// How the person answered, as ``ReportPermission/basis``.
  package var basis: String?
  /// The user who was asked, which is that of the run: others' answers it does not read. Nil where it is not known.
  package var user: String?
  /// Nil when no answer was taken.
  package var answer: Answer?
  /// The number of files of a selection that the run met, of those that the report is about.
  package private(set) var fileCount = 0
  /// The first of them, at most ``maximumFileCount``, that have a record of their own; escaped.
  package private(set) var files: [String] = []

  static let maximumFileCount = 100

  package var isSelection: Bool { answer == .selected || answer == .picked }

  /// Counts files of the selection; `path` is that of the one file, if it has a record of its own.
  mutating func add(_ count: Int, _ path: ItemPath?) {
    fileCount = Quantity.sum(fileCount, count)
    if let path, files.count < Self.maximumFileCount { files.append(ReportText.path(path.bytes)) }
  }

  /// Takes the files of the same question in another run.
  mutating func takeFiles(of other: ReportQuestion) {
    (fileCount, files) = (other.fileCount, other.files)
  }

  /// Whether both tell of one earlier answer, on which several runs rest.
  func isSame(as other: ReportQuestion) -> Bool {
    isEarlier && other.isEarlier && other.source == source && other.time == time
      && other.shownCount == shownCount && other.answer == answer
  }

  /// Whether it is a question of an earlier run, `other`, on whose answer its own run rests.
  func isAnswer(of other: ReportQuestion) -> Bool {
    isEarlier && !other.isEarlier && other.source == source && other.answer == answer
      && other.shownCount == shownCount && other.time.prefix(19) >= time.prefix(19)
  }
}

extension ReportRun {
  /// Beyond it the questions of a run are not told.
  private static let maximumQuestionCount = 100

  /// Takes what a record says of a question; behind the decisions stand no answers at the run's own prompt.
  mutating func noteQuestion(_ entry: AuditEntry) {
    guard let source = entry.source, questions.count < Self.maximumQuestionCount else { return }
    switch entry.event {
    case .shown:
      let time = entry.shownTime
      var question = ReportQuestion(source: source, accessLevel: .readWrite, time: time, user: knownUser)
      let shown: AuditCount? = entry.shown()
      question.shownCount = shown?.count.bounded
      // The decision that rests on the earlier answer stands right before.
      if let answered = shown?.answeredAt,
        let decision = readDecision(on: source)
      {
        (question.time, question.isEarlier) = (answered, true)
        question.basis = decision.basis
        question.answer = ReportQuestion.Answer(decision.authorizationStatus)
      }
      questions.append(question)
    case .transition where permissions.isEmpty:
      guard let transition: AuditTransition = entry.shown(allowsGaps: false),
        let answer = transition.to.flatMap(ReportQuestion.Answer.init)
      else { return }
      take(answer, about: source, transition.accessLevel, transition.basis, at: entry.shownTime)
    case .decision:
      guard let decision: SourceDecision = entry.shown(allowsGaps: false),
        decision.decidedBy == "picking"
      else { break }
      let isKnown = questions.contains { $0.source == source && $0.answer == .picked }
      if !isKnown { take(.picked, about: source, .readWrite, decision.basis, at: entry.shownTime) }
    default: break
    }
  }

  /// Completes the question about a source whose names were shown, or adds one without names.
  private mutating func take(
    _ answer: ReportQuestion.Answer,
    about source: SourceID,
    _ level: AccessLevel,
    _ basis: String?,
    at time: String
  ) {
    let index =
      questions.lastIndex {
        $0.source == source && $0.accessLevel == level && !$0.isEarlier && $0.answer == nil
      } ?? questions.endIndex
    if index == questions.endIndex {
      questions.append(ReportQuestion(source: source, accessLevel: level, time: time, user: knownUser))
    }
    questions[index].answer = answer
    questions[index].basis = basis
  }

  private func readDecision(on source: SourceID) -> ReportPermission? {
    permissions.last { $0.source == source && $0.accessLevel == .readWrite }
  }

  /// Counts files of a source with the selection that let the run read them.
  mutating func addSelected(_ count: Int, of source: SourceID, path: ItemPath? = nil) {
    let index = questions.lastIndex { $0.source == source && $0.accessLevel == .readWrite }
    guard let index, questions[index].isSelection else { return }
    questions[index].add(count, path)
  }

  /// The selection of a person that let the run read files of a source; nil where none did.
  ///
  /// An answer that an earlier run took at a terminal has no record here: its time is not known.
  func selection(of source: SourceID) -> ReportSelection? {
    guard let decision = readDecision(on: source),
      [.picked, .limited].contains(decision.reason), decision.decidedBy != "manifest"
    else { return nil }
    let question = questions.last {
      $0.source == source && $0.accessLevel == .readWrite && $0.isSelection
    }
    return ReportSelection(
      run: identifier,
      time: question?.time,
      shownCount: question?.shownCount,
      basis: question?.basis ?? decision.basis,
      user: knownUser
    )
  }
}

extension ReportQuestion.Answer {
  /// The answer that led to a status; nil for a status that no person gives.
  init?(_ status: AuthorizationStatus) {
    switch status {
    case .authorized: self = .allowed
    case .limited: self = .selected
    case .denied: self = .refused
    case .notDetermined, .restricted: return nil
    }
  }
}

/// Who selected a file of a source, and when.
package struct ReportSelection: Sendable, Hashable {
  /// The run that rests on the selection.
  package var run: String
  /// As ``ReportQuestion/time``; nil when no record tells it.
  package var time: String?
  /// The number of names that a page has shown; nil when it was none.
  package var shownCount: Int?
  /// How the person answered, as ``ReportPermission/basis``.
  package var basis: String?
  /// As ``ReportQuestion/user``.
  package var user: String?

  /// `by a person in a browser, 2026-11-26T21:03:07Z, among 12 names that were shown`.
  var text: String {
    let medium =
      switch basis {
      case "picker": " in a browser"
      case "userConsent": " at a terminal"
      case "userSet": ", by `mediabatch access`"
      default: ""
      }
    var text = "by a person" + medium
    if let time { text += ", " + time }
    if let count = shownCount {
      let verb = count == 1 ? "was" : "were"
      text += ", among \(Quantity.text(count, "name")) that \(verb) shown"
    }
    return text + (user.map { ", as the user \($0)" } ?? "")
  }

  var json: JSONValue {
    [
      "run": .string(run), "time": JSONValue(time), "shownCount": JSONValue(shownCount),
      "basis": JSONValue(basis), "user": JSONValue(user),
    ]
  }
}
