#define _GNU_SOURCE 1
#include "CRaw.h"

#include <dlfcn.h>
#include <libraw/libraw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(value) #value
#define NUMBER(value) TEXT(value)

// The structs differ between LibRaw's versions: only the header's own version is loaded.
static const char library_name[] = "libraw_r.so." NUMBER(LIBRAW_SHLIB_CURRENT);
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
// Debian 13: LibRaw 0.21 has no callback of failed allocations any more, and a package of 64-bit time.
static const unsigned flags = LIBRAW_OPTIONS_NO_DATAERR_CALLBACK;
const char *const craw_package = "libraw" NUMBER(LIBRAW_SHLIB_CURRENT) "t64";
#else
// Debian 12: LibRaw 0.20 spells them so.
static const unsigned flags =
  LIBRAW_OPIONS_NO_MEMERR_CALLBACK | LIBRAW_OPIONS_NO_DATAERR_CALLBACK;
const char *const craw_package = "libraw" NUMBER(LIBRAW_SHLIB_CURRENT);
#endif

#define FUNCTIONS(each)     \
  each(init)                \
  each(open_buffer)         \
  each(unpack)              \
  each(unpack_thumb)        \
  each(dcraw_process)       \
  each(dcraw_make_mem_image) \
  each(dcraw_clear_mem)     \
  each(close)

