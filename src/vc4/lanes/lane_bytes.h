/* SPDX-License-Identifier: MIT */
/* lane_bytes.h - one byte for each of the 16 lanes, such as the multisample flags of a batch, and
 * sets of lanes. */
#ifndef VC4_LANES_LANE_BYTES_H
#define VC4_LANES_LANE_BYTES_H

#include <string.h>

#include "base/bits.h"
#include "vc4/lanes/lanes.h"
#include "vc4/lanes/quad.h"

#ifdef __x86_64__
#include <emmintrin.h>
#endif

typedef uint8_t lane_bytes __attribute__((vector_size(LANES)));

/* Returns `flag` in the bytes of the lanes in `set`, and 0 in other bytes. */
static inline lane_bytes lane_bytes_of(lane_mask set, uint8_t flag)
{
    typedef uint64_t halves __attribute__((vector_size(LANES)));
    const lane_bytes bit = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint64_t ones = UINT64_C(0x0101010101010101);
    lane_bytes bits = (lane_bytes)(halves){(set & 0xffu) * ones, (set >> 8) * ones};
    return (lane_bytes)((bits & bit) == bit) & flag;
}

/* Returns the bytes of four adjacent quads: `flag` for the pixels whose bits are set, otherwise 0.
 * Bits 0 to 7 of low and high are the pixels of the quads' two rows. */
static inline lane_bytes lane_bytes_of_rows(uint64_t low, uint64_t high, uint8_t flag)
{
    const lane_bytes bit = {1, 2, 1, 2, 4, 8, 4, 8, 16, 32, 16, 32, 64, 128, 64, 128};
    uint32_t rows;
    store_le32((uint8_t *)&rows,
               (uint32_t)(low & 0xff) * 0x0101 | (uint32_t)(high & 0xff) * 0x01010000);
    return (lane_bytes)(((lane_bytes)quad_all(rows) & bit) == bit) & flag;
}

/* Sets the bytes of the lanes in `set` to 0. */
static inline void lane_bytes_clear(uint8_t bytes[LANES], lane_mask set)
{
    lane_bytes value;
    memcpy(&value, bytes, sizeof value);
    value &= ~lane_bytes_of(set, 0xff);
    memcpy(bytes, &value, sizeof value);
}

#ifdef __x86_64__
/* Returns the lanes whose byte has any of the bits. */
static inline lane_mask lane_bytes_any(const uint8_t bytes[LANES], uint8_t bits)
{
    lane_bytes value;
    memcpy(&value, bytes, sizeof value);
    return (lane_mask)~_mm_movemask_epi8((__m128i)((value & bits) == 0));
}

#else
static inline lane_mask lane_bytes_any(const uint8_t bytes[LANES], uint8_t bits)
{
    unsigned set = 0;
    for (unsigned q = 0; q < LANES / 4; q++) {
        uint32_t word = load_le32(&bytes[q * 4]) & bits * UINT32_C(0x01010101);
        word |= word >> 4;
        word |= word >> 2;
        set |= quad_mask_of_bytes(word | word >> 1) << q * 4;
    }
    return (lane_mask)set;
}
#endif

#endif
