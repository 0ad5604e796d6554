internal import MediaSyntax

extension ManifestKeys {
  /// Compares two manifests, key by key.
  package static func comparison(
    old: ManifestComparison.Side,
    new: ManifestComparison.Side
  ) -> ManifestComparison {
    var comparison = ManifestComparison(old: old, new: new)
    // Each key that was compared is set to the newer value, so that one that no key compares is left.
    var compared = old.manifest
    manifest.compare(&comparison, &compared, new.manifest, JSONPath.root)
    compared.copyPositions(of: new.manifest)
    if compared != new.manifest {
      let sentence = "Something else differs, which this version of mediabatch cannot name."
      comparison.note("$", nil, nil, sentence)
    }
    comparison.noteSigner()
    return comparison
  }
}

extension Manifest {
  fileprivate mutating func copyPositions(of other: Manifest) {
    outputPosition = other.outputPosition
    usageDescriptionPositions = other.usageDescriptionPositions
    limitedAccessAlertPosition = other.limitedAccessAlertPosition
    sources = sources.ordered(as: other.sources)
    for (kind, source) in other.sources {
      sources[kind]?.position = source.position
      sources[kind]?.listIndex = source.listIndex
      sources[kind]?.dates.timeZonePosition = source.dates.timeZonePosition
    }
  }
}
