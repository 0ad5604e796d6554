#ifndef CSHA256_H
#define CSHA256_H

#include <stdbool.h>
#include <stddef.h>

/// Adds whole blocks of 64 bytes to two states of SHA-256 at once: one block needs so few of the processor's units at a
/// time that a second one costs almost nothing.
///
/// A state is the eight words of FIPS 180-4, 6.2, in the processor's order of bytes. Returns false, and does nothing,
/// where the processor has no instructions for SHA-256.
bool csha256_add_to_two(
  void *_Nonnull first_state, const void *_Nonnull first_blocks, void *_Nonnull second_state,
  const void *_Nonnull second_blocks, size_t count);

#endif
