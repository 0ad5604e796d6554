package import MediaManifest
package import MediaModel

/// The reason that no person can allow a source, as the manifest stands.
///
/// A denial in the manifest or a policy is none: it may be lifted, and the answer is stored for that
/// time.
package enum GrantObstacle: Sendable, Hashable {
  /// The manifest has no text to agree to under this key.
  case usageDescriptionMissing(UsageDescriptionKey)
  /// The manifest says `restricted`, which is not a person's to lift.
  case restricted

  /// Finds the obstacle to granting `source` at `level`; nil when a person can allow it.
  package init?(_ manifest: Manifest, source: SourceID, level: AccessLevel) {
    let key = UsageDescriptionKey(source: source.kind, level: level)
    if manifest.usageDescriptions[key]?.isBlank ?? true {
      self = .usageDescriptionMissing(key)
    } else if manifest.sources[source]?.statuses[level] == .restricted {
      self = .restricted
    } else {
      return nil
    }
  }
}
