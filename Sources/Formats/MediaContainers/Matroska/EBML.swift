/// An element of EBML, the encoding of Matroska and WebM.
///
/// Source: RFC 8794 sections 4 to 6.
package struct EBMLElement {
  /// The identifier with its marker bits, as specifications write it.
  package var identifier: UInt64
  /// The range with identifier and length.
  package var range: Range<Int>
  /// The range of the element data that exist.
  package var data: Range<Int>
  /// Whether the element has a known length; one that is being recorded does not.
  package var hasLength: Bool
  /// Whether data are missing: the element is declared longer than what is around it.
  package var isCut: Bool

  /// The element's type; nil for one that is in no table.
  package var type: MatroskaID? { MatroskaID(rawValue: identifier) }

  /// The name of the element in messages; `element` for an unknown one.
  package var name: String { type?.name ?? "element" }

  /// Reads the element at `position`, which ends at `end` at the latest; nil when there is no
  /// whole identifier and length.
  package init?(_ source: ByteSource, at position: Int, before end: Int) {
    guard position < end,
      let (identifier, idLength) = EBMLElement.number(at: position, isIdentifier: true, of: source),
      let (length, lengthLength) = EBMLElement.number(
        at: position + idLength,
        isIdentifier: false,
        of: source
      )
    else { return nil }
    let start = position + idLength + lengthLength
    guard start <= end else { return nil }
    self.identifier = identifier
    hasLength = length != 1 << (7 * UInt64(lengthLength)) - 1
    let left = end - start
    isCut = hasLength && length > UInt64(left)
    data = start..<(start + (hasLength && !isCut ? Int(length) : left))
    range = position..<data.upperBound
  }

  /// Returns a number whose first byte determines its length, and that length in bytes; nil when it
  /// is incomplete.
  ///
  /// An identifier has at most four bytes and keeps its marker bit.
  package static func number(
    at offset: Int,
    isIdentifier: Bool,
    of source: ByteSource
  ) -> (value: UInt64, length: Int)? {
    guard let first = source.byte(at: offset), first > 0 else { return nil }
    let count = first.leadingZeroBitCount + 1
    guard !isIdentifier || count <= 4, let value = source.unsigned(at: offset, count: count) else {
      return nil
    }
    return (isIdentifier ? value : value & (1 << (7 * UInt64(count)) - 1), count)
  }
}

extension EBMLElement {
  /// The maximum number of children of an element other than a segment or a cluster.
  private static let maximumChildren = 65_536

  /// Returns the elements that fill the data.
  ///
  /// - Throws: `damaged` when bytes are left over or a child has no length; `overLimit` for too
  ///   many.
  package func children(of source: ByteSource) throws(MetadataError) -> [EBMLElement] {
    var children: [EBMLElement] = []
    var position = data.lowerBound
    while position < data.upperBound {
      guard let child = EBMLElement(source, at: position, before: data.upperBound),
        child.hasLength, !child.isCut
      else { throw MetadataError(.damaged, "an element that does not fit into its \(name)") }
      guard children.count < Self.maximumChildren else {
        throw MetadataError(.overLimit, "too many elements in \(name)")
      }
      children.append(child)
      position = child.range.upperBound
    }
    return children
  }

  /// Returns the unsigned number in the data; no data are 0. Nil for more than eight bytes.
  package func unsigned(of source: ByteSource) -> UInt64? {
    data.isEmpty ? 0 : source.unsigned(at: data.lowerBound, count: data.count)
  }

  /// Returns the floating point number in the data of 4 or 8 bytes; 0 for another length up to eight, nil for more
  /// than eight bytes and for a number that is not finite.
  package func real(of source: ByteSource) -> Double? {
    guard let bits = unsigned(of: source) else { return nil }
    let value =
      switch data.count {
      case 4: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
      case 8: Double(bitPattern: bits)
      default: 0.0
      }
    return value.isFinite ? value : nil
  }

  /// Returns the text in the data up to a NUL, at most `limit` bytes; nil for a longer one and for
  /// one that is not printable ASCII.
  package func ascii(of source: ByteSource, limit: Int = 64) -> String? {
    guard var bytes = source.bytes(in: data, limit: limit) else { return nil }
    while bytes.last == 0 { bytes.removeLast() }
    guard bytes.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [EBMLElement] {
  /// Returns the first element of that type, or nil.
  package func first(_ type: MatroskaID) -> EBMLElement? {
    first { $0.identifier == type.rawValue }
  }
}

/// The consecutive elements in a range; one that is cut ends with the range.
package struct EBMLElements: Sequence, IteratorProtocol {
  private static var maximumCount: Int { 65_536 }

  private let source: ByteSource
  private let end: Int
  private var position: Int
  private var count = 0

  /// Starts at the first byte of `range`.
  package init(_ source: ByteSource, in range: Range<Int>) {
    self.source = source
    position = range.lowerBound
    end = Swift.min(range.upperBound, source.length)
  }

  /// Returns the next element, or nil at the end.
  package mutating func next() -> EBMLElement? {
    guard count < Self.maximumCount,
      let element = EBMLElement(source, at: position, before: end)
    else { return nil }
    count += 1
    position = element.data.upperBound
    return element
  }
}

/// Writes elements of EBML.
///
/// Source: RFC 8794 sections 4, 5 and 7.
package enum EBMLWriter {
  /// Returns a length, in as few bytes as it needs, or in eight.
  package static func length(_ value: Int, isLong: Bool = false) -> [UInt8] {
    var count = 1
    // All ones are reserved for an unknown length.
    while count < 8, isLong || value >= 1 << (7 * count) - 1 { count += 1 }
    var bytes = value.bytes(count)
    bytes[0] |= UInt8(0x80) >> UInt8(count - 1)
    return bytes
  }

  /// Returns identifier and length of an element.
  package static func head(_ type: MatroskaID, length: Int, isLong: Bool = false) -> [UInt8] {
    let count = (64 - type.rawValue.leadingZeroBitCount + 7) / 8
    return type.rawValue.bytes(count) + self.length(length, isLong: isLong)
  }

  /// Returns an element.
  package static func element(_ type: MatroskaID, _ data: [UInt8]) -> [UInt8] {
    head(type, length: data.count) + data
  }

  /// Returns an element with a number, in as few bytes as it needs, at least one, or in `count`.
  package static func unsigned(
    _ type: MatroskaID,
    _ value: UInt64,
    count: Int? = nil
  ) -> [UInt8] {
    let least = max(1, (64 - value.leadingZeroBitCount + 7) / 8)
    return element(type, value.bytes(count ?? least))
  }
}
