package import MediaManifest
internal import MediaModel
package import MediaSyntax

/// Whether a stored answer still counts.
package enum AnswerValidity: Sendable, Hashable {
  case counts
  case denies
  /// A denial counts whatever has changed; a run at a terminal asks again.
  case countsAlthoughChanged([AnswerBinding.Change])
  case changed([AnswerBinding.Change])
  case expired
  /// A denial for another manifest of the client, while the manifest has an answer of its own.
  case overruled
  /// The manifest that it was given for cannot be read, or is another client's now.
  case noManifest(isDenial: Bool)

  /// Compares an answer with a manifest as it is now.
  ///
  /// - Parameters:
  ///   - answer: The stored answer.
  ///   - now: Seconds since 1970, UTC.
  ///   - present: The manifest that the answer was given for, with its context; called only when the
  ///     result depends on it, and returns nil for a manifest that cannot be read.
  package init(
    of answer: StoredAnswer,
    now: Int64,
    present: () -> (manifest: Manifest, context: PermissionContext)?
  ) {
    let isDenial = answer.status == .denied
    if !isDenial, let end = answer.expiresAt, end <= now {
      self = .expired
      return
    }
    let binding = answer.binding
    guard let (manifest, context) = present(),
      case let source = context.source(of: answer, in: manifest),
      case let bindingNow = context.binding(of: source, level: binding.level, in: manifest),
      answer.concerns(bindingNow)
    else {
      self = .noManifest(isDenial: isDenial)
      return
    }
    let changes = context.changes(since: answer, of: source, level: binding.level, in: manifest)
    let applying = context.answer(of: source, level: binding.level, in: manifest)?.answer
    if isDenial, let applying, !applying.binding.hasKey(of: binding), applying.status != .denied {
      self = .overruled
    } else if changes.isEmpty {
      self = isDenial ? .denies : .counts
    } else {
      self = isDenial ? .countsAlthoughChanged(changes) : .changed(changes)
    }
  }

  /// The validity in words, behind "counts".
  package var text: String {
    switch self {
    case .counts: "yes, where the manifest leaves it to a person"
    case .denies: "yes"
    case .countsAlthoughChanged(let changes):
      "yes, as a denial always does, although \(changes.sentence); a run at a terminal asks again"
    case .changed(let changes): "no: \(changes.sentence)"
    case .expired: "no: it has expired"
    case .overruled: "no: it was given for another manifest, and this one has an answer of its own"
    case .noManifest(true): "yes, as a denial always does, although its manifest is gone"
    case .noManifest(false): "no: its manifest is gone or has mistakes"
    }
  }

  /// The members of an answer in the output of `access list`.
  package var members: [String: JSONValue] {
    let (counts, changes, reason): (Bool, [AnswerBinding.Change], JSONValue) =
      switch self {
      case .counts, .denies: (true, [], .null)
      case .countsAlthoughChanged(let changes): (true, changes, .null)
      case .changed(let changes): (false, changes, "changed")
      case .expired: (false, [], "expired")
      case .overruled: (false, [.manifest], "overruled")
      case .noManifest(let isDenial): (isDenial, [], isDenial ? .null : "noManifest")
      }
    return [
      "counts": .bool(counts), "why": reason,
      "changes": .array(changes.map { .string($0.rawValue) }),
    ]
  }
}
