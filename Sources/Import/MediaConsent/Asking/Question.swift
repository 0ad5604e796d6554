package import MediaModel
package import MediaPermissions

/// The question to a person whether a client may have a source.
package struct Question: Sendable, Hashable {
  /// The manifest's text, unchecked.
  package var clientName: String
  /// `client.identifier`
  package var clientIdentifier: String
  package var source: SourceID
  package var level: AccessLevel
  /// The absolute path of the files; nil for the microphone when it is needed for the sound of videos
  /// alone, and for a folder that is not there.
  package var folder: [UInt8]?
  /// Why, in the client's words; any text.
  package var usageDescription: String
  /// The changes since an earlier answer; empty when there was none.
  package var changes: [AnswerBinding.Change]
  /// The earlier answer that does not count any more, where there was one.
  package var earlierStatus: AuthorizationStatus?
  /// Whether single files may be picked instead: the photo library.
  package var mayLimit: Bool
  /// The policy of the copies that are made.
  package var policy = MetadataPolicy.strip
  /// The number of the question, 1-based, among ``count``.
  package var number = 1
  /// The questions that are asked one after the other.
  package var count = 1

  package init(
    clientName: String,
    clientIdentifier: String,
    source: SourceID,
    level: AccessLevel = .readWrite,
    folder: [UInt8]?,
    usageDescription: String,
    changes: [AnswerBinding.Change] = [],
    earlierStatus: AuthorizationStatus? = nil,
    mayLimit: Bool
  ) {
    self.clientName = clientName
    self.clientIdentifier = clientIdentifier
    self.source = source
    self.level = level
    self.folder = folder
    self.usageDescription = usageDescription
    self.changes = changes
    self.earlierStatus = earlierStatus
    self.mayLimit = mayLimit
  }
}

/// A person's answer to a question.
package enum PromptAnswer: String, CaseIterable, Sendable, Hashable {
  case allow
  /// Single files, which are picked next; see ``Picker``.
  case allowOnlyThese
  case deny
  /// Ctrl-C, Ctrl-D, no answer in time, a closed terminal: nothing is to be stored.
  case undecided
}
