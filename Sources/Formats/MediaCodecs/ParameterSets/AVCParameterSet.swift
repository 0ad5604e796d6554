import MediaContainers

/// The parameter sets of AVC, read to find where they end.
///
/// Source: ITU-T H.264 sections 7.3.2.1.1, 7.3.2.2, E.1.1 and E.1.2.
enum AVCParameterSet {
  /// The profiles whose sequence parameter sets state the sampling of color.
  private static let highProfiles: Set<Int> = [
    44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244,
  ]

  /// Reads a sequence parameter set.
  ///
  /// - Throws: `damaged` for fields that cannot be.
  static func readSequence(_ payload: inout RawPayload) throws(MetadataError) -> BufferTiming {
    let profile = try payload.number(8)  // profile_idc
    try payload.skip(16)  // constraint_set0_flag to reserved_zero_2bits, level_idc
    try payload.skipGolombs()  // seq_parameter_set_id
    if highProfiles.contains(profile) {
      let chroma = try payload.golomb(upTo: 3)  // chroma_format_idc
      if chroma == 3 { try payload.skip(1) }  // separate_colour_plane_flag
      try payload.skipGolombs(2)  // bit_depth_luma_minus8, bit_depth_chroma_minus8
      try payload.skip(1)  // qpprime_y_zero_transform_bypass_flag
      // seq_scaling_matrix_present_flag
      if try payload.flag() { try skipScaling(&payload, count: chroma == 3 ? 12 : 8) }
    }
    try payload.skipGolombs()  // log2_max_frame_num_minus4
    switch try payload.golomb(upTo: 2) {  // pic_order_cnt_type
    case 0: try payload.skipGolombs()  // log2_max_pic_order_cnt_lsb_minus4
    case 1:
      try payload.skip(1)  // delta_pic_order_always_zero_flag
      try payload.skipGolombs(2)  // offset_for_non_ref_pic, offset_for_top_to_bottom_field
      // num_ref_frames_in_pic_order_cnt_cycle, offset_for_ref_frame
      try payload.skipGolombs(try payload.golomb(upTo: 255))
    default: break
    }
    try payload.skipGolombs()  // max_num_ref_frames
    try payload.skip(1)  // gaps_in_frame_num_value_allowed_flag
    try payload.skipGolombs(2)  // pic_width_in_mbs_minus1, pic_height_in_map_units_minus1
    // frame_mbs_only_flag, mb_adaptive_frame_field_flag
    if try !payload.flag() { try payload.skip(1) }
    try payload.skip(1)  // direct_8x8_inference_flag
    // frame_cropping_flag, frame_crop_…_offset
    if try payload.flag() { try payload.skipGolombs(4) }
    // vui_parameters_present_flag
    return try payload.flag() ? try readUsability(&payload) : BufferTiming()
  }

  /// Reads a picture parameter set.
  ///
  /// - Parameters:
  ///   - payload: The set's payload.
  ///   - isExtensible: Whether the profile allows the fields that High added.
  ///   - isChroma444: Whether the pictures may be in 4:4:4, which have more matrices.
  /// - Throws: `damaged` for fields that cannot be, and for matrices of an unknown number.
  static func readPicture(
    _ payload: inout RawPayload,
    isExtensible: Bool,
    isChroma444: Bool
  ) throws(MetadataError) {
    try payload.skipGolombs(2)  // pic_parameter_set_id, seq_parameter_set_id
    try payload.skip(2)  // entropy_coding_mode_flag, bottom_field_pic_order_in_frame_present_flag
    let groups = try payload.golomb(upTo: 7)  // num_slice_groups_minus1
    if groups > 0 { try skipGroups(&payload, groups) }
    // num_ref_idx_l0_default_active_minus1, num_ref_idx_l1_default_active_minus1
    try payload.skipGolombs(2)
    try payload.skip(3)  // weighted_pred_flag, weighted_bipred_idc
    try payload.skipGolombs(3)  // pic_init_qp_minus26, pic_init_qs_minus26, chroma_qp_index_offset
    // deblocking_filter_control_present_flag, constrained_intra_pred_flag,
    // redundant_pic_cnt_present_flag
    try payload.skip(3)
    guard isExtensible, payload.hasMore else { return }
    let hasLargeTransform = try payload.flag()  // transform_8x8_mode_flag
    if try payload.flag() {  // pic_scaling_matrix_present_flag
      guard !hasLargeTransform || !isChroma444 else { throw RawPayload.damaged }
      try skipScaling(&payload, count: hasLargeTransform ? 8 : 6)
    }
    try payload.skipGolombs()  // second_chroma_qp_index_offset
  }

