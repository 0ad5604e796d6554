internal import Glibc
internal import MediaExport
internal import MediaModel

/// What a command that makes a folder says when SIGINT, SIGTERM or SIGHUP ends it, and a run which does not collect
/// them yet.
///
/// A handler writes prepared bytes and ends the process, also while a worker converts a film. The folder that grows
/// stays, as when the process is killed; the next command removes it.
///
/// Source: signal-safety(7), for `write`, `strlen` and `_exit`.
enum InterruptionNotice {
  // The pointer is set by the only thread in one store, and what it points to is never changed or freed, so that a
  // handler reads whole words.
  nonisolated(unsafe) private static var text: UnsafeMutablePointer<CChar>?

  /// Says that the new folder has taken its place, or has not, since nothing can tell in between.
  static func end(_ folder: ExportFolder) {
    text = strdup(
      "\nInterrupted at the end: \(folder.shown) is complete, as the earlier folder or the new one. Repeat the "
        + "command.\n"
    )
  }

  /// Says from here on that a folder is not made.
  static func begin(_ folder: ExportFolder) {
    begin(
      "\nInterrupted: \(folder.shown) is as it was before. Repeat the command, which removes the unfinished folder "
        + "\"\(folder.growingName)\" beside it.\n"
    )
  }

  /// Says a text from here on; a signal that is ignored, as by nohup(1), stays so.
  static func begin(_ notice: String) {
    text = strdup(notice)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      guard sigaction(signal, nil, &action) == 0,
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
          != unsafeBitCast(SIG_IGN, to: Int.self)
      else { continue }
      action.__sigaction_handler.sa_handler = { signal in
        if let text = InterruptionNotice.text { _ = write(STDERR_FILENO, text, strlen(text)) }
        _exit(
          signal == SIGINT
            ? RunExitCode.interrupted.rawValue : RunExitCode.terminated.rawValue
        )
      }
      sigaction(signal, &action, nil)
    }
  }
}
