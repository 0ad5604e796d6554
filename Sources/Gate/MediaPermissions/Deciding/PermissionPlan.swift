package import MediaManifest
package import MediaModel

/// A source of a manifest with the decision about it.
package struct DecidedSource: Sendable, Hashable {
  package var source: SourceID
  package var level: AccessLevel
  /// The status that applies, from any origin: a policy's denial is `restricted`.
  package var status: AuthorizationStatus
  package var decision: AccessDecision
  /// The inputs of the decision.
  package var input: AccessDecisionInput
  /// The origin of the status that applies; nil when there is none.
  package var decidedBy: StatusOrigin?
  /// The way in which a person gave the answer, or picked the items, on which the decision rests; nil where
  /// it rests on neither.
  package var basis: AnswerReason?
  /// An earlier answer, and what has changed since it was given; it may not count any more.
  package var answer: StoredAnswer?
  package var answerChanges: [AnswerBinding.Change]
  /// Why a policy denies it, in the policy's words.
  package var policyReason: String?
  /// The only items that exist for the run; nil when the whole source is allowed or nothing is.
  package var selection: [SelectionPattern]?
  /// Whether a run without it has failed.
  package var isRequired: Bool
  /// `unknown` unless it is allowed and has a path: nothing else is ever looked at.
  package var availability: Availability
  /// False for a source that is only declared; its decision is what would apply, and stops nothing.
  package var isNeeded: Bool
  /// The microphone, for the sound of the camera's items.
  package var isForSoundOnly: Bool
  /// The text in the manifest.
  package var path: String?
  /// Its key in the manifest, such as `sources.library` or `sources.library[1]`.
  package var manifestKey: String
  /// The arrangement of its files, as the manifest says.
  package var layout: SourceLayout = .folder

  /// Whether a run lists and opens files of it.
  package var isRead: Bool { level == .readWrite && mayProceed && path != nil }

  /// Whether it is needed and allowed.
  package var mayProceed: Bool { decision.outcome == .proceed && isNeeded }

  /// The source, or adding to it, as it is called within a sentence.
  package var subject: String {
    level == .addOnly ? "adding to the \(source.displayName)" : "the \(source.displayName)"
  }
}

/// A usage description that the plan needs and the manifest does not have.
package struct MissingUsageDescription: Sendable, Hashable {
  package var key: UsageDescriptionKey
  package var source: SourceKind
  /// Nil when the key is not there at all.
  package var value: UsageDescription?
  /// Whether it is needed for `places.data`, whatever the sources are.
  package var isForPlaceData = false

  /// A sentence that says what the manifest must contain, and why.
  ///
  /// Source: the message of the system when an app has no usage description, in our words.
  package var message: String {
    let problem =
      switch value?.texts.isEmpty {
      case nil: "is missing"
      case false?: "says nothing"
      case true?: "is not a string"
      }
    let subject =
      key == .location
      ? isForPlaceData ? "names of places" : "tracks of the \(source.displayName)"
      : source.displayName
    return "the usage description for the \(subject) \(problem): \"usageDescriptions\" "
      + "must contain \"\(key.rawValue)\", a string that tells the person how its data is used"
  }
}

/// The origin of the status that applies.
package enum StatusOrigin: String, CaseIterable, Sendable, Hashable {
  case policy
  case manifest
  case storedAnswer
  case picking
}

