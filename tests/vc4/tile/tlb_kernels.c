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

/* --- multisample tiles --- */

/* Input of the functions for all samples of a multisample tile: four quads of four samples. */
static void fill_samples(struct input *input, uint8_t flags[LANES], uint32_t *seed)
{
    fill(input, seed);
    for (unsigned i = 0; i < 4; i++)
        input->places.index[i] = next_random(seed) % (PLANE / 16) * 16;
    for (unsigned i = 0; i < LANES; i++)
        flags[i] = next_random(seed) >> 8 & 0xf;
}

/* Returns the lane's word of a quad's sample. */
static uint32_t *sample_of(struct input *input, unsigned lane, unsigned s)
{
    return &input->plane[input->places.index[lane / 4] + 4 * s + lane % 4];
}

static struct tlb_samples_result plain_depth_samples(struct input *input,
                                                     const uint8_t flags[LANES])
{
    struct tlb_samples_result result = {0};
    for (unsigned i = 0; i < LANES * FEP_SAMPLES; i++) {
        unsigned lane = i / FEP_SAMPLES, s = i % FEP_SAMPLES;
        uint32_t *zs = sample_of(input, lane, s), z = input->value[lane] & 0xffffff, before = *zs;
        if (!(flags[lane] >> s & 1))
            continue;
        if (!passes(input->depth.function, z, before >> 8)) {
            result.failed[lane] |= (uint8_t)(1u << s);
            result.at_clear[lane] |= (uint8_t)((before >> 8 == input->depth.clear_z) << s);
        } else if (input->depth.update) {
            *zs = z << 8 | (before & 0xff);
            result.changed |= (lane_mask)((*zs != before) << lane);
        }
    }
    return result;
}

static lane_mask plain_write_samples(struct input *input, const uint8_t flags[LANES])
{
    unsigned changed = 0;
    for (unsigned i = 0; i < LANES * FEP_SAMPLES; i++) {
        unsigned lane = i / FEP_SAMPLES, s = i % FEP_SAMPLES;
        uint32_t *to = sample_of(input, lane, s);
        if (!(flags[lane] >> s & 1))
            continue;
        changed |= (unsigned)(*to != input->value[lane]) << lane;
        *to = input->value[lane];
    }
    return (lane_mask)changed;
}

static void compare_samples(const struct tlb_kernels *kernels)
{
    uint32_t seed = 3;
    struct input input, expected;
    uint8_t flags[LANES];
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill_samples(&input, flags, &seed);
        expected = input;
        struct tlb_samples_result plain = plain_depth_samples(&expected, flags), made;
        kernels->depth_samples(input.plane, &input.places, &input.value, flags, &input.depth,
                               &made);
        assert_memory_equal(&made, &plain, sizeof made);
        assert_memory_equal(input.plane, expected.plane, sizeof input.plane);
        lane_mask changed = plain_write_samples(&expected, flags);
        assert_int_equal(kernels->write_samples(input.plane, &input.places, &input.value, flags),
                         changed);
        assert_memory_equal(input.plane, expected.plane, sizeof input.plane);
    }
}

TEST(samples)
{
    compare_samples(&tlb_kernels_portable);
    compare_samples(tlb_kernels_native());
}

/* --- stencil --- */

/* Operations of manual table 27. */
static uint32_t operate(uint8_t op, uint32_t stored, uint32_t reference)
{
    const uint32_t results[8] = {0,
                                 stored,
                                 reference,
                                 stored < 0xff ? stored + 1 : 0xff,
                                 stored > 0 ? stored - 1 : 0,
                                 ~stored,
                                 stored + 1,
                                 stored - 1};
    return results[op] & 0xff;
}

static uint32_t plain_update(const struct tlb_stencil *face, uint8_t op, uint32_t stored)
{
    return (operate(op, stored, face->reference) & face->write_mask) |
           (stored & ~(uint32_t)face->write_mask);
}

static struct tlb_stencil_result plain_stencil(struct input *input,
                                               const struct tlb_stencil_test *test)
{
    struct tlb_stencil_result result = {0};
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t *zs = &input->plane[input->places.index[i / 4] + i % 4], before = *zs;
        uint32_t z = input->value[i] & 0xffffff, stencil = before & 0xff, stored = before >> 8;
        const struct tlb_stencil *face = test->reverse >> i & 1 ? test->back : test->front;
        const uint16_t bit = (uint16_t)(1u << i);
        if (!(input->set & bit))
            continue;
        if (face->enabled &&
            !passes((enum tlb_compare)face->function, face->reference & face->compare_mask,
                    stencil & face->compare_mask)) {
            result.stencil_failed |= bit;
            stencil = plain_update(face, face->stencil_fail_op, stencil);
        } else {
            bool passed = passes(input->depth.function, z, stored);
            result.depth_failed |= passed ? 0 : bit;
            result.at_clear |= !passed && stored == input->depth.clear_z ? bit : 0;
            if (face->enabled)
                stencil = plain_update(face, passed ? face->z_pass_op : face->z_fail_op, stencil);
            stored = passed && input->depth.update ? z : stored;
        }
        *zs = stored << 8 | stencil;
        result.changed |= *zs != before ? bit : 0;
    }
    return result;
}

static struct tlb_stencil random_face(uint32_t *seed)
{
    uint32_t a = next_random(seed), b = next_random(seed);
    return (struct tlb_stencil){.enabled = a % 4 != 0,
                                .function = a >> 4 & 7,
                                .z_fail_op = a >> 8 & 7,
                                .z_pass_op = a >> 12 & 7,
                                .stencil_fail_op = a >> 16 & 7,
                                .reference = (uint8_t)(a >> 20),
                                .compare_mask = (uint8_t)(b & 1 ? b >> 8 : 0xff),
                                .write_mask = (uint8_t)(b & 2 ? b >> 16 : 0xff)};
}

