/* SPDX-License-Identifier: MIT */
/* Tests of the tile buffer's kernels. The plain functions of this file work sample by sample. */
#include "vc4/tile/tlb_kernels.h"
#include "../../register.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "../../random.h"

enum { ROUNDS = 20000, PLANE = 64 };

/* Values near each other and at the borders, so that all relations occur. */
static uint32_t word(uint32_t *seed)
{
    static const uint32_t border[] = {0, 1, 0xff, 0x100, 0xffffff, 0xffffff00, 0x7fffff80, ~0u};
    uint32_t choice = next_random(seed);
    return choice & 8 ? border[choice & 7] : choice << (choice >> 28);
}

struct input {
    uint32_t plane[PLANE];
    struct tlb_places places;
    lanes value;
    uint16_t set;
    struct tlb_depth depth;
};

static void fill(struct input *input, uint32_t *seed)
{
    for (unsigned i = 0; i < PLANE; i++)
        input->plane[i] = word(seed);
    for (unsigned i = 0; i < 4; i++)
        input->places.index[i] = next_random(seed) % (PLANE / 4) * 4;
    for (unsigned i = 0; i < LANES; i++)
        input->value[i] = next_random(seed) & 1
                              ? word(seed)
                              : input->plane[input->places.index[i / 4] + i % 4] >> 8;
    input->set = (uint16_t)(next_random(seed) >> 8);
    input->depth = (struct tlb_depth){.function = next_random(seed) % 8,
                                      .update = next_random(seed) % 2,
                                      .clear_z = word(seed) & 0xffffff};
}

static bool passes(enum tlb_compare function, uint32_t incoming, uint32_t stored)
{
    return function >> (incoming < stored ? 0 : incoming == stored ? 1 : 2) & 1;
}

static struct tlb_depth_result plain_depth(struct input *input)
{
    struct tlb_depth_result result = {0};
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t *zs = &input->plane[input->places.index[i / 4] + i % 4];
        uint32_t z = input->value[i] & 0xffffff, bit = 1u << i, before = *zs;
        if (!(input->set & bit))
            continue;
        if (!passes(input->depth.function, z, before >> 8)) {
            result.failed |= (uint16_t)bit;
            result.at_clear |= (uint16_t)(before >> 8 == input->depth.clear_z ? bit : 0);
        } else if (input->depth.update) {
            *zs = z << 8 | (before & 0xff);
            result.changed |= (uint16_t)(*zs != before ? bit : 0);
        }
    }
    return result;
}

static uint16_t plain_write(struct input *input)
{
    unsigned changed = 0;
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t *to = &input->plane[input->places.index[i / 4] + i % 4];
        if (!(input->set >> i & 1))
            continue;
        changed |= (unsigned)(*to != input->value[i]) << i;
        *to = input->value[i];
    }
    return (uint16_t)changed;
}

static void compare_with_plain(const struct tlb_kernels *kernels)
{
    uint32_t seed = 1;
    struct input input, expected;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill(&input, &seed);
        expected = input;
        struct tlb_depth_result plain = plain_depth(&expected);
        struct tlb_depth_result made = kernels->depth(input.plane, &input.places, &input.value,
                                                      input.set, &input.depth);
        assert_memory_equal(&made, &plain, sizeof made);
        assert_memory_equal(input.plane, expected.plane, sizeof input.plane);
        uint16_t changed = plain_write(&expected);
        assert_int_equal(kernels->write(input.plane, &input.places, &input.value, input.set),
                         changed);
        assert_memory_equal(input.plane, expected.plane, sizeof input.plane);
        lanes read;
        kernels->read(input.plane, &input.places, &read);
        unsigned zeros = kernels->zero_tops(input.plane, &input.places);
        for (unsigned i = 0; i < LANES; i++) {
            uint32_t at = input.plane[input.places.index[i / 4] + i % 4];
            assert_int_equal(read[i], at);
            assert_int_equal(zeros >> i & 1, at >> 24 == 0);
        }
    }
}

TEST(portable)
{
    compare_with_plain(&tlb_kernels_portable);
}

TEST(native)
{
    compare_with_plain(tlb_kernels_native());
}

/* Positions wrap around at the tile's size, in every geometry. */
TEST(places)
{
    uint32_t seed = 7;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct tlb_geometry tile = {.width = 32u << (round & 1),
                                          .height = 16u << (round >> 1) % 3,
                                          .samples = round & 8 ? 4 : 1,
                                          .first = round & 16 ? 1024 : 0};
        uint16_t x[4], y[4];
        for (unsigned i = 0; i < 4; i++) {
            x[i] = (uint16_t)next_random(&seed);
            y[i] = (uint16_t)(next_random(&seed) >> 3);
        }
        const struct tlb_places one = tlb_kernels_portable.places(&tile, x, y);
        const struct tlb_places other = tlb_kernels_native()->places(&tile, x, y);
        for (unsigned i = 0; i < 4; i++) {
            uint32_t expected = tlb_sample_index(&tile, x[i] & ~1u, y[i] & ~1u, 0);
            assert_int_equal(one.index[i], expected);
            assert_int_equal(other.index[i], expected);
        }
    }
}
