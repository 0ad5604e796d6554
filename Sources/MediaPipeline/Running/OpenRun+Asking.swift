internal import Glibc
internal import MediaAudit
internal import MediaConsent
internal import MediaFileSystem
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions

/// Questions to the person at the terminal, before anything is opened.
extension OpenRun {
  /// Asks about each source without a decision, stores each answer at once, and decides again.
  /// A source without an answer is undecided.
  ///
  /// - Returns: Whether there was a terminal, so that a question may have been left open.
  func ask() throws(RunError) -> Bool {
    let questions = run.access.permissions.questions
    guard !questions.isEmpty else { return false }
    var wasAsked = false
    if let terminal = run.options.openTerminal?() {
      wasAsked = true
      for source in questions {
        if source.level == .addOnly {
          // Whoever has just been allowed to read the photo library may add to it.
          try run.access.readAnswers()
          guard run.access.permissions.adding?.decision.outcome == .ask else { continue }
        }
        let isAnswered =
          source.input.mustPick
          ? try pick(from: source, on: terminal) : try prompt(about: source, on: terminal)
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

  /// Asks whether a source is allowed, and stores the answer.
  ///
  /// A person who leaves the picker without a choice is asked again.
  ///
  /// - Returns: False when the person has not answered.
  private func prompt(
    about source: DecidedSource,
    on terminal: Terminal
  ) throws(RunError) -> Bool {
    let manifest = run.loaded.manifest
    let binding = run.access.context.binding(of: source.source, level: source.level, in: manifest)
    guard case .text(let usageDescription)? = source.input.usageDescription else { return false }
    let question = Question(
      clientName: manifest.client.name,
      clientIdentifier: manifest.client.identifier,
      source: source.source,
      level: source.level,
      folder: binding.folder?.path,
      usageDescription: usageDescription,
      changes: source.answerChanges,
      earlierStatus: source.answer?.status,
      mayLimit: source.source == .library && source.level == .readWrite && binding.folder != nil
        && !run.access.context.policies.contains(where: \.deniesPicking)
    )
    var answer = StoredAnswer(
      binding: binding,
      status: .authorized,
      reason: .userConsent,
      decidedAt: Int64(time(nil))
    )
    asking: while true {
      switch Prompt.ask(question, on: terminal) {
      case .undecided: return false
      case .allow: break asking
      case .deny:
        answer.status = .denied
        break asking
      case .allowOnlyThese:
        let chosen = try choose(from: source, limit: 0, filter: nil, on: terminal)
        if chosen.isEmpty { continue }
        answer.status = .limited
        answer.selection = chosen.map { SelectionPattern.literalText(of: $0) }
        break asking
      }
    }
    answer.decidedAt = Int64(time(nil))
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
        reason: DecisionReason(answer.status)
      )
    )
    return true
  }

  /// Lets the person pick files for this run alone: nothing is stored, and no status changes.
  private func pick(from source: DecidedSource, on terminal: Terminal) throws(RunError) -> Bool {
    guard let request = run.loaded.manifest.sources[source.source]?.pick else { return false }
    let chosen = try choose(
      from: source,
      limit: request.limit,
      filter: request.filter,
      on: terminal
    )
    run.access.reconsider { $0.picked[source.source] = chosen }
    return true
  }

  private func choose(
    from source: DecidedSource,
    limit: Int,
    filter: PickFilter?,
    on terminal: Terminal
  ) throws(RunError) -> [ItemPath] {
    let identity = run.access.context.folders[source.source]
    let folder = try OpenedRoot.open(
      identity?.path ?? run.loaded.path(of: source.source) ?? [],
      as: identity,
      of: source.source
    )
    do {
      return try Picker.pick(
        PickerRequest(
          folder: folder,
          source: source.source,
          clientIdentifier: run.loaded.manifest.client.identifier,
          limit: limit,
          filter: filter,
          crossMounts: run.loaded.manifest.sources[source.source]?.crossMounts ?? false
        ),
        on: terminal
      )
    } catch {
      if error.code == .interrupted {
        throw RunError(
          .interrupted,
          exitCode: .interrupted,
          "Stopped on request, while a person was picking. Nothing was opened."
        )
      }
      let exitCode: RunExitCode =
        switch error.code {
        case .pickerNotConfined: .enforcementUnavailable
        case .noTerminal, .notInForeground: .undecided
        case .pickerFailed, .pickerAnswer: .internalCheck
        case .interrupted: .interrupted
        case .terminated: .terminated
        case .folderUnreadable: .sourceUnavailable
        }
      throw RunError(
        .cannotPick,
        exitCode: exitCode,
        "Nothing could be picked from the \(source.source.displayName): \(error)"
      )
    }
  }
}
