/* SPDX-License-Identifier: MIT */
/* samples.h - where the rasteriser samples a pixel under record 96's "Rasteriser Oversample Mode", and which
 * samples a primitive covers.
 *
 * In:  a primitive's edges, a row of pixels.
 * Out: for each row of samples, the run of samples inside. A primitive is convex, so that there is one. */
#ifndef VC4_SAMPLES_H
#define VC4_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/pse.h"

enum { SAMPLES_ROWS = 4 }; /* rows of samples in a pixel, at most */

/* Values of the oversample mode; 3 is reserved and works as 2. */
enum samples_mode { SAMPLES_1, SAMPLES_4, SAMPLES_16 };

/* Samples of one row, counted from pixel 0 on: first <= sample < end. Sample n is in pixel n / per_row. */
struct samples_run {
    int64_t first, end;
};

struct samples_pattern {
    uint8_t rows;    /* in a pixel */
    uint8_t per_row; /* samples in a pixel's row */
    struct {
        uint8_t x, y; /* of the row's first sample in pixel (0, 0); 1/8 pixel */
    } row[SAMPLES_ROWS];
};

/* The pattern of record 96's configuration bits. */
const struct samples_pattern *samples_pattern(uint32_t configuration);

/* The samples of row `row` of the pixels at memory row y that lie inside all edges and in the pixels
 * left <= x < right. */
struct samples_run samples_inside(const struct samples_pattern *pattern, uint32_t row,
                                  const struct pse_primitive *primitive, int32_t y, int32_t left,
                                  int32_t right);

#endif
