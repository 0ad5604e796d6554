internal import MediaSyntax

/// The stable word for each rule that a manifest or a labels file can break.
package enum ManifestIssueCode: String, CaseIterable, Sendable, Hashable {
  // The text itself.
  /// Not JSON: a character, a comma, a colon or a bracket is missing or too many.
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
  /// Also a thumbnail name that differs from another only in case.
  case duplicateKey
  case tooLarge
  case tooDeep
  case tooManyValues
  /// The list was cut.
  case tooManyMistakes

  // Keys and values.
  case unknownKey
  case missingKey
  case wrongType
  case unknownValue
  case outOfRange
  case duplicateValue
  /// Text that is empty, blank, too long, or has a character that is not allowed there.
  case invalidText
  /// A key that belongs to another source.
  case notApplicable
  /// `limited` for the camera, the microphone or adding to the photo library.
  case limitedNotApplicable
  case selectionBesideAuthorized
  case invalidPattern
  case invalidTemplate
  case invalidPredicate
  case sourcesOverlap
  /// A usage description in the manifest and another one in the Info.plist.
  case usageDescriptionsDiffer
  /// Another value of the manifest that the Info.plist has too, and differently.
  case infoPlistDiffers

  // Files as a whole.
  /// The file is missing, too large, or no regular file.
  case cannotRead

  // Organization policies.
  /// Someone other than root may change the policy.
  case policyNotTrusted
  /// A policy that would grant something.
  case policyOnlyDenies

  // Labels files.
  case wrongHeader
  case wrongFieldCount
  case badQuote
  case unknownSource
  case invalidPath
  case duplicateRow

  /// The word of a rule of the text itself, which has the same name here.
  init(_ code: SyntaxIssue.Code) { self = Self(rawValue: code.rawValue) ?? .syntax }
}
