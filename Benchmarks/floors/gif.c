// The first picture of a GIF: variable-length LZW codes. Source: GIF89a, appendix F.
#include "floor.h"

static struct buffer pixels, joined;
static uint16_t before[4096], lengths[4096];
static uint8_t last[4096];

static bool read_codes(const uint8_t *data, size_t size, int start, uint8_t *out, size_t wanted) {
  int clear = 1 << start, width = start + 1, next = clear + 2, old = -1;
  uint32_t window = 0;
  int bits = 0;
  size_t at = 0, made = 0;
  uint8_t first = 0;
  for (int code = 0; code < clear; code++) { lengths[code] = 1; last[code] = (uint8_t)code; }
  while (made < wanted) {
    while (bits < width) {
      if (at == size) { return false; }
      window |= (uint32_t)data[at++] << bits;
      bits += 8;
    }
    int code = (int)(window & ((1u << width) - 1));
    window >>= width;
    bits -= width;
    if (code == clear) { width = start + 1; next = clear + 2; old = -1; continue; }
    if (code == clear + 1 || code > next || (old < 0 && code >= clear)) { return false; }
    int from = code == next ? old : code;
    size_t count = lengths[from];
    if (count > wanted - made) { return false; }
    for (size_t index = made + count; index-- > made; from = before[from]) { out[index] = last[from]; }
    first = out[made];
    made += count;
    if (code == next) {
      if (made == wanted) { return false; }
      out[made++] = first;
    }
    if (old >= 0 && next < 4096) {
      before[next] = (uint16_t)old;
      lengths[next] = (uint16_t)(lengths[old] + 1);
      last[next++] = first;
      if (next == 1 << width && width < 12) { width++; }
    }
    old = code;
  }
  return true;
}

bool decode(const uint8_t *bytes, size_t length, double wanted) {
  (void)wanted;
  if (length < 14) { return false; }
  size_t at = 13 + (bytes[10] & 0x80 ? 3u << ((bytes[10] & 7) + 1) : 0);
  while (at + 11 < length && bytes[at] == 0x21) {
    for (at += 2; at < length && bytes[at] != 0; at += bytes[at] + 1u) {}
    at++;
  }
  if (at + 11 >= length || bytes[at] != 0x2c) { return false; }
  size_t width = bytes[at + 5] | bytes[at + 6] << 8, height = bytes[at + 7] | bytes[at + 8] << 8;
  at += 10 + (bytes[at + 9] & 0x80 ? 3u << ((bytes[at + 9] & 7) + 1) : 0);
  uint8_t *data = room(&joined, length), *out = room(&pixels, width * height + 1);
  if (data == NULL || out == NULL || at >= length || bytes[at] > 8) { return false; }
  int start = bytes[at++];
  size_t size = 0;
  for (; at < length && bytes[at] != 0; at += bytes[at] + 1u) {
    for (size_t index = 1; index <= bytes[at] && at + index < length; index++) {
      data[size++] = bytes[at + index];
    }
  }
  return read_codes(data, size, start, out, width * height);
}
