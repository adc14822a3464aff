/* SPDX-License-Identifier: MIT */
/* gp.c - saves and restores the state of the GP at random moments: between runs, and between the
 * instructions of a vertex. A script of runs, traces and changes of rows must have the same results
 * with and without these moments, byte for byte: varyings, findings, traces, counts, and the state
 * at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/a2xx.h>
#include <tessera/utgard.h>

#include "../mali/gp/programs.h"
#include "../register.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/state.h"

enum { OPERATIONS = 7, WORLDS = 120, FUNCTIONS = 15, MOMENTS = 1000, INSIDE = 300 };

enum kind { RUN, TRACE, SET_ROW, LOAD, KINDS };

/* A step of a script. */
struct operation {
    enum kind kind;
    size_t first, count; /* vertices */
    bool more;
    uint32_t row;
};

struct script {
    struct world *world;
    const char *example; /* path in examples/utgard, or NULL for the words of the world */
    struct operation operations[OPERATIONS];
};

/* A handle, and what its user sees. */
struct user {
    const struct script *script;
    struct tess_gp_program *program;
    struct tess_gp *gp;
    struct buffer log; /* findings, steps and statuses */
    uint32_t out[16][VERTICES][4];
    struct tess_gp_varying varying[16];
    uint32_t left; /* number of steps before the user stops the vertex, or 0 */
};

/* Numbers of moments: all, and those between the instructions of a vertex. */
static unsigned moments, inside;

/* --- logs --- */

static void log_text(struct user *user, const char *text)
{
    buffer_printf(&user->log, "%s\n", text ? text : "-");
}

static void log_finding(void *pointer, const struct tess_finding *diag)
{
    struct user *user = pointer;
    buffer_printf(&user->log, "%d %u %u %d ", diag->level, diag->line, diag->column, diag->more);
    log_text(user, diag->id);
    log_text(user, diag->text);
    log_text(user, diag->hint);
}

static bool log_step(void *pointer, const struct tess_gp_step *step)
{
    struct user *user = pointer;
    buffer_printf(&user->log, "%zu %zu %llu %u %d %u ", step->vertex, step->instruction,
                  (unsigned long long)step->cycle, step->active, step->taken, step->row_number);
    buffer_append(&user->log, step->results, sizeof step->results);
    buffer_append(&user->log, step->load0, sizeof step->load0);
    buffer_append(&user->log, step->load1, sizeof step->load1);
    buffer_append(&user->log, step->row, sizeof step->row);
    buffer_append(&user->log, step->addresses, sizeof step->addresses);
    buffer_append(&user->log, step->registers, 16 * sizeof step->registers[0]);
    assert_int_equal(tess_gp_state_size(user->gp), 0);
    return user->left == 0 || --user->left > 0;
}

/* --- handles --- */

static struct tess_gp_program *read_example(const char *example)
{
    char path[512];
    struct buffer source;
    struct tess_gp_program *program;
    const struct tess_asm_options options = {.skip_check = true};
    snprintf(path, sizeof path, "%s/../examples/utgard/%s.gp", TEST_DATA, example);
    assert_int_equal(file_read(path, &source), TESS_OK);
    assert_int_equal(tess_gp_program_read(source.data, source.size, path, &options,
                                          (struct tess_sink){0}, &program),
                     TESS_OK);
    buffer_free(&source);
    return program;
}

static struct tess_gp_program *make_words(const struct world *world)
{
    struct tess_gp_program *program;
    assert_int_equal(tess_gp_program_words(world->words, world->instructions, &program), TESS_OK);
    return program;
}

/* Creates a handle with the script's options and program. */
static struct user *open_user(const struct script *script, unsigned threads)
{
    struct tess_gp_options options = script->world->options;
    struct user *user = calloc(1, sizeof *user);
    assert_non_null(user);
    user->script = script;
    user->program = script->example ? read_example(script->example) : make_words(script->world);
    options.machine.threads = threads;
    options.machine.sink = (struct tess_sink){log_finding, user};
    assert_int_equal(tess_gp_create(&user->gp, &options), TESS_OK);
    assert_int_equal(tess_gp_load(user->gp, user->program), TESS_OK);
    memset(user->out, 0xab, sizeof user->out);
    for (unsigned i = 0; i < 16; i++)
        user->varying[i] = (struct tess_gp_varying){user->out[i], sizeof user->out[i], 16,
                                                    i % 3 ? TESS_GP_OUT_F32 : TESS_GP_OUT_F16, 4};
    return user;
}

