/// The outcome of an item; every item of an allowed source has exactly one.
package enum ItemOutcome: String, CaseIterable, Sendable, Hashable, Codable {
  case imported
  case unchanged
  case duplicate
  /// The plan excludes the item.
  case skipped
  /// A permission rule excludes the item.
  case refused
  /// The format is not known.
  case unsupported
  case failed
  /// An earlier run has said that it failed, for a reason that cannot change by itself, and nothing
  /// that the failure depends on has changed since: it was not opened.
  case failedBefore
}

/// The reason for an outcome that does not explain itself.
package enum ItemReason: String, CaseIterable, Sendable, Hashable, Codable {
  /// A reason for `imported` and `unchanged`, and for a `duplicate` of such an item: thumbnails that are
  /// wanted could not be made, since a decoder is missing or they are over a limit.
  case thumbnailMissing
  // Reasons for `skipped`.
  case mediaTypeExcluded
  /// The source's fetch options leave it out.
  case notFetched
  /// Its source has it in the trash.
  case trashed
  /// Its source knows it and does not have it: it is only in a cloud.
  case notDownloaded
  /// Its source only refers to it: the file lies elsewhere.
  case referenced
  /// The database of its source does not name it, although it lies among what it names.
  case unlisted
  /// It was changed a moment ago, and may still be written.
  case stillChanging
  /// A person has taken its asset out of the library.
  case withdrawn
  case notRegularFile
  case otherFileSystem
  /// A sidecar whose source is stripped: it is never published.
  case sidecar
  /// A sidecar that is never published, and of which was taken what it says.
  case sidecarRead
  /// A sidecar that belongs to no file of its folder.
  case sidecarOrphaned
  /// A sidecar, where nothing tells to which of several files it belongs.
  case sidecarAmbiguous
  /// A sidecar whose file was not published with it.
  case sidecarUnused
  // Reasons for `refused`.
  case hardLinked
  /// A mount within the source shows a folder of another source.
  case otherSource
  case microphoneRefused
  // Reasons for `unsupported`.
  case unknownFormat
  // Reasons for `failed`.
  /// The name is that of media, and the content is no format that is known.
  case contentUnknown
  case stripUnsupported
  case damaged
  case overLimit
  case decoderMissing
  case changedDuringRun
  /// It is another file than the plan has, or one of other content.
  case notAsPlanned
  case identifierNotFound
  /// The database of its source says that it is there.
  case originalMissing
  case cannotOpen
  /// The library's file system has no room for it.
  case outOfSpace
  case cannotRead
  /// It took more processor time than it was given, twice.
  case deadline
  case workerCrashed
  case workerProtocol

  /// Whether the outcome stays the same as long as the file, the limits, the policy, the fetch options and
  /// what the program knows of formats do; thumbnails that lack a decoder are an exception.
  package var isLasting: Bool {
    switch self {
    case .contentUnknown, .damaged, .stripUnsupported, .overLimit, .notFetched, .thumbnailMissing:
      true
    default: false
    }
  }

  /// The outcome that this reason belongs to.
  package var outcome: ItemOutcome {
    switch self {
    case .thumbnailMissing: .imported
    case .mediaTypeExcluded, .notFetched, .stillChanging, .notRegularFile, .otherFileSystem:
      .skipped
    case .trashed, .notDownloaded, .referenced, .unlisted, .withdrawn: .skipped
    case .sidecar, .sidecarRead, .sidecarOrphaned, .sidecarAmbiguous, .sidecarUnused: .skipped
    case .hardLinked, .otherSource, .microphoneRefused: .refused
    case .unknownFormat: .unsupported
    default: .failed
    }
  }
}

/// The processing step at which an item failed.
package enum ItemStep: String, Sendable, Hashable, Codable {
  case list, open, read, metadata, strip, decode, thumbnail, assemble, publish
}
