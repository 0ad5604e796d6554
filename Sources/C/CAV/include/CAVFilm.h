#ifndef CAV_FILM_H
#define CAV_FILM_H

// Writing a film of H.264 and AAC in MP4, of the pictures and the sound of readers.

#include "CAV.h"

/// The film that is written.
struct cav_film {
  /// The size in pixels, upright; even.
  int width;
  int height;
  /// Whether rows of the source's pictures are columns of the film's; applied before the flips.
  bool is_transposed;
  bool flips_x;
  bool flips_y;
  /// Code points of ISO/IEC 23091-2.
  int primaries;
  int transfer;
  int matrix;
  /// The bytes before the media data, in which the index of the film has to fit.
  int64_t index_bytes;
};

/// Takes bytes of the film, which stand at `offset` of it, in no order; bytes that it never gets are
/// zero. The result is negative when it cannot take them.
typedef int (*cav_sink)(void *context, int64_t offset, const uint8_t *bytes, int count);

/// A film that is being written.
typedef struct cav_writer cav_writer;

/// Lets a reader decode all frames of its stream from here on; none is passed over as by a seek.
void cav_read_all(cav_reader *reader);

/// Begins a film; `pictures` has a picture, and `sound`, null for a silent film, a selected stream.
///
/// It needs `sink` and `context` until cav_finish() or cav_discard(). The result is null with
/// CAV_UNSUPPORTED when there is no encoder.
cav_writer *cav_create(
  const cav_library *library, const cav_reader *pictures, const cav_reader *sound,
  const struct cav_film *film, cav_sink sink, void *context, int *result);

/// Adds the last picture of the reader, in the primaries and transfer of the film.
///
/// `pixels` is null, or the picture as rows of R'G'B'A without gaps, of the size of the film before it
/// is turned; the matrix and the range are those of the reader's picture.
int cav_add_picture(
  cav_writer *writer, cav_reader *pictures, const uint8_t *pixels, int matrix, bool is_full_range);

/// Adds the last sound of the reader.
int cav_add_sound(cav_writer *writer, const cav_reader *sound);

/// The end of the pictures so far, in milliseconds.
int64_t cav_written_ms(const cav_writer *writer);

/// The end of the sound so far, in milliseconds; INT64_MAX of a silent film.
int64_t cav_sound_ms(const cav_writer *writer);

/// Writes the rest of the film, and frees the writer.
int cav_finish(cav_writer *writer);

/// Frees the writer of a film that is not finished.
void cav_discard(cav_writer *writer);

/// The Debian package that has the encoders.
const char *cav_encoder_package(void);

/// What decides whether a browser shows a stream: 8 bits a sample with halved color resolution.
bool cav_is_plain(const cav_reader *reader, int index);

#endif
