/* SPDX-License-Identifier: MIT */
/* lanes.h - a row of values: one value, as the bits of a float, for each of the vertices or pixels
 * that run in parallel. */
#ifndef A2XX_LANES_LANES_H
#define A2XX_LANES_LANES_H

#include <stdint.h>

#include <tessera/a2xx.h>

#include "exec/lane_mask.h"

enum { A2XX_LANES = TESS_A2XX_BATCH };

struct a2xx_row {
    uint32_t lane[A2XX_LANES] __attribute__((aligned(64)));
};

/* A set of lanes. Bit i represents lane i. */
typedef uint64_t a2xx_mask;

#define A2XX_ALL_LANES UINT64_MAX

#endif
