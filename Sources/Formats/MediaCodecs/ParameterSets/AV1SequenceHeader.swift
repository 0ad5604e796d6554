import MediaContainers

/// The sequence header of AV1, read to find where it ends.
///
/// Source: AV1 specification sections 5.3.4 (trailing bits), 5.5 (sequence header) and 5.9.15.
enum AV1SequenceHeader {
  /// The longest header that is read, in bytes; one of 32 operating points has some 400.
  static let maximumLength = 1 << 10

  /// Returns the bytes of a header with its trailing bits; nil for one of fields that cannot be.
  static func length(of payload: [UInt8]) -> Int? {
    var bits = RawPayload(payload)
    return try? length(&bits)
  }

  private static func length(_ bits: inout RawPayload) throws(MetadataError) -> Int {
    let profile = try bits.number(3)  // seq_profile
    guard profile < 3 else { throw RawPayload.damaged }
    try bits.skip(1)  // still_picture
    let isReduced = try bits.flag()  // reduced_still_picture_header
    if isReduced { try bits.skip(5) } else { try skipPoints(&bits) }
    // frame_width_bits_minus_1, frame_height_bits_minus_1, max_frame_…_minus_1
    try bits.skip(try bits.number(4) + (try bits.number(4)) + 2)
    // frame_id_numbers_present_flag, delta_frame_id_length_minus_2, additional_frame_id_length_minus_1
    if !isReduced, try bits.flag() { try bits.skip(7) }
    try bits.skip(3)  // use_128x128_superblock, enable_filter_intra, enable_intra_edge_filter
    if !isReduced { try skipTools(&bits) }
    try bits.skip(3)  // enable_superres, enable_cdef, enable_restoration
    try skipColor(&bits, profile)
    try bits.skip(1)  // film_grain_params_present
    return try bits.ended(zerosUpTo: 8)
  }

  private static func skipPoints(_ bits: inout RawPayload) throws(MetadataError) {
    var delayLength: Int?
    if try bits.flag() {  // timing_info_present_flag
      try bits.skip(64)  // num_units_in_display_tick, time_scale
      if try bits.flag() { try bits.skipGolombs() }  // num_ticks_per_picture_minus_1
      if try bits.flag() {  // decoder_model_info_present_flag
        delayLength = try bits.number(5) + 1  // buffer_delay_length_minus_1
        // num_units_in_decoding_tick, buffer_removal_time_length_minus_1,
        // frame_presentation_time_length_minus_1
        try bits.skip(32 + 5 + 5)
      }
    }
    let hasDelay = try bits.flag()  // initial_display_delay_present_flag
    for _ in 0...(try bits.number(5)) {  // operating_points_cnt_minus_1
      try bits.skip(12)  // operating_point_idc
      if try bits.number(5) > 7 { try bits.skip(1) }  // seq_level_idx, seq_tier
      if let delayLength, try bits.flag() { try bits.skip(2 * delayLength + 1) }
      if hasDelay, try bits.flag() { try bits.skip(4) }
    }
  }

  private static func skipTools(_ bits: inout RawPayload) throws(MetadataError) {
    // enable_interintra_compound to enable_dual_filter
    try bits.skip(4)
    let hasOrder = try bits.flag()  // enable_order_hint
    if hasOrder { try bits.skip(2) }  // enable_jnt_comp, enable_ref_frame_mvs
    // seq_choose_screen_content_tools, seq_force_screen_content_tools
    let hasScreenTools = try bits.flag() ? true : try bits.flag()
    // seq_choose_integer_mv, seq_force_integer_mv
    if hasScreenTools, try !bits.flag() { try bits.skip(1) }
    if hasOrder { try bits.skip(3) }  // order_hint_bits_minus_1
  }

  private static func skipColor(_ bits: inout RawPayload, _ profile: Int) throws(MetadataError) {
    let isHigh = try bits.flag()  // high_bitdepth
    let isTwelve = profile == 2 && isHigh ? try bits.flag() : false  // twelve_bit
    let isGray = profile == 1 ? false : try bits.flag()  // mono_chrome
    // color_description_present_flag, color_primaries, transfer_characteristics, matrix_coefficients
    let colors = try bits.flag() ? try bits.number(24) : 0
    if isGray { return try bits.skip(1) }  // color_range
    if colors != 0x01_0D_00 {
      try bits.skip(1)  // color_range
      // subsampling_x, subsampling_y
      var isHalved = profile == 0
      if profile == 2, isTwelve, try bits.flag() { isHalved = try bits.flag() }
      if isHalved { try bits.skip(2) }  // chroma_sample_position
    }
    try bits.skip(1)  // separate_uv_delta_q
  }
}
