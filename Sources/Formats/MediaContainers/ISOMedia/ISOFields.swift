/// Reads consecutive fields within a range; reading beyond it is an error.
package struct ISOFields {
  /// The source of the fields.
  package let source: ByteSource
  /// The name of the box, for errors.
  package let name: String
  /// The range that was not yet read.
  package private(set) var range: Range<Int>

  /// Starts at the first byte of `range`.
  package init(_ source: ByteSource, _ range: Range<Int>, _ name: String) {
    self.source = source
    self.range = range
    self.name = name
  }

  /// The number of bytes left.
  package var left: Int { range.count }

  /// Reads a number of 0 to 8 bytes.
  ///
  /// - Throws: `damaged` when it is incomplete or does not fit an `Int`.
  package mutating func number(_ count: Int) throws(MetadataError) -> Int {
    guard count <= range.count,
      let value = source.unsigned(at: range.lowerBound, count: count).flatMap({ Int(exactly: $0) })
    else { throw damaged }
    range = (range.lowerBound + count)..<range.upperBound
    return value
  }

  /// Reads a four-character code.
  ///
  /// - Throws: `damaged` when it is incomplete.
  package mutating func code() throws(MetadataError) -> FourCharacterCode {
    FourCharacterCode(value: UInt32(truncatingIfNeeded: try number(4)))
  }

  /// Reads `count` bytes.
  ///
  /// - Throws: `damaged` when some are missing.
  package mutating func bytes(_ count: Int) throws(MetadataError) -> [UInt8] {
    guard count <= range.count,
      let bytes = source.bytes(in: range.lowerBound..<(range.lowerBound + count), limit: count)
    else { throw damaged }
    range = (range.lowerBound + count)..<range.upperBound
    return bytes
  }

  /// Reads text up to a NUL or to the end and returns at most `limit` bytes of it.
  package mutating func text(limit: Int) -> [UInt8] {
    var text: [UInt8] = []
    while let byte = range.isEmpty ? nil : source.byte(at: range.lowerBound) {
      range = (range.lowerBound + 1)..<range.upperBound
      if byte == 0 { break }
      if text.count < limit { text.append(byte) }
    }
    return text
  }

  /// The error for a box that is too short or too long.
  package var damaged: MetadataError { MetadataError(.damaged, "\(name) of impossible length") }
}
