package import MediaModel

/// Makes the edit list that takes a file's metadata out, without touching a pixel.
///
/// What an output may hold is listed, never what it may not; and the output is looked at once more
/// by the same parser before anybody gets the list.
package enum Stripper {
  /// How the stripped original is made from `source`, and what it will no longer have.
  ///
  /// Pixels, ICC profile, orientation (2 to 8) and Adobe's colour transform stay; all other metadata
  /// and everything after the picture go. Copied ranges ascend and neighbours are one. Bytes that a
  /// decoder reads stay as they are: what somebody hid within a JPEG's entropy-coded data, behind the
  /// end of a PNG's zlib stream or in an ICC profile's own fields is not found.
  ///
  /// - Throws: `stripUnsupported` for every format but JPEG and PNG, and for a critical part whose
  ///   meaning is not known; `damaged` for a file that does not follow its format (a JPEG without
  ///   EOI, a kept PNG chunk with a wrong checksum); `overLimit` for one of absurdly many parts;
  ///   `residue` when the second look finds something, which is a mistake in this room.
  package static func editList<Source: ByteSource>(
    of source: Source,
    format: MediaFormat
  ) throws(MetadataError) -> EditList {
    let list: EditList
    switch format {
    case .jpeg:
      list = try JPEGStripper.editList(
        of: source,
        orientation: JPEGFacts.exif(of: source).orientation
      )
    case .png:
      list = try PNGStripper.editList(
        of: source,
        orientation: PNGFacts.exif(of: source).orientation
      )
    default: throw unsupported(format)
    }
    try verify(output: try EditedByteSource(list, over: source), format: format)
    return list
  }

  /// The second look: parses an output and compares each of its parts with the allow-list.
  ///
  /// - Throws: `residue` naming the first part that should not be there; `damaged` when the output is
  ///   no file of that format; `stripUnsupported` for a format without an allow-list.
  package static func verify<Source: ByteSource>(
    output: Source,
    format: MediaFormat
  ) throws(MetadataError) {
    switch format {
    case .jpeg: try JPEGSecondLook.verify(output)
    case .png: try PNGSecondLook.verify(output)
    default: throw unsupported(format)
    }
  }

  private static func unsupported(_ format: MediaFormat) -> MetadataError {
    MetadataError(.stripUnsupported, "no edit list for \(format.rawValue) yet")
  }
}
