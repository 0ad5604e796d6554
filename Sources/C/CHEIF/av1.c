#define _GNU_SOURCE 1
#include "still.h"

#include <dav1d/dav1d.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// Source: dav1d.h (dav1d 1.0); AV1 Image File Format 1.0 section 2.1 (an item is a temporal unit).

#define FUNCTIONS(each)  \
  each(default_settings) \
  each(open)             \
  each(close)            \
  each(flush)            \
  each(send_data)        \
  each(get_picture)      \
  each(picture_unref)    \
  each(data_wrap)        \
  each(data_unref)

const char *const cheif_dav1d_package = "libdav1d" CSTILL_NUMBER(DAV1D_API_VERSION_MAJOR);

static struct {
#define MEMBER(name) __typeof__(&dav1d_##name) name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} dav1d;

static bool is_loaded;

static void load_once(void) {
  void *library =
    dlopen("libdav1d.so." CSTILL_NUMBER(DAV1D_API_VERSION_MAJOR), RTLD_LAZY | RTLD_LOCAL);
  if (!library) return;
#define FIND(name) \
  if (!(dav1d.name = (__typeof__(dav1d.name))dlsym(library, "dav1d_" #name))) return;
  FUNCTIONS(FIND)
  is_loaded = true;
}

static bool load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_once);
  return is_loaded;
}

struct av1_decoder {
  Dav1dContext *context;
  Dav1dPicture picture;
};

av1_decoder *av1_open(const cstill_options *options, cstill_status *status) {
  if (!load()) {
    *status = cstill_missing;
    return NULL;
  }
  *status = cstill_over_limit;
  av1_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  Dav1dSettings settings;
  dav1d.default_settings(&settings);
  settings.n_threads = 1;
  settings.max_frame_delay = 1;
  settings.all_layers = 0;
  settings.frame_size_limit = options->maximum_pixel_count > UINT32_MAX
                                ? UINT32_MAX : (unsigned)options->maximum_pixel_count;
  settings.logger.callback = NULL;
  settings.strict_std_compliance = 0;
  if (options->is_rough) {
    settings.inloop_filters = DAV1D_INLOOPFILTER_NONE;
    settings.apply_grain = 0;
  }
  if (dav1d.open(&decoder->context, &settings) == 0) {
    *status = cstill_success;
    return decoder;
  }
  free(decoder);
  return NULL;
}

void av1_close(av1_decoder *decoder) {
  if (decoder->picture.ref) dav1d.picture_unref(&decoder->picture);
  dav1d.close(&decoder->context);
  free(decoder);
}

/// Releases nothing, since the caller owns the bytes.
static void keep(const uint8_t *bytes, void *cookie) {
  (void)bytes;
  (void)cookie;
}

static cstill_status status_of(int error) {
  switch (error) {
    case DAV1D_ERR(ENOMEM):
    case DAV1D_ERR(ERANGE): return cstill_over_limit;
    case DAV1D_ERR(ENOPROTOOPT): return cstill_unsupported;
    default: return cstill_damaged;
  }
}

static void describe(const Dav1dPicture *source, cstill_picture *picture) {
  const Dav1dSequenceHeader *header = source->seq_hdr;
  const enum Dav1dPixelLayout layout = source->p.layout;
  *picture = (cstill_picture){
    .plane_count = layout == DAV1D_PIXEL_LAYOUT_I400 ? 1 : 3,
    .width = source->p.w,
    .height = source->p.h,
    .chroma_width = layout == DAV1D_PIXEL_LAYOUT_I444 ? 1 : 2,
    .chroma_height = layout == DAV1D_PIXEL_LAYOUT_I420 ? 2 : 1,
    .bits = source->p.bpc,
    .primaries = header->pri,
    .transfer = header->trc,
    .matrix = header->mtrx,
    .is_full_range = header->color_range != 0,
  };
  for (int index = 0; index < picture->plane_count; index++) {
    picture->planes[index] = source->data[index];
    picture->strides[index] = source->stride[index ? 1 : 0];
  }
}

cstill_status av1_decode(
  av1_decoder *decoder, const uint8_t *bytes, size_t length, cstill_picture *picture) {
  if (decoder->picture.ref) {
    dav1d.picture_unref(&decoder->picture);
    dav1d.flush(decoder->context);
  }
  Dav1dData data = {0};
  int error = dav1d.data_wrap(&data, bytes, length, keep, NULL);
  bool has_picture = false;
  while (error == 0 && !has_picture) {
    if (data.sz > 0) {
      error = dav1d.send_data(decoder->context, &data);
      if (error == DAV1D_ERR(EAGAIN)) error = 0;
      if (error != 0) break;
    }
    error = dav1d.get_picture(decoder->context, &decoder->picture);
    has_picture = error == 0;
    // There is no picture yet, but data is left to send.
    if (error == DAV1D_ERR(EAGAIN) && data.sz > 0) error = 0;
  }
  if (data.sz > 0) dav1d.data_unref(&data);
  if (!has_picture) {
    // The decoder must not keep references to the caller's bytes.
    dav1d.flush(decoder->context);
    return status_of(error);
  }
  describe(&decoder->picture, picture);
  return cstill_success;
}
