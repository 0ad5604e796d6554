#define _GNU_SOURCE 1
#include "reader.h"

#include "CAVFilm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { sink_buffer_bytes = 256 << 10, longest_silence_seconds = 600 };

struct cav_writer {
  const cav_library *av;
  struct cav_film film;
  cav_sink sink;
  void *context;
  int64_t offset;
  int64_t length;
  AVFormatContext *format;
  AVIOContext *io;
  AVPacket *packet;
  AVCodecContext *video;
  AVStream *video_stream;
  struct SwsContext *scaler;
  /// The picture before and after it is turned; the same picture if it stands upright.
  AVFrame *stored;
  AVFrame *upright;
  /// The time of the last picture, and how long pictures last on average, in the encoder's time base.
  int64_t picture_time;
  int64_t picture_duration;
  AVCodecContext *audio;
  AVStream *audio_stream;
  struct SwrContext *resampler;
  /// What the resampler was made for.
  AVChannelLayout input_layout;
  int input_format;
  int input_rate;
  AVFrame *samples;
  /// The samples of `samples` that are filled, and the position of its first one.
  int filled;
  int64_t sound_position;
  bool has_sound;
};

// MARK: - Output

#if LIBAVFORMAT_VERSION_MAJOR >= 61
static int write_bytes(void *opaque, const uint8_t *bytes, int count) {
#else
static int write_bytes(void *opaque, uint8_t *bytes, int count) {
#endif
  cav_writer *writer = opaque;
  // The muxer fills with zeros what it leaves free for the index, a whole buffer each time: nobody has to
  // send them.
  bool is_zero =
    count == sink_buffer_bytes && bytes[0] == 0 && !memcmp(bytes, bytes + 1, (size_t)count - 1);
  if (!is_zero && writer->sink(writer->context, writer->offset, bytes, count) < 0) {
    return AVERROR(EIO);
  }
  writer->offset += count;
  if (writer->offset > writer->length) writer->length = writer->offset;
  return count;
}

static int64_t seek_output(void *opaque, int64_t offset, int whence) {
  cav_writer *writer = opaque;
  if (whence & AVSEEK_SIZE) return writer->length;
  switch (whence & ~AVSEEK_FORCE) {
    case SEEK_SET:
      break;
    case SEEK_CUR:
      offset += writer->offset;
      break;
    case SEEK_END:
      offset += writer->length;
      break;
    default:
      return AVERROR(EINVAL);
  }
  return offset < 0 ? AVERROR(EINVAL) : (writer->offset = offset);
}

static int open_output(cav_writer *writer) {
  const cav_library *av = writer->av;
  int status = av->avformat_alloc_output_context2(&writer->format, NULL, "mp4", NULL);
  if (status < 0) return status;
  uint8_t *buffer = av->av_malloc(sink_buffer_bytes);
  if (!buffer) return AVERROR(ENOMEM);
  writer->io = av->avio_alloc_context(
    buffer, sink_buffer_bytes, 1, writer, NULL, write_bytes, seek_output);
  if (!writer->io) {
    av->av_free(buffer);
    return AVERROR(ENOMEM);
  }
  writer->io->seekable = AVIO_SEEKABLE_NORMAL;
  writer->format->pb = writer->io;
  // Without it the muxer names itself in the film.
  writer->format->flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_CUSTOM_IO;
  return 0;
}

/// Moves the packets of an encoder into the film.
static int drain(cav_writer *writer, AVCodecContext *codec, const AVStream *stream) {
  const cav_library *av = writer->av;
  for (;;) {
    int status = av->avcodec_receive_packet(codec, writer->packet);
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return 0;
    if (status < 0) return status;
    writer->packet->stream_index = stream->index;
    // The muxer keeps it as the length of the last picture.
    if (codec == writer->video) writer->packet->duration = writer->picture_duration;
    av->av_packet_rescale_ts(writer->packet, codec->time_base, stream->time_base);
    status = av->av_interleaved_write_frame(writer->format, writer->packet);
    if (status < 0) return status;
  }
}

static int encode(
  cav_writer *writer, AVCodecContext *codec, const AVStream *stream, const AVFrame *frame) {
  int status = writer->av->avcodec_send_frame(codec, frame);
  return status < 0 ? status : drain(writer, codec, stream);
}

static int add_stream(
  cav_writer *writer, AVCodecContext *codec, const AVCodec *encoder, AVDictionary **options,
  AVStream **stream) {
  const cav_library *av = writer->av;
  // The worker may use one processor, and bitexact leaves out the encoder's name where it can.
  codec->thread_count = 1;
  codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT;
  int status = av->avcodec_open2(codec, encoder, options);
  if (status < 0) return status;
  *stream = av->avformat_new_stream(writer->format, NULL);
  if (!*stream) return AVERROR(ENOMEM);
  (*stream)->time_base = codec->time_base;
  return av->avcodec_parameters_from_context((*stream)->codecpar, codec);
}

// MARK: - Pictures

static AVFrame *new_picture(const cav_library *av, int width, int height) {
  AVFrame *frame = av->av_frame_alloc();
  if (!frame) return NULL;
  frame->format = AV_PIX_FMT_YUV420P;
  frame->width = width;
  frame->height = height;
  if (av->av_frame_get_buffer(frame, 0) < 0) av->av_frame_free(&frame);
  return frame;
}

static int open_video(cav_writer *writer, const cav_reader *reader) {
  const cav_library *av = writer->av;
  const struct cav_film *film = &writer->film;
  const AVCodec *encoder = av->avcodec_find_encoder_by_name("libx264");
  if (!encoder) return AVERROR_ENCODER_NOT_FOUND;
  if (!(writer->video = av->avcodec_alloc_context3(encoder))) return AVERROR(ENOMEM);
  AVRational rate = reader->stream->avg_frame_rate;
  if (rate.num <= 0 || rate.den <= 0 || rate.num / rate.den > 1000) rate = (AVRational){30, 1};
  AVRational base = reader->stream->time_base;
  // A base that is too coarse for the rate would put pictures at one time.
  if (base.num <= 0 || base.den / base.num < 1000 || base.den > 1000000) {
    base = (AVRational){1, 90000};
  }
  AVCodecContext *video = writer->video;
  video->width = film->width;
  video->height = film->height;
  video->pix_fmt = AV_PIX_FMT_YUV420P;
  video->time_base = base;
  video->framerate = rate;
  video->sample_aspect_ratio = (AVRational){1, 1};
  video->color_range = AVCOL_RANGE_MPEG;
  video->color_primaries = film->primaries;
  video->color_trc = film->transfer;
  video->colorspace = film->matrix;
  // Four seconds between places to begin at.
  video->gop_size = rate.num / rate.den * 4 + 4;
  writer->picture_duration = av->av_rescale_q(1, (AVRational){rate.den, rate.num}, base);
  if (writer->picture_duration < 1) writer->picture_duration = 1;
  AVDictionary *options = NULL;
  av->av_dict_set(&options, "preset", "veryfast", 0);
  av->av_dict_set(&options, "crf", "22", 0);
  av->av_dict_set(&options, "profile", "high", 0);
  // One thread in all.
  av->av_dict_set(&options, "x264-params", "lookahead-threads=1:sliced-threads=0:sync-lookahead=0", 0);
  int status = add_stream(writer, video, encoder, &options, &writer->video_stream);
  av->av_dict_free(&options);
  if (status < 0) return status;
  writer->video_stream->avg_frame_rate = rate;
  writer->upright = new_picture(av, film->width, film->height);
  bool is_turned = film->is_transposed || film->flips_x || film->flips_y;
  if (is_turned) {
    writer->stored = film->is_transposed ? new_picture(av, film->height, film->width)
                                         : new_picture(av, film->width, film->height);
  }
  writer->picture_time = INT64_MIN;
  return writer->upright && (!is_turned || writer->stored) ? 0 : AVERROR(ENOMEM);
}

/// Turns one plane of a picture, `width` and `height` of the upright one.
static void turn(
  const struct cav_film *film, const uint8_t *stored, int stored_stride, uint8_t *upright,
  int upright_stride, int width, int height) {
  int stored_width = film->is_transposed ? height : width;
  int stored_height = film->is_transposed ? width : height;
  for (int y = 0; y < height; y++) {
    uint8_t *row = upright + (ptrdiff_t)y * upright_stride;
    for (int x = 0; x < width; x++) {
      int column = film->is_transposed ? y : x;
      int line = film->is_transposed ? x : y;
      if (film->flips_x) column = stored_width - 1 - column;
      if (film->flips_y) line = stored_height - 1 - line;
      row[x] = stored[(ptrdiff_t)line * stored_stride + column];
    }
  }
}

static int scale(
  cav_writer *writer, const cav_reader *reader, const uint8_t *pixels, int matrix,
  bool is_full_range, AVFrame *target) {
  const cav_library *av = writer->av;
  const AVFrame *frame = reader->frame;
  const uint8_t *const rgba[4] = {pixels};
  const int stride[4] = {target->width * 4};
  int width = pixels ? target->width : frame->width;
  int height = pixels ? target->height : frame->height;
  int format = pixels ? AV_PIX_FMT_RGBA : frame->format;
  if (!av->sws_isSupportedInput(format)) return AVERROR(ENOSYS);
  writer->scaler = av->sws_getCachedContext(
    writer->scaler, width, height, format, target->width, target->height, AV_PIX_FMT_YUV420P,
    SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP, NULL, NULL, NULL);
  if (!writer->scaler) return AVERROR(ENOMEM);
  const int *output = av->sws_getCoefficients(writer->film.matrix);
  const int *input = pixels ? output : av->sws_getCoefficients(matrix);
  av->sws_setColorspaceDetails(
    writer->scaler, input, pixels || is_full_range, output, 0, 0, 1 << 16, 1 << 16);
  int rows = av->sws_scale(
    writer->scaler, pixels ? rgba : (const uint8_t *const *)frame->data,
    pixels ? stride : frame->linesize, 0, height, target->data, target->linesize);
  return rows == target->height ? 0 : AVERROR_INVALIDDATA;
}

/// Returns a time of a stream, counted from the start of the file; the streams of a film share it.
static int64_t time_in_film(const cav_reader *reader, AVRational base) {
  const cav_library *av = reader->av;
  int64_t time = reader->frame->best_effort_timestamp;
  if (time == AV_NOPTS_VALUE) return INT64_MIN;
  int64_t start = reader->format->start_time;
  time = av->av_rescale_q(time, reader->stream->time_base, base);
  if (start != AV_NOPTS_VALUE) time -= av->av_rescale_q(start, AV_TIME_BASE_Q, base);
  return time;
}

int cav_add_picture(
  cav_writer *writer, cav_reader *reader, const uint8_t *pixels, int matrix, bool is_full_range) {
  const cav_library *av = writer->av;
  // The bounds of a poster are those of its first seconds.
  reader->packet_bytes = 0;
  AVFrame *upright = writer->upright;
  AVFrame *target = writer->stored ? writer->stored : upright;
  if (av->av_frame_make_writable(upright) < 0) return CAV_OVER_LIMIT;
  int status = scale(writer, reader, pixels, matrix, is_full_range, target);
  if (status < 0) return cav_result_of(status);
  for (int plane = 0; writer->stored && plane < 3; plane++) {
    int halved = plane > 0;
    turn(
      &writer->film, target->data[plane], target->linesize[plane], upright->data[plane],
      upright->linesize[plane], upright->width >> halved, upright->height >> halved);
  }
  int64_t time = time_in_film(reader, writer->video->time_base);
  int64_t last = writer->picture_time;
  if (last == INT64_MIN) {
    if (time < 0) time = 0;
  } else if (time == INT64_MIN) {
    time = last + writer->picture_duration;
  } else if (time <= last) {
    time = last + 1;
  }
  writer->picture_time = upright->pts = time;
  // The encoder chooses where to begin anew.
  upright->pict_type = AV_PICTURE_TYPE_NONE;
  status = encode(writer, writer->video, writer->video_stream, upright);
  return status < 0 ? cav_result_of(status) : CAV_OK;
}

// MARK: - Sound

static int open_audio(cav_writer *writer, const cav_reader *reader) {
  const cav_library *av = writer->av;
  const AVCodec *encoder = av->avcodec_find_encoder_by_name("aac");
  if (!encoder) return AVERROR_ENCODER_NOT_FOUND;
  if (!(writer->audio = av->avcodec_alloc_context3(encoder))) return AVERROR(ENOMEM);
  AVCodecContext *audio = writer->audio;
  // Rates that every decoder of AAC has.
  static const int rates[] = {48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000};
  audio->sample_rate = rates[0];
  for (size_t index = 0; index < sizeof rates / sizeof *rates; index++) {
    if (rates[index] == reader->codec->sample_rate) audio->sample_rate = rates[index];
  }
  av->av_channel_layout_default(&audio->ch_layout, reader->codec->ch_layout.nb_channels == 1 ? 1 : 2);
  audio->sample_fmt = AV_SAMPLE_FMT_FLTP;
  audio->bit_rate = 80000LL * audio->ch_layout.nb_channels;
  audio->time_base = (AVRational){1, audio->sample_rate};
  int status = add_stream(writer, audio, encoder, NULL, &writer->audio_stream);
  if (status < 0) return status;
  if (!(writer->samples = av->av_frame_alloc())) return AVERROR(ENOMEM);
  writer->samples->format = AV_SAMPLE_FMT_FLTP;
  writer->samples->nb_samples = audio->frame_size;
  writer->samples->sample_rate = audio->sample_rate;
  status = av->av_channel_layout_copy(&writer->samples->ch_layout, &audio->ch_layout);
  return status < 0 ? status : av->av_frame_get_buffer(writer->samples, 0);
}

static int flush_samples(cav_writer *writer) {
  AVFrame *samples = writer->samples;
  samples->nb_samples = writer->filled;
  samples->pts = writer->sound_position;
  int status = encode(writer, writer->audio, writer->audio_stream, samples);
  samples->nb_samples = writer->audio->frame_size;
  if (status < 0) return status;
  writer->sound_position += writer->filled;
  writer->filled = 0;
  return writer->av->av_frame_make_writable(samples);
}

static int add_silence(cav_writer *writer, int64_t count) {
  while (count > 0) {
    int room = writer->audio->frame_size - writer->filled;
    int part = count < room ? (int)count : room;
    for (int channel = 0; channel < writer->audio->ch_layout.nb_channels; channel++) {
      memset((float *)(void *)writer->samples->data[channel] + writer->filled, 0, (size_t)part * sizeof(float));
    }
    writer->filled += part;
    count -= part;
    int status = part == room ? flush_samples(writer) : 0;
    if (status < 0) return status;
  }
  return 0;
}

/// Makes the resampler for the format that the last frame has, which may change within a stream.
static int prepare_resampler(cav_writer *writer, const AVFrame *frame) {
  const cav_library *av = writer->av;
  if (
    writer->resampler && frame->format == writer->input_format
    && frame->sample_rate == writer->input_rate
    && !av->av_channel_layout_compare(&frame->ch_layout, &writer->input_layout)) {
    return 0;
  }
  av->av_channel_layout_uninit(&writer->input_layout);
  if (av->av_channel_layout_check(&frame->ch_layout)
      && frame->ch_layout.order != AV_CHANNEL_ORDER_UNSPEC) {
    av->av_channel_layout_copy(&writer->input_layout, &frame->ch_layout);
  } else {
    av->av_channel_layout_default(&writer->input_layout, frame->ch_layout.nb_channels);
  }
  writer->input_format = frame->format;
  writer->input_rate = frame->sample_rate;
  av->swr_free(&writer->resampler);
  int status = av->swr_alloc_set_opts2(
    &writer->resampler, &writer->audio->ch_layout, AV_SAMPLE_FMT_FLTP, writer->audio->sample_rate,
    &writer->input_layout, frame->format, frame->sample_rate, 0, NULL);
  return status < 0 ? status : av->swr_init(writer->resampler);
}

int cav_add_sound(cav_writer *writer, const cav_reader *reader) {
  const cav_library *av = writer->av;
  const AVFrame *frame = reader->frame;
  if (!writer->audio || frame->sample_rate <= 0) return CAV_OK;
  int status = prepare_resampler(writer, frame);
  if (status < 0) return cav_result_of(status);
  int rate = writer->audio->sample_rate;
  int64_t time = time_in_film(reader, writer->audio->time_base);
  if (time != INT64_MIN) {
    int64_t gap = time - writer->sound_position - writer->filled;
    // Rounded times differ by less; the first sound has its exact place.
    bool is_late = gap > (writer->has_sound ? rate / 10 : 0);
    if (writer->has_sound && gap < -rate / 2) return CAV_OK;
    if (is_late && gap < (int64_t)rate * longest_silence_seconds) {
      status = add_silence(writer, gap);
      if (status < 0) return cav_result_of(status);
    }
  }
  writer->has_sound = true;
  const uint8_t **input = (const uint8_t **)frame->extended_data;
  int count = frame->nb_samples;
  for (;;) {
    uint8_t *output[2] = {NULL, NULL};
    int room = writer->audio->frame_size - writer->filled;
    for (int channel = 0; channel < writer->audio->ch_layout.nb_channels; channel++) {
      output[channel] = (uint8_t *)((float *)(void *)writer->samples->data[channel] + writer->filled);
    }
    // What has no room stays in the resampler; the next call, without more samples, fetches it.
    int made = av->swr_convert(writer->resampler, output, room, input, count);
    if (made < 0) return cav_result_of(made);
    count = 0;
    writer->filled += made;
    if (made < room) return CAV_OK;
    status = flush_samples(writer);
    if (status < 0) return cav_result_of(status);
  }
}

// MARK: - The whole

void cav_read_all(cav_reader *reader) {
  reader->mode = CAV_ALL_FRAMES;
  reader->packet_bytes = 0;
}

static void free_writer(cav_writer *writer) {
  const cav_library *av = writer->av;
  if (writer->video) av->avcodec_free_context(&writer->video);
  if (writer->audio) av->avcodec_free_context(&writer->audio);
  av->sws_freeContext(writer->scaler);
  av->swr_free(&writer->resampler);
  av->av_channel_layout_uninit(&writer->input_layout);
  av->av_frame_free(&writer->stored);
  av->av_frame_free(&writer->upright);
  av->av_frame_free(&writer->samples);
  av->av_packet_free(&writer->packet);
  if (writer->format) av->avformat_free_context(writer->format);
  if (writer->io) {
    av->av_free(writer->io->buffer);
    av->avio_context_free(&writer->io);
  }
  free(writer);
}

static int begin(cav_writer *writer, const cav_reader *pictures, const cav_reader *sound) {
  const cav_library *av = writer->av;
  if (!(writer->packet = av->av_packet_alloc())) return AVERROR(ENOMEM);
  int status = open_output(writer);
  if (status < 0) return status;
  status = open_video(writer, pictures);
  if (status < 0) return status;
  if (sound) {
    status = open_audio(writer, sound);
    if (status < 0) return status;
  }
  AVDictionary *options = NULL;
  // The index stands before the media data, in room that is left for it.
  av->av_dict_set_int(&options, "moov_size", writer->film.index_bytes, 0);
  status = av->avformat_write_header(writer->format, &options);
  av->av_dict_free(&options);
  return status;
}

cav_writer *cav_create(
  const cav_library *library, const cav_reader *pictures, const cav_reader *sound,
  const struct cav_film *film, cav_sink sink, void *context, int *result) {
  cav_writer *writer = calloc(1, sizeof *writer);
  if (!writer) {
    *result = CAV_OVER_LIMIT;
    return NULL;
  }
  writer->av = library;
  writer->film = *film;
  writer->sink = sink;
  writer->context = context;
  int status = begin(writer, pictures, sound);
  if (status >= 0) return writer;
  *result = status == AVERROR_ENCODER_NOT_FOUND ? CAV_UNSUPPORTED : cav_result_of(status);
  free_writer(writer);
  return NULL;
}

static int64_t milliseconds(const cav_writer *writer, int64_t time, AVRational base) {
  return writer->av->av_rescale_q(time, base, (AVRational){1, 1000});
}

int64_t cav_written_ms(const cav_writer *writer) {
  if (writer->picture_time == INT64_MIN) return 0;
  return milliseconds(
    writer, writer->picture_time + writer->picture_duration, writer->video->time_base);
}

int64_t cav_sound_ms(const cav_writer *writer) {
  if (!writer->audio) return INT64_MAX;
  return milliseconds(writer, writer->sound_position + writer->filled, writer->audio->time_base);
}

int cav_finish(cav_writer *writer) {
  const cav_library *av = writer->av;
  int status = writer->audio && writer->filled > 0 ? flush_samples(writer) : 0;
  if (status >= 0) status = encode(writer, writer->video, writer->video_stream, NULL);
  if (status >= 0 && writer->audio) {
    status = encode(writer, writer->audio, writer->audio_stream, NULL);
  }
  if (status >= 0) status = av->av_write_trailer(writer->format);
  if (status >= 0) {
    av->avio_flush(writer->io);
    status = writer->io->error;
  }
  free_writer(writer);
  return status < 0 ? cav_result_of(status) : CAV_OK;
}

void cav_discard(cav_writer *writer) { free_writer(writer); }

bool cav_is_plain(const cav_reader *reader, int index) {
  int format = reader->format->streams[index]->codecpar->format;
  return format == AV_PIX_FMT_YUV420P || format == AV_PIX_FMT_YUVJ420P || format == AV_PIX_FMT_NONE;
}
