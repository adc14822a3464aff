/* SPDX-License-Identifier: MIT */
/* Tests of the filters of 16-bit floats: for four lanes at a time, they have the results and errata
 * of the function for a single texel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../random.h"
#include "../../register.h"
#include "vc4/tmu/filter.h"

enum { ROUNDS = 60000 };

/* Returns a 16-bit float of one of several kinds. Kind 0 has only numbers below 4096. */
static uint32_t random_half(uint64_t *seed, unsigned kind)
{
    static const uint16_t special[] = {0,      0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400,
                                       0x8400, 0x6bff, 0xebff, 0x6c00, 0xec00, 0x7bff, 0xfbff,
                                       0x7c00, 0xfc00, 0x7c01, 0xfe00, 0x3c00, 0xbc00};
    const uint64_t draw = next_random64(seed);
    const uint32_t sign = draw >> 32 & 0x8000;
    switch (kind) {
    case 0: return sign | (uint32_t)(draw % 0x6c00);
    case 1: return sign | (uint32_t)(draw % 0x0c00); /* denormals and the next larger numbers */
    case 2: return sign | 0x3c00 | (draw & 0x10);
    case 3: return special[draw % (sizeof special / sizeof *special)];
    default: return draw & 0xffff;
    }
}

static void random_texels(uint64_t *seed, lanes texel[2])
{
    for (unsigned lane = 0; lane < LANES; lane += 4) {
        const unsigned kind = (unsigned)(next_random64(seed) % 8) % 5;
        for (unsigned i = lane; i < lane + 4; i++)
            for (unsigned word = 0; word < 2; word++)
                texel[word][i] = random_half(seed, kind) | random_half(seed, kind) << 16;
    }
}

static void random_weights(uint64_t *seed, lanes *weight)
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        const uint64_t draw = next_random64(seed);
        (*weight)[lane] = draw >> 60 == 0   ? 0
                          : draw >> 60 == 1 ? FILTER_ONE
                          : draw >> 60 == 2 ? FILTER_ONE / 2
                                            : (uint32_t)(draw % (FILTER_ONE + 1));
    }
}

static uint64_t joined(const lanes texel[2], unsigned lane)
{
    return texel[0][lane] | (uint64_t)texel[1][lane] << 32;
}

TEST(quads_of_halves)
{
    uint64_t seed = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        lanes texel[4][2], result[2], old[2], x, y;
        uint32_t errata = 0, expected_errata = 0;
        for (unsigned i = 0; i < 4; i++)
            random_texels(&seed, texel[i]);
        random_texels(&seed, result);
        memcpy(old, result, sizeof old);
        random_weights(&seed, &x);
        random_weights(&seed, &y);
        const lane_mask mask = round % 2 ? ALL_LANES : (lane_mask)next_random64(&seed);
        filter_quad_halves(texel, &x, &y, mask, result, &errata);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint32_t right = x[lane], left = FILTER_ONE - right;
            const uint32_t lower = y[lane], upper = FILTER_ONE - lower;
            const uint32_t weight[4] = {left * upper, right * upper, left * lower, right * lower};
            uint64_t bits[4], expected = joined(old, lane);
            for (unsigned i = 0; i < 4; i++)
                bits[i] = joined(texel[i], lane);
            if (mask >> lane & 1)
                expected = filter_halves(bits, weight, 4, false, &expected_errata);
            assert_int_equal(joined(result, lane), expected);
        }
        assert_int_equal(errata, expected_errata);
    }
}

TEST(pairs_of_halves)
{
    uint64_t seed = 2;
    for (unsigned round = 0; round < ROUNDS; round++) {
        lanes second[2], result[2], old[2], far;
        uint32_t errata = 0, expected_errata = 0;
        random_texels(&seed, second);
        random_texels(&seed, result);
        memcpy(old, result, sizeof old);
        random_weights(&seed, &far);
        const lane_mask mask = round % 2 ? ALL_LANES : (lane_mask)next_random64(&seed);
        filter_pair_halves(second, &far, mask, result, &errata);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint64_t bits[2] = {joined(old, lane), joined(second, lane)};
            const uint32_t weight[2] = {(FILTER_ONE - far[lane]) * FILTER_ONE,
                                        far[lane] * FILTER_ONE};
            uint64_t expected = bits[0];
            if (mask >> lane & 1)
                expected = filter_halves(bits, weight, 2, true, &expected_errata);
            assert_int_equal(joined(result, lane), expected);
        }
        assert_int_equal(errata, expected_errata);
    }
}
