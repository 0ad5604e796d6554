package import MediaModel

/// The decisions of a watch about what it does next: a value that is told what happens and what time it is,
/// and neither waits nor starts anything.
///
/// Times are nanoseconds of one clock that never goes back.
package struct WatchSchedule: Sendable, Hashable {
  /// The two processes of a round.
  package enum Round: Sendable, Hashable {
    /// Lists the sources and finds out whether there is anything to do; writes nothing.
    case look
    /// An ordinary run.
    case run
  }

  /// The end of a process of a round.
  package enum End: Sendable, Hashable {
    case exited(RunExitCode)
    /// A signal that was not the watch's own, or a code that no run has.
    case broken
  }

  /// The next thing to do.
  package enum Step: Sendable, Hashable {
    case startWatcher
    case start(Round)
    case end(RunExitCode)
    /// Nothing before this time, unless something happens.
    case wait(until: Int64)
  }

  private static let second: Int64 = 1_000_000_000
  /// So many times as long as a look took is waited until the next one for a file that is still changing,
  /// so that looking takes at most a tenth of the time.
  private static let factor: Int64 = 10

  /// The time for which a file must not have changed.
  package let settle: Int64
  /// The time between two listings without any event.
  package let every: Int64

  /// The time of the next round; nil while one goes on.
  private var due: Int64?
  private var nextListing: Int64
  private var round: Round?
  private var roundStart: Int64 = 0
  private var hasChangedMeanwhile = false
  /// Whether the next round is a run without a look: the first one, and one behind a run that has not ended
  /// well, since that may have left a batch to be finished.
  private var mustRun = true
  private var hasRun = false
  private var isListing = false
  /// The digest of what the last run had to do: what it left is not tried again before it changes, or
  /// before the next listing.
  private var tried: Int64 = 0
  private var failures: Int64 = 0

  private var hasWatcher = false
  private var watcherDue: Int64
  private var watcherStart: Int64 = 0
  private var watcherFailures: Int64 = 0

  private var ending: RunExitCode?

  /// - Parameters:
  ///   - settle: The nanoseconds for which a file must not have changed.
  ///   - every: The nanoseconds between two listings without any event.
  ///   - now: The time of the start; the first round is due at once.
  package init(settle: Int64, every: Int64, now: Int64) {
    (self.settle, self.every) = (settle, every)
    due = now
    watcherDue = now
    nextListing = now + every
  }

  /// Returns what to do now; what it says to start counts as started.
  package mutating func step(at now: Int64) -> Step {
    if let ending, round == nil { return .end(ending) }
    if !hasWatcher, now >= watcherDue, ending == nil {
      hasWatcher = true
      watcherStart = now
      return .startWatcher
    }
    if let due, now >= due {
      let next: Round = mustRun ? .run : .look
      isListing = isListing || mustRun || now >= nextListing
      if isListing { nextListing = now + every }
      start(next, at: now)
      return .start(next)
    }
    let times = [due, hasWatcher || ending != nil ? nil : watcherDue].compactMap(\.self)
    return .wait(until: times.min() ?? .max)
  }

  private mutating func start(_ next: Round, at now: Int64) {
    round = next
    roundStart = now
    due = nil
    hasChangedMeanwhile = false
  }

  /// Something has changed in a granted source, or may have.
  package mutating func noteChange(at now: Int64) {
    guard due != nil else { return hasChangedMeanwhile = true }
    // A round that waits for the library, or for room in it, is not hurried by new files.
    if failures == 0 { bring(forward: now + settle) }
  }

  /// The decisions may be others now: the watcher was ended, and the next round is due at once.
  package mutating func noteAccessChange(at now: Int64) {
    if due == nil { hasChangedMeanwhile = true } else { due = now }
    isListing = true
    failures = 0
  }

  /// The watcher has ended.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - isWanted: Whether the watch itself has ended it, to start another one at once.
  /// - Returns: The nanoseconds until it is started again.
  @discardableResult
  package mutating func noteWatcherEnd(at now: Int64, isWanted: Bool) -> Int64 {
    hasWatcher = false
    watcherFailures = isWanted || now - watcherStart > 60 * Self.second ? 0 : watcherFailures + 1
    let delay =
      isWanted ? 0 : Self.delay(Self.second, watcherFailures - 1, limit: 300 * Self.second)
    watcherDue = now + delay
    // A change meanwhile was not noticed.
    noteChange(at: now + delay)
    return delay
  }

  /// A process of a round has ended.
  ///
  /// - Parameters:
  ///   - end: Its end.
  ///   - report: What it reported; nil when it ended before.
  ///   - now: The time.
  /// - Returns: The nanoseconds until the next try when it has failed and is tried again, else nil.
  @discardableResult
  package mutating func noteEnd(_ end: End, _ report: RoundReport?, at now: Int64) -> Int64? {
    let ended = round
    round = nil
    let took = now - roundStart
    switch end {
    case .exited(.success), .exited(.itemsFailed):
      failures = 0
      due = nextListing
      if ended == .look {
        let pending = report?.pending ?? 0
        if pending != 0, isListing || pending != tried {
          // The second half of the round, at once.
          tried = pending
          mustRun = true
          due = now
          return nil
        }
      } else {
        mustRun = false
        hasRun = true
      }
      isListing = false
      let isChanging = report?.isChanging ?? false
      if isChanging {
        let left = max(report?.settlesIn ?? settle, ended == .look ? Self.factor * took : settle)
        bring(forward: now + left)
      }
      if hasChangedMeanwhile { bring(forward: now + settle) }
      hasChangedMeanwhile = false
      return nil
    case .exited(let code) where ends(code):
      ending = ending ?? code
      due = nil
      return nil
    default:
      mustRun = true
      failures += 1
      let isHeld = end == .exited(.libraryHeld)
      let delay = Self.delay(
        isHeld ? settle : 10 * Self.second,
        failures - 1,
        limit: isHeld ? 60 * Self.second : every
      )
      due = now + delay
      return delay
    }
  }

  /// A person or a service manager has asked the watch to end: it does so when the round has.
  package mutating func stop(_ code: RunExitCode) {
    ending = code
    due = nil
  }

  /// Whether a round with this code ends the watch: only a person can change that, or it was asked to.
  private func ends(_ code: RunExitCode) -> Bool {
    switch code {
    case .success, .itemsFailed, .libraryHeld, .cannotWrite: false
    // A disk that was there may be attached again.
    case .sourceUnavailable: !hasRun
    // Not asked by the watch: the process alone was ended.
    case .interrupted, .terminated: ending != nil
    default: true
    }
  }

  private mutating func bring(forward time: Int64) { due = min(due ?? time, time) }

  private static func delay(_ first: Int64, _ times: Int64, limit: Int64) -> Int64 {
    min(limit, max(first, 1) << min(max(times, 0), 20))
  }
}
