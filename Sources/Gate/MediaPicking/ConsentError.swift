/// Why a person could not be asked, or a picker's answer is not taken.
package struct ConsentError: Error, Sendable, Hashable {
  /// The kind of error for a program; ``description`` is for people.
  package enum Code: String, CaseIterable, Sendable, Hashable {
    /// This process has no terminal, or it cannot be read and written.
    case noTerminal
    /// It was started in the background: what is typed there does not reach it.
    case notInForeground
    /// The kernel lacks what a picker is confined with, or it was not held by it.
    case pickerNotConfined
    /// The picker could not be started, or ended before it answered.
    case pickerFailed
    /// The picker's answer is none that a picker gives; nothing of it is taken.
    case pickerAnswer
    /// The folder cannot be listed.
    case folderUnreadable
    /// The camera cannot be listed.
    case cameraUnreadable
    /// The source was refused, and its names are in a database, which is not read then.
    case databaseRefused
    /// The database of the source cannot be read.
    case databaseUnreadable
    /// The database of the source is of a version that is not known.
    case databaseUnknown
    /// The database of the source changes, or has a change that is not finished.
    case databaseChanging
    /// The page in a browser cannot be shown: nothing can listen.
    case pageUnavailable
    /// Ctrl-C or SIGINT at the picker: the person stops the program.
    case interrupted
    /// SIGTERM or SIGQUIT came; it takes effect once the terminal is as it was.
    case terminated

    /// Whether it tells of the source alone: then a page goes on without names, and takes the other answers.
    package var isOfSource: Bool {
      switch self {
      case .folderUnreadable, .cameraUnreadable, .databaseRefused, .databaseUnreadable,
        .databaseUnknown, .databaseChanging:
        true
      case .noTerminal, .notInForeground, .pickerNotConfined, .pickerFailed, .pickerAnswer,
        .pageUnavailable, .interrupted, .terminated:
        false
      }
    }
  }

  /// The kind of failure.
  package var code: Code
  /// The file or folder that it concerns, escaped.
  package var subject: String

  /// An error of this module.
  package init(_ code: Code, _ subject: String = "") {
    self.code = code
    self.subject = subject
  }
}

extension ConsentError: CustomStringConvertible {
  /// One or two sentences that say what happened and what to do.
  package var description: String {
    let what =
      switch code {
      case .noTerminal:
        "Nobody can be asked: there is no terminal. Run this in one, or decide first with `mediabatch access`."
      case .notInForeground:
        "Nobody can be asked: this runs in the background. Bring it to the foreground, or decide first with "
          + "`mediabatch access`."
      case .pickerNotConfined:
        "No names are shown: this kernel cannot keep the picker from reading files. See `mediabatch doctor`."
      case .pickerFailed: "The picker ended without an answer; nothing was picked. Run it again."
      case .pickerAnswer:
        "The picker's answer cannot be trusted, so nothing was picked. Run it again."
      case .folderUnreadable:
        "The names in the folder cannot be listed. Check who may read it."
      case .cameraUnreadable:
        "The camera cannot be listed. Connect it, switch it on and unlock it, and end other programs that "
          + "use it."
      case .databaseRefused:
        "This was refused before. The database of the Photos library is therefore not read, and there is "
          + "nothing to select from."
      case .databaseUnreadable:
        "The database of the Photos library cannot be read. Open the library in Photos, which repairs "
          + "it, or copy it again."
      case .databaseUnknown:
        "The database of the Photos library has an unknown version, so its photos cannot be shown."
      case .databaseChanging:
        "The database of the Photos library is being changed. Quit Photos, or wait until it is copied, and "
          + "try again."
      case .pageUnavailable:
        "No page can be shown in a browser. Answer at the terminal."
      case .interrupted: "Stopped on request; nothing was picked."
      case .terminated: "The program was stopped; nothing was picked."
      }
    return subject.isEmpty ? what : "\(what) (\(subject))"
  }
}
