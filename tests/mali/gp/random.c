/* SPDX-License-Identifier: MIT */
/* random.c - compares random programs on the engine and on the tests' simple GP. The results
 * must be the same to the bit, for any number of vertices side by side and any number of
 * threads, with and without the sanitizer. The engine must accept any instruction word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/utgard.h>

#include "../../register.h"
#include "programs.h"
#include "simple.h"

/* Runs all vertices, in batches of `side_by_side`. Returns the first status that is not TESS_OK. */
static enum tess_status run(struct world *world, unsigned side_by_side)
{
    struct tess_gp_program *program;
    struct tess_gp *gp;
    enum tess_status status = TESS_OK;
    memset(world->out, 0xab, sizeof world->out);
    assert_int_equal(tess_gp_program_words(world->words, world->instructions, &program), TESS_OK);
    assert_int_equal(tess_gp_create(&gp, &world->options), TESS_OK);
    assert_int_equal(tess_gp_load(gp, program), TESS_OK);
    assert_int_equal(tess_gp_set_rows(gp, 0, world->rows[0], 512), TESS_OK);
    for (size_t first = 0; first < VERTICES; first += side_by_side) {
        size_t count = VERTICES - first < side_by_side ? VERTICES - first : side_by_side;
        struct tess_gp_batch batch = {world->attribute, world->varying, first, count, 0, false};
        enum tess_status this = tess_gp_run(gp, &batch);
        status = status ? status : this;
    }
    struct tess_gp_stats stats;
    tess_gp_get_stats(gp, &stats);
    world->executed = stats.instructions;
    tess_gp_destroy(gp);
    tess_gp_program_free(program);
    return status;
}

/* Runs the program on the simple GP. Returns true if it ends for all vertices. */
static bool expect(struct world *world, uint32_t out[16][VERTICES][4], uint64_t *executed)
{
    struct simple_result result;
    uint32_t attributes[16][4];
    bool ends = true;
    memset(out, 0xab, 16 * sizeof out[0]);
    *executed = 0;
    for (unsigned v = 0; v < VERTICES; v++) {
        for (unsigned a = 0; a < 16; a++)
            memcpy(attributes[a], world->attributes[a][v], sizeof attributes[a]);
        simple_run(world->words, world->instructions, &world->options.choices, LIMIT, attributes,
                   world->rows, &result);
        for (unsigned i = 0; i < 16 * 4; i++)
            if (result.stored[i / 4][i % 4])
                out[i / 4][v][i % 4] = result.varyings[i / 4][i % 4];
        *executed += result.instructions;
        ends &= !result.runaway;
    }
    return ends;
}

static void compare(const struct world *world, uint32_t out[16][VERTICES][4], unsigned width)
{
    const uint32_t *expected = &out[0][0][0], *got = &world->out[0][0][0];
    for (unsigned i = 0; i < 16 * VERTICES * 4; i++)
        if (expected[i] != got[i])
            fail_msg("varying %u, vertex %u, component %u: %08x, expected %08x; %u side by side",
                     i / 4 / VERTICES, i / 4 % VERTICES, i % 4, got[i], expected[i], width);
}

/* If the program does not end for some vertex, it runs one vertex at a time, because a run stops
 * at this vertex. */
static void check_program(struct world *world)
{
    static uint32_t out[16][VERTICES][4];
    const unsigned widths[] = {1, 7, VERTICES};
    uint64_t executed;
    bool ends = expect(world, out, &executed);
    for (unsigned i = 0; i < (ends ? 3 : 1); i++) {
        world->options.machine.sanitize = below(world, 2) ? TESS_SANITIZE_OFF : TESS_SANITIZE_ON;
        assert_int_equal(run(world, widths[i]), ends ? TESS_OK : TESS_WRONG);
        compare(world, out, widths[i]);
        assert_int_equal(executed, world->executed);
    }
}

/* The environment variable TESS_PROGRAMS sets the number of programs. Larger numbers are for
 * longer tests. */
static void check_programs(bool strange)
{
    static struct world world;
    const char *programs = getenv("TESS_PROGRAMS");
    for (unsigned i = 0; i < (programs ? (unsigned)atoi(programs) : 300); i++) {
        world.seed = 77 * i + 1;
        make_program(&world, strange);
        make_data(&world);
        check_program(&world);
    }
}

TEST(test_programs)
{
    check_programs(false);
}

TEST(test_words)
{
    check_programs(true);
}
