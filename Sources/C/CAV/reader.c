#define _GNU_SOURCE 1
#include "reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  io_buffer_bytes = 64 << 10,
  probe_bytes = 8 << 20,
};

int cav_result_of(int status) {
  switch (status) {
    case AVERROR(ENOMEM):
      return CAV_OVER_LIMIT;
    case AVERROR_EOF:
      return CAV_END;
    case AVERROR_PATCHWELCOME:
    case AVERROR_DECODER_NOT_FOUND:
    case AVERROR_DEMUXER_NOT_FOUND:
    case AVERROR(ENOSYS):
      return CAV_UNSUPPORTED;
    default:
      return CAV_DAMAGED;
  }
}

static int read_bytes(void *opaque, uint8_t *buffer, int count) {
  cav_reader *reader = opaque;
  int64_t left = reader->length - reader->offset;
  if (left <= 0) return AVERROR_EOF;
  if (count > left) count = (int)left;
  memcpy(buffer, reader->bytes + reader->offset, (size_t)count);
  reader->offset += count;
  return count;
}

static int64_t seek_bytes(void *opaque, int64_t offset, int whence) {
  cav_reader *reader = opaque;
  if (whence & AVSEEK_SIZE) return reader->length;
  switch (whence & ~AVSEEK_FORCE) {
    case SEEK_SET:
      break;
    case SEEK_CUR:
      if (__builtin_add_overflow(offset, reader->offset, &offset)) return AVERROR(EINVAL);
      break;
    case SEEK_END:
      if (__builtin_add_overflow(offset, reader->length, &offset)) return AVERROR(EINVAL);
      break;
    default:
      return AVERROR(EINVAL);
  }
  if (offset < 0) return AVERROR(EINVAL);
  return reader->offset = offset;
}

/// Refuses to open other files that a file refers to (data references, playlists, segments).
static int refuse_to_open(
  AVFormatContext *format, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
  (void)format, (void)io, (void)url, (void)flags, (void)options;
  return AVERROR(EPERM);
}

static int open_input(cav_reader *reader, const char *demuxer) {
  const cav_library *av = reader->av;
  const AVInputFormat *input = av->av_find_input_format(demuxer);
  if (!input) return AVERROR_DEMUXER_NOT_FOUND;
  uint8_t *buffer = av->av_malloc(io_buffer_bytes);
  if (!buffer) return AVERROR(ENOMEM);
  reader->io = av->avio_alloc_context(
    buffer, io_buffer_bytes, 0, reader, read_bytes, NULL, seek_bytes);
  if (!reader->io) {
    av->av_free(buffer);
    return AVERROR(ENOMEM);
  }
  reader->format = av->avformat_alloc_context();
  if (!reader->format) return AVERROR(ENOMEM);
  reader->format->pb = reader->io;
  reader->format->flags |= AVFMT_FLAG_CUSTOM_IO;
  reader->format->io_open = refuse_to_open;
  reader->format->probesize = probe_bytes;
  reader->format->max_analyze_duration = 2 * AV_TIME_BASE;
  reader->format->max_streams = 256;
  AVDictionary *options = NULL;
  av->av_dict_set(&options, "protocol_whitelist", "none", 0);
  av->av_dict_set(&options, "format_whitelist", input->name, 0);
  // Probing decodes too, so it gets the list of permitted decoders.
  av->av_dict_set(&options, "codec_whitelist", av->decoders, 0);
  reader->offset = 0;
  // avformat_open_input() frees the context if it fails.
  int status = av->avformat_open_input(&reader->format, NULL, input, &options);
  av->av_dict_free(&options);
  return status;
}

static void close_input(cav_reader *reader) {
  const cav_library *av = reader->av;
  if (reader->format) av->avformat_close_input(&reader->format);
  if (reader->io) {
    // The demuxer may have replaced the buffer that it was given.
    av->av_free(reader->io->buffer);
    av->avio_context_free(&reader->io);
  }
}

/// Reopens the file at its beginning, with the same stream selected.
static int reopen(cav_reader *reader) {
  int index = reader->stream->index;
  close_input(reader);
  reader->stream = NULL;
  int status = open_input(reader, reader->demuxer);
  if (status < 0) return status;
  if (index >= (int)reader->format->nb_streams) return AVERROR_INVALIDDATA;
  cav_choose(reader, index);
  return 0;
}

