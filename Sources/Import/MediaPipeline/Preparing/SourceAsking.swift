internal import Glibc
package import MediaConsent
internal import MediaFileSystem
internal import MediaManifest
package import MediaModel
package import MediaPermissions
internal import MediaPicking
internal import MediaPredicate
internal import MediaSources

/// Asks a person about one source, or several of a kind, at a terminal or on a page: the one way to an answer, for `run`
/// and for `access ask`.
package struct SourceAsking {
  /// What a person has answered.
  package enum Reply {
    case undecided
    /// The source stays closed this time.
    case leftOut
    /// The person wants to be asked about each of the sources.
    case each
    /// An answer for each source; a denial is of all sources of the kind that the manifest has.
    case stored([StoredAnswer])
  }

  private let loaded: LoadedManifest
  private let context: PermissionContext
  private let sources: [DecidedSource]
  /// The first of the sources.
  private let source: DecidedSource
  private var declaration: SourceDeclaration? { loaded.manifest.sources[source.source] }

  /// Describes the question about sources of a kind as they are decided now; nil for none.
  package init?(_ loaded: LoadedManifest, _ context: PermissionContext, _ sources: [DecidedSource]) {
    guard let first = sources.first else { return nil }
    self.loaded = loaded
    self.context = context
    self.sources = sources
    source = first
  }

  /// The question; nil where the manifest does not say why.
  private var question: Question? {
    let manifest = loaded.manifest
    let folder = context.folders[source.source]
    guard let texts = source.input.usageDescription?.texts, let text = texts.text(for: context.languages)
    else {
      return nil
    }
    var question = Question(
      clientName: manifest.client.name,
      clientIdentifier: manifest.client.identifier,
      source: source.source,
      level: source.level,
      folder: folder?.path,
      usageDescription: text.words,
      changes: AnswerBinding.Change.allCases.filter { change in
        sources.contains { $0.answerChanges.contains(change) }
      },
      earlierStatus: Set(sources.map { $0.answer?.status }).count == 1 ? source.answer?.status : nil,
      mayLimit: sources.count == 1 && source.source.kind == .library && source.level == .readWrite
        && folder != nil && !context.policies.contains(where: \.deniesPicking)
    )
    question.policy = policy
    question.translations = texts
    if sources.contains(where: { $0.source.ownName != nil }) {
      question.sources = sources.map { Question.Source($0.source, folder: context.folders[$0.source]?.path) }
    }
    return question
  }

  /// The policy of the copies; that of them which keeps most, where the sources have several.
  private var policy: MetadataPolicy {
    let policies = sources.map { loaded.manifest.metadataPolicy(of: $0.source) }
    return policies.first { one in policies.allSatisfy { $0.isAtLeastAsStrict(as: one) } } ?? .keep
  }

  /// Lets the person choose which of several questions they are asked; throws as ``answer(on:_:onShown:)``.
  package static func choose(
    from groups: [[DecidedSource]],
    _ loaded: LoadedManifest,
    _ access: AccessState,
    on asker: Asker,
    goesOn: Bool = true
  ) throws(RunError) -> Asker.SourceChoice {
    let askings = groups.compactMap { SourceAsking(loaded, access.context, $0) }
    let questions = askings.compactMap(\.question)
    guard let first = askings.first, questions.count == groups.count else {
      return .these(Array(groups.indices))
    }
    var circumstances = Asker.Circumstances()
    (circumstances.manifest, circumstances.goesOn) = (ShellWord.quoted(loaded.path), goesOn)
    return try first.picking { () throws(ConsentError) in
      try asker.choose(from: questions, among: access.permissions.all, circumstances)
    }
  }

  /// Asks whether the sources are allowed. Stores nothing.
  ///
  /// - Parameters:
  ///   - asker: The place at which the person is asked; it is the answer's reason.
  ///   - circumstances: What stands beside the question.
  ///   - onShown: Gets the number of names that a page has shown, also without an answer.
  /// - Returns: The reply.
  /// - Throws: `RunError` when the person stops the program, or nothing can be picked.
  package func answer(
    on asker: Asker,
    _ circumstances: Asker.Circumstances,
    onShown: (Int) -> Void = { _ in }
  ) throws(RunError) -> Reply {
    guard let question else { return .undecided }
    let kept = sources.count == 1 ? keptSelection : nil
    var circumstances = circumstances
    (circumstances.mayKeep, circumstances.manifest) = (kept != nil, ShellWord.quoted(loaded.path))
    var request = question.mayLimit ? try pickerRequest(PickRequest(limit: 0)) : nil
    request?.earlier = source.earlierSelection
    let reply = try picking { () throws(ConsentError) in
      try asker.ask(question, picking: request, circumstances)
    }
    onShown(reply.shownCount)
    switch reply.answer {
    case .undecided: return .undecided
    case .leaveOut: return .leftOut
    case .each: return .each
    case .allow: return .stored(sources.map { self.answer(about: $0.source, asker, reply.shownCount) })
    case .deny:
      return .stored(
        denied.map {
          var denial = self.answer(about: $0, asker, reply.shownCount)
          denial.status = .denied
          return denial
        }
      )
    case .only(let chosen):
      var answer = self.answer(about: source.source, asker, reply.shownCount)
      answer.status = .limited
      answer.selection = chosen.map { SelectionPattern.literalText(of: $0) }
      return .stored([answer])
    case .keep:
      var answer = self.answer(about: source.source, asker, reply.shownCount)
      answer.status = .limited
      answer.selection = kept?.selection ?? []
      answer.expiresAt = kept?.expiresAt
      return .stored([answer])
    }
  }

  /// An answer that is given now and allows a source, to the text in the language that the person was told.
  private func answer(about source: SourceID, _ asker: Asker, _ shownCount: Int) -> StoredAnswer {
    var context = context
    if let languages = asker.languages { context.languages = languages }
    return StoredAnswer(
      binding: context.binding(of: source, level: self.source.level, in: loaded.manifest),
      status: .authorized,
      reason: asker.reason,
      decidedAt: Int64(time(nil)),
      shownCount: shownCount
    )
  }

  /// The sources that a denial is about.
  private var denied: [SourceID] { loaded.manifest.sources(deniedWith: source.source, at: source.level) }

  /// Lets the person pick what the manifest asks for, for this run alone.
  ///
  /// - Returns: Nil when the manifest does not ask; empty when the person canceled.
  func picks(
    on asker: Asker,
    _ circumstances: Asker.Circumstances,
    onShown: (Int) -> Void
  ) throws(RunError) -> PickedItems? {
    guard let pick = declaration?.pick else { return nil }
    var circumstances = circumstances
    circumstances.manifest = ShellWord.quoted(loaded.path)
    let request = try pickerRequest(pick)
    let reply = try picking { () throws(ConsentError) in
      try asker.pick(request, circumstances)
    }
    onShown(reply.shownCount)
    return PickedItems(reply.chosen, asker.reason)
  }

  /// The earlier selection, if it is of this folder and this manifest.
  private var keptSelection: StoredAnswer? {
    guard let earlier = source.answer, earlier.status == .limited,
      source.answerChanges.allSatisfy({ $0 == .usageDescription })
    else { return nil }
    return earlier
  }

  private func pickerRequest(_ pick: PickRequest) throws(RunError) -> PickerRequest {
    let (folder, camera) = try SourceAddress.openForViewing(
      loaded.address(of: source.source),
      as: context.folders[source.source],
      of: source.source
    )
    let fetch = loaded.manifest.fetchOptions(of: source.source)
    return PickerRequest(
      folder: folder,
      camera: camera,
      source: source.source,
      layout: declaration?.layout ?? .folder,
      clientName: loaded.manifest.client.name,
      pick: pick,
      crossMounts: declaration?.crossMounts ?? false,
      showsPictures: mayShowPictures,
      guardedDevices: guardedDevices,
      showsHidden: fetch.includesHiddenAssets,
      showsOthers: fetch.includesPartnerSharing,
      showsLeftOut: declaration?.ignoresDefaults == false
    )
  }

  /// Whether files are opened for the person's eyes: not where somebody has refused it, whatever has changed
  /// since.
  private var mayShowPictures: Bool {
    source.status != .denied && source.status != .restricted && source.answer?.status != .denied
  }

  /// The devices of the other sources, whatever is decided about them: a file there with a second name may be
  /// one of theirs.
  private var guardedDevices: Set<UInt64> {
    if declaration?.hardLinks == .allow { return [] }
    let others = loaded.manifest.sources.keys.filter { $0 != source.source }
    return Set(others.compactMap { context.folders[$0]?.device })
  }

  private func picking<Value>(
    _ body: () throws(ConsentError) -> Value
  ) throws(RunError) -> Value {
    do {
      return try body()
    } catch {
      if error.code == .interrupted {
        throw RunError(.interrupted, exitCode: .interrupted, "Stopped on request. Nothing was imported.")
      }
      let exitCode: RunExitCode =
        switch error.code {
        case .pickerNotConfined: .enforcementUnavailable
        case .noTerminal, .notInForeground, .pageUnavailable: .undecided
        case .pickerFailed, .pickerAnswer: .internalCheck
        case .terminated: .terminated
        default: error.code == .databaseRefused ? .sourceRefused : .sourceUnavailable
        }
      throw RunError(
        .cannotPick,
        exitCode: exitCode,
        error.code == .terminated
          ? "The program was stopped. Nothing was imported."
          : "Nothing could be picked from the \(source.source.displayName): \(error)"
      )
    }
  }
}
