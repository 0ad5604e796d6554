import MediaModel

/// Looks at a stripped JPEG with the parser that took the original apart.
enum JPEGSecondLook {
  /// - Throws: `residue` naming the first thing that should not be there; `damaged` when the output
  ///   is no JPEG.
  static func verify<Source: ByteSource>(_ output: Source) throws(MetadataError) {
    let header = try JPEGHeader(of: output)
    var parser = try JPEGParser(output)
    var state = JPEGStripper.State(needsNumberOfLines: header.pixelSize.height == 0)
    var written: [String] = []
    while let element = try parser.next() {
      switch element {
      case .entropyCodedData: break
      case .skipped: throw MetadataError(.residue, "bytes between segments")
      case .segment(let segment):
        if try state.keeps(segment, in: output) { continue }
        let name = JPEGMarker.removedName(segment, in: output)
        guard !state.sawScan, isAllowed(segment, name: name, header: header, in: output),
          name == "APP2 ICC_PROFILE" || !written.contains(name)
        else { throw MetadataError(.residue, name) }
        written.append(name)
      }
    }
    guard parser.offset == output.length else { throw MetadataError(.residue, "trailer") }
  }

  /// Whether a segment that is not needed for decoding has exactly the shape that is written here.
  private static func isAllowed<Source: ByteSource>(
    _ segment: JPEGSegment,
    name: String,
    header: JPEGHeader,
    in output: Source
  ) -> Bool {
    guard name != "APP2 ICC_PROFILE" else {
      return header.profile.fate(ofSegmentAt: segment.range.lowerBound) == .copied
    }
    guard segment.body.count <= 32, let body = output.bytes(in: segment.body, limit: 32) else {
      return false
    }
    switch name {
    case "APP0 JFIF":
      // Version 1.01, unit 0, no thumbnail.
      return body.count == 14 && body[5] == 1 && body[6] == 1 && body[7] == 0 && body[12] == 0
        && body[13] == 0
    case "APP1 Exif":
      return body.count > 6 && body[5] == 0 && MinimalExif.isMinimal(Array(body[6...]))
    case "APP14 Adobe":
      return body.count == 12 && body[5...10] == [0, 100, 0, 0, 0, 0]
    default: return false
    }
  }
}
