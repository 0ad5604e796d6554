internal import MediaAudit
internal import MediaConsent
internal import MediaModel
internal import MediaPermissions
internal import MediaSources
internal import MediaWorkerPool

/// Questions to a person, before anything is opened.
extension OpenRun {
  /// Asks about each source without a decision, stores each answer at once, and decides again.
  /// A source without an answer is undecided.
  ///
  /// - Returns: Whether there was a place to ask at, so that a question may have been left open.
  func ask() throws(RunError) -> Bool {
    var questions = run.access.permissions.questions
    guard !questions.isEmpty else { return false }
    var wasAsked = false
    if var asker = run.options.openAsker?() {
      wasAsked = true
      switch try SourceAsking.choose(from: questions, run.loaded, run.access, on: asker) {
      case .undecided: questions = []
      case .none: asker = .refusal
      case .these(let chosen):
        leaveOut(questions.indices.filter { !chosen.contains($0) }.map { questions[$0] }, asker)
        questions = chosen.map { questions[$0] }
      }
      for (index, source) in questions.enumerated() {
        if source.level == .addOnly {
          // Whoever has just been allowed to read the photo library may add to it.
          try run.access.readAnswers()
          guard run.access.permissions.adding?.decision.outcome == .ask else { continue }
        }
        let circumstances = Asker.Circumstances(number: index + 1, of: questions.count)
        let isAnswered =
          source.input.mustPick
          ? try pick(from: source, on: asker, circumstances)
          : try prompt(about: source, on: asker, circumstances)
        if !isAnswered { break }
      }
    }
    try run.access.readAnswers { $0.canPrompt = false }
    signals.collect()
    if signals.count > 0 {
      throw RunError(
        .interrupted,
        exitCode: signals.exitCode,
        "Stopped on request, while a person was asked. Nothing was opened."
      )
    }
    // `access grant` may have stored a one-time grant while the person was asked.
    if let answers = run.access.answers { try run.consumeOneTimeGrants(answers) }
    return wasAsked
  }

  /// Goes on without sources that the person left out: nothing is stored about them.
  private func leaveOut(_ sources: [DecidedSource], _ asker: Asker) {
    for source in sources {
      run.access.reconsider {
        $0.leftOut[source.source, default: []].insert(source.level)
        if source.input.mustPick { $0.picked[source.source] = PickedItems([], asker.reason) }
      }
    }
  }

  /// Asks whether a source is allowed, and stores the answer.
  ///
  /// - Returns: False when the person has not answered.
  private func prompt(
    about source: DecidedSource,
    on asker: Asker,
    _ circumstances: Asker.Circumstances
  ) throws(RunError) -> Bool {
    let asking = SourceAsking(run.loaded, run.access.context, source)
    let given = try asking.answer(on: asker, circumstances) { tellShown($0, of: source) }
    guard let answer = given else { return false }
    let earlier = run.access.context.answers(about: source.source, source.level)
    guard try run.access.answers?.record(answer, after: earlier) ?? false else {
      return true
    }
    audit.append(
      .transition(
        source: answer.binding.source,
        level: answer.binding.level,
        from: source.answer?.status ?? .notDetermined,
        to: answer.status,
        reason: DecisionReason(answer.status),
        basis: answer.reason.rawValue
      )
    )
    return true
  }

  /// Lets the person pick files for this run alone: nothing is stored, and no status changes.
  private func pick(
    from source: DecidedSource,
    on asker: Asker,
    _ circumstances: Asker.Circumstances
  ) throws(RunError) -> Bool {
    let asking = SourceAsking(run.loaded, run.access.context, source)
    let picks = try asking.picks(on: asker, circumstances) { tellShown($0, of: source) }
    guard let picks else { return false }
    run.access.reconsider { $0.picked[source.source] = picks }
    return true
  }

  private func tellShown(_ count: Int, of source: DecidedSource) {
    guard count > 0 else { return }
    run.access.shownSources.insert(source.source)
    audit.append(.shown(source: source.source, count: count))
  }
}
