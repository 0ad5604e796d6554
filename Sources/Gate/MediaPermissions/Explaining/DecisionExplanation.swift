package import MediaManifest
package import MediaModel
package import MediaSyntax

/// The steps from a usage description to a decision, one line for each.
package struct DecisionExplanation {
  private let wholeManifest: Manifest
  private let context: PermissionContext
  private let source: SourceID
  private let level: AccessLevel
  /// The plan's decision; nil for a source that it neither needs nor declares.
  private let planned: DecidedSource?
  private let input: AccessDecisionInput
  private let decision: AccessDecision

  /// Explains the decision of the plan, or without one the decision that would apply.
  package init(
    _ manifest: Manifest,
    _ context: PermissionContext,
    _ source: SourceID,
    _ level: AccessLevel,
    planned: DecidedSource?
  ) {
    wholeManifest = manifest
    self.context = context
    self.source = source
    self.level = level
    self.planned = planned
    input =
      planned?.input
      ?? PermissionPlan.input(source, level, manifest: manifest, context: context)
    decision = planned?.decision ?? AccessDecision.decide(input)
  }

  private var steps: [(name: String, text: String)] {
    [
      ("usageDescription", usageDescription), ("policy", policy), ("manifest", manifest),
      ("storedAnswer", storedAnswer), ("level", levelText), ("selection", selection),
      ("decision", decisionText),
    ]
  }

  /// The steps as lines of text.
  package var text: String {
    let names = [
      "usageDescription": "usage description", "storedAnswer": "stored answer",
    ]
    let lines = steps.map { step in
      let name = names[step.name] ?? step.name
      return "  " + name + String(repeating: " ", count: 19 - name.count) + step.text
    }
    return ([title] + lines).joined(separator: "\n")
  }

  /// The steps and the decision in the output of `access explain`.
  package var object: JSONValue {
    [
      "source": .string(source.kind.rawValue), "sourceName": .string(source.name),
      "accessLevel": .string(level.name),
      "needed": .bool(planned?.isNeeded ?? false),
      "required": .bool(planned?.isRequired ?? false),
      "authorizationStatus": JSONValue(planned?.status.name),
      "decidedBy": JSONValue(planned?.decidedBy?.rawValue),
      "row": JSONValue(decision.row), "decision": .string(decision.verdict.rawValue),
      "reason": .string(decision.reason.rawValue),
      "photosErrorCode": JSONValue(decision.reason.photosErrorCode),
      "chain": .array(steps.map { ["step": .string($0.name), "text": .string($0.text)] }),
    ]
  }

  private var title: String {
    let name = source.kind == .library ? "\(source.displayName), \(level.name)" : source.displayName
    switch planned?.isNeeded {
    case true?: return name + (planned?.isForSoundOnly == true ? ", for the camera's sound" : "")
    case false?: return name + ", declared but not needed by this plan"
    case nil: return name + ", not needed by this plan: what would apply"
    }
  }

  private var usageDescription: String {
    let key = UsageDescriptionKey(source: source.kind, level: level)
    guard let description = wholeManifest.usageDescriptions[key] else { return "\(key.rawValue) is missing" }
    guard let first = description.texts.first else { return "\(key.rawValue) is not a string" }
    if description.isBlank { return "\(key.rawValue) says nothing" }
    let shown = planned?.answer?.binding ?? context.binding(of: source, level: level, in: wholeManifest)
    let text = description.texts.text(after: shown.shownText) ?? first
    let others = description.texts.compactMap(\.language).filter { !LanguageTag.areSame($0, text.language) }
    return "\(key.rawValue): \"\(EscapedText.printable(text.words, limit: 500))\""
      + (text.language.map { " (\($0))" } ?? "")
      + (others.isEmpty ? "" : "; also in \(Quantity.list(others))")
  }

  private var policy: String {
    let client = wholeManifest.client.identifier
    for policy in context.policies {
      guard let denial = policy.denial(source: source.kind, level: level, client: client) else {
        continue
      }
      let organization = policy.organization.map { EscapedText.printable($0) } ?? "an organization"
      let reason = denial.reason.map { ": \(EscapedText.printable($0, limit: 300))" } ?? ""
      return "\(organization) denies it, at \(denial.path)\(reason)"
    }
    return context.policies.isEmpty
      ? "there is none"
      : "\(NextRunEffect.count(context.policies.count, "policy file")), denied by none of them"
  }

  private var manifest: String {
    let key = wholeManifest.sources.key(of: source)
    guard let declaration = wholeManifest.sources[source] else {
      return "does not declare it"
    }
    let status = declaration.statuses[level] ?? .notDetermined
    let pick = declaration.pick == nil ? "" : "; a person is to pick from it"
    return "\(status.name), at \(key).authorizationStatus\(pick)"
  }

  private var storedAnswer: String {
    guard let (answer, differences) = context.answer(of: source, level: level, in: wholeManifest)
    else { return "nobody has answered" }
    let text =
      "\(answer.statusText), since \(StoredAnswer.timeText(answer.decidedAt)), \(answer.reason.text)"
    let changes = differences.sentence
    guard let applied = input.stored[level] else {
      return "\(text); does not count: \(changes)"
    }
    if applied.isExpired, answer.status != .denied {
      return "\(text); does not count: it has expired"
    }
    if !changes.isEmpty { return "\(text); counts, as a denial always does, although \(changes)" }
    guard let planned, let reason = NextRunEffect(planned, in: wholeManifest).reasonText else {
      return text
    }
    return "\(text). \(reason)"
  }

  private var levelText: String {
    guard source.kind == .library else { return "the \(source.displayName) has one" }
    let need = level == .readWrite ? "readWrite, to read" : "addOnly, to add"
    let others = AccessLevel.allCases.filter { $0 != level }.compactMap { other -> String? in
      let statement = input.manifest[other] ?? input.stored[other]
      return statement.map {
        "\(other.name) is \($0.status.name)\($0.isExpired ? ", expired" : "")"
      }
    }
    return ([need] + others).joined(separator: "; ")
  }

  private var selection: String {
    switch decision.reason {
    case .authorized: return "the whole source"
    case .limited, .picked:
      guard let patterns = planned?.selection else { return "what is selected" }
      let origin =
        switch planned?.decidedBy {
        case .storedAnswer?: "of the stored answer"
        case .picking?: "that a person picked"
        default: "of the manifest"
        }
      return patterns.isEmpty
        ? "empty: nothing exists for the run"
        : "only \(NextRunEffect.count(of: patterns.map(\.text))) \(origin)"
    default: return "nothing is read"
    }
  }

  private var decisionText: String {
    let code = decision.reason.photosErrorCode.map { " \($0)" } ?? ""
    let text =
      "row \(decision.row) of docs/permissions.md, \(AccessDecision.condition(decision.row)): "
      + "\(decision.verdict.rawValue) (\(decision.reason.rawValue)\(code))"
    guard let planned, planned.isNeeded else { return text }
    return "\(text); the next run \(NextRunEffect(planned, in: wholeManifest).actionText)"
  }
}
