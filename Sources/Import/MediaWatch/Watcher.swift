internal import MediaFileSystem
internal import MediaPipeline
internal import MediaSandbox

/// The supervisor's end of the process that notices changes, see ``WatcherService``.
final class Watcher {
  /// The words of the process since the last call.
  struct News: Sendable, Hashable {
    var hasChanged = false
    var isWatching = false
    var lacksWatches = false
    /// The process has ended, or has said what it must not.
    var hasEnded = false
  }

  private let child: ConfinedChild<WatcherService>

  /// The socket, for poll(2).
  var socket: Int32 { child.socket }

  /// Starts the process with the folders that it may list, and waits until it is confined.
  ///
  /// - Throws: `SandboxError` when it cannot be started or confined.
  init(
    _ sources: [WatchedSource],
    nullDevice: Int32,
    enforcesByKernel: Bool
  ) throws(SandboxError) {
    let task = WatcherTask(
      sources: sources.map { .init(ignored: $0.ignored, ignoresDefaults: $0.ignoresDefaults) },
      enforcesByKernel: enforcesByKernel
    )
    // An initializer owns its arguments: without this the folders are closed before they are sent.
    child = try withExtendedLifetime(sources) { () throws(SandboxError) in
      try .start(task, files: sources.map(\.root.raw), nullDevice: nullDevice)
    }
  }

  /// Reads what has arrived, without waiting.
  func news() -> News {
    var news = News()
    do throws(SandboxError) {
      while let message = try child.next(milliseconds: 0) {
        switch message {
        case .watching: news.isWatching = true
        case .changed: news.hasChanged = true
        case .lacksWatches: news.lacksWatches = true
        }
      }
    } catch {
      news.hasEnded = true
    }
    return news
  }

  /// Ends the process at once, and waits until it is gone.
  ///
  /// - Returns: How it ended.
  @discardableResult
  func end() -> WorkerExit? {
    child.kill()
    return child.end()
  }
}
