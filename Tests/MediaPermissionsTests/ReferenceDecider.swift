import MediaManifest
import MediaModel
import MediaPermissions

/// The decision table once more, row by row, as a reader of `docs/permissions.md` would do it by hand.
///
/// It shares no code with the decider that it is compared with: only the words of its input and of
/// its answer. Slow, short and plain on purpose.
enum ReferenceDecider {
  /// Row, reason and what follows, as one line of text.
  static func decide(_ input: AccessDecisionInput) -> String {
    let isLibrary = input.source == .library
    let level = isLibrary ? input.level : .readWrite
    let statement = statement(of: level, input)

    // 1. The reason why comes before everything.
    guard let text = input.usageDescription?.texts.first?.words,
      text.unicodeScalars.contains(where: { !$0.properties.isWhitespace })
    else { return "1 usageDescriptionMissing stop 78" }
    // 2. A word that cannot be said here.
    if input.hasUnknownStatusWord { return "2 manifestMistake stop 78" }
    if statement.contains(where: { $0.status == .limited }), !isLibrary || level == .addOnly {
      return "2 limitedNotApplicable stop 78"
    }
    // 3. What no person can change.
    if input.policyDenies || statement.contains(where: { $0.status == .restricted }) {
      return "3 restricted refuse"
    }
    // 4. A person picks, file by file; nobody does it for them.
    if input.wasPicked { return "4 picked proceed" }
    if input.mustPick {
      return input.canPrompt ? "4 notDetermined ask" : "8 notDetermined stop 75"
    }
    // 5. Somebody said no, at any time.
    if statement.contains(where: { $0.status == .denied }) { return "5 denied refuse" }
    // 6, 7, 8. Nobody has said anything that still counts.
    let applying = applying(level, input)
    if let applying, applying.status != .notDetermined, applying.isExpired {
      return "6 expired " + undecided(input)
    }
    if applying == nil || applying?.status == .notDetermined {
      let mayAdd =
        applies(.authorized, .addOnly, input)
        && !self.statement(of: .addOnly, input).contains { $0.status.isRefusal }
      if isLibrary, level == .readWrite, mayAdd { return "7 levelInsufficient refuse" }
      return "8 notDetermined " + undecided(input)
    }
    // 9. Allowed, and nothing there.
    if input.availability == .unavailable { return "9 unavailable notDone" }
    // 11, 12. Allowed.
    return applying?.status == .limited ? "11 limited proceed" : "12 authorized proceed"
  }

  private static func undecided(_ input: AccessDecisionInput) -> String {
    switch input.onNotDetermined {
    case .deny: "refuse"
    case .fail: "stop 75"
    case .ask: input.canPrompt ? "ask" : "stop 75"
    }
  }

  /// What the manifest and what the stored answer say of a level, in that order.
  private static func statement(
    of level: AccessLevel,
    _ input: AccessDecisionInput
  ) -> [StatusStatement] {
    [input.manifest[level], input.stored[level]].compactMap { $0 }
  }

  /// The manifest's word, then the stored answer; whoever may read, or read a part, may add.
  private static func applying(
    _ level: AccessLevel,
    _ input: AccessDecisionInput
  ) -> StatusStatement? {
    for statements in [input.manifest, input.stored] {
      if level == .addOnly, let whole = statements[.readWrite],
        whole.status == .authorized || whole.status == .limited
      {
        return StatusStatement(.authorized, isExpired: whole.isExpired)
      }
      if let own = statements[level], own.status != .notDetermined { return own }
    }
    return nil
  }

  private static func applies(
    _ status: AuthorizationStatus,
    _ level: AccessLevel,
    _ input: AccessDecisionInput
  ) -> Bool {
    applying(level, input) == StatusStatement(status)
  }
}

extension AuthorizationStatus {
  fileprivate var isRefusal: Bool { self == .denied || self == .restricted }
}
