// What the headers of system modules bring: functions and constants of a library that Swift cannot name, and each
// library once, since a library of another architecture is another build.
#define _GNU_SOURCE 1
#include "../../Sources/C/CDeflate/shim.h"
#include "../../Sources/C/CExif/shim.h"
#include "../../Sources/C/CHogweed/shim.h"
#include "../../Sources/C/CLCMS2/shim.h"
#include "../../Sources/C/CMagickWand/shim.h"
#include "../../Sources/C/CNettle/shim.h"
#include "../../Sources/C/CSQLite/shim.h"
#include "../../Sources/C/CTIFF/shim.h"
#include "../../Sources/C/CTurboJPEG/shim.h"
#include "../../Sources/C/CWebP/shim.h"
#include "../../Sources/C/CZimg/shim.h"
#include "../../Sources/C/CZlib/shim.h"

#include <CGPhoto.h>
#include <CSHA256.h>
#include <CTimestamp.h>

#include "shims.h"

static void test_digests(void) {
  struct sha256_ctx context;
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_init(&context);
  sha256_update(&context, 3, (const uint8_t *)"abc");
  sha256_digest(&context, sizeof digest, digest);
  // FIPS 180-2, B.1.
  CHECK(digest[0] == 0xba && digest[1] == 0x78 && digest[31] == 0xad);
  const uint8_t secret[ED25519_KEY_SIZE] = {0x9d};
  uint8_t public[ED25519_KEY_SIZE], signature[ED25519_SIGNATURE_SIZE];
  ed25519_sha512_public_key(public, secret);
  ed25519_sha512_sign(public, secret, 3, (const uint8_t *)"abc", signature);
  CHECK(ed25519_sha512_verify(public, 3, (const uint8_t *)"abc", signature) == 1);
  CHECK(ed25519_sha512_verify(public, 3, (const uint8_t *)"abd", signature) == 0);
  CHECK(crc32(0, (const Bytef *)"123456789", 9) == 0xCBF43926);
  CHECK(libdeflate_crc32(0, "123456789", 9) == 0xCBF43926);
}

static void test_two_digests(void) {
  uint8_t bytes[5 * SHA256_BLOCK_SIZE + 1];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(i * i / 3);
  struct sha256_ctx first, second, first_alone, second_alone;
  sha256_init(&first);
  second = first_alone = second_alone = first;
  // The second one begins at an odd address.
  if (!csha256_add_to_two(first.state, bytes, second.state, bytes + 1, 5)) {
    shims_untried("two digests at once: the processor has no instructions for SHA-256");
    CHECK(memcmp(first.state, first_alone.state, sizeof first.state) == 0);
    return;
  }
  sha256_update(&first_alone, sizeof bytes - 1, bytes);
  sha256_update(&second_alone, sizeof bytes - 1, bytes + 1);
  CHECK(memcmp(first.state, first_alone.state, sizeof first.state) == 0);
  CHECK(memcmp(second.state, second_alone.state, sizeof second.state) == 0);
}

static void test_database(void) {
  sqlite3 *database = NULL;
  CHECK(sqlite3_open(":memory:", &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, "CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t", 0, 0, 0) == SQLITE_OK);
  CHECK(sqlite3_exec(database, "SELECT a FROM v", 0, 0, 0) == SQLITE_OK);
  CHECK(mediabatch_sqlite3_prohibit_views(database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, "SELECT a FROM v", 0, 0, 0) == SQLITE_ERROR);
  sqlite3_close(database);
}

static int no_damage(const char *module, const char *text) {
  (void)module, (void)text;
  return 0;
}

static void test_tiff(struct shims_file file) {
  // A position that is no multiple of anything: tags are read wherever they are.
  uint8_t *moved = malloc(file.count + 1);
  memcpy(moved + 1, file.bytes, file.count);
  struct ctiff_file memory = {.bytes = moved + 1, .count = file.count, .is_damage = no_damage};
  TIFF *tiff = ctiff_open(&memory, 1 << 20);
  CHECK(tiff);
  if (tiff) {
    CHECK(ctiff_field_32(tiff, TIFFTAG_IMAGEWIDTH, 0) == 64 && ctiff_field_16(tiff, TIFFTAG_BITSPERSAMPLE, 0) == 16);
    CHECK(ctiff_first_extra_sample(tiff) == -1);
    uint16_t row[64 * 3];
    CHECK(TIFFReadScanline(tiff, row, 10, 0) >= 0 && row[0] == 200 * 257 && row[2] == 50 * 257);
    TIFFClose(tiff);
  }
  free(moved);
}

static void test_exif(void) {
  ExifMem *memory = cexif_memory();
  ExifData *data = cexif_data(memory);
  exif_data_set_byte_order(data, EXIF_BYTE_ORDER_MOTOROLA);
  ExifEntry *entry = cexif_add(cexif_content(data, EXIF_IFD_0), memory, EXIF_TAG_ORIENTATION, EXIF_FORMAT_SHORT, 1);
  CHECK(entry && !cexif_add(cexif_content(data, EXIF_IFD_0), memory, EXIF_TAG_ORIENTATION, EXIF_FORMAT_SHORT, 1));
  if (entry) exif_set_short(entry->data, EXIF_BYTE_ORDER_MOTOROLA, 6);
  unsigned char *bytes = NULL;
  unsigned count = 0;
  exif_data_save_data(data, &bytes, &count);
  // "Exif\0\0MM\0*", one entry: 0112 0003 00000001 0006.
  const unsigned char wanted[] = {0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6};
  CHECK(count > 30 && !memcmp(bytes + 6, "MM", 2) && !memcmp(bytes + 16, wanted, sizeof wanted));
  free(bytes);
  exif_data_unref(data);
  exif_mem_unref(memory);
}

