/* SPDX-License-Identifier: MIT */
/* Tests of the sampler's kernels against its plain functions: every type, wrap mode, filter, layout
 * and kind of image, with NaN, infinite, huge and border coordinates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../random.h"
#include "../../register.h"
#include "base/bits.h"
#include "vc4/time/tmu_sizes.h"
#include "vc4/tmu/sampler.h"
#include "vc4/tmu/sampler_kernels.h"

enum { MEMORY_SIZE = 0x800000, BASE = 0x400000, TYPES = 18, WRAPS = 4, FILTERS = 6, KINDS = 3 };

/* Sizes of T-format, LT-format and odd images. */
static const uint32_t sizes[][2] = {
    /* clang-format off */
    {256, 128}, {64, 64}, {8, 8}, {1, 1}, {16, 512}, {77, 130}, {300, 201}, {5, 3}, {33, 64},
    /* clang-format on */
};

static float random_place(uint64_t *seed, uint32_t size)
{
    static const uint32_t special[] = {0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000, 0,
                                       0x80000000, 0x3f800000, 0xbf800000, 1,          0x80000001,
                                       0x4e800000, 0xce800000, 0x7f7fffff, 0x3f7fffff, 0xb3800000};
    uint64_t draw = next_random64(seed);
    uint32_t low = (uint32_t)draw;
    switch (draw >> 60) {
    case 0: return bits_float(special[low % (sizeof special / sizeof *special)]);
    case 1: return bits_float(low);
    case 2: return (float)(int32_t)low / 65536.0f;
    case 3:
    case 4: return (float)(low % (3 * size + 1)) / (float)size - 1;
    case 5: return ((float)(low % (6 * size + 1)) / 2 + 0.5f) / (float)size - 1;
    default: return (float)(low % 0x50000) / 65536.0f - 2;
    }
}

/* Chooses coordinates. If wild is false, they are the pixels of quads. */
static void random_places(uint64_t *seed, const uint32_t size[2], bool wild, lanes place[4])
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned lane = 0; lane < LANES; lane++) {
            float step = (float)(lane % 4 == 0 ? 0 : 1 + lane % 3) / (float)size[i % 2];
            float near = lane % 4 ? bits_float(place[i][lane & ~3u]) + step : 0;
            bool any = wild || lane % 4 == 0;
            place[i][lane] = float_bits(any ? random_place(seed, size[i % 2]) : near);
        }
}

/* Samples with both samplers, and compares everything that a caller can observe. */
static void compare(struct sampler both[2], struct texture *texture, const lanes place[4],
                    uint32_t border)
{
    lanes result[2][2];
    for (unsigned i = 0; i < 2; i++)
        sampler_run(&both[i], texture, place, border, result[i]);
    assert_memory_equal(result[0], result[1], texture->format->words * sizeof(lanes));
    assert_int_equal(both[0].taps, both[1].taps);
    assert_int_equal(both[0].errata, both[1].errata);
    assert_int_equal(both[0].outside.texels, both[1].outside.texels);
    assert_memory_equal(both[0].used, both[1].used, sizeof both[0].used);
    for (unsigned tap = 0; tap < both[0].taps; tap++)
        for (unsigned lane = 0; lane < LANES; lane++)
            if (both[0].used[tap] >> lane & 1)
                assert_int_equal(both[0].address[tap][lane], both[1].address[tap][lane]);
}

static uint32_t count_levels(const uint32_t size[2])
{
    uint32_t longest = size[0] > size[1] ? size[0] : size[1], levels = 1;
    while (longest >>= 1)
        levels++;
    return levels;
}

/* kind is 0 for an image, 1 for a cube map, 2 for a child image. */
static void compare_texture(struct sampler both[2], uint64_t *seed, uint32_t type, uint32_t state,
                            const uint32_t size[2], unsigned kind)
{
    uint32_t wrap = state % (WRAPS * WRAPS), filter = state / (WRAPS * WRAPS);
    uint32_t extra = (uint32_t)next_random64(seed);
    const uint32_t parameter[4] = {
        BASE | (uint32_t)(kind == 1) << 9 | (extra & 1) << 8 | (type & 15) << 4 |
            (count_levels(size) - 1),
        type >> 4 << 31 | size[1] << 20 | (extra >> 1 & 1) << 19 | size[0] << 8 |
            (extra >> 2 & 1) << 7 | filter << 4 | wrap,
        kind == 1 ? 1u << 30 | 0x80000 : 2u << 30 | (size[1] + 1) / 2 << 12 | (size[0] + 1) / 2,
        3u << 30 | size[1] / 2 << 12 | size[0] / 2,
    };
    struct texture texture;
    lanes place[4];
    texture_setup(&texture, parameter, kind == 2 ? 4 : kind == 1 ? 3 : 2);
    if (!texture.valid)
        return;
    for (unsigned round = 0; round < 4; round++) {
        random_places(seed, size, round & 1, place);
        if (round & 2)
            place[3] = (lanes){0};
        compare(both, &texture, place, extra);
    }
}

TEST(kernels_equal_plain_functions)
{
    static struct sampler both[2];
    struct fault_log log = {0};
    struct bus bus = {.log = &log};
    uint64_t seed = 9;
    if (!sampler_kernels_native())
        return;
    assert_int_equal(bus_map(&bus, 0, MEMORY_SIZE, NULL), TESS_OK);
    for (uint32_t i = 0; i < MEMORY_SIZE; i += 4)
        store_le32(bus.regions[0].host + i, (uint32_t)next_random64(&seed));
    both[0] = (struct sampler){.bus = &bus, .traced = true, .plain = true};
    both[1] = (struct sampler){.bus = &bus, .traced = true};
    for (uint32_t type = 0; type < TYPES; type++)
        for (uint32_t state = 0; state < WRAPS * WRAPS * FILTERS; state++)
            for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
                for (unsigned kind = 0; kind < KINDS; kind++)
                    compare_texture(both, &seed, type, state, sizes[i], kind);
    bus_free(&bus);
}

/* Compares not_latest() with cache_is_latest() for addresses on few lines. */
TEST(lanes_that_change_the_cache_are_found)
{
    const struct sampler_kernels *kernels = sampler_kernels_native();
    struct cache cache;
    uint64_t seed = 3;
    cache_init(&cache, TMU_CACHE_SIZE, TMU_CACHE_WAYS, TMU_CACHE_LINE);
    for (unsigned round = 0; kernels && round < 20000; round++) {
        lanes address[SAMPLER_TAPS];
        lane_mask used[SAMPLER_TAPS], expected = 0;
        const unsigned taps = 1 + round % SAMPLER_TAPS;
        for (unsigned tap = 0; tap < taps; tap++) {
            used[tap] = (lane_mask)next_random64(&seed);
            for (unsigned lane = 0; lane < LANES; lane++) {
                uint32_t draw = (uint32_t)next_random64(&seed);
                address[tap][lane] = (draw & 0xc00000ff) | (uint32_t)(draw % 60 == 0) << 12;
                bool hit = cache_is_latest(&cache, address[tap][lane] & BUS_ADDRESS_MASK);
                if (!hit && used[tap] >> lane & 1)
                    expected |= (lane_mask)(1u << lane);
            }
        }
        assert_int_equal(kernels->not_latest(&cache, address, used, taps), expected);
        for (unsigned lane = 0; lane < LANES; lane++)
            cache_touch(&cache, address[0][lane] & BUS_ADDRESS_MASK);
    }
}
