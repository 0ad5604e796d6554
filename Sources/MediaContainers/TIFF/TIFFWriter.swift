/// One entry of a TIFF directory that is written; the value is big-endian.
package struct TIFFField {
  package var tag: Int
  /// 1 BYTE, 2 ASCII, 3 SHORT, 4 LONG, 5 RATIONAL, 7 UNDEFINED.
  package var type: Int
  package var count: Int
  package var value: [UInt8]

  package init(tag: Int, type: Int, count: Int, value: [UInt8]) {
    self.tag = tag
    self.type = type
    self.count = count
    self.value = value
  }

  package static func byte(_ tag: Int, _ value: Int) -> TIFFField {
    TIFFField(tag: tag, type: 1, count: 1, value: [UInt8(truncatingIfNeeded: value)])
  }

  package static func bytes(_ tag: Int, _ value: [UInt8]) -> TIFFField {
    TIFFField(tag: tag, type: 1, count: value.count, value: value)
  }

  /// The text's UTF-8, which readers accept under ASCII, and a NUL.
  package static func text(_ tag: Int, _ text: String) -> TIFFField {
    let value = Array(text.utf8) + [0]
    return TIFFField(tag: tag, type: 2, count: value.count, value: value)
  }

  package static func short(_ tag: Int, _ value: Int) -> TIFFField {
    TIFFField(tag: tag, type: 3, count: 1, value: TIFFWriter.uint16(value))
  }

  package static func long(_ tag: Int, _ value: Int) -> TIFFField {
    TIFFField(tag: tag, type: 4, count: 1, value: TIFFWriter.uint32(value))
  }

  package static func rationals(_ tag: Int, _ values: [(above: Int, below: Int)]) -> TIFFField {
    let bytes = values.flatMap { TIFFWriter.uint32($0.above) + TIFFWriter.uint32($0.below) }
    return TIFFField(tag: tag, type: 5, count: values.count, value: bytes)
  }

  package static func undefined(_ tag: Int, _ value: [UInt8]) -> TIFFField {
    TIFFField(tag: tag, type: 7, count: value.count, value: value)
  }
}

/// Writes TIFF directories, big-endian.
///
/// Source: TIFF 6.0 section 2.
package enum TIFFWriter {
  package static let header: [UInt8] = [0x4D, 0x4D, 0x00, 0x2A, 0, 0, 0, 8]

  /// How many bytes ``directory(_:at:next:)`` makes.
  package static func length(of fields: [TIFFField]) -> Int {
    fields.reduce(2 + 4) { $0 + 12 + ($1.value.count > 4 ? even($1.value.count) : 0) }
  }

  /// Puts a directory together.
  ///
  /// - Parameters:
  ///   - fields: In any order; written in the order of their tags.
  ///   - offset: Where the directory will stand, from the start of the structure; even.
  ///   - next: Where the directory after it stands, or 0.
  /// - Returns: The directory with its values behind it, each at an even offset.
  package static func directory(_ fields: [TIFFField], at offset: Int, next: Int = 0) -> [UInt8] {
    let sorted = fields.sorted { $0.tag < $1.tag }
    var head = uint16(sorted.count)
    var values: [UInt8] = []
    let start = offset + 2 + 12 * sorted.count + 4
    for field in sorted {
      head += uint16(field.tag) + uint16(field.type) + uint32(field.count)
      if field.value.count > 4 {
        head += uint32(start + values.count)
        values += field.value
        if values.count % 2 == 1 { values.append(0) }
      } else {
        head += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
      }
    }
    return head + uint32(next) + values
  }

  package static func uint16(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  package static func uint32(_ value: Int) -> [UInt8] {
    uint16(value >> 16) + uint16(value)
  }

  private static func even(_ value: Int) -> Int { value + value % 2 }
}
