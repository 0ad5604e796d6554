internal import MediaModel
internal import MediaSyntax

/// A mistake in a predicate or a sort descriptor.
package struct PredicateIssue: Error, Sendable, Hashable, CustomStringConvertible {
  /// 1-based, in Unicode scalars.
  package var column: Int
  /// A sentence without its full stop, escaped.
  package var message: String
  /// The key or word that is spelled most like the one found.
  package var suggestion: String?

  init(_ column: Int, _ message: String, suggestion: String? = nil) {
    self.column = column
    self.message = message
    self.suggestion = suggestion
  }

  package var description: String { "column \(column): \(sentence)" }

  /// The message with its suggestion, without the column.
  package var sentence: String {
    message + (suggestion.map { "; did you mean \"\($0)\"?" } ?? "")
  }

  /// A name that no key and no word has.
  static func unknown(_ word: String, at column: Int, among names: [String]) -> PredicateIssue {
    PredicateIssue(
      column,
      "\(Spelling.quoted(word)) is no key of an asset",
      suggestion: Spelling.nearest(to: word, among: names)
    )
  }
}
