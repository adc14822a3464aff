/* SPDX-License-Identifier: MIT */
/* random.c - compares random programs on the core and on the tests' simple A2xx. The results
 * must be the same to the bit, for any number of lanes side by side and any number of threads,
 * with and without the sanitizer, with and without AVX2, and with a trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/a2xx.h>

#include "../../register.h"
#include "exec/cpu.h"
#include "programs.h"
#include "simple.h"

enum { UNTOUCHED = 0x7fc12345 };

static struct tess_a2xx *make(struct world *world, const struct tess_a2xx_program *program)
{
    struct tess_a2xx *a2xx;
    assert_int_equal(tess_a2xx_create(&a2xx, &world->options), TESS_OK);
    assert_int_equal(tess_a2xx_set_window(a2xx, TESS_A2XX_PIXEL, 0, 256), TESS_OK);
    assert_int_equal(tess_a2xx_load(a2xx, TESS_A2XX_PIXEL, program), TESS_OK);
    tess_a2xx_set_constants(a2xx, TESS_A2XX_PIXEL, 0, world->constants[0], 256);
    for (unsigned i = 0; i < 256; i++)
        tess_a2xx_set_bool(a2xx, i, world->bools[i]);
    for (unsigned i = 0; i < 32; i++)
        tess_a2xx_set_loop(a2xx, i, world->loops[i][0], world->loops[i][1],
                           (int8_t)world->loops[i][2]);
    return a2xx;
}

static struct tess_a2xx_batch batch_of(struct world *world, unsigned lanes)
{
    struct tess_a2xx_batch batch = {
        .stage = TESS_A2XX_PIXEL, .count = lanes, .killed = world->killed};
    const float nothing = bits_float(UNTOUCHED);
    memset(world->killed, 0, sizeof world->killed);
    for (unsigned i = 0; i < 64; i++) {
        batch.registers[i] = (const float(*)[4])world->registers[i];
        batch.exports[i] = world->out[i];
        for (unsigned lane = 0; lane < lanes; lane++)
            for (unsigned c = 0; c < 4; c++)
                memcpy(&world->out[i][lane][c], &nothing, sizeof nothing);
    }
    return batch;
}

static bool look(void *user, const struct tess_a2xx_step *step)
{
    uint64_t *steps = user;
    assert_int_equal(step->number, *steps);
    ++*steps;
    return true;
}

enum way { TOGETHER, ALONE };

static enum tess_status run(struct world *world, const struct tess_a2xx_program *program,
                            unsigned lanes, enum way way)
{
    struct tess_a2xx *a2xx = make(world, program);
    struct tess_a2xx_batch batch = batch_of(world, lanes);
    enum tess_status status = TESS_OK;
    if (way == TOGETHER)
        status = tess_a2xx_run(a2xx, &batch);
    for (unsigned lane = 0; lane < lanes && way == ALONE; lane++) {
        uint64_t steps = 0;
        if (tess_a2xx_trace(a2xx, &batch, lane, look, &steps) == TESS_WRONG)
            status = TESS_WRONG;
    }
    tess_a2xx_destroy(a2xx);
    return status;
}

static void expect(struct world *world, unsigned lane, struct simple_output *output)
{
    struct simple_input input = {
        .words = world->words,
        .slots = SLOTS,
        .constants = (const float(*)[4])world->constants,
        .bools = world->bools,
        .loops = (const uint8_t(*)[3])world->loops,
        .limit = LIMIT,
        .fused = world->options.choices.fused_muladd,
        .keep_denormals = world->options.choices.keep_denormals,
        .xenos = world->variant == TESS_A2XX_XENOS,
    };
    for (unsigned i = 0; i < 64; i++)
        memcpy(input.registers[i], world->registers[i][lane], sizeof input.registers[i]);
    *output = (struct simple_output){0};
    simple_run(&input, output);
}

static void compare_lane(const struct world *world, unsigned lane,
                         const struct simple_output *output, uint32_t seed)
{
    if (world->killed[lane] != output->killed)
        fail_msg("seed %08x, lane %u: killed %u", seed, lane, world->killed[lane]);
    for (unsigned i = 0; i < 64; i++)
        for (unsigned c = 0; c < 4; c++) {
            bool written = output->exported[i] >> c & 1 && !output->killed;
            uint32_t wanted = written ? float_bits(output->exports[i][c]) : UNTOUCHED,
                     got = float_bits(world->out[i][lane][c]);
            if (wanted != got)
                fail_msg("seed %08x, lane %u, export%u.%c: %08x, not %08x", seed, lane, i,
                         "xyzw"[c], got, wanted);
        }
}

static void check(struct world *world, unsigned lanes, enum way way)
{
    static struct simple_output output[MANY];
    struct tess_a2xx_program *program;
    uint32_t seed = world->seed;
    bool all = true;
    random_program(world);
    random_data(world, lanes);
    assert_int_equal(tess_a2xx_program_words(world->words, SLOTS, world->variant, &program),
                     TESS_OK);
    for (unsigned lane = 0; lane < lanes; lane++) {
        expect(world, lane, &output[lane]);
        all &= output[lane].ended;
    }
    enum tess_status status = run(world, program, lanes, way);
    if (status != (all ? TESS_OK : TESS_WRONG))
        fail_msg("seed %08x: status %d", seed, status);
    for (unsigned lane = 0; lane < lanes && all; lane++)
        compare_lane(world, lane, &output[lane], seed);
    tess_a2xx_program_free(program);
}

static struct world *new_world(uint32_t seed)
{
    struct world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    world->seed = seed;
    world->options = (struct tess_a2xx_options){.machine.max_instructions = LIMIT,
                                                .machine.threads = 1};
    return world;
}

TEST(test_together)
{
    struct world *world = new_world(1);
    for (unsigned i = 0; i < 2000; i++) {
        world->options.machine.sanitize = i % 2 ? TESS_SANITIZE_OFF : TESS_SANITIZE_ON;
        world->options.choices.fused_muladd = i / 2 % 4 == 1;
        world->options.choices.keep_denormals = i / 2 % 4 == 2;
        world->variant = i / 8 % 2 ? TESS_A2XX_XENOS : TESS_A2XX_ADRENO;
        check(world, 1 + below(world, LANES), TOGETHER);
    }
    free(world);
}

TEST(test_portable)
{
    struct world *world = new_world(2);
    cpu_use_portable(true);
    for (unsigned i = 0; i < 500; i++)
        check(world, LANES, TOGETHER);
    cpu_use_portable(false);
    free(world);
}

TEST(test_alone)
{
    struct world *world = new_world(3);
    for (unsigned i = 0; i < 300; i++)
        check(world, 3, ALONE);
    free(world);
}

TEST(test_threads)
{
    struct world *world = new_world(4);
    world->options.machine.threads = 3;
    for (unsigned i = 0; i < 6; i++)
        check(world, MANY, TOGETHER);
    free(world);
}
