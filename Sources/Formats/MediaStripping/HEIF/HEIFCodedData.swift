import MediaCodecs
import MediaContainers

/// The bytes of coded pictures that the output holds.
///
/// Items may share bytes and have them in any order, but an edit list copies in ascending order and
/// once. Therefore the ranges that any item needs are merged, and each item's ranges are looked up
/// in the result.
struct HEIFCodedData {
  /// The kept ranges of the source, ascending and disjoint.
  private(set) var ranges: [Range<Int>] = []
  /// The output's offset of each range, from the start of the first one.
  private var offsets: [Int] = []
  private(set) var length = 0

  init(_ parts: [Range<Int>]) {
    for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) where !part.isEmpty {
      if let last = ranges.last, part.lowerBound <= last.upperBound {
        let end = max(last.upperBound, part.upperBound)
        ranges[ranges.count - 1] = last.lowerBound..<end
      } else {
        ranges.append(part)
      }
    }
    for range in ranges {
      offsets.append(length)
      length += range.count
    }
  }

  /// Returns the output's ranges of `parts`, all of which must be kept, merged into as few as
  /// possible.
  func outputRanges(of parts: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for part in parts where !part.isEmpty {
      let index = ranges.firstIndexSorted { $0.upperBound > part.lowerBound }
      let start = offsets[index] + part.lowerBound - ranges[index].lowerBound
      if let last = result.last, last.upperBound == start {
        result[result.count - 1] = last.lowerBound..<(start + part.count)
      } else {
        result.append(start..<(start + part.count))
      }
    }
    return result
  }
}

/// Parses coded pictures and limits what that costs.
struct HEIFUnitFilter {
  private let source: ByteSource
  /// The bytes that may still be parsed: overlapping items would let a small file cost any time.
  private var lengthLeft: Int
  /// The parts that may still be found. There may be far more of them than an edit list has
  /// operations, because parts of adjacent pictures are merged.
  private var partsLeft: Int
  /// The names of what was left out, each with its count.
  private(set) var removed: [String: Int] = [:]
  /// The bytes that take the place of units of which a decoder needs only the start.
  private(set) var patches = HEIFPatches()

  init(_ source: ByteSource) {
    self.source = source
    lengthLeft = 2 * source.length + 1 << 20
    partsLeft = 65_536 + source.length / 64
  }

  /// Returns the ranges of the source that are kept of a coded picture, in its order.
  ///
  /// - Throws: `damaged` when its bytes do not follow its codec; `overLimit` when pictures that
  ///   share bytes or have too many parts would cost too much; `stripUnsupported` for a unit that would
  ///   become longer, or is another one in a picture that shares its bytes.
  mutating func parts(
    of extents: [Range<Int>],
    _ bitstream: Bitstream
  ) throws(MetadataError) -> [Range<Int>] {
    let length = extents.reduce(0) { $0 + $1.count }
    lengthLeft -= length
    partsLeft -= extents.count
    guard lengthLeft >= 0, partsLeft >= 0 else {
      throw MetadataError(.overLimit, "pictures that share too many bytes")
    }
    let bytes = ByteSource(joining: extents, of: source)
    var kept: [Range<Int>] = []
    var rewritten: [(range: Range<Int>, bytes: [UInt8])] = []
    var removed: [String: Int] = [:]
    let limit = partsLeft
    func keep(_ unit: Range<Int>) throws(MetadataError) {
      if let last = kept.last, last.upperBound == unit.lowerBound {
        kept[kept.count - 1] = last.lowerBound..<unit.upperBound
      } else {
        guard kept.count < limit else {
          throw MetadataError(.overLimit, "coded data of too many parts")
        }
        kept.append(unit)
      }
    }
    try bitstream.forEachUnit(in: 0..<bytes.length, of: bytes) {
      (unit, disposition) throws(MetadataError) in
      switch disposition {
      case .kept: try keep(unit)
      case .removed(let name): removed[name, default: 0] += 1
      case .rewritten(let content, let name):
        let anew = bitstream.prefixed(content)
        guard anew.count <= unit.count else {
          throw MetadataError(.stripUnsupported, "a picture with \(name) in its data")
        }
        removed[name, default: 0] += 1
        rewritten.append((unit.prefix(anew.count), anew))
        try keep(unit.prefix(anew.count))
      }
    }
    partsLeft -= kept.count + rewritten.count
    guard partsLeft >= 0 else { throw MetadataError(.overLimit, "coded data of too many parts") }
    guard !kept.isEmpty else { throw MetadataError(.damaged, "a picture without coded data") }
    self.removed.merge(removed, uniquingKeysWith: +)
    let joined = Extents(extents)
    for unit in rewritten { try patch(joined.ranges(of: unit.range), unit.bytes) }
    return kept.flatMap { joined.ranges(of: $0) }
  }

  /// Puts bytes in the place of ranges of the source, which are as many.
  private mutating func patch(_ ranges: [Range<Int>], _ bytes: [UInt8]) throws(MetadataError) {
    var unwritten = bytes[...]
    for range in ranges {
      try patches.add(range, Array(unwritten.prefix(range.count)))
      unwritten = unwritten.dropFirst(range.count)
    }
  }
}

/// Ranges of a source that are read as one contiguous sequence of bytes.
struct Extents {
  private let extents: [Range<Int>]
  /// The offsets in the sequence where each extent ends; ascending.
  private var ends: [Int] = []

  /// Joins `extents`, whose total length must fit an `Int`.
  init(_ extents: [Range<Int>]) {
    self.extents = extents.filter { !$0.isEmpty }
    for extent in self.extents { ends.append((ends.last ?? 0) + extent.count) }
  }

  /// Returns the ranges of the source that make up `range`, an offset range of the sequence.
  func ranges(of range: Range<Int>) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var offset = range.lowerBound
    var index = ends.firstIndexSorted { $0 > offset }
    while offset < range.upperBound, index < ends.count {
      let count = min(ends[index], range.upperBound) - offset
      let start = extents[index].upperBound - (ends[index] - offset)
      result.append(start..<(start + count))
      offset += count
      index += 1
    }
    return result
  }
}
