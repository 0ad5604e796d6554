// Pictures of one color each, which scripts/test-arm64.sh has made with other programs.
#define _GNU_SOURCE 1
#include "shims.h"

#include <CHEIF.h>
#include <CJXL.h>
#include <CRaw.h>

#include <stdlib.h>
#include <string.h>

enum { side = 64, red = 200, green = 100, blue = 50 };

static void check_color(const uint8_t *pixels, size_t stride, int channels) {
  const uint8_t *middle = pixels + stride * (side / 2) + (size_t)(side / 2 * channels);
  CHECK(shims_is_near(middle[0], red, 4) && shims_is_near(middle[1], green, 4) && shims_is_near(middle[2], blue, 4));
}

static void test_jxl(struct shims_file file) {
  CHECK(!cjxl_load());
  cjxl_decoder *decoder = cjxl_open(file.bytes, file.count);
  cjxl_info info = {0};
  CHECK(cjxl_read_info(decoder, &info) == CJXL_DONE && info.width == side && info.height == side);
  size_t length = 0;
  CHECK(cjxl_read_profile_length(decoder, &length) == CJXL_DONE);
  uint8_t *pixels = calloc(side * side, 4);
  int channels = info.has_alpha ? 4 : 3;
  CHECK(info.color_channels == 3);
  CHECK(cjxl_decode(decoder, (uint32_t)channels, pixels, (size_t)(side * side * channels)) == CJXL_DONE);
  check_color(pixels, (size_t)(side * channels), channels);
  cjxl_close(decoder);
  decoder = cjxl_open(file.bytes, 3);
  CHECK(cjxl_read_info(decoder, &info) == CJXL_DAMAGED);
  cjxl_close(decoder);
  free(pixels);
}

static void test_heif(struct shims_file file) {
  CHECK(!cheif_load());
  struct heif_context *context = cheif_context_alloc();
  cheif_view view = {.bytes = file.bytes, .length = (int64_t)file.count};
  CHECK(cheif_context_read(context, &view).code == heif_error_Ok);
  struct heif_image_handle *handle = NULL;
  struct heif_image *image = NULL;
  CHECK(cheif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok);
  CHECK(cheif_image_handle_get_width(handle) == side && cheif_image_handle_get_height(handle) == side);
  CHECK(cheif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGB, 0, 1).code
    == heif_error_Ok);
  int stride = 0;
  const uint8_t *pixels = image ? cheif_image_get_plane_readonly(image, heif_channel_interleaved, &stride) : NULL;
  CHECK(pixels && stride >= side * 3);
  if (pixels) check_color(pixels, (size_t)stride, 3);
  if (image) cheif_image_release(image);
  cheif_image_handle_release(handle);
  cheif_context_free(context);
}

/// The content of the first box of a type, which holds one picture's data in these files.
static struct shims_file box(struct shims_file file, const char *type) {
  const uint8_t *at = memmem(file.bytes, file.count, type, 4);
  struct shims_file found = {NULL, 0};
  CHECK(at && at - file.bytes >= 4);
  if (!at || at - file.bytes < 4) return found;
  size_t count = (size_t)at[-4] << 24 | (size_t)at[-3] << 16 | (size_t)at[-2] << 8 | at[-1];
  size_t left = file.count - (size_t)(at + 4 - file.bytes);
  found.bytes = (uint8_t *)at + 4;
  found.count = count >= 8 && count - 8 < left ? count - 8 : left;
  return found;
}

static void test_still(struct shims_file file, cstill_coding coding) {
  struct shims_file data = box(file, "mdat");
  struct shims_file configuration = coding == cstill_hevc ? box(file, "hvcC") : (struct shims_file){NULL, 0};
  const cstill_options options = {
    .coding = coding, .configuration = configuration.bytes, .configuration_length = configuration.count,
    .maximum_pixel_count = 1 << 20, .is_strict = true};
  cstill_status status = cstill_damaged;
  cstill_decoder *decoder = cstill_open(&options, &status);
  CHECK(decoder && status == cstill_success);
  if (!decoder) return;
  cstill_picture picture = {.bits = 0};
  CHECK(cstill_decode(decoder, data.bytes, data.count, &picture) == cstill_success);
  CHECK(picture.width >= side && picture.height >= side && picture.bits == 8 && picture.plane_count == 3);
  // BT.601 or BT.709, whole or limited range: luma of this color is between these.
  if (picture.plane_count) {
    const uint8_t *luma = picture.planes[0];
    uint8_t level = luma[picture.strides[0] * (side / 2) + side / 2];
    CHECK(level > 100 && level < 140);
  }
  CHECK(cstill_decode(decoder, data.bytes, data.count / 2, &picture) != cstill_missing);
  cstill_close(decoder);
}

static void test_raw(struct shims_file file, struct shims_file other) {
  CHECK(!craw_load());
  craw_status status = craw_success;
  craw_file *raw = craw_open(file.bytes, file.count, &status);
  CHECK(raw && status == craw_success);
  if (raw) {
    int width = 0, height = 0;
    craw_sensor_size(raw, &width, &height);
    CHECK(width == side && height == side && craw_orientation(raw) == 6 && craw_preview_length(raw) == 0);
    craw_picture picture = {.length = 0};
    CHECK(craw_develop(raw, 100, &picture) == craw_success && picture.kind == craw_rgb && picture.length > 0);
    craw_close(raw);
  }
  CHECK(!craw_open(other.bytes, other.count, &status) && status != craw_success);
}

void shims_test_pictures(const char *folder, const char *samples) {
  (void)folder;
  test_jxl(shims_read(samples, "color.jxl"));
  test_heif(shims_read(samples, "color.heic"));
  test_still(shims_read(samples, "color.heic"), cstill_hevc);
  test_still(shims_read(samples, "color.avif"), cstill_av1);
  test_raw(shims_read(samples, "linear.dng"), shims_read(samples, "color.heic"));
}
