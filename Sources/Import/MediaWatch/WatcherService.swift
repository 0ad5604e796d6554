internal import Glibc
internal import MediaManifest
package import MediaSandbox
package import MediaWorkerProtocol

/// The process that notices changes in granted sources, started again from this program.
///
/// Confined, it can list and watch the folders that it was given and what is beneath them, open no file,
/// and tell its supervisor that something has changed. It ends with the supervisor.
package struct WatcherService: ConfinedService, ServiceTerms {
  package typealias Task = WatcherTask
  package typealias Answer = WatcherMessage

  package static let argument = "watcher"
  /// The folders of the sources, in the order of the task.
  package static let fileCounts = 1...16
  /// A manifest is not longer either.
  package static let longestTask = 16 << 20

  private let sources: [WatchedFolders.Source]

  package init(confinedFor task: WatcherTask, files: [Int32]) throws(SandboxError) {
    guard task.sources.count == files.count else {
      throw SandboxError(.ruleRefused, number: EINVAL)
    }
    sources = zip(files, task.sources).map { WatchedFolders.Source(root: $0, ignored: $1.rules) }
    try WatcherConfinement.enter(roots: files, enforcesByKernel: task.enforcesByKernel)
  }

  package static func attempts(
    _ stage: SelfTestStage,
    files: [Int32]
  ) throws(SandboxError) -> [Attempt] {
    try WatcherConfinement.enter(roots: files, enforcesByKernel: true)
    return SelfTest.watcherAttempts(stage, root: files.first ?? -1)
  }

  /// Reports changes until the supervisor closes its end.
  package func serve(_ parent: ServiceSocket<WatcherService>) -> Int32 {
    do {
      var folders = try WatchedFolders(of: sources)
      if folders.isIncomplete, !parent.send(.lacksWatches) { return ConfinedExit.success }
      guard parent.send(.watching) else { return ConfinedExit.success }
      var hasReportedLack = folders.isIncomplete
      while true {
        var entries = [
          pollfd(fd: WorkerProcess.socketInWorker, events: Int16(POLLIN), revents: 0),
          pollfd(fd: folders.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&entries, 2, -1) > 0 || errno == EINTR || errno == EAGAIN else {
          return ConfinedExit.protocolBreach
        }
        // The supervisor says nothing any more: this is its end.
        if entries[0].revents != 0 { return ConfinedExit.success }
        if entries[1].revents == 0 { continue }
        let findings = try folders.takeEvents()
        if findings.hasChanged, !parent.send(.changed) { return ConfinedExit.success }
        if findings.lacksWatches, !hasReportedLack {
          hasReportedLack = true
          guard parent.send(.lacksWatches) else { return ConfinedExit.success }
        }
      }
    } catch {
      return ConfinedExit.protocolBreach
    }
  }
}

/// What is watched, beside the folders themselves.
package struct WatcherTask: Sendable, Hashable {
  /// A source's rules on what is left out.
  struct Source: Sendable, Hashable {
    /// The manifest's own patterns, as text.
    var ignored: [String]
    /// Whether the names that are left out by default are.
    var ignoresDefaults: Bool

    /// The same as rules.
    var rules: IgnoreRules {
      IgnoreRules(ignored.compactMap { try? SelectionPattern($0) }, usesDefaults: ignoresDefaults)
    }
  }

  /// The sources, in the order of their folders.
  var sources: [Source]
  /// False only under `"enforcement": "process"`.
  var enforcesByKernel: Bool
}

extension WatcherTask: WireValue {
  package func put(into writer: inout WireWriter) {
    writer.put(enforcesByKernel)
    writer.put(UInt32(clamping: sources.count))
    for source in sources {
      writer.put(source.ignoresDefaults)
      writer.put(UInt32(clamping: source.ignored.count))
      for pattern in source.ignored { writer.put(pattern) }
    }
  }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    enforcesByKernel = try reader.bool()
    sources = []
    for _ in 0..<(try reader.count(limit: WatcherService.fileCounts.upperBound)) {
      var source = Source(ignored: [], ignoresDefaults: try reader.bool())
      for _ in 0..<(try reader.count(limit: WatcherService.longestTask)) {
        let text = try reader.text(limit: WatcherService.longestTask)
        guard (try? SelectionPattern(text)) != nil else { throw ProtocolError("no pattern") }
        source.ignored.append(text)
      }
      sources.append(source)
    }
  }
}

/// What the watcher says.
package enum WatcherMessage: UInt8, CaseIterable, Sendable {
  case watching = 1
  case changed
  /// Some folders have no watch: the user has no more.
  case lacksWatches
}

extension WatcherMessage: WireValue {
  package func put(into writer: inout WireWriter) { writer.put(rawValue) }

  package init(from reader: inout WireReader) throws(ProtocolError) {
    guard let message = WatcherMessage(rawValue: try reader.integer()) else {
      throw ProtocolError("no message of a watcher")
    }
    self = message
  }
}
