/// An entry of a TIFF directory to be written.
package struct TIFFField {
  /// The tag number.
  package var tag: Int
  /// The field type: 1 BYTE, 2 ASCII, 3 SHORT, 4 LONG, 5 RATIONAL, 7 UNDEFINED.
  package var type: Int
  /// The number of values.
  package var count: Int
  /// The bytes of the value, in the byte order of the directory.
  package var value: [UInt8]

  /// Creates an entry from its parts.
  package init(tag: Int, type: Int, count: Int, value: [UInt8]) {
    self.tag = tag
    self.type = type
    self.count = count
    self.value = value
  }

  /// Returns an ASCII entry with the text's UTF-8, which readers accept, and a NUL.
  package static func text(_ tag: Int, _ text: String) -> TIFFField {
    let value = Array(text.utf8) + [0]
    return TIFFField(tag: tag, type: 2, count: value.count, value: value)
  }

  /// Returns an entry with one LONG in `order`.
  package static func long(_ tag: Int, _ value: Int, _ order: ByteOrder = .big) -> TIFFField {
    TIFFField(tag: tag, type: 4, count: 1, value: value.bytes(4, order))
  }

  /// Returns an UNDEFINED entry.
  package static func undefined(_ tag: Int, _ value: [UInt8]) -> TIFFField {
    TIFFField(tag: tag, type: 7, count: value.count, value: value)
  }
}

/// Writes TIFF structures.
///
/// Source: TIFF 6.0 section 2.
package enum TIFFWriter {
  /// Returns the eight bytes of a TIFF header; the first directory follows directly.
  package static func header(_ order: ByteOrder = .big) -> [UInt8] {
    Array((order == .big ? "MM" : "II").utf8) + 42.bytes(2, order) + 8.bytes(4, order)
  }

  /// Returns the number of bytes that ``directory(_:at:next:order:)`` writes.
  package static func length(of fields: [TIFFField]) -> Int {
    fields.reduce(2 + 4) { $0 + 12 + length(ofValue: $1.value.count) }
  }

  /// Returns the number of bytes that follow a directory for a value of `count` bytes.
  package static func length(ofValue count: Int) -> Int { count > 4 ? count + count % 2 : 0 }

  /// Returns a directory with its values.
  ///
  /// - Parameters:
  ///   - fields: The entries in any order, with values in `order`; they are written in tag order.
  ///   - offset: The offset of the directory from the start of the structure; even.
  ///   - next: The offset of the next directory, or 0.
  ///   - order: The byte order of the structure.
  /// - Returns: The directory followed by its values, each at an even offset.
  package static func directory(
    _ fields: [TIFFField],
    at offset: Int,
    next: Int = 0,
    order: ByteOrder = .big
  ) -> [UInt8] {
    let sorted = fields.sorted { $0.tag < $1.tag }
    var head = sorted.count.bytes(2, order)
    var values: [UInt8] = []
    let start = offset + 2 + 12 * sorted.count + 4
    for field in sorted {
      head += field.tag.bytes(2, order) + field.type.bytes(2, order) + field.count.bytes(4, order)
      if field.value.count > 4 {
        head += (start + values.count).bytes(4, order)
        values += field.value
        if values.count % 2 == 1 { values.append(0) }
      } else {
        head += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
      }
    }
    return head + next.bytes(4, order) + values
  }
}
