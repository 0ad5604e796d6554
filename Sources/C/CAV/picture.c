#define _GNU_SOURCE 1
#include "reader.h"

#include <errno.h>
#include <string.h>

static int peak_nits(const cav_reader *reader) {
  const cav_library *av = reader->av;
  AVFrameSideData *data = av->av_frame_get_side_data(
    reader->frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
  if (!data) return 0;
  const AVMasteringDisplayMetadata *display = (const void *)data->data;
  if (!display->has_luminance || display->max_luminance.den <= 0) return 0;
  int64_t nits = display->max_luminance.num / display->max_luminance.den;
  return nits > 0 && nits <= 10000 ? (int)nits : 0;
}

static void describe(cav_reader *reader, struct cav_picture *picture) {
  const AVFrame *frame = reader->frame;
  AVRational aspect = reader->stream->sample_aspect_ratio;
  if (aspect.num <= 0 || aspect.den <= 0) aspect = frame->sample_aspect_ratio;
  if (aspect.num <= 0 || aspect.den <= 0) aspect = (AVRational){1, 1};
  bool is_reduced = reader->codec->lowres > 0;
  *picture = (struct cav_picture){
    .width = is_reduced ? reader->stream->codecpar->width : frame->width,
    .height = is_reduced ? reader->stream->codecpar->height : frame->height,
    .aspect_width = aspect.num,
    .aspect_height = aspect.den,
    .time_ms = cav_time_ms(reader, frame->best_effort_timestamp),
    .primaries = frame->color_primaries,
    .transfer = frame->color_trc,
    .matrix = frame->colorspace,
    .is_full_range = frame->color_range == AVCOL_RANGE_JPEG,
    .is_broken = reader->has_refused || frame->decode_error_flags != 0
                 || (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0,
    .peak_nits = peak_nits(reader),
  };
  reader->has_refused = false;
}

/// Sends the next packet, or the end of the stream, to the decoder.
static int feed(cav_reader *reader, int64_t end_ms) {
  const cav_library *av = reader->av;
  for (;;) {
    if (reader->is_draining) return CAV_END;
    int status = cav_next_packet(reader);
    if (status == CAV_OVER_LIMIT) return status;
    const AVPacket *packet = reader->packet;
    int64_t time = cav_time_ms(reader, packet->pts == AV_NOPTS_VALUE ? packet->dts : packet->pts);
    if (status == CAV_END || time >= end_ms) {
      reader->is_draining = true;
      // Draining fails if the decoder holds no frame, which is an end as well.
      return av->avcodec_send_packet(reader->codec, NULL) == 0 ? CAV_OK : CAV_END;
    }
    bool is_key = (packet->flags & AV_PKT_FLAG_KEY) != 0;
    if (!is_key) reader->saw_other_frames = true;
    if (!is_key && reader->mode == CAV_KEY_FRAMES) continue;
    int sent = av->avcodec_send_packet(reader->codec, packet);
    if (sent == AVERROR(ENOMEM)) return CAV_OVER_LIMIT;
    if (sent < 0) {
      reader->has_refused = true;
      continue;
    }
    // A decoder that delays frames for reordering returns this one at once.
    if (reader->mode == CAV_KEY_FRAMES) av->avcodec_send_packet(reader->codec, NULL);
    return CAV_OK;
  }
}

int cav_next_picture(cav_reader *reader, int64_t end_ms, struct cav_picture *picture) {
  const cav_library *av = reader->av;
  // This is more than the first seconds of most codecs; a stream may have no times, or no packets.
  reader->packet_byte_limit = 256 << 20;
  for (;;) {
    int status = av->avcodec_receive_frame(reader->codec, reader->frame);
    if (!reader->stream) return CAV_END;
    if (status == 0) {
      if (reader->frame->width <= 0 || reader->frame->height <= 0) continue;
      describe(reader, picture);
      return CAV_OK;
    }
    if (status == AVERROR(ENOMEM)) return CAV_OVER_LIMIT;
    if (status == AVERROR_EOF) {
      if (reader->is_draining) return CAV_END;
      // This is the end of one key frame that was decoded alone.
      av->avcodec_flush_buffers(reader->codec);
    } else if (status != AVERROR(EAGAIN)) {
      reader->has_refused = true;
    }
    int fed = feed(reader, end_ms);
    if (fed != CAV_OK) return fed;
  }
}

bool cav_saw_only_key_frames(const cav_reader *reader) { return !reader->saw_other_frames; }

int cav_resize(
  cav_reader *reader, int matrix, bool is_full_range, int bits, int width, int height,
  void *pixels, int stride) {
  const cav_library *av = reader->av;
  const AVFrame *frame = reader->frame;
  if (!av->sws_isSupportedInput(frame->format)) return CAV_UNSUPPORTED;
  bool is_much_smaller = width * 3 <= frame->width * 2 && height * 3 <= frame->height * 2;
  int flags = (is_much_smaller ? SWS_AREA : SWS_BICUBIC) | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP;
  reader->scaler = av->sws_getCachedContext(
    reader->scaler, frame->width, frame->height, frame->format, width, height,
    bits == 16 ? AV_PIX_FMT_RGBA64 : AV_PIX_FMT_RGBA, flags, NULL, NULL, NULL);
  if (!reader->scaler) return CAV_OVER_LIMIT;
  const int *coefficients = av->sws_getCoefficients(matrix);
  av->sws_setColorspaceDetails(
    reader->scaler, coefficients, is_full_range, coefficients, 1, 0, 1 << 16, 1 << 16);
  uint8_t *planes[4] = {pixels};
  int strides[4] = {stride};
  int rows = av->sws_scale(
    reader->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height,
    planes, strides);
  return rows == height ? CAV_OK : CAV_DAMAGED;
}
