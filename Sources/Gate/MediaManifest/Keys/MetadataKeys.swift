internal import MediaModel
internal import MediaSyntax

/// The keys of a metadata policy, the manifest's own and those of the sources.
enum MetadataKeys {
  private static let shape = KeyShape.object([
    KeyDescription(
      name: "policy",
      shape: .word(MetadataPolicy.Word.allCases.map(\.rawValue)),
      defaultJSON: "\"strip\"",
      meaning: "`strip`: only what shows the picture is written, and what `except` names; `keep`: "
        + "the file as it is"
    ),
    KeyDescription(
      name: "except",
      shape: .exceptions(MetadataException.allCases.map(\.rawValue)),
      defaultText: "`[]`",
      meaning: "under `strip`: what is left all the same, each once; see below. Not beside `keep`, "
        + "which leaves everything"
    ),
  ])

  static var ofManifest: ManifestKey<Manifest> {
    ManifestKey(
      "metadata",
      shape,
      read: { $2.metadata = $0.metadata($1) ?? $2.metadata },
      compare: { comparison, old, new, path in
        let prefix = "What the sources have by default: "
        comparison.notePolicy(old.metadata, new.metadata, path, prefix)
        old.metadata = new.metadata
      }
    )
  }

  /// Compares the policies that apply, wherever they are written.
  static var ofSource: ManifestKey<SourceDeclaration> {
    ManifestKey(
      "metadata",
      shape,
      read: { $2.metadata = $0.metadata($1) },
      compare: { comparison, old, new, path in
        let before = comparison.old.manifest.metadataPolicy(of: comparison.source)
        let now = comparison.new.manifest.metadataPolicy(of: comparison.source)
        let importsMore =
          !before.strips && now.strips
          && comparison.old.manifest.mayImportMoreWhenStripped(of: comparison.source)
        comparison.notePolicy(before, now, path, importsMore: importsMore)
        old.metadata = new.metadata
      }
    )
    .byDefault("the manifest's")
    .meaning("replaces the manifest's `metadata` for this source; never merged with it")
  }
}

extension ManifestChecker {
  fileprivate mutating func metadata(_ field: Field) -> MetadataPolicy? {
    guard let object = object(field, keys: KeySet(names: ["policy", "except"])) else { return nil }
    // An object without a policy means the default; it never falls back to a weaker policy.
    let policy = object["policy"].map { word($0, as: MetadataPolicy.Word.self) } ?? .strip
    guard let except = object["except"] else { return policy == .keep ? .keep : .strip }
    if policy == .keep {
      let message = "\"except\" goes with \"strip\"; \"keep\" leaves everything"
      report(.notApplicable, message, at: except, atKey: true)
      return nil
    }
    guard let elements = list(except) else { return nil }
    var isCoarse = false
    let exceptions = set(elements, by: \.rawValue) { checker, field in
      guard case .object = field.node.value else {
        return checker.exception(field)
      }
      guard let object = checker.object(field, keys: KeySet(names: ["location"])),
        let precision = checker.required("location", such: #""coarse""#, in: object),
        checker.word(precision, [("coarse", true)]) != nil
      else { return nil }
      isCoarse = true
      return .location
    }
    return MetadataPolicy(except: exceptions, isLocationCoarse: isCoarse)
  }

  /// Reads a word of `except`; `location:coarse` is one of policies and of `--except` alone.
  private mutating func exception(_ field: Field) -> MetadataException? {
    guard case .string("location:coarse") = field.node.value else { return word(field) }
    let message = #"unknown value "location:coarse" (write {"location": "coarse"})"#
    report(.unknownValue, message, at: field)
    return nil
  }
}

extension ManifestComparison {
  /// A word that differs is one difference; under the same word, what `except` leaves is one. A
  /// policy under which more files may be imported is not on the list.
  fileprivate mutating func notePolicy(
    _ before: MetadataPolicy,
    _ now: MetadataPolicy,
    _ path: String,
    _ prefix: String = "",
    importsMore: Bool = false
  ) {
    guard before != now else { return }
    let narrowing: Narrowing? =
      now.isAtLeastAsStrict(as: before) && !importsMore ? .metadataStripped : nil
    guard before.word == now.word else {
      let left = now.exceptText.map { ", but for \($0)" } ?? ""
      note(
        path + ".policy",
        ComparisonText.quoted(before.word.rawValue),
        ComparisonText.quoted(now.word.rawValue),
        prefix + "Metadata is " + (now.strips ? "stripped\(left)." : "kept.")
          + (importsMore ? " Files may be imported that were left out before." : ""),
        narrowing
      )
      return
    }
    let sentence =
      narrowing == nil
      ? "Stripping leaves something that it did not leave before."
      : "Stripping leaves less than before."
    note(path + ".except", before.exceptText, now.exceptText, prefix + sentence, narrowing)
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
