/* SPDX-License-Identifier: MIT */
/* lane_mask.h - sets of lanes. A lane is one of the elements, vertices or pixels that a model
 * executes together. Bit i of a mask represents lane i; a machine with fewer than 64 lanes uses the
 * low bits. */
#ifndef EXEC_LANE_MASK_H
#define EXEC_LANE_MASK_H

#include <stdint.h>

/* Returns the lowest lane of a mask, which must not be empty. */
static inline unsigned first_lane(uint64_t mask)
{
    return (unsigned)__builtin_ctzll(mask);
}

/* Returns the number of lanes in a mask. */
static inline unsigned count_lanes(uint64_t mask)
{
#if defined __x86_64__ && !defined __POPCNT__ /* the built-in function is a call */
    mask -= mask >> 1 & 0x5555555555555555;
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333);
    return (unsigned)(((mask + (mask >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
#else
    return (unsigned)__builtin_popcountll(mask);
#endif
}

/* Executes the following statement for each lane of a mask, lowest first. */
#define FOR_LANES(name, mask)                     \
    for (uint64_t left_##name = (mask), name = 0; \
         left_##name && (name = first_lane(left_##name), 1); left_##name &= left_##name - 1)

#endif
