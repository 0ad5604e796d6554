internal import MediaAudit
internal import MediaConsent
internal import MediaModel
internal import MediaPermissions
internal import MediaSources
internal import MediaWorkerPool

/// Questions to a person, while no library is held and before anything is opened.
extension Run {
  /// Whether a person has to be asked now: not when the run stops anyway with 78 or 69, or a policy denies, since
  /// an answer could not change that; and not again, unless an answer does not count any more.
  var mustAsk: Bool {
    guard basis.options.openAsker != nil, basis.asked.failure == nil else { return false }
    if basis.asked.wasAsked {
      basis.access.reconsider { $0.canPrompt = true }
      let isOutdated = basis.access.permissions.questions.contains {
        basis.asked.answered.contains(.init($0))
      }
      basis.access.reconsider { $0.canPrompt = isOutdated }
      return isOutdated
    }
    if let stop = basis.stop, stop.exitCode != .undecided { return false }
    return !basis.access.permissions.questions.isEmpty
  }

  /// Asks about the sources without a decision, once for each kind, stores each answer at once, and decides again.
  /// A source without an answer is undecided.
  func ask(_ signals: Signals) {
    do throws(RunError) {
      try askAll()
      try basis.access.readAnswers { $0.canPrompt = false }
      signals.collect()
      if signals.count > 0 {
        throw RunError(
          .interrupted,
          exitCode: signals.exitCode,
          "Stopped on request, while a person was asked. Nothing was "
            + (basis.access.shownSources.isEmpty ? "opened." : "imported.")
        )
      }
    } catch {
      basis.asked.failure = error
    }
  }

  private func askAll() throws(RunError) {
    guard var asker = basis.options.openAsker?() else { return }
    (basis.asked.wasAsked, basis.asked.answered) = (true, [])
    var questions = DecidedSource.byKind(basis.access.permissions.questions)
    guard !questions.isEmpty else { return }
    switch try SourceAsking.choose(from: questions, basis.loaded, basis.access, on: asker) {
    case .undecided: questions = []
    case .none: asker = asker.refusing
    case .these(let chosen):
      leaveOut(questions.indices.filter { !chosen.contains($0) }.flatMap { questions[$0] }, asker)
      questions = chosen.map { questions[$0] }
    }
    for (index, sources) in questions.enumerated() {
      if sources[0].level == .addOnly {
        // A client that has just been allowed to read the photo library may add to it.
        try basis.access.readAnswers()
        guard basis.access.permissions.adding?.decision.outcome == .ask else { continue }
      }
      let circumstances = Asker.Circumstances(number: index + 1, of: questions.count)
      let isAnswered =
        sources[0].input.mustPick
        ? try pick(from: sources[0], on: asker, circumstances)
        : try prompt(about: sources, on: asker, circumstances)
      if !isAnswered { break }
    }
  }

  /// Goes on without sources that the person left out: nothing is stored about them.
  private func leaveOut(_ sources: [DecidedSource], _ asker: Asker) {
    for source in sources {
      basis.access.reconsider {
        $0.leftOut[source.source, default: []].insert(source.level)
        if source.input.mustPick { $0.picked[source.source] = PickedItems([], asker.reason) }
      }
    }
  }

  /// Asks whether sources of a kind are allowed, and stores the answers.
  ///
  /// - Returns: False when the person has not answered.
  private func prompt(
    about sources: [DecidedSource],
    on asker: Asker,
    _ circumstances: Asker.Circumstances
  ) throws(RunError) -> Bool {
    let asking = SourceAsking(basis.loaded, basis.access.context, sources)
    let reply = try asking?.answer(on: asker, circumstances) { recordShown($0, of: sources[0]) }
    switch reply {
    case .undecided, nil: return false
    case .leftOut:
      leaveOut(sources, asker)
      return true
    case .each:
      for (index, source) in sources.enumerated() {
        let circumstances = circumstances.ofEach(index, of: sources.count)
        guard try prompt(about: [source], on: asker, circumstances) else { return false }
      }
      return true
    case .stored(let answers):
      try store(answers, about: sources[0])
      basis.asked.answered.formUnion(sources.map { .init($0) })
      return true
    }
  }

  /// Stores what a person has answered about sources of a kind, unless another answer was stored meanwhile that allows
  /// less.
  private func store(_ answers: [StoredAnswer], about source: DecidedSource) throws(RunError) {
    let context = basis.access.context
    let earlier = answers.map { context.answers(about: $0.binding) }
    guard try basis.access.answers?.record(answers, after: earlier) ?? false else { return }
    for answer in answers {
      let (asked, level) = (answer.binding.source, answer.binding.level)
      var transition = AuditTransition()
      (transition.source, transition.accessLevel) = (asked, level)
      let before = context.answer(of: asked, level: level, in: basis.manifest)?.answer
      transition.from = before?.status ?? .notDetermined
      transition.to = answer.status
      transition.reason = DecisionReason(answer.status)
      transition.basis = answer.reason.rawValue
      basis.asked.records.append(AuditRecord(transition))
    }
  }

  /// Lets the person pick files for this run alone: nothing is stored, and no status changes.
  private func pick(
    from source: DecidedSource,
    on asker: Asker,
    _ circumstances: Asker.Circumstances
  ) throws(RunError) -> Bool {
    let asking = SourceAsking(basis.loaded, basis.access.context, [source])
    let picks = try asking?.picks(on: asker, circumstances) { recordShown($0, of: source) }
    guard let picks else { return false }
    basis.access.reconsider { $0.picked[source.source] = picks }
    return true
  }

  private func recordShown(_ count: Int, of source: DecidedSource) {
    guard count > 0 else { return }
    basis.access.shownSources.insert(source.source)
    basis.asked.records.append(AuditRecord(AuditCount(.shown, of: source.source, count)))
  }
}
