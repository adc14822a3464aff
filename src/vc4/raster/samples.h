/* SPDX-License-Identifier: MIT */
/* samples.h - sample positions under record 96's "Rasteriser Oversample Mode", and the samples that
 * a primitive covers.
 *
 * In:  a primitive's edges, a row of pixels.
 * Out: for each row of samples, the consecutive samples that are inside the primitive. There is one
 *      such run per row, because primitives are convex. */
#ifndef VC4_RASTER_SAMPLES_H
#define VC4_RASTER_SAMPLES_H

#include <stdint.h>

#include "vc4/raster/fep_batch.h"
#include "vc4/raster/pse.h"

enum { SAMPLES_ROWS = 4 }; /* limit of rows of samples per pixel */

/* Positions of four samples within a pixel, in pixels. No source states the positions in VideoCore
 * IV. These are the positions of its successor, V3D 3.3 (Mesa, v3d_context.c). */
extern const struct samples_positions {
    double x[FEP_SAMPLES], y[FEP_SAMPLES];
} samples_positions;

/* Values of the oversample mode. 3 is reserved and works like 2. */
enum samples_mode { SAMPLES_1, SAMPLES_4, SAMPLES_16 };

/* Consecutive samples of one row, from `first` to `end` - 1. Samples are numbered from pixel 0 on.
 * Sample n is in pixel n / per_row. */
struct samples_run {
    int64_t first, end;
};

struct samples_pattern {
    uint8_t rows;    /* rows of samples per pixel */
    uint8_t per_row; /* samples per row of a pixel */
    struct {
        uint8_t x, y; /* position of the row's first sample in pixel (0, 0), in 1/8 pixel */
    } row[SAMPLES_ROWS];
};

/* Returns the pattern that record 96's configuration bits select. */
const struct samples_pattern *samples_pattern(uint32_t configuration);

/* Returns the samples that are inside all edges of the primitive, for row `row` of the pattern, in
 * the pixels with memory row y and left <= x < right. */
struct samples_run samples_inside(const struct samples_pattern *pattern, uint32_t row,
                                  const struct pse_primitive *primitive, int32_t y, int32_t left,
                                  int32_t right);

#endif
