#ifndef CTIFF_SHIM_H
#define CTIFF_SHIM_H

#define _GNU_SOURCE 1

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tiffio.h>

// A file in memory, and libtiff's first error about it, and its first warning that means damage. The
// library reads its file through callbacks and its fields through variadic functions, neither of which
// can be written in Swift.
struct ctiff_file {
  const unsigned char *bytes;
  size_t count;
  size_t position;
  // Whether a page is open: libtiff has read all tags that it needs, and what it said of tags is over.
  int is_open;
  // Tells from a warning's module, a constant name of libtiff, and its text whether pixels are missing.
  int (*is_damage)(const char *module, const char *text);
  char error[256];
  char warning[256];
};

static inline tmsize_t ctiff_read(thandle_t handle, void *target, tmsize_t count) {
  struct ctiff_file *file = (struct ctiff_file *)handle;
  size_t left = file->position < file->count ? file->count - file->position : 0;
  size_t taken = (size_t)count < left ? (size_t)count : left;
  memcpy(target, file->bytes + (taken ? file->position : 0), taken);
  file->position += taken;
  return (tmsize_t)taken;
}

static inline tmsize_t ctiff_write(thandle_t handle, void *source, tmsize_t count) {
  (void)handle, (void)source, (void)count;
  return -1;
}

static inline toff_t ctiff_seek(thandle_t handle, toff_t offset, int whence) {
  struct ctiff_file *file = (struct ctiff_file *)handle;
  size_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->position : file->count;
  file->position = base + (size_t)offset;
  return file->position;
}

static inline int ctiff_close(thandle_t handle) {
  (void)handle;
  return 0;
}

static inline toff_t ctiff_size(thandle_t handle) { return ((struct ctiff_file *)handle)->count; }

static inline int ctiff_map(thandle_t handle, void **base, toff_t *size) {
  struct ctiff_file *file = (struct ctiff_file *)handle;
  *base = (void *)file->bytes;
  *size = file->count;
  return 1;
}

static inline void ctiff_unmap(thandle_t handle, void *base, toff_t size) {
  (void)handle, (void)base, (void)size;
}

static inline int ctiff_on_error(TIFF *tiff, void *user, const char *module, const char *format,
                                 va_list arguments) {
  struct ctiff_file *file = (struct ctiff_file *)user;
  (void)tiff, (void)module;
  if (!file->error[0]) vsnprintf(file->error, sizeof file->error, format, arguments);
  return 1;
}

static inline int ctiff_on_warning(TIFF *tiff, void *user, const char *module, const char *format,
                                   va_list arguments) {
  struct ctiff_file *file = (struct ctiff_file *)user;
  (void)tiff;
  char text[256];
  if (!file->is_open || file->warning[0]) return 1;
  vsnprintf(text, sizeof text, format, arguments);
  if (file->is_damage(module ? module : "", text)) memcpy(file->warning, text, sizeof text);
  return 1;
}

static inline TIFF *ctiff_open(struct ctiff_file *file, tmsize_t maximum_allocation) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (!options) return NULL;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, maximum_allocation);
  TIFFOpenOptionsSetErrorHandlerExtR(options, ctiff_on_error, file);
  TIFFOpenOptionsSetWarningHandlerExtR(options, ctiff_on_warning, file);
  TIFF *tiff = TIFFClientOpenExt("picture", "r", (thandle_t)file, ctiff_read, ctiff_write,
                                 ctiff_seek, ctiff_close, ctiff_size, ctiff_map, ctiff_unmap,
                                 options);
  TIFFOpenOptionsFree(options);
  if (tiff) {
    file->is_open = 1;
    file->error[0] = 0;
  }
  return tiff;
}

static inline unsigned ctiff_field_16(TIFF *tiff, uint32_t tag, unsigned missing) {
  uint16_t value = 0;
  return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : missing;
}

static inline uint32_t ctiff_field_32(TIFF *tiff, uint32_t tag, uint32_t missing) {
  uint32_t value = 0;
  return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : missing;
}

// Returns the meaning of the first extra sample, or -1 if there is none.
static inline int ctiff_first_extra_sample(TIFF *tiff) {
  uint16_t count = 0, *kinds = NULL;
  return TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) && count > 0 && kinds
             ? kinds[0] : -1;
}

static inline const void *ctiff_profile(TIFF *tiff, uint32_t *count) {
  void *bytes = NULL;
  return TIFFGetField(tiff, TIFFTAG_ICCPROFILE, count, &bytes) ? bytes : NULL;
}

static inline int ctiff_color_map(TIFF *tiff, uint16_t **red, uint16_t **green, uint16_t **blue) {
  return TIFFGetField(tiff, TIFFTAG_COLORMAP, red, green, blue);
}

static inline void ctiff_ask_for_rgb(TIFF *tiff) {
  TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
}

#endif
