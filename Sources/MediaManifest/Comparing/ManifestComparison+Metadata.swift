internal import MediaModel

extension ManifestComparison {
  /// What the sources have that do not say otherwise.
  mutating func compareDefaultMetadata() {
    let (before, now) = (old.metadata, new.metadata)
    old.metadata = now
    notePolicy(before, now, path: "$.metadata", "What the sources have by default: ")
  }

  /// A word that differs is one difference; under the same word, what `except` leaves is one.
  mutating func notePolicy(
    _ before: MetadataPolicy,
    _ now: MetadataPolicy,
    path: String,
    _ prefix: String = ""
  ) {
    guard before != now else { return }
    let isNarrower = now.isAtLeastAsStrict(as: before)
    let left = now.exceptText.map { ", but for \($0)" } ?? ""
    guard before.word == now.word else {
      note(
        path + ".policy",
        ComparisonText.quoted(before.word.rawValue),
        ComparisonText.quoted(now.word.rawValue),
        prefix + "Metadata is " + (now.strips ? "stripped\(left)." : "kept."),
        isNarrower ? .metadataStripped : nil
      )
      return
    }
    note(
      path + ".except",
      before.exceptText,
      now.exceptText,
      prefix
        + (isNarrower
          ? "Stripping leaves less than before."
          : "Stripping leaves something that it did not leave before."),
      isNarrower ? .metadataStripped : nil
    )
  }
}

extension MetadataPolicy {
  /// `except` as a manifest has it, sorted; nil when nothing is left.
  fileprivate var exceptText: String? {
    guard !except.isEmpty else { return nil }
    let entries = except.sorted { $0.rawValue < $1.rawValue }.map { exception in
      exception == .location && isLocationCoarse
        ? #"{"location": "coarse"}"# : ComparisonText.quoted(exception.rawValue)
    }
    return "[\(entries.joined(separator: ", "))]"
  }
}
