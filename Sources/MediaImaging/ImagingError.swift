package import MediaModel

/// Why a picture gave no thumbnails.
package struct ImagingError: Error, Sendable, Hashable {
  package enum Code: String, CaseIterable, Sendable, Hashable {
    /// The bytes end early, or contradict the format.
    case damaged
    /// Decoding would take more pixels, memory or passes than ``ImagingLimits`` allows.
    case overLimit
    /// Whole, as far as is known, but of a kind that no installed decoder reads.
    case unsupported
    /// A decoder's library is not installed; the detail names the package that has it.
    case decoderMissing
    /// A video without pictures, whose sound may not be shown.
    case soundRefused
    /// A library refused work that should be possible; the picture may be fine.
    case `internal`
  }

  package var code: Code
  /// A decoder's own words, for the log: never shown to a person, may quote bytes of the file.
  package var detail: String

  package init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The reason that the item's outcome gives.
  package var itemReason: ItemReason {
    switch code {
    case .damaged: .damaged
    case .overLimit: .overLimit
    case .unsupported, .decoderMissing: .decoderMissing
    case .soundRefused: .microphoneRefused
    case .internal: .workerCrashed
    }
  }
}

extension ImagingError: CustomStringConvertible {
  package var description: String { "\(code.rawValue): \(detail)" }
}
