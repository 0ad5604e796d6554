internal import MediaDigest
internal import MediaFileSystem
package import MediaManifest
package import MediaModel

/// The items that a person picked for one run.
package struct PickedItems: Sendable, Hashable {
  /// Empty when they picked none.
  package var paths: [ItemPath]
  /// `userConsent` at the terminal, `picker` on a page.
  package var reason: AnswerReason

  package init(_ paths: [ItemPath], _ reason: AnswerReason) {
    self.paths = paths
    self.reason = reason
  }
}

/// The inputs of decisions beside the manifest, gathered before the first decision.
package struct PermissionContext: Sendable {
  /// The stored answers of this client, those for its other manifests too, whether or not they
  /// still count; and the denials that other clients got and that count for this one.
  package var stored: [StoredAnswer] = []
  /// The folders of the sources that exist.
  package var folders: [SourceID: FolderIdentity] = [:]
  /// Absolute, every symbolic link resolved.
  package var manifestPath: [UInt8] = []
  /// Every policy applies; one denial is enough.
  package var policies: [OrganizationPolicy] = []
  /// The items that a person picked for this run, by source.
  package var picked: [SourceID: PickedItems] = [:]
  /// The sources that a person left out of this run, with their levels: they are refused and not required.
  package var leftOut: [SourceID: Set<AccessLevel>] = [:]
  /// The languages that a person at this terminal reads, as ``LanguageRange`` has them.
  package var languages: [String] = []
  /// Whether a person can be asked at a terminal.
  package var canPrompt = false
  /// Seconds since 1970, UTC.
  package var now: Int64 = 0

  /// Whether a person left a source out of this run.
  func leavesOut(_ source: SourceID, _ level: AccessLevel) -> Bool {
    leftOut[source]?.contains(level) == true
  }

  /// The binding that an answer about `source` would have if it were given now: to the text in the language of
  /// `earlier`, the binding of an answer, or without one in that of ``languages``.
  package func binding(
    of source: SourceID,
    level: AccessLevel,
    in manifest: Manifest,
    after earlier: AnswerBinding? = nil
  ) -> AnswerBinding {
    let key = UsageDescriptionKey(source: source.kind, level: level)
    let texts = manifest.usageDescriptions[key]?.texts ?? []
    let text =
      earlier.map { texts.text(after: $0.shownText) } ?? texts.text(for: languages)
    return AnswerBinding(
      client: manifest.client.identifier,
      source: source,
      level: level,
      usageTextSHA256: Hexadecimal.text(SHA256.hash([UInt8]((text?.words ?? "").utf8))),
      folder: folders[source],
      manifestPath: manifestPath,
      usageText: text?.words,
      usageTextLanguage: text?.language
    )
  }

  /// What is different now of what an answer is about: another language than the one that was shown does not count.
  package func changes(
    since answer: StoredAnswer,
    of source: SourceID,
    level: AccessLevel,
    in manifest: Manifest
  ) -> [AnswerBinding.Change] {
    answer.binding.changes(to: binding(of: source, level: level, in: manifest, after: answer.binding))
  }

  /// The first denial of a policy.
  func policyDenial(
    of source: SourceID,
    level: AccessLevel,
    in manifest: Manifest
  ) -> OrganizationPolicy.Denial? {
    policies.lazy
      .compactMap {
        $0.denial(source: source.kind, level: level, client: manifest.client.identifier)
      }
      .first
  }

  /// The stored answer that applies to a manifest, and what of its binding is different now.
  ///
  /// It is the manifest's own while that counts or denies. Otherwise a denial for another manifest or source of the
  /// kind of the client, or for the same folder in another place, applies: a person who copies or moves a manifest or
  /// a folder does not escape it. Without one, an answer that does not count any more is returned, the manifest's own
  /// first, so that a person can be told why.
  ///
  /// - Returns: Nil when nobody answered for any manifest of the client.
  package func answer(
    of source: SourceID,
    level: AccessLevel,
    in manifest: Manifest
  ) -> (answer: StoredAnswer, changes: [AnswerBinding.Change])? {
    let present = binding(of: source, level: level, in: manifest)
    let candidates = answers(about: present)
    let ownAnswer = candidates.first { $0.binding.hasKey(of: present) }
    let ownCounts =
      ownAnswer.map { answer in
        answer.status == .denied
          || answer.decidedAt <= now && answer.expiresAt.map { $0 > now } ?? true
            && changes(since: answer, of: source, level: level, in: manifest).isEmpty
      } ?? false
    let denial = candidates.filter { $0.status == .denied }.max { $0.decidedAt < $1.decidedAt }
    let latest = candidates.max { $0.decidedAt < $1.decidedAt }
    guard let answer = ownCounts ? ownAnswer : denial ?? ownAnswer ?? latest else { return nil }
    return (answer, changes(since: answer, of: source, level: level, in: manifest))
  }

  /// The stored answers about what a binding is about, for every manifest: a denial is about all sources of its kind,
  /// and one that another client got about those in its folder.
  package func answers(about binding: AnswerBinding) -> [StoredAnswer] {
    stored.filter { $0.concerns(binding) }
  }

  /// The source of a manifest that a stored answer is about: that of its name, and for a denial that another client
  /// got the one in its folder, whatever its name.
  package func source(of answer: StoredAnswer, in manifest: Manifest) -> SourceID {
    let source = answer.binding.source
    if answer.binding.client == manifest.client.identifier { return source }
    let sources = folders.keys.sorted()
    return sources.first { answer.concerns(binding(of: $0, level: answer.binding.level, in: manifest)) }
      ?? source
  }
}

extension PermissionContext {
  /// Creates a context without a stored answer, a folder or a policy.
  package init(now: Int64) { self.now = now }
}
