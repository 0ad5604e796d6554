import MediaContainers
import MediaModel

/// The headers at the start of an MPEG-4 part 2 sample, which may include user data.
///
/// Source: ISO/IEC 14496-2 section 6.2.2 and table 6-3.
enum MPEG4Headers {
  /// The longest header that is searched, in bytes; headers have a few dozen bytes, and the first
  /// picture ends the search.
  private static let maximumLength = 1 << 16
  private static let userData: UInt8 = 0xB2
  private static let picture: UInt8 = 0xB6

  static func forEachUnit(
    in sample: Range<Int>,
    of source: ByteSource,
    _ body: (Range<Int>, UnitDisposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    let head = sample.prefix(maximumLength)
    // Most samples hold a picture and nothing else.
    if source.holds([0, 0, 1, picture], at: sample.lowerBound) { return try body(sample, .kept) }
    let bytes = source.bytes(in: head, limit: maximumLength) ?? []
    var start = 0
    var position = 0
    var isUserData = false
    while position + 3 < bytes.count {
      guard bytes[position] == 0, bytes[position + 1] == 0, bytes[position + 2] == 1 else {
        position += 1
        continue
      }
      let code = bytes[position + 3]
      if code == userData || isUserData {
        try add(start..<position, isUserData, bytes, sample, body)
        start = position
        isUserData = code == userData
      }
      if code == picture { break }
      position += 4
    }
    if isUserData {
      guard head.count == sample.count else {
        throw MetadataError(.damaged, "user data without an end")
      }
      return try add(start..<bytes.count, isUserData, bytes, sample, body)
    }
    let tail = (sample.lowerBound + start)..<sample.upperBound
    if !tail.isEmpty { try body(tail, .kept) }
  }

  /// Returns what a decoder reads of a configuration: from its first header on.
  ///
  /// What stands before it, or in place of it, can be anything.
  static func headers(in configuration: Range<Int>, of source: ByteSource) -> Range<Int> {
    let bytes = source.bytes(in: configuration, limit: maximumLength) ?? []
    let start = bytes.indices.dropLast(3).first {
      bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 + 2] == 1
    }
    guard let start else { return configuration.upperBound..<configuration.upperBound }
    return (configuration.lowerBound + start)..<configuration.upperBound
  }

  private static func add(
    _ range: Range<Int>,
    _ isUserData: Bool,
    _ bytes: [UInt8],
    _ sample: Range<Int>,
    _ body: (Range<Int>, UnitDisposition) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    guard !range.isEmpty else { return }
    let source = (sample.lowerBound + range.lowerBound)..<(sample.lowerBound + range.upperBound)
    let isKept = !isUserData || isEncoderName(bytes[range].dropFirst(4))
    try body(source, isKept ? .kept : .removed("user data"))
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
