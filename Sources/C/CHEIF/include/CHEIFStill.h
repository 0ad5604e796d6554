#ifndef CHEIF_STILL_CODEC_H
#define CHEIF_STILL_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Decodes one coded picture: HEVC with FFmpeg's libavcodec, AV1 with dav1d. Each library is loaded
// for the first picture that needs it, in the version of the header that this was built with only.

/// The Debian package of the dav1d that was compiled against.
extern const char *const cheif_dav1d_package;

typedef enum { cstill_hevc, cstill_av1 } cstill_coding;

typedef enum {
  cstill_success,
  cstill_damaged,
  /// The data may be whole, but the library does not decode its kind.
  cstill_unsupported,
  cstill_over_limit,
  /// The library is not installed.
  cstill_missing,
} cstill_status;

/// The planes of a decoded picture in the codec's format; valid until the next picture.
typedef struct {
  /// One plane, or three.
  const void *planes[3];
  /// The number of bytes from one row to the next.
  ptrdiff_t strides[3];
  int plane_count;
  /// The size of luma, in samples.
  int width;
  int height;
  /// The number of luma samples per chroma sample.
  int chroma_width;
  int chroma_height;
  /// The bits per sample: 8, or 9 to 16 in two bytes.
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
  /// The maximum number of pixels of one coded picture; more is `over_limit`.
  int64_t maximum_pixel_count;
  /// Whether errors in the data fail the decode; if false, a partial picture is returned.
  bool is_strict;
  /// Whether to skip the deblocking filter, whose effect is invisible in a small picture.
  bool is_rough;
} cstill_options;

typedef struct cstill_decoder cstill_decoder;

/// Opens a decoder; the configuration must outlive it.
cstill_decoder *cstill_open(const cstill_options *options, cstill_status *status);
void cstill_close(cstill_decoder *decoder);

/// Decodes one picture; the bytes are read during the call only.
cstill_status cstill_decode(
  cstill_decoder *decoder, const uint8_t *bytes, size_t length, cstill_picture *picture);

#endif
