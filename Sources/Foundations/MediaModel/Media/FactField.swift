/// The types of the lists of facts.
package enum FactList {
  /// A fact, told once for all that writes and reads it.
  package struct Field<Root: Sendable>: Sendable {
    /// How its value is written, and the bounds that a reader checks.
    package let form: FactForm<Root>
    /// What `strip` does with it.
    package let strip: Strip
    /// What a worker does not send, since rules of the coordinator give it.
    package let isOfRules: Bool
    /// The columns of the catalogue, one for each value of ``form``; none of a fact that it does not have.
    package let columns: [Column]

    init(
      _ form: FactForm<Root>,
      _ strip: Strip,
      isOfRules: Bool = false,
      _ columns: Column...
    ) {
      (self.form, self.strip) = (form, strip)
      (self.isOfRules, self.columns) = (isOfRules, columns)
    }
  }

  /// What `strip` does with a fact.
  package enum Strip: Sendable, Hashable {
    /// A stripped file still has it, or decoding it shows it.
    case kept
    /// A stripped file has it where the manifest excepts this kind of metadata. Else private facts have it if
    /// `isPrivate`.
    case excepted(MetadataException, isPrivate: Bool = true)
    /// No stripped file has it; private facts do.
    case hidden
    /// No stripped file has it, and private facts do not.
    case dropped

    /// The kind of metadata whose exception leaves it in a stripped file; nil where none does.
    package var exception: MetadataException? {
      if case .excepted(let kind, _) = self { kind } else { nil }
    }
  }

  /// A column of the catalogue that a fact has, and where else its value is told.
  package struct Column: Sendable {
    /// Its name in `assets` and in the private facts.
    package let name: String
    /// Its name in predicates, lists and reports.
    package let word: String
    /// Whether predicates and sort descriptors name it.
    package let isKey: Bool
    /// Whether blocks that are read for a description alone may tell it too.
    package let isDescribed: Bool
    package let listing: Listing

    init(
      _ name: String,
      as word: String? = nil,
      isKey: Bool = true,
      isDescribed: Bool = false,
      _ listing: Listing = .none
    ) {
      (self.name, self.word) = (name, word ?? name)
      (self.isKey, self.isDescribed, self.listing) = (isKey, isDescribed, listing)
    }
  }

  /// Where `list` has a value.
  package enum Listing: Sendable, Hashable {
    case none
    /// In objects of JSON alone.
    case objects
    /// In objects, and in the rows of a spreadsheet by ascending numbers.
    case rows(Int)
  }
}
