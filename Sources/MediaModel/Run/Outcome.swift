/// How an item ended; every item of an allowed source has exactly one.
package enum ItemOutcome: String, CaseIterable, Sendable, Hashable, Codable {
  case imported
  case unchanged
  case duplicate
  /// The plan leaves it out.
  case skipped
  /// A permission rule leaves it out.
  case refused
  /// No format that is known.
  case unsupported
  case failed
}

/// Why an item ended as it did, where its outcome alone does not say so.
package enum ItemReason: String, CaseIterable, Sendable, Hashable, Codable {
  // skipped
  case mediaTypeExcluded
  case notRegularFile
  case otherFileSystem
  // refused
  case hardLinked
  case microphoneRefused
  // unsupported
  case unknownFormat
  // failed
  case stripUnsupported
  case damaged
  case overLimit
  case decoderMissing
  case changedDuringRun
  case identifierNotFound
  case cannotOpen
  case cannotRead
  case workerCrashed
  case workerProtocol

  package var outcome: ItemOutcome {
    switch self {
    case .mediaTypeExcluded, .notRegularFile, .otherFileSystem: .skipped
    case .hardLinked, .microphoneRefused: .refused
    case .unknownFormat: .unsupported
    default: .failed
    }
  }
}

/// The step at which an item failed.
package enum ItemStep: String, Sendable, Hashable, Codable {
  case list, open, read, metadata, strip, decode, thumbnail, assemble, publish
}
