internal import MediaModel

/// Advice about a source that is not plainly allowed: one sentence and one command.
package struct StatusAdvice: Sendable, Hashable {
  /// An escaped sentence without a newline that says what the decision means and what to change.
  package var sentence: String
  /// The command to type next, quoted for a shell.
  package var command: String

  /// The sentence, and on a line of its own the command, unless that is `check`, which would say the same again.
  package var text: String {
    command.hasPrefix("mediabatch check ") ? sentence : "\(sentence)\n  \(command)"
  }

  /// Whether no decision counts, so that the command lets a person decide.
  package var isUndecided: Bool
  /// Whether the command can decide only at a terminal.
  package var isForTerminal: Bool
  /// Whether somebody has decided as the sentence says, and nothing is missing.
  package var isSettled: Bool

  /// The advice for a decided source, or nil when nothing has to be said.
  ///
  /// - Parameters:
  ///   - source: Its reason is what the advice is about.
  ///   - manifestPath: As the person named the manifest.
  ///   - policies: Those that were given: the command names them too, or it decides without.
  package init?(
    for source: DecidedSource,
    manifestPath: String,
    policies: OrganizationPolicies? = nil
  ) {
    guard let sentence = Self.sentence(for: source) else { return nil }
    self.sentence = sentence
    isUndecided = [.notDetermined, .expired].contains(source.decision.reason)
    isForTerminal = isUndecided && source.input.mustPick
    let settled: Set<DecisionReason> = [
      .restricted, .denied, .levelInsufficient, .limited, .microphoneRefused,
    ]
    isSettled = settled.contains(source.decision.reason)
    let manifest = ShellWord.quoted(manifestPath)
    let name = source.source.commandWords
    let level = source.level == .addOnly ? " --level addOnly" : ""
    let isStored = source.decidedBy == .storedAnswer
    // A person who was asked can be asked again in the same way.
    let options: [AnswerReason: String] = [.picker: " --web", .userConsent: ""]
    let named = (policies?.namedPaths ?? []).map { " --policy \(ShellWord.quoted($0))" }.joined()
    let askCommand = source.answer.flatMap { options[$0.reason] }
      .map { "mediabatch access ask \(manifest) \(name)\(level)\($0)\(named)" }
    switch source.decision.reason {
    case .notDetermined where source.input.mustPick:
      command = "mediabatch run \(manifest)\(named)"
    case .notDetermined, .expired, .levelInsufficient:
      command = askCommand ?? "mediabatch access grant \(manifest) \(name)\(level)\(named)"
    // An answer is taken back whatever the policies say.
    case .denied where isStored: command = "mediabatch access reset \(manifest) \(name)\(level)"
    case .limited where isStored:
      let option = source.source.ownName.map { _ in " \(name)" } ?? ""
      command = askCommand ?? "mediabatch access limit \(manifest)\(option) --add PATTERN\(named)"
    case .restricted where source.decidedBy == .policy:
      command = "mediabatch access explain \(manifest) \(name)\(level)\(named)"
    default: command = "mediabatch check \(manifest)\(named)"
    }
  }

  /// The sentence about adding to the photo library.
  private static func sentenceOfAdding(_ source: DecidedSource) -> String? {
    let key = source.manifestKey + ".authorizationStatus.addOnly"
    let effect = "what is imported from the camera is not saved there"
    switch source.decision.reason {
    case .authorized: return nil
    case .usageDescriptionMissing:
      return "The manifest does not say why it wants to add to the photo library: write "
        + "usageDescriptions.\(UsageDescriptionKey.photoLibraryAdd.rawValue)."
    case .notDetermined:
      return "Nobody has decided about adding to the photo library yet." + outdated(source)
    case .expired:
      return "The permission to add to the photo library has expired: a person has to decide again."
    case .restricted where source.decidedBy == .policy:
      let reason = source.policyReason.map { " It says: \(EscapedText.printable($0, limit: 300))" }
      return
        "The organization's policy denies adding to the photo library: \(effect). No answer of a person changes "
        + "that.\(reason ?? "")"
    case .denied where source.decidedBy == .storedAnswer:
      return
        "A person denied adding to the photo library\(circumstances(source)): \(effect). The answer can be taken "
        + "back."
    case .unavailable:
      return "Adding to the photo library is allowed, but its folder is not there: correct "
        + "\(source.manifestKey).path, or attach what holds it."
    default:
      return "Adding to the photo library is \(source.status.name): \(effect). To allow it, set \(key) to "
        + "\"authorized\"."
    }
  }

  private static func sentence(for source: DecidedSource) -> String? {
    if source.level == .addOnly { return sentenceOfAdding(source) }
    let name = source.source.displayName
    let key = source.manifestKey + ".authorizationStatus"
    let isStored = source.decidedBy == .storedAnswer
    switch source.decision.reason {
    case .authorized, .picked: return nil
    case .usageDescriptionMissing:
      let description = UsageDescriptionKey(source: source.source.kind, level: source.level)
      return "The manifest does not say why it wants the \(name): write "
        + "usageDescriptions.\(description.rawValue)."
    case .limitedNotApplicable, .manifestMistake:
      return "The manifest has a mistake about the \(name): correct \(key)."
    case .restricted where source.decidedBy == .policy:
      let reason = source.policyReason.map { " It says: \(EscapedText.printable($0, limit: 300))" }
      return
        "The organization's policy denies the \(name), and no answer of a person changes that.\(reason ?? "")"
    case .restricted:
      return "The \(name) is restricted by the manifest: only its author can allow it, at \(key)."
    case .denied where isStored:
      return "A person denied the \(name)\(circumstances(source)). The answer can be taken back."
    case .denied:
      return "The \(name) is denied by the manifest. To allow it, set \(key) to \"authorized\"."
    case .expired:
      return "The permission for the \(name) has expired: a person has to decide again."
    case .levelInsufficient:
      return "The \(name) may be added to, but not read, until a person allows that."
    case .notDetermined where source.input.mustPick:
      return "The manifest asks a person to pick from the \(name), at a terminal."
    case .notDetermined:
      return "Nobody has decided about the \(name) yet." + outdated(source)
    case .unavailable where !source.layout.isFolder:
      return
        "The \(name) is allowed, but no camera that \(source.manifestKey).path names is connected, or libgphoto2 "
        + "is not installed: `mediabatch doctor` says what is there."
    case .unavailable:
      return
        "The \(name) is allowed, but its folder is not there: correct \(source.manifestKey).path, or attach what "
        + "holds it."
    case .limited where isStored:
      return "The \(name) is limited to what a person selected."
    case .limited:
      return "The \(name) is limited to \(source.manifestKey).selection; add a path there to import more."
    case .microphoneRefused:
      return "The microphone is refused, and with it items that have sound. To allow it, set \(key) to "
        + "\"authorized\"."
    }
  }

  /// When and about what a person denied a source; nothing where the run that ends for it says so.
  private static func circumstances(_ source: DecidedSource) -> String {
    source.isRequired ? "" : source.answer?.circumstances(source.answerChanges) ?? ""
  }

  /// The reason why an earlier answer does not count.
  private static func outdated(_ source: DecidedSource) -> String {
    guard !source.answerChanges.isEmpty else { return "" }
    if source.answerChanges == [.manifest] {
      return " An answer that was given for another manifest does not count for this one."
    }
    let changed = source.answerChanges.sentence
    return " An earlier answer no longer counts: \(changed)."
  }
}
