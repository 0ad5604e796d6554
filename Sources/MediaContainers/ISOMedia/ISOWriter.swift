/// Parses boxes strictly and writes them.
///
/// Source: ISO/IEC 14496-12 section 4.2.
package enum ISOWriter {
  /// Returns the boxes that fill `range` to its end.
  ///
  /// - Throws: `damaged` naming `parent` when a box extends beyond the range or bytes are left
  ///   over.
  package static func children(
    of parent: String,
    in range: Range<Int>,
    of source: ByteSource
  ) throws(MetadataError) -> [ISOBox] {
    let boxes = Array(ISOBoxes(source, in: range))
    guard (boxes.last?.body.upperBound ?? range.lowerBound) == range.upperBound else {
      throw MetadataError(.damaged, "a box that does not fit into its \(parent)")
    }
    return boxes
  }

  /// Returns the only box of that type, or nil.
  ///
  /// - Throws: `damaged` when there are two: readers would disagree about which one applies.
  package static func only(
    _ type: FourCharacterCode,
    of boxes: [ISOBox]
  ) throws(MetadataError) -> ISOBox? {
    let found = boxes.filter { $0.type == type }
    guard found.count <= 1 else { throw MetadataError(.damaged, "a second \(name(type))") }
    return found.first
  }

  /// Returns the display name: four letters or digits, or `box` for other bytes.
  package static func name(_ type: FourCharacterCode) -> String {
    let isWord = type.bytes.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
    return isWord ? String(decoding: type.bytes, as: UTF8.self) : "box"
  }

  /// Returns a box with the given body.
  package static func box(_ type: FourCharacterCode, _ body: [UInt8]) -> [UInt8] {
    uint32(8 + body.count) + type.bytes + body
  }

  /// Returns a box with a version and flags.
  package static func full(
    _ type: FourCharacterCode,
    version: UInt8 = 0,
    flags: Int = 0,
    _ body: [UInt8]
  ) -> [UInt8] {
    box(type, uint32(Int(version) << 24 | flags) + body)
  }

  /// Returns a big-endian 16-bit number.
  package static func uint16(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  /// Returns a big-endian 32-bit number.
  package static func uint32(_ value: Int) -> [UInt8] {
    uint16(value >> 16) + uint16(value)
  }

  /// Returns a big-endian 64-bit number.
  package static func uint64(_ value: Int) -> [UInt8] {
    uint32(value >> 32) + uint32(value)
  }

  /// Returns a handler box without a name, for pictures or the alpha plane of a track.
  package static func handler(_ type: FourCharacterCode) -> [UInt8] {
    full("hdlr", uint32(0) + type.bytes + [UInt8](repeating: 0, count: 13))
  }
}

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
