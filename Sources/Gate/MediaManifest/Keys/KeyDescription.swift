/// A key of a manifest as documents and schemas describe it.
package struct KeyDescription: Sendable {
  package let name: String
  package let shape: KeyShape
  package var isRequired = false
  /// The default as JSON; nil for a key without one.
  package var defaultJSON: String?
  /// The default in words, where JSON cannot say it.
  package var defaultText: String?
  /// One sentence for people, in Markdown; empty for an object that its keys explain.
  package let meaning: String
}

/// The kind of value that a key has.
package indirect enum KeyShape: Sendable {
  case anything
  case anyText
  /// The number 1.
  case version
  case flag
  case integer(ClosedRange<Int>)
  case word([String])
  /// A list of words, each once.
  case words([String])
  /// A word, or a list of words, each once.
  case wordOrWords([String])
  /// A status, or for the photo library an object with one for each access level.
  case statuses(readWrite: [String], addOnly: [String]?)
  /// A client's identifier.
  case identifier
  /// The name of a source.
  case sourceName
  /// A text for people, not blank.
  case name
  case path
  /// A path, or an object with the path and the SHA-256 of a file.
  case pinnedPath
  case template
  case color
  /// The name of a time zone.
  case timeZone
  /// A list of clocks that were wrong.
  case shifts
  /// A list of dates that a person states.
  case statedDates
  /// Width and height.
  case size
  /// A list of selection patterns.
  case patterns
  /// A list of exceptions from stripping.
  case exceptions([String])
  case object([KeyDescription])
  /// An object, or a list of such objects, each with a name.
  case sources([KeyDescription])
  /// An object whose keys are names that the manifest chooses.
  case named([KeyDescription])
}
