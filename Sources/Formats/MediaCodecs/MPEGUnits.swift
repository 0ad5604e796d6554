import MediaContainers
import MediaModel

/// The units of MPEG video, from one start code to the next.
enum MPEGUnits {
  /// The longest configuration, in bytes.
  private static let maximumLength = 1 << 16

  /// Calls `body` with each unit, given with its start code, and before them with the bytes ahead of the first.
  ///
  /// - Returns: False for a sample without a start code, of which `body` gets nothing.
  static func forEach(
    in sample: Range<Int>,
    of source: ByteSource,
    _ disposition: (Range<Int>, ByteSource) throws(MetadataError) -> UnitDisposition,
    _ body: (Range<Int>, UnitDisposition) throws(MetadataError) -> Void
  ) throws(MetadataError) -> Bool {
    guard var start = NALUnits.startCode(in: sample, of: source) else { return false }
    let lead = sample.lowerBound..<start
    if !lead.isEmpty { try body(lead, source.isZero(lead) ? .kept : .removed("bytes before a header")) }
    while start < sample.upperBound {
      let next = (start + 3)..<sample.upperBound
      let end = NALUnits.startCode(in: next, of: source) ?? sample.upperBound
      try body(start..<end, disposition(start..<end, source))
      start = end
    }
    return true
  }

  /// Returns what a decoder reads of a configuration: from its first header on.
  ///
  /// What stands before it, or in place of it, can be anything.
  static func headers(in configuration: Range<Int>, of source: ByteSource) -> Range<Int> {
    let start = NALUnits.startCode(in: configuration.prefix(maximumLength), of: source)
    return (start ?? configuration.upperBound)..<configuration.upperBound
  }
}