static void compare_stencil(const struct tlb_kernels *kernels)
{
    uint32_t seed = 5;
    struct input input, expected;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill(&input, &seed);
        expected = input;
        struct tlb_stencil front = random_face(&seed), back = random_face(&seed);
        if (round & 1)
            front.reference = (uint8_t)input.plane[input.places.index[0]];
        const struct tlb_stencil_test test = {&front, &back, (uint16_t)(next_random(&seed) >> 8)};
        struct tlb_stencil_result plain = plain_stencil(&expected, &test);
        struct tlb_stencil_result made = kernels->stencil(input.plane, &input.places, &input.value,
                                                          input.set, &input.depth, &test);
        assert_memory_equal(&made, &plain, sizeof made);
        assert_memory_equal(input.plane, expected.plane, sizeof input.plane);
    }
}

TEST(stencil)
{
    compare_stencil(&tlb_kernels_portable);
    compare_stencil(tlb_kernels_native());
}

/* All stencils with all operations, functions, and references next to the stencil. */
static void compare_all_stencils(const struct tlb_kernels *kernels)
{
    for (unsigned i = 0; i < 256 * 8 * 8; i++) {
        struct tlb_stencil face = {.enabled = true, .compare_mask = 0xff, .write_mask = 0xff};
        struct input input = {.places = {{0, 4, 8, 12}}, .set = ALL_LANES}, expected;
        face.function = i & 7;
        face.stencil_fail_op = face.z_pass_op = i >> 3 & 7;
        face.z_fail_op = (i >> 3 & 7) ^ 1;
        face.reference = (uint8_t)(i >> 6);
        input.depth.function = TLB_LE;
        for (unsigned k = 0; k < LANES; k++) {
            input.plane[k] = (uint8_t)(face.reference + k - 8) | 0x500;
            input.value[k] = 4 + k % 3;
        }
        expected = input;
        const struct tlb_stencil_test test = {&face, &face, 0};
        struct tlb_stencil_result plain = plain_stencil(&expected, &test);
        struct tlb_stencil_result made = kernels->stencil(input.plane, &input.places, &input.value,
                                                          input.set, &input.depth, &test);
        assert_memory_equal(&made, &plain, sizeof made);
        assert_memory_equal(input.plane, expected.plane, sizeof input.plane);
    }
}

TEST(all_stencils)
{
    compare_all_stencils(&tlb_kernels_portable);
    compare_all_stencils(tlb_kernels_native());
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

/* --- rows of pixels --- */

enum { COLUMNS = 64, ROW_SAMPLES = 2 * COLUMNS * FEP_SAMPLES };

static void compare_rows(const struct tlb_kernels *kernels)
{
    uint32_t seed = 9, quads[ROW_SAMPLES], rows[2][COLUMNS];
    for (unsigned round = 0; round < ROUNDS / 10; round++) {
        const uint32_t samples = round & 1 ? FEP_SAMPLES : 1;
        const uint32_t count = (1 + round % (COLUMNS / TLB_ROW_STEP)) * TLB_ROW_STEP;
        for (unsigned i = 0; i < ROW_SAMPLES; i++)
            quads[i] = word(&seed);
        kernels->split(quads, samples, count, rows[0], rows[1]);
        for (unsigned i = 0; i < 2 * count; i++) {
            unsigned x = i % count, y = i / count;
            assert_int_equal(rows[y][x], quads[x / 2 * 4 * samples + y * 2 + x % 2]);
        }
        kernels->split_means(quads, count, rows[0], rows[1]);
        for (unsigned i = 0; i < 2 * count * 4; i++) {
            unsigned x = i / 4 % count, y = i / 4 / count, shift = i % 4 * 8;
            const uint32_t *from = &quads[x / 2 * 16 + y * 2 + x % 2];
            uint32_t sum = 2;
            for (unsigned s = 0; s < FEP_SAMPLES; s++)
                sum += from[4 * s] >> shift & 0xff;
            assert_int_equal(rows[y][x] >> shift & 0xff, sum / 4);
        }
    }
}

TEST(rows)
{
    compare_rows(&tlb_kernels_portable);
    compare_rows(tlb_kernels_native());
}

static uint32_t shortened(uint32_t channel, uint32_t by, uint32_t drop)
{
    return (channel + by > 255 ? 255 : channel + by) >> drop;
}

/* All values of each channel with all thresholds. */
static void compare_565(const struct tlb_kernels *kernels)
{
    for (unsigned i = 0; i < 256 * 16; i++) {
        const uint32_t value = i / 16;
        const uint8_t t = i % 16, thresholds[4] = {t, t ^ 1, t ^ 6, t ^ 15};
        uint32_t words[TLB_ROW_STEP];
        uint16_t pixels[TLB_ROW_STEP];
        for (unsigned x = 0; x < TLB_ROW_STEP; x++)
            words[x] = value | (value ^ x) << 8 | (255 - value) << 16 | i << 24;
        kernels->pack_565(words, thresholds, TLB_ROW_STEP, pixels);
        for (unsigned x = 0; x < TLB_ROW_STEP; x++) {
            const uint32_t by = thresholds[x & 3];
            assert_int_equal(pixels[x], shortened(value, by >> 1, 3) << 11 |
                                            shortened(value ^ x, by >> 2, 2) << 5 |
                                            shortened(255 - value, by >> 1, 3));
        }
    }
}

TEST(pack_565)
{
    compare_565(&tlb_kernels_portable);
    compare_565(tlb_kernels_native());
}