static void test_colors(void) {
  const uint16_t pixel[3] = {0x1234, 0xABCD, 0x0042};
  uint16_t swapped[3] = {0, 0, 0};
  cmsHPROFILE profile = cmsCreate_sRGBProfile();
  cmsHTRANSFORM transform = cmsCreateTransform(
    profile, clcms2_format(3, 0, 2, 0), profile, clcms2_format(3, 0, 2, 1), INTENT_PERCEPTUAL, cmsFLAGS_NULLTRANSFORM);
  CHECK(transform);
  cmsDoTransform(transform, pixel, swapped, 1);
  for (int color = 0; color < 3; color++) CHECK(swapped[color] == (uint16_t)(pixel[color] << 8 | pixel[color] >> 8));
  cmsDeleteTransform(transform);
  cmsCloseProfile(profile);
}

static void test_scaling(void) {
  zimg_image_format source, target;
  zimg_image_format_default(&source, czimg_api_version());
  source.width = source.height = 16;
  source.pixel_type = ZIMG_PIXEL_BYTE;
  source.color_family = ZIMG_COLOR_GREY;
  source.pixel_range = ZIMG_RANGE_FULL;
  target = source;
  target.width = target.height = 8;
  zimg_filter_graph *graph = zimg_filter_graph_build(&source, &target, NULL);
  CHECK(graph);
  if (!graph) return;
  size_t needed = 0;
  CHECK(!zimg_filter_graph_get_tmp_size(graph, &needed));
  // zimg wants rows at multiples of 64 on x86-64.
  uint8_t *input = aligned_alloc(64, 64 * 16), *output = aligned_alloc(64, 64 * 8);
  void *temporary = aligned_alloc(64, (needed + 63) / 64 * 64);
  memset(input, 77, 64 * 16);
  CHECK(!czimg_process_plane(graph, input, 64, output, 64, temporary));
  CHECK(output[0] == 77 && output[64 * 7 + 7] == 77);
  free(input), free(output), free(temporary);
  zimg_filter_graph_free(graph);
}

static void test_coders(struct shims_file jpeg) {
  tjhandle decoder = tjInitDecompress();
  int width = 0, height = 0, subsampling, space;
  CHECK(!tjDecompressHeader3(decoder, jpeg.bytes, jpeg.count, &width, &height, &subsampling, &space));
  CHECK(width == 64 && height == 64);
  uint8_t *pixels = malloc(64 * 64 * 3), *coded = NULL;
  CHECK(!tjDecompress2(decoder, jpeg.bytes, jpeg.count, pixels, 64, 0, 64, TJPF_RGB, TJFLAG_ACCURATEDCT));
  CHECK(shims_is_near(pixels[0], 200, 4) && shims_is_near(pixels[2], 50, 4));
  tjDestroy(decoder);
  size_t count = WebPEncodeLosslessRGB(pixels, 64, 64, 64 * 3, &coded);
  uint8_t *decoded = count ? WebPDecodeRGB(coded, count, &width, &height) : NULL;
  CHECK(decoded && !memcmp(decoded, pixels, 64 * 64 * 3));
  WebPFree(decoded), WebPFree(coded), free(pixels);
}

static void test_wand(struct shims_file file) {
  MagickWandGenesis();
  MagickWand *wand = NewMagickWand();
  const struct cmagick_wand_head *head = (const void *)wand;
  CHECK(!strncmp(head->name, "MagickWand", 10) && head->exception == cmagick_exceptions(wand));
  CHECK(cmagick_exceptions(wand)->signature == cmagick_signature);
  CHECK(MagickReadImageBlob(wand, file.bytes, file.count) == MagickTrue && MagickGetImageWidth(wand) == 64);
  cmagick_remove_alpha(wand);
  cmagick_turn_tga_back(wand, true, false);
  uint8_t pixel[3] = {0, 0, 0};
  CHECK(MagickExportImagePixels(wand, 5, 5, 1, 1, "RGB", CharPixel, pixel) == MagickTrue);
  CHECK(pixel[0] == 200 && pixel[1] == 100 && pixel[2] == 50);
  DestroyMagickWand(wand);
  MagickWandTerminus();
}

static void test_timestamps(void) {
  CHECK(ctimestamp_is_available());
  unsigned char imprint[32], request[512];
  for (size_t at = 0; at < sizeof imprint; at++) imprint[at] = (unsigned char)(at * 9);
  size_t count = ctimestamp_request(imprint, request, sizeof request);
  struct ctimestamp_facts facts = {.seconds = 0};
  char error[200] = "";
  CHECK(count > 0 && ctimestamp_read_request(request, count, &facts, error, sizeof error) == 1);
  CHECK(!memcmp(facts.imprint, imprint, sizeof imprint) && strlen(facts.nonce) > 0);
  CHECK(ctimestamp_request(imprint, request, 4) == 0);
  CHECK(ctimestamp_read(request, count, &facts, error, sizeof error) == 0 && error[0]);
}

static void test_camera(void) {
  CHECK(!cgphoto_load() && cgphoto_version()[0] == '2');
  cgphoto_camera *camera = NULL;
  CHECK(cgphoto_open("usb:250,250", 0x04a9, 0x3110, &camera) < 0 && !camera);
  CHECK(cgphoto_error_text(cgphoto_error_busy)[0]);
}

void shims_test_libraries(const char *folder, const char *samples) {
  (void)folder;
  test_digests();
  test_two_digests();
  test_database();
  test_tiff(shims_read(samples, "color.tif"));
  test_exif();
  test_colors();
  test_scaling();
  test_coders(shims_read(samples, "color.jpg"));
  test_wand(shims_read(samples, "color.png"));
  test_timestamps();
  test_camera();
}
