internal import MediaFileSystem
internal import MediaModel
internal import MediaPermissions
internal import MediaSources

/// The stored answers of one client. They are read through a connection that cannot write and that
/// stays open when the process is confined.
final class StoredAnswers {
  private let location: [UInt8]
  private let client: String
  /// The folders of its sources, in which a denial to another client may count.
  private let folders: [SourceID: FolderIdentity]
  private var store: AnswerStore?
  private var counter: Int64?
  /// The status of the open file, to notice another file under its name.
  private var opened: FileStatus?
  private var openFiles: OpenFilesMark?
  /// One-time grants that this run has consumed; the store no longer has them.
  private var consumed: [ConsumedGrant] = []

  /// A grant, and the last denial of its source before it was consumed: a later one takes it back.
  private struct ConsumedGrant {
    let answer: StoredAnswer
    let lastDenial: Int?
  }

  /// - Throws: `RunError` for a store that exists and cannot be trusted: it may contain a denial.
  init(client: String, folders: [SourceID: FolderIdentity]) throws(RunError) {
    self.client = client
    self.folders = folders
    do {
      location = try AnswerStore.ownLocation()
    } catch {
      throw RunError(error)
    }
    try open()
  }

  /// Opens the store for reading, if there is one.
  private func open() throws(RunError) {
    do {
      guard let store = try AnswerStore.openIfPresent(at: location, mode: .readOnly) else {
        return
      }
      counter = try store.changeCounter()
      self.store = store
      opened = try? FileSystem.status(ofPath: location)
      openFiles = try? OpenFilesMark(store: location, client: client)
    } catch {
      throw RunError(error)
    }
  }

  /// Creates the store if there is none, so that a run notices answers that are given meanwhile.
  ///
  /// Without a writable home folder there is no store, and no answer can be given.
  func makeStore() throws(RunError) {
    guard store == nil else { return }
    do {
      try AnswerStore(at: location, mode: .create).close()
    } catch {
      // With these errors no answer can be given meanwhile; any other may hide a denial.
      guard [.notWritable, .outOfSpace, .noPlace].contains(error.code) else {
        throw RunError(error)
      }
      return
    }
    try open()
  }

  /// The head of the store's table of transitions; nil without a store.
  func head() throws(RunError) -> String? {
    do {
      return try store?.head
    } catch {
      throw RunError(error)
    }
  }

  /// Returns all answers for this client, for each of its manifests, and the denials to others that count for it.
  func all() throws(RunError) -> [StoredAnswer] {
    do {
      guard let store else { return [] }
      let stored = try store.answers(client: client, of: folders)
      var answers = stored
      for grant in consumed where try Self.lastDenial(grant.answer, in: store) == grant.lastDenial {
        let isReplaced = stored.contains { $0.binding.hasKey(of: grant.answer.binding) }
        if !isReplaced { answers.append(grant.answer) }
      }
      return answers
    } catch {
      throw RunError(error)
    }
  }

  private static func lastDenial(
    _ answer: StoredAnswer,
    in store: AnswerStore
  ) throws(StoreError) -> Int? {
    let binding = answer.binding
    return try store.lastDenial(
      client: binding.client,
      source: binding.source.kind,
      level: binding.level,
      in: binding.folder
    )
  }

  /// Marks the sources of which the run has files open: who takes an answer back waits for these.
  func markOpenFiles(of sources: Set<SourceID>) { openFiles?.mark(Set(sources.map(\.kind))) }

  /// Runs `body` if no answer was changed since the last call of ``hasChanged()``; while it runs,
  /// none can be.
  ///
  /// - Returns: Nil when an answer was changed; `body` was not run.
  func whileUnchanged<Value>(_ body: () -> Value) throws(RunError) -> Value? {
    guard let store, let counter else { return body() }
    try checkLocation()
    do {
      return try store.whileUnchanged(since: counter, body)
    } catch {
      throw RunError(error)
    }
  }

  /// Returns whether an answer was changed since the last call; cheap.
  ///
  /// - Throws: `RunError` when the store was replaced, or was made meanwhile.
  func hasChanged() throws(RunError) -> Bool {
    guard let store else {
      // A dry run makes no store, and a confined process cannot open one.
      guard (try? FileSystem.status(ofPath: location)) == nil else {
        throw RunError(
          .answers,
          "An answer was stored while the sources were listed, and it may be a denial. Run again."
        )
      }
      return false
    }
    try checkLocation()
    do {
      let current = try store.changeCounter()
      defer { counter = current }
      return current != counter
    } catch {
      throw RunError(error)
    }
  }

  /// Stops the run if another file stands where the store was opened.
  private func checkLocation() throws(RunError) {
    guard let opened, let status = try? FileSystem.status(ofPath: location),
      status.isSameInode(as: opened)
    else {
      throw RunError(
        .answers,
        "The stored answers were moved or replaced while the run went on, and a denial in the new "
          + "ones cannot be seen. Run again: it resumes."
      )
    }
  }

  /// Stores what a person has answered at this run's prompt.
  ///
  /// - Parameters:
  ///   - answers: An answer about each of the sources that were asked about, bound to what was shown.
  ///   - earlier: For each the answers about its source at its level, for all manifests of the client, that
  ///     were stored when the question was asked.
  /// - Returns: False when another answer was stored meanwhile that allows no more: that one counts, and is kept.
  /// - Throws: `RunError`, 74 or 78: nothing was stored.
  func record(_ answers: [StoredAnswer], after earlier: [[StoredAnswer]]) throws(RunError) -> Bool {
    let stored = try all()
    let mayBeStored = zip(answers, earlier).allSatisfy { answer, earlier in
      let current = stored.filter { $0.concerns(answer.binding) }
      return answer.mayBeStored(besides: current, askedAfter: earlier)
    }
    guard mayBeStored else { return false }
    do {
      let writable = try AnswerStore(at: location, mode: .create)
      try writable.record(answers)
      writable.close()
    } catch {
      throw RunError(error)
    }
    if store == nil { try open() }
    return true
  }

  /// Removes one-time grants from the store: they count for this run and for no other.
  func consume(oneTimeGrants grants: [StoredAnswer], run: String) throws(RunError) {
    if grants.isEmpty { return }
    do {
      let writable = try AnswerStore(at: location, mode: .existing)
      for grant in grants {
        let lastDenial = try Self.lastDenial(grant, in: writable)
        // Another run may have consumed it first.
        guard try writable.consumeOneTimeGrant(grant, run: run) else { continue }
        consumed.append(ConsumedGrant(answer: grant, lastDenial: lastDenial))
      }
      writable.close()
      counter = try store?.changeCounter()
    } catch {
      throw RunError(error)
    }
  }
}
