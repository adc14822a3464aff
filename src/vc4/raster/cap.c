/* SPDX-License-Identifier: MIT */
/* cap.c - Coverage Accumulation Pipe.
 *
 * In:       primitives from the PSE, record 96.
 * Out:      coverage levels and masks.
 * Source:   manual sections 2, 5 (Coverage Read) and 8; table 38, id 96; Broadcom's released driver
 *           (vg_hw_4.c) for its use.
 * Modelled: 1, 4 and 16 samples per pixel; the four update modes; both types and modes of reads.
 * Left out: the Z limits of record 104. All VG primitives have a Zs of 0.5.
 * Choices:  counts have 8 bits, because OpenVG 1.1 requires 255 crossings. The level is 255/16 per
 *           covered sample, rounded. The counts have memory of their own; in silicon they share the
 *           memory of Z and stencil. See docs/vc4/cap.md. */
#include "vc4/raster/cap.h"

#include <string.h>

#include "base/order.h"
#include "vc4/raster/samples.h"

enum { ALL_SAMPLES = 0xffff, ROW_SAMPLES = 4, ROW_MASK = 0xf };

struct cap_read_mode cap_read_mode(uint32_t configuration)
{
    return (struct cap_read_mode){
        .mask = CONFIGURATION_GET(configuration, COVERAGE_READ_TYPE),
        .leave = CONFIGURATION_GET(configuration, COVERAGE_READ_MODE),
    };
}

void cap_clear(struct cap *cap)
{
    cap->used = false;
}

static uint8_t *pixel_at(struct cap *cap, uint32_t x, uint32_t y)
{
    return cap->winding[y % CAP_HEIGHT * CAP_WIDTH + x % CAP_WIDTH];
}

/* --- accumulation --- */

/* Returns the samples of a pixel's 4 x 4 grid that count as covered if the pixel's only sample in
 * row `row` of a coarser pattern is covered: the same row of the grid, or the whole grid if the
 * pattern has one sample per pixel. */
static uint32_t coarse_bits(const struct samples_pattern *pattern, uint32_t row)
{
    return pattern->rows == 1 ? ALL_SAMPLES : (uint32_t)ROW_MASK << row * ROW_SAMPLES;
}

/* Returns the samples of pixel x that lie in a run of samples. The run is in row `row` of the
 * pattern with 16 samples per pixel. */
static uint32_t fine_bits(const struct samples_run *run, int64_t x, uint32_t row)
{
    int64_t first = run->first - x * ROW_SAMPLES, end = run->end - x * ROW_SAMPLES;
    first = first > 0 ? first : 0;
    end = end < ROW_SAMPLES ? end : ROW_SAMPLES;
    if (first >= end)
        return 0;
    uint32_t bits = (1u << end) - (1u << first);
    return bits << row * ROW_SAMPLES;
}

static uint32_t pixel_mask(const struct samples_pattern *pattern,
                           const struct samples_run run[SAMPLES_ROWS], int64_t x)
{
    uint32_t mask = 0;
    for (uint32_t row = 0; row < pattern->rows; row++) {
        if (pattern->per_row == ROW_SAMPLES)
            mask |= fine_bits(&run[row], x, row);
        else if (run[row].first <= x && x < run[row].end)
            mask |= coarse_bits(pattern, row);
    }
    return mask;
}

/* Sets inside[i] to 0xff if bit i of mask is set, otherwise to 0. */
static void spread(uint8_t inside[CAP_SAMPLES], uint32_t mask)
{
    for (uint32_t i = 0; i < CAP_SAMPLES; i++)
        inside[i] = (uint8_t) - (mask >> i & 1);
}

/* Updates the counts of a pixel's samples in mask. Compilers vectorise the loops. */
static void update_pixel(uint8_t winding[CAP_SAMPLES], uint32_t mask, enum cap_update update,
                         uint8_t direction)
{
    uint8_t inside[CAP_SAMPLES];
    spread(inside, mask);
    switch (update) {
    case CAP_NONZERO:
        for (uint32_t i = 0; i < CAP_SAMPLES; i++)
            winding[i] = (uint8_t)(winding[i] + (direction & inside[i]));
        break;
    case CAP_ODD:
        for (uint32_t i = 0; i < CAP_SAMPLES; i++)
            winding[i] = inside[i] ? winding[i] == 0 : winding[i];
        break;
    case CAP_OR:
        for (uint32_t i = 0; i < CAP_SAMPLES; i++)
            winding[i] = inside[i] ? 1 : winding[i];
        break;
    case CAP_ZERO:
        for (uint32_t i = 0; i < CAP_SAMPLES; i++)
            winding[i] = (uint8_t)(winding[i] & ~inside[i]);
        break;
    }
}

