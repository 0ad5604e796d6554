internal import MediaModel

/// The words of a page for what the log names by code words: each table is closed, so that a new case has its
/// words before it compiles.
enum ReportLabels {
  /// The name of an outcome, as in a legend.
  static func outcome(_ outcome: ItemOutcome) -> String {
    switch outcome {
    case .imported: "Imported"
    case .unchanged: "Already there"
    case .duplicate: "Same content"
    case .skipped: "Left out by a rule"
    case .refused: "Refused"
    case .unsupported: "Not a known format"
    case .failed: "Failed"
    case .failedBefore: "Failed before"
    }
  }

  /// What became of the items of an outcome, as the rest of a sentence whose subject is one item.
  static func sentence(_ outcome: ItemOutcome) -> String {
    switch outcome {
    case .imported: "is in the library"
    case .unchanged: "was in the library before, and nothing about it had changed"
    case .duplicate: "has the same content as an asset of the library"
    case .skipped: "was left out by a rule of the manifest or of its source"
    case .refused: "was found, but no permission allowed opening it"
    case .unsupported: "has content that mediabatch does not know"
    case .failed: "could not be imported"
    case .failedBefore:
      "failed in an earlier run, and was not read again, since nothing about it had changed"
    }
  }

  /// Why an item ended so, as one sentence without a file's name.
  static func reason(_ reason: ItemReason) -> String {
    let cause = FailureAdvice.cause(reason)
    return cause.prefix(1).uppercased() + cause.dropFirst()
  }

  /// The name of a class of metadata.
  static func metadataClass(_ kind: MetadataClass) -> String {
    switch kind {
    case .location: "Location"
    case .person: "People"
    case .device: "Device"
    case .time: "Time"
    case .text: "Text"
    case .contentCredentials: "Content credentials"
    case .other: "Other"
    case .soundTrack: "Sound"
    }
  }

  /// What a published file is of its asset, as the words in the place of a picture.
  static func role(_ role: ResourceRole) -> String {
    switch role {
    case .photo: "Photo"
    case .video: "Video"
    case .audio: "Sound"
    case .pairedVideo: "Video of a live photo"
    case .fullSizePhoto: "Edited photo"
    case .alternatePhoto: "Second photo"
    case .adjustmentData: "Edits"
    case .sidecar: "Sidecar"
    }
  }

  /// How a run that did not end well ended, as the rest of a sentence.
  static func ending(_ code: RunExitCode) -> String {
    switch code {
    case .success: "everything that was allowed was done"
    case .itemsFailed: "some files failed, or the metadata policy changed"
    case .sourceUnavailable: "a required source was not there"
    case .sourceRefused: "a required source was refused"
    case .undecided: "a person has to decide first"
    case .enforcementUnavailable: "the kernel cannot enforce what the manifest promises"
    case .manifestMistake: "the manifest, or what belongs to it, has a mistake"
    case .libraryHeld: "another run was using the library"
    case .cannotWrite: "the library could not be written"
    case .anotherVersion: "another version wrote the library"
    case .interrupted, .terminated: "it was interrupted; the next run resumes"
    case .internalCheck: "a check of the program itself failed"
    case .widened, .nothingReported, .listEverything, .usage, .differencesFound:
      "it ended with a code that no run has"
    }
  }
}
