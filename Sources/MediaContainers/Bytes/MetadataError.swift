package import MediaModel

/// Why a file's metadata could not be read or taken out.
///
/// The detail names a segment, chunk or box of the container, never a value that the file holds.
package struct MetadataError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: String, Sendable, Hashable {
    /// The container does not follow its own format.
    case damaged
    /// The container is fine, but no edit list is known for it, or for a part of it.
    case stripUnsupported
    /// verification at the output found what should not be there: a mistake of ours.
    case residue
    /// Taking it apart would cost more than a file of this length may.
    case overLimit
  }

  package var code: Code
  /// What was found and where, such as `DHT of impossible length`.
  package var detail: String

  package init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// For the log: one line.
  package var description: String { "\(code.rawValue): \(detail)" }

  /// Why the item failed; a residue fails closed like a format that cannot be stripped.
  package var itemReason: ItemReason {
    switch code {
    case .damaged: .damaged
    case .stripUnsupported, .residue: .stripUnsupported
    case .overLimit: .overLimit
    }
  }
}
