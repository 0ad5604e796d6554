import MediaCodecs
package import MediaContainers
import MediaMetadata
package import MediaModel

/// Removes everything from a JPEG 2000 file that is not needed to show it.
///
/// The header's boxes are written anew, with a cleaned ICC profile; the codestream is copied as
/// ``J2KStripper`` copies it. Removed are all other boxes, among them `uuid`, `xml`, `res`, a second
/// codestream, and everything behind the last box. Values that `except` names, and the projection of a
/// picture of all around, are written into `uuid` boxes. A JP2 has no orientation.
package enum JP2Stripper: ContainerStripper {
  package static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let parts = try JP2Parts(of: source)
    let header = try parts.headerBoxes(of: source)
    guard builder.edits else { return list(parts, header, of: source, in: &builder) }
    try builder.literal(JP2Header.signature + parts.typeBox)
    try builder.literal(ISOWriter.box("jp2h", header.flatMap { $0.written ?? [] }))
    var kept = builder.options.kept(of: JP2Metadata.self, in: source)
    // A live photo's still is never a JP2.
    kept.contentIdentifier = nil
    if let block = ExifWriter.block(orientation: 1, kept: kept) {
      try builder.literal(ISOWriter.box("uuid", JP2Metadata.exif + block))
    }
    if let packet = XMPWriter.packet(kept: kept) {
      try builder.literal(ISOWriter.box("uuid", JP2Metadata.xmp + packet))
    }
    let codestream = try J2KStripper.pieces(of: parts.codestream, in: source)
    try codestream.boxed("jp2c").write(to: &builder)
    report(parts, header, of: source, to: &builder)
  }

  private static func report(
    _ parts: JP2Parts,
    _ header: [(box: ISOBox, written: [UInt8]?)],
    of source: ByteSource,
    to builder: inout EditListBuilder
  ) {
    if source.bytes(in: parts.boxes[1].range, limit: 64) != parts.typeBox {
      builder.remove("ftyp brands")
    }
    for (box, written) in header where !isSame(box, written, in: source) {
      let part = hasProfile(box, in: source) ? " ICC profile parts" : ""
      builder.remove("jp2h \(box.type.displayName)\(part)")
    }
    let ranges = header.map(\.box.range)
    for box in parts.boxes where isRemoved(box, of: parts) && !ranges.contains(box.range) {
      builder.remove(box.type.displayName) { list(box, of: source, into: &$0) }
    }
    J2KStripper.remove(parts.codestream, of: source, from: &builder)
    if parts.codestream.end.upperBound < parts.codestreamBox.range.upperBound {
      builder.remove("bytes behind the codestream")
    }
    builder.removeTrailer(from: parts.boxes.last?.range.upperBound ?? 0, of: source)
  }

  /// Returns whether a box of the header has a color profile.
  static func hasProfile(_ box: ISOBox, in source: ByteSource) -> Bool {
    guard box.type == "colr", let method = source.uint8(at: box.body.lowerBound) else {
      return false
    }
    return method == 2 || method == 3
  }

  /// Returns whether a box of the header is written as it is; false for one that is removed.
  private static func isSame(_ box: ISOBox, _ written: [UInt8]?, in source: ByteSource) -> Bool {
    guard let written, written.count == box.range.count else { return false }
    return source.holds(written, at: box.range.lowerBound)
  }

  private static func isRemoved(_ box: ISOBox, of parts: JP2Parts) -> Bool {
    switch box.type {
    case "jP  ": box.range.lowerBound > 0
    case "ftyp": box.range != parts.boxes[1].range
    case "jp2h": false
    case "jp2c": box.range != parts.codestreamBox.range
    default: true
    }
  }

  package static func verify(output: ByteSource, options: StripOptions) throws(MetadataError) {
    let parts = try JP2Parts(of: output)
    var walker = PartWalker(JP2AllowList.file, output)
    for box in parts.boxes {
      let isOwn: Bool? =
        switch box.type {
        case "ftyp": output.holds(parts.typeBox, at: box.range.lowerBound)
        case "jp2h": try isOwn(header: parts, of: output)
        case "uuid": isOwn(values: box, of: output, under: options)
        case "jp2c": box.range == parts.codestreamBox.range
        default: nil
        }
      try walker.pass(box.type, at: box.range, content: box.body, isOwn: isOwn)
    }
    try walker.finish()
    try J2KStripper.verify(codestream: parts.codestreamBox.body, of: output)
  }

  /// Returns whether each box of the header is on the list and has its only possible form.
  private static func isOwn(header parts: JP2Parts, of output: ByteSource) throws(MetadataError)
    -> Bool
  {
    var walker = PartWalker(JP2AllowList.header, output, from: parts.header.body.lowerBound)
    for (box, written) in try parts.headerBoxes(of: output) {
      let isOwn = isSame(box, written, in: output)
      try walker.pass(box.type, at: box.range, content: box.body, isOwn: isOwn)
    }
    try walker.finish(at: parts.header.body.upperBound)
    return true
  }

  private static func isOwn(
    values box: ISOBox,
    of output: ByteSource,
    under options: StripOptions
  ) -> Bool {
    let bytes = output.bytes(in: box.body, limit: 1 << 17) ?? []
    let content = Array(bytes.dropFirst(16))
    if bytes.starts(with: JP2Metadata.exif) { return ExifWriter.isOwn(content, under: options) }
    return bytes.starts(with: JP2Metadata.xmp)
      && XMPWriter.isOwn(content, under: options, keepsProjection: true)
  }
}
