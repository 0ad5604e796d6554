/// The parts of AAC without a container.
package typealias ADTSParts = FramedParts<ADTSFrame>

/// A summary of all frames of AAC without a container.
package struct ADTSSummary {
  /// The first frame.
  package let first: ADTSFrame
  /// The number of packets of 1,024 samples.
  package private(set) var packetCount = 0

  /// Reads all frames.
  ///
  /// - Throws: `damaged` when there is no frame.
  package init(of source: ByteSource, trailing: TrailingTags) throws(MetadataError) {
    var parts = ADTSParts(source, trailing: trailing)
    var first: ADTSFrame?
    while let (part, _) = parts.next() {
      guard case .frame(let frame) = part else { continue }
      first = first ?? frame
      packetCount += frame.packetCount
    }
    guard let first else { throw MetadataError(.damaged, "no frames of AAC") }
    self.first = first
  }
}
