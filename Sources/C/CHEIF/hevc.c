#define _GNU_SOURCE 1
#include "still.h"

#include <dlfcn.h>
#include <libavcodec/avcodec.h>
#include <libavutil/log.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Source: avcodec.h, frame.h (FFmpeg 5.1); ISO/IEC 14496-15 section 8.3.3 (hvcC, which FFmpeg
// reads).

#define CODEC_FUNCTIONS(each)   \
  each(avcodec_find_decoder)    \
  each(avcodec_alloc_context3)  \
  each(avcodec_open2)           \
  each(avcodec_send_packet)     \
  each(avcodec_receive_frame)   \
  each(avcodec_flush_buffers)   \
  each(avcodec_free_context)    \
  each(av_packet_alloc)         \
  each(av_packet_free)

#define UTIL_FUNCTIONS(each) \
  each(av_mallocz)           \
  each(av_frame_alloc)       \
  each(av_frame_free)        \
  each(av_frame_unref)       \
  each(av_log_set_level)

static struct {
#define MEMBER(name) __typeof__(&name) name;
  CODEC_FUNCTIONS(MEMBER)
  UTIL_FUNCTIONS(MEMBER)
#undef MEMBER
} av;

/// Whether the libraries are installed and decode HEVC.
static bool is_loaded;