/// Decides about all that a manifest needs, before any source is opened.
package enum PermissionPlan {
  package struct Result: Sendable, Hashable {
    /// Declared or needed, in the order camera, photo library, microphone.
    package var sources: [DecidedSource]
    /// Adding to the photo library; nil for a manifest that adds nothing to it.
    package var adding: DecidedSource?
    /// All that are missing, so that a person corrects the manifest once.
    package var missingUsageDescriptions: [MissingUsageDescription]
    /// Why the run ends here, or nil when it goes on: 78, then 75, 77, 66.
    package var stop: RunExitCode?
    /// Whether items of the camera that have sound fall under `onMicrophoneRefused`.
    package var isAudioRefused: Bool

    /// Every decision: those about sources, then that about adding.
    package var all: [DecidedSource] { sources + [adding].compactMap(\.self) }

    /// The decisions about which a person is to be asked before anything is opened.
    package var questions: [DecidedSource] {
      guard missingUsageDescriptions.isEmpty, stop != .manifestMistake else { return [] }
      return all.filter { $0.isNeeded && $0.decision.outcome == .ask }
    }
  }

  /// The decisions for a manifest.
  ///
  /// - Parameters:
  ///   - manifest: What is declared.
  ///   - context: What else is known: stored answers, policies, what was picked.
  ///   - availability: Looks whether a source's folder is there; asked only about sources that are
  ///     allowed and have a path, and about none while a usage description is missing.
  /// - Returns: A decision for each source that is declared or needed.
  package static func decide(
    manifest: Manifest,
    context: PermissionContext,
    availability: (SourceID) -> Availability
  ) -> Result {
    let needs = Need.all(of: manifest)
    let addingNeed = Need.adding(of: manifest)
    let needsWithAdding = needs + [addingNeed].compactMap(\.self)
    var missing: [MissingUsageDescription] = []
    for need in needsWithAdding {
      let key = UsageDescriptionKey(source: need.source.kind, level: need.level)
      // One description is for all sources of a kind.
      if missing.contains(where: { $0.key == key }) { continue }
      missing += [missingUsageDescription(key, of: need.source.kind, manifest)].compactMap(\.self)
    }
    missing += missingLocationDescription(manifest)
    var sources: [DecidedSource] = []
    let undeclared = needs.map(\.source).filter { manifest.sources[$0] == nil }
    // Only a microphone can be needed without being declared, and it comes last.
    for source in manifest.sources.keys + undeclared {
      guard let need = needs.first(where: { $0.source == source }) else {
        sources.append(decide(Need(source: source), isNeeded: false, manifest, context) { _ in .unknown })
        continue
      }
      sources.append(
        decide(need, isNeeded: true, manifest, context) {
          missing.isEmpty ? availability($0) : .unknown
        }
      )
    }
    let adding = addingNeed.map { need in
      decide(need, isNeeded: true, manifest, context) {
        missing.isEmpty ? availability($0) : .unknown
      }
    }
    return Result(
      sources: sources,
      adding: adding,
      missingUsageDescriptions: missing,
      stop: stop(sources + [adding].compactMap(\.self)),
      isAudioRefused: isAudioRefused(manifest, sources, context)
    )
  }

  /// Whether the sound in the camera's items is refused.
  ///
  /// A mode that brings sound needs the microphone, and has none of it as long as nobody has decided.
  /// The mode `photo` asks for nothing; but who has refused the microphone has refused the sound in a
  /// motion photo too.
  private static func isAudioRefused(
    _ manifest: Manifest,
    _ sources: [DecidedSource],
    _ context: PermissionContext
  ) -> Bool {
    let cameras = manifest.sources.of(.camera)
    if cameras.isEmpty { return false }
    let listed = sources.filter { $0.source.kind == .microphone }
    if cameras.contains(where: { $0.value.captureMode.needsSound }) {
      return listed.contains { !$0.decision.outcome.isAllowed }
    }
    let microphones =
      !listed.isEmpty
      ? listed
      : [
        decide(
          Need(source: .microphone, isForSoundOnly: true),
          isNeeded: false,
          manifest,
          context,
          availability: { _ in .unknown }
        )
      ]
    return microphones.contains { [.denied, .restricted].contains($0.decision.reason) }
  }

  /// The inputs of a decision about one level of one source, without its availability.
  package static func input(
    _ source: SourceID,
    _ level: AccessLevel,
    manifest: Manifest,
    context: PermissionContext
  ) -> AccessDecisionInput {
    var input = AccessDecisionInput(
      source: source.kind,
      level: level,
      usageDescription: manifest.usageDescriptions[UsageDescriptionKey(source: source.kind, level: level)],
      manifest: (manifest.sources[source]?.statuses ?? [:]).mapValues { StatusStatement($0) },
      policyDenies: context.policyDenial(of: source, level: level, in: manifest) != nil,
      wasPicked: context.picked[source] != nil,
      onNotDetermined: context.leavesOut(source, level) ? .deny : manifest.onNotDetermined,
      canPrompt: context.canPrompt
    )
    input.mustPick =
      source.kind == .library && level == .readWrite && manifest.sources[source]?.pick != nil
    if input.mustPick, context.policies.contains(where: \.deniesPicking) {
      input.policyDenies = true
    }
    for level in AccessLevel.allCases {
      guard let (answer, changes) = context.answer(of: source, level: level, in: manifest),
        counts(answer, changes, input, now: context.now)
      else { continue }
      input.stored[level] = StatusStatement(
        answer.status,
        isExpired: answer.expiresAt.map { $0 <= context.now } ?? false
      )
    }
    return input
  }

  /// A grant counts while nothing has changed since. A denial counts all the same, unless a person
  /// is asked anyway, who is then told what has changed.
  private static func counts(
    _ answer: StoredAnswer,
    _ changes: [AnswerBinding.Change],
    _ input: AccessDecisionInput,
    now: Int64
  ) -> Bool {
    // An answer from the future means that the clock was set back, and might not expire in time.
    if answer.status != .denied, answer.decidedAt > now { return false }
    if changes.isEmpty { return true }
    let isAsked =
      input.canPrompt && input.onNotDetermined == .ask
      && input.manifest.values.allSatisfy { $0.status == .notDetermined }
    return answer.status == .denied && !isAsked
  }

  private static func decide(
    _ need: Need,
    isNeeded: Bool,
    _ manifest: Manifest,
    _ context: PermissionContext,
    availability: (SourceID) -> Availability
  ) -> DecidedSource {
    let identifier = need.source
    let declaration = manifest.sources[identifier]
    var input = input(identifier, need.level, manifest: manifest, context: context)
    if !isNeeded {
      // Compute what would apply, without a reason to stop the run.
      input.usageDescription = .text("not needed")
      input.onNotDetermined = .deny
      input.mustPick = false
    }
    var decision = AccessDecision.decide(input)
    if isNeeded, decision.outcome == .proceed, declaration?.path != nil {
      input.availability = availability(identifier)
      decision = AccessDecision.decide(input)
    }
    let (status, origin) = applying(input)
    let stored = context.answer(of: identifier, level: need.level, in: manifest)
    var source = DecidedSource(
      source: identifier,
      level: need.level,
      status: status,
      decision: decision,
      input: input,
      decidedBy: decision.reason == .picked ? .picking : origin,
      answer: stored?.answer,
      answerChanges: stored?.changes ?? [],
      policyReason: context.policyDenial(of: identifier, level: need.level, in: manifest)?.reason
        ?? (input.mustPick
          ? context.policies.lazy.compactMap(\.pickingDenial).first?.reason : nil),
      isRequired: isNeeded
        && isRequired(
          need,
          manifest,
          isDeniedByPerson: decision.reason == .denied && origin == .storedAnswer
            || context.leavesOut(identifier, need.level)
        ),
      availability: input.availability,
      isNeeded: isNeeded,
      isForSoundOnly: need.isForSoundOnly,
      path: declaration?.path,
      manifestKey: manifest.sources.key(of: identifier)
    )
    source.layout = declaration?.layout ?? .folder
    source.selection = selection(of: source, declaration, context)
    switch source.decidedBy {
    case .picking: source.basis = context.picked[identifier]?.reason
    case .storedAnswer:
      // A client that may read may add.
      let level = input.stored[need.level] == nil ? .readWrite : need.level
      source.basis = context.answer(of: identifier, level: level, in: manifest)?.answer.reason
    case .policy, .manifest, nil: break
    }
    return source
  }

  /// The status that applies and its origin, in the order of the table.
  private static func applying(
    _ input: AccessDecisionInput
  ) -> (AuthorizationStatus, StatusOrigin?) {
    if input.policyDenies { return (.restricted, .policy) }
    let level = input.source == .library ? input.level : .readWrite
    let statements: [(StatusStatement?, StatusOrigin)] = [
      (input.manifest[level], .manifest), (input.stored[level], .storedAnswer),
    ]
    for status in [AuthorizationStatus.restricted, .denied] {
      for (statement, origin) in statements where statement?.status == status {
        return (status, origin)
      }
    }
    let effective: [(StatusStatement?, StatusOrigin)] = [
      (Statements.statement(of: level, in: input.manifest), .manifest),
      (Statements.statement(of: level, in: input.stored), .storedAnswer),
    ]
    for case (let statement?, let origin) in effective where statement.status != .notDetermined {
      return (statement.status, origin)
    }
    return (.notDetermined, nil)
  }

  private static func selection(
    of source: DecidedSource,
    _ declaration: SourceDeclaration?,
    _ context: PermissionContext
  ) -> [SelectionPattern]? {
    switch source.decision.reason {
    case .picked:
      return (context.picked[source.source]?.paths ?? []).compactMap { path in
        try? SelectionPattern(SelectionPattern.literalText(of: path))
      }
    case .limited where source.decidedBy == .storedAnswer:
      return (source.answer?.selection ?? []).compactMap { text in
        try? SelectionPattern(text)
      }
    case .limited:
      return declaration?.selection ?? []
    default:
      return nil
    }
  }

  private static func missingUsageDescription(
    _ key: UsageDescriptionKey,
    of source: SourceKind,
    _ manifest: Manifest
  ) -> MissingUsageDescription? {
    let description = manifest.usageDescriptions[key]
    guard description?.isBlank ?? true else { return nil }
    return MissingUsageDescription(key: key, source: source, value: description)
  }

  /// Tracks tell where a person was, whatever the source is whose files they place; so do names of places.
  private static func missingLocationDescription(
    _ manifest: Manifest
  ) -> [MissingUsageDescription] {
    let source = manifest.sources.first { !$0.value.tracks.isEmpty }?.key.kind
    if source == nil, manifest.placeData == nil { return [] }
    guard var missing = missingUsageDescription(.location, of: source ?? .library, manifest) else {
      return []
    }
    missing.isForPlaceData = source == nil
    return [missing]
  }

  private static func isRequired(
    _ need: Need,
    _ manifest: Manifest,
    isDeniedByPerson: Bool
  ) -> Bool {
    let declaration = manifest.sources[need.source]
    // Items that are not added to the photo library are imported all the same.
    if need.level == .addOnly, !manifest.onlyAddsToPhotoLibrary { return false }
    if let required = declaration?.required { return required }
    // Sound alone has its own answer, `onMicrophoneRefused`.
    if need.isForSoundOnly || need.level == .addOnly { return false }
    switch declaration?.authorizationStatus ?? .notDetermined {
    case .authorized, .limited: return true
    // Under `deny` the prompt is skipped, so the manifest itself declares the refusal; else it leaves the
    // choice to a person, who has made it for this source and not for the others.
    case .notDetermined: return manifest.onNotDetermined != .deny && !isDeniedByPerson
    case .denied, .restricted: return false
    }
  }

  /// The first of 78, 75, 77, 66 that applies to any source.
  private static func stop(_ sources: [DecidedSource]) -> RunExitCode? {
    let codes = sources.filter(\.isNeeded).compactMap { source -> RunExitCode? in
      switch source.decision.outcome {
      case .stop(let code): code
      case .ask: .undecided
      case .refuse: source.isRequired ? .sourceRefused : nil
      case .notDone: source.isRequired ? .sourceUnavailable : nil
      case .proceed: nil
      }
    }
    let order: [RunExitCode] = [.manifestMistake, .undecided, .sourceRefused, .sourceUnavailable]
    return order.first(where: codes.contains)
  }
}
