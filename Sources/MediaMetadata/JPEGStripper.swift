import MediaModel

/// Takes everything out of a JPEG that is not needed to show it; no pixel is decoded.
///
/// Kept: tables, frame, scans up to the first EOI, the ICC profile. Written anew: a JFIF segment
/// without density (only a pixel that is not square keeps its aspect) and thumbnail, an Exif segment
/// with nothing but an orientation of 2 to 8, an Adobe segment with nothing but the colour transform.
/// All else goes, with everything after the EOI: second pictures, gain maps, motion video, trailers.
enum JPEGStripper {
  static func editList<Source: ByteSource>(
    of source: Source,
    orientation: Int
  ) throws(MetadataError) -> EditList {
    let header = try JPEGHeader(of: source)
    var builder = EditListBuilder(sourceLength: source.length)
    try builder.literal(preamble(of: header, orientation: orientation))
    var parser = try JPEGParser(source)
    var state = State(needsNumberOfLines: header.pixelSize.height == 0)
    while let element = try parser.next() {
      switch element {
      case .entropyCodedData(let range): try builder.copy(range)
      case .skipped(_, let isFill): builder.remove(isFill ? "fill bytes" : "bytes between segments")
      case .segment(let segment):
        if try state.keeps(segment, in: source) {
          try builder.copy(segment.range)
        } else {
          try remove(segment, of: source, header: header, state: state, from: &builder)
        }
      }
    }
    guard !state.needsNumberOfLines else { throw MetadataError(.damaged, "a picture of no height") }
    if parser.offset < source.length { builder.remove("trailer") }
    return builder.finish()
  }

  /// SOI, and what is written anew, which all stands before the first scan.
  static func preamble(of header: JPEGHeader, orientation: Int) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, JPEGMarker.soi]
    if let aspect = header.pixelAspect { bytes += jfif(aspect) }
    if (2...8).contains(orientation) {
      let exif = Array("Exif\0\0".utf8) + MinimalExif.block(orientation: orientation)
      bytes += [0xFF, JPEGMarker.app1, 0, UInt8(truncatingIfNeeded: exif.count + 2)] + exif
    }
    if let transform = header.adobeTransform {
      bytes += [0xFF, JPEGMarker.app14, 0, 14] + Array("Adobe".utf8)
      bytes += [0, 100, 0, 0, 0, 0, transform]
    }
    return bytes
  }

  /// Source: JFIF 1.02. Unit 0 means that the two numbers are an aspect ratio.
  private static func jfif(_ aspect: (x: Int, y: Int)) -> [UInt8] {
    let isSquare = aspect.x == aspect.y || aspect.x == 0 || aspect.y == 0
    let (x, y) = isSquare ? (1, 1) : aspect
    return [0xFF, JPEGMarker.app0, 0, 16] + Array("JFIF\0".utf8)
      + [1, 1, 0, UInt8(x >> 8), UInt8(x & 0xFF), UInt8(y >> 8), UInt8(y & 0xFF), 0, 0]
  }

  /// Says what goes with a segment that is not copied; an ICC chunk may still be written anew.
  private static func remove<Source: ByteSource>(
    _ segment: JPEGSegment,
    of source: Source,
    header: JPEGHeader,
    state: State,
    from builder: inout EditListBuilder
  ) throws(MetadataError) {
    let name = JPEGMarker.removedName(segment, in: source)
    switch name {
    case "APP2 ICC_PROFILE" where !state.sawScan:
      switch header.profile.fate(ofSegmentAt: segment.range.lowerBound) {
      case .copied: return try builder.copy(segment.range)
      case .shortened(let data, let number, let count):
        try builder.literal(
          JPEGColourProfile.segmentHead(length: data.count, number: number, count: count)
        )
        try builder.copy(data)
        builder.remove("bytes after the ICC profile")
      case .removed: builder.remove(name)
      }
    case "APP0 JFIF" where !state.sawScan:
      // Written anew already, without its picture and its dots per inch.
      if segment.body.count < 14 { return builder.remove(name) }
      if segment.body.count > 14 { builder.remove("JFIF thumbnail") }
      if source.byte(at: segment.body.lowerBound + 7) != 0 { builder.remove("JFIF density") }
    case "APP14 Adobe" where !state.sawScan && segment.body.count == 12: break
    default: builder.remove(name)
    }
  }
}

extension JPEGStripper {
  /// What a decoder would have seen so far.
  struct State {
    var sawFrame = false
    var sawScan = false
    var needsNumberOfLines: Bool

    /// Whether `segment` is one that decoding needs, as it is.
    ///
    /// - Throws: `damaged` when it cannot stand here or has another length than its content;
    ///   `stripUnsupported` when it decides about decoding in a way that is not known here.
    mutating func keeps<Source: ByteSource>(
      _ segment: JPEGSegment,
      in source: Source
    ) throws(MetadataError) -> Bool {
      let code = segment.marker
      switch code {
      case JPEGMarker.eoi:
        guard sawScan else { throw MetadataError(.damaged, "no scan") }
        return true
      case JPEGMarker.soi: throw MetadataError(.damaged, "a second SOI")
      case JPEGMarker.sos:
        guard sawFrame else { throw MetadataError(.damaged, "SOS before SOF") }
        sawScan = true
      case JPEGMarker.dqt, JPEGMarker.dht, JPEGMarker.dac, JPEGMarker.dri: break
      case JPEGMarker.dnl:
        guard needsNumberOfLines, sawScan else { return false }
        needsNumberOfLines = false
      case JPEGMarker.tem, JPEGMarker.com: return false
      case _ where JPEGMarker.isApplication(code) || JPEGMarker.isRestart(code): return false
      case _ where JPEGMarker.isSequentialProcess(code):
        guard !sawFrame else { throw MetadataError(.damaged, "a second SOF") }
        sawFrame = true
      default:
        throw MetadataError(.stripUnsupported, "JPEG with \(JPEGMarker.name(code))")
      }
      guard JPEGTables.isExact(segment, in: source) else {
        throw MetadataError(.damaged, "\(JPEGMarker.name(code)) of impossible length")
      }
      return true
    }
  }
}
