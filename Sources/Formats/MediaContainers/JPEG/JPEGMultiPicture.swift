/// The multi-picture index, which declares that another picture follows a JPEG's EOI.
///
/// Source: CIPA DC-007-2021 (Multi-Picture Format) section 5.
package enum JPEGMultiPicture {
  /// The identifier of an MPF segment.
  package static let identifier = "MPF\0"
  /// The identifier of an ISO 21496-1 gain map segment.
  package static let gainMapIdentifier = "urn:iso:std:iso:ts:21496:-1\0"

  /// The distance in bytes from the segment's start to the TIFF header from which offsets count;
  /// marker, length and identifier come first.
  private static let headerOffset = 8
  private static let maximumPictures = 64

  /// Returns the index segment of a file with two pictures, the second directly after the first.
  ///
  /// Source: individual image attribute 0x030000 is "baseline MP primary image".
  package static func segment(offset: Int, primaryLength: Int, secondLength: Int) -> [UInt8] {
    let secondOffset = primaryLength - offset - headerOffset
    let entries = [0x03_0000, primaryLength, 0, 0, 0, secondLength, secondOffset, 0]
      .flatMap { $0.bytes(4) }
    let fields: [TIFFField] = [
      .undefined(0xB000, Array("0100".utf8)), .long(0xB001, 2), .undefined(0xB002, entries),
    ]
    return JPEGMarker.segment(
      JPEGMarker.app2,
      Array(identifier.utf8) + TIFFWriter.header() + TIFFWriter.directory(fields, at: 8)
    )
  }

  /// The segment that declares that another picture holds ISO 21496-1 metadata of version 0.
  package static let versionSegment = JPEGMarker.segment(
    JPEGMarker.app2,
    Array(gainMapIdentifier.utf8) + [0, 0, 0, 0]
  )

  /// Returns the offsets in the source of the pictures that the index in `segment` lists.
  package static func offsets(
    in segment: JPEGSegment,
    of source: ByteSource
  ) -> [Int] {
    guard let (block, entries) = entries(in: segment, of: source) else { return [] }
    let start = segment.body.lowerBound + identifier.utf8.count
    return (0..<min(entries.count / 16, maximumPictures)).compactMap { index in
      source.uint32(at: entries.lowerBound + 16 * index + 8, order: block.order)
        .flatMap { $0 == 0 ? nil : start + $0 }
    }
  }

  /// Returns the structure of the index in `segment`, and the range of its entries, 16 bytes for each
  /// picture; nil for a segment that is too short for an index, whatever stands behind it.
  package static func entries(
    in segment: JPEGSegment,
    of source: ByteSource
  ) -> (block: TIFFBlock, entries: Range<Int>)? {
    let structure = segment.body.dropFirst(identifier.utf8.count)
    guard let block = TIFFBlock(source, structure) else { return nil }
    var entries = 0..<0
    block.forEachEntry(ofDirectoryAt: block.firstDirectory) { entry in
      if entry.tag == 0xB002 { entries = entry.value }
    }
    return (block, entries)
  }
}
