internal import MediaManifest
internal import MediaModel
internal import MediaPermissions
internal import MediaPipeline
internal import MediaSyntax

/// Whether a stored answer still counts.
enum AccessStanding {
  case counts
  case denies
  /// A denial counts whatever has changed; at a terminal it is asked again.
  case countsAlthoughChanged([AnswerBinding.Change])
  case changed([AnswerBinding.Change])
  case expired
  /// The manifest that it was given for cannot be read, or is another client's now.
  case noManifest(isDenial: Bool)

  var text: String {
    switch self {
    case .counts: "yes, where the manifest leaves it to a person"
    case .denies: "yes"
    case .countsAlthoughChanged(let changes):
      "yes, as every denial, although \(changes.sentence); a run at a terminal asks again"
    case .changed(let changes): "no: \(changes.sentence)"
    case .expired: "no: it has expired"
    case .noManifest(true): "yes, as every denial, although its manifest is not there any more"
    case .noManifest(false): "no: its manifest is not there any more, or has mistakes"
    }
  }

  var members: [String: JSONValue] {
    let (counts, changes, why): (Bool, [AnswerBinding.Change], JSONValue) =
      switch self {
      case .counts, .denies: (true, [], .null)
      case .countsAlthoughChanged(let changes): (true, changes, .null)
      case .changed(let changes): (false, changes, "changed")
      case .expired: (false, [], "expired")
      case .noManifest(let isDenial): (isDenial, [], isDenial ? .null : "noManifest")
      }
    return [
      "counts": .bool(counts), "why": why,
      "changes": .array(changes.map { .string($0.rawValue) }),
    ]
  }
}

/// Compares answers with manifests as they are now, each of which is read once.
struct AccessStandings {
  /// A manifest, and what an answer about it would be bound to now.
  private struct Present {
    let loaded: LoadedManifest
    let context: PermissionContext

    init(_ loaded: LoadedManifest) {
      self.loaded = loaded
      context = AccessState(loaded).context
    }
  }

  /// The one that a person named; nil to compare each answer with its own.
  private let named: Present?
  private var known: [[UInt8]: Present?] = [:]
  private let now = AccessSubject.now

  init(_ loaded: LoadedManifest?) {
    named = loaded.map { Present($0) }
  }

  mutating func standing(of answer: StoredAnswer) -> AccessStanding {
    let isDenial = answer.status == .denied
    if !isDenial, let end = answer.expiresAt, end <= now { return .expired }
    let binding = answer.binding
    guard let present = named ?? manifest(at: binding.manifestPath),
      present.loaded.manifest.client.identifier == binding.client
    else { return .noManifest(isDenial: isDenial) }
    let changes = binding.changes(
      to: present.context.binding(
        of: binding.source,
        level: binding.level,
        in: present.loaded.manifest
      )
    )
    if changes.isEmpty { return isDenial ? .denies : .counts }
    return isDenial ? .countsAlthoughChanged(changes) : .changed(changes)
  }

  private mutating func manifest(at path: [UInt8]) -> Present? {
    if let found = known[path] { return found }
    let present = String(validating: path, as: UTF8.self)
      .flatMap { try? LoadedManifest(path: $0) }
      .map { Present($0) }
    known[path] = .some(present)
    return present
  }
}
