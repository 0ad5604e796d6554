import MediaCodecs
package import MediaContainers
import MediaMetadata
package import MediaModel

/// Removes everything from AAC without a container that is not needed to play it.
///
/// Kept are the frames: headers without checksum, private bits and copyright number, and packets whose
/// fill, data and comments are cleared in place as in a movie. Tags and all bytes that are no frame are
/// removed. What `except` keeps is written as an ID3v2.4 tag before the first frame.
package enum AACStripper: ContainerStripper {
  package static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let options = builder.options
    let tag = builder.edits ? ID3Values.tag(options.kept(of: MP3Metadata.find(in: source))) : nil
    if let tag { try builder.literal(tag) }
    try forEachPart(of: source) { part, range throws(MetadataError) in
      switch part {
      case .tag("ID3v2")
      where range.count == tag?.count && source.bytes(in: range, limit: range.count) == tag:
        break
      case .tag(let name): builder.remove(name) { $0.addAudioTag(name, at: range, of: source) }
      case .other(let name): builder.remove(name, at: range)
      case .cutFrame where !builder.edits: break
      case .cutFrame:
        guard let frame = ADTSFrame(of: source, at: range.lowerBound),
          range.count > frame.headLength
        else { return builder.remove("incomplete header") }
        try copy(frame, range, of: source, to: &builder)
      case .frame(let frame): try copy(frame, range, of: source, to: &builder)
      }
    }
  }

  package static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    let tag = ID3Values.tag(options.kept(of: MP3Metadata.find(in: output)))
    let expected = tag.map { ["ID3v2": $0] } ?? [:]
    var walker = PartWalker(AACAllowList.list, output, expected: expected)
    try forEachPart(of: output) { part, range throws(MetadataError) in
      switch part {
      case .tag(let name), .other(let name): try walker.pass(name, at: range)
      case .cutFrame:
        try walker.pass(AACAllowList.cutFrame, at: range)
        guard let frame = ADTSFrame(of: output, at: range.lowerBound) else { return }
        try verify(frame, in: range, of: output)
      case .frame(let frame):
        try walker.pass(AACAllowList.frame, at: range)
        try verify(frame, in: range, of: output)
      }
    }
    try walker.finish()
  }

  private static func verify(
    _ frame: ADTSFrame,
    in range: Range<Int>,
    of output: ByteSource
  ) throws(MetadataError) {
    try frame.forEachUnit(in: range, of: output) { _, disposition throws(MetadataError) in
      if disposition != .kept { throw MetadataError(.residue, "header or fill of a frame") }
    }
  }

  private static func forEachPart(
    of source: ByteSource,
    _ body: (ADTSParts.Part, Range<Int>) throws(MetadataError) -> Void
  ) throws(MetadataError) {
    let trailing = TrailingTags(of: source, behind: LeadingTags(of: source).end)
    _ = try ADTSSummary(of: source, trailing: trailing)
    var parts = ADTSParts(source, trailing: trailing)
    while let (part, range) = parts.next() { try body(part, range) }
  }

  private static func copy(
    _ frame: ADTSFrame,
    _ range: Range<Int>,
    of source: ByteSource,
    to builder: inout EditListBuilder
  ) throws(MetadataError) {
    try frame.forEachUnit(in: range, of: source) { unit, disposition throws(MetadataError) in
      switch disposition {
      case .kept: try builder.copy(unit)
      case .removed(let name): builder.remove(name)
      case .rewritten(let bytes, let name):
        builder.remove(name, at: unit)
        try builder.literal(bytes)
      }
    }
  }
}
