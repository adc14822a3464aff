/* SPDX-License-Identifier: MIT */
/* samples.c - see samples.h.
 *
 * Source:   manual table 38, id 96 (1, 4 or 16 samples). No source specifies the samples'
 *           positions.
 * Choices:  16 samples are a regular grid, 1/8 pixel away from the pixel's sides. 4 samples have
 *           the positions of the successor, V3D 3.3 (Mesa, v3d_context.c), with one sample in each
 *           row of the grid. One sample is the centre. */
#include "vc4/raster/samples.h"

enum { EIGHTH = OUTLINE_UNIT / 8 };

const struct samples_positions samples_positions = {
    .x = {5 / 8.0, 1 / 8.0, 7 / 8.0, 3 / 8.0},
    .y = {1 / 8.0, 3 / 8.0, 5 / 8.0, 7 / 8.0},
};

static const struct samples_pattern patterns[] = {
    [SAMPLES_1] = {1, 1, {{4, 4}}},
    [SAMPLES_4] = {4, 1, {{5, 1}, {1, 3}, {7, 5}, {3, 7}}},
    [SAMPLES_16] = {4, 4, {{1, 1}, {1, 3}, {1, 5}, {1, 7}}},
};

const struct samples_pattern *samples_pattern(uint32_t configuration)
{
    uint32_t mode = CONFIGURATION_GET(configuration, OVERSAMPLE);
    return &patterns[mode > SAMPLES_16 ? SAMPLES_16 : mode];
}

static int64_t floor_divide(int64_t number, int64_t divisor)
{
    return number / divisor - (number % divisor < 0);
}

/* Limits a run to the samples inside an edge. The edge function's value is at_0 at sample 0, and
 * changes by step per sample. Values of 0 and more are inside. */
static void cut(struct samples_run *run, int64_t at_0, int64_t step)
{
    if (step > 0) {
        int64_t first = -floor_divide(at_0, step);
        run->first = first > run->first ? first : run->first;
    } else if (step < 0) {
        int64_t end = floor_divide(at_0, -step) + 1;
        run->end = end < run->end ? end : run->end;
    } else if (at_0 < 0) {
        run->end = run->first;
    }
}

struct samples_run samples_inside(const struct samples_pattern *pattern, uint32_t row,
                                  const struct pse_primitive *primitive, int32_t y, int32_t left,
                                  int32_t right)
{
    struct samples_run run = {(int64_t)left * pattern->per_row, (int64_t)right * pattern->per_row};
    int64_t sample_x = pattern->row[row].x * EIGHTH;
    int64_t sample_y = (int64_t)y * OUTLINE_UNIT + pattern->row[row].y * EIGHTH;
    for (uint32_t i = 0; i < primitive->edge_count; i++) {
        const struct pse_edge *edge = &primitive->edge[i];
        cut(&run, edge->a * sample_x + edge->b * sample_y + edge->c,
            edge->a * (OUTLINE_UNIT / pattern->per_row));
    }
    return run;
}
