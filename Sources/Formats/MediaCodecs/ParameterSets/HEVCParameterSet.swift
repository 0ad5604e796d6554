import MediaContainers

/// The parameter sets of HEVC, read to find where they end; those with extensions beyond the range
/// extension are not read.
///
/// Source: ITU-T H.265 sections 7.3.2.1 to 7.3.2.3, 7.3.3, 7.3.4, 7.3.7, E.2.1 and E.2.2.
enum HEVCParameterSet {
  /// Reads a video parameter set, and returns the buffers that it describes; nil for none.
  ///
  /// - Throws: `damaged` for fields that cannot be, and for extensions.
  static func readVideo(_ payload: inout RawPayload) throws(MetadataError) -> BufferTiming? {
    try payload.skip(12)  // vps_video_parameter_set_id to vps_max_layers_minus1
    let layers = try payload.number(3)  // vps_max_sub_layers_minus1
    try payload.skip(17)  // vps_temporal_id_nesting_flag, vps_reserved_0xffff_16bits
    try skipProfile(&payload, layers)
    try skipOrdering(&payload, layers)
    let highest = try payload.number(6)  // vps_max_layer_id
    let sets = try payload.golomb(upTo: 1023)  // vps_num_layer_sets_minus1
    try payload.skip(sets * (highest + 1))  // layer_id_included_flag
    var buffers: BufferTiming?
    if try payload.flag() {  // vps_timing_info_present_flag
      try payload.skip(64)  // vps_num_units_in_tick, vps_time_scale
      // vps_poc_proportional_to_timing_flag, vps_num_ticks_poc_diff_one_minus1
      if try payload.flag() { try payload.skipGolombs() }
      var timing = BufferTiming()
      for index in 0..<(try payload.golomb(upTo: 1024)) {  // vps_num_hrd_parameters
        try payload.skipGolombs()  // hrd_layer_set_idx
        // One without the common part has that of the one before.
        let hasCommon = index == 0 ? true : try payload.flag()  // cprms_present_flag
        try readBuffers(&payload, layers, hasCommon: hasCommon, &timing)
        buffers = timing
      }
    }
    guard try !payload.flag() else { throw RawPayload.damaged }  // vps_extension_flag
    return buffers
  }

  /// Reads a sequence parameter set.
  ///
  /// - Throws: `damaged` for fields that cannot be, and for extensions that are not read.
  static func readSequence(_ payload: inout RawPayload) throws(MetadataError) -> BufferTiming {
    try payload.skip(4)  // sps_video_parameter_set_id
    let layers = try payload.number(3)  // sps_max_sub_layers_minus1
    try payload.skip(1)  // sps_temporal_id_nesting_flag
    try skipProfile(&payload, layers)
    try payload.skipGolombs()  // sps_seq_parameter_set_id
    // chroma_format_idc, separate_colour_plane_flag
    if try payload.golomb(upTo: 3) == 3 { try payload.skip(1) }
    try payload.skipGolombs(2)  // pic_width_in_luma_samples, pic_height_in_luma_samples
    // conformance_window_flag, conf_win_…_offset
    if try payload.flag() { try payload.skipGolombs(4) }
    try payload.skipGolombs(2)  // bit_depth_luma_minus8, bit_depth_chroma_minus8
    let orderLength = try payload.golomb(upTo: 12) + 4  // log2_max_pic_order_cnt_lsb_minus4
    try skipOrdering(&payload, layers)
    // log2_min_luma_coding_block_size_minus3, log2_diff_max_min_luma_coding_block_size,
    // log2_min_luma_transform_block_size_minus2, log2_diff_max_min_luma_transform_block_size,
    // max_transform_hierarchy_depth_inter, max_transform_hierarchy_depth_intra
    try payload.skipGolombs(6)
    // scaling_list_enabled_flag, sps_scaling_list_data_present_flag
    if try payload.flag(), try payload.flag() { try skipScaling(&payload) }
    try payload.skip(2)  // amp_enabled_flag, sample_adaptive_offset_enabled_flag
    if try payload.flag() {  // pcm_enabled_flag
      try payload.skip(8)  // pcm_sample_bit_depth_luma_minus1, pcm_sample_bit_depth_chroma_minus1
      // log2_min_pcm_luma_coding_block_size_minus3, log2_diff_max_min_pcm_luma_coding_block_size
      try payload.skipGolombs(2)
      try payload.skip(1)  // pcm_loop_filter_disabled_flag
    }
    try skipReferences(&payload)
    // long_term_ref_pics_present_flag, num_long_term_ref_pics_sps, lt_ref_pic_poc_lsb_sps,
    // used_by_curr_pic_lt_sps_flag
    if try payload.flag() { try payload.skip((try payload.golomb(upTo: 32)) * (orderLength + 1)) }
    try payload.skip(2)  // sps_temporal_mvp_enabled_flag, strong_intra_smoothing_enabled_flag
    // vui_parameters_present_flag
    let timing = try payload.flag() ? try readUsability(&payload, layers) : BufferTiming()
    if try payload.flag() {  // sps_extension_present_flag
      let hasRange = try payload.flag()  // sps_range_extension_flag
      let hasLayers = try payload.flag()  // sps_multilayer_extension_flag
      // sps_3d_extension_flag, sps_scc_extension_flag, sps_extension_4bits
      guard try payload.number(6) == 0 else { throw RawPayload.damaged }
      // transform_skip_rotation_enabled_flag to cabac_bypass_alignment_enabled_flag,
      // inter_view_mv_vert_constraint_flag
      try payload.skip((hasRange ? 9 : 0) + (hasLayers ? 1 : 0))
    }
    return timing
  }