static void load_once(void) {
  void *codec =
    dlopen("libavcodec.so." CSTILL_NUMBER(LIBAVCODEC_VERSION_MAJOR), RTLD_LAZY | RTLD_LOCAL);
  void *util =
    dlopen("libavutil.so." CSTILL_NUMBER(LIBAVUTIL_VERSION_MAJOR), RTLD_LAZY | RTLD_LOCAL);
  if (!codec || !util) return;
#define FIND_CODEC(name) \
  if (!(av.name = (__typeof__(av.name))dlsym(codec, #name))) return;
#define FIND_UTIL(name) \
  if (!(av.name = (__typeof__(av.name))dlsym(util, #name))) return;
  CODEC_FUNCTIONS(FIND_CODEC)
  UTIL_FUNCTIONS(FIND_UTIL)
  if (!av.avcodec_find_decoder(AV_CODEC_ID_HEVC)) return;
  // FFmpeg's messages quote the file, which must not reach stderr.
  av.av_log_set_level(AV_LOG_QUIET);
  is_loaded = true;
}

static bool load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_once);
  return is_loaded;
}

struct hevc_decoder {
  AVCodecContext *context;
  AVFrame *frame;
  AVPacket *packet;
  bool is_strict;
};

static bool set_configuration(AVCodecContext *context, const cstill_options *options) {
  const size_t length = options->configuration_length;
  if (!options->configuration || length == 0 || length > 1 << 20) return false;
  // The context frees this memory, with FFmpeg's own allocator.
  context->extradata = av.av_mallocz(length + AV_INPUT_BUFFER_PADDING_SIZE);
  if (!context->extradata) return false;
  memcpy(context->extradata, options->configuration, length);
  context->extradata_size = (int)length;
  return true;
}

hevc_decoder *hevc_open(const cstill_options *options, cstill_status *status) {
  if (!load()) {
    *status = cstill_missing;
    return NULL;
  }
  *status = cstill_over_limit;
  hevc_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->is_strict = options->is_strict;
  decoder->context = av.avcodec_alloc_context3(av.avcodec_find_decoder(AV_CODEC_ID_HEVC));
  decoder->frame = av.av_frame_alloc();
  decoder->packet = av.av_packet_alloc();
  AVCodecContext *context = decoder->context;
  if (context && decoder->frame && decoder->packet) {
    *status = cstill_damaged;
    context->thread_count = 1;
    context->max_pixels = options->maximum_pixel_count;
    context->err_recognition =
      options->is_strict ? AV_EF_EXPLODE | AV_EF_BITSTREAM | AV_EF_BUFFER : 0;
    if (!options->is_strict) context->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
    if (options->is_rough) context->skip_loop_filter = AVDISCARD_ALL;
    if (
      set_configuration(context, options)
      && av.avcodec_open2(context, av.avcodec_find_decoder(AV_CODEC_ID_HEVC), NULL) == 0) {
      *status = cstill_success;
      return decoder;
    }
  }
  hevc_close(decoder);
  return NULL;
}

void hevc_close(hevc_decoder *decoder) {
  av.avcodec_free_context(&decoder->context);
  av.av_frame_free(&decoder->frame);
  av.av_packet_free(&decoder->packet);
  free(decoder);
}

/// Describes a pixel format; false for formats that HEVC pictures never have.
static bool describe(int format, cstill_picture *picture) {
  picture->plane_count = 3;
  picture->chroma_width = 2;
  picture->chroma_height = 2;
  picture->bits = 8;
  switch (format) {
    case AV_PIX_FMT_GRAY12LE: picture->bits += 2; // fall through
    case AV_PIX_FMT_GRAY10LE: picture->bits += 2; // fall through
    case AV_PIX_FMT_GRAY8: picture->plane_count = 1; return true;
    case AV_PIX_FMT_YUV420P12LE: picture->bits += 2; // fall through
    case AV_PIX_FMT_YUV420P10LE: picture->bits += 2; // fall through
    case AV_PIX_FMT_YUVJ420P:
    case AV_PIX_FMT_YUV420P: return true;
    case AV_PIX_FMT_YUV422P12LE: picture->bits += 2; // fall through
    case AV_PIX_FMT_YUV422P10LE: picture->bits += 2; // fall through
    case AV_PIX_FMT_YUVJ422P:
    case AV_PIX_FMT_YUV422P: picture->chroma_height = 1; return true;
    case AV_PIX_FMT_YUV444P12LE: picture->bits += 2; // fall through
    case AV_PIX_FMT_YUV444P10LE: picture->bits += 2; // fall through
    case AV_PIX_FMT_YUVJ444P:
    case AV_PIX_FMT_YUV444P:
      picture->chroma_width = 1;
      picture->chroma_height = 1;
      return true;
    default: return false;
  }
}

static cstill_status status_of(int error) {
  switch (error) {
    case AVERROR(ENOMEM):
    case AVERROR(EINVAL): return cstill_over_limit;
    case AVERROR_PATCHWELCOME: return cstill_unsupported;
    default: return cstill_damaged;
  }
}

cstill_status hevc_decode(
  hevc_decoder *decoder, const uint8_t *bytes, size_t length, cstill_picture *picture) {
  av.av_frame_unref(decoder->frame);
  av.avcodec_flush_buffers(decoder->context);
  // FFmpeg only reads the bytes, and copies them with padding, since the packet does not own them.
  decoder->packet->data = (uint8_t *)bytes;
  decoder->packet->size = (int)length;
  int error = av.avcodec_send_packet(decoder->context, decoder->packet);
  decoder->packet->data = NULL;
  decoder->packet->size = 0;
  if (error == 0) error = av.avcodec_send_packet(decoder->context, NULL);
  if (error == 0) error = av.avcodec_receive_frame(decoder->context, decoder->frame);
  if (error != 0) return status_of(error);
  const AVFrame *frame = decoder->frame;
  const bool is_corrupt = frame->decode_error_flags || frame->flags & AV_FRAME_FLAG_CORRUPT;
  if (decoder->is_strict && is_corrupt) return cstill_damaged;
  *picture = (cstill_picture){
    .width = frame->width,
    .height = frame->height,
    .primaries = frame->color_primaries,
    .transfer = frame->color_trc,
    .matrix = frame->colorspace,
    .is_full_range = frame->color_range == AVCOL_RANGE_JPEG,
  };
  if (!describe(frame->format, picture)) return cstill_unsupported;
  for (int index = 0; index < picture->plane_count; index++) {
    if (frame->linesize[index] <= 0) return cstill_unsupported;
    picture->planes[index] = frame->data[index];
    picture->strides[index] = frame->linesize[index];
  }
  return cstill_success;
}
