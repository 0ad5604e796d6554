import MediaCodecs
import MediaModel

/// What a decoder made of a file: small planes, and what they are.
struct DecodedPicture {
  /// Valid until the decoder's next picture.
  var planar: PlanarPicture
  /// Before any reduction, as stored: before the picture is turned.
  var size: PixelSize
  /// Describes the planes after their conversion to gray or RGB; nil is sRGB (or its gray).
  var profile: ColorProfile?
  /// Nil: what the metadata says. A decoder that turns the picture itself says `upright`.
  var orientation: Orientation?
  /// Whether the planes, where they are smaller than the picture, have means of its pixels, which are soft.
  var isOfMeans = true
}

/// A file to decode, and how.
struct DecodeRequest {
  /// The whole file, read during the call only.
  var bytes: UnsafeRawBufferPointer
  /// The format that the content has.
  var format: MediaFormat
  /// The name that the decoder's library has for the format; nil for a decoder that needs none.
  var libraryName: String?
  /// The scale at which the picture must be decoded: the planes are at least that scale, or the
  /// picture as it is.
  var demand: ThumbnailDemand
  var limits: ImagingLimits
  /// Whether what could be decoded of a damaged file is an answer. It is never one when there is
  /// nothing to show.
  var acceptDamaged: Bool
  /// The content of the file's coded pictures that earlier steps have read.
  var cache = PictureDataCache()
}

/// Decodes the first picture of a file, reduced as far as the thumbnails allow.
///
/// A decoder checks sizes and counts against the limits before it takes the memory. It is used by
/// one thread, one picture after the other, and may keep memory for the next.
protocol MediaDecoder: AnyObject {
  /// Decodes once, and gives each picture that thumbnails are made of.
  ///
  /// One picture for all specifications, unless a decoder draws each thumbnail by itself.
  ///
  /// - Parameters:
  ///   - request: The file.
  ///   - render: Is given a picture, valid during the call, and what is wanted of it; not called when
  ///     nothing is.
  /// - Throws: ``ImagingError``, and what `render` throws.
  func decode(
    _ request: DecodeRequest,
    _ render: (DecodedPicture, ThumbnailDemand) throws(ImagingError) -> Void
  ) throws(ImagingError)

  /// Gives buffers larger than this back.
  func trim(above byteCount: Int)
}

extension MediaDecoder {
  func trim(above byteCount: Int) {}
}

/// A decoder that makes one picture for all thumbnails.
protocol PictureDecoder: MediaDecoder {
  /// - Returns: Nil when nothing is wanted of the picture but that it decodes.
  /// - Throws: ``ImagingError``.
  func decode(_ request: DecodeRequest) throws(ImagingError) -> DecodedPicture?
}

extension PictureDecoder {
  func decode(
    _ request: DecodeRequest,
    _ render: (DecodedPicture, ThumbnailDemand) throws(ImagingError) -> Void
  ) throws(ImagingError) {
    let picture = try decode(request)
    if let picture, !request.demand.specifications.isEmpty { try render(picture, request.demand) }
  }
}
