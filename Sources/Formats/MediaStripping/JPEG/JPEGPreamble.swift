import MediaContainers
import MediaMetadata

/// The segments that are written anew at the start of a JPEG, all of them before the first scan.
struct JPEGPreamble {
  /// The picture's relation to a gain map.
  enum GainMap {
    case none
    /// This picture has a gain map of `length` bytes with this metadata.
    case has(GainMapMetadata, length: Int)
    /// This picture is a gain map.
    case isOne(GainMapMetadata)
  }

  /// The whole preamble; a multi-picture index in it does not have the picture's length yet.
  private(set) var bytes: [UInt8] = [0xFF, JPEGMarker.soi]
  /// The offset of the multi-picture index in ``bytes``, if there is one.
  private(set) var multiPictureOffset: Int?

  /// Writes SOI, JFIF, Exif, XMP, the gain map's segments and Adobe, each only if it has content.
  init(header: JPEGHeader, orientation: Int, kept: KeptMetadata, gainMap: GainMap = .none) {
    if let aspect = header.pixelAspect { bytes += Self.jfif(aspect) }
    if let block = ExifWriter.block(orientation: orientation, kept: kept) {
      bytes += JPEGMarker.segment(JPEGMarker.app1, Array("Exif\0\0".utf8) + block)
    }
    if let packet = Self.packet(kept: kept, gainMap: gainMap) {
      bytes += JPEGMarker.segment(JPEGMarker.app1, Array(JPEGMetadata.xmpIdentifier.utf8) + packet)
    }
    switch gainMap {
    case .none: break
    case .has(let metadata, let length):
      if metadata.numbers != nil { bytes += JPEGMultiPicture.versionSegment }
      multiPictureOffset = bytes.count
      bytes += JPEGMultiPicture.segment(offset: bytes.count, primaryLength: 0, secondLength: length)
    case .isOne(let metadata):
      if let numbers = metadata.numbers { bytes += Self.segment(numbers) }
    }
    if let transform = header.adobeTransform {
      bytes += JPEGMarker.segment(JPEGMarker.app14, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform])
    }
  }

  /// Returns the XMP packet of a picture, or nil if it needs none.
  static func packet(kept: KeptMetadata, gainMap: GainMap) -> [UInt8]? {
    switch gainMap {
    case .isOne(let metadata): return metadata.packet
    case .has(let metadata, let length) where metadata.fields != nil:
      return XMPWriter.packet(
        of: XMPWriter.properties(of: kept, scope: .besideExif)
          + JPEGGainMap.directory(length: length),
        namespaces: XMPWriter.namespaces(.besideExif, of: kept) + JPEGGainMap.directoryNamespaces,
        attributes: [("hdrgm:Version", "1.0")]
      )
    case .has, .none: return XMPWriter.packet(kept: kept)
    }
  }

  /// Returns the segment of ISO 21496-1 metadata in a gain map.
  static func segment(_ numbers: GainMapNumbers) -> [UInt8] {
    JPEGMarker.segment(JPEGMarker.app2, Array(JPEGMultiPicture.gainMapIdentifier.utf8) + numbers.bytes)
  }

  /// Returns the JFIF segment with a pixel aspect ratio: unit 0 means that the two numbers are one.
  ///
  /// Source: JFIF 1.02.
  private static func jfif(_ aspect: (x: Int, y: Int)) -> [UInt8] {
    let isSquare = aspect.x == aspect.y || aspect.x == 0 || aspect.y == 0
    let (x, y) = isSquare ? (1, 1) : aspect
    return JPEGMarker.segment(
      JPEGMarker.app0,
      Array("JFIF\0".utf8) + [1, 1, 0] + x.bytes(2) + y.bytes(2) + [0, 0]
    )
  }
}
