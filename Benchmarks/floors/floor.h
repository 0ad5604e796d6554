#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Decodes one picture; the longer side of the result has at least `wanted` pixels, if the picture has them.
bool decode(const uint8_t *bytes, size_t length, double wanted);

// Memory that is used again for the next picture.
struct buffer {
  void *bytes;
  size_t capacity;
};

// Returns at least `needed` bytes without a value, or NULL.
void *room(struct buffer *buffer, size_t needed);

static inline uint32_t big32(const uint8_t *at) {
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}
