import CHEIF
import MediaContainers
import MediaModel

/// Decodes unusual pictures through libheif: with alpha, unusual color, other derivations than a
/// grid, or transformations in an unusual order.
///
/// libheif 1.15 converts each picture to RGB and, if planes are requested, back, which takes as
/// long as decoding: so pixels are requested.
///
/// Source: libheif 1.15 (heif.h).
final class HEIFLibraryDecoder {
  private let pixels = PixelReducer()

  /// The loader's message if libheif is missing; computed once.
  private static let loadFailure: String? = cheif_load().map { String(cString: $0) }

  /// Decodes the primary picture.
  ///
  /// - Throws: `decoderMissing` without libheif, or without its decoder for these codings.
  func decode(
    _ items: HEIFItems,
    codings: Set<FourCharacterCode>,
    _ wanted: DecodeRequest
  ) throws(ImagingError) -> DecodedPicture? {
    if let failure = Self.loadFailure {
      throw ImagingError(.decoderMissing, "libheif1: \(failure)")
    }
    for coding in codings {
      let isHEVC = coding == "hvc1"
      let format = isHEVC ? heif_compression_HEVC : heif_compression_AV1
      guard cheif_have_decoder_for_format(format) != 0 else {
        let package = isHEVC ? "libde265-0" : String(cString: cheif_dav1d_package)
        throw ImagingError(.decoderMissing, package)
      }
    }
    let file = try HEIFFile.open(items, limits: wanted.limits)
    let coded = items.size(of: items.primary) ?? file.size
    let transformation = HEIFTransformation(items, item: items.primary, size: coded)
    let request = HEIFRequest(
      transformation: transformation,
      size: transformation?.size ?? file.size,
      demand: wanted.demand,
      isStrict: !wanted.acceptDamaged
    )
    let image = try file.decode(request)
    guard request.scale > 0 else { return nil }
    guard let rows = image.plane(heif_channel_interleaved) else {
      throw ImagingError(.internal, "libheif gave no pixels")
    }
    let crop = try request.crop(of: .primary(coded), in: rows)
    try pixels.begin(
      size: PixelSize(width: crop.width, height: crop.height),
      layout: .rgba,
      factor: PixelReducer.factor(for: request.scale)
    )
    try pixels.add(
      rows.base + crop.top * rows.stride + 4 * crop.left,
      stride: rows.stride,
      count: crop.height
    )
    let colors = HEIFColors(items, item: items.primary) ?? file.colors(of: image)
    let profile = try colors?.profile(in: items, limits: wanted.limits)
    return request.picture(try pixels.finish(), profile: profile)
  }

  func trim(above byteCount: Int) { pixels.trim(above: byteCount) }
}
