internal import ArgumentParser
internal import MediaConsent
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPicking
internal import MediaPipeline

struct AccessAskCommand: ParsableCommand, RuledArguments {
  static let configuration = CommandConfiguration(
    commandName: "ask",
    abstract: "Ask a person about the sources, at the terminal or in a browser.",
    discussion: """
      It asks about each source that is not decided, or about SOURCE, whatever was answered before.

      EXAMPLES
        mediabatch access ask manifest.json
        mediabatch access ask manifest.json library --web

      No file is opened. With --format json there is a line of JSON for each answer.
      """ + rules.paragraph
  )

  static let rules: [OptionRule] = PageOptions.rules

  @OptionGroup var options: AccessOptions

  @OptionGroup var subject: SourceArgument

  @OptionGroup var level: AccessLevelOption

  @OptionGroup var page: PageOptions

  func validate() throws {
    try checkRules()
    if level.chosen != nil, subject.word == nil { try level.require(nil, "--level") }
  }

  func run() throws {
    let format = options.format
    let loaded = try options.loaded()
    try page.check(loaded)
    // A damaged store ends the command before anybody is asked.
    try AccessStore.with(.readOnly, format: format) { _, _ in }
    var subjects = try subjects(of: loaded)
    if subjects.isEmpty {
      Console.note("Every source that this manifest needs is decided. Name one to be asked again.")
      return
    }
    guard var asker = page.asker()?() else {
      return try AccessStore.stop(
        .undecided,
        ConsentError.Code.noTerminal.rawValue,
        "\(ConsentError(.noTerminal))",
        format: format
      )
    }
    do {
      try choose(from: &subjects, loaded, on: &asker)
    } catch {
      return try stop(error)
    }
    guard !subjects.isEmpty else {
      return try AccessStore.stop(
        .undecided,
        DecisionReason.notDetermined.rawValue,
        "Nothing was stored: nobody has decided.",
        format: format
      )
    }
    for (index, group) in subjects.enumerated() {
      let circumstances = Asker.Circumstances(number: index + 1, of: subjects.count)
      try ask(untilStored: group, loaded, on: asker, circumstances)
    }
  }

  /// Asks about sources of a kind, again where another answer was stored meanwhile.
  private func ask(
    untilStored sources: [DecidedSource],
    _ loaded: LoadedManifest,
    on asker: Asker,
    _ circumstances: Asker.Circumstances
  ) throws {
    var sources = sources
    while try !ask(about: sources, loaded, on: asker, circumstances) {
      Console.note("Another answer was stored meanwhile. It stays, and the person is asked again.")
      let current = AccessState(loaded, canPrompt: true).permissions.all
      sources = sources.map { old in
        current.first { $0.source == old.source && $0.level == old.level } ?? old
      }
    }
  }

  /// Asks about sources of a kind, stores the answers and says them.
  ///
  /// - Returns: False when another answer was stored meanwhile that allows less: that one stays.
  private func ask(
    about sources: [DecidedSource],
    _ loaded: LoadedManifest,
    on asker: Asker,
    _ circumstances: Asker.Circumstances
  ) throws -> Bool {
    guard let decided = sources.first else { return true }
    let format = options.format
    let subject = try AccessSubject(loaded, decided.source, decided.level)
    let mayDecide = decided.status != .restricted
    var circumstances = circumstances
    circumstances.goesOn = false
    circumstances.status = decided.decision.outcome == .ask ? nil : decided.status
    if decided.decidedBy == .policy {
      circumstances.policyReason = decided.policyReason.map { EscapedText.printable($0, limit: 300) } ?? ""
    }
    circumstances.mayDecide = mayDecide
    let context = AccessState(loaded, canPrompt: true).context
    var reply: SourceAsking.Reply?
    do {
      reply = try SourceAsking(loaded, context, sources)?.answer(on: asker, circumstances)
    } catch {
      try stop(error)
      return true
    }
    switch reply {
    case .stored(let answers):
      return try store(answers, loaded, after: context, format)
    case .each:
      for (index, source) in sources.enumerated() {
        try ask(untilStored: [source], loaded, on: asker, circumstances.ofEach(index, of: sources.count))
      }
    case .leftOut: Console.note("Nothing was stored about \(subject.name).")
    case .undecided, nil:
      try AccessStore.stop(
        mayDecide ? .undecided : .sourceRefused,
        decided.decision.reason.rawValue,
        "Nothing was stored about \(subject.name): "
          + (decided.decidedBy == .storedAnswer
            ? "the earlier answer stays." : "nobody has decided."),
        format: format
      )
    }
    return true
  }

  /// Stores answers, each with a result of its own but those of a denial, which is one for all sources of the kind.
  private func store(
    _ answers: [StoredAnswer],
    _ loaded: LoadedManifest,
    after context: PermissionContext,
    _ format: OutputFormat
  ) throws -> Bool {
    let isDenial = answers.first?.status == .denied
    for answers in isDenial ? [answers] : answers.map({ [$0] }) {
      let binding = answers[0].binding
      let earlier = answers.map { context.answers(about: $0.binding) }
      let isStored = try AccessSubject(loaded, binding.source, binding.level)
        .store(answers, action: "ask", after: earlier, format: format)
      guard isStored else { return false }
    }
    return true
  }

  /// Leaves those of several questions that the person wants to be asked: none after "Not now".
  private func choose(
    from subjects: inout [[DecidedSource]],
    _ loaded: LoadedManifest,
    on asker: inout Asker
  ) throws(RunError) {
    let access = AccessState(loaded, canPrompt: true)
    switch try SourceAsking.choose(from: subjects, loaded, access, on: asker, goesOn: false) {
    case .undecided: subjects = []
    case .none: asker = asker.refusing
    case .these(let chosen): subjects = chosen.map { subjects[$0] }
    }
  }

  private func stop(_ error: RunError) throws {
    try AccessStore.stop(error.exitCode, error.code.rawValue, error.description, format: options.format)
  }

  /// The sources to ask about, those of a kind together.
  private func subjects(of loaded: LoadedManifest) throws -> [[DecidedSource]] {
    let permissions = AccessState(loaded, canPrompt: true).permissions
    guard let word = subject.word else {
      return DecidedSource.byKind(permissions.questions.filter { !$0.input.mustPick })
    }
    let (level, sources) = (level.value, try loaded.sources(word))
    let source = sources[0]
    if level == .addOnly { try self.level.require(source, "--level") }
    // A missing usage description is a mistake that no answer mends.
    let subject = try AccessSubject(loaded, source, level)
    if case .usageDescriptionMissing? = GrantObstacle(loaded.manifest, source: source, level: level) {
      try subject.stopUnlessGrantable(format: options.format)
    }
    let matches = permissions.all.filter { sources.contains($0.source) && $0.level == level }
    guard !matches.isEmpty else {
      // No rule knows the manifest.
      throw ValidationError("This manifest does not use \(subject.name).")
    }
    if !page.web {
      for source in sources {
        try AccessSubject(loaded, source, level).stopUnlessGrantable(format: options.format)
      }
    }
    return DecidedSource.byKind(matches)
  }
}
