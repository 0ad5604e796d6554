package import MediaContainers
package import MediaModel

/// The header of a JPEG XL, a codestream alone or in boxes.
///
/// Source: ISO/IEC 18181-1 annex D (SizeHeader, ImageMetadata), 18181-2 section 9 (boxes).
package struct JXLHeader: PictureHeader {
  package let size: PixelSize
  package let orientation: Int
  /// The boxes at the top level, as far as they are whole; empty for a codestream alone.
  package let boxes: [ISOBox]
  /// The ranges that are the codestream, joined.
  package let ranges: [Range<Int>]

  /// The signature box, the first of every file with boxes.
  package static let signature: [UInt8] = [
    0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A,
  ]
  /// The most boxes that are read.
  package static let maximumBoxes = 4096

  /// The boxes that a file is made of. Other bytes behind the last whole box are a trailer, not a box
  /// that was cut.
  private static let types: Set<FourCharacterCode> = [
    "jxlc", "jxlp", "jxll", "jxli", "jbrd", "Exif", "xml ", "jumb", "brob", "uuid", "free",
  ]

  /// Whether the file has boxes.
  package static func hasBoxes(_ source: ByteSource) -> Bool { source.holds(signature, at: 0) }

  package init?(of source: ByteSource) {
    var codestream = source
    if Self.hasBoxes(source) {
      guard source.code(at: 16) == "ftyp", source.code(at: 20) == "jxl " else { return nil }
      boxes = Array(ISOBoxes(source, in: 0..<source.length, limit: Self.maximumBoxes))
      var ranges = boxes.compactMap { box -> Range<Int>? in
        switch box.type {
        case "jxlc": box.body
        case "jxlp" where box.body.count >= 4: box.body.dropFirst(4)
        default: nil
        }
      }
      // A codestream that is cut lies behind the last whole box.
      let end = boxes.last?.range.upperBound ?? 0
      if ranges.isEmpty, source.code(at: end + 4) == "jxlc" {
        ranges = [min(end + 8, source.length)..<source.length]
      }
      self.ranges = ranges
      codestream = ByteSource(joining: ranges, of: source)
    } else {
      boxes = []
      ranges = [0..<source.length]
    }
    guard codestream.uint16(at: 0) == 0xFF0A else { return nil }
    var bits = Bits(codestream, from: 2)
    guard let size = bits.size(), let orientation = bits.orientation() else { return nil }
    (self.size, self.orientation) = (size, orientation)
  }

  package func missingPart(of source: ByteSource) -> String? {
    if let end = boxes.last?.range.upperBound {
      // Boxes behind so many were not read, and may hold the rest of the codestream.
      guard boxes.count < Self.maximumBoxes else { return nil }
      if let type = source.code(at: end + 4), Self.types.contains(type) {
        return "a box (\(type.displayName))"
      }
      guard boxes.contains(where: { $0.type == "jxlc" || $0.type == "jxlp" }) else {
        return "a codestream"
      }
    }
    let codestream = ByteSource(joining: ranges, of: source)
    return JXLCodestream.isCut(codestream) ? "the end of the codestream" : nil
  }

  /// Bits of a codestream, the lowest of each byte first.
  private struct Bits {
    private let source: ByteSource
    private var position: Int

    init(_ source: ByteSource, from byte: Int) { (self.source, position) = (source, 8 * byte) }

    mutating func number(_ count: Int) -> Int? {
      var value = 0
      for bit in 0..<count {
        guard let byte = source.uint8(at: position / 8) else { return nil }
        value |= (byte >> (position % 8) & 1) << bit
        position += 1
      }
      return value
    }

    /// Returns a side that is a multiple of 8 or one of four lengths of number, plus 1.
    private mutating func side(isSmall: Bool) -> Int? {
      if isSmall { return number(5).map { 8 * ($0 + 1) } }
      guard let selector = number(2) else { return nil }
      return number([9, 13, 18, 30][selector]).map { $0 + 1 }
    }

    mutating func size() -> PixelSize? {
      guard let small = number(1), let height = side(isSmall: small == 1), let ratio = number(3)
      else { return nil }
      let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
      guard ratio > 0 else {
        return side(isSmall: small == 1).map { PixelSize(width: $0, height: height) }
      }
      let (numerator, denominator) = ratios[ratio - 1]
      return PixelSize(width: height * numerator / denominator, height: height)
    }

    mutating func orientation() -> Int? {
      guard let isDefault = number(1) else { return nil }
      if isDefault == 1 { return 1 }
      guard let hasFields = number(1) else { return nil }
      return hasFields == 1 ? number(3).map { $0 + 1 } : 1
    }
  }
}
