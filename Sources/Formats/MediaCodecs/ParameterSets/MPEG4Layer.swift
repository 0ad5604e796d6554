import MediaContainers

/// The headers of a layer and of an object of MPEG-4 part 2, read to find where they end.
///
/// Source: ISO/IEC 14496-2 sections 6.2.2 (VisualObject), 6.2.3 (VideoObjectLayer) and 6.3.3; libavcodec,
/// mpeg4videodec.c (decode_vol_header).
enum MPEG4Layer {
  /// Returns the bytes of a layer's header with its start code; nil where it cannot be read to its end: with
  /// a shape that is no rectangle, an estimate of complexity, or several layers.
  static func length(of head: [UInt8]) -> Int? {
    var bits = BitReader(head, at: 32)
    guard bits.skip(9) else { return nil }  // random_accessible_vol, video_object_type_indication
    var version = 1
    guard let isNamed = bits.read(1) else { return nil }  // is_object_layer_identifier
    if isNamed == 1 {
      guard let number = bits.read(4), bits.skip(3) else { return nil }
      version = number
    }
    guard let aspect = bits.read(4), aspect != 15 || bits.skip(16), passControl(&bits),
      bits.read(2) == 0, bits.read(1) == 1,  // video_object_layer_shape, marker_bit
      let resolution = bits.read(16), resolution > 0, bits.read(1) == 1,
      let isFixed = bits.read(1)  // fixed_vop_rate
    else { return nil }
    let width = max(1, Int.bitWidth - (resolution - 1).leadingZeroBitCount)
    guard isFixed == 0 || bits.skip(width), bits.skip(1 + 13 + 1 + 13 + 1),  // sizes and markers
      bits.skip(2),  // interlaced, obmc_disable
      let sprite = bits.read(version == 1 ? 1 : 2)  // sprite_enable
    else { return nil }
    if sprite == 1 { guard bits.skip(4 * 14) else { return nil } }
    // no_of_sprite_warping_points, sprite_warping_accuracy, sprite_brightness_change, and
    // low_latency_sprite_enable of one that is still
    if sprite > 0 { guard bits.skip(9 + (sprite == 1 ? 1 : 0)) else { return nil } }
    guard let hasDepth = bits.read(1), bits.skip(8 * hasDepth),  // not_8_bit
      passMatrices(&bits), version == 1 || bits.skip(1),  // quarter_sample
      bits.read(1) == 1, bits.skip(1),  // complexity_estimation_disable, resync_marker_disable
      let isPartitioned = bits.read(1), bits.skip(isPartitioned)  // reversible_vlc
    else { return nil }
    if version != 1 {
      guard let hasPrediction = bits.read(1), bits.skip(3 * hasPrediction), bits.skip(1) else {
        return nil
      }
    }
    guard bits.read(1) == 0 else { return nil }  // scalability
    // A zero, and ones up to the end of a byte.
    return bits.position / 8 + 1
  }

  /// Returns the bytes of an object's header with its start code; nil where it ends early.
  static func objectLength(of head: [UInt8]) -> Int? {
    var bits = BitReader(head, at: 32)
    guard let isNamed = bits.read(1), bits.skip(7 * isNamed), let type = bits.read(4) else {
      return nil
    }
    if type == 1 || type == 2 {
      guard let hasSignal = bits.read(1) else { return nil }  // video_signal_type
      if hasSignal == 1 {
        // video_format, video_range, colour_description
        guard bits.skip(4), let hasColors = bits.read(1), bits.skip(24 * hasColors) else {
          return nil
        }
      }
    }
    return bits.position / 8 + 1
  }

  /// Passes over the parameters of the buffer; false when they end early.
  private static func passControl(_ bits: inout BitReader) -> Bool {
    guard let isThere = bits.read(1) else { return false }  // vol_control_parameters
    guard isThere == 1 else { return true }
    // chroma_format, low_delay, vbv_parameters
    guard bits.skip(3), let hasBuffer = bits.read(1) else { return false }
    return bits.skip(79 * hasBuffer)
  }

  /// Passes over the matrices of quantization; false when they end early.
  private static func passMatrices(_ bits: inout BitReader) -> Bool {
    guard let hasMatrices = bits.read(1) else { return false }  // quant_type
    guard hasMatrices == 1 else { return true }
    for _ in 0..<2 {
      guard let isThere = bits.read(1) else { return false }  // load_…intra_quant_mat
      guard isThere == 1 else { continue }
      for _ in 0..<64 {
        guard let value = bits.read(8) else { return false }
        if value == 0 { break }
      }
    }
    return true
  }
}