/* Computes the range of pixels that the runs of all rows touch. Returns false if the range is
 * empty. */
static bool touched(const struct samples_pattern *pattern,
                    const struct samples_run run[SAMPLES_ROWS], int64_t *left, int64_t *right)
{
    *left = INT64_MAX;
    *right = INT64_MIN;
    for (uint32_t row = 0; row < pattern->rows; row++) {
        if (run[row].first >= run[row].end)
            continue;
        int64_t first = run[row].first / pattern->per_row;
        int64_t end = (run[row].end - 1) / pattern->per_row + 1;
        *left = first < *left ? first : *left;
        *right = end > *right ? end : *right;
    }
    return *left < *right;
}

/* Returns the primitive's bounds inside the window, one pixel larger on each side. The primitive's
 * bounds refer to pixel centres, and samples lie up to half a pixel farther out. */
static struct fep_window bounds(const struct pse_primitive *primitive,
                                const struct fep_window *window)
{
    return (struct fep_window){
        .left = most_i32(most_i32(primitive->left - 1, window->left), 0),
        .bottom = most_i32(most_i32(primitive->bottom - 1, window->bottom), 0),
        .right = least_i32(primitive->right + 1, window->right),
        .top = least_i32(primitive->top + 1, window->top),
    };
}

static void use(struct cap *cap)
{
    if (!cap->used)
        memset(cap->winding, 0, sizeof cap->winding);
    cap->used = true;
}

void cap_draw(struct cap *cap, const struct pse_primitive *primitive, uint32_t configuration,
              const struct fep_window *window)
{
    const struct samples_pattern *pattern = samples_pattern(configuration);
    enum cap_update update = CONFIGURATION_GET(configuration, COVERAGE_UPDATE);
    uint8_t direction = primitive->reverse ? UINT8_MAX : 1;
    struct fep_window area = bounds(primitive, window);
    for (int32_t y = area.bottom; y < area.top; y++) {
        struct samples_run run[SAMPLES_ROWS];
        int64_t left, right;
        for (uint32_t row = 0; row < pattern->rows; row++)
            run[row] = samples_inside(pattern, row, primitive, y, area.left, area.right);
        if (!touched(pattern, run, &left, &right))
            continue;
        use(cap);
        for (int64_t x = left; x < right; x++)
            update_pixel(pixel_at(cap, (uint32_t)x, (uint32_t)y), pixel_mask(pattern, run, x),
                         update, direction);
    }
}

/* --- reading --- */

static uint32_t covered_samples(const uint8_t winding[CAP_SAMPLES])
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < CAP_SAMPLES; i++)
        mask |= (uint32_t)(winding[i] != 0) << i;
    return mask;
}

/* Returns the level of a mask of samples in all four bytes: 0 for no sample, 255 for 16 samples. */
static uint32_t level(uint32_t mask)
{
    uint32_t samples = (uint32_t)__builtin_popcount(mask);
    return (samples * UINT8_MAX + CAP_SAMPLES / 2) / CAP_SAMPLES * 0x01010101u;
}

static uint8_t *lane_pixel(struct cap *cap, const struct cap_quads *quads, uint32_t lane)
{
    uint32_t quad = lane >> 2;
    return pixel_at(cap, quads->x[quad] + (lane & 1u), quads->y[quad] + (lane >> 1 & 1u));
}

lane_mask cap_read(struct cap *cap, const struct cap_quads *quads, struct cap_read_mode mode,
                   lanes *out)
{
    uint32_t covered = 0;
    *out = (lanes){0};
    for (uint32_t lane = 0; lane < LANES && cap->used; lane++) {
        uint8_t *winding = lane_pixel(cap, quads, lane);
        uint32_t samples = covered_samples(winding);
        bool own = quads->lanes >> lane & 1;
        (*out)[lane] = mode.mask ? samples : level(samples);
        if (own && samples)
            covered |= 1u << lane;
        if (own && !mode.leave)
            memset(winding, 0, CAP_SAMPLES);
    }
    return (lane_mask)covered;
}

lane_mask cap_covered_quads(const struct cap *cap, const struct cap_quads *quads)
{
    uint32_t covered = 0;
    for (uint32_t lane = 0; lane < LANES && cap->used; lane++) {
        uint32_t x = quads->x[lane >> 2] + (lane & 1u), y = quads->y[lane >> 2] + (lane >> 1 & 1u);
        bool own = quads->lanes >> lane & 1;
        if (own && covered_samples(cap->winding[y % CAP_HEIGHT * CAP_WIDTH + x % CAP_WIDTH]))
            covered |= 0xfu << (lane & ~3u);
    }
    return (lane_mask)(covered & quads->lanes);
}
