#ifndef CHEIF_H
#define CHEIF_H

#include <stddef.h>
#include <stdint.h>

#include "CHEIFStill.h"

#include <libheif/heif.h>

// libheif, loaded when the first HEIF file comes: linking it and its four codecs would cost every
// worker 3 ms at its start. Each function here is libheif's of the same name, with a c before it.

/// Loads libheif, once. NULL when it can be used, otherwise what the loader says.
const char *cheif_load(void);

/// What stands over the bytes of a file when libheif reads it.
typedef struct {
  const uint8_t *bytes;
  int64_t length;
  int64_t position;
  /// Offsets of box types, ascending, that are shown as `free`.
  const int64_t *hidden;
  size_t hidden_count;
} cheif_view;

/// heif_context_read_from_reader. The view, its bytes and its offsets must outlive the context.
struct heif_error cheif_context_read(struct heif_context *context, cheif_view *view);

/// heif_decode_image, with the options that we ever set.
struct heif_error cheif_decode_image(
  const struct heif_image_handle *handle, struct heif_image **image,
  enum heif_colorspace colorspace, enum heif_chroma chroma, int ignores_transformations,
  int is_strict);

struct heif_context *cheif_context_alloc(void);
void cheif_context_free(struct heif_context *context);
void cheif_context_set_max_decoding_threads(struct heif_context *context, int count);
void cheif_context_set_maximum_image_size_limit(struct heif_context *context, int side);
struct heif_error cheif_context_get_primary_image_handle(
  struct heif_context *context, struct heif_image_handle **handle);
void cheif_image_handle_release(const struct heif_image_handle *handle);
int cheif_image_handle_get_width(const struct heif_image_handle *handle);
int cheif_image_handle_get_height(const struct heif_image_handle *handle);
struct heif_error cheif_image_get_nclx_color_profile(
  const struct heif_image *image, struct heif_color_profile_nclx **profile);
void cheif_nclx_color_profile_free(struct heif_color_profile_nclx *profile);
void cheif_image_release(const struct heif_image *image);
int cheif_image_get_width(const struct heif_image *image, enum heif_channel channel);
int cheif_image_get_height(const struct heif_image *image, enum heif_channel channel);
int cheif_image_get_bits_per_pixel_range(const struct heif_image *image, enum heif_channel channel);
const uint8_t *cheif_image_get_plane_readonly(
  const struct heif_image *image, enum heif_channel channel, int *stride);
int cheif_have_decoder_for_format(enum heif_compression_format format);

#endif
