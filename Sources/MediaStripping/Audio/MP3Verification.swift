import MediaContainers
import MediaMetadata
import MediaModel

/// Verifies a stripped MP3 with the parser that parsed the original.
enum MP3Verification {
  /// Verifies the frames and the tag of an output.
  ///
  /// - Throws: `residue` naming the first thing that should not be there; `damaged` when the output
  ///   is no MP3.
  static func verify(
    _ output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let trailing = TrailingTags(of: output, behind: LeadingTags(of: output).end)
    if let tag = trailing.tags.first { throw MetadataError(.residue, tag.name) }
    var parts = MP3Parts(output, trailing: trailing)
    var isFirst = true
    while let (part, range) = parts.next() {
      switch part {
      case .frame, .cutFrame: break
      case .tag("ID3v2") where isFirst && isOwn(range, of: output, options: options): break
      case .tag(let name), .other(let name): throw MetadataError(.residue, name)
      }
      isFirst = false
    }
    // Also, stripping a stripped file must leave it as it is, byte by byte.
    try StableOutput.verify(try MP3Stripper.editList(of: output, options: options), over: output)
  }

  private static func isOwn(
    _ range: Range<Int>,
    of output: ByteSource,
    options: StripOptions
  ) -> Bool {
    guard let tag = ID3Tag(of: output, at: range.lowerBound) else { return false }
    let kept = ID3Values.read(tag, of: output).limited(to: options)
    return output.bytes(in: range, limit: 1 << 16) == ID3Values.tag(kept)
  }
}
