internal import ArgumentParser
internal import Glibc
internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline

/// The subject of an answer: one source, at one level, of one manifest as it is now.
struct AccessSubject {
  let loaded: LoadedManifest
  let source: SourceID
  let level: AccessLevel
  /// The binding of an answer that is given now.
  let binding: AnswerBinding
  /// The stored answer that applies before the command changes anything; nil when nobody answered
  /// for this manifest, nor denied it for another one of the client.
  let applicable: StoredAnswer?

  /// - Throws: A `ValidationError` for a level that the source does not have, since no rule knows of arguments.
  static func require(_ level: AccessLevel, of source: SourceID) throws {
    if source.kind == .library || level == .readWrite { return }
    throw ValidationError(
      "The \(source.displayName) has one access level; leave --level out. The photo library has "
        + "addOnly and readWrite."
    )
  }

  /// - Throws: A `ValidationError` for a level that the source does not have.
  init(_ loaded: LoadedManifest, _ source: SourceID, _ level: AccessLevel) throws {
    try Self.require(level, of: source)
    self.loaded = loaded
    self.source = source
    self.level = level
    let context = AccessState(loaded).context
    let binding = context.binding(of: source, level: level, in: loaded.manifest)
    self.binding = binding
    applicable = context.answer(of: source, level: level, in: loaded.manifest)
      .map(\.answer)
      .flatMap { $0.status == .denied || $0.binding.hasKey(of: binding) ? $0 : nil }
  }

  /// `the camera`, or `adding to the photo library`.
  var name: String {
    level == .addOnly ? "adding to the \(source.displayName)" : "the \(source.displayName)"
  }

  /// The manifest as it is by now: a person may have answered long after it was read.
  private enum Present {
    case asRead
    case changed(LoadedManifest)
    case unreadable
  }

  private var currentState: Present {
    guard var current = try? LoadedManifest(path: loaded.givenPath, signature: .none) else {
      return .unreadable
    }
    if current.sha256 == loaded.sha256, current.infoPlistSHA256 == loaded.infoPlistSHA256,
      current.localizationsSHA256 == loaded.localizationsSHA256
    {
      return .asRead
    }
    current.policies = loaded.policies
    return .changed(current)
  }

  /// What an answer does, for a program and for people.
  struct Effect {
    /// Nil when the plan does not need the source at that level, or the manifest cannot be read any more.
    var nextRun: NextRunEffect?
    /// Whole sentences: whether the manifest has changed, whether the stored answer counts, then the effect on the next
    /// run.
    var lines: [String]
  }

  /// The effect of the stored answer on the next run, with the manifest as it is by now.
  var effect: Effect {
    switch currentState {
    case .asRead: return effect(in: loaded)
    case .changed(let manifest):
      var effect = effect(in: manifest)
      effect.lines.insert(
        "The manifest was changed meanwhile: this answer is about what it said before.",
        at: 0
      )
      return effect
    case .unreadable:
      return Effect(
        lines: [
          "The manifest was changed meanwhile, and cannot be read now: mediabatch check "
            + "\(ShellWord.quoted(loaded.path)) says why."
        ]
      )
    }
  }

  private func effect(in manifest: LoadedManifest) -> Effect {
    if let problem = manifest.signatureProblem { return Effect(lines: [problem.description]) }
    let planned = AccessState(manifest).permissions.all
      .first { $0.source == source && $0.level == level && $0.isNeeded }
    guard let planned else {
      return Effect(
        lines: [
          "This manifest does not use \(name): the answer is for a manifest of this client that does."
        ]
      )
    }
    let effect = NextRunEffect(planned, in: manifest.manifest)
    return Effect(nextRun: effect, lines: effect.lines)
  }

  /// Ends the command when no person may allow the source here.
  func stopUnlessGrantable(format: OutputFormat) throws {
    switch GrantObstacle(loaded.manifest, source: source, level: level) {
    case nil: return
    case .usageDescriptionMissing(let key):
      try AccessStore.stop(
        .manifestMistake,
        DecisionReason.usageDescriptionMissing.rawValue,
        "Nothing was stored: the manifest does not say why it wants \(name), so that nobody can "
          + "agree to it. \"usageDescriptions\" must contain \"\(key.rawValue)\", a string that "
          + "tells the person how its data is used.",
        format: format
      )
    case .restricted:
      try AccessStore.stop(
        .sourceRefused,
        DecisionReason.restricted.rawValue,
        "Nothing was stored: the manifest says that \(name) is restricted, and no answer changes "
          + "that. Only who set it can lift it, at \(loaded.manifest.sources.key(of: source))"
          + ".authorizationStatus.",
        format: format
      )
    }
  }

  func answer(
    _ status: AuthorizationStatus,
    selection: [String] = [],
    expiresAt: Int64? = nil,
    isForOneRun: Bool = false
  ) -> StoredAnswer {
    StoredAnswer(
      binding: binding,
      status: status,
      selection: selection,
      reason: .userSet,
      decidedAt: Self.now,
      expiresAt: expiresAt,
      isForOneRun: isForOneRun
    )
  }

  /// Seconds since 1970, UTC.
  static var now: Int64 { Int64(time(nil)) }
}
