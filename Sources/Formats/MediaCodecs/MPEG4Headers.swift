import MediaContainers
import MediaModel

/// The units of an MPEG-4 part 2 sample, each behind a start code: those that a decoder needs stay, without
/// what follows their fields.
///
/// Source: ISO/IEC 14496-2 sections 6.2.2 to 6.2.4 and table 6-3.
enum MPEG4Headers {
  /// The longest header, in bytes; a layer with two matrices has some 170.
  private static let maximumHeader = 1 << 10
  /// The longest sample without a start code that decoders take for a picture that is left out, in bytes.
  private static let longestSkip = 7
  private static let userData: UInt8 = 0xB2
  private static let picture: UInt8 = 0xB6
  private static let behindHeader = "bytes after a header"

  static func forEachUnit(
    in sample: Range<Int>,
    of source: ByteSource,
    _ body: (Range<Int>, UnitDisposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    if try MPEGUnits.forEach(in: sample, of: source, disposition, body) { return }
    // A header of H.263 begins in its own way.
    let isPicture =
      sample.count <= longestSkip
      || source.holds([0, 0], at: sample.lowerBound)
        && source.uint8(at: sample.lowerBound + 2).map { $0 >> 2 == 0x20 } == true
    try body(sample, isPicture ? .kept : .removed("bytes of no unit"))
  }

  /// Returns the disposition of a unit, given with its start code.
  ///
  /// - Throws: `stripUnsupported` for the studio profiles, whose pictures are behind start codes that mean
  ///   nothing in others.
  private static func disposition(
    of unit: Range<Int>,
    in source: ByteSource
  ) throws(MetadataError) -> UnitDisposition {
    guard unit.count > 3, let code = source.byte(at: unit.lowerBound + 3) else {
      return .removed("unit of another type")
    }
    if code == picture { return .kept }
    let head = source.bytes(in: unit.prefix(maximumHeader), limit: maximumHeader) ?? []
    let length: Int?
    switch code {
    // An object, the end of a sequence.
    case 0x00...0x1F, 0xB1: length = 4
    case 0x20...0x2F: length = MPEG4Layer.length(of: head)
    case 0xB0:
      guard let profile = head.dropFirst(4).first else { return .removed("empty header") }
      guard !(0xE1...0xE8).contains(profile) else {
        throw MetadataError(.stripUnsupported, "MPEG-4 of a studio profile")
      }
      length = 5
    case userData:
      return unit.count <= 32 && isEncoderName(head.dropFirst(4)) ? .kept : .removed("user data")
    case 0xB3: return group(head, unit, of: source)
    case 0xB5: length = MPEG4Layer.objectLength(of: head)
    default: return .removed("unit of another type")
    }
    guard let length, unit.count > length, !source.isZero(unit.dropFirst(length)) else {
      // Of a header that cannot be read it is not known where it ends.
      return length == nil && unit.count > maximumHeader ? .removed("oversized header") : .kept
    }
    return .rewritten(Array(head.prefix(length)), behindHeader)
  }

  /// Returns the disposition of a group of pictures: its time code, which can be that of a clock, is zero.
  private static func group(
    _ head: [UInt8],
    _ unit: Range<Int>,
    of source: ByteSource
  ) -> UnitDisposition {
    guard head.count >= 7 else { return .removed("empty header") }
    // Hours, minutes, a marker, seconds, whether the group is closed and whether its link is broken, and
    // a zero and ones up to the end of the byte.
    let anew: [UInt8] = head[..<4] + [0, 0x10, head[6] & 0x30 | 7]
    if !head.starts(with: anew) { return .rewritten(anew, "time code") }
    return source.isZero(unit.dropFirst(7)) ? .kept : .rewritten(anew, behindHeader)
  }

  /// Returns whether the text is an encoder name from which decoders choose their arithmetic:
  /// `XviD0050` or `DivX503b1393p`.
  private static func isEncoderName(_ text: ArraySlice<UInt8>) -> Bool {
    let isNumber = { (number: ArraySlice<UInt8>, others: String) in
      number.count <= 16
        && number.allSatisfy { $0.isASCIIDigit || others.utf8.contains($0) }
    }
    let number = text.dropFirst(4)
    if text.starts(with: "XviD".utf8) { return isNumber(number, "") }
    return text.starts(with: "DivX".utf8) && isNumber(number, "bp")
  }
}
