internal import MediaModel
internal import MediaPredicate
internal import MediaSyntax

/// The keys of a source's fetch options besides the media types.
///
/// Source: PHFetchOptions.
enum FetchKeys {
  private typealias Key = ManifestKey<SourceDeclaration>

  static var all: [ManifestKey<SourceDeclaration>] {
    [
      predicate, sortDescriptors, fetchLimit, includesHiddenAssets, includesPartnerSharing,
      includesAllBurstAssets,
    ]
  }

  /// A change by which fewer files are fetched is on the list, unless a limit takes others instead.
  static func unlimited<Value>(
    _ narrowing: Narrowing,
    _ isNarrower: @escaping (Change<SourceDeclaration, Value>) -> Bool
  ) -> NarrowingRule<SourceDeclaration, Value> {
    // The object that a change has as the older one may have the newer limit already.
    .when(narrowing) {
      isNarrower($0) && $0.oldManifest.sources[$0.source]?.hasFetchLimit != true
    }
  }

  private static var predicate: Key {
    Key(
      "predicate",
      \.fetch.predicate,
      .optional(.predicate),
      unlimited(.fetchFewer) { $0.before == nil }
    ) {
      if $0.now == nil { return "Everything is fetched." }
      return $0.before == nil
        ? "Only what meets a condition is fetched." : "Something else is fetched."
    }
    .byDefault("none")
    .meaning(
      "a condition, see [library.md](library.md#predicates) and below; what does not meet it is "
        + "`skipped`, `notFetched`"
    )
  }

  private static var sortDescriptors: Key {
    Key(
      "sortDescriptors",
      \.fetch.sortDescriptors,
      .sortDescriptors,
      changed: "With a limit, other items are fetched."
    )
    .byDefault("by path")
    .meaning(
      "what a `fetchLimit` takes first: keys of the predicate but lists, each also with `:ascending` or "
        + "`:descending`; values that are not known come last, and equal ones are in the order of their names"
    )
  }

  private static var fetchLimit: Key {
    Key(
      "fetchLimit",
      \.fetch.fetchLimit,
      .integer(0...1_000_000_000),
      .when(.fetchFewer) {
        $0.now > 0 && ($0.before == 0 || $0.now < $0.before)
          && $0.old.fetch.predicate == $0.new.fetch.predicate
          && $0.old.fetch.sortDescriptors == $0.new.fetch.sortDescriptors
      }
    ) {
      $0.now == 0
        ? "Any number of items is fetched." : "At most \(Quantity.grouped($0.now)) are fetched."
    }
    .meaning(
      "only the first so many, `0` for all; files of one folder that differ only in their extension count "
        + "as one, and what was imported stays"
    )
  }

  private static var includesHiddenAssets: Key {
    Key(
      "includeHiddenAssets",
      \.includesHiddenAssets,
      .optional(.flag),
      unlimited(.fetchFewer) { $0.now == false }
    ) {
      switch $0.now {
      case true?: "Hidden assets are fetched."
      case false?: "Hidden assets are not fetched."
      case nil: "Hidden assets are fetched, except those of a Photos library, and of an export under strip."
      }
    }
    .byDefault("true; false of a `photosLibrary`, and of a `takeout` or `iCloudExport` under `strip`")
    .meaning(
      "`false` leaves out files that say that they are hidden; each is opened to see it. A `photosLibrary` and an "
        + "`iCloudExport` say so themselves, and also which photos are of others' shared albums"
    )
  }

  private static var includesPartnerSharing: Key {
    Key(
      "includePartnerSharing",
      \.fetch.includesPartnerSharing,
      .flag,
      unlimited(.fetchFewer) { !$0.now }
    ) {
      $0.now ? "What a partner shares is fetched." : "What a partner shares is not fetched."
    }
    .meaning(
      "of a `takeout`: whether pictures are fetched that a partner took and shares with its person "
        + "(`fromPartnerSharing`)"
    )
  }

  private static var includesAllBurstAssets: Key {
    Key(
      "includeAllBurstAssets",
      \.fetch.includesAllBurstAssets,
      .flag,
      unlimited(.fetchFewer) { !$0.now }
    ) {
      $0.now
        ? "All pictures of bursts are fetched." : "Of bursts, only the picks are fetched."
    }
    .meaning(
      "`false` leaves out the pictures of a burst that say that they are not its pick; each file is opened "
        + "to see it"
    )
  }
}

extension ValueType<FetchPredicate> {
  static var predicate: Self {
    Self(
      shape: .anyText,
      read: { checker, field in
        checker.text(field) { text throws(ValueIssue) in
          let predicate: FetchPredicate
          do throws(PredicateIssue) {
            predicate = try FetchPredicate(text)
          } catch {
            throw ValueIssue(
              .invalidPredicate,
              "column \(error.column) of the predicate: \(error.message)",
              suggestion: error.suggestion
            )
          }
          if let key = predicate.keys.sorted(by: { $0.rawValue < $1.rawValue })
            .first(where: { !$0.isOfSource })
          {
            throw ValueIssue(
              .invalidPredicate,
              "the files of a source do not say \(key.rawValue)",
              allowed: PredicateKey.allCases.filter(\.isOfSource).map(\.rawValue)
            )
          }
          return predicate
        }
      },
      json: { ComparisonText.quoted($0.text) },
      isSame: { $0 == $1 }
    )
  }
}

extension ValueType<[FetchSortDescriptor]> {
  static var sortDescriptors: Self {
    let keys = PredicateKey.allCases.filter { $0.isSortedBy }.map(\.rawValue)
    let words = keys.flatMap { [$0, $0 + ":ascending", $0 + ":descending"] }
    return Self(
      shape: .words(words),
      read: { checker, field in
        guard let elements = checker.list(field) else { return nil }
        var descriptors: [FetchSortDescriptor] = []
        for element in elements {
          guard let word = checker.word(element, words.map { ($0, $0) }),
            let descriptor = try? FetchSortDescriptor(word)
          else { continue }
          if descriptors.contains(where: { $0.key == descriptor.key }) {
            checker.report(
              .duplicateValue,
              "\"\(descriptor.key.rawValue)\" is in the list already",
              at: element
            )
          }
          descriptors.append(descriptor)
        }
        return descriptors
      },
      json: { $0.isEmpty ? nil : ComparisonText.list($0.map(\.text)) },
      isSame: { $0 == $1 }
    )
  }
}

extension PredicateKey {
  /// Whether files of one source are sorted by it.
  fileprivate var isSortedBy: Bool {
    isOfSource && self != .source
      && (try? FetchSortDescriptor(name: rawValue, ascending: true)) != nil
  }
}