cav_reader *cav_open(
  const cav_library *library, const uint8_t *bytes, size_t length, const char *demuxer,
  int64_t maximum_pixels, int *result) {
  cav_reader *reader = calloc(1, sizeof *reader);
  *result = CAV_OVER_LIMIT;
  if (!reader) return NULL;
  reader->av = library;
  reader->bytes = bytes;
  reader->length = (int64_t)length;
  snprintf(reader->demuxer, sizeof reader->demuxer, "%s", demuxer);
  reader->maximum_pixels = maximum_pixels;
  reader->packet = library->av_packet_alloc();
  reader->frame = library->av_frame_alloc();
  int status = AVERROR(ENOMEM);
  if (reader->packet && reader->frame) status = open_input(reader, demuxer);
  *result = status < 0 ? cav_result_of(status) : CAV_OK;
  // A header that ends early is damage, not an end.
  if (*result == CAV_END) *result = CAV_DAMAGED;
  if (status >= 0) return reader;
  cav_close(reader);
  return NULL;
}

void cav_close(cav_reader *reader) {
  if (!reader) return;
  const cav_library *av = reader->av;
  if (reader->scaler) av->sws_freeContext(reader->scaler);
  if (reader->codec) av->avcodec_free_context(&reader->codec);
  close_input(reader);
  if (reader->packet) av->av_packet_free(&reader->packet);
  if (reader->frame) av->av_frame_free(&reader->frame);
  free(reader);
}

void cav_probe(cav_reader *reader) {
  reader->av->avformat_find_stream_info(reader->format, NULL);
}

void cav_choose(cav_reader *reader, int index) {
  for (unsigned other = 0; other < reader->format->nb_streams; other++) {
    reader->format->streams[other]->discard = AVDISCARD_ALL;
  }
  reader->stream = reader->format->streams[index];
  reader->stream->discard = AVDISCARD_DEFAULT;
}

int64_t cav_time_ms(const cav_reader *reader, int64_t timestamp) {
  if (timestamp == AV_NOPTS_VALUE || !reader->stream) return -1;
  const AVStream *stream = reader->stream;
  if (stream->start_time != AV_NOPTS_VALUE) timestamp -= stream->start_time;
  return reader->av->av_rescale_q(timestamp, stream->time_base, (AVRational){1, 1000});
}

int cav_next_packet(cav_reader *reader) {
  const cav_library *av = reader->av;
  while (reader->stream) {
    av->av_packet_unref(reader->packet);
    int status = av->av_read_frame(reader->format, reader->packet);
    if (status < 0) return status == AVERROR(ENOMEM) ? CAV_OVER_LIMIT : CAV_END;
    reader->packet_bytes += reader->packet->size;
    if (reader->packet_bytes > reader->packet_byte_limit) return CAV_END;
    if (reader->packet->stream_index == reader->stream->index) return CAV_OK;
  }
  return CAV_END;
}

int cav_seek(cav_reader *reader, int64_t time_ms, int mode) {
  const cav_library *av = reader->av;
  AVStream *stream = reader->stream;
  if (!stream) return CAV_DAMAGED;
  int64_t target = av->av_rescale_q(time_ms, (AVRational){1, 1000}, stream->time_base);
  if (stream->start_time != AV_NOPTS_VALUE) target += stream->start_time;
  bool is_start = time_ms <= 0;
  int status = av->avformat_seek_file(
    reader->format, stream->index, INT64_MIN, target, is_start ? INT64_MAX : target, 0);
  // Without an index, the beginning is reached by reopening the file.
  if (status < 0 && is_start) status = reopen(reader);
  reader->packet_bytes = 0;
  reader->is_draining = reader->saw_other_frames = reader->has_refused = false;
  reader->mode = mode;
  if (reader->codec) {
    av->avcodec_flush_buffers(reader->codec);
    reader->codec->flags &= ~AV_CODEC_FLAG_OUTPUT_CORRUPT;
    reader->codec->flags2 &= ~AV_CODEC_FLAG2_SHOW_ALL;
    if (mode == CAV_BROKEN_FRAMES) {
      reader->codec->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
      reader->codec->flags2 |= AV_CODEC_FLAG2_SHOW_ALL;
    }
  }
  return status < 0 ? cav_result_of(status) : CAV_OK;
}
