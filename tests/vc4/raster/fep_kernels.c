/* SPDX-License-Identifier: MIT */
/* Tests of the FEP's kernels. Expected values are computed pixel by pixel from the definitions in
 * fep_kernels.h and pse.h. */
#include "vc4/raster/fep_kernels.h"
#include "../../register.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "../../random.h"

enum { ROUNDS = 3000 };

static int32_t in_range(uint32_t *seed, int32_t limit)
{
    return (int32_t)(next_random(seed) % (2 * (uint32_t)limit + 1)) - limit;
}

static int64_t in_wide_range(uint32_t *seed, int64_t limit)
{
    uint64_t value = (uint64_t)next_random(seed) << 32 | next_random(seed);
    return (int64_t)(value % (2 * (uint64_t)limit + 1)) - limit;
}

/* Sets a block and edges that cross it, or pass near it. In every second round, edges go exactly
 * through samples. */
static void fill_block(struct fep_block *block, struct pse_primitive *primitive, uint32_t *seed,
                       unsigned round)
{
    int32_t limit = round % 3 == 0 ? 3 : round % 3 == 1 ? 5000 : 1 << 22;
    *block = (struct fep_block){.left = 2 *
                                        (int32_t)((next_random(seed) % (round & 4 ? 32760u : 20u))),
                                .bottom = 2 * (int32_t)(next_random(seed) % 1024),
                                .width = 1 + next_random(seed) % FEP_BLOCK,
                                .height = 1 + next_random(seed) % FEP_BLOCK,
                                .skip = round >> 5 & 1,
                                .samples = round & 8 ? FEP_SAMPLES : 1};
    primitive->edge_count = round % (PSE_MAX_EDGES + 1);
    for (uint32_t e = 0; e < primitive->edge_count; e++) {
        struct pse_edge *edge = &primitive->edge[e];
        edge->a = in_range(seed, limit) * (round & 64 ? 1 : (int32_t)(next_random(seed) % 2));
        edge->b = in_range(seed, limit);
        int64_t x = block->left * 256 + in_range(seed, 70 * 256);
        int64_t y = block->bottom * 256 + in_range(seed, 70 * 256);
        if (round & 1) {
            x &= ~INT64_C(0x1f);
            y &= ~INT64_C(0x1f);
        }
        edge->c = -(edge->a * x + edge->b * y) - (int64_t)(next_random(seed) % 2);
        if (round % 64 == 63)
            edge->c = in_wide_range(seed, INT64_C(1) << 44);
    }
}

/* True if sample s of the pixel at (x, y) of the block is inside all edges. */
static bool inside(const struct fep_block *block, const struct pse_primitive *primitive, int64_t x,
                   int64_t y, uint32_t s)
{
    static const struct {
        uint8_t x, y;
    } at[FEP_SAMPLES] = {{5, 1}, {1, 3}, {7, 5}, {3, 7}}; /* in 1/8 pixel */
    x = (block->left + x) * 256 + (block->samples == 1 ? 4 : at[s].x) * 32;
    y = (block->bottom + y) * 256 + (block->samples == 1 ? 4 : at[s].y) * 32;
    for (uint32_t e = 0; e < primitive->edge_count; e++) {
        const struct pse_edge *edge = &primitive->edge[e];
        if (edge->a * x + edge->b * y + edge->c < 0)
            return false;
    }
    return x / 256 >= block->left + (int64_t)block->skip;
}

static void check_cover(const struct fep_kernels *kernels)
{
    uint32_t seed = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct pse_primitive primitive;
        struct fep_block block;
        struct fep_cover cover;
        fill_block(&block, &primitive, &seed, round);
        bool any = kernels->cover(&block, &primitive, &cover);
        for (uint32_t i = 0; i < block.height * block.samples; i++)
            for (uint32_t x = 0; x < FEP_BLOCK; x++)
                assert_int_equal(any ? cover.row[i] >> x & 1 : 0,
                                 x < block.width && inside(&block, &primitive, x, i / block.samples,
                                                           i % block.samples));
    }
}

TEST(cover)
{
    check_cover(&fep_kernels_portable);
    check_cover(fep_kernels_native());
}

static double number(uint32_t *seed)
{
    static const double border[] = {0, -0.0, 1, 1e300, -1e300, INFINITY, -INFINITY, NAN};
    uint32_t choice = next_random(seed);
    return choice % 16 < 8 ? in_range(seed, 1 << 20) * 0x1p-20 : border[choice % 16 - 8];
}

static double at(const struct pse_plane *plane, const struct pse_primitive *from, double x,
                 double y)
{
    return plane->at0 + plane->dx * (x + 0.5 - from->x0) + plane->dy * (y + 0.5 - from->y0);
}

static uint32_t plain_z(double z, double offset)
{
    double scaled = (z + offset) * 0xffffff + 0.5;
    if (!(scaled > 0))
        return 0;
    return scaled < 0xffffff ? (uint32_t)scaled : 0xffffff;
}

static void check_values(const struct fep_kernels *kernels)
{
    uint32_t seed = 3;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct pse_primitive from = {.x0 = in_range(&seed, 1 << 21) / 256.0,
                                     .y0 = in_range(&seed, 1 << 21) / 256.0};
        from.z = (struct pse_plane){number(&seed), number(&seed), number(&seed)};
        from.inv_w = (struct pse_plane){number(&seed), number(&seed), number(&seed)};
        struct fep_planes planes = {.left = 2 * (int32_t)(next_random(&seed) % 1000),
                                    .bottom = 2 * (int32_t)(next_random(&seed) % 1000),
                                    .z_offset = round & 1 ? number(&seed) : 0,
                                    .w_varies = round & 2,
                                    .w = {1, 2, 3, 4}};
        struct fep_batch batch = {.quads = 4};
        for (unsigned q = 0; q < 4; q++) {
            batch.x[q] = (uint16_t)(planes.left + 2 * (int32_t)(next_random(&seed) % 32));
            batch.y[q] = (uint16_t)(planes.bottom + 2 * (int32_t)(next_random(&seed) % 32));
        }
        kernels->planes(&planes, &from, FEP_BLOCK, FEP_BLOCK);
        kernels->values(&planes, &batch, round & 1, 4);
        for (unsigned i = round & 1 ? 4 : 0; i < LANES; i++) {
            double x = batch.x[i / 4] + (i & 1), y = batch.y[i / 4] + (i >> 1 & 1);
            uint32_t w = vri_float_bits(1 / at(&from.inv_w, &from, x, y));
            assert_int_equal(batch.z[i], plain_z(at(&from.z, &from, x, y), planes.z_offset));
            assert_int_equal(batch.w[i], planes.w_varies ? w : i % 4 + 1);
        }
    }
}

TEST(values)
{
    check_values(&fep_kernels_portable);
    check_values(fep_kernels_native());
}
