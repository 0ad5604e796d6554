internal import Glibc
internal import MediaFileSystem
internal import MediaLibrary
internal import MediaManifest
package import MediaModel
package import MediaPipeline
internal import MediaSandbox
internal import MediaWorkerPool

/// The supervisor: it wakes when something changes in a granted source, and starts an ordinary run for it.
///
/// It opens no media and lists nothing. Three kinds of process do that, each decided about and confined for
/// itself: the watcher, which notices changes; a look, which finds out whether there is anything to do; a
/// run. ``WatchSchedule`` decides when each is started.
package final class Watch {
  /// The options of the command line.
  package struct Options: Sendable {
    /// The path of this program's file; a newer version that takes its place is used from the next round on.
    package var program: [UInt8]
    /// The arguments of a look and of a run, without its name: the word `run`, the manifest, and options.
    package var look: [[UInt8]]
    package var run: [[UInt8]]
    /// Whether the runs print events to the standard output of this process.
    package var printsEvents = false
    package var enforcement: Enforcement?
    /// The policies that the command line names.
    package var policies: [[UInt8]] = []
    /// The file of the signing key that the command line names.
    package var key: [UInt8]?
    /// The nanoseconds for which a file must not have changed.
    package var settle: Int64
    /// The nanoseconds between two listings without any event.
    package var every: Int64

    /// Makes the options of a watch whose runs print nothing.
    package init(
      program: [UInt8],
      look: [[UInt8]],
      run: [[UInt8]],
      settle: Int64,
      every: Int64
    ) {
      (self.program, self.look, self.run) = (program, look, run)
      (self.settle, self.every) = (settle, every)
    }
  }

  private let options: Options
  private let note: (String) -> Void
  private var loaded: LoadedManifest
  private var access: AccessState
  private var schedule: WatchSchedule
  private var watcher: Watcher?
  private var round: (kind: WatchSchedule.Round, process: RoundProcess)?
  /// The files on which the decisions rest, as they were when these were made.
  private var basis: [FileStatus?] = []
  private var nextLookAround: Int64 = 0
  private var hasNotedWatching = false
  private var hasNotedLack = false
  private var lastProblems: [String] = []

  /// The nanoseconds between two looks at what the decisions rest on.
  private static let lookAroundInterval = MonotonicClock.second
  /// The milliseconds after which signals are collected.
  private static let patience: Int64 = 200

  /// - Parameters:
  ///   - loaded: The manifest.
  ///   - options: The options of the command line.
  ///   - note: Called with each line for a person.
  package init(_ loaded: LoadedManifest, options: Options, note: @escaping (String) -> Void) {
    self.loaded = loaded
    self.options = options
    self.note = note
    access = AccessState(loaded)
    schedule = WatchSchedule(settle: options.settle, every: options.every, now: MonotonicClock.now)
  }

  /// Watches until a person, a service manager or a decision ends it; call on the main thread.
  ///
  /// - Returns: The exit code of the command.
  package func perform() -> RunExitCode {
    if let stop = access.stop(kernel: .probe(), enforcement: options.enforcement) {
      note(stop.description)
      return stop.exitCode
    }
    do {
      let null = try FileSystem.openDevice([UInt8]("/dev/null".utf8))
      let lock = try WatchLock(library: loaded.output, holder: Host.holder)
      return withExtendedLifetime(lock) { supervise(null) }
    } catch {
      let stop = RunError(wrapping: error)
      note(stop.description)
      return stop.exitCode
    }
  }

  private func supervise(_ null: Descriptor) -> RunExitCode {
    let signals = Signals()
    var forwarded = 0
    while true {
      signals.collect()
      if signals.count > forwarded {
        forwarded = signals.count
        schedule.stop(signals.exitCode)
        round?.process.stop(signals.first ?? SIGTERM)
      }
      lookAround()
      let now = MonotonicClock.now
      switch schedule.step(at: now) {
      case .end(let code):
        watcher?.end()
        return code
      case .startWatcher: startWatcher(null, at: now)
      case .start(let kind): start(kind, at: now)
      case .wait(let time): wait(until: time, now)
      }
      takeNews()
      takeEnd()
    }
  }

  private func wait(until time: Int64, _ now: Int64) {
    var entries: [pollfd] = []
    if let watcher { entries.append(pollfd(fd: watcher.socket, events: Int16(POLLIN), revents: 0)) }
    var limit = Self.patience
    if let round {
      if round.process.isClosed {
        limit = 5
      } else {
        entries.append(pollfd(fd: round.process.pipe, events: Int16(POLLIN), revents: 0))
      }
    }
    let milliseconds = max(0, min(limit, (time - now) / 1_000_000 + 1))
    poll(&entries, nfds_t(entries.count), Int32(milliseconds))
  }

  // MARK: Decisions

  /// Decides again when the manifest, the stored answers or a source's folder is another one, or an answer
  /// has expired. The watcher ends first.
  private func lookAround() {
    let now = MonotonicClock.now
    guard now >= nextLookAround else { return }
    nextLookAround = now + Self.lookAroundInterval
    let hasExpired = access.expiry.map { $0 <= Int64(time(nil)) } ?? false
    let status = statusOfBasis()
    guard status != basis || hasExpired else { return }
    endWatcher(at: now)
    let paths = access.basis
    do {
      let again = try LoadedManifest(path: loaded.givenPath, policies: options.policies, key: options.key)
      guard again.output == loaded.output else {
        note("The manifest names another library now. Start the watch again for that one.")
        return schedule.stop(.manifestMistake)
      }
      loaded = again
    } catch {
      // The next round says what is wrong with the manifest, and ends the watch.
    }
    access = AccessState(loaded)
    // Their status from before they were read: a file that changes meanwhile differs from it the next time.
    basis = access.basis == paths ? status : []
    schedule.noteAccessChange(at: now)
  }

  /// A folder counts by its identity alone: its times change with each file in it.
  private func statusOfBasis() -> [FileStatus?] {
    access.basis.map { path in
      (try? FileSystem.status(ofPath: path)).map { status in
        status.kind == .folder
          ? FileStatus(kind: .folder, device: status.device, inode: status.inode) : status
      }
    }
  }

  // MARK: The watcher

  private func startWatcher(_ null: Descriptor, at now: Int64) {
    do {
      let sources = try access.watchedSources()
      // Without a source that is allowed as a whole there is nothing to watch: the listing remains.
      if sources.isEmpty { return }
      let enforcement = options.enforcement ?? loaded.manifest.enforcement
      watcher = try Watcher(sources, nullDevice: null.raw, enforcesByKernel: enforcement == .kernel)
    } catch {
      let delay = schedule.noteWatcherEnd(at: now, isWanted: false)
      note("The watcher cannot be started: \(error). The next try is in \(Self.text(delay)).")
    }
  }

  private func endWatcher(at now: Int64) {
    watcher?.end()
    watcher = nil
    schedule.noteWatcherEnd(at: now, isWanted: true)
  }

  private func takeNews() {
    guard let watcher else { return }
    let now = MonotonicClock.now
    let news = watcher.news()
    if news.isWatching, !hasNotedWatching {
      hasNotedWatching = true
      note("The sources are watched, and listed every \(Self.text(options.every)).")
    }
    if news.lacksWatches, !hasNotedLack {
      hasNotedLack = true
      note(
        "Not every folder is watched, since the system's limit is reached; new files there are found within "
          + "\(Self.text(options.every)). To watch all, raise fs.inotify.max_user_watches."
      )
    }
    if news.hasChanged { schedule.noteChange(at: now) }
    if news.hasEnded {
      let exit = watcher.end()
      self.watcher = nil
      let delay = schedule.noteWatcherEnd(at: now, isWanted: false)
      let how =
        switch exit {
        case .exited(let code)?: "with \(code)"
        case .signalled(let signal)?: "by signal \(signal)"
        case nil: "early"
        }
      note("The watcher ended \(how). It is started again in \(Self.text(delay)).")
    }
  }

  // MARK: Rounds

  private func start(_ kind: WatchSchedule.Round, at now: Int64) {
    do {
      let process = try RoundProcess(
        options.program,
        kind == .look ? options.look : options.run,
        sharesOutput: options.printsEvents && kind == .run
      )
      round = (kind, process)
    } catch {
      let delay = schedule.noteEnd(.broken, nil, at: now) ?? 0
      let reason = FileSystemError.text(error.number)
      note("A round could not be started: \(reason). The next try is in \(Self.text(delay)).")
    }
  }

  private func takeEnd() {
    guard let (kind, process) = round, let (end, report) = process.end() else { return }
    round = nil
    let delay = schedule.noteEnd(end, report, at: MonotonicClock.now)
    if kind == .run, let line = report?.line { note("\(SaveTime.now.timestamp) \(line)") }
    let problems = report?.problems ?? []
    // A problem that stays is said once.
    if problems != lastProblems { for problem in problems { note(problem) } }
    if kind == .run || !problems.isEmpty { lastProblems = problems }
    guard let delay else { return }
    let how =
      switch end {
      case .exited(let code): "with \(code.rawValue)"
      case .broken: "early"
      }
    note("The round ended \(how). The next try is in \(Self.text(delay)).")
  }

  private static func text(_ nanoseconds: Int64) -> String {
    let milliseconds = nanoseconds / 1_000_000
    if milliseconds % 60_000 == 0, milliseconds > 0 { return "\(milliseconds / 60_000) min" }
    return milliseconds % 1000 == 0
      ? "\(milliseconds / 1000) s" : "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
  }
}
