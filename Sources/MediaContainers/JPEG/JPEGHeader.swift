package import MediaModel

/// The header data before a JPEG's first scan that facts and stripping need.
package struct JPEGHeader {
  /// The size in pixels; the height is zero when only a DNL segment after the first scan states
  /// it.
  package var pixelSize: PixelSize
  /// The aspect ratio of a pixel, width to height, when the file has a JFIF segment.
  package var pixelAspect: (x: Int, y: Int)?
  /// The range of the TIFF block within the first Exif segment.
  package var exif: Range<Int>?
  /// Adobe's color transform; decoders use the last of several.
  package var adobeTransform: UInt8?
  /// The ICC profile of the picture.
  package var profile: JPEGColorProfile
  /// Whether the profile chunks are in order before the first segment that decoding needs.
  package var isProfileInFront: Bool

  /// Reads up to the first SOS; entropy-coded data are not read.
  ///
  /// - Throws: `damaged` when there is no frame or no scan.
  package init(of source: ByteSource) throws(MetadataError) {
    var parser = try JPEGParser(source)
    var frame: PixelSize?
    var chunks: [JPEGColorProfile.Chunk] = []
    var isProfileInFront = true
    var sawTable = false
    header: while let element = try parser.next() {
      guard case .segment(let segment) = element else { continue }
      let start = segment.body.lowerBound
      if JPEGMarker.isNeeded(segment.marker) { sawTable = true }
      switch segment.marker {
      case JPEGMarker.sos, JPEGMarker.eoi: break header
      case JPEGMarker.app0:
        // libjpeg requires 14 bytes before it treats a segment as JFIF.
        if pixelAspect == nil, segment.body.count >= 14, source.holds("JFIF\0", at: start) {
          pixelAspect = (source.uint16(at: start + 8) ?? 1, source.uint16(at: start + 10) ?? 1)
        }
      case JPEGMarker.app1:
        if exif == nil, segment.body.count > 6, source.holds("Exif\0", at: start) {
          exif = (start + 6)..<segment.body.upperBound
        }
      case JPEGMarker.app2:
        // A single chunk over the maximum proves that they form no profile.
        if chunks.count <= 255, let chunk = JPEGColorProfile.Chunk(segment, in: source) {
          let before = chunks.last?.number ?? 0
          if sawTable || chunk.number <= before { isProfileInFront = false }
          chunks.append(chunk)
        }
      case JPEGMarker.app14:
        if segment.body.count >= 12, source.holds("Adobe", at: start) {
          adobeTransform = source.byte(at: start + 11)
        }
      case let code where JPEGMarker.isFrame(code):
        guard frame == nil, JPEGTables.isExact(segment, in: source),
          let height = source.uint16(at: start + 1), let width = source.uint16(at: start + 3),
          width > 0
        else { throw MetadataError(.damaged, "\(JPEGMarker.name(code)) that makes no sense") }
        frame = PixelSize(width: width, height: height)
      default: break
      }
    }
    guard let frame else { throw MetadataError(.damaged, "no SOF before the first scan") }
    pixelSize = frame
    profile = JPEGColorProfile(chunks, in: source)
    self.isProfileInFront = isProfileInFront
  }
}

extension JPEGHeader {
  /// Returns the number of lines in the DNL segment, for a frame whose height is zero.
  ///
  /// - Throws: `damaged` when there is none.
  package static func numberOfLines(of source: ByteSource) throws(MetadataError) -> Int {
    var parser = try JPEGParser(source)
    while let element = try parser.next() {
      guard case .segment(let segment) = element, segment.marker == JPEGMarker.dnl else { continue }
      if segment.body.count == 2, let lines = source.uint16(at: segment.body.lowerBound), lines > 0
      {
        return lines
      }
    }
    throw MetadataError(.damaged, "a picture of no height")
  }
}
