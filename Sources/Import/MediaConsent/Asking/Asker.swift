package import MediaModel
package import MediaPermissions
package import MediaPicking

/// The place at which a person is asked.
package enum Asker {
  case terminal(Terminal)
  case page(AskingPage)
  /// A person who has refused everything on a page, and reads these languages.
  case refusal(languages: [String])

  /// The questions that a person wants to be asked.
  package enum SourceChoice: Sendable, Hashable {
    /// By their places among those that were offered.
    case these([Int])
    case none
    case undecided
  }

  /// The circumstances that only a page shows.
  package struct Circumstances: Sendable {
    /// The status that applies now; nil where nothing is said of it.
    package var status: AuthorizationStatus?
    /// The reason of the organization's policy, made safe, or empty.
    package var policyReason = ""
    /// Whether an earlier selection may stay as it is.
    package var mayKeep = false
    /// False where no answer changes anything.
    package var mayDecide = true
    /// The number of the question, 1-based, among ``count``.
    package var number = 1
    /// The questions that are asked one after the other.
    package var count = 1

    /// The manifest as a word of a shell.
    package var manifest = ""
    /// Whether a run goes on after the last answer.
    package var goesOn = true

    /// Whether another question follows the last of these.
    package var isFollowed = false
    /// Whether a source of several may stay closed without an answer.
    package var mayLeaveOut = false

    /// Whether no other question follows.
    package var isLast: Bool { number >= count && !isFollowed }

    /// The circumstances of the question about one of several sources, of which a person wants to be asked about each.
    ///
    /// - Parameters:
    ///   - index: Its place among them, from 0.
    ///   - count: Their number.
    /// - Returns: These circumstances but for what is said of one of several.
    package func ofEach(_ index: Int, of count: Int) -> Circumstances {
      var each = self
      (each.number, each.count) = (index + 1, count)
      (each.isFollowed, each.mayLeaveOut) = (!isLast, true)
      return each
    }

    /// Makes the circumstances of a question that nobody has answered.
    package init(number: Int = 1, of count: Int = 1) { (self.number, self.count) = (number, count) }
  }

  /// The way in which a person answers here, as the store and the log have it.
  package var reason: AnswerReason {
    switch self {
    case .terminal: .userConsent
    case .page, .refusal: .picker
    }
  }

  /// The languages by which a page has told usage descriptions; nil at a terminal, which has its own.
  package var languages: [String]? {
    switch self {
    case .terminal: nil
    case .page(let page): page.languages
    case .refusal(let languages): languages
    }
  }

  /// The same person, who has refused everything.
  package var refusing: Asker { .refusal(languages: languages ?? []) }

  /// Asks a question, and waits for its answer.
  ///
  /// A person who leaves the terminal's picker without a choice is asked again.
  ///
  /// - Parameters:
  ///   - question: What is asked.
  ///   - request: What may be picked; nil when single files cannot be.
  ///   - circumstances: What a page shows beside it.
  /// - Returns: The answer, and how many names a page has shown.
  /// - Throws: The errors of ``Picker/pick(_:on:arguments:)`` and
  ///   ``AskingPage/ask(_:picking:_:)``. Nothing is answered then.
  package func ask(
    _ question: Question,
    picking request: PickerRequest?,
    _ circumstances: Circumstances
  ) throws(ConsentError) -> (answer: AskingPage.Answer, shownCount: Int) {
    var question = question
    (question.number, question.count) = (circumstances.number, circumstances.count)
    question.mayLeaveOut = circumstances.mayLeaveOut
    switch self {
    case .page(let page): return try page.ask(question, picking: request, circumstances)
    case .refusal: return (.deny, 0)
    case .terminal(let terminal):
      while true {
        switch Prompt.ask(question, on: terminal) {
        case .undecided: return (.undecided, 0)
        case .allow: return (.allow, 0)
        case .deny: return (.deny, 0)
        case .each: return (.each, 0)
        case .leaveOut: return (.leaveOut, 0)
        case .allowOnlyThese:
          guard let request else { continue }
          let chosen = try Picker.pick(request, on: terminal)
          if !chosen.isEmpty { return (.only(chosen), 0) }
        }
      }
    }
  }

  /// Lets the person choose which of several questions about sources they are asked; a terminal asks all of them.
  ///
  /// - Parameters:
  ///   - questions: The questions that are to be asked, one for each kind of source and level.
  ///   - sources: All that the manifest needs: those that are restricted are shown, and cannot be chosen.
  ///   - circumstances: What a page shows beside it.
  /// - Returns: The choice.
  /// - Throws: The errors of ``AskingPage/ask(_:picking:_:)``. Nothing is answered then.
  package func choose(
    from questions: [Question],
    among sources: [DecidedSource],
    _ circumstances: Circumstances
  ) throws(ConsentError) -> SourceChoice {
    guard case .page(let page) = self, questions.count > 1 else {
      return .these(Array(questions.indices))
    }
    let restricted = sources.filter { $0.isNeeded && $0.status == .restricted }
    let obstacles = DecidedSource.byKind(restricted).compactMap { QuestionText.obstacle($0) }
    return try page.choose(from: questions, obstacles: obstacles, circumstances)
  }

  /// Lets the person pick files.
  ///
  /// - Returns: The files, none when the person canceled, and how many names a page has shown.
  /// - Throws: As ``ask(_:picking:_:)``.
  package func pick(
    _ request: PickerRequest,
    _ circumstances: Circumstances
  ) throws(ConsentError) -> (chosen: [ItemPath], shownCount: Int) {
    switch self {
    case .terminal(let terminal): return (try Picker.pick(request, on: terminal), 0)
    case .refusal: return ([], 0)
    case .page(let page):
      let reply = try page.ask(nil, picking: request, circumstances)
      if case .only(let chosen) = reply.answer { return (chosen, reply.shownCount) }
      return ([], reply.shownCount)
    }
  }
}
