#ifndef CAV_READER_H
#define CAV_READER_H

#include "library.h"

struct cav_reader {
  const cav_library *av;
  char demuxer[16];
  const uint8_t *bytes;
  int64_t length;
  int64_t offset;
  AVFormatContext *format;
  AVIOContext *io;
  AVCodecContext *codec;
  AVPacket *packet;
  AVFrame *frame;
  struct SwsContext *scaler;
  /// The selected stream; null before the selection, and if the file could not be reopened.
  AVStream *stream;
  int64_t maximum_pixels;
  int mode;
  /// The bytes of all streams since the last seek: a file may hold none of the selected stream.
  int64_t packet_bytes;
  int64_t packet_byte_limit;
  bool is_draining;
  bool saw_other_frames;
  /// Whether the decoder refused a packet since the last picture.
  bool has_refused;
};

/// Returns the cav_result for a negative return value of FFmpeg.
int cav_result_of(int status);

/// Returns the time from the start of the stream in milliseconds; negative if unknown.
int64_t cav_time_ms(const cav_reader *reader, int64_t timestamp);

/// Selects a stream, so that the demuxer may discard the packets of others.
void cav_choose(cav_reader *reader, int index);

/// Reads the next packet of the selected stream; CAV_END after the last one or beyond the bounds.
int cav_next_packet(cav_reader *reader);

#endif
