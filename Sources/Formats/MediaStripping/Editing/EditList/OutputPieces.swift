package import MediaContainers
package import MediaModel

/// An output under construction: copied bytes of the source and bytes written anew, in order.
///
/// Sample tables grow with the length of a movie, so they are copied by range.
package struct OutputPieces {
  /// Bytes of an output.
  package enum Piece {
    /// A range of the source.
    case copy(Range<Int>)
    /// Bytes that the source does not have in this form.
    case literal([UInt8])
    /// A range of the source that is frames of DV, with the bytes of a mask set to ones.
    case masked(Range<Int>, DIFMask)
  }

  /// The minimum length of a copy; a copy of fewer bytes costs more than a literal.
  package static let minimumCopy = 1024

  /// The pieces in order.
  package private(set) var pieces: [Piece] = []
  /// The number of bytes of all pieces.
  package private(set) var length = 0

  /// Creates an empty output.
  package init() {}

  /// Creates an output of bytes written anew.
  package init(_ bytes: [UInt8]) {
    literal(bytes)
  }

  /// Appends a range of the source; one that follows the range before is merged with it.
  package mutating func copy(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    length += range.count
    if case .copy(let last) = pieces.last, last.upperBound == range.lowerBound {
      pieces[pieces.count - 1] = .copy(last.lowerBound..<range.upperBound)
    } else {
      pieces.append(.copy(range))
    }
  }

  /// Appends a range of the source that is frames of DV; neighbors of one mask are merged.
  package mutating func mask(_ range: Range<Int>, with mask: DIFMask) {
    length += range.count
    if case .masked(let last, mask) = pieces.last, last.upperBound == range.lowerBound {
      pieces[pieces.count - 1] = .masked(last.lowerBound..<range.upperBound, mask)
    } else {
      pieces.append(.masked(range, mask))
    }
  }

  /// Appends bytes written anew.
  package mutating func literal(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    length += bytes.count
    if case .literal(var last) = pieces.last {
      // Take the literal out of the array first, so that appending does not copy it.
      pieces[pieces.count - 1] = .literal([])
      last += bytes
      pieces[pieces.count - 1] = .literal(last)
    } else {
      pieces.append(.literal(bytes))
    }
  }

  /// Appends bytes of the source, copied by range when they are many.
  package mutating func bytes(of range: Range<Int>, in source: ByteSource) {
    if range.count < Self.minimumCopy, let bytes = source.bytes(in: range, limit: range.count) {
      literal(bytes)
    } else {
      copy(range)
    }
  }

  /// Counts bytes that are not needed while lengths are measured.
  package mutating func skip(_ count: Int) {
    length += count
  }

  /// Appends the pieces of another output.
  package mutating func append(_ other: OutputPieces) {
    for piece in other.pieces {
      switch piece {
      case .copy(let range): copy(range)
      case .literal(let bytes): literal(bytes)
      case .masked(let range, let frameMask): mask(range, with: frameMask)
      }
    }
  }

  /// Returns a box around the pieces, with `head` ahead of them.
  ///
  /// - Throws: `overLimit` for more than 4 GiB, which only media data has.
  package func boxed(
    _ type: FourCharacterCode,
    head: [UInt8] = []
  ) throws(MetadataError) -> OutputPieces {
    let total = 8 + head.count + length
    guard total <= Int(UInt32.max) else {
      throw MetadataError(.overLimit, "\(type.displayName) of more than 4 GiB")
    }
    var box = OutputPieces(total.bytes(4) + type.bytes + head)
    box.append(self)
    return box
  }

  /// Returns all bytes of pieces that are short.
  ///
  /// - Throws: `overLimit` for more than 4 MiB.
  package func bytes(in source: ByteSource) throws(MetadataError) -> [UInt8] {
    var all: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .literal(let bytes): all += bytes
      case .copy(let range): all += source.bytes(in: range, limit: 1 << 22) ?? []
      // No box that is short has frames.
      case .masked: break
      }
    }
    guard all.count == length else {
      throw MetadataError(.overLimit, "too many bytes to write anew")
    }
    return all
  }

  /// Appends all pieces to an edit list.
  ///
  /// - Throws: As ``EditListBuilder/copy(_:)`` and ``EditListBuilder/literal(_:)``.
  package func write(to builder: inout EditListBuilder) throws(MetadataError) {
    for piece in pieces {
      switch piece {
      case .copy(let range): try builder.copy(range)
      case .literal(let bytes): try builder.literal(bytes)
      case .masked(let range, let mask): try builder.mask(range, with: mask)
      }
    }
  }
}
