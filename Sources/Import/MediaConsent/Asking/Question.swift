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
  /// Why, in the client's words; any text, for a terminal in its person's language.
  package var usageDescription: String
  /// The same in each language in which it is given, of which a page tells one.
  package var translations: [LocalizedText]
  /// The sources of the kind that it is about, where they have names of their own or are several.
  package var sources: [Source] = []
  /// Whether a source of several may stay closed without an answer, in the place of "Don't allow", which is about all of
  /// the kind.
  package var mayLeaveOut = false
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
    translations = [LocalizedText(usageDescription)]
    self.changes = changes
    self.earlierStatus = earlierStatus
    self.mayLimit = mayLimit
  }

  /// A source by its name.
  package struct Source: Sendable, Hashable {
    package var source: SourceID
    /// Nil for a folder that is not there.
    package var folder: [UInt8]?

    package init(_ source: SourceID, folder: [UInt8]?) { (self.source, self.folder) = (source, folder) }
  }

  /// Whether a person may be asked about each of its sources instead.
  var mayChooseEach: Bool { sources.count > 1 }
}

/// A person's answer to a question.
package enum PromptAnswer: String, CaseIterable, Sendable, Hashable {
  case allow
  /// Single files, which are picked next; see ``Picker``.
  case allowOnlyThese
  case deny
  /// To be asked about each of several sources.
  case each
  /// One of these stays closed, and nothing is stored about it.
  case leaveOut
  /// Ctrl-C, Ctrl-D, no answer in time, a closed terminal: nothing is to be stored.
  case undecided
}
