#ifndef CAV_H
#define CAV_H

// Access to FFmpeg's libraries (libavformat, libavcodec, libavutil, libswscale), which are loaded
// when they are first needed: linking them would add some 20 ms to each start of a worker.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The loaded libraries, which are never unloaded.
typedef struct cav_library cav_library;

/// Loads the libraries of the versions whose headers this was built with.
///
/// `suffix` is appended to each file name ("" except in tests). The result is null if a library is
/// missing or lacks a function; `missing` is then its Debian package.
const cav_library *cav_library_load(const char *suffix, const char **missing);

/// The result of a call.
enum cav_result {
  CAV_OK = 0,
  /// There are no more frames within the bounds.
  CAV_END = 1,
  /// The bytes contradict their format.
  CAV_DAMAGED = 2,
  /// There is no decoder, or it is not on the list of permitted ones.
  CAV_UNSUPPORTED = 3,
  /// The process or a frame would need more memory than allowed.
  CAV_OVER_LIMIT = 4,
};

enum cav_kind {
  CAV_KIND_VIDEO = 0,
  CAV_KIND_AUDIO = 1,
  CAV_KIND_TEXT = 2,
  CAV_KIND_METADATA = 3,
  CAV_KIND_OTHER = 4,
  /// A still picture that belongs to the file, such as cover art.
  CAV_KIND_COVER = 5,
};

/// The container's description of a stream; 0 means unknown.
struct cav_stream {
  int kind;
  /// The four-character code as written, or 0.
  uint32_t tag;
  /// FFmpeg's name of the codec.
  char codec[32];
  /// The size in pixels, as stored.
  int width;
  int height;
  /// The number of frames per second.
  int64_t rate_numerator;
  int64_t rate_denominator;
  int channels;
  int sample_rate;
  int64_t duration_ms;
};

/// An open file, and the decoder of one of its streams.
typedef struct cav_reader cav_reader;

/// Opens a file that is in memory; no other file is ever opened.
///
/// `bytes` and `demuxer` (FFmpeg's name of the format; no other is tried) must stay valid until
/// cav_close(). Frames of more than `maximum_pixels` are refused.
cav_reader *cav_open(
  const cav_library *library, const uint8_t *bytes, size_t length, const char *demuxer,
  int64_t maximum_pixels, int *result);

void cav_close(cav_reader *reader);

/// Reads some packets to find what the headers do not give; bounded, never an error.
void cav_probe(cav_reader *reader);

int cav_stream_count(const cav_reader *reader);

/// Describes a stream; `index` is below cav_stream_count().
void cav_describe(const cav_reader *reader, int index, struct cav_stream *stream);

/// Returns the duration of the file in milliseconds, or 0 if unknown.
int64_t cav_duration_ms(const cav_reader *reader);

/// Opens the decoder of a stream; packets of other streams are skipped from now on.
///
/// `eighths` is the smallest sufficient scale in eighths; few decoders can use it.
int cav_select(cav_reader *reader, int index, int eighths);

/// The frames that cav_next_picture() decodes.
enum cav_mode {
  /// Decodes each key frame, alone.
  CAV_KEY_FRAMES = 0,
  CAV_ALL_FRAMES = 1,
  /// Also decodes frames whose references are missing.
  CAV_BROKEN_FRAMES = 2,
};

/// Seeks to the last key frame that is not after a time, counted from the start of the stream.
int cav_seek(cav_reader *reader, int64_t time_ms, int mode);

/// The description of a decoded picture; the pixels stay in the reader.
struct cav_picture {
  int width;
  int height;
  /// The width and height of one pixel; 1:1 if the file does not give them.
  int aspect_width;
  int aspect_height;
  /// The time from the start of the stream in milliseconds; negative if unknown.
  int64_t time_ms;
  /// Code points of ISO/IEC 23091-2.
  int primaries;
  int transfer;
  int matrix;
  bool is_full_range;
  /// Whether the decoder had to conceal errors or missing references.
  bool is_broken;
  /// The mastering or content light level in cd/m²; 0 means unknown.
  int peak_nits;
};

/// Decodes the next picture whose time is before `end_ms`.
int cav_next_picture(cav_reader *reader, int64_t end_ms, struct cav_picture *picture);

/// Whether all packets since cav_seek() were key frames.
bool cav_saw_only_key_frames(const cav_reader *reader);

/// Resizes the last picture into rows of R'G'B'A, with 8 or 16 bits per sample and full range, in
/// its own primaries and transfer. `matrix` is a code point of ISO/IEC 23091-2.
int cav_resize(
  cav_reader *reader, int matrix, bool is_full_range, int bits, int width, int height,
  void *pixels, int stride);

/// Reads the stream's display matrix, as 16.16 numbers a, b, c, d; false if it has none.
bool cav_display_matrix(const cav_reader *reader, int index, int32_t matrix[4]);

/// The description of a decoded audio frame; its samples stay in the reader until the next call.
struct cav_audio {
  /// The number of samples of each channel.
  int count;
  int channels;
  int sample_rate;
  /// The position of the first sample in the stream, in samples; negative if unknown.
  int64_t position;
};

/// Decodes the next audio frame. Of each period of `skip_period_ms`, packets that start at or after
/// `skip_after_ms` are skipped without decoding; with a period of 0, none is skipped.
int cav_next_audio(
  cav_reader *reader, int64_t skip_period_ms, int64_t skip_after_ms, struct cav_audio *audio);

/// The extent of a run of samples, all channels together; 1 is full scale.
struct cav_level {
  float low;
  float high;
  /// The sum of the squares.
  double energy;
};

/// Measures samples `first` up to `first + count` of the last audio frame.
struct cav_level cav_measure(const cav_reader *reader, int first, int count);

#include "CAVFilm.h"

#endif
