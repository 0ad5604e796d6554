#ifndef CHEIF_H
#define CHEIF_H

#include <stddef.h>
#include <stdint.h>

#include "CHEIFStill.h"

#include <libheif/heif.h>

// Access to libheif, which is loaded for the first HEIF file: linking it and its four codecs would
// add 3 ms to the start of each worker. Each function here is libheif's of the same name, prefixed
// with c.

/// Loads libheif, once. Returns NULL on success, otherwise the loader's message.
const char *cheif_load(void);

/// The reader's state through which libheif reads the bytes of a file.
typedef struct {
  const uint8_t *bytes;
  int64_t length;
  int64_t position;
  /// The offsets of box types, ascending, that libheif sees as `free`.
  const int64_t *hidden;
  size_t hidden_count;
} cheif_view;

/// Calls heif_context_read_from_reader. The view, its bytes and its offsets must outlive the
/// context.
struct heif_error cheif_context_read(struct heif_context *context, cheif_view *view);

/// Calls heif_decode_image with the options that are used here.
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
