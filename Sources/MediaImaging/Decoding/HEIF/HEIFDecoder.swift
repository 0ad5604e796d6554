import MediaModel

/// Decodes HEIC and AVIF.
///
/// Pictures that are coded as one or as a grid, which is nearly all of them, are decoded part by part
/// and reduced as they come; where a thumbnail that the file carries is at least as large as asked,
/// it is decoded instead. The rest is libheif's.
///
/// Source: ISO/IEC 23008-12; AV1 Image File Format 1.0.
final class HEIFDecoder: PictureDecoder {
  private let stills = HEIFStillDecoder()
  private lazy var library = HEIFLibraryDecoder()

  func decode(
    _ bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    demand: ThumbnailDemand,
    limits: ImagingLimits,
    acceptDamaged: Bool
  ) throws(ImagingError) -> DecodedPicture? {
    let items = try HEIFItems(bytes)
    let cost = try items.cost(of: items.primary, limits: limits, acceptDamaged: acceptDamaged)
    if let size = items.size(of: items.primary), !items.hasAlpha(items.primary),
      let transformation = HEIFTransformation(items, item: items.primary, size: size)
    {
      let request = HEIFRequest(
        transformation: transformation,
        size: transformation.size,
        demand: demand,
        isStrict: !acceptDamaged
      )
      if demand.allowsEmbedded, request.scale > 0,
        let thumbnail = request.thumbnail(in: items)
      {
        // What is wrong with a thumbnail says nothing about the picture.
        let result = Result { () throws(ImagingError) in
          try stills.decode(thumbnail, of: items, request, limits)
        }
        if case .success(let picture?) = result { return picture }
      }
      let result = Result { () throws(ImagingError) in
        try stills.decode(.primary(size), of: items, request, limits)
      }
      switch result {
      case .success(let picture?): return request.scale > 0 ? picture : nil
      case .failure(let error) where error.code != .unsupported: throw error
      default: break
      }
    }
    return try library.decode(
      items,
      codings: cost.codings,
      demand: demand,
      limits: limits,
      acceptDamaged: acceptDamaged
    )
  }

  func trim(above byteCount: Int) {
    stills.trim(above: byteCount)
    library.trim(above: byteCount)
  }
}
