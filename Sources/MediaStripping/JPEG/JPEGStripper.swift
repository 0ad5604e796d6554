import MediaContainers
import MediaEditing
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
  static func editList(
    of source: ByteSource,
    options: StripOptions
  ) throws(MetadataError) -> EditList {
    let header = try JPEGHeader(of: source)
    let orientation = header.exif.map { ExifReader.facts(of: source, in: $0).orientation } ?? 1
    var kept = options.kept(of: JPEGMetadata.find(in: source))
    kept.projection = JPEGMetadata.projection(in: source)
    return try editList(of: source, options: options, orientation: orientation, kept: kept)
  }

  /// Returns the edit list of a picture whose orientation and kept values come from elsewhere.
  static func editList(
    of source: ByteSource,
    options: StripOptions,
    orientation: Int,
    kept: KeptMetadata
  ) throws(MetadataError) -> EditList {
    let header = try JPEGHeader(of: source)
    guard options.except.contains(.hdrGainMap), let map = try gainMap(of: source) else {
      // The headroom of a gain map means nothing without the gain map.
      var kept = kept
      kept.brightness = nil
      let preamble = JPEGPreamble(header: header, orientation: orientation, kept: kept)
      var builder = EditListBuilder(sourceLength: source.length, options: options)
      let end = try append(source, header, preamble, to: &builder, options)
      if end < source.length { builder.remove("trailer") }
      return builder.finish()
    }
    return try editList(
      of: source,
      header,
      with: map,
      options,
      preamble: { length in
        JPEGPreamble(
          header: header,
          orientation: orientation,
          kept: kept,
          gainMap: .has(map.metadata, length: length)
        )
      }
    )
  }

  /// Returns the gain map after the first picture's EOI.
  static func gainMap(
    of source: ByteSource
  ) throws(MetadataError) -> JPEGGainMap? {
    var parser = try JPEGParser(source)
    while try parser.next() != nil {}
    return JPEGGainMap.find(in: source, behind: parser.offset)
  }

  /// Strips both pictures and writes an index with the offset of the second one.
  private static func editList(
    of source: ByteSource,
    _ header: JPEGHeader,
    with map: JPEGGainMap,
    _ options: StripOptions,
    preamble: (_ secondLength: Int) -> JPEGPreamble
  ) throws(MetadataError) -> EditList {
    let second = ByteSource(source, map.range)
    let secondHeader = try JPEGHeader(of: second)
    let secondOptions = StripOptions()
    var secondBuilder = EditListBuilder(sourceLength: second.length, options: secondOptions)
    let end = try append(
      second,
      secondHeader,
      JPEGPreamble(
        header: secondHeader,
        orientation: 1,
        kept: KeptMetadata(),
        gainMap: .isOne(map.metadata)
      ),
      to: &secondBuilder,
      secondOptions
    )
    let secondLength = secondBuilder.outputLength
    let preamble = preamble(secondLength)
    var builder = EditListBuilder(sourceLength: source.length, options: options)
    let firstEnd = try append(source, header, preamble, to: &builder, options)
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
    return builder.finish()
  }

  /// Appends one picture from its SOI to its EOI.
  ///
  /// - Returns: The offset after the source's EOI.
  private static func append(
    _ source: ByteSource,
    _ header: JPEGHeader,
    _ preamble: JPEGPreamble,
    to builder: inout EditListBuilder,
    _ options: StripOptions
  ) throws(MetadataError) -> Int {
    try builder.literal(preamble.bytes)
    try header.profile.append(to: &builder, from: source, mayCopy: header.isProfileInFront)
    var parser = try JPEGParser(source)
    var state = State(needsNumberOfLines: header.pixelSize.height == 0)
    var credentials = JPEGContentCredentials()
    var seen: Set<String> = []
    let keepsCredentials = options.except.contains(.contentCredentials)
    while let element = try parser.next() {
      switch element {
      case .entropyCodedData(let range): try builder.copy(range)
      case .skipped(_, let isFill): builder.remove(isFill ? "fill bytes" : "bytes between segments")
      case .segment(let segment):
        if try state.keeps(segment, in: source) {
          try builder.copy(segment.range)
        } else if let part = credentials.part(segment, in: source) {
          if keepsCredentials, !state.sawScan {
            try builder.copy(segment.range)
          } else if part == .start {
            builder.remove(JPEGContentCredentials.name) {
              $0.addCredentials("APP11", at: segment.range, isRemoved: true) {
                JPEGContentCredentials.store(from: segment, in: source)
              }
            }
          }
        } else {
          remove(segment, of: source, header: header, state: state, &seen, from: &builder)
        }
      }
    }
    guard !state.needsNumberOfLines else { throw MetadataError(.damaged, "a picture of no height") }
    return parser.offset
  }

  /// Counts the metadata in a segment that is not copied; some segments were written anew already.
  private static func remove(
    _ segment: JPEGSegment,
    of source: ByteSource,
    header: JPEGHeader,
    state: State,
    _ seen: inout Set<String>,
    from builder: inout EditListBuilder
  ) {
    let name = JPEGMarker.removedName(segment, in: source)
    switch name {
    case "APP2 ICC_PROFILE" where !state.sawScan && header.profile.isWhole: break
    case "APP0 JFIF" where !state.sawScan:
      // The segment is written anew, without its thumbnail and its density.
      if segment.body.count < 14 { return builder.remove(name) }
      if segment.body.count > 14 { builder.remove("JFIF thumbnail") }
      if source.byte(at: segment.body.lowerBound + 7) != 0 { builder.remove("JFIF density") }
    case "APP14 Adobe" where !state.sawScan && segment.body.count == 12: break
    default:
      let isUsed = seen.insert(name).inserted
      builder.remove(name) {
        list(segment, name, of: source, isAfterScan: state.sawScan, isUsed, into: &$0)
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
