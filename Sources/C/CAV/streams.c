#define _GNU_SOURCE 1
#include "reader.h"

#include <stdio.h>
#include <string.h>

/// The codecs that cameras, phones and recorders write; no other decoder is used, even if
/// installed.
static const enum AVCodecID allowed[] = {
  // Video codecs.
  AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9,
  AV_CODEC_ID_MPEG4, AV_CODEC_ID_H263, AV_CODEC_ID_H263P, AV_CODEC_ID_MPEG1VIDEO,
  AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MJPEG, AV_CODEC_ID_MJPEGB, AV_CODEC_ID_PRORES,
  AV_CODEC_ID_DNXHD, AV_CODEC_ID_CFHD, AV_CODEC_ID_DVVIDEO, AV_CODEC_ID_MSMPEG4V1,
  AV_CODEC_ID_MSMPEG4V2, AV_CODEC_ID_MSMPEG4V3, AV_CODEC_ID_WMV1, AV_CODEC_ID_WMV2,
  AV_CODEC_ID_WMV3, AV_CODEC_ID_VC1, AV_CODEC_ID_THEORA, AV_CODEC_ID_SVQ1, AV_CODEC_ID_SVQ3,
  AV_CODEC_ID_CINEPAK, AV_CODEC_ID_QTRLE, AV_CODEC_ID_HUFFYUV, AV_CODEC_ID_FFVHUFF,
  AV_CODEC_ID_FFV1, AV_CODEC_ID_UTVIDEO, AV_CODEC_ID_RAWVIDEO, AV_CODEC_ID_V210, AV_CODEC_ID_PNG,
  AV_CODEC_ID_AIC, AV_CODEC_ID_JPEG2000, AV_CODEC_ID_RPZA, AV_CODEC_ID_SMC, AV_CODEC_ID_MSRLE,
  AV_CODEC_ID_MSVIDEO1, AV_CODEC_ID_INDEO3, AV_CODEC_ID_INDEO5, AV_CODEC_ID_FLV1,
  AV_CODEC_ID_VP6, AV_CODEC_ID_VP6F,
  // Audio codecs.
  AV_CODEC_ID_AAC, AV_CODEC_ID_AAC_LATM, AV_CODEC_ID_ALAC, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3,
  AV_CODEC_ID_VORBIS, AV_CODEC_ID_OPUS, AV_CODEC_ID_FLAC, AV_CODEC_ID_SPEEX, AV_CODEC_ID_AC3,
  AV_CODEC_ID_EAC3, AV_CODEC_ID_DTS, AV_CODEC_ID_WMAV1, AV_CODEC_ID_WMAV2, AV_CODEC_ID_WMAPRO,
  AV_CODEC_ID_WMALOSSLESS, AV_CODEC_ID_WMAVOICE, AV_CODEC_ID_AMR_NB, AV_CODEC_ID_AMR_WB,
  AV_CODEC_ID_GSM, AV_CODEC_ID_GSM_MS, AV_CODEC_ID_ADPCM_IMA_WAV, AV_CODEC_ID_ADPCM_IMA_QT,
  AV_CODEC_ID_ADPCM_MS, AV_CODEC_ID_QDM2, AV_CODEC_ID_MACE3, AV_CODEC_ID_MACE6,
  AV_CODEC_ID_QCELP, AV_CODEC_ID_ADPCM_SWF, AV_CODEC_ID_NELLYMOSER,
};

enum { pcm_end = AV_CODEC_ID_FIRST_AUDIO + 256 };

static bool is_allowed(enum AVCodecID identifier) {
  for (size_t index = 0; index < sizeof allowed / sizeof *allowed; index++) {
    if (allowed[index] == identifier) return true;
  }
  // The PCM codecs are one range of identifiers.
  return identifier >= AV_CODEC_ID_FIRST_AUDIO && identifier < pcm_end;
}

static void add_decoder(cav_library *library, enum AVCodecID identifier) {
  const AVCodec *decoder = library->avcodec_find_decoder(identifier);
  if (!decoder) return;
  size_t length = strlen(library->decoders);
  snprintf(
    library->decoders + length, sizeof library->decoders - length, "%s%s", length ? "," : "",
    decoder->name);
}

void cav_list_decoders(cav_library *library) {
  for (size_t index = 0; index < sizeof allowed / sizeof *allowed; index++) {
    add_decoder(library, allowed[index]);
  }
  for (int identifier = AV_CODEC_ID_FIRST_AUDIO; identifier < pcm_end; identifier++) {
    add_decoder(library, identifier);
  }
}

int cav_stream_count(const cav_reader *reader) {
  return reader->format ? (int)reader->format->nb_streams : 0;
}

