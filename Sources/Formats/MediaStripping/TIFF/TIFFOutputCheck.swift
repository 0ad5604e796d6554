import MediaContainers
import MediaMetadata

private typealias Tag = TIFFTag

/// The checks that the verifications of TIFF and DNG outputs share.
enum TIFFOutputCheck {
  /// Checks that an output consists of these ranges, and of single zeros that make offsets even.
  ///
  /// - Throws: `residue` for any other byte.
  static func verify(
    _ output: ByteSource,
    consistsOf needed: [Range<Int>]
  ) throws(MetadataError) {
    var end = 0
    for range in needed.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard range.lowerBound <= end + 1, output.isZero(end..<max(end, range.lowerBound)) else {
        throw MetadataError(.residue, "unreferenced bytes")
      }
      end = max(end, range.upperBound)
    }
    guard output.length == end else { throw MetadataError(.residue, "trailer") }
  }

  /// Returns the ranges of strips or tiles as the tags have them, `count` in number.
  ///
  /// - Throws: `residue` for tags of the other kind, and for another number of pieces.
  static func pieces(
    _ numbers: [Int: [Int]],
    isTiled: Bool,
    count: Int
  ) throws(MetadataError) -> [Range<Int>] {
    let (offsetsTag, countsTag) =
      isTiled ? (Tag.tileOffsets, Tag.tileByteCounts) : (Tag.stripOffsets, Tag.stripByteCounts)
    guard numbers[Tag.offsets(isTiled: !isTiled)] == nil,
      numbers[Tag.byteCounts(isTiled: !isTiled)] == nil,
      let offsets = numbers[offsetsTag], offsets.count == count,
      let counts = numbers[countsTag], counts.count == count
    else { throw MetadataError(.residue, "strips") }
    return zip(offsets, counts).map { $0..<($0 + $1) }
  }

  /// Returns whether a stream of tables, without a picture, has nothing else.
  ///
  /// Source: TIFF Technical Note 2, JPEGTables: SOI, tables and EOI.
  static func areTables(jpeg stream: ByteSource) throws(MetadataError) -> Bool {
    var parser = try JPEGParser(stream)
    while let element = try parser.next() {
      guard case .segment(let segment) = element else { return false }
      switch segment.marker {
      case JPEGMarker.soi, JPEGMarker.eoi: continue
      case JPEGMarker.dqt, JPEGMarker.dht, JPEGMarker.dac, JPEGMarker.dri:
        guard JPEGTables.isExact(segment, in: stream) else { return false }
      default: return false
      }
    }
    return parser.offset == stream.length
  }

  /// Returns whether a JPEG stream has the segments of the allow-list alone.
  static func isStripped(jpeg stream: ByteSource) throws(MetadataError) -> Bool {
    var parser = try JPEGParser(stream)
    while let element = try parser.next() {
      switch element {
      case .entropyCodedData: continue
      case .skipped: return false
      case .segment(let segment):
        guard JPEGAllowList.list[JPEGMarker.name(segment.marker)]?.rule == .copied,
          JPEGTables.hasExactLength(segment, in: stream)
        else { return false }
      }
    }
    return parser.offset == stream.length
  }
}
