package import MediaManifest
internal import MediaModel
package import MediaSyntax

/// The effect of the stored answers on the next run of a manifest, for one source.
package struct NextRunEffect {
  private let decided: DecidedSource
  private let onNotDetermined: NotDeterminedPolicy

  /// Describes the plan's decision about a source.
  package init(_ decided: DecidedSource, in manifest: Manifest) {
    self.decided = decided
    onNotDetermined = manifest.onNotDetermined
  }

  private var name: String { decided.subject }

  private var isAdding: Bool { decided.level == .addOnly }

  /// Whole sentences: whether the stored answer counts, then what happens.
  package var lines: [String] {
    [reasonText, "The next run \(actionText)."].compactMap { $0 }
  }

  /// The effect in the output of `access`.
  package var object: JSONValue {
    [
      "authorizationStatus": .string(decided.status.name),
      "decision": .string(decided.decision.verdict.rawValue),
      "reason": .string(decided.decision.reason.rawValue),
      "row": JSONValue(decided.decision.row),
      "decidedBy": JSONValue(decided.decidedBy?.rawValue),
      "required": .bool(decided.isRequired),
    ]
  }

  /// Why something else than the stored answer decides; nil when the answer does, or there is none.
  package var reasonText: String? {
    guard let answer = decided.answer, decided.decidedBy != .storedAnswer else { return nil }
    let prefix = "The stored answer does not count: "
    let key = decided.manifestKey + ".authorizationStatus"
    let status = decided.status
    switch decided.decidedBy {
    case .policy: return prefix + "the organization's policy denies \(name)."
    case .manifest where status == answer.status:
      return "The manifest says \(status.name) itself, at \(key); the stored answer changes nothing."
    case .manifest:
      let rule =
        status == .denied || status == .restricted
        ? "a denial wins wherever it is said" : "what it says comes first"
      return prefix + "the manifest says \(status.name) at \(key), and \(rule)."
    case .picking: return prefix + "a person picks for each run."
    case nil, .storedAnswer:
      guard !decided.answerChanges.isEmpty else { return nil }
      return prefix + decided.answerChanges.sentence + "."
    }
  }

  /// The action of the run, behind "the next run".
  package var actionText: String {
    switch decided.decision.outcome {
    case .proceed:
      if isAdding { return "saves what it imports from the camera in the photo library" }
      guard let selection = decided.selection else { return "reads \(name)" }
      if selection.isEmpty { return "sees nothing in \(name): nothing is selected" }
      let patterns = selection.map(\.text)
      if Self.areFiles(patterns) {
        return "sees only \(Self.count(of: patterns)) of the selection in \(name)"
      }
      return "sees only what \(Self.count(of: patterns)) of the selection "
        + "match\(selection.count == 1 ? "es" : "") in \(name)"
    case .refuse where isAdding:
      return "saves nothing in the photo library" + failure(.sourceRefused)
    case .refuse:
      return "does not open \(name)" + failure(.sourceRefused)
    case .notDone: return "finds no folder for \(name)" + failure(.sourceUnavailable)
    case .ask: return "asks about \(name)"
    case .stop(.manifestMistake): return "stops with exit code 78 until the manifest is corrected"
    case .stop:
      let expired = decided.decision.reason == .expired ? ", since the permission has expired" : ""
      return onNotDetermined == .ask || decided.input.mustPick
        ? "asks about \(name) at a terminal; without one it stops with exit code 75\(expired)"
        : "stops with exit code 75: nobody has decided about \(name)\(expired)"
    }
  }

  /// How the run ends that requires a source which it does not get; nothing where it does not require it.
  private func failure(_ code: RunExitCode) -> String {
    decided.isRequired ? ", and fails with exit code \(code.rawValue): it is required" : ""
  }

  /// The number of a selection's patterns, as files where each names one, as those of a picker do.
  static func count(of selection: [String]) -> String {
    count(selection.count, areFiles(selection) ? "file" : "pattern")
  }

  private static func areFiles(_ selection: [String]) -> Bool {
    selection.allSatisfy { SelectionPattern.literalPath(of: $0) != nil }
  }

  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
