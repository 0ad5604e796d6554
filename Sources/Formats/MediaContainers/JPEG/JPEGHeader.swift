package import MediaModel

/// The frame header of a JPEG.
///
/// Source: ITU-T T.81 B.2.2.
package struct JPEGFrame {
  /// A component of the picture.
  package struct Component {
    /// The identifier that scans use.
    package var identifier: UInt8
    /// The horizontal sampling factor as stored; 1 to 4 are valid.
    package var horizontal: Int
    /// The vertical sampling factor as stored; 1 to 4 are valid.
    package var vertical: Int
    /// The number of the quantization table.
    package var quantization: Int
  }

  /// The marker code, which tells the coding process.
  package var marker: UInt8
  /// The number of bits per sample.
  package var precision: Int
  /// The size in pixels; the height is zero when only a DNL segment after the first scan states
  /// it.
  package var size: PixelSize
  /// The components, at least one.
  package var components: [Component]

  /// Whether the process is SOF0, 1, 2, 9 or 10 with 8 bits per sample, which libjpeg-turbo
  /// decodes.
  package var isDecodable: Bool {
    precision == 8 && [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(marker)
  }

  /// Whether all sampling factors are from 1 to 4.
  package var areFactorsValid: Bool {
    components.allSatisfy { 1...4 ~= $0.horizontal && 1...4 ~= $0.vertical }
  }

  /// Whether the process codes by arithmetic.
  package var isArithmetic: Bool { JPEGMarker.isArithmetic(marker) }

  /// Whether the process has no coefficients, and no quantization.
  package var isLossless: Bool { marker & 3 == 3 }

  /// Whether the process is progressive.
  package var isProgressive: Bool { marker == 0xC2 || marker == 0xCA }
}

extension JPEGFrame {
  /// Parses a frame header; nil when its length does not match its content, or the width is zero.
  init?(_ segment: JPEGSegment, in source: ByteSource) {
    let start = segment.body.lowerBound
    guard JPEGTables.isExact(segment, in: source), let precision = source.uint8(at: start),
      let height = source.uint16(at: start + 1), let width = source.uint16(at: start + 3),
      let fields = source.bytes(in: segment.body.dropFirst(6), limit: 3 * 255),
      width > 0
    else { return nil }
    marker = segment.marker
    self.precision = precision
    size = PixelSize(width: width, height: height)
    components = stride(from: 0, to: fields.count, by: 3).map { at -> Component in
      let factors = Int(fields[at + 1])
      return Component(
        identifier: fields[at],
        horizontal: factors >> 4,
        vertical: factors & 15,
        quantization: Int(fields[at + 2])
      )
    }
  }
}

/// The header data before a JPEG's first scan that facts, stripping and decoding need.
package struct JPEGHeader {
  /// The frame header.
  package var frame: JPEGFrame
  /// The header of the first scan; nil when the picture ends without one.
  package var scan: JPEGSegment?
  /// Whether bytes that are no fill bytes lie between the segments before the first scan.
  package var hasStrayBytes = false
  /// The aspect ratio of a pixel, width to height, when the file has a JFIF segment.
  package var pixelAspect: (x: Int, y: Int)?
  /// The range of the TIFF block within the first Exif segment.
  package var exif: Range<Int>?
  /// Adobe's color transform; decoders use the last of several.
  package var adobeTransform: UInt8?
  /// The ICC profile of the picture: its own, or that of Adobe RGB where only Exif states it.
  package var profile: JPEGColorProfile
  /// Whether the profile chunks are in order before the first segment that decoding needs.
  package var isProfileInFront: Bool

  /// The size in pixels as in ``JPEGFrame/size``.
  package var pixelSize: PixelSize { frame.size }

  /// Reads up to the first SOS; entropy-coded data are not read.
  ///
  /// - Throws: `damaged` when there is no frame, or the bytes end before a scan and an EOI.
  package init(of source: ByteSource) throws(MetadataError) {
    var parser = try JPEGParser(source)
    var frame: JPEGFrame?
    var chunks: [JPEGColorProfile.Chunk] = []
    var isProfileInFront = true
    var sawTable = false
    header: while let element = try parser.next() {
      guard case .segment(let segment) = element else {
        if case .skipped(_, isFill: false) = element { hasStrayBytes = true }
        continue
      }
      let start = segment.body.lowerBound
      if JPEGMarker.isNeeded(segment.marker) { sawTable = true }
      switch segment.marker {
      case JPEGMarker.sos:
        scan = segment
        break header
      case JPEGMarker.eoi: break header
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
        guard frame == nil, let declared = JPEGFrame(segment, in: source) else {
          throw MetadataError(.damaged, "\(JPEGMarker.name(code)) that makes no sense")
        }
        frame = declared
      default: break
      }
    }
    guard let frame else { throw MetadataError(.damaged, "no SOF before the first scan") }
    self.frame = frame
    profile = JPEGColorProfile(chunks, in: source)
    if chunks.isEmpty, frame.components.count == 3, let exif,
      let block = TIFFBlock(source, exif), AdobeRGB.isStated(in: block)
    {
      profile = .adobeRGB
    }
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
      if segment.body.count == 2, let lines = source.uint16(at: segment.body.lowerBound), lines > 0 {
        return lines
      }
    }
    throw MetadataError(.damaged, "a picture of no height")
  }
}
