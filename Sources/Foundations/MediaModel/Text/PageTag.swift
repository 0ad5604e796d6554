/// The tag of a language in which there are pages.
package struct PageTag: Sendable, Hashable {
  /// Those of `MediaPages/Web/languages`, by BCP 47.
  package static let all = [
    "en", "de", "fr", "es", "pt", "it", "nl", "pl", "uk", "ja", "zh-Hans", "ko", "ar", "he",
  ]
  /// English with longer sentences between brackets, which shows what is not translated, or has no room.
  package static let pseudo = "en-XA"
  package static let english = PageTag(tag: "en")

  /// One of ``all``, or ``pseudo``.
  package let tag: String

  private init(tag: String) { self.tag = tag }

  /// Finds the language that a person reads, by ``LanguageRange``; nil where there are no pages in one.
  ///
  /// - Parameter ranges: Their languages, the one they like best first.
  package init?(for ranges: [String]) {
    let known = Self.all + [Self.pseudo]
    guard let index = LanguageRange.lookup(ranges: ranges, in: known) else { return nil }
    tag = known[index]
  }

  /// Whether lines run from the right to the left.
  package var isRightToLeft: Bool { ["ar", "he"].contains(tag) }
}