static int64_t stream_ms(const cav_reader *reader, const AVStream *stream) {
  if (stream->duration == AV_NOPTS_VALUE || stream->duration <= 0) return 0;
  return reader->av->av_rescale_q(stream->duration, stream->time_base, (AVRational){1, 1000});
}

int64_t cav_duration_ms(const cav_reader *reader) {
  const AVFormatContext *format = reader->format;
  if (!format) return 0;
  if (format->duration != AV_NOPTS_VALUE && format->duration > 0) return format->duration / 1000;
  // Many demuxers give only the durations of the streams.
  int64_t longest = 0;
  for (unsigned index = 0; index < format->nb_streams; index++) {
    int64_t duration = stream_ms(reader, format->streams[index]);
    if (duration > longest) longest = duration;
  }
  return longest;
}

static int kind_of(const AVStream *stream) {
  switch (stream->codecpar->codec_type) {
    case AVMEDIA_TYPE_VIDEO:
      return stream->disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS)
               ? CAV_KIND_COVER
               : CAV_KIND_VIDEO;
    case AVMEDIA_TYPE_AUDIO:
      return CAV_KIND_AUDIO;
    case AVMEDIA_TYPE_SUBTITLE:
      return CAV_KIND_TEXT;
    case AVMEDIA_TYPE_DATA:
      return CAV_KIND_METADATA;
    default:
      return CAV_KIND_OTHER;
  }
}

void cav_describe(const cav_reader *reader, int index, struct cav_stream *stream) {
  const cav_library *av = reader->av;
  const AVStream *source = reader->format->streams[index];
  const AVCodecParameters *codec = source->codecpar;
  memset(stream, 0, sizeof *stream);
  stream->kind = kind_of(source);
  stream->tag = codec->codec_tag;
  if (codec->codec_id != AV_CODEC_ID_NONE) {
    snprintf(stream->codec, sizeof stream->codec, "%s", av->avcodec_get_name(codec->codec_id));
  }
  stream->width = codec->width;
  stream->height = codec->height;
  AVRational rate = source->avg_frame_rate;
  if (rate.num <= 0 || rate.den <= 0) rate = source->r_frame_rate;
  if (rate.num > 0 && rate.den > 0) {
    stream->rate_numerator = rate.num;
    stream->rate_denominator = rate.den;
  }
  stream->channels = codec->ch_layout.nb_channels;
  stream->sample_rate = codec->sample_rate;
  stream->duration_ms = stream_ms(reader, source);
}

bool cav_display_matrix(const cav_reader *reader, int index, int32_t matrix[4]) {
  const AVStream *stream = reader->format->streams[index];
#if CAV_HAS_CODED_SIDE_DATA
  const AVPacketSideData *found = reader->av->av_packet_side_data_get(
    stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data,
    AV_PKT_DATA_DISPLAYMATRIX);
  const size_t size = found ? found->size : 0;
  const uint8_t *data = found ? found->data : NULL;
#else
  size_t size = 0;
  const uint8_t *data =
    reader->av->av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
#endif
  if (!data || size < 9 * sizeof(int32_t)) return false;
  int32_t values[9];
  memcpy(values, data, sizeof values);
  matrix[0] = values[0];
  matrix[1] = values[1];
  matrix[2] = values[3];
  matrix[3] = values[4];
  return true;
}

int cav_select(cav_reader *reader, int index, int eighths) {
  const cav_library *av = reader->av;
  AVStream *stream = reader->format->streams[index];
  if (!is_allowed(stream->codecpar->codec_id)) return CAV_UNSUPPORTED;
  const AVCodec *decoder = av->avcodec_find_decoder(stream->codecpar->codec_id);
  if (!decoder) return CAV_UNSUPPORTED;
  if (reader->codec) av->avcodec_free_context(&reader->codec);
  reader->codec = av->avcodec_alloc_context3(decoder);
  if (!reader->codec) return CAV_OVER_LIMIT;
  int status = av->avcodec_parameters_to_context(reader->codec, stream->codecpar);
  if (status < 0) return cav_result_of(status);
  reader->codec->pkt_timebase = stream->time_base;
  // The pool of workers is the parallelism.
  reader->codec->thread_count = 1;
  reader->codec->max_pixels = reader->maximum_pixels;
  if (decoder->id == AV_CODEC_ID_MJPEG) {
    // In other codecs, the errors of reduced decoding would accumulate from frame to frame.
    for (int scale = 4; scale >= eighths && reader->codec->lowres < decoder->max_lowres; scale /= 2) {
      reader->codec->lowres++;
    }
  }
  status = av->avcodec_open2(reader->codec, decoder, NULL);
  if (status < 0) return cav_result_of(status);
  cav_choose(reader, index);
  reader->packet_byte_limit = INT64_MAX;
  return CAV_OK;
}
