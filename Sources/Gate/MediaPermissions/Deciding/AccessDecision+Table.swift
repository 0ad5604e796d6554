internal import MediaManifest
internal import MediaModel

extension AccessDecision {
  /// The decision; pure, and there is one for every input.
  ///
  /// The rows are in the order of `docs/permissions.md`, "The table". Deny wins wherever it is said;
  /// then the manifest's status counts, then the stored answer.
  package static func decide(_ input: AccessDecisionInput) -> AccessDecision {
    // 1: the reason comes before any status, as on iOS, where the app would be ended here.
    if input.usageDescription?.isBlank ?? true {
      return stop(1, .usageDescriptionMissing, .manifestMistake)
    }
    // 2
    if input.hasUnknownStatusWord { return stop(2, .manifestMistake, .manifestMistake) }
    let statements = Statements(input)
    if statements.ofLevel.contains(where: { $0.status == .limited }), !statements.canBeLimited {
      return stop(2, .limitedNotApplicable, .manifestMistake)
    }
    // 3
    if input.policyDenies || statements.ofLevel.contains(where: { $0.status == .restricted }) {
      return refuse(3, .restricted)
    }
    // 4: the same person chooses file by file, so this alone passes a denial.
    if input.wasPicked { return allow(4, .picked) }
    if input.mustPick {
      return input.canPrompt
        ? AccessDecision(row: 4, verdict: .refuse, reason: .notDetermined, outcome: .ask)
        : stop(8, .notDetermined, .undecided)
    }
    // 5: a denial does not expire.
    if statements.ofLevel.contains(where: { $0.status == .denied }) {
      return refuse(5, .denied)
    }
    guard let applying = statements.applying, applying.status != .notDetermined else {
      // 7
      if statements.isOnlyAddOnlyAuthorized { return refuse(7, .levelInsufficient) }
      return undetermined(8, .notDetermined, input)
    }
    // 6
    if applying.isExpired { return undetermined(6, .expired, input) }
    // 9
    if input.availability == .unavailable {
      return AccessDecision(row: 9, verdict: .allow, reason: .unavailable, outcome: .notDone)
    }
    // 11, 12; none is 10.
    return applying.status == .limited ? allow(11, .limited) : allow(12, .authorized)
  }

  private static func allow(_ row: Int, _ reason: DecisionReason) -> AccessDecision {
    AccessDecision(row: row, verdict: .allow, reason: reason, outcome: .proceed)
  }

  private static func refuse(_ row: Int, _ reason: DecisionReason) -> AccessDecision {
    AccessDecision(row: row, verdict: .refuse, reason: reason, outcome: .refuse)
  }

  private static func stop(_ row: Int, _ reason: DecisionReason, _ code: RunExitCode) -> Self {
    Self(row: row, verdict: .refuse, reason: reason, outcome: .stop(code))
  }

  /// Rows 6 and 8: no statement counts any more.
  private static func undetermined(
    _ row: Int,
    _ reason: DecisionReason,
    _ input: AccessDecisionInput
  ) -> AccessDecision {
    switch input.onNotDetermined {
    case .deny: return refuse(row, reason)
    case .ask where input.canPrompt:
      return AccessDecision(row: row, verdict: .refuse, reason: reason, outcome: .ask)
    case .ask, .fail: return stop(row, reason, .undecided)
    }
  }
}

/// The statements that concern one level of one source.
struct Statements {
  /// The statements of the manifest and of the stored answer about the level itself; up to two.
  let ofLevel: [StatusStatement]
  /// The statement that counts when none denies.
  let applying: StatusStatement?
  let isOnlyAddOnlyAuthorized: Bool
  let canBeLimited: Bool

  init(_ input: AccessDecisionInput) {
    // Camera and microphone have one level, whatever it is called.
    let level = input.source == .library ? input.level : .readWrite
    canBeLimited = input.source == .library && level == .readWrite
    ofLevel = [input.manifest[level], input.stored[level]].compactMap { $0 }
    applying = [input.manifest, input.stored].lazy
      .compactMap { Self.statement(of: level, in: $0) }
      .first { $0.status != .notDetermined }
    isOnlyAddOnlyAuthorized = canBeLimited && Self.mayAdd(input)
  }

  /// Whether adding is authorized by what is said of it; deny wins there too.
  private static func mayAdd(_ input: AccessDecisionInput) -> Bool {
    let statements = [input.manifest[.addOnly], input.stored[.addOnly]].compactMap { $0 }
    if statements.contains(where: { $0.status == .denied || $0.status == .restricted }) {
      return false
    }
    return statements.first { $0.status != .notDetermined } == StatusStatement(.authorized)
  }

  /// A client that may read the photo library, or a part of it, may also add to it.
  static func statement(
    of level: AccessLevel,
    in statements: [AccessLevel: StatusStatement]
  ) -> StatusStatement? {
    if level == .addOnly, let readWrite = statements[.readWrite],
      readWrite.status == .authorized || readWrite.status == .limited
    {
      return StatusStatement(.authorized, isExpired: readWrite.isExpired)
    }
    return statements[level]
  }
}
