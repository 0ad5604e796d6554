#define _GNU_SOURCE 1
#include "CHEIF.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/// The functions of libheif, in the order and with the types of the header.
#define FUNCTIONS(each)                            \
  each(context_alloc)                              \
  each(context_free)                               \
  each(context_read_from_reader)                   \
  each(context_set_max_decoding_threads)           \
  each(context_set_maximum_image_size_limit)       \
  each(context_get_primary_image_handle)           \
  each(image_handle_release)                       \
  each(image_handle_get_width)                     \
  each(image_handle_get_height)                    \
  each(image_get_nclx_color_profile)               \
  each(nclx_color_profile_free)                    \
  each(image_release)                              \
  each(image_get_width)                            \
  each(image_get_height)                           \
  each(image_get_bits_per_pixel_range)             \
  each(image_get_plane_readonly)                   \
  each(have_decoder_for_format)                    \
  each(decoding_options_alloc)                     \
  each(decoding_options_free)                      \
  each(decode_image)

static struct {
#define MEMBER(name) __typeof__(&heif_##name) name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} heif;

static bool is_loaded;

const char *cheif_load(void) {
  if (is_loaded) return NULL;
  void *library = dlopen("libheif.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return dlerror();
#define FIND(name)                                                                \
  if (!(heif.name = (__typeof__(heif.name))dlsym(library, "heif_" #name))) {      \
    return "libheif is older than 1.15: no heif_" #name;                          \
  }
  FUNCTIONS(FIND)
#undef FIND
  is_loaded = true;
  return NULL;
}

static int64_t get_position(void *user) { return ((const cheif_view *)user)->position; }

static int seek(int64_t position, void *user) {
  cheif_view *view = user;
  if (position < 0 || position > view->length) return 1;
  view->position = position;
  return 0;
}

static enum heif_reader_grow_status wait_for_file_size(int64_t size, void *user) {
  const cheif_view *view = user;
  return size <= view->length ? heif_reader_grow_status_size_reached
                              : heif_reader_grow_status_size_beyond_eof;
}

static int read_bytes(void *target, size_t size, void *user) {
  cheif_view *view = user;
  const int64_t start = view->position;
  if (size > (size_t)(view->length - start)) return 1;
  const int64_t end = start + (int64_t)size;
  memcpy(target, view->bytes + start, size);
  for (size_t index = 0; index < view->hidden_count; index++) {
    const int64_t offset = view->hidden[index];
    for (int64_t at = offset; at < offset + 4; at++) {
      if (at >= start && at < end) ((char *)target)[at - start] = "free"[at - offset];
    }
  }
  view->position = end;
  return 0;
}

struct heif_error cheif_context_read(struct heif_context *context, cheif_view *view) {
  static const struct heif_reader reader = {
    .reader_api_version = 1,
    .get_position = get_position,
    .read = read_bytes,
    .seek = seek,
    .wait_for_file_size = wait_for_file_size,
  };
  return heif.context_read_from_reader(context, &reader, view, NULL);
}

struct heif_error cheif_decode_image(
  const struct heif_image_handle *handle, struct heif_image **image,
  enum heif_colorspace colorspace, enum heif_chroma chroma, int ignores_transformations,
  int is_strict) {
  struct heif_decoding_options *options = heif.decoding_options_alloc();
  if (!options) {
    return (struct heif_error){
      heif_error_Memory_allocation_error, heif_suberror_Unspecified, "no decoding options"};
  }
  options->ignore_transformations = ignores_transformations != 0;
  // Interleaved samples then have 8 bits; planes keep their depth.
  options->convert_hdr_to_8bit = colorspace == heif_colorspace_RGB;
  if (options->version >= 3) options->strict_decoding = is_strict != 0;
  struct heif_error error = heif.decode_image(handle, image, colorspace, chroma, options);
  heif.decoding_options_free(options);
  return error;
}

struct heif_context *cheif_context_alloc(void) { return heif.context_alloc(); }

void cheif_context_free(struct heif_context *context) { heif.context_free(context); }

void cheif_context_set_max_decoding_threads(struct heif_context *context, int count) {
  heif.context_set_max_decoding_threads(context, count);
}

void cheif_context_set_maximum_image_size_limit(struct heif_context *context, int side) {
  heif.context_set_maximum_image_size_limit(context, side);
}

struct heif_error cheif_context_get_primary_image_handle(
  struct heif_context *context, struct heif_image_handle **handle) {
  return heif.context_get_primary_image_handle(context, handle);
}

void cheif_image_handle_release(const struct heif_image_handle *handle) {
  heif.image_handle_release(handle);
}

int cheif_image_handle_get_width(const struct heif_image_handle *handle) {
  return heif.image_handle_get_width(handle);
}

int cheif_image_handle_get_height(const struct heif_image_handle *handle) {
  return heif.image_handle_get_height(handle);
}

struct heif_error cheif_image_get_nclx_color_profile(
  const struct heif_image *image, struct heif_color_profile_nclx **profile) {
  return heif.image_get_nclx_color_profile(image, profile);
}

void cheif_nclx_color_profile_free(struct heif_color_profile_nclx *profile) {
  heif.nclx_color_profile_free(profile);
}

void cheif_image_release(const struct heif_image *image) { heif.image_release(image); }

int cheif_image_get_width(const struct heif_image *image, enum heif_channel channel) {
  return heif.image_get_width(image, channel);
}

int cheif_image_get_height(const struct heif_image *image, enum heif_channel channel) {
  return heif.image_get_height(image, channel);
}

int cheif_image_get_bits_per_pixel_range(
  const struct heif_image *image, enum heif_channel channel) {
  return heif.image_get_bits_per_pixel_range(image, channel);
}

const uint8_t *cheif_image_get_plane_readonly(
  const struct heif_image *image, enum heif_channel channel, int *stride) {
  return heif.image_get_plane_readonly(image, channel, stride);
}

int cheif_have_decoder_for_format(enum heif_compression_format format) {
  return heif.have_decoder_for_format(format);
}
