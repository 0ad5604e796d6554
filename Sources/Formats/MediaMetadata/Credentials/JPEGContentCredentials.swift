package import MediaContainers

/// Finds the APP11 segments of a JPEG that form a C2PA manifest store.
///
/// A store is a JUMBF superbox of C2PA's type, cut into segments that share a box instance number.
///
/// Source: ISO/IEC 19566-5 annex D (JUMBF in JPEG); C2PA specification 2.1 section 11.1.4.
package struct JPEGContentCredentials {
  /// The name of a store among the parts of a file.
  package static let name = "C2PA manifest store"

  /// A part of a store.
  package enum Part: Equatable {
    /// The first segment of a store.
    case start
    case continuation
  }

  private static let type: [UInt8] = [
    0x63, 0x32, 0x70, 0x61, 0x00, 0x11, 0x00, 0x10, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
  ]

  /// The box instance numbers of the stores seen so far.
  private var instances: Set<Int> = []

  /// Begins with no store.
  package init() {}

  /// Returns the part of a store that `segment` is, or nil. Call it once for each segment, in
  /// order.
  package mutating func part(_ segment: JPEGSegment, in source: ByteSource) -> Part? {
    let start = segment.body.lowerBound
    guard segment.marker == JPEGMarker.app11, segment.body.count >= 16,
      source.holds("JP", at: start),
      let instance = source.uint16(at: start + 2), let packet = source.uint32(at: start + 4)
    else { return nil }
    guard packet == 1 else { return instances.contains(instance) ? .continuation : nil }
    // A length of 1 means that a 64-bit length follows the type.
    let inner = start + 8 + (source.uint32(at: start + 8) == 1 ? 16 : 8)
    guard source.holds("jumb", at: start + 12), source.holds("jumd", at: inner + 4),
      inner + 24 <= segment.body.upperBound, source.holds(Self.type, at: inner + 8),
      instances.count < 64
    else { return nil }
    instances.insert(instance)
    return .start
  }

  /// Returns the store that begins in `first`, whose other parts are in the segments that follow, as
  /// far as it goes on; each part repeats the head of the box.
  package static func store(from first: JPEGSegment, in source: ByteSource) -> [UInt8] {
    let instance = source.uint16(at: first.body.lowerBound + 2)
    var store: [UInt8] = []
    var start = first.range.lowerBound
    while store.count < ContentCredentials.maximumLength, source.uint16(at: start) == 0xFFEB,
      source.holds("JP", at: start + 4), source.uint16(at: start + 6) == instance,
      let length = source.uint16(at: start + 2), length > 18
    {
      let head = store.isEmpty ? 0 : source.uint32(at: start + 12) == 1 ? 16 : 8
      let end = start + 2 + length
      let part = min(start + 12 + head, end)..<end
      guard let bytes = source.bytes(in: part, limit: 1 << 16) else { break }
      store += bytes
      start = end
    }
    return store
  }
}