  /// Reads a picture parameter set.
  ///
  /// - Throws: `damaged` for fields that cannot be, and for extensions that are not read.
  static func readPicture(_ payload: inout RawPayload) throws(MetadataError) {
    try payload.skipGolombs(2)  // pps_pic_parameter_set_id, pps_seq_parameter_set_id
    try payload.skip(7)  // dependent_slice_segments_enabled_flag to cabac_init_present_flag
    // num_ref_idx_l0_default_active_minus1, num_ref_idx_l1_default_active_minus1, init_qp_minus26
    try payload.skipGolombs(3)
    try payload.skip(1)  // constrained_intra_pred_flag
    let skipsTransform = try payload.flag()  // transform_skip_enabled_flag
    // cu_qp_delta_enabled_flag, diff_cu_qp_delta_depth
    if try payload.flag() { try payload.skipGolombs() }
    try payload.skipGolombs(2)  // pps_cb_qp_offset, pps_cr_qp_offset
    // pps_slice_chroma_qp_offsets_present_flag to transquant_bypass_enabled_flag
    try payload.skip(4)
    let hasTiles = try payload.flag()  // tiles_enabled_flag
    try payload.skip(1)  // entropy_coding_sync_enabled_flag
    if hasTiles {
      // num_tile_columns_minus1, num_tile_rows_minus1
      let (columns, rows) = (try payload.golomb(upTo: 255), try payload.golomb(upTo: 255))
      // uniform_spacing_flag, column_width_minus1, row_height_minus1
      if try !payload.flag() { try payload.skipGolombs(columns + rows) }
      try payload.skip(1)  // loop_filter_across_tiles_enabled_flag
    }
    try payload.skip(1)  // pps_loop_filter_across_slices_enabled_flag
    if try payload.flag() {  // deblocking_filter_control_present_flag
      try payload.skip(1)  // deblocking_filter_override_enabled_flag
      // pps_deblocking_filter_disabled_flag, pps_beta_offset_div2, pps_tc_offset_div2
      if try !payload.flag() { try payload.skipGolombs(2) }
    }
    if try payload.flag() { try skipScaling(&payload) }  // pps_scaling_list_data_present_flag
    try payload.skip(1)  // lists_modification_present_flag
    try payload.skipGolombs()  // log2_parallel_merge_level_minus2
    try payload.skip(1)  // slice_segment_header_extension_present_flag
    guard try payload.flag() else { return }  // pps_extension_present_flag
    let hasRange = try payload.flag()  // pps_range_extension_flag
    // pps_multilayer_extension_flag, pps_3d_extension_flag, pps_scc_extension_flag,
    // pps_extension_4bits
    guard try payload.number(7) == 0 else { throw RawPayload.damaged }
    guard hasRange else { return }
    if skipsTransform { try payload.skipGolombs() }  // log2_max_transform_skip_block_size_minus2
    try payload.skip(1)  // cross_component_prediction_enabled_flag
    if try payload.flag() {  // chroma_qp_offset_list_enabled_flag
      try payload.skipGolombs()  // diff_cu_chroma_qp_offset_depth
      // chroma_qp_offset_list_len_minus1, cb_qp_offset_list, cr_qp_offset_list
      try payload.skipGolombs(2 * (try payload.golomb(upTo: 5) + 1))
    }
    try payload.skipGolombs(2)  // log2_sao_offset_scale_luma, log2_sao_offset_scale_chroma
  }

  private static func skipProfile(
    _ payload: inout RawPayload,
    _ layers: Int
  ) throws(MetadataError) {
    try payload.skip(96)  // general_profile_space to general_level_idc
    var length = 0
    for _ in 0..<layers {
      if try payload.flag() { length += 88 }  // sub_layer_profile_present_flag
      if try payload.flag() { length += 8 }  // sub_layer_level_present_flag
    }
    if layers > 0 { length += 2 * (8 - layers) }  // reserved_zero_2bits
    try payload.skip(length)  // sub_layer_profile_space to sub_layer_level_idc
  }

  private static func skipOrdering(
    _ payload: inout RawPayload,
    _ layers: Int
  ) throws(MetadataError) {
    // …ps_sub_layer_ordering_info_present_flag, …ps_max_dec_pic_buffering_minus1,
    // …ps_max_num_reorder_pics, …ps_max_latency_increase_plus1
    try payload.skipGolombs(try payload.flag() ? 3 * (layers + 1) : 3)
  }

