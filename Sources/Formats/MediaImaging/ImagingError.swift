package import MediaModel

/// The reason why a picture gave no thumbnails.
package struct ImagingError: Error, Sendable, Hashable {
  /// The kind of error.
  package enum Code: String, CaseIterable, Sendable, Hashable {
    /// The bytes end early, or contradict the format.
    case damaged
    /// Decoding would take more pixels, memory or passes than ``ImagingLimits`` allows.
    case overLimit
    /// The file is whole, as far as is known, but no installed decoder reads its kind.
    case unsupported
    /// A decoder's library is not installed; the detail names the package that has it.
    case decoderMissing
    /// A video has no pictures, and its audio may not be shown.
    case audioRefused
    /// A library refused work that should be possible; the picture may be valid.
    case `internal`
  }

  /// The kind of error.
  package var code: Code
  /// The decoder's own message, for the log only: it may quote bytes of the file and is never shown
  /// to a person.
  package var detail: String

  /// Creates an error.
  package init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The item's reason that corresponds to the code.
  package var itemReason: ItemReason {
    switch code {
    case .damaged: .damaged
    case .overLimit: .overLimit
    case .unsupported, .decoderMissing: .decoderMissing
    case .audioRefused: .microphoneRefused
    case .internal: .workerCrashed
    }
  }
}

extension ImagingError: CustomStringConvertible {
  /// The code and the detail, for the log.
  package var description: String { "\(code.rawValue): \(detail)" }
}
