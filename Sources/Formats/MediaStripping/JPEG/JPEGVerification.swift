import MediaContainers
import MediaMetadata
import MediaModel

extension JPEGStripper {
  /// Segments that were written anew and can only be checked when the whole file is known.
  private struct Written {
    var xmp: [UInt8]?
    /// A multi-picture index, from its marker on, and its offset.
    var multiPicture: (offset: Int, bytes: [UInt8])?
    /// ISO 21496-1 metadata.
    var gainMap: [UInt8]?
    var hasProfile = false
    /// The length of the picture.
    var end = 0
  }

  /// Verifies both pictures of an output.
  static func verify(
    output: ByteSource,
    options: StripOptions
  ) throws(MetadataError) {
    var first = try look(at: output, options)
    guard first.end < output.length else {
      // Without a gain map nothing is kept for one.
      var options = options
      if options.except.remove(.hdrGainMap) != nil { first = try look(at: output, options) }
      return try check(first, .none, options)
    }
    let second = ByteSource(output, first.end..<output.length)
    guard options.except.contains(.hdrGainMap),
      let metadata = JPEGGainMap.metadata(of: second)
    else { throw MetadataError(.residue, "trailer") }
    let map = try look(at: second, StripOptions())
    guard map.end == second.length else { throw MetadataError(.residue, "trailer") }
    try check(map, .isOne(metadata), StripOptions())
    try check(first, .has(metadata, length: second.length), options)
  }

  /// Checks each segment of one picture that can be checked by itself.
  private static func look(
    at output: ByteSource,
    _ options: StripOptions
  ) throws(MetadataError) -> Written {
    let header = try JPEGHeader(of: output)
    var parser = try JPEGParser(output)
    var state = State(header.frame)
    var parts = JPEGKeptParts(header.frame)
    var credentials = JPEGContentCredentials()
    var written = Written()
    var walker = PartWalker(JPEGAllowList.list, output, from: 2)
    while let element = try parser.next() {
      switch element {
      case .entropyCodedData(let range): try walker.pass(JPEGAllowList.scan, at: range)
      case .skipped: throw MetadataError(.residue, "bytes between segments")
      case .segment(let segment):
        var name = JPEGMarker.removedName(segment, in: output)
        var isOwn = try state.keeps(segment, in: output)
        if isOwn { parts.add(segment, in: output) }
        if !isOwn, credentials.part(segment, in: output) != nil {
          name = JPEGContentCredentials.name
          isOwn = !state.sawScan && options.except.contains(.contentCredentials)
        } else if !isOwn, !state.sawScan {
          isOwn = isAllowed(segment, name: name, header: header, in: output, options, &written)
        }
        try walker.pass(name, at: segment.range, content: segment.body, isOwn: isOwn)
      }
    }
    if written.hasProfile, try !header.profile.isClean(in: output) {
      throw MetadataError(.residue, "ICC profile details")
    }
    guard parts.hasOnlyUsed else { throw MetadataError(.residue, "tables that no scan can use") }
    try walker.finish(at: parser.offset)
    written.end = parser.offset
    return written
  }

  /// Returns whether a segment that is not needed for decoding has exactly the form that is written
  /// here, or is checked later by ``check(_:_:_:)``.
  private static func isAllowed(
    _ segment: JPEGSegment,
    name: String,
    header: JPEGHeader,
    in output: ByteSource,
    _ options: StripOptions,
    _ written: inout Written
  ) -> Bool {
    guard name != JPEGAllowList.profile else {
      written.hasProfile = true
      return header.profile.isWhole
    }
    guard let bytes = output.bytes(in: segment.range, limit: 1 << 17) else { return false }
    let body = bytes.dropFirst(segment.body.lowerBound - segment.range.lowerBound)
    let content = { (identifier: String) in Array(body.dropFirst(identifier.utf8.count)) }
    switch name {
    case "APP0 JFIF":
      // Version 1.01, unit 0, the ratio of a pixel that is not square, no thumbnail.
      let fields = content("JFIF\0")
      guard fields.count == 9, fields[..<3] == [1, 1, 0], fields[7...] == [0, 0] else {
        return false
      }
      let (x, y) = (Array(fields[3..<5]), Array(fields[5..<7]))
      return x == y ? x == [0, 1] : x != [0, 0] && y != [0, 0]
    case "APP1 Exif":
      return body.count > 6 && body.dropFirst(5).first == 0
        && ExifWriter.isOwn(content("Exif\0\0"), under: options)
    case "APP14 Adobe":
      let fields = content("Adobe")
      return fields.count == 7 && fields[..<6] == [0, 100, 0, 0, 0, 0]
    case "APP1 XMP": written.xmp = content(JPEGMetadata.xmpIdentifier)
    case "APP2 MPF": written.multiPicture = (segment.range.lowerBound, bytes)
    case "APP2 gain map": written.gainMap = content(JPEGMultiPicture.gainMapIdentifier)
    default: return false
    }
    return true
  }

  /// Checks the segments that depend on the other picture.
  private static func check(
    _ written: Written,
    _ gainMap: JPEGPreamble.GainMap,
    _ options: StripOptions
  ) throws(MetadataError) {
    let read = written.xmp.map(XMPValues.read) ?? KeptMetadata()
    var kept = read.limited(to: options)
    kept.projection = read.projection
    guard written.xmp == JPEGPreamble.packet(kept: kept, gainMap: gainMap) else {
      throw MetadataError(.residue, "APP1 XMP")
    }
    var numbers: [UInt8]?
    var index: [UInt8]?
    switch gainMap {
    case .none: break
    case .isOne(let metadata): numbers = metadata.numbers?.bytes
    case .has(let metadata, let length):
      numbers = metadata.numbers == nil ? nil : [0, 0, 0, 0]
      index = JPEGMultiPicture.segment(
        offset: written.multiPicture?.offset ?? 0,
        primaryLength: written.end,
        secondLength: length
      )
    }
    guard written.gainMap == numbers else { throw MetadataError(.residue, "APP2 gain map") }
    guard written.multiPicture?.bytes == index else { throw MetadataError(.residue, "APP2 MPF") }
  }
}