static void close_user(struct user *user)
{
    tess_gp_destroy(user->gp);
    tess_gp_program_free(user->program);
    buffer_free(&user->log);
    free(user);
}

static uint8_t *save(const struct user *user, size_t *size)
{
    *size = tess_gp_state_size(user->gp);
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(tess_gp_save_state(user->gp, bytes, *size), TESS_OK);
    return bytes;
}

/* --- scripts --- */

static struct tess_gp_batch batch_of(const struct user *user, const struct operation *operation)
{
    return (struct tess_gp_batch){.attributes = user->script->world->attribute,
                                  .varyings = user->varying,
                                  .first = operation->first,
                                  .count = operation->count,
                                  .base = 1000,
                                  .more = operation->more};
}

static enum tess_status play(struct user *user, const struct operation *operation)
{
    struct tess_gp_batch batch = batch_of(user, operation);
    const struct world *world = user->script->world;
    switch (operation->kind) {
    case RUN: return tess_gp_run(user->gp, &batch);
    case TRACE: return tess_gp_trace(user->gp, &batch, operation->first, log_step, user);
    case SET_ROW: return tess_gp_set_rows(user->gp, operation->row, world->rows[operation->row], 1);
    case LOAD: return tess_gp_load(user->gp, user->program);
    case KINDS: break;
    }
    return TESS_OK;
}

/* Makes the handle one with another history, whose state the test then replaces. */
static void soil(struct user *user)
{
    struct operation operation = {TRACE, 3, 1, false, 0};
    struct tess_gp_batch batch = batch_of(user, &operation);
    user->left = 3;
    tess_gp_run(user->gp, &batch);
    tess_gp_trace(user->gp, &batch, 5, log_step, user);
    user->log.size = 0;
    user->left = 0;
}

/* Moves the state to another handle, which replaces the old one. */
static struct user *move(struct user *old, struct world *world)
{
    size_t size, again;
    uint8_t *bytes = save(old, &size);
    struct user *user = open_user(old->script, 1 + below(world, 3));
    if (below(world, 3) == 0)
        soil(user);
    assert_int_equal(tess_gp_restore_state(user->gp, bytes, size), TESS_OK);
    uint8_t *same = save(user, &again);
    assert_int_equal(size, again);
    assert_memory_equal(bytes, same, size);
    memcpy(user->out, old->out, sizeof user->out);
    struct buffer log = user->log;
    user->log = old->log;
    old->log = log;
    close_user(old);
    free(bytes);
    free(same);
    moments++;
    return user;
}

static uint32_t some_steps(struct world *world)
{
    return below(world, 3) ? 1 + below(world, 12) : 1 + below(world, 80);
}

/* Plays an operation with moments: while the user can stop a vertex, and after the operation. */
static struct user *play_moved(struct user *user, const struct operation *operation,
                               struct world *world)
{
    user->left = some_steps(world);
    enum tess_status status = play(user, operation);
    while (status == TESS_STOPPED) {
        if (below(world, 4)) {
            user = move(user, world);
            inside++;
        }
        struct tess_gp_batch batch = batch_of(user, operation);
        user->left = some_steps(world);
        status = tess_gp_resume(user->gp, &batch, log_step, user);
    }
    user->left = 0;
    buffer_printf(&user->log, "status %d\n", status);
    return below(world, 3) == 0 ? move(user, world) : user;
}

static struct user *play_script(const struct script *script, bool moved, struct world *world)
{
    struct user *user = open_user(script, 2);
    for (unsigned i = 0; i < OPERATIONS; i++)
        if (moved)
            user = play_moved(user, &script->operations[i], world);
        else
            buffer_printf(&user->log, "status %d\n", play(user, &script->operations[i]));
    return user;
}

static void compare(const struct user *expected, const struct user *got)
{
    size_t sizes[2];
    struct tess_gp_stats stats[2];
    tess_gp_get_stats(expected->gp, &stats[0]);
    tess_gp_get_stats(got->gp, &stats[1]);
    uint8_t *states[2] = {save(expected, &sizes[0]), save(got, &sizes[1])};
    assert_int_equal(expected->log.size, got->log.size);
    assert_memory_equal(expected->log.data, got->log.data, got->log.size);
    assert_memory_equal(expected->out, got->out, sizeof got->out);
    assert_memory_equal(&stats[0], &stats[1], sizeof stats[0]);
    assert_memory_equal(tess_gp_row(expected->gp, 0), tess_gp_row(got->gp, 0),
                        TESS_GP_ROWS * 4 * sizeof(float));
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(states[0], states[1], sizes[0]);
    free(states[0]);
    free(states[1]);
}

