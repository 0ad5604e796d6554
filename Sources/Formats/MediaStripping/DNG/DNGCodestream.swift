import MediaContainers
import MediaMetadata
import MediaModel

/// A strip or tile of a DNG that is a JPEG XL codestream without boxes, as iPhones write them.
///
/// Source: Digital Negative Specification 1.7, Compression 52546; ISO/IEC 18181-1.
enum DNGCodestream {
  /// Returns the ranges of a tile to copy: the codestream, without bytes behind its end.
  ///
  /// - Throws: `stripUnsupported` for a codestream in boxes, and for one whose headers hold what an
  ///   output may not have (a name, a timecode, a preview, texts of a profile), because a tile is only
  ///   copied; others as `JXLCodestream`.
  static func parts(
    of range: Range<Int>,
    in source: ByteSource
  ) throws(MetadataError) -> [Range<Int>] {
    let list = try JXLStripper.editList(of: ByteSource(source, range), options: StripOptions())
    var parts: [Range<Int>] = []
    for operation in list.operations {
      guard case .copy(let offset, let length) = operation else {
        throw MetadataError(.stripUnsupported, "JPEG XL in a DNG that is more than coded data")
      }
      let start = range.lowerBound + Int(offset)
      parts.append(start..<(start + Int(length)))
    }
    return parts
  }

  /// Verifies that a tile of an output is a codestream alone, with no field that may hold a text.
  ///
  /// - Throws: `residue` naming what else it has; others as `JXLCodestream`.
  static func verify(_ tile: ByteSource) throws(MetadataError) {
    guard tile.uint16(at: 0) == 0xFF0A else { throw MetadataError(.residue, "boxes in a strip") }
    try JXLStripper.verify(output: tile, options: StripOptions())
  }
}
