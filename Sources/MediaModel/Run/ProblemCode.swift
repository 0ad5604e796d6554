/// The stable words for what stops a run or deserves a person's attention, as `problems` lists them.
///
/// Summaries, plans and `check` write the raw value; a word never changes its meaning.
package enum ProblemCode: String, CaseIterable, Sendable, Hashable {
  // Nothing was decided, or a decision stops the run.
  case manifestMistake
  case usageDescriptionMissing
  case sourcesOverlap
  /// The store of answers cannot be read or written.
  case answers
  case undecided
  case sourceRefused
  case processEnforcementDenied
  case sourceUnavailable
  /// The name of a source leads to another folder than the one that was decided about.
  case sourceReplaced
  case cannotPick
  /// `check --against`: the manifest promises more access than the older one.
  case widened

  // The library and its log.
  case notALibrary
  case unknownSchema
  case held
  case cannotWrite
  case outOfSpace
  case fileSystemUnsuitable
  case inconsistent
  case auditNotWritten

  // Confinement and workers.
  case enforcementUnavailable
  case landlockUnavailable
  case seccompUnavailable
  case notSingleThreaded
  case layerRefused
  case ruleRefused
  case notRegularFile
  case limitRefused
  case parentGone
  case spawnFailed
  case notMainThread
  case noSuchWorker
  case sendFailed
  case receiveFailed
  case unexpectedDescriptors
  case workerMissing
  case workerDoesNotStart
  /// `inspect` could not open or confine what it needs.
  case inspection

  // The end of a run.
  case interrupted
  case cannotRead
  /// Items found and outcomes differ in number.
  case accounting
  case `internal`

  // The run goes on, and its summary says so.
  case accessRevoked
  case headNotSigned
  case logDiffers
  case metadataPolicyChanged
  /// A folder that cannot be listed, or a pattern that matches nothing.
  case listing
  case selectionEmpty
  case labelsNotMet
  case hardLinked

  /// The code that a command exits with when it stops for this reason and no other says more.
  package var exitCode: RunExitCode {
    switch self {
    case .manifestMistake, .usageDescriptionMissing, .sourcesOverlap, .notALibrary, .unknownSchema:
      .manifestMistake
    case .undecided: .undecided
    case .sourceRefused, .processEnforcementDenied, .accessRevoked: .sourceRefused
    case .sourceUnavailable, .sourceReplaced: .sourceUnavailable
    case .widened: .widened
    case .held: .libraryHeld
    case .answers, .cannotWrite, .outOfSpace, .fileSystemUnsuitable, .auditNotWritten: .cannotWrite
    case .enforcementUnavailable, .landlockUnavailable, .seccompUnavailable, .notSingleThreaded,
      .layerRefused, .ruleRefused, .limitRefused:
      .enforcementUnavailable
    case .inconsistent, .notRegularFile, .parentGone, .spawnFailed, .notMainThread, .noSuchWorker,
      .sendFailed, .receiveFailed, .unexpectedDescriptors, .workerMissing, .workerDoesNotStart,
      .inspection, .cannotPick, .cannotRead, .accounting, .internal, .logDiffers:
      .internalCheck
    case .interrupted: .interrupted
    case .metadataPolicyChanged: .itemsFailed
    case .headNotSigned, .listing, .selectionEmpty, .labelsNotMet, .hardLinked: .success
    }
  }
}