  private static func skipScaling(_ payload: inout RawPayload) throws(MetadataError) {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        if try payload.flag() {  // scaling_list_pred_mode_flag
          // scaling_list_dc_coef_minus8, scaling_list_delta_coef
          try payload.skipGolombs(min(64, 16 << (2 * size)) + (size > 1 ? 1 : 0))
        } else {
          try payload.skipGolombs()  // scaling_list_pred_matrix_id_delta
        }
      }
    }
  }

  /// Passes over the sets of pictures to which others refer.
  private static func skipReferences(_ payload: inout RawPayload) throws(MetadataError) {
    var last = 0
    for index in 0..<(try payload.golomb(upTo: 64)) {  // num_short_term_ref_pic_sets
      if index > 0, try payload.flag() {  // inter_ref_pic_set_prediction_flag
        try payload.skip(1)  // delta_rps_sign
        try payload.skipGolombs()  // abs_delta_rps_minus1
        var count = 0
        for _ in 0...last {
          // A picture is in the set unless both bits are zero.
          if try payload.flag() {  // used_by_curr_pic_flag
            count += 1
          } else if try payload.flag() {  // use_delta_flag
            count += 1
          }
        }
        last = count
      } else {
        last = try payload.golomb(upTo: 16)  // num_negative_pics
        last += try payload.golomb(upTo: 16)  // num_positive_pics
        for _ in 0..<last {
          try payload.skipGolombs()  // delta_poc_s0_minus1, delta_poc_s1_minus1
          try payload.skip(1)  // used_by_curr_pic_s0_flag, used_by_curr_pic_s1_flag
        }
      }
      guard last <= 32 else { throw RawPayload.damaged }
    }
  }

  /// Reads the video usability information.
  private static func readUsability(
    _ payload: inout RawPayload,
    _ layers: Int
  ) throws(MetadataError) -> BufferTiming {
    try AVCParameterSet.skipColor(&payload)
    try payload.skip(2)  // neutral_chroma_indication_flag, field_seq_flag
    var timing = BufferTiming()
    timing.hasPictureStructure = try payload.flag()  // frame_field_info_present_flag
    // default_display_window_flag, def_disp_win_…_offset
    if try payload.flag() { try payload.skipGolombs(4) }
    if try payload.flag() {  // vui_timing_info_present_flag
      try payload.skip(64)  // vui_num_units_in_tick, vui_time_scale
      // vui_poc_proportional_to_timing_flag, vui_num_ticks_poc_diff_one_minus1
      if try payload.flag() { try payload.skipGolombs() }
      // vui_hrd_parameters_present_flag
      if try payload.flag() { try readBuffers(&payload, layers, hasCommon: true, &timing) }
    }
    if try payload.flag() {  // bitstream_restriction_flag
      // tiles_fixed_structure_flag, motion_vectors_over_pic_boundaries_flag,
      // restricted_ref_pic_lists_flag
      try payload.skip(3)
      // min_spatial_segmentation_idc, max_bytes_per_pic_denom, max_bits_per_min_cu_denom,
      // log2_max_mv_length_horizontal, log2_max_mv_length_vertical
      try payload.skipGolombs(5)
    }
    return timing
  }

  private static func readBuffers(
    _ payload: inout RawPayload,
    _ layers: Int,
    hasCommon: Bool,
    _ timing: inout BufferTiming
  ) throws(MetadataError) {
    if hasCommon {
      timing.counts = []
      // nal_ and vcl_hrd_parameters_present_flag
      for _ in 0..<2 where try payload.flag() { timing.counts.append(0) }
      if !timing.counts.isEmpty {
        timing.hasParts = try payload.flag()  // sub_pic_hrd_params_present_flag
        // tick_divisor_minus2 to dpb_output_delay_du_length_minus1
        if timing.hasParts { try payload.skip(19) }
        try payload.skip(8)  // bit_rate_scale, cpb_size_scale
        if timing.hasParts { try payload.skip(4) }  // cpb_size_du_scale
        timing.initialLength = try payload.number(5) + 1  // initial_cpb_removal_delay_length_minus1
        timing.removalLength = try payload.number(5) + 1  // au_cpb_removal_delay_length_minus1
        timing.outputLength = try payload.number(5) + 1  // dpb_output_delay_length_minus1
      }
    }
    for _ in 0...layers {
      let isFixed = try payload.flag()  // fixed_pic_rate_general_flag
      let isFixedWithin = isFixed ? true : try payload.flag()  // fixed_pic_rate_within_cvs_flag
      var isLowDelay = false
      // elemental_duration_in_tc_minus1, low_delay_hrd_flag
      if isFixedWithin { try payload.skipGolombs() } else { isLowDelay = try payload.flag() }
      let count = isLowDelay ? 1 : try payload.golomb(upTo: 31) + 1  // cpb_cnt_minus1
      // Messages have one entry for each buffer of the highest layer.
      timing.counts = timing.counts.map { _ in count }
      for _ in 0..<(count * timing.counts.count) {
        // bit_rate_value_minus1, cpb_size_value_minus1, cpb_size_du_value_minus1,
        // bit_rate_du_value_minus1
        try payload.skipGolombs(timing.hasParts ? 4 : 2)
        try payload.skip(1)  // cbr_flag
      }
    }
  }
}
