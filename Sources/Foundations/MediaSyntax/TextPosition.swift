/// A position in a text file, as an editor counts it.
package struct TextPosition: Sendable, Hashable, Comparable {
  /// The position of the first character.
  package static let start = TextPosition(line: 1, column: 1)

  /// 1-based.
  package var line: Int
  /// 1-based, in Unicode scalars, not bytes.
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (lhs: TextPosition, rhs: TextPosition) -> Bool {
    (lhs.line, lhs.column) < (rhs.line, rhs.column)
  }
}
