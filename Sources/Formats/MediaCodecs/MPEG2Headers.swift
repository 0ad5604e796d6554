import MediaContainers
import MediaModel

/// The units of a sample of MPEG-2 or MPEG-1 video, each behind a start code: those that a decoder needs stay, without
/// what follows their fields.
///
/// Source: ITU-T H.262 sections 6.2 and 6.3.8, tables 6-1 and 6-2; ISO/IEC 11172-2 section 2.4.2; libavcodec,
/// mpeg12dec.c.
enum MPEG2Headers {
  /// The bytes of a header that are read; a sequence with two matrices has 140, an extension with four 261.
  private static let maximumHeader = 512
  private static let behindHeader = "bytes after a header"
  /// The mark of an encoder in user data by which libavcodec chooses another arithmetic.
  private static let encoderMark = Array("TMPGEXS".utf8)

  static func forEachUnit(
    in sample: Range<Int>,
    of source: ByteSource,
    _ body: (Range<Int>, UnitDisposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    if try MPEGUnits.forEach(in: sample, of: source, disposition, body) { return }
    try body(sample, source.isZero(sample) ? .kept : .removed("bytes of no unit"))
  }

  /// Returns the disposition of a unit, given with its start code.
  ///
  /// - Throws: `stripUnsupported` for user data from which decoders choose their arithmetic.
  private static func disposition(
    of unit: Range<Int>,
    in source: ByteSource
  ) throws(MetadataError) -> UnitDisposition {
    let head = source.bytes(in: unit.prefix(maximumHeader), limit: maximumHeader) ?? []
    guard head.count > 3 else { return .removed("unit of another type") }
    var wanted: [UInt8]?
    switch head[3] {
    case 0x01...0xAF: return .kept
    case 0x00: wanted = picture(head)
    case 0xB2:
      if head.indices.contains(where: { head[$0...].starts(with: encoderMark) }) {
        throw MetadataError(.stripUnsupported, "MPEG-2 of an encoder with an arithmetic of its own")
      }
      return .removed("user data")
    case 0xB3:
      wanted = MPEGVideoSequence.headerLength(of: ByteSource(head), at: 0)
        .flatMap { head.count >= $0 ? Array(head.prefix($0)) : nil }
    case 0xB5:
      wanted = extensionFields(head)
      if wanted == nil { return .removed("extension of another type") }
    case 0xB7: wanted = Array(head.prefix(4))
    case 0xB8:
      guard head.count >= 8 else { return .removed("empty header") }
      // The marker, and whether the group is closed and whether its link is broken.
      let anew = head[..<4] + [0, 0x08, 0, head[7] & 0x60]
      if !head.starts(with: anew) { return .rewritten(Array(anew), "time code") }
      wanted = Array(anew)
    default: return .removed("unit of another type")
    }
    guard let wanted else { return .removed("empty header") }
    let isKept = head.starts(with: wanted) && source.isZero(unit.dropFirst(wanted.count))
    return isKept ? .kept : .rewritten(wanted, behindHeader)
  }

  /// Returns a picture header with the fields of its type, without the bytes that may follow them one by one, each
  /// behind a bit; nil for one that ends early.
  private static func picture(_ head: [UInt8]) -> [UInt8]? {
    guard head.count >= 8 else { return nil }
    // The number of the picture, its type, the fullness of the buffer; the range of vectors of each direction.
    let bits: Int
    switch head[5] >> 3 & 7 {
    case 2: bits = 33
    case 3: bits = 37
    default: bits = 29
    }
    return Self.head(head, bits: bits)
  }

  /// Returns the start code and so many bits; zeros fill the last byte, and a bit that is zero follows the fields of a
  /// picture.
  private static func head(_ head: [UInt8], bits: Int) -> [UInt8]? {
    let length = 4 + (bits + 7) / 8
    guard head.count >= length else { return nil }
    var kept = Array(head.prefix(length))
    kept[length - 1] &= UInt8(truncatingIfNeeded: 0xFF << (8 * (length - 4) - bits))
    return kept
  }

  /// Returns an extension with its fields; nil for one of no use to decoders, such as a copyright's number.
  private static func extensionFields(_ head: [UInt8]) -> [UInt8]? {
    guard head.count > 4 else { return nil }
    switch head[4] >> 4 {
    // Of a sequence.
    case 1: return Self.head(head, bits: 48)
    // How to display a sequence: with colors, and its size.
    case 2: return Self.head(head, bits: head[4] & 1 == 1 ? 61 : 37)
    // Matrices, each behind a bit that says whether there is one.
    case 3:
      var fields = BitReader(head, at: 36)
      for _ in 0..<4 {
        guard let hasMatrix = fields.read(1), hasMatrix == 0 || fields.skip(512) else { return nil }
      }
      return Self.head(head, bits: fields.position - 32)
    // Of a picture, and of the analog signal that it came from.
    case 8:
      guard head.count >= 9 else { return nil }
      return Self.head(head, bits: head[8] & 0x40 != 0 ? 54 : 34)
    // Offsets of the part to display, which follow one another with a marker behind each number.
    case 7:
      for count in [3, 2, 1] {
        guard let kept = Self.head(head, bits: 4 + 34 * count) else { continue }
        let hasMarkers = (0..<(2 * count)).allSatisfy { index in
          var marker = BitReader(kept, at: 36 + 17 * index + 16)
          return marker.read(1) == 1
        }
        if hasMarkers { return kept }
      }
      return nil
    default: return nil
    }
  }
}
