/* SPDX-License-Identifier: MIT */
/* Tests of the sampler's kernels against its plain functions: every type, wrap mode, filter, layout
 * and kind of image, with NaN, infinite, huge and border coordinates; and accesses to caches. */
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
#include "vc4/tmu/tmu.h"

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

/* Fills addresses with few different lines, some of which share a cache set. */
static void random_lines(uint64_t *seed, lanes address[LEVEL_TAPS])
{
    for (unsigned tap = 0; tap < LEVEL_TAPS; tap++)
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t draw = (uint32_t)next_random64(seed);
            address[tap][lane] = 0xc0000000 | (draw & 0xff) | (uint32_t)(draw % 60 == 0) << 12;
        }
}

/* Access number n is tap n % 4 of lane n / 4. */
static uint32_t line_of(const lanes address[LEVEL_TAPS], unsigned access)
{
    uint32_t at = address[access % LEVEL_TAPS][access / LEVEL_TAPS];
    return (at & BUS_ADDRESS_MASK) / TMU_CACHE_LINE;
}

TEST(skipped_lines_were_accessed_before)
{
    const struct sampler_kernels *kernels = sampler_kernels_native();
    uint64_t seed = 3;
    for (unsigned round = 0; kernels && round < 20000; round++) {
        const unsigned taps = round & 1 ? 1 : LEVEL_TAPS;
        lanes address[LEVEL_TAPS];
        random_lines(&seed, address);
        const uint64_t fresh = kernels->fresh_lines(address, taps);
        for (unsigned i = 0; i < LANES * LEVEL_TAPS; i++) {
            bool before = i % LEVEL_TAPS >= taps;
            for (unsigned k = 0; k < i; k++)
                before |= k % LEVEL_TAPS < taps && line_of(address, k) == line_of(address, i);
            if (i % LEVEL_TAPS >= taps)
                assert_false(fresh >> i & 1);
            assert_true(before || fresh >> i & 1);
        }
    }
}

TEST(accesses_to_a_line_are_found)
{
    const struct sampler_kernels *kernels = sampler_kernels_native();
    uint64_t seed = 4;
    for (unsigned round = 0; kernels && round < 20000; round++) {
        const unsigned taps = round & 1 ? 1 : LEVEL_TAPS;
        const uint32_t line = (uint32_t)(next_random64(&seed) % 5 + (round & 2) * 32);
        lanes address[LEVEL_TAPS];
        uint64_t expected = 0;
        random_lines(&seed, address);
        for (unsigned i = 0; i < LANES * LEVEL_TAPS; i++)
            if (i % LEVEL_TAPS < taps && line_of(address, i) == line)
                expected |= UINT64_C(1) << i;
        assert_true(kernels->on_line(address, taps, line) == expected);
    }
}

/* A texture unit with caches. */
struct machine {
    struct tmu tmu;
    struct tmu_textures textures;
    struct shared_units units;
    struct tmu_ports ports;
};

static void request(struct machine *machine, const uint32_t parameter[2], const lanes place[4])
{
    lanes result;
    tmu_write(&machine->tmu, &machine->ports, 0, TMU_T, &place[1], parameter[0]);
    tmu_write(&machine->tmu, &machine->ports, 0, TMU_S, &place[0], parameter[1]);
    while (tmu_read(&machine->tmu, 0, &result))
        continue;
}

static void compare_caches(const struct machine *a, const struct machine *b)
{
    assert_memory_equal(&a->tmu.last, &b->tmu.last, sizeof a->tmu.last);
    assert_memory_equal(a->tmu.line, b->tmu.line, a->tmu.last.l2_misses * sizeof a->tmu.line[0]);
    assert_memory_equal(a->units.slice[0].tmu, b->units.slice[0].tmu, sizeof a->units.slice[0].tmu);
    assert_memory_equal(&a->units.l2, &b->units.l2, sizeof a->units.l2);
}

/* Chooses the pixels of four quads in a row, steps of `step` texels apart, in any direction. */
static void quads_in_a_row(uint64_t *seed, const uint32_t size[2], float step, lanes place[4])
{
    uint64_t draw = next_random64(seed);
    float start[2] = {(float)(draw & 0x7ff), (float)(draw >> 11 & 0x7ff)};
    float turn[2] = {(float)(draw >> 22 & 15) / 8 - 1, (float)(draw >> 26 & 15) / 8 - 1};
    for (unsigned lane = 0; lane < LANES; lane++) {
        float x = (float)(lane / 4 * 2 + lane % 2) * step, y = (float)(lane / 2 % 2) * step;
        place[0][lane] = float_bits((start[0] + x * turn[0] - y * turn[1]) / (float)size[0]);
        place[1][lane] = float_bits((start[1] + x * turn[1] + y * turn[0]) / (float)size[1]);
    }
}

/* Sizes whose neighbours share sets of the cache, in T-format and LT-format, and other sizes. */
static const uint32_t cached_sizes[][2] = {
    /* clang-format off */
    {256, 256}, {2048, 16}, {1024, 8}, {16, 2048}, {64, 64}, {300, 201}, {8, 8},
    /* clang-format on */
};

TEST(kernels_access_caches_as_plain_functions)
{
    static struct machine both[2];
    static const float steps[] = {0.1f, 0.9f, 3, 40};
    struct fault_log log = {0};
    struct bus bus = {.log = &log};
    uint64_t seed = 5;
    assert_int_equal(bus_map(&bus, 0, MEMORY_SIZE, NULL), TESS_OK);
    for (unsigned i = 0; i < 2; i++) {
        both[i].textures.sampler.plain = i == 1;
        both[i].ports = (struct tmu_ports){
            .bus = &bus, .log = &log, .slices = &both[i].units, .textures = &both[i].textures};
        shared_units_clear(&both[i].units);
    }
    for (unsigned round = 0; round < 100000; round++) {
        uint64_t draw = next_random64(&seed);
        const uint32_t *size = cached_sizes[draw % (sizeof cached_sizes / sizeof *cached_sizes)];
        uint32_t filter = (uint32_t)(draw >> 8) % FILTERS, wrap = (uint32_t)(draw >> 16 & 15);
        uint32_t type = (uint32_t)(draw >> 20 & 15);
        const uint32_t parameter[2] = {
            BASE | (type == 11 ? 0 : type) << 4 | (count_levels(size) - 1),
            (size[1] & 0x7ff) << 20 | (size[0] & 0x7ff) << 8 | (uint32_t)(draw >> 24 & 1) << 7 |
                filter << 4 | wrap,
        };
        lanes place[4] = {{0}};
        quads_in_a_row(&seed, size, steps[draw >> 32 & 3], place);
        for (unsigned i = 0; i < 2; i++)
            request(&both[i], parameter, place);
        compare_caches(&both[0], &both[1]);
    }
    bus_free(&bus);
}
