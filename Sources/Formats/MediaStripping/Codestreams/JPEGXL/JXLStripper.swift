import MediaCodecs
package import MediaContainers
import MediaMetadata
package import MediaModel

/// Removes everything from a JPEG XL that is not needed to show it.
///
/// Coded data are copied; the header and those of frames are written anew where a name, a timecode, a
/// preview or texts of the color profile have to go. A file with boxes keeps its signature, its
/// level, and its codestream in one box; values that `except` names get boxes of their own. A
/// codestream alone stays one, and has no place for them. Removed with `jbrd` is what a program needs
/// to make the JPEG again that the file was made of, with `jxli` the index of an animation.
/// Orientation stands in the codestream and stays.
package enum JXLStripper: ContainerStripper {
  package static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let parts = try JXLParts(of: source)
    if builder.edits { try write(parts, of: source, to: &builder) }
    report(parts, of: source, to: &builder)
  }

  private static func write(
    _ parts: JXLParts,
    of source: ByteSource,
    to builder: inout EditListBuilder
  ) throws(MetadataError) {
    guard !parts.boxes.isEmpty else { return try parts.output().write(to: &builder) }
    try builder.literal(JXLHeader.signature + JXLParts.typeBox)
    if let level = parts.level {
      try builder.literal(ISOWriter.box("jxll", source.bytes(in: level.body, limit: 1) ?? []))
    }
    var kept = builder.options.kept(of: JXLMetadata.self, in: source)
    // A live photo's still is never a JPEG XL.
    kept.contentIdentifier = nil
    if let block = ExifWriter.block(orientation: 1, kept: kept) {
      try builder.literal(ISOWriter.box("Exif", 0.bytes(4) + block))
    }
    if let packet = XMPWriter.packet(kept: kept) {
      try builder.literal(ISOWriter.box("xml ", packet))
    }
    try parts.output().boxed("jxlc").write(to: &builder)
  }

  private static func report(
    _ parts: JXLParts,
    of source: ByteSource,
    to builder: inout EditListBuilder
  ) {
    if parts.boxes.count > 1,
      source.bytes(in: parts.boxes[1].range, limit: 64) != JXLParts.typeBox
    {
      builder.remove("ftyp brands", at: parts.boxes[1].range, path: "ftyp/brands")
    }
    for box in parts.boxes where isRemoved(box, of: parts) {
      builder.remove(box.type.displayName) { list(box, of: source, into: &$0) }
    }
    let range = parts.ranges(of: 0..<parts.codestream.length).first ?? 0..<0
    builder.show { list(parts.codestream, at: range, into: &$0) }
    builder.remove(parts.codestream.removed)
    let trailerLength = trailerLength(of: parts, source)
    guard let end = parts.boxes.last?.range.upperBound else {
      return builder.removeTrailer(from: source.length - trailerLength, of: source)
    }
    if trailerLength > 0 {
      builder.remove("bytes behind the codestream", at: range, path: "codestream/rest")
    }
    builder.removeTrailer(from: end, of: source)
  }

  /// Returns the number of bytes behind the end of the codestream, in its boxes or its file.
  static func trailerLength(of parts: JXLParts, _ source: ByteSource) -> Int {
    let length = parts.codestream.length
    return parts.ranges(of: length..<max(length, source.length)).reduce(0) { $0 + $1.count }
  }

  /// Returns whether an output has no such box.
  static func isRemoved(_ box: ISOBox, of parts: JXLParts) -> Bool {
    switch box.type {
    case "JXL ": box.range.lowerBound > 0
    case "ftyp": box.range != parts.boxes[1].range
    case "jxlc", "jxlp": false
    case "jxll": box.range != parts.level?.range
    default: true
    }
  }

  package static func verify(output: ByteSource, options: StripOptions) throws(MetadataError) {
    let parts = try JXLParts(of: output)
    guard !parts.boxes.isEmpty else { return try parts.verify(in: 0..<output.length) }
    var walker = PartWalker(JXLAllowList.file, output)
    for box in parts.boxes {
      let bytes = output.bytes(in: box.body, limit: 1 << 17) ?? []
      let isOwn: Bool? =
        switch box.type {
        case "ftyp": output.holds(JXLParts.typeBox, at: box.range.lowerBound)
        case "jxll": box.range == parts.level?.range
        case "Exif":
          bytes.starts(with: [0, 0, 0, 0])
            && ExifWriter.isOwn(Array(bytes.dropFirst(4)), under: options)
        case "xml ": XMPWriter.isOwn(bytes, under: options, keepsProjection: true)
        case "jxlc": true
        default: nil
        }
      try walker.pass(box.type, at: box.range, content: box.body, isOwn: isOwn)
      if box.type == "jxlc" { try parts.verify(in: box.body) }
    }
    try walker.finish()
  }
}
