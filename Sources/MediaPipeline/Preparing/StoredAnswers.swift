internal import MediaFileSystem
internal import MediaModel
internal import MediaPermissions

/// What people answered earlier, as one command sees it: read through a connection that cannot
/// write, and that stays open when the process is confined.
final class StoredAnswers {
  private let location: [UInt8]
  private let client: String
  private var store: DecisionStore?
  private var counter: Int64?
  /// The file that is open: one that takes its name is not seen through it.
  private var opened: FileStatus?
  /// Answers for one run alone that this run has taken up; they are in the store no more.
  private var consumed: [StoredAnswer] = []

  /// - Throws: `RunError` for a store that is there and cannot be believed: a denial may stand in it.
  init(client: String) throws(RunError) {
    self.client = client
    do {
      location = try DecisionStore.ownLocation()
    } catch {
      throw RunError(error)
    }
    try open()
  }

  /// Opens the store for reading, if there is one.
  private func open() throws(RunError) {
    do {
      guard let store = try DecisionStore.openIfPresent(at: location, mode: .readOnly) else {
        return
      }
      counter = try store.changeCounter()
      self.store = store
      opened = try? FileSystem.status(ofPath: location)
    } catch {
      throw RunError(error)
    }
  }

  /// Makes the store where there is none, so that a run sees what is answered while it goes on.
  ///
  /// A machine without a home that can be written goes without: nothing can be answered there.
  func makeStore() throws(RunError) {
    guard store == nil else { return }
    do {
      try DecisionStore(at: location, mode: .create).close()
    } catch {
      // Nothing can be answered here while the run goes on; all else may hide a denial.
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

  /// All of this client.
  func all() throws(RunError) -> [SourceKind: [AccessLevel: StoredAnswer]] {
    var found: [SourceKind: [AccessLevel: StoredAnswer]] = [:]
    for answer in consumed {
      found[answer.binding.source, default: [:]][answer.binding.level] = answer
    }
    do {
      for answer in try store?.answers(client: client) ?? [] {
        found[answer.binding.source, default: [:]][answer.binding.level] = answer
      }
    } catch {
      throw RunError(error)
    }
    return found
  }

  /// Whether somebody has changed an answer since this was asked last; cheap.
  func hasChanged() throws(RunError) -> Bool {
    guard let store else { return false }
    guard let opened, let status = try? FileSystem.status(ofPath: location),
      status.isSameInode(as: opened)
    else {
      throw RunError(
        .answers,
        "The stored answers were moved or replaced while the run went on, and a denial in the new "
          + "ones cannot be seen. Run again: it resumes."
      )
    }
    do {
      let now = try store.changeCounter()
      defer { counter = now }
      return now != counter
    } catch {
      throw RunError(error)
    }
  }

  /// Stores what a person has answered at this run's prompt.
  ///
  /// - Parameters:
  ///   - answer: Bound to what was shown.
  ///   - earlier: The answer that stood there when the question was put.
  /// - Returns: False when somebody has answered elsewhere meanwhile: that counts, and is kept.
  /// - Throws: `RunError`, 74 or 78: nothing was stored.
  func record(_ answer: StoredAnswer, after earlier: StoredAnswer?) throws(RunError) -> Bool {
    let now = try all()[answer.binding.source]?[answer.binding.level]
    guard now == earlier else { return false }
    do {
      let writable = try DecisionStore(at: location, mode: .create)
      try writable.record(answer)
      writable.close()
    } catch {
      throw RunError(error)
    }
    if store == nil { try open() }
    return true
  }

  /// Takes answers for one run alone out of the store: they count for this run and for no other.
  func consume(oneTimeGrants grants: [StoredAnswer], run: String) throws(RunError) {
    if grants.isEmpty { return }
    do {
      let writable = try DecisionStore(at: location, mode: .existing)
      for grant in grants {
        // Another run may have been faster.
        if try writable.takeUpOneRun(grant, run: run) { consumed.append(grant) }
      }
      writable.close()
      counter = try store?.changeCounter()
    } catch {
      throw RunError(error)
    }
  }
}
