import CRaw
import MediaModel

/// Decodes a camera's raw file: the largest preview that it carries, or, when it has none, the
/// sensor's data at half its size. What LibRaw cannot open may still have a preview.
///
/// Source: libraw_unpack_thumb, libraw_dcraw_process (LibRaw 0.20).
final class RawDecoder: PictureDecoder {
  /// What the loader said when LibRaw is not there, once.
  private static let loadFailure: String? = craw_load().map { String(cString: $0) }

  private let jpeg: any PictureDecoder
  private let pixels = PixelReducer()

  /// - Parameter jpeg: Decodes previews that are JPEGs, which nearly all are.
  init(jpeg: any PictureDecoder) { self.jpeg = jpeg }

  func decode(_ request: DecodeRequest) throws(ImagingError) -> DecodedPicture? {
    if let failure = Self.loadFailure {
      throw ImagingError(.decoderMissing, "\(String(cString: craw_package)): \(failure)")
    }
    let result = Result { () throws(ImagingError) in try decodeRaw(request) }
    guard case .failure(let error) = result, error.code == .damaged || error.code == .unsupported
    else { return try result.get() }
    for preview in RawPreviewScan.previews(in: request.bytes) {
      let result = Result { () throws(ImagingError) in
        try jpeg.decode(request.embedded(preview, demand: request.demand))
      }
      if case .success(let picture) = result { return picture }
    }
    throw error
  }

  private func decodeRaw(_ request: DecodeRequest) throws(ImagingError) -> DecodedPicture? {
    let file = try RawFile.open(request.bytes)
    let limits = request.limits
    let orientation = file.orientation
    let turned = ThumbnailDemand(
      specifications: request.demand.specifications,
      orientation: orientation,
      rotation: request.demand.rotation
    )
    guard let preview = try file.preview() else {
      return try reduce(try file.develop(limits: limits), turned, limits)
    }
    guard preview.kind == craw_jpeg else { return try reduce(preview, turned, limits) }
    // A preview's own orientation is the raw file's, or missing.
    let bytes = UnsafeRawBufferPointer(start: preview.bytes, count: preview.length)
    var picture = try jpeg.decode(request.embedded(bytes, demand: turned))
    picture?.orientation = orientation
    return picture
  }

  func trim(above byteCount: Int) {
    jpeg.trim(above: byteCount)
    pixels.trim(above: byteCount)
  }

  private func reduce(
    _ picture: craw_picture,
    _ demand: ThumbnailDemand,
    _ limits: ImagingLimits
  ) throws(ImagingError) -> DecodedPicture? {
    let size = PixelSize(width: Int(picture.width), height: Int(picture.height))
    try limits.check(width: size.width, height: size.height)
    let scale = demand.scale(for: size)
    guard scale > 0 else { return nil }
    let layout: PixelLayout = picture.kind == craw_gray ? .gray : .rgb
    try pixels.begin(size: size, layout: layout, factor: PixelReducer.factor(for: scale))
    try pixels.add(picture.bytes, stride: size.width * layout.channelCount, count: size.height)
    return DecodedPicture(
      planar: try pixels.finish(),
      size: size,
      profile: nil,
      orientation: demand.orientation
    )
  }
}

extension DecodeRequest {
  /// The same request for a JPEG within the file.
  fileprivate func embedded(
    _ bytes: UnsafeRawBufferPointer,
    demand: ThumbnailDemand
  ) -> DecodeRequest {
    DecodeRequest(bytes: bytes, format: .jpeg, demand: demand, limits: limits, acceptDamaged: acceptDamaged)
  }
}