static void make_script(struct script *script, struct world *world)
{
    script->world = world;
    for (unsigned i = 0; i < OPERATIONS; i++) {
        struct operation *operation = &script->operations[i];
        static const enum kind kinds[] = {RUN, RUN, TRACE, TRACE, TRACE, SET_ROW, LOAD};
        operation->kind = kinds[below(world, 7)];
        operation->first = below(world, VERTICES);
        operation->count = 1 + below(world, (uint32_t)(VERTICES - operation->first));
        operation->more = below(world, 2);
        operation->row = below(world, 4);
    }
}

static void check_script(const struct script *script, struct world *world)
{
    struct user *expected = play_script(script, false, NULL);
    struct user *got = play_script(script, true, world);
    compare(expected, got);
    close_user(expected);
    close_user(got);
}

static void check_world(struct world *world, uint32_t seed, bool strange, const char *example)
{
    struct script script = {.example = example};
    world->seed = seed;
    make_program(world, strange);
    make_data(world);
    world->options.machine.sanitize = below(world, 4) ? TESS_SANITIZE_ON : TESS_SANITIZE_OFF;
    world->options.machine.shown = below(world, 2);
    if (example)
        world->options.machine.max_instructions = 0;
    for (unsigned i = 0; i < 16 && below(world, 3) == 0; i++)
        world->attribute[i].size = 16 * below(world, VERTICES); /* too short for some vertices */
    make_script(&script, world);
    check_script(&script, world);
}

TEST(random_moments)
{
    static struct world world;
    static const char *const examples[] = {
        "functions/functions",
        "if-else/branch",
        "if-else/select",
        "lighting/lighting",
        "mvp/mvp",
        "passthrough/passthrough",
        "skinning/skinning",
        "temporaries-loop/temporaries-loop",
    };
    enum { EXAMPLES = sizeof examples / sizeof examples[0] };
    for (unsigned i = 0; i < WORLDS; i++)
        check_world(&world, 91 * i + 1, i % 8 == 0, NULL);
    for (unsigned i = 0; i < 4 * EXAMPLES; i++)
        check_world(&world, 17 * i + 5, false, examples[i % EXAMPLES]);
    for (unsigned i = 0; i < FUNCTIONS; i++) /* the sanitizer remembers complex functions */
        check_world(&world, 23 * i + 7, false, examples[0]);
    print_message("%u moments, %u of them inside a vertex\n", moments, inside);
    assert_true(moments >= MOMENTS && inside >= INSIDE);
}

/* --- refusals --- */

/* Returns a handle with a stopped vertex of a random program. */
static struct user *stopped_user(struct script *script, struct world *world)
{
    static const struct operation operation = {TRACE, 5, 1, false, 0};
    enum tess_status status;
    struct user *user;
    *script = (struct script){.world = world};
    world->seed = 4;
    do {
        make_program(world, false);
        make_data(world);
        user = open_user(script, 1);
        user->left = 6;
        status = play(user, &operation);
        if (status != TESS_STOPPED)
            close_user(user);
    } while (status != TESS_STOPPED);
    return user;
}

static enum tess_status restore_copy(struct user *user, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1); /* a separate block shows reads past the end */
    memcpy(copy, bytes, size);
    enum tess_status status = tess_gp_restore_state(user->gp, copy, size);
    free(copy);
    return status;
}

TEST(refuses_damaged_states)
{
    static struct world world;
    struct script script;
    size_t size, again;
    struct user *user = stopped_user(&script, &world);
    uint8_t *bytes = save(user, &size);
    for (size_t i = 0; i < size; i += i < 100 || i + 100 > size ? 1 : 37)
        assert_int_equal(restore_copy(user, bytes, i), TESS_BAD_INPUT);
    for (size_t i = 0; i < size; i++) {
        bytes[i] ^= (uint8_t)(1 << i % 8);
        enum tess_status status = tess_gp_restore_state(user->gp, bytes, size);
        assert_int_equal(status, i >= 8 && i < 24 ? TESS_MISMATCH : TESS_BAD_INPUT);
        bytes[i] ^= (uint8_t)(1 << i % 8);
    }
    uint8_t *same = save(user, &again); /* the handle is unchanged */
    assert_int_equal(size, again);
    assert_memory_equal(bytes, same, size);
    free(bytes);
    free(same);
    close_user(user);
}

