/// The codes with which every command ends; any other code means failure.
package enum RunExitCode: Int32, CaseIterable, Sendable, Hashable {
  case success = 0
  case itemsFailed = 3
  case widened = 4
  case nothingReported = 5
  case listEverything = 6
  case usage = 64
  case differencesFound = 65
  case sourceUnavailable = 66
  case enforcementUnavailable = 69
  case internalCheck = 70
  case libraryHeld = 73
  case cannotWrite = 74
  case undecided = 75
  case anotherVersion = 76
  case sourceRefused = 77
  case manifestMistake = 78
  case interrupted = 130
  case terminated = 143

  /// The meaning of the code, as `help exit-codes`, the manual pages and docs/commands.md have it.
  package var sentence: String {
    switch self {
    case .success:
      "all that was allowed was done; files of unknown formats and refused ones are no error"
    case .itemsFailed:
      "some items failed, or the metadata policy changed; with --fail-on-earlier also when items failed "
        + "in an earlier run, with --fail-on-unsupported when the content of an item is of no known format"
    case .widened: "check --against: something was widened"
    case .nothingReported: "report: no run to report about, such as after --since"
    case .listEverything: "changes: the token is of another history; list everything"
    case .usage: "a mistake in the command"
    case .differencesFound:
      "verify, rebuild, repair, withdraw, similar, shards merge, audit verify, report: differences found"
    case .sourceUnavailable: "a required source is not there"
    case .enforcementUnavailable: "the kernel cannot confine the run to what is allowed"
    case .internalCheck: "an internal check failed: a bug, or a damaged library"
    case .libraryHeld: "another run holds the library or is making it; --wait waits"
    case .cannotWrite:
      "the library cannot be written, or the stored answers cannot be read; run again to resume"
    case .undecided: "a person has to decide first"
    case .anotherVersion:
      "another version wrote the library or the stored answers; use that one, or import again into a new "
        + "library"
    case .sourceRefused:
      "a required source is refused, or was taken back during the run; or a manifest lacks the signature that a policy "
        + "asks for, or a file has another SHA-256 than it names"
    case .manifestMistake:
      "a mistake in the manifest, a missing usage description, a folder that is no library, or damaged stored answers"
    case .interrupted: "interrupted; run again to resume"
    case .terminated: "ended by a signal, as when its terminal is closed; run again to resume"
    }
  }
}
