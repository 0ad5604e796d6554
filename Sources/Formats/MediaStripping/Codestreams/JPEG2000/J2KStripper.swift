import MediaCodecs
package import MediaContainers
import MediaMetadata
package import MediaModel

/// Removes comments, indexes and everything behind the end from a JPEG 2000 codestream.
///
/// Coded data and the segments that a decoder needs are copied; the length of a tile-part whose
/// header had something to remove is written anew. A codestream has no place for values that
/// `except` names, nor for an orientation.
package enum J2KStripper: ContainerStripper {
  package static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let codestream = try J2KCodestream(of: source, in: 0..<source.length)
    if builder.edits { try pieces(of: codestream, in: source).write(to: &builder) }
    remove(codestream, of: source, from: &builder)
    builder.removeTrailer(from: codestream.end.upperBound, of: source)
  }

  package static func verify(output: ByteSource, options: StripOptions) throws(MetadataError) {
    try verify(codestream: 0..<output.length, of: output)
  }

  /// Returns the codestream without what is removed.
  ///
  /// - Throws: `stripUnsupported` and `damaged` as ``J2KAllowList/copies(_:of:in:)``; `overLimit` for
  ///   a tile-part of more than 4 GiB.
  static func pieces(
    of codestream: J2KCodestream,
    in source: ByteSource
  ) throws(MetadataError) -> OutputPieces {
    var pieces = OutputPieces()
    guard let first = codestream.header.first else { return pieces }
    pieces.copy((first.range.lowerBound - 2)..<first.range.lowerBound)
    for segment in codestream.header
    where try J2KAllowList.copies(segment, of: codestream, in: source) {
      pieces.copy(segment.range)
    }
    for part in codestream.tileParts {
      var kept: [Range<Int>] = []
      for segment in part.segments
      where try J2KAllowList.copies(segment, of: codestream, in: source) {
        kept.append(segment.range)
      }
      let length = kept.reduce(12 + part.data.count) { $0 + $1.count }
      guard length <= Int(UInt32.max) else {
        throw MetadataError(.overLimit, "a tile-part of more than 4 GiB")
      }
      if part.statesLength, kept.count == part.segments.count {
        pieces.copy(part.start)
      } else {
        let start = source.bytes(in: part.start, limit: 12) ?? []
        pieces.literal(Array(start.prefix(6)) + length.bytes(4) + start.suffix(2))
      }
      for range in kept { pieces.copy(range) }
      pieces.copy(part.data)
    }
    pieces.copy(codestream.end)
    return pieces
  }

  /// Counts what ``pieces(of:in:)`` leaves out, or lists it.
  static func remove(
    _ codestream: J2KCodestream,
    of source: ByteSource,
    from builder: inout EditListBuilder
  ) {
    let segments = codestream.header + codestream.tileParts.flatMap(\.segments)
    for segment in segments where J2KAllowList.removes(segment) {
      builder.remove(segment.name, at: segment.range) {
        // A number comes first that says whether it is text.
        guard segment.name == "COM" else { return nil }
        return MetadataListing.text(in: segment.content.dropFirst(2), of: source)
      }
    }
  }

  /// Verifies that a range of an output is a codestream of allowed segments, without a gap and with
  /// nothing behind its end.
  ///
  /// - Throws: `residue` naming the first part that should not be there; `damaged` for lengths that
  ///   do not fit.
  static func verify(
    codestream range: Range<Int>,
    of output: ByteSource
  ) throws(MetadataError) {
    let codestream = try J2KCodestream(of: output, in: range)
    var walker = PartWalker(J2KAllowList.list, output, from: range.lowerBound)
    func pass(_ segment: J2KCodestream.Segment) throws(MetadataError) {
      try walker.pass(segment.name, at: segment.range, content: segment.content)
      guard try J2KAllowList.copies(segment, of: codestream, in: output) else {
        throw MetadataError(.residue, segment.name)
      }
    }
    let start = range.prefix(2)
    try walker.pass(J2KAllowList.start, at: start, content: start.dropFirst(2))
    for segment in codestream.header { try pass(segment) }
    for part in codestream.tileParts {
      let fields = part.start.dropFirst(4)
      try walker.pass(J2KAllowList.tile, at: part.start, content: fields, isOwn: part.statesLength)
      for segment in part.segments { try pass(segment) }
      try walker.pass(J2KAllowList.data, at: part.data)
    }
    let end = codestream.end
    try walker.pass(J2KAllowList.end, at: end, content: end.dropFirst(2))
    try walker.finish(at: range.upperBound)
  }
}
