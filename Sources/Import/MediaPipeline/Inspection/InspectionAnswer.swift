internal import MediaModel
internal import MediaWorkerProtocol

/// A worker's answer about one file so far; each message is checked against the protocol.
struct InspectionAnswer {
  private(set) var file: InspectedFile
  /// Whether its last message has come.
  private(set) var isFinished = false
  private(set) var hasReceivedHello = false
  private let job: InspectJob
  private let byteCount: UInt64

  /// - Parameters:
  ///   - job: The job that the worker was sent.
  ///   - file: The path and length that the coordinator has read itself.
  init(_ job: InspectJob, about file: InspectedFile) {
    self.job = job
    self.file = file
    byteCount = file.byteCount ?? 0
  }

  /// Adds the next message.
  ///
  /// - Throws: `ProtocolError` for a message that is not allowed at this point.
  mutating func accept(_ message: InspectMessage) throws(ProtocolError) {
    guard !isFinished else { throw ProtocolError("a word after the last") }
    if case .hello(let version, let build) = message {
      guard !hasReceivedHello, version == WorkerMessage.protocolVersion, build == BuildInfo.version
      else { throw ProtocolError("a worker of another build") }
      hasReceivedHello = true
      return
    }
    guard hasReceivedHello, message.job == job.identifier else {
      throw ProtocolError("an answer that was not requested")
    }
    switch message {
    case .hello: break
    case .facts(_, let facts):
      guard file.facts == nil else { throw ProtocolError("facts twice") }
      file.facts = facts
    case .entries(_, let entries):
      try append(entries)
    case .stripFails(_, let reason, let detail):
      guard file.facts != nil, file.stripProblem == nil else {
        throw ProtocolError("a word on strip that does not fit")
      }
      file.stripProblem = InspectedFile.Problem(reason: reason, detail: detail)
    case .done(_, let isComplete):
      guard file.facts != nil else { throw ProtocolError("done without facts") }
      file.isComplete = isComplete
      isFinished = true
    case .failed(_, _, let reason, let detail):
      file.entries = []
      file.stripProblem = nil
      file.problem = InspectedFile.Problem(reason: reason, detail: detail)
      isFinished = true
    }
  }

  private mutating func append(_ entries: [InspectedEntry]) throws(ProtocolError) {
    guard file.facts != nil, file.stripProblem == nil else {
      throw ProtocolError("entries that do not fit")
    }
    guard file.entries.count + entries.count <= InspectMessage.maximumEntries else {
      throw ProtocolError("too many entries")
    }
    for entry in entries {
      guard entry.offset <= byteCount else { throw ProtocolError("an entry outside the file") }
      // Inflated data may be longer than the file, but not without limit.
      guard entry.byteCount <= 1 << 40 else { throw ProtocolError("an entry of absurd length") }
      guard job.showsValues || entry.value == nil else {
        throw ProtocolError("a value that was not requested")
      }
    }
    file.entries += entries
  }
}
