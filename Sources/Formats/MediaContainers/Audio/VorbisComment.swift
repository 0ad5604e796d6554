/// The comment of FLAC, Ogg Vorbis, Opus and Speex: a vendor and a list of `NAME=value`.
///
/// Source: Xiph.Org, "Ogg Vorbis I format specification: comment field and header specification";
/// RFC 7845 section 5.2; RFC 9639 section 8.6.
package struct VorbisComment {
  private static let maximumFields = 65_536
  /// The longest value that is read, in bytes.
  package static let maximumValue = 1 << 16

  /// A field of a comment.
  package struct Field {
    /// The name in upper case, at most 64 characters of printable ASCII.
    package var name: String
    /// The range of the value after the `=`.
    package var value: Range<Int>
  }

  /// The fields in order.
  package var fields: [Field] = []
  /// The range of the vendor text.
  package var vendor: Range<Int>
  /// The range after the last field.
  package var trailer: Range<Int>

  /// Parses the comment at the start of `range`; nil when its lengths are inconsistent.
  package init?(of source: ByteSource, in range: Range<Int>) {
    guard let length = source.uint32(at: range.lowerBound, order: .little), range.count >= 8,
      length <= range.count - 8
    else { return nil }
    vendor = (range.lowerBound + 4)..<(range.lowerBound + 4 + length)
    guard let count = source.uint32(at: vendor.upperBound, order: .little) else { return nil }
    var offset = vendor.upperBound + 4
    guard count <= Self.maximumFields else { return nil }
    for _ in 0..<count {
      guard range.upperBound - offset >= 4,
        let length = source.uint32(at: offset, order: .little),
        length <= range.upperBound - offset - 4
      else { return nil }
      let field = (offset + 4)..<(offset + 4 + length)
      offset = field.upperBound
      let equals = source.firstOffset(of: [0x3D], in: field.prefix(65))
      let name = source.bytes(in: field.lowerBound..<(equals ?? field.lowerBound), limit: 64) ?? []
      guard let equals, !name.isEmpty, name.allSatisfy({ 0x20...0x7D ~= $0 }) else {
        fields.append(Field(name: "?", value: field))
        continue
      }
      fields.append(
        Field(
          name: String(decoding: name, as: UTF8.self).uppercased(),
          value: (equals + 1)..<field.upperBound
        )
      )
    }
    trailer = offset..<range.upperBound
  }
}
