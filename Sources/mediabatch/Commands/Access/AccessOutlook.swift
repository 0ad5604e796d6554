internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaSyntax

/// What the next run of a manifest does about one source, now that an answer has changed.
struct AccessOutlook {
  /// Nil when the plan neither needs nor declares the source at that level.
  let decided: DecidedSource?
  private let subject: AccessSubject

  init(_ subject: AccessSubject) {
    self.subject = subject
    decided = AccessState(subject.loaded).permissions.sources.first {
      $0.source == subject.source && $0.level == subject.level
    }
  }

  /// Whole sentences: whether the stored answer counts, then what happens.
  var lines: [String] {
    guard let decided, decided.isNeeded else {
      return [
        "This manifest does not need \(subject.name): the answer waits for one of this client that "
          + "does."
      ]
    }
    return [Self.whyNot(decided), "The next run \(Self.deed(decided, subject.loaded.manifest))."]
      .compactMap { $0 }
  }

  var object: JSONValue {
    guard let decided, decided.isNeeded else { return .null }
    return [
      "authorizationStatus": .string(decided.status.name),
      "decision": .string(decided.decision.verdict.rawValue),
      "reason": .string(decided.decision.reason.rawValue),
      "row": JSONValue(decided.decision.row),
      "decidedBy": JSONValue(decided.decidedBy?.rawValue),
      "required": .bool(decided.isRequired),
    ]
  }

  /// Why the stored answer is not what decides; nil when it is, or when there is none.
  static func whyNot(_ source: DecidedSource) -> String? {
    guard let answer = source.answer, source.decidedBy != .storedAnswer else { return nil }
    let prefix = "The stored answer does not count: "
    let key = "sources.\(source.source.rawValue).authorizationStatus"
    switch source.decidedBy {
    case .policy:
      return prefix + "the organisation's policy denies the \(source.source.displayName)."
    case .manifest where source.status == answer.status:
      return "The stored answer adds nothing: the manifest says \(source.status.name) itself, at "
        + "\(key)."
    case .manifest:
      let rule =
        source.status == .denied || source.status == .restricted
        ? "a denial wins wherever it is said" : "what it says comes first"
      return prefix + "the manifest says \(source.status.name) at \(key), and \(rule)."
    case .picking: return prefix + "a person picks for each run."
    case nil, .storedAnswer:
      guard !source.answerChanges.isEmpty else { return nil }
      return prefix + source.answerChanges.sentence + "."
    }
  }

  /// What the run does, for behind "The next run".
  static func deed(_ source: DecidedSource, _ manifest: Manifest) -> String {
    let name = "the \(source.source.displayName)"
    switch source.decision.outcome {
    case .proceed:
      guard let selection = source.selection else { return "reads \(name)" }
      return selection.isEmpty
        ? "sees nothing in \(name): nothing is selected"
        : "sees only what \(count(selection.count, "pattern")) of the selection "
          + "match\(selection.count == 1 ? "es" : "") in \(name)"
    case .refuse:
      return source.isRequired
        ? "does not look into \(name) and ends with 77, since it requires it"
        : "does not look into \(name) and goes on without it"
    case .notDone:
      return "finds no folder for \(name)"
        + (source.isRequired
          ? " and ends with 66, since it requires it" : " and goes on without it")
    case .ask: return "asks about \(name)"
    case .stop(.manifestMistake): return "stops with 78: its manifest has to be mended first"
    case .stop:
      let expired = source.decision.reason == .expired ? ", since the access has expired" : ""
      return manifest.onNotDetermined == .ask || source.input.mustPick
        ? "asks about \(name) at a terminal, and stops with 75 where there is none\(expired)"
        : "stops with 75: nobody has decided about \(name)\(expired)"
    }
  }

  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
