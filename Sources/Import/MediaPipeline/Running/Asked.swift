internal import MediaAudit
internal import MediaModel
internal import MediaPermissions

/// What came of the questions that a run has asked, before it took its library.
struct Asked {
  /// What the log has of it, which begins later.
  var records: [AuditRecord] = []
  /// Whether there was a place to ask at, so that a question may have been left open.
  var wasAsked = false
  /// The sources, each with its level, that a person has answered about when they were asked last.
  var answered: Set<Question> = []
  /// The error with which asking ended.
  var failure: RunError?

  struct Question: Hashable {
    let source: SourceID
    let level: AccessLevel

    init(_ source: DecidedSource) { (self.source, level) = (source.source, source.level) }
  }
}
