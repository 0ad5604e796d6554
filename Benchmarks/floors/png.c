// pkg-config: libdeflate
// libdeflate inflates all rows in one call; then each is unfiltered. Source: PNG specification, 9 and 10.
#include "floor.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

static struct buffer compressed, rows;
static struct libdeflate_decompressor *inflater;

static uint8_t paeth(int left, int above, int corner) {
  int far = left + above - corner;
  int x = abs(far - left), y = abs(far - above), z = abs(far - corner);
  return (uint8_t)(x <= y && x <= z ? left : y <= z ? above : corner);
}

static void unfilter(uint8_t *row, const uint8_t *above, size_t length, size_t pixel, int filter) {
  for (size_t at = 0; at < length; at++) {
    int left = at < pixel ? 0 : row[at - pixel], corner = at < pixel ? 0 : above[at - pixel];
    switch (filter) {
      case 1: row[at] += (uint8_t)left; break;
      case 2: row[at] += above[at]; break;
      case 3: row[at] += (uint8_t)((left + above[at]) / 2); break;
      case 4: row[at] += paeth(left, above[at], corner); break;
      default: return;
    }
  }
}

bool decode(const uint8_t *bytes, size_t length, double wanted) {
  (void)wanted;
  if (inflater == NULL) { inflater = libdeflate_alloc_decompressor(); }
  if (length < 33 || bytes[28] != 0) { return false; }
  static const uint8_t samples[7] = {1, 0, 3, 1, 2, 0, 4};
  size_t bits = bytes[24] * (size_t)samples[bytes[25] % 7];
  size_t stride = (big32(bytes + 16) * bits + 7) / 8, height = big32(bytes + 20);
  size_t pixel = bits < 8 ? 1 : bits / 8, packed = 0;
  uint8_t *data = room(&compressed, length), *all = room(&rows, (stride + 1) * (height + 1));
  if (data == NULL || all == NULL) { return false; }
  for (size_t at = 8; at + 12 <= length;) {
    size_t size = big32(bytes + at);
    if (size > length - at - 12) { return false; }
    if (memcmp(bytes + at + 4, "IDAT", 4) == 0) {
      memcpy(data + packed, bytes + at + 8, size);
      packed += size;
    }
    at += size + 12;
  }
  // The first row follows one of zeros.
  memset(all, 0, stride + 1);
  uint8_t *first = all + stride + 1;
  if (libdeflate_zlib_decompress(inflater, data, packed, first, (stride + 1) * height, NULL) != 0) {
    return false;
  }
  for (size_t row = 0; row < height; row++) {
    uint8_t *at = first + row * (stride + 1);
    unfilter(at + 1, at - stride, stride, pixel, at[0]);
  }
  return true;
}
