#ifndef CHEIF_STILL_CODEC_H
#define CHEIF_STILL_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Decodes one coded picture: HEVC by FFmpeg's libavcodec, AV1 by dav1d. Each is loaded when the first
// picture needs it, and is the version of the header that this was built with, or none.

typedef enum { cstill_hevc, cstill_av1 } cstill_coding;

typedef enum {
  cstill_success,
  cstill_damaged,
  /// Whole perhaps, but of a kind that the library does not decode.
  cstill_unsupported,
  cstill_over_limit,
  /// The library is not installed.
  cstill_missing,
} cstill_status;

/// Planes as the codec leaves them; valid until the next picture.
typedef struct {
  /// One plane, or three.
  const void *planes[3];
  /// Bytes from one row to the next.
  ptrdiff_t strides[3];
  int plane_count;
  /// Of luma, in samples.
  int width;
  int height;
  /// Luma samples for each chroma sample.
  int chroma_width;
  int chroma_height;
  /// 8, or 9 to 16 in two bytes.
  int bits;
  /// Code points of ITU-T H.273; 2 is unspecified.
  int primaries;
  int transfer;
  int matrix;
  bool is_full_range;
} cstill_picture;

typedef struct {
  cstill_coding coding;
  /// The decoder configuration record of the file (hvcC; not needed for AV1).
  const uint8_t *configuration;
  size_t configuration_length;
  /// Of one coded picture; more is `over_limit`.
  int64_t maximum_pixel_count;
  /// Errors in the data fail; else what there is of a picture is one.
  bool is_strict;
  /// Leaves out what smooths the edges of blocks, which nobody sees in a small picture.
  bool is_rough;
} cstill_options;

typedef struct cstill_decoder cstill_decoder;

/// The configuration must outlive the decoder.
cstill_decoder *cstill_open(const cstill_options *options, cstill_status *status);
void cstill_close(cstill_decoder *decoder);

/// The bytes are read during the call only.
cstill_status cstill_decode(
  cstill_decoder *decoder, const uint8_t *bytes, size_t length, cstill_picture *picture);

#endif
