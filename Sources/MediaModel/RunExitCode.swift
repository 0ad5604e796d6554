/// What a command tells the shell; one that is not listed here means failure.
package enum RunExitCode: Int32, CaseIterable, Sendable, Hashable {
  /// Everything that was allowed was done; unsupported files and items refused by rule included.
  case success = 0
  /// Some items failed, or the metadata policy changed.
  case itemsFailed = 3
  /// `check --against`: something was widened.
  case widened = 4
  case usage = 64
  /// `verify`, `audit verify`: differences were found.
  case differencesFound = 65
  /// A required source is not there.
  case sourceUnavailable = 66
  /// The kernel cannot enforce what was asked.
  case enforcementUnavailable = 69
  /// Accounting or an internal check failed.
  case internalCheck = 70
  /// Another run holds the library.
  case libraryHeld = 73
  /// The library cannot be written; the run can be resumed.
  case cannotWrite = 74
  /// A person has to decide first.
  case undecided = 75
  /// A required source is refused.
  case sourceRefused = 77
  /// Manifest mistake, missing usage description, or not a library.
  case manifestMistake = 78
  case interrupted = 130
  case terminated = 143
}
