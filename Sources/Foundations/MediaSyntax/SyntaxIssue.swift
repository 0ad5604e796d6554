/// An error in a text itself, whatever the text is about.
package struct SyntaxIssue: Error, Sendable, Hashable {
  /// The stable word for each rule of a notation.
  package enum Code: String, CaseIterable, Sendable, Hashable {
    /// A character, a comma, a colon, a bracket or a tag is missing or too many.
    case syntax
    case comment
    case byteOrderMark
    case invalidUTF8
    /// U+0000, raw or as `\u0000`: it would end a name early in every C function.
    case nul
    case controlCharacter
    case loneSurrogate
    case badEscape
    case badNumber
    case trailingComma
    case duplicateKey
    case tooLarge
    case tooDeep
    case tooManyValues
    /// The outermost value of a property list is not a dictionary.
    case wrongType
    /// A key of a binary property list is too long.
    case invalidText
  }

  /// Limits the memory that errors take when all of a large file is wrong.
  package static let maximumCount = 1000

  package var position: TextPosition
  /// A JSON path; empty where the value has none.
  package var path: String
  package var code: Code
  /// Escaped text for a person.
  package var message: String
  /// The allowed word that is spelled most like the one found.
  package var suggestion: String?
}
