package import MediaManifest
package import MediaModel

/// What was decided about one source of a manifest.
package struct DecidedSource: Sendable, Hashable {
  package var source: SourceKind
  package var level: AccessLevel
  /// What the manifest says.
  package var status: AuthorizationStatus
  package var decision: Decision
  /// Whether a run without it has failed.
  package var isRequired: Bool
  /// `unknown` unless it is allowed and has a path: nothing else is ever looked at.
  package var availability: Availability
  /// False for a source that is only declared; its decision is what would apply, and stops nothing.
  package var isNeeded: Bool
  /// The microphone, for the sound of the camera's items.
  package var isForSoundOnly: Bool
  /// As the manifest has it.
  package var path: String?

  /// Whether a run lists and opens files of it.
  package var isRead: Bool { decision.outcome == .proceed && isNeeded && path != nil }
}

/// A usage description that the plan needs and the manifest does not have.
package struct MissingUsageDescription: Sendable, Hashable {
  package var key: UsageDescriptionKey
  package var source: SourceKind
  /// Nil when the key is not there at all.
  package var found: UsageDescription?

  /// What the manifest must contain, and why.
  ///
  /// Source: the message of the system when an app has no usage description, in our words.
  package var message: String {
    let problem =
      switch found {
      case nil: "is missing"
      case .text: "says nothing"
      case .notAString: "is not a string"
      }
    return "the usage description for the \(source.displayName) \(problem): \"usageDescriptions\" "
      + "must contain \"\(key.rawValue)\", a string that tells the person how its data is used"
  }
}

/// Decides about all that a manifest needs, before any source is opened.
package enum PermissionPlan {
  package struct Result: Sendable, Hashable {
    /// Declared or needed, in the order camera, photo library, microphone.
    package var sources: [DecidedSource]
    /// All of them, so that a person mends the manifest once.
    package var missingUsageDescriptions: [MissingUsageDescription]
    /// Why the run ends here, or nil when it goes on: 78, then 75, 77, 66.
    package var stop: ExitCode?
    /// Whether items of the camera that have sound fall under `onMicrophoneRefused`.
    package var isSoundRefused: Bool
  }

  /// The decisions for a manifest.
  ///
  /// - Parameters:
  ///   - manifest: What is declared; nothing else is known in this version.
  ///   - availability: Looks whether a source's folder is there; asked only about sources that are
  ///     allowed and have a path, and about none while a usage description is missing.
  /// - Returns: A decision for each source that is declared or needed.
  package static func decide(
    manifest: Manifest,
    availability: (SourceKind) -> Availability
  ) -> Result {
    let needs = Need.all(of: manifest)
    let missing = needs.compactMap { missingUsageDescription(for: $0, manifest) }
    var sources: [DecidedSource] = []
    for kind in SourceKind.allCases {
      if let need = needs.first(where: { $0.source == kind }) {
        sources.append(
          decide(need, manifest) { missing.isEmpty ? availability($0) : .unknown }
        )
      } else if let declaration = manifest.sources[kind] {
        sources.append(report(kind, declaration, manifest))
      }
    }
    return Result(
      sources: sources,
      missingUsageDescriptions: missing,
      stop: stop(sources),
      isSoundRefused: needs.contains { $0.source == .microphone }
        && manifest.sources[.camera]?.captureMode.needsSound == true
        && sources.contains { $0.source == .microphone && $0.decision.outcome == .refuse }
    )
  }

  private static func input(
    _ kind: SourceKind,
    _ level: AccessLevel,
    _ manifest: Manifest
  ) -> DecisionInput {
    let status = manifest.sources[kind]?.authorizationStatus
    return DecisionInput(
      source: kind,
      level: level,
      usageDescription: manifest.usageDescriptions[UsageDescriptionKey(source: kind, level: level)],
      manifest: status.map { [.readWrite: StatusStatement($0)] } ?? [:],
      onNotDetermined: manifest.onNotDetermined,
      canPrompt: false
    )
  }

  private static func decide(
    _ need: Need,
    _ manifest: Manifest,
    availability: (SourceKind) -> Availability
  ) -> DecidedSource {
    let declaration = manifest.sources[need.source]
    var input = input(need.source, need.level, manifest)
    var decision = Decider.decide(input)
    if decision.outcome == .proceed, declaration?.path != nil {
      input.availability = availability(need.source)
      decision = Decider.decide(input)
    }
    return DecidedSource(
      source: need.source,
      level: need.level,
      status: declaration?.authorizationStatus ?? .notDetermined,
      decision: decision,
      isRequired: isRequired(declaration, need, manifest.onNotDetermined),
      availability: input.availability,
      isNeeded: true,
      isForSoundOnly: need.isForSoundOnly,
      path: declaration?.path
    )
  }

  /// A source that is declared and not needed: what would apply, without a reason to stop.
  private static func report(
    _ kind: SourceKind,
    _ declaration: SourceDeclaration,
    _ manifest: Manifest
  ) -> DecidedSource {
    var input = input(kind, .readWrite, manifest)
    input.usageDescription = .text("not needed")
    input.onNotDetermined = .deny
    return DecidedSource(
      source: kind,
      level: .readWrite,
      status: declaration.authorizationStatus,
      decision: Decider.decide(input),
      isRequired: false,
      availability: .unknown,
      isNeeded: false,
      isForSoundOnly: false,
      path: declaration.path
    )
  }

  private static func missingUsageDescription(
    for need: Need,
    _ manifest: Manifest
  ) -> MissingUsageDescription? {
    let key = UsageDescriptionKey(source: need.source, level: need.level)
    let found = manifest.usageDescriptions[key]
    guard found?.saysNothing ?? true else { return nil }
    return MissingUsageDescription(key: key, source: need.source, found: found)
  }

  private static func isRequired(
    _ declaration: SourceDeclaration?,
    _ need: Need,
    _ onNotDetermined: NotDeterminedPolicy
  ) -> Bool {
    if let written = declaration?.required { return written }
    // Sound alone has its own answer, `onMicrophoneRefused`.
    if need.isForSoundOnly { return false }
    switch declaration?.authorizationStatus ?? .notDetermined {
    case .authorized, .limited: return true
    // Nobody is asked under `deny`: that is a refusal which the manifest itself declares.
    case .notDetermined: return onNotDetermined != .deny
    case .denied, .restricted: return false
    }
  }

  /// The first of 78, 75, 77, 66 that applies to any source.
  private static func stop(_ sources: [DecidedSource]) -> ExitCode? {
    let codes = sources.filter(\.isNeeded).compactMap { source -> ExitCode? in
      switch source.decision.outcome {
      case .stop(let code): code
      case .ask: .undecided
      case .refuse: source.isRequired ? .sourceRefused : nil
      case .notDone: source.isRequired ? .sourceUnavailable : nil
      case .proceed: nil
      }
    }
    let order: [ExitCode] = [.manifestMistake, .undecided, .sourceRefused, .sourceUnavailable]
    return order.first(where: codes.contains)
  }
}
