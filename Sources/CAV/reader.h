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
  /// Null until one is selected, and when the file could not be begun anew.
  AVStream *stream;
  int64_t maximum_pixels;
  int mode;
  /// Bytes since the last seek, of all streams: a file may hold none of the one wanted.
  int64_t packet_bytes;
  int64_t packet_byte_limit;
  bool is_draining;
  bool saw_other_frames;
  /// A packet was refused since the last picture.
  bool has_refused;
};

/// One of cav_result for a negative return value of FFmpeg's.
int cav_result_of(int status);

/// Time from the start of the stream; negative when unknown.
int64_t cav_time_ms(const cav_reader *reader, int64_t timestamp);

/// Selects a stream: the demuxer may leave the others' packets out.
void cav_choose(cav_reader *reader, int index);

/// Reads the next packet of the selected stream; CAV_END after the last, or past the bounds.
int cav_next_packet(cav_reader *reader);

#endif
