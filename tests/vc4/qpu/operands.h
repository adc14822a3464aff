/* SPDX-License-Identifier: MIT */
/* operands.h - operands for tests of the QPU's arithmetic. */
#ifndef TESTS_VC4_OPERANDS_H
#define TESTS_VC4_OPERANDS_H

#include <stdint.h>

#include "../../random.h"
#include "vc4/lanes/lanes.h"

/* Operands near all boundaries of the float format, and integers. */
static const uint32_t edges[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x00800001, 0x00ffffff, 0x01000000, 0x33800000, 0x34000000, 0x3effffff, 0x3f000000, 0x3f7fffff,
    0x3f800000, 0xbf800000, 0x3f800001, 0x3fffffff, 0x40000000, 0x437f0000, 0x4b7fffff, 0x4b800000,
    0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x7e800000, 0x7f000000, 0x7f7ffffe,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0x7fc00000, 0xffc00000, 0x7fffffff,
    0xffffffff, 0x0000001f, 0x00000020, 0x0000ffff, 0x00ffff00, 0x7fffff80, 0x7fffffbf, 0x80ff7f01,
};
enum { EDGES = sizeof edges / sizeof edges[0] };

/* Fills a and b with random operands. Half of the second operands have an exponent close to the
 * exponent of the first operand, so that sums cancel. */
static inline void random_operands(uint64_t *state, lanes *a, lanes *b)
{
    for (unsigned i = 0; i < LANES; i++) {
        uint64_t word = next_random64(state), more = next_random64(state);
        (*a)[i] = more & 7 ? (uint32_t)word : edges[(word >> 8) % EDGES];
        (*b)[i] = more & 8 ? (uint32_t)(word >> 32)
                           : (*a)[i] ^ (uint32_t)(word >> 32) >> (more >> 4 & 31);
    }
}

#endif
