internal import Crypto
internal import MediaFileSystem
package import MediaManifest
package import MediaModel

/// The inputs of decisions beside the manifest, gathered before the first decision.
package struct PermissionContext: Sendable {
  /// The stored answers, whether or not they still count.
  package var stored: [SourceKind: [AccessLevel: StoredAnswer]] = [:]
  /// The folders of the sources that exist.
  package var folders: [SourceKind: FolderIdentity] = [:]
  /// Absolute, every symbolic link resolved.
  package var manifestPath: [UInt8] = []
  /// Every policy applies; one denial is enough.
  package var policies: [OrganizationPolicy] = []
  /// The items that a person picked for this run; an empty list means that they picked none.
  package var picked: [SourceKind: [ItemPath]] = [:]
  /// Whether a person can be asked at a terminal.
  package var canPrompt = false
  /// Seconds since 1970, UTC.
  package var now: Int64 = 0

  /// The binding that an answer about `source` would have if it were given now.
  package func binding(
    of source: SourceKind,
    level: AccessLevel,
    in manifest: Manifest
  ) -> AnswerBinding {
    let key = UsageDescriptionKey(source: source, level: level)
    var text = ""
    if case .text(let words)? = manifest.usageDescriptions[key] { text = words }
    return AnswerBinding(
      client: manifest.client.identifier,
      source: source,
      level: level,
      usageTextSHA256: Hexadecimal.text(SHA256.hash(data: [UInt8](text.utf8))),
      folder: folders[source],
      manifestPath: manifestPath
    )
  }

  /// The first denial of a policy.
  func policyDenial(
    of source: SourceKind,
    level: AccessLevel,
    in manifest: Manifest
  ) -> OrganizationPolicy.Denial? {
    policies.lazy
      .compactMap {
        $0.denial(source: source, level: level, client: manifest.client.identifier)
      }
      .first
  }

  /// A stored answer and what of its binding is different now; nil when nobody answered.
  func answer(
    of source: SourceKind,
    level: AccessLevel,
    in manifest: Manifest
  ) -> (answer: StoredAnswer, changes: [AnswerBinding.Change])? {
    guard let answer = stored[source]?[level] else { return nil }
    return (answer, answer.binding.changes(to: binding(of: source, level: level, in: manifest)))
  }
}

extension PermissionContext {
  /// Creates a context without a stored answer, a folder or a policy.
  package init(now: Int64) { self.now = now }
}
