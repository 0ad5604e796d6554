#ifndef CJXL_H
#define CJXL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Access to libjxl, which is loaded for the first JPEG XL file: it would add to the start of every
// worker.

/// The Debian package of the libjxl that was compiled against.
extern const char *const cjxl_package;

/// Loads libjxl, once. Returns NULL on success, otherwise the loader's message.
const char *cjxl_load(void);

/// A decoder of one file, between its steps.
typedef struct cjxl_decoder cjxl_decoder;

/// How a step ended.
typedef enum {
  CJXL_DONE = 0,
  /// The bytes end early or contradict the format.
  CJXL_DAMAGED = 1,
  /// An allocation failed.
  CJXL_NO_MEMORY = 2,
} cjxl_status;

/// What a file's header says, as stored: before orientation is applied.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// Gray, 1, or red, green and blue, 3.
  uint32_t color_channels;
  bool has_alpha;
} cjxl_info;

/// Creates a decoder of the bytes, which must outlive it. NULL without memory.
cjxl_decoder *cjxl_open(const uint8_t *bytes, size_t count);

void cjxl_close(cjxl_decoder *decoder);

/// Reads the header; the first step.
cjxl_status cjxl_read_info(cjxl_decoder *decoder, cjxl_info *info);

/// Reads up to the color profile of the pixels that are decoded; the second step. A length of 0 means
/// sRGB or its gray.
cjxl_status cjxl_read_profile_length(cjxl_decoder *decoder, size_t *length);

/// Copies the color profile.
cjxl_status cjxl_copy_profile(cjxl_decoder *decoder, uint8_t *target, size_t length);

/// Decodes the first picture, with interleaved samples of 8 bits, as stored; the last step.
cjxl_status cjxl_decode(cjxl_decoder *decoder, uint32_t channels, uint8_t *target, size_t length);

#endif
