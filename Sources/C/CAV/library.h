#ifndef CAV_LIBRARY_H
#define CAV_LIBRARY_H

#include "CAV.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/display.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/mem.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// FFmpeg 6.1 (Debian 13 has 7.1) keeps the side data of a stream in its codec parameters and deprecates
// the function of the stream, which is all that 5.1 has (Debian 12).
#define CAV_HAS_CODED_SIDE_DATA (LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 100))
#if CAV_HAS_CODED_SIDE_DATA
#define CAV_FORMAT_SIDE_DATA(F)
#define CAV_CODEC_SIDE_DATA(F) F(av_packet_side_data_get)
#else
#define CAV_FORMAT_SIDE_DATA(F) F(av_stream_get_side_data)
#define CAV_CODEC_SIDE_DATA(F)
#endif

#define CAV_FORMAT_FUNCTIONS(F) \
  F(avformat_alloc_context) F(avformat_open_input) F(avformat_close_input) \
  F(avformat_free_context) F(avformat_find_stream_info) F(av_find_input_format) \
  F(av_read_frame) F(avformat_seek_file) F(avio_alloc_context) F(avio_context_free) \
  F(avformat_alloc_output_context2) F(avformat_new_stream) F(avformat_write_header) \
  F(av_interleaved_write_frame) F(av_write_trailer) F(avio_flush) \
  CAV_FORMAT_SIDE_DATA(F)

#define CAV_CODEC_FUNCTIONS(F) \
  F(avcodec_find_decoder) F(avcodec_alloc_context3) F(avcodec_free_context) \
  F(avcodec_parameters_to_context) F(avcodec_open2) F(avcodec_send_packet) \
  F(avcodec_receive_frame) F(avcodec_flush_buffers) F(avcodec_get_name) F(av_packet_alloc) \
  F(av_packet_free) F(av_packet_unref) F(avcodec_find_encoder_by_name) F(avcodec_send_frame) \
  F(avcodec_receive_packet) F(avcodec_parameters_from_context) F(av_packet_rescale_ts) \
  CAV_CODEC_SIDE_DATA(F)

#define CAV_UTIL_FUNCTIONS(F) \
  F(av_malloc) F(av_free) F(av_max_alloc) F(av_log_set_level) F(av_frame_alloc) \
  F(av_frame_free) F(av_frame_unref) F(av_frame_get_side_data) F(av_dict_set) F(av_dict_free) \
  F(av_rescale_q) F(av_get_bytes_per_sample) F(av_dict_set_int) F(av_frame_get_buffer) \
  F(av_frame_make_writable) F(av_channel_layout_default) F(av_channel_layout_copy) \
  F(av_channel_layout_check) F(av_channel_layout_compare) F(av_channel_layout_uninit)

#define CAV_SCALE_FUNCTIONS(F) \
  F(sws_getCachedContext) F(sws_freeContext) F(sws_scale) F(sws_setColorspaceDetails) \
  F(sws_getCoefficients) F(sws_isSupportedInput)

#define CAV_RESAMPLE_FUNCTIONS(F) \
  F(swr_alloc_set_opts2) F(swr_init) F(swr_convert) F(swr_free)

#define CAV_MEMBER(name) __typeof__(&name) name;

struct cav_library {
  /// The names of all permitted decoders, separated by commas.
  char decoders[4096];
  CAV_FORMAT_FUNCTIONS(CAV_MEMBER)
  CAV_CODEC_FUNCTIONS(CAV_MEMBER)
  CAV_UTIL_FUNCTIONS(CAV_MEMBER)
  CAV_SCALE_FUNCTIONS(CAV_MEMBER)
  CAV_RESAMPLE_FUNCTIONS(CAV_MEMBER)
};

/// Fills in the names, after the functions were loaded.
void cav_list_decoders(cav_library *library);

#endif
