/// Reads boxes strictly and writes them.
///
/// Source: ISO/IEC 14496-12 section 4.2.
package enum HEIFBox {
  /// The boxes that fill `range` to its end.
  ///
  /// - Throws: `damaged` naming `parent` when one reaches beyond the range or bytes are left over.
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

  /// The only box of that type, or nil.
  ///
  /// - Throws: `damaged` when there are two: readers would not agree on which one counts.
  package static func only(
    _ type: FourCharacterCode,
    of boxes: [ISOBox]
  ) throws(MetadataError) -> ISOBox? {
    let found = boxes.filter { $0.type == type }
    guard found.count <= 1 else { throw MetadataError(.damaged, "a second \(name(type))") }
    return found.first
  }

  /// For people: four letters, or `box` for what is no word.
  package static func name(_ type: FourCharacterCode) -> String {
    let isWord = type.bytes.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
    return isWord ? String(decoding: type.bytes, as: UTF8.self) : "box"
  }

  package static func box(_ type: FourCharacterCode, _ body: [UInt8]) -> [UInt8] {
    uint32(8 + body.count) + type.bytes + body
  }

  /// A box with a version and flags.
  package static func full(
    _ type: FourCharacterCode,
    version: UInt8 = 0,
    flags: Int = 0,
    _ body: [UInt8]
  ) -> [UInt8] {
    box(type, uint32(Int(version) << 24 | flags) + body)
  }

  package static func uint16(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  package static func uint32(_ value: Int) -> [UInt8] {
    uint16(value >> 16) + uint16(value)
  }

  package static func uint64(_ value: Int) -> [UInt8] {
    uint32(value >> 32) + uint32(value)
  }

  /// Handler box for pictures, or for the alpha plane of a track; without a name.
  package static func handler(_ type: FourCharacterCode) -> [UInt8] {
    full("hdlr", uint32(0) + type.bytes + [UInt8](repeating: 0, count: 13))
  }
}

/// Reads fields one after another within a range; what lies outside is an error.
package struct HEIFFields {
  package let source: ByteSource
  package let name: String
  package private(set) var range: Range<Int>

  package init(_ source: ByteSource, _ range: Range<Int>, _ name: String) {
    self.source = source
    self.range = range
    self.name = name
  }

  /// How many bytes are left.
  package var left: Int { range.count }

  /// A number of 0 to 8 bytes.
  ///
  /// - Throws: `damaged` when it is not all there or does not fit an offset.
  package mutating func number(_ count: Int) throws(MetadataError) -> Int {
    guard count <= range.count,
      let value = source.unsigned(at: range.lowerBound, count: count).flatMap({ Int(exactly: $0) })
    else { throw damaged }
    range = (range.lowerBound + count)..<range.upperBound
    return value
  }

  package mutating func code() throws(MetadataError) -> FourCharacterCode {
    FourCharacterCode(value: UInt32(truncatingIfNeeded: try number(4)))
  }

  package mutating func bytes(_ count: Int) throws(MetadataError) -> [UInt8] {
    guard count <= range.count,
      let bytes = source.bytes(in: range.lowerBound..<(range.lowerBound + count), limit: count)
    else { throw damaged }
    range = (range.lowerBound + count)..<range.upperBound
    return bytes
  }

  /// Text up to a NUL or to the end, at most `limit` bytes of it.
  package mutating func text(limit: Int) -> [UInt8] {
    var text: [UInt8] = []
    while let byte = range.isEmpty ? nil : source.byte(at: range.lowerBound) {
      range = (range.lowerBound + 1)..<range.upperBound
      if byte == 0 { break }
      if text.count < limit { text.append(byte) }
    }
    return text
  }

  package var damaged: MetadataError { MetadataError(.damaged, "\(name) of impossible length") }
}