  private static func skipGroups(_ payload: inout RawPayload, _ groups: Int) throws(MetadataError) {
    switch try payload.golomb(upTo: 6) {  // slice_group_map_type
    case 0: try payload.skipGolombs(groups + 1)  // run_length_minus1
    case 2: try payload.skipGolombs(2 * groups)  // top_left, bottom_right
    case 3, 4, 5:
      try payload.skip(1)  // slice_group_change_direction_flag
      try payload.skipGolombs()  // slice_group_change_rate_minus1
    case 6:
      let width = groups > 3 ? 3 : groups > 1 ? 2 : 1
      // pic_size_in_map_units_minus1, slice_group_id
      try payload.skip(width * (try payload.golomb() + 1))
    default: break
    }
  }

  private static func skipScaling(_ payload: inout RawPayload, count: Int) throws(MetadataError) {
    for index in 0..<count where try payload.flag() {  // seq_ or pic_scaling_list_present_flag
      var (last, next) = (8, 8)
      for _ in 0..<(index < 6 ? 16 : 64) {
        // delta_scale
        if next != 0 { next = (last + (try payload.signedGolomb()) % 256 + 256) % 256 }
        if next != 0 { last = next }
      }
    }
  }

  /// Reads the video usability information.
  private static func readUsability(
    _ payload: inout RawPayload
  ) throws(MetadataError) -> BufferTiming {
    try skipColor(&payload)
    // timing_info_present_flag, num_units_in_tick, time_scale, fixed_frame_rate_flag
    if try payload.flag() { try payload.skip(65) }
    var timing = BufferTiming()
    // nal_ and vcl_hrd_parameters_present_flag
    for _ in 0..<2 where try payload.flag() { try readBuffers(&payload, &timing) }
    if !timing.counts.isEmpty { try payload.skip(1) }  // low_delay_hrd_flag
    timing.hasPictureStructure = try payload.flag()  // pic_struct_present_flag
    if try payload.flag() {  // bitstream_restriction_flag
      try payload.skip(1)  // motion_vectors_over_pic_boundaries_flag
      // max_bytes_per_pic_denom, max_bits_per_mb_denom, log2_max_mv_length_horizontal,
      // log2_max_mv_length_vertical, max_num_reorder_frames, max_dec_frame_buffering
      try payload.skipGolombs(6)
    }
    return timing
  }

  /// Passes over the shape of pixels, the overscan, and the color, as AVC and HEVC have them.
  static func skipColor(_ payload: inout RawPayload) throws(MetadataError) {
    // aspect_ratio_info_present_flag, aspect_ratio_idc, sar_width, sar_height
    if try payload.flag(), try payload.number(8) == 255 { try payload.skip(32) }
    // overscan_info_present_flag, overscan_appropriate_flag
    if try payload.flag() { try payload.skip(1) }
    if try payload.flag() {  // video_signal_type_present_flag
      try payload.skip(4)  // video_format, video_full_range_flag
      // colour_description_present_flag, colour_primaries, transfer_characteristics,
      // matrix_coefficients
      if try payload.flag() { try payload.skip(24) }
    }
    // chroma_loc_info_present_flag, chroma_sample_loc_type_top_field,
    // chroma_sample_loc_type_bottom_field
    if try payload.flag() { try payload.skipGolombs(2) }
  }

  private static func readBuffers(
    _ payload: inout RawPayload,
    _ timing: inout BufferTiming
  ) throws(MetadataError) {
    let count = try payload.golomb(upTo: 31) + 1  // cpb_cnt_minus1
    timing.counts.append(count)
    try payload.skip(8)  // bit_rate_scale, cpb_size_scale
    for _ in 0..<count {
      try payload.skipGolombs(2)  // bit_rate_value_minus1, cpb_size_value_minus1
      try payload.skip(1)  // cbr_flag
    }
    timing.initialLength = try payload.number(5) + 1  // initial_cpb_removal_delay_length_minus1
    timing.removalLength = try payload.number(5) + 1  // cpb_removal_delay_length_minus1
    timing.outputLength = try payload.number(5) + 1  // dpb_output_delay_length_minus1
    timing.offsetLength = try payload.number(5)  // time_offset_length
  }
}
