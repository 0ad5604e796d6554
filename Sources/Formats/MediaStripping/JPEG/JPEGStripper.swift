import MediaContainers
import MediaMetadata
import MediaModel

/// Removes everything from a JPEG that is not needed to show it; no pixel is decoded.
///
/// Tables, frame and scans up to the first EOI are kept. Written anew are a JFIF segment without
/// density (only a pixel that is not square keeps its aspect) and thumbnail, an Exif segment with
/// an orientation of 2 to 8 and what `except` keeps, an XMP segment with what it keeps and with the
/// projection of a picture of all around, the ICC profile's colors, and an Adobe segment with nothing
/// but the color transform. Everything else is removed, as is everything after the EOI: second
/// pictures, motion video, trailers. A gain map that `except` keeps is stripped in the same way and
/// indexed anew.
enum JPEGStripper: ContainerStripper {
  static func strip(
    _ source: ByteSource,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    let header = try JPEGHeader(of: source)
    let orientation = header.exif.map { ExifReader.facts(of: source, in: $0).orientation } ?? 1
    let kept = builder.options.kept(of: JPEGMetadata.self, in: source)
    try strip(source, header, orientation: orientation, kept: kept, into: &builder)
  }

  /// Strips a picture whose orientation and kept values come from elsewhere.
  static func strip(
    _ source: ByteSource,
    _ header: JPEGHeader,
    orientation: Int,
    kept: KeptMetadata,
    into builder: inout EditListBuilder
  ) throws(MetadataError) {
    var kept = kept
    guard let map = try gainMap(of: source, builder.options) else {
      builder.show { $0.noteNoGainMap() }
      // The headroom of a gain map means nothing without the gain map.
      kept.brightness = nil
      let preamble =
        builder.edits
        ? JPEGPreamble(header: header, orientation: orientation, kept: kept) : nil
      let end = try append(source, header, preamble, to: &builder)
      builder.removeTrailer(from: end, of: source)
      return listTrailers(behind: end, of: source, into: &builder.listing)
    }
    guard builder.edits else { return try list(source, header, map, in: &builder) }
    // The second picture is stripped first: the index ahead of the first one has its length.
    let second = ByteSource(source, map.range)
    let secondHeader = try JPEGHeader(of: second)
    var secondBuilder = EditListBuilder(sourceLength: second.length)
    let secondPreamble = JPEGPreamble(
      header: secondHeader,
      orientation: 1,
      kept: KeptMetadata(),
      gainMap: .isOne(map.metadata)
    )
    let end = try append(second, secondHeader, secondPreamble, to: &secondBuilder)
    let secondLength = secondBuilder.outputLength
    let preamble = JPEGPreamble(
      header: header,
      orientation: orientation,
      kept: kept,
      gainMap: .has(map.metadata, length: secondLength)
    )
    let firstEnd = try append(source, header, preamble, to: &builder)
    if let offset = preamble.multiPictureOffset {
      let index = JPEGMultiPicture.segment(
        offset: offset,
        primaryLength: builder.outputLength,
        secondLength: secondLength
      )
      builder.replaceStart(at: offset, with: index)
    }
    try builder.append(secondBuilder.finish(), movedBy: map.range.lowerBound)
    if firstEnd < map.range.lowerBound || map.range.lowerBound + end < source.length {
      builder.remove("trailer")
    }
    listTrailers(behind: map.range.lowerBound + end, of: source, into: &builder.listing)
  }

  /// Returns the gain map after the first picture's EOI, if `options` keep it.
  private static func gainMap(
    of source: ByteSource,
    _ options: StripOptions
  ) throws(MetadataError) -> JPEGGainMap? {
    guard options.except.contains(.hdrGainMap) else { return nil }
    var parser = try JPEGParser(source)
    while try parser.next() != nil {}
    return JPEGGainMap.find(in: source, behind: parser.offset)
  }

  /// Lists a picture and its gain map.
  private static func list(
    _ source: ByteSource,
    _ header: JPEGHeader,
    _ map: JPEGGainMap,
    in builder: inout EditListBuilder
  ) throws(MetadataError) {
    let end = try append(source, header, nil, index: ["APP2 MPF", "APP2 gain map"], to: &builder)
    if end < map.range.lowerBound { builder.remove("trailer", at: end..<map.range.lowerBound) }
    let second = ByteSource(source, map.range)
    let nested = builder.listing.nested(options: StripOptions(except: [.hdrGainMap]))
    var inner = EditListBuilder(listing: nested)
    let secondHeader = try JPEGHeader(of: second)
    let innerEnd = try append(second, secondHeader, nil, index: ["APP2 gain map"], to: &inner)
    inner.removeTrailer(from: innerEnd, of: second)
    builder.listing.add(inner.listing, path: "gain map", at: map.range.lowerBound)
    listTrailers(behind: map.range.lowerBound + innerEnd, of: source, into: &builder.listing)
  }

