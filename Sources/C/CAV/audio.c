#define _GNU_SOURCE 1
#include "reader.h"

#include <errno.h>
#include <float.h>

static int feed(cav_reader *reader, int64_t skip_period_ms, int64_t skip_after_ms) {
  const cav_library *av = reader->av;
  for (;;) {
    if (reader->is_draining) return CAV_END;
    int status = cav_next_packet(reader);
    if (status == CAV_OVER_LIMIT) return status;
    if (status == CAV_END) {
      reader->is_draining = true;
      return av->avcodec_send_packet(reader->codec, NULL) == 0 ? CAV_OK : CAV_END;
    }
    int64_t time = cav_time_ms(reader, reader->packet->pts);
    if (skip_period_ms > 0 && time >= 0 && time % skip_period_ms >= skip_after_ms) continue;
    int sent = av->avcodec_send_packet(reader->codec, reader->packet);
    if (sent == AVERROR(ENOMEM)) return CAV_OVER_LIMIT;
    if (sent == 0) return CAV_OK;
  }
}

int cav_next_audio(
  cav_reader *reader, int64_t skip_period_ms, int64_t skip_after_ms, struct cav_audio *audio) {
  const cav_library *av = reader->av;
  for (;;) {
    int status = av->avcodec_receive_frame(reader->codec, reader->frame);
    if (!reader->stream) return CAV_END;
    if (status == 0) {
      const AVFrame *frame = reader->frame;
      if (frame->nb_samples <= 0 || frame->ch_layout.nb_channels <= 0) continue;
      int64_t position = -1;
      if (frame->best_effort_timestamp != AV_NOPTS_VALUE && frame->sample_rate > 0) {
        int64_t start = reader->stream->start_time;
        position = av->av_rescale_q(
          frame->best_effort_timestamp - (start == AV_NOPTS_VALUE ? 0 : start),
          reader->stream->time_base, (AVRational){1, frame->sample_rate});
      }
      *audio = (struct cav_audio){
        .count = frame->nb_samples,
        .channels = frame->ch_layout.nb_channels,
        .sample_rate = frame->sample_rate,
        .position = position,
      };
      return CAV_OK;
    }
    if (status == AVERROR(ENOMEM)) return CAV_OVER_LIMIT;
    if (status == AVERROR_EOF) return CAV_END;
    int fed = feed(reader, skip_period_ms, skip_after_ms);
    if (fed != CAV_OK) return fed;
  }
}

enum { lanes = 16 };

/// Measures sixteen values at a time, so that the compiler can keep them in vector registers.
#define CAV_MEASURE(name, type, wide, scale, bias) \
  static struct cav_level name(const type *samples, int count) { \
    wide low[lanes], high[lanes]; \
    double energy = 0; \
    for (int lane = 0; lane < lanes; lane++) { \
      low[lane] = high[lane] = count > 0 ? (wide)samples[0] - bias : 0; \
    } \
    int index = 0; \
    while (index + lanes <= count) { \
      float sums[lanes] = {0}; \
      int end = index + 4096 < count - lanes ? index + 4096 : count - lanes; \
      for (; index <= end; index += lanes) { \
        for (int lane = 0; lane < lanes; lane++) { \
          wide value = (wide)samples[index + lane] - bias; \
          low[lane] = value < low[lane] ? value : low[lane]; \
          high[lane] = value > high[lane] ? value : high[lane]; \
          float level = (float)value * (float)(scale); \
          sums[lane] += level * level; \
        } \
      } \
      for (int lane = 0; lane < lanes; lane++) energy += sums[lane]; \
    } \
    for (; index < count; index++) { \
      wide value = (wide)samples[index] - bias; \
      low[0] = value < low[0] ? value : low[0]; \
      high[0] = value > high[0] ? value : high[0]; \
      float level = (float)value * (float)(scale); \
      energy += level * level; \
    } \
    for (int lane = 1; lane < lanes; lane++) { \
      low[0] = low[lane] < low[0] ? low[lane] : low[0]; \
      high[0] = high[lane] > high[0] ? high[lane] : high[0]; \
    } \
    return (struct cav_level){(float)(low[0] * (scale)), (float)(high[0] * (scale)), energy}; \
  }

CAV_MEASURE(measure_u8, uint8_t, int32_t, 1.0f / 128, 128)
CAV_MEASURE(measure_s16, int16_t, int32_t, 1.0f / 32768, 0)
CAV_MEASURE(measure_s32, int32_t, int32_t, 1.0f / 2147483648.0f, 0)
CAV_MEASURE(measure_s64, int64_t, int64_t, 1.0f / 9223372036854775808.0f, 0)
CAV_MEASURE(measure_float, float, float, 1.0f, 0)
CAV_MEASURE(measure_double, double, double, 1.0f, 0)

/// `data` is aligned for the format, as FFmpeg allocates each frame (av_frame_get_buffer).
static struct cav_level measure(const void *data, int format, int count) {
  switch (format) {
    case AV_SAMPLE_FMT_U8:
    case AV_SAMPLE_FMT_U8P:
      return measure_u8(data, count);
    case AV_SAMPLE_FMT_S16:
    case AV_SAMPLE_FMT_S16P:
      return measure_s16(data, count);
    case AV_SAMPLE_FMT_S32:
    case AV_SAMPLE_FMT_S32P:
      return measure_s32(data, count);
    case AV_SAMPLE_FMT_S64:
    case AV_SAMPLE_FMT_S64P:
      return measure_s64(data, count);
    case AV_SAMPLE_FMT_FLT:
    case AV_SAMPLE_FMT_FLTP:
      return measure_float(data, count);
    case AV_SAMPLE_FMT_DBL:
    case AV_SAMPLE_FMT_DBLP:
      return measure_double(data, count);
    default:
      return (struct cav_level){0, 0, 0};
  }
}

struct cav_level cav_measure(const cav_reader *reader, int first, int count) {
  const AVFrame *frame = reader->frame;
  int channels = frame->ch_layout.nb_channels;
  int width = reader->av->av_get_bytes_per_sample(frame->format);
  struct cav_level total = {0, 0, 0};
  if (width <= 0 || first < 0 || count <= 0 || first > frame->nb_samples - count) return total;
  bool is_planar = frame->format >= AV_SAMPLE_FMT_U8P && frame->format != AV_SAMPLE_FMT_S64;
  if (!is_planar) {
    const uint8_t *data = frame->extended_data[0] + (size_t)first * channels * width;
    return measure(data, frame->format, count * channels);
  }
  for (int channel = 0; channel < channels; channel++) {
    const uint8_t *data = frame->extended_data[channel] + (size_t)first * width;
    struct cav_level level = measure(data, frame->format, count);
    if (channel == 0 || level.low < total.low) total.low = level.low;
    if (channel == 0 || level.high > total.high) total.high = level.high;
    total.energy += level.energy;
  }
  return total;
}
