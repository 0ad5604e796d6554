#include "CSHA256.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>
#include <stdint.h>

#define INSTRUCTIONS __attribute__((target("sha,sse4.1")))
#define INLINE static inline __attribute__((always_inline)) INSTRUCTIONS

// FIPS 180-4, 4.2.2.
static const uint32_t constants[64] __attribute__((aligned(16))) = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/// A state in the order of the instructions, which name its words a to h, and the next 16 words of the message.
struct lane {
  __m128i abef, cdgh, words[4];
};

INLINE void load(struct lane *lane, const uint8_t *state) {
  __m128i abcd = _mm_loadu_si128((const __m128i_u *)state);
  __m128i efgh = _mm_loadu_si128((const __m128i_u *)(state + 16));
  __m128i badc = _mm_shuffle_epi32(abcd, 0xB1);
  __m128i hgfe = _mm_shuffle_epi32(efgh, 0x1B);
  lane->abef = _mm_alignr_epi8(badc, hgfe, 8);
  lane->cdgh = _mm_blend_epi16(hgfe, badc, 0xF0);
}

INLINE void store(const struct lane *lane, uint8_t *state) {
  __m128i feba = _mm_shuffle_epi32(lane->abef, 0x1B);
  __m128i dchg = _mm_shuffle_epi32(lane->cdgh, 0xB1);
  _mm_storeu_si128((__m128i_u *)state, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((__m128i_u *)(state + 16), _mm_alignr_epi8(dchg, feba, 8));
}

INLINE void load_block(struct lane *lane, const uint8_t *block) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  for (int i = 0; i < 4; i++) {
    __m128i bytes = _mm_loadu_si128((const __m128i_u *)(block + 16 * i));
    lane->words[i] = _mm_shuffle_epi8(bytes, big_endian);
  }
}

/// Four rounds with the words at `i`, in whose place those of 16 rounds later come.
INLINE void rounds(struct lane *lane, __m128i constants, int i) {
  __m128i *words = lane->words, last = words[(i + 3) & 3];
  __m128i sum = _mm_add_epi32(words[i], constants);
  lane->cdgh = _mm_sha256rnds2_epu32(lane->cdgh, lane->abef, sum);
  __m128i next = _mm_sha256msg1_epu32(words[i], words[(i + 1) & 3]);
  next = _mm_add_epi32(next, _mm_alignr_epi8(last, words[(i + 2) & 3], 4));
  words[i] = _mm_sha256msg2_epu32(next, last);
  lane->abef = _mm_sha256rnds2_epu32(lane->abef, lane->cdgh, _mm_shuffle_epi32(sum, 0x0E));
}

INSTRUCTIONS static void add(
  uint8_t *first_state, const uint8_t *first_block, uint8_t *second_state, const uint8_t *second_block,
  size_t count) {
  struct lane first, second;
  load(&first, first_state);
  load(&second, second_state);
  for (; count > 0; count--, first_block += 64, second_block += 64) {
    struct lane first_before = first, second_before = second;
    load_block(&first, first_block);
    load_block(&second, second_block);
    for (int round = 0; round < 64; round += 16) {
      for (int i = 0; i < 4; i++) {
        __m128i four = _mm_loadu_si128((const __m128i_u *)(constants + round + 4 * i));
        rounds(&first, four, i);
        rounds(&second, four, i);
      }
    }
    first.abef = _mm_add_epi32(first.abef, first_before.abef);
    first.cdgh = _mm_add_epi32(first.cdgh, first_before.cdgh);
    second.abef = _mm_add_epi32(second.abef, second_before.abef);
    second.cdgh = _mm_add_epi32(second.cdgh, second_before.cdgh);
  }
  store(&first, first_state);
  store(&second, second_state);
}

/// CPUID, leaf 7: SHA; every processor that has it has SSE 4.1.
static bool has_instructions(void) {
  static _Atomic int known = -1;
  int has = known;
  if (has < 0) {
    unsigned a, b = 0, c, d;
    has = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) != 0;
    known = has;
  }
  return has;
}

bool csha256_add_to_two(
  void *first_state, const void *first_blocks, void *second_state, const void *second_blocks, size_t count) {
  if (!has_instructions()) return false;
  add(first_state, first_blocks, second_state, second_blocks, count);
  return true;
}

#else

bool csha256_add_to_two(
  void *first_state, const void *first_blocks, void *second_state, const void *second_blocks, size_t count) {
  (void)first_state, (void)first_blocks, (void)second_state, (void)second_blocks, (void)count;
  return false;
}

#endif