  /// Appends one picture from its SOI to its EOI, or lists it; a picture that is listed needs no
  /// preamble, and its segments that `index` names count as kept, since they are written anew from their
  /// numbers.
  ///
  /// - Returns: The offset after the source's EOI.
  private static func append(
    _ source: ByteSource,
    _ header: JPEGHeader,
    _ preamble: JPEGPreamble?,
    index: Set<String> = [],
    to builder: inout EditListBuilder
  ) throws(MetadataError) -> Int {
    if let preamble {
      try builder.literal(preamble.bytes)
      try header.profile.append(to: &builder, from: source, mayCopy: header.isProfileInFront)
    }
    var parser = try JPEGParser(source)
    var state = State(header.frame)
    var parts = JPEGKeptParts(header.frame)
    var credentials = JPEGContentCredentials()
    var others = Others(header: header, index: index)
    while let element = try parser.next() {
      switch element {
      case .entropyCodedData(let range): parts.add(range)
      case .skipped(let range, let isFill):
        let name = "bytes between segments"
        builder.remove(isFill ? "fill bytes" : name, at: range, path: name)
      case .segment(let segment):
        if try state.keeps(segment, in: source) {
          parts.add(segment, in: source)
        } else if let part = credentials.part(segment, in: source) {
          let isRemoved = state.sawScan || builder.listing.removes(.contentCredentials)
          if !isRemoved { parts.add(segment.range) }
          guard part == .start, isRemoved || !builder.edits else { continue }
          builder.remove(JPEGContentCredentials.name) {
            $0.addCredentials("APP11", at: segment.range, isRemoved: isRemoved) {
              JPEGContentCredentials.store(from: segment, in: source)
            }
          }
        } else {
          try others.remove(segment, of: source, isAfterScan: state.sawScan, from: &builder)
        }
      }
    }
    guard !state.needsNumberOfLines || !builder.edits else {
      throw MetadataError(.damaged, "a picture of no height")
    }
    try parts.write(to: &builder, of: source)
    return parser.offset
  }

  /// The segments of one picture that are not copied; some are written anew.
  private struct Others {
    let header: JPEGHeader
    let index: Set<String>
    private var seen: Set<String> = []
    private var listedProfile = false

    init(header: JPEGHeader, index: Set<String>) { (self.header, self.index) = (header, index) }

    /// Counts the metadata in a segment, or lists it.
    mutating func remove(
      _ segment: JPEGSegment,
      of source: ByteSource,
      isAfterScan: Bool,
      from builder: inout EditListBuilder
    ) throws(MetadataError) {
      let name = JPEGMarker.removedName(segment, in: source)
      if builder.edits {
        if !isAfterScan, isWritten(segment, name, of: source, in: &builder) { return }
      } else if segment.marker == JPEGMarker.app2, header.profile.isWhole,
        JPEGColorProfile.Chunk(segment, in: source) != nil
      {
        if !listedProfile, let profile = try header.profile.bytes(in: source) {
          let range = segment.body.dropFirst(14)
          builder.listing.addProfile("APP2 ICC_PROFILE", profile, at: range)
        }
        listedProfile = true
        return
      }
      let isUsed = seen.insert(name).inserted
      builder.remove(name) { listing in
        if isUsed, !isAfterScan, index.contains(name) {
          listing.add(name, at: segment.body, isRemoved: false)
        } else {
          list(segment, name, of: source, isAfterScan: isAfterScan, isUsed, into: &listing)
        }
      }
    }

    /// Returns whether a segment was written anew already, and counts what it has beside.
    private func isWritten(
      _ segment: JPEGSegment,
      _ name: String,
      of source: ByteSource,
      in builder: inout EditListBuilder
    ) -> Bool {
      switch name {
      case "APP2 ICC_PROFILE": return header.profile.isWhole
      case "APP14 Adobe": return segment.body.count == 12
      case "APP0 JFIF":
        // The segment is written anew, without its thumbnail and its density.
        if segment.body.count < 14 { builder.remove(name) }
        if segment.body.count > 14 { builder.remove("JFIF thumbnail") }
        if segment.body.count >= 14, source.byte(at: segment.body.lowerBound + 7) != 0 {
          builder.remove("JFIF density")
        }
        return true
      default: return false
      }
    }
  }
}

extension JPEGStripper {
  /// The state of a decoder at the current segment.
  struct State {
    var sawFrame = false
    var sawScan = false
    var needsNumberOfLines: Bool
    private let isArithmetic: Bool

    init(_ frame: JPEGFrame) {
      (needsNumberOfLines, isArithmetic) = (frame.size.height == 0, frame.isArithmetic)
    }

    /// Returns whether decoding needs `segment` as it is.
    ///
    /// - Throws: `damaged` when it must not occur here or its length does not match its content;
    ///   `stripUnsupported` when it affects decoding in an unknown way.
    mutating func keeps(
      _ segment: JPEGSegment,
      in source: ByteSource
    ) throws(MetadataError) -> Bool {
      let code = segment.marker
      let name = JPEGMarker.name(code)
      guard JPEGAllowList.list[name]?.rule == .copied else {
        guard code != JPEGMarker.soi else { throw MetadataError(.damaged, "a second SOI") }
        guard !JPEGMarker.isNeeded(code) else {
          throw MetadataError(.stripUnsupported, "JPEG with \(name)")
        }
        return false
      }
      switch code {
      case JPEGMarker.eoi:
        guard sawScan else { throw MetadataError(.damaged, "no scan") }
        return true
      case JPEGMarker.sos:
        guard sawFrame else { throw MetadataError(.damaged, "SOS before SOF") }
        sawScan = true
      case JPEGMarker.dnl:
        guard needsNumberOfLines, sawScan else { return false }
        needsNumberOfLines = false
      case JPEGMarker.dac where !isArithmetic: return false
      case _ where JPEGMarker.isFrame(code):
        guard !sawFrame else { throw MetadataError(.damaged, "a second SOF") }
        sawFrame = true
      default: break
      }
      guard JPEGTables.isExact(segment, in: source) else {
        throw MetadataError(.damaged, "\(name) of impossible length")
      }
      return true
    }
  }
}
