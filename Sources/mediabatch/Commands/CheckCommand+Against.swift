internal import MediaManifest
internal import MediaModel
internal import MediaPipeline
internal import MediaSyntax

/// The differences between a manifest and an older one, for `check --against`.
struct ComparedManifest {
  /// A list longer than this is cut in text, never in JSON.
  private static let maximumLineCount = 100

  /// The older manifest as the person named it.
  private let oldPath: String
  private let comparison: ManifestComparison
  /// Relative paths mean other places in the two manifests.
  private let areApart: Bool

  /// Compares two manifests that were read.
  ///
  /// - Parameters:
  ///   - new: The one that is checked.
  ///   - old: The one that was agreed on.
  ///   - isRelocated: The older one is a copy: its relative paths mean the newer one's folder.
  init(_ new: LoadedManifest, against old: LoadedManifest, isRelocated: Bool) {
    oldPath = old.path
    areApart = !isRelocated && old.folder != new.folder
    comparison = ManifestKeys.comparison(
      old: ManifestComparison.Side(
        manifest: old.manifest,
        folder: isRelocated ? new.folder : old.folder,
        labelsSHA256: old.labelsSHA256,
        signature: old.signature
      ),
      new: ManifestComparison.Side(
        manifest: new.manifest,
        folder: new.folder,
        labelsSHA256: new.labelsSHA256,
        signature: new.signature
      )
    )
  }

  /// The promises of the newer manifest that go beyond the older one.
  var widenings: [ManifestComparison.Difference] { comparison.widenings }

  /// Why the command ends with 4; nil when nothing was widened.
  var problem: RunReport.Problem? {
    let count = comparison.widenings.count
    guard count > 0 else { return nil }
    return RunReport.Problem(
      code: .widened,
      message: "\(count) change\(count == 1 ? " allows" : "s allow") more than "
        + "\"\(EscapedText.printable(oldPath))\". Have \(count == 1 ? "it" : "them") "
        + "agreed to, or take \(count == 1 ? "it" : "them") back."
        + (areApart
          ? " The two manifests are in different folders: if the older one is only a copy, add --relocated."
          : "")
    )
  }

  /// The members that it adds to the command's object.
  var members: [String: JSONValue] {
    [
      "against": .string(oldPath),
      "widened": .array(comparison.widenings.map(Self.object)),
      "narrowed": .array(comparison.narrowings.map(Self.object)),
    ]
  }

  private static func object(_ difference: ManifestComparison.Difference) -> JSONValue {
    var members: [String: JSONValue] = [
      "path": .string(difference.path),
      "old": JSONValue(difference.old),
      "new": JSONValue(difference.new),
      "message": .string(difference.sentence),
    ]
    if let narrowing = difference.narrowing { members["rule"] = .string(narrowing.rawValue) }
    return .object(members)
  }

  /// Lines for people, what was widened first.
  var lines: [String] {
    let name = "\"\(EscapedText.printable(oldPath))\""
    let widened = comparison.widenings
    let narrowed = comparison.narrowings
    if widened.isEmpty, narrowed.isEmpty { return ["The same as \(name)."] }
    return
      (widened.isEmpty
      ? ["It allows no more than \(name)."]
      : ["It allows more than \(name): \(widened.count)"] + Self.lines(widened))
      + (narrowed.isEmpty ? [] : ["It allows less: \(narrowed.count)"] + Self.lines(narrowed))
  }

  private static func lines(_ differences: [ManifestComparison.Difference]) -> [String] {
    var lines = differences.prefix(maximumLineCount).map { difference in
      let change =
        switch (difference.old, difference.new) {
        case (let old?, let new?): "\(old) → \(new)"
        case (nil, let new?): "new: \(new)"
        case (let old?, nil): "was: \(old)"
        case (nil, nil): "changed"
        }
      return "  \(difference.path)  \(change)\n      \(difference.sentence)"
    }
    if differences.count > maximumLineCount {
      lines.append("  … and \(differences.count - maximumLineCount) more; --format json lists all of them.")
    }
    return lines
  }
}
