#ifndef CAV_H
#define CAV_H

// FFmpeg's libraries (libavformat, libavcodec, libavutil, libswscale), loaded when they are first
// needed: linking them would cost each start of a worker some 20 ms.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The loaded libraries; never unloaded.
typedef struct cav_library cav_library;

/// Loads the libraries whose headers this was built with.
///
/// `suffix` is appended to each file name ("" but in tests). Null when one is not there, or lacks a
/// function: `missing` then names its Debian package.
const cav_library *cav_library_load(const char *suffix, const char **missing);

/// What a call can end with.
enum cav_result {
  CAV_OK = 0,
  /// No more frames, within the bounds.
  CAV_END = 1,
  /// The bytes contradict their format.
  CAV_DAMAGED = 2,
  /// No decoder, or one that is not on the list.
  CAV_UNSUPPORTED = 3,
  /// The memory that a process or a frame may have.
  CAV_OVER_LIMIT = 4,
};

enum cav_kind {
  CAV_KIND_VIDEO = 0,
  CAV_KIND_AUDIO = 1,
  CAV_KIND_TEXT = 2,
  CAV_KIND_METADATA = 3,
  CAV_KIND_OTHER = 4,
  /// A still picture that belongs to the file, as a cover does.
  CAV_KIND_COVER = 5,
};

/// What a container says of one stream; 0 is unknown.
struct cav_stream {
  int kind;
  /// Four-character code as written, or 0.
  uint32_t tag;
  /// FFmpeg's name of the codec.
  char codec[32];
  /// Pixels, as stored.
  int width;
  int height;
  /// Frames in a second.
  int64_t rate_numerator;
  int64_t rate_denominator;
  int channels;
  int sample_rate;
  int64_t duration_ms;
};

/// An open file, and the decoder of one of its streams.
typedef struct cav_reader cav_reader;

/// Opens a file that is in memory; nothing else is ever opened on its behalf.
///
/// `bytes` and `demuxer` (FFmpeg's name of the format; no other is tried) must stay until cav_close().
/// Frames of more than `maximum_pixels` are refused.
cav_reader *cav_open(
  const cav_library *library, const uint8_t *bytes, size_t length, const char *demuxer,
  int64_t maximum_pixels, int *result);

void cav_close(cav_reader *reader);

/// Reads some packets to learn what headers do not say; bounded, never an error.
void cav_probe(cav_reader *reader);

int cav_stream_count(const cav_reader *reader);

/// `index` is below cav_stream_count().
void cav_describe(const cav_reader *reader, int index, struct cav_stream *stream);

/// Of the file, or 0.
int64_t cav_duration_ms(const cav_reader *reader);

/// Opens the decoder of a stream; packets of others are passed over from now on.
///
/// `eighths` is the smallest scale that is enough, in eighths; few decoders can use it.
int cav_select(cav_reader *reader, int index, int eighths);

/// How cav_next_picture() goes on.
enum cav_mode {
  /// Each key frame, alone.
  CAV_KEY_FRAMES = 0,
  CAV_ALL_FRAMES = 1,
  /// Those too whose references are missing.
  CAV_BROKEN_FRAMES = 2,
};

/// Goes to the last key frame that is not after a time, counted from the start of the stream.
int cav_seek(cav_reader *reader, int64_t time_ms, int mode);

/// A decoded picture; described, its pixels stay inside.
struct cav_picture {
  int width;
  int height;
  /// Of one pixel, as wide and as high; 1:1 where nothing is said.
  int aspect_width;
  int aspect_height;
  /// From the start of the stream; negative when unknown.
  int64_t time_ms;
  /// As in ISO/IEC 23091-2.
  int primaries;
  int transfer;
  int matrix;
  bool is_full_range;
  /// The decoder had to guess some of it.
  bool is_broken;
  /// Mastering or content light level, cd/m²; 0 is unknown.
  int peak_nits;
};

/// Decodes the next picture whose time is before `end_ms`.
int cav_next_picture(cav_reader *reader, int64_t end_ms, struct cav_picture *picture);

/// Whether all packets that were passed since cav_seek() were key frames.
bool cav_saw_only_key_frames(const cav_reader *reader);

/// Resizes the last picture into rows of R'G'B'A, 8 or 16 bits a sample, full range, its own
/// primaries and transfer. `matrix` as in ISO/IEC 23091-2.
int cav_resize(
  cav_reader *reader, int matrix, bool is_full_range, int bits, int width, int height,
  void *pixels, int stride);

/// The stream's display matrix, as 16.16 numbers a, b, c, d; false when it has none.
bool cav_display_matrix(const cav_reader *reader, int index, int32_t matrix[4]);

/// Decoded sound; its samples stay inside until the next call.
struct cav_sound {
  /// Samples of each channel.
  int count;
  int channels;
  int sample_rate;
  /// Position of the first sample in the stream, in samples; negative when unknown.
  int64_t position;
};

/// Decodes the next frame of sound. Packets that start in a part of the stream that `skip` says to
/// leave out are passed over undecoded: of each `skip_period_ms`, all after `skip_after_ms`; with 0,
/// none.
int cav_next_sound(
  cav_reader *reader, int64_t skip_period_ms, int64_t skip_after_ms, struct cav_sound *sound);

/// Extent of a run of samples, all channels together; 1 is full scale.
struct cav_level {
  float low;
  float high;
  /// Sum of the squares.
  double energy;
};

/// Measures samples `first` up to `first + count` of the last sound.
struct cav_level cav_measure(const cav_reader *reader, int first, int count);

#endif
