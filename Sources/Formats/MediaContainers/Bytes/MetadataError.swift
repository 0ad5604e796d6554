package import MediaModel

/// An error that describes why a file's metadata could not be read or removed.
///
/// The detail names a segment, chunk or box of the container, never a value that the file holds.
package struct MetadataError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The class of the failure.
  package enum Code: String, Sendable, Hashable {
    /// The container violates its own format.
    case damaged
    /// The container is valid, but no edit list is known for it, or for a part of it.
    case stripUnsupported
    /// The verification of the output found data that should have been removed: a bug in this
    /// program.
    case residue
    /// Parsing would cost more than is allowed for a file of this length.
    case overLimit
  }

  /// The class of the failure.
  package var code: Code
  /// The finding and its location, such as `DHT of impossible length`.
  package var detail: String

  /// Creates an error with its code and detail.
  package init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// Creates an error with numbers behind its detail: the length of the part, as it states it, and its offset in
  /// what is read, both in bytes.
  package init(_ code: Code, _ detail: String, length: Int? = nil, at offset: Int) {
    self.init(code, detail + (length.map { ", \($0) bytes" } ?? "") + " at byte \(offset)")
  }

  /// A one-line description for the log.
  package var description: String { "\(code.rawValue): \(detail)" }

  /// The reason recorded for the item; a residue fails closed like a format that cannot be
  /// stripped.
  package var itemReason: ItemReason {
    switch code {
    case .damaged: .damaged
    case .stripUnsupported, .residue: .stripUnsupported
    case .overLimit: .overLimit
    }
  }
}
