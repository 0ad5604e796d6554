package import MediaContainers
package import MediaModel

/// The header of a picture whose pixels only a decoder reads: its size, and whether the file has what
/// the header promises.
///
/// The size decides before a decoder takes memory, so it is read here and not asked of the decoder.
package protocol PictureHeader: SendableMetatype {
  /// Reads the header; nil if `source` is no such file.
  init?(of source: ByteSource)

  /// The size in pixels that decoding gives, before orientation is applied; a side may be 0 in a
  /// damaged file.
  var size: PixelSize { get }

  /// The orientation of the stored pixels as Exif numbers it; 1 for formats that have none.
  var orientation: Int { get }

  /// Pixels that a decoder holds at once beside those of ``size``, such as layers.
  var layerPixelCount: Int { get }

  /// Returns the name of a part that lies behind the end of the file; nil when none does, or the
  /// format states no length.
  func missingPart(of source: ByteSource) -> String?
}

extension PictureHeader {
  package var orientation: Int { 1 }
  package var layerPixelCount: Int { 0 }
}

extension ByteSource {
  /// Whether all bytes of `range` are zero and within the source.
  func isZero(in range: Range<Int>) -> Bool { range.allSatisfy { byte(at: $0) == 0 } }
}
