/* SPDX-License-Identifier: MIT */
/* lanes.h - the 16 SIMD elements of a QPU as one value.
 *
 * Compiler vectors let plain C operate on all elements at once. Vectors are passed by pointer, so
 * that the calling convention does not depend on the host's vector width. Element i is lanes[i]. */
#ifndef VC4_LANES_LANES_H
#define VC4_LANES_LANES_H

#include <stdint.h>

enum { LANES = 16 };

typedef uint32_t lanes __attribute__((vector_size(LANES * 4), aligned(64)));
typedef int32_t lanes_int __attribute__((vector_size(LANES * 4), aligned(64)));
typedef float lanes_float __attribute__((vector_size(LANES * 4), aligned(64)));

/* One bit per element, bit i for element i. */
typedef uint16_t lane_mask;

enum { ALL_LANES = 0xffff };

#endif