static struct {
#define MEMBER(name) __typeof__(&libraw_##name) name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} raw;

struct craw_file {
  const char *bytes;
  size_t length;
  libraw_data_t *data;
  libraw_processed_image_t *developed;
};

const char *craw_load(void) {
  static bool is_loaded;
  if (is_loaded) return NULL;
  void *library = dlopen(library_name, RTLD_LAZY | RTLD_LOCAL);
  if (!library) return dlerror();
#define FIND(name)                                                        \
  if (!(raw.name = (__typeof__(raw.name))dlsym(library, "libraw_" #name))) { \
    return "another LibRaw: no libraw_" #name;                            \
  }
  FUNCTIONS(FIND)
#undef FIND
  is_loaded = true;
  return NULL;
}

static craw_status status_of(int error) {
  switch (error) {
    case LIBRAW_SUCCESS: return craw_success;
    case LIBRAW_FILE_UNSUPPORTED: return craw_unsupported;
    case LIBRAW_NO_THUMBNAIL:
    case LIBRAW_UNSUPPORTED_THUMBNAIL: return craw_no_preview;
    case LIBRAW_TOO_BIG:
    case LIBRAW_MEMPOOL_OVERFLOW:
    case LIBRAW_UNSUFFICIENT_MEMORY: return craw_over_limit;
    default: return craw_damaged;
  }
}

craw_file *craw_open(const void *bytes, size_t length, craw_status *status) {
  craw_file *file = calloc(1, sizeof *file);
  // Disable the default callbacks, which write to stderr.
  if (file) {
    file->bytes = bytes;
    file->length = length;
    file->data = raw.init(flags);
  }
  if (!file || !file->data) {
    free(file);
    *status = craw_over_limit;
    return NULL;
  }
  // LibRaw only reads the bytes, although the parameter is not const.
  *status = status_of(raw.open_buffer(file->data, (void *)bytes, length));
  if (*status == craw_success) return file;
  craw_close(file);
  return NULL;
}

void craw_close(craw_file *file) {
  if (!file) return;
  if (file->developed) raw.dcraw_clear_mem(file->developed);
  raw.close(file->data);
  free(file);
}

int craw_orientation(const craw_file *file) {
  // dcraw's flip has a bit for each mirror and one for the diagonal.
  static const int orientations[8] = {1, 2, 4, 3, 5, 8, 6, 7};
  return orientations[file->data->sizes.flip & 7];
}

void craw_sensor_size(const craw_file *file, int *width, int *height) {
  *width = file->data->sizes.raw_width;
  *height = file->data->sizes.raw_height;
}

size_t craw_preview_length(const craw_file *file) { return file->data->thumbnail.tlength; }

/// Returns whether a preview lies in the file up to its last byte.
///
/// LibRaw 0.20 reads what there is of a preview into memory that it has not cleared, and reports no
/// error for a rest that is missing: that may be a rest of another file. The first two bytes of a
/// JPEG are always written by LibRaw itself.
static bool holds(const craw_file *file, const libraw_thumbnail_t *thumbnail) {
  if (thumbnail->tlength <= 2) return false;
  const char *wanted = thumbnail->thumb + 2;
  const size_t length = thumbnail->tlength - 2;
  // The whole preview is compared only where its beginning is found.
  const size_t beginning = length < 64 ? length : 64;
  const char *const end = file->bytes + file->length;
  for (const char *rest = file->bytes; (size_t)(end - rest) >= length; rest++) {
    rest = memmem(rest, (size_t)(end - rest), wanted, beginning);
    if (!rest || (size_t)(end - rest) < length) return false;
    if (!memcmp(rest, wanted, length)) return true;
  }
  return false;
}

craw_status craw_preview(craw_file *file, craw_picture *picture) {
  craw_status status = status_of(raw.unpack_thumb(file->data));
  if (status != craw_success) return status;
  const libraw_thumbnail_t *thumbnail = &file->data->thumbnail;
  if (!thumbnail->thumb) return craw_no_preview;
  *picture = (craw_picture){
    .kind = craw_jpeg,
    .bytes = (const uint8_t *)thumbnail->thumb,
    .length = thumbnail->tlength,
  };
  const bool is_jpeg = thumbnail->tformat == LIBRAW_THUMBNAIL_JPEG;
  if (!holds(file, thumbnail)) return is_jpeg ? craw_damaged : craw_no_preview;
  if (is_jpeg) return craw_success;
  const int colors = thumbnail->tcolors == 1 ? 1 : 3;
  const size_t needed = (size_t)thumbnail->twidth * thumbnail->theight * (size_t)colors;
  if (thumbnail->tformat != LIBRAW_THUMBNAIL_BITMAP || thumbnail->tcolors == 2
      || thumbnail->tcolors > 3 || needed == 0 || needed > thumbnail->tlength) {
    return craw_no_preview;
  }
  picture->kind = colors == 1 ? craw_gray : craw_rgb;
  picture->width = thumbnail->twidth;
  picture->height = thumbnail->theight;
  return craw_success;
}

craw_status craw_develop(craw_file *file, unsigned maximum_megabytes, craw_picture *picture) {
  libraw_output_params_t *parameters = &file->data->params;
  parameters->half_size = 1;
  parameters->use_camera_wb = 1;
  parameters->output_bps = 8;
  parameters->output_color = 1;
  // Do not turn the picture here: it is turned like the previews, after its reduction.
  parameters->user_flip = 0;
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
  file->data->rawparams.max_raw_memory_mb = maximum_megabytes;
#else
  parameters->max_raw_memory_mb = maximum_megabytes;
#endif
  craw_status status = status_of(raw.unpack(file->data));
  if (status == craw_success) status = status_of(raw.dcraw_process(file->data));
  if (status != craw_success) return status;
  int error = LIBRAW_SUCCESS;
  if (file->developed) raw.dcraw_clear_mem(file->developed);
  file->developed = raw.dcraw_make_mem_image(file->data, &error);
  if (!file->developed) return error == LIBRAW_SUCCESS ? craw_over_limit : status_of(error);
  const libraw_processed_image_t *image = file->developed;
  const size_t needed = (size_t)image->width * image->height * image->colors;
  if (image->type != LIBRAW_IMAGE_BITMAP || image->bits != 8
      || (image->colors != 1 && image->colors != 3) || needed > image->data_size) {
    return craw_unsupported;
  }
  *picture = (craw_picture){
    .kind = image->colors == 1 ? craw_gray : craw_rgb,
    .width = image->width,
    .height = image->height,
    .bytes = image->data,
    .length = image->data_size,
  };
  return craw_success;
}
