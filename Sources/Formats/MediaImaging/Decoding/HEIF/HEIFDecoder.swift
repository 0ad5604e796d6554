import MediaModel

/// Decodes HEIC and AVIF.
///
/// Pictures that are coded as one item or as a grid, as nearly all are, are decoded part by part
/// and reduced immediately; an embedded thumbnail that is at least as large as requested is decoded
/// instead. All other pictures are decoded by libheif.
///
/// Source: ISO/IEC 23008-12; AV1 Image File Format 1.0.
final class HEIFDecoder: PictureDecoder {
  private let stills = HEIFStillDecoder()
  private lazy var library = HEIFLibraryDecoder()

  func decode(_ request: DecodeRequest) throws(ImagingError) -> DecodedPicture? {
    let items = try HEIFItems(request.bytes)
    let cost = try items.cost(
      of: items.primary,
      limits: request.limits,
      acceptDamaged: request.acceptDamaged
    )
    if let size = items.size(of: items.primary), !items.hasAlpha(items.primary),
      let transformation = HEIFTransformation(items, item: items.primary, size: size)
    {
      let picture = HEIFRequest(
        transformation: transformation,
        size: transformation.size,
        demand: request.demand,
        isStrict: !request.acceptDamaged
      )
      if request.demand.allowsEmbedded, picture.scale > 0,
        let thumbnail = picture.thumbnail(in: items)
      {
        // A damaged thumbnail does not mean that the picture is damaged.
        let result = Result { () throws(ImagingError) in
          try stills.decode(thumbnail, of: items, picture, request.limits)
        }
        if case .success(let decoded?) = result { return decoded }
      }
      let result = Result { () throws(ImagingError) in
        try stills.decode(.primary(size), of: items, picture, request.limits)
      }
      switch result {
      case .success(let decoded?): return picture.scale > 0 ? decoded : nil
      case .failure(let error) where error.code != .unsupported: throw error
      default: break
      }
    }
    return try library.decode(items, codings: cost.codings, request)
  }

  func trim(above byteCount: Int) {
    stills.trim(above: byteCount)
    library.trim(above: byteCount)
  }
}
