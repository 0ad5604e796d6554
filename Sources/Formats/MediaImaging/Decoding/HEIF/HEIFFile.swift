import CHEIF
import MediaModel

/// A HEIF file opened by libheif.
///
/// Source: heif_context_read_from_reader, heif_decode_image (libheif 1.15).
struct HEIFFile: ~Copyable {
  private let context: OpaquePointer
  /// The reader's state, to which libheif keeps a pointer.
  private let view: UnsafeMutablePointer<cheif_view>
  private let hidden: UnsafeMutablePointer<Int64>
  private var primary: OpaquePointer?

  private init(context: OpaquePointer, _ items: HEIFItems) {
    self.context = context
    hidden = .allocate(capacity: max(1, items.hidden.count))
    hidden.initialize(from: items.hidden, count: items.hidden.count)
    view = .allocate(capacity: 1)
    view.initialize(
      to: cheif_view(
        bytes: items.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        length: Int64(items.bytes.count),
        position: 0,
        hidden: hidden,
        hidden_count: items.hidden.count
      )
    )
  }

  deinit {
    if let primary { cheif_image_handle_release(primary) }
    cheif_context_free(context)
    view.deallocate()
    hidden.deallocate()
  }

  /// Reads the structure of a file whose bytes outlive the result.
  ///
  /// - Throws: `damaged`, `unsupported`, `overLimit`, as libheif reports.
  static func open(
    _ items: HEIFItems,
    limits: ImagingLimits
  ) throws(ImagingError) -> HEIFFile {
    guard let context = cheif_context_alloc() else {
      throw ImagingError(.overLimit, "heif_context_alloc")
    }
    var file = HEIFFile(context: context, items)
    // Decode tiles on this thread: the pool of workers is the parallelism.
    cheif_context_set_max_decoding_threads(context, 0)
    cheif_context_set_maximum_image_size_limit(context, Int32(clamping: limits.maximumSide))
    try check(cheif_context_read(context, file.view))
    try check(cheif_context_get_primary_image_handle(context, &file.primary))
    return file
  }

  /// The size of the primary picture, cropped and turned.
  var size: PixelSize {
    PixelSize(
      width: Int(cheif_image_handle_get_width(primary)),
      height: Int(cheif_image_handle_get_height(primary))
    )
  }

  /// Decodes the primary picture to red, green, blue and alpha, 8 bits each.
  ///
  /// - Throws: `damaged` for data that the decoder cannot decode.
  func decode(_ request: HEIFRequest) throws(ImagingError) -> HEIFImage {
    var image: OpaquePointer?
    let error = cheif_decode_image(
      primary,
      &image,
      heif_colorspace_RGB,
      heif_chroma_interleaved_RGBA,
      request.transformation == nil ? 0 : 1,
      request.isStrict ? 1 : 0
    )
    try Self.check(error)
    guard let image else { throw ImagingError(.internal, "heif_decode_image gave nothing") }
    return HEIFImage(pointer: image)
  }

  /// Returns the color description of the codec; nil if it gives none.
  func colors(of image: borrowing HEIFImage) -> HEIFColors? {
    var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
    guard cheif_image_get_nclx_color_profile(image.pointer, &profile).code == heif_error_Ok,
      let profile
    else { return nil }
    defer { cheif_nclx_color_profile_free(profile) }
    return HEIFColors(
      primaries: Int(profile.pointee.color_primaries.rawValue),
      transfer: Int(profile.pointee.transfer_characteristics.rawValue),
      matrix: Int(profile.pointee.matrix_coefficients.rawValue),
      isFullRange: profile.pointee.full_range_flag != 0
    )
  }

  private static func check(_ error: heif_error) throws(ImagingError) {
    guard error.code != heif_error_Ok else { return }
    let text = error.message.map { String(cString: $0) } ?? "libheif error \(error.code.rawValue)"
    let code: ImagingError.Code =
      switch error.code {
      case heif_error_Memory_allocation_error: .overLimit
      case heif_error_Unsupported_feature, heif_error_Unsupported_filetype: .unsupported
      case heif_error_Plugin_loading_error: .decoderMissing
      default:
        error.subcode == heif_suberror_Security_limit_exceeded
          ? .overLimit
          : error.subcode == heif_suberror_Unsupported_codec ? .decoderMissing : .damaged
      }
    throw ImagingError(code, text)
  }
}

/// A decoded picture, which is freed when the value is destroyed.
struct HEIFImage: ~Copyable {
  let pointer: OpaquePointer

  init(pointer: OpaquePointer) { self.pointer = pointer }

  deinit { cheif_image_release(pointer) }

  /// Returns a channel's samples, valid as long as the picture.
  func plane(_ channel: heif_channel) -> SamplePlane? {
    var stride: Int32 = 0
    guard let base = cheif_image_get_plane_readonly(pointer, channel, &stride), stride > 0 else {
      return nil
    }
    let width = Int(cheif_image_get_width(pointer, channel))
    let height = Int(cheif_image_get_height(pointer, channel))
    guard width > 0, height > 0 else { return nil }
    return SamplePlane(
      base: UnsafeRawPointer(base),
      stride: Int(stride),
      width: width,
      height: height,
      bitCount: channel == heif_channel_interleaved
        ? 8 : Int(cheif_image_get_bits_per_pixel_range(pointer, channel))
    )
  }
}
