import MediaContainers

/// The fields of the messages that a movie keeps, read to find where they end.
///
/// Source: ITU-T H.264 sections D.1.2, D.1.3, D.1.8, D.1.26, D.1.27; ITU-T H.265 sections D.2.2, D.2.3,
/// D.2.8, D.2.16, D.2.17, D.2.21, D.2.31.
enum SEIMessage {
  /// Returns the number of bytes that the fields of a message take: all of `body` where that is not
  /// known, 0 for a message that has no fields with this timing, which is nil where it is not known, and for
  /// one that is none, since its fields end early or are followed by other bits than they have to be.
  static func fields(
    of body: ArraySlice<UInt8>,
    _ type: Int,
    isHEVC: Bool,
    timing: BufferTiming?
  ) -> Int {
    var payload = RawPayload(Array(body))
    do throws(MetadataError) {
      switch type {
      case 0, 1:  // buffering_period, pic_timing
        guard let timing, !timing.hasParts else { return body.count }
        if type == 0 {
          if timing.counts.isEmpty { return 0 }
          try readBuffering(&payload, timing, isHEVC: isHEVC)
        } else {
          try readTiming(&payload, timing, isHEVC: isHEVC)
        }
      case 6:  // recovery_point
        try payload.skipGolombs()  // recovery_frame_cnt or recovery_poc_cnt
        // exact_match_flag, broken_link_flag, changing_slice_group_idc
        try payload.skip(isHEVC ? 2 : 4)
      case 45: try readPacking(&payload, isHEVC: isHEVC)  // frame_packing_arrangement
      case 47:  // display_orientation
        if try !payload.flag() {  // display_orientation_cancel_flag
          try payload.skip(18)  // hor_flip, ver_flip, anticlockwise_rotation
          if !isHEVC { try payload.skipGolombs() }  // display_orientation_repetition_period
          // display_orientation_persistence_flag or display_orientation_extension_flag
          try payload.skip(1)
        }
      case 129:  // active_parameter_sets
        try payload.skip(6)  // active_video_parameter_set_id to no_parameter_set_update_flag
        // num_sps_ids_minus1, active_seq_parameter_set_id
        try payload.skipGolombs(try payload.golomb(upTo: 15) + 1)
      case 176: try readDisplays(&payload)  // three_dimensional_reference_displays_info
      default: return body.count
      }
      if type == 176, payload.position % 8 != 0 {
        var end = payload
        _ = try end.ended(zerosUpTo: 8)
      }
    } catch {
      // What fields of buffers and times a message has is known of one sequence alone.
      return type < 2 ? body.count : 0
    }
    return (payload.position + 7) / 8
  }

  private static func readBuffering(
    _ payload: inout RawPayload,
    _ timing: BufferTiming,
    isHEVC: Bool
  ) throws(MetadataError) {
    try payload.skipGolombs()  // seq_parameter_set_id or bp_seq_parameter_set_id
    var perBuffer = 2
    if isHEVC {
      if try payload.flag() {  // irap_cpb_params_present_flag
        // cpb_delay_offset, dpb_delay_offset
        try payload.skip(timing.removalLength + timing.outputLength)
        perBuffer = 4
      }
      // concatenation_flag, au_cpb_removal_delay_delta_minus1
      try payload.skip(1 + timing.removalLength)
    }
    // initial_cpb_removal_delay and its offset, then initial_alt_cpb_removal_delay and its
    for count in timing.counts { try payload.skip(count * perBuffer * timing.initialLength) }
  }

  private static func readTiming(
    _ payload: inout RawPayload,
    _ timing: BufferTiming,
    isHEVC: Bool
  ) throws(MetadataError) {
    // pic_struct, source_scan_type, duplicate_flag
    if isHEVC, timing.hasPictureStructure { try payload.skip(7) }
    // cpb_removal_delay or au_cpb_removal_delay_minus1, dpb_output_delay or pic_dpb_output_delay
    if !timing.counts.isEmpty { try payload.skip(timing.removalLength + timing.outputLength) }
    guard !isHEVC, timing.hasPictureStructure else { return }
    let structure = try payload.number(4)  // pic_struct
    guard structure < 9 else { throw RawPayload.damaged }
    // clock_timestamp_flag
    for _ in 0..<[1, 1, 1, 2, 2, 3, 3, 2, 3][structure] where try payload.flag() {
      try payload.skip(8)  // ct_type, nuit_field_based_flag, counting_type
      let isFull = try payload.flag()  // full_timestamp_flag
      try payload.skip(10)  // discontinuity_flag, cnt_dropped_flag, n_frames
      if isFull {
        try payload.skip(17)  // seconds_value, minutes_value, hours_value
      } else if try payload.flag() {  // seconds_flag
        try payload.skip(6)  // seconds_value
        if try payload.flag() {  // minutes_flag
          try payload.skip(6)  // minutes_value
          if try payload.flag() { try payload.skip(5) }  // hours_flag, hours_value
        }
      }
      try payload.skip(timing.offsetLength)  // time_offset
    }
  }

  private static func readPacking(
    _ payload: inout RawPayload,
    isHEVC: Bool
  ) throws(MetadataError) {
    try payload.skipGolombs()  // frame_packing_arrangement_id
    if try !payload.flag() {  // frame_packing_arrangement_cancel_flag
      let type = try payload.number(7)  // frame_packing_arrangement_type
      let isQuincunx = try payload.flag()  // quincunx_sampling_flag
      try payload.skip(12)  // content_interpretation_type to frame1_self_contained_flag
      // frame0_grid_position_x to frame1_grid_position_y
      if !isQuincunx, type != 5 { try payload.skip(16) }
      try payload.skip(8)  // frame_packing_arrangement_reserved_byte
      // frame_packing_arrangement_persistence_flag or frame_packing_arrangement_repetition_period
      if isHEVC { try payload.skip(1) } else { try payload.skipGolombs() }
    }
    try payload.skip(1)  // upsampled_aspect_ratio_flag or …_extension_flag
  }

  private static func readDisplays(_ payload: inout RawPayload) throws(MetadataError) {
    func skipMeasure(_ precision: Int) throws(MetadataError) {
      // exponent_ref_display_width or exponent_ref_viewing_distance
      let exponent = try payload.number(6)
      // mantissa_ref_display_width or mantissa_ref_viewing_distance
      try payload.skip(max(0, exponent == 0 ? precision - 30 : exponent + precision - 31))
    }
    let width = try payload.golomb(upTo: 31)  // prec_ref_display_width
    let hasDistance = try payload.flag()  // ref_viewing_distance_flag
    let distance = hasDistance ? try payload.golomb(upTo: 31) : 0  // prec_ref_viewing_dist
    for _ in 0...(try payload.golomb(upTo: 31)) {  // num_ref_displays_minus1
      try payload.skipGolombs(2)  // left_view_id, right_view_id
      try skipMeasure(width)
      if hasDistance { try skipMeasure(distance) }
      // additional_shift_present_flag, num_sample_shift_plus512
      if try payload.flag() { try payload.skip(10) }
    }
    try payload.skip(1)  // three_dimensional_reference_displays_extension_flag
  }
}