/* Wrong bytes with a right checksum: they are refused, or the vertex runs on somehow. */
TEST(survives_wrong_fields)
{
    static struct world world;
    struct script script;
    size_t size;
    static const struct operation operation = {TRACE, 5, 1, false, 0};
    struct user *user = stopped_user(&script, &world);
    struct tess_gp_batch batch = batch_of(user, &operation);
    uint8_t *bytes = save(user, &size), *damaged = malloc(size);
    unsigned restored = 0, rows = TESS_GP_ROWS * 17;
    for (unsigned i = 0; i < 3000; i++) {
        memcpy(damaged, bytes, size);
        for (unsigned k = 0; k < 2; k++)
            damaged[STATE_HEADER + rows + below(&world, (uint32_t)(size - STATE_HEADER - rows))] =
                (uint8_t)below(&world, below(&world, 2) ? 256 : 8);
        state_fix_checksum(damaged, size);
        enum tess_status status = tess_gp_restore_state(user->gp, damaged, size);
        assert_true(status == TESS_OK || status == TESS_BAD_INPUT);
        restored += status == TESS_OK;
        user->left = 0;
        tess_gp_resume(user->gp, &batch, log_step, user);
        user->log.size = 0;
    }
    assert_true(restored > 100);
    free(bytes);
    free(damaged);
    close_user(user);
}

TEST(refuses_other_machines)
{
    static struct world world;
    struct script script;
    size_t size;
    struct tess_gp *gp;
    struct tess_a2xx *a2xx;
    struct user *user = stopped_user(&script, &world);
    struct tess_gp_options options = world.options;
    uint8_t *bytes = save(user, &size);
    assert_int_equal(tess_a2xx_create(&a2xx, NULL), TESS_OK);
    assert_int_equal(tess_a2xx_restore_state(a2xx, bytes, size), TESS_MISMATCH);
    tess_a2xx_destroy(a2xx);
    assert_int_equal(tess_gp_create(&gp, &options), TESS_OK);
    assert_int_equal(tess_gp_restore_state(gp, bytes, size), TESS_MISMATCH); /* no program */
    assert_int_equal(tess_gp_load(gp, user->program), TESS_OK);
    assert_int_equal(tess_gp_restore_state(gp, bytes, size), TESS_OK);
    tess_gp_destroy(gp);
    options.choices.nan_wins = !options.choices.nan_wins;
    assert_int_equal(tess_gp_create(&gp, &options), TESS_OK);
    assert_int_equal(tess_gp_load(gp, user->program), TESS_OK);
    assert_int_equal(tess_gp_restore_state(gp, bytes, size), TESS_MISMATCH);
    tess_gp_destroy(gp);
    free(bytes);
    close_user(user);
}

TEST(refuses_wrong_arguments)
{
    static struct world world;
    struct script script;
    size_t size;
    static const struct operation operation = {TRACE, 5, 1, false, 0};
    struct user *user = stopped_user(&script, &world);
    struct tess_gp_batch batch = batch_of(user, &operation);
    uint8_t *bytes = save(user, &size);
    assert_int_equal(tess_gp_state_size(NULL), 0);
    assert_int_equal(tess_gp_save_state(NULL, bytes, size), TESS_INVALID);
    assert_int_equal(tess_gp_save_state(user->gp, NULL, size), TESS_INVALID);
    assert_int_equal(tess_gp_save_state(user->gp, bytes, size - 1), TESS_INVALID);
    assert_int_equal(tess_gp_restore_state(NULL, bytes, size), TESS_INVALID);
    assert_int_equal(tess_gp_restore_state(user->gp, NULL, size), TESS_INVALID);
    assert_int_equal(tess_gp_resume(user->gp, &batch, NULL, NULL), TESS_INVALID);
    assert_int_equal(tess_gp_resume(user->gp, NULL, log_step, user), TESS_INVALID);
    batch.count = 0;
    tess_gp_run(user->gp, &batch); /* gives up the stopped vertex */
    assert_int_equal(tess_gp_resume(user->gp, &batch, log_step, user), TESS_INVALID);
    free(bytes);
    close_user(user);
}
