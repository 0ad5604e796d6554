internal import MediaSyntax

extension ManifestComparison {
  /// Compares two manifests, key by key.
  package init(old: Side, new: Side) {
    self.init(sides: old, new)
    // Each key that was compared is set to the newer value, so that one that no key compares is left.
    var compared = old.manifest
    ManifestKeys.manifest.compare(&self, &compared, new.manifest, JSONPath.root)
    compared.copyPositions(of: new.manifest)
    if compared != new.manifest {
      note("$", nil, nil, "Something else differs, which this version of mediabatch cannot name.")
    }
  }
}

extension Manifest {
  fileprivate mutating func copyPositions(of other: Manifest) {
    outputPosition = other.outputPosition
    usageDescriptionPositions = other.usageDescriptionPositions
    limitedAccessAlertPosition = other.limitedAccessAlertPosition
    for (kind, source) in other.sources {
      sources[kind]?.position = source.position
      sources[kind]?.dates.timeZonePosition = source.dates.timeZonePosition
    }
  }
}
