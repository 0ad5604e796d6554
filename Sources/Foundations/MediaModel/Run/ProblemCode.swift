/// Stable codes for the problems that stop a run or need a person's attention, as `problems` lists
/// them.
///
/// Summaries, plans and `check` write the raw value; a code never changes its meaning.
package enum ProblemCode: String, CaseIterable, Sendable, Hashable {
  // Problems of the access decision; they stop the run.
  case manifestMistake
  case usageDescriptionMissing
  case sourcesOverlap
  /// The answer store cannot be read or written.
  case answers
  case undecided
  case sourceRefused
  case processEnforcementDenied
  /// The manifest lacks a signature that the system's policy asks for.
  case signatureRefused
  /// A file that decides has another SHA-256 than the manifest names.
  case fileDiffers
  case sourceUnavailable
  /// The source's name now resolves to another folder than the one that was decided on.
  case sourceReplaced
  case cannotPick
  /// `check --against`: the manifest requests more access than the older one.
  case widened

  // Problems of the library and its audit log.
  case notALibrary
  case unknownSchema
  case held
  case cannotWrite
  case outOfSpace
  case fileSystemUnsuitable
  case inconsistent
  case auditNotWritten

  /// No asset, or more than one, is meant by an identifier.
  case noSuchAsset

  // Problems of confinement and workers.
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

  // Problems at the end of a run.
  case interrupted
  case cannotRead
  /// The number of items found differs from the number of outcomes.
  case accounting
  case `internal`

  // Problems that do not stop the run; its summary reports them.
  case accessRevoked
  case headNotSigned
  case logDiffers
  /// A row of the catalogue is not as it was written: what depends on it stays as it is.
  case catalogueDiffers
  case metadataPolicyChanged
  /// Assets keep metadata that their source's policy removes, although the run was to write them anew.
  case unstripped
  /// A folder cannot be listed, or a pattern matches nothing.
  case listing
  case selectionEmpty
  /// The library has albums of a source of the same name, of which this one has no file.
  case albumsElsewhere
  case labelsNotMet
  case hardLinked
  /// Published files do not have the times that they should have.
  case timesNotSet
  /// Originals are missing in the library, and no source has them as they were.
  case originalsMissing
  /// Captured files were imported and not added to the photo library.
  case notAddedToPhotoLibrary
  /// A file has a date before 1826, in the future or in no calendar, which is not used.
  case datesNotUsed
  /// A picture states a movie within it that is not there, or not where it says.
  case moviesMisstated
  /// Files that are media by their names are in no format that is known.
  case mediaNotTaken
  /// A track gives no places, or a pattern of tracks matches nothing.
  case tracksNotUsed
  /// A correction of dates by a wrong clock fits no file.
  case shiftsNotUsed
  /// The metadata that `strip` shall leave are in no file.
  case exceptNotUsed
  /// The file of names of places gives none.
  case placesNotUsed

  /// The exit code of a command that stops for this reason, unless another reason takes precedence.
  package var exitCode: RunExitCode {
    switch self {
    case .manifestMistake, .usageDescriptionMissing, .sourcesOverlap, .notALibrary:
      .manifestMistake
    case .unknownSchema: .anotherVersion
    case .undecided: .undecided
    case .sourceRefused, .processEnforcementDenied, .signatureRefused, .fileDiffers, .accessRevoked:
      .sourceRefused
    case .sourceUnavailable, .sourceReplaced: .sourceUnavailable
    case .widened: .widened
    case .held: .libraryHeld
    case .answers, .cannotWrite, .outOfSpace, .fileSystemUnsuitable, .auditNotWritten: .cannotWrite
    case .enforcementUnavailable, .landlockUnavailable, .seccompUnavailable, .notSingleThreaded,
      .layerRefused, .ruleRefused, .limitRefused:
      .enforcementUnavailable
    case .inconsistent, .notRegularFile, .parentGone, .spawnFailed, .notMainThread, .noSuchWorker,
      .sendFailed, .receiveFailed, .unexpectedDescriptors, .workerMissing, .workerDoesNotStart,
      .inspection, .cannotPick, .cannotRead, .accounting, .internal, .logDiffers,
      .catalogueDiffers:
      .internalCheck
    case .noSuchAsset: .usage
    case .interrupted: .interrupted
    case .metadataPolicyChanged, .unstripped: .itemsFailed
    case .headNotSigned, .listing, .selectionEmpty, .albumsElsewhere, .labelsNotMet, .hardLinked,
      .originalsMissing, .timesNotSet, .datesNotUsed, .moviesMisstated, .mediaNotTaken, .tracksNotUsed,
      .shiftsNotUsed, .exceptNotUsed, .placesNotUsed, .notAddedToPhotoLibrary:
      .success
    }
  }
}
