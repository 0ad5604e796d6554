/// A text for a person, and the language that it is in.
package struct LocalizedText: Sendable, Hashable {
  /// The most languages that one text is given in.
  package static let maximumCount = 100

  /// A tag of BCP 47; nil where nobody has said it.
  package var language: String?
  package var words: String

  package init(_ words: String, in language: String? = nil) {
    (self.words, self.language) = (words, language)
  }

  /// Whether both have the same words, byte by byte; Swift's `==` also takes texts for equal that only look so.
  package func hasWords(of other: LocalizedText) -> Bool { words.utf8.elementsEqual(other.words.utf8) }

  /// Whether both are in the same language, or in none that is known.
  package func hasLanguage(of other: LocalizedText) -> Bool {
    LanguageTag.areSame(language, other.language)
  }
}

extension [LocalizedText] {
  /// The text for a person by the languages that they read, as ``LanguageRange/lookup(ranges:in:)`` finds it; else the
  /// first. Nil for no text.
  package func text(for languages: [String]) -> LocalizedText? {
    let index = LanguageRange.lookup(ranges: languages, in: map { $0.language ?? "" })
    return index.map { self[$0] } ?? first
  }

  /// The text that has taken the place of an earlier one: that in its language, else one with its words, else the
  /// first. Nil for no text.
  package func text(after earlier: LocalizedText) -> LocalizedText? {
    first { $0.hasLanguage(of: earlier) } ?? first { $0.hasWords(of: earlier) } ?? first
  }
}
