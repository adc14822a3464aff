/* SPDX-License-Identifier: MIT */
/* a2xx.c - saves and restores the state of the shader core at random moments: between runs, and
 * between the instructions of a batch. A script of runs, traces and changes of constants must have
 * the same results with and without these moments, byte for byte: exports, killed lanes, memory,
 * findings, traces, counts, and the state at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/a2xx.h>
#include <tessera/utgard.h>

#include "../a2xx/shader/programs.h"
#include "../register.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/state.h"

enum {
    OPERATIONS = 7,
    WORLDS = 180,
    MOMENTS = 1000,
    INSIDE = 300,
    MOST = 140, /* most lanes of a batch */
    MEMORY = 0x10000,
    READ_ONLY = 0x20000,
    BYTES = 0x3000,
    HEAVY = 16, /* most lanes of a batch of which every lane is traced */
};

enum kind { RUN, TRACE, SET_CONSTANT, SET_OTHERS, LOAD };

/* A step of a script. */
struct operation {
    enum kind kind;
    enum tess_a2xx_stage stage;
    size_t count, lane;
    bool more, quads;
    uint32_t number;
};

struct script {
    struct world *world;
    const char *example; /* path below tests/.., or NULL for the words of the world */
    uint32_t fetch[TESS_A2XX_FETCH_WORDS];
    uint8_t helper[MOST];
    struct operation operations[OPERATIONS];
};

/* A handle, and what its user sees. */
struct user {
    const struct script *script;
    struct tess_a2xx_program *programs[2]; /* by stage */
    struct tess_a2xx *a2xx;
    struct buffer log; /* findings and statuses */
    uint64_t steps;    /* hash of the steps */
    float out[TESS_A2XX_EXPORTS][MOST][4];
    uint8_t killed[MOST], memory[2][BYTES];
    uint32_t left; /* number of steps before the user stops the batch, or 0 */
};

/* Numbers of moments: all, and those between the instructions of a batch. */
static unsigned moments, inside;

/* A vertex program that writes four elements to memory, the last one outside of the stream's
 * limit, and then a position. */
static const char stream[] = "@const(C0) 0.5, 1.0, 2.0, 1.0\n"
                             "@const(C1) 0.0, 1.0, 0.0, 0.0\n"
                             "@const(C2) 2.00390625, 8388608.0, 8409088.0, 8388700.0\n"
                             "ALLOC MEMORY SIZE(0)\n"
                             "EXEC\n"
                             "    ALU: MULADDv export32 = C2, R0.xxxx, C1\n"
                             "    ALU: MULv export33 = C0, R0.xxxx\n"
                             "ALLOC MEMORY SIZE(0)\n"
                             "EXEC\n"
                             "    ALU: MULADDv export32 = C2, R0.xxxx, C1\n"
                             "    ALU: ADDv export34.x___ = C0, R0.xxxx\n"
                             "ALLOC POSITION SIZE(0)\n"
                             "EXEC_END\n"
                             "    ALU: MAXv export62 = C0, C0\n";

/* --- logs --- */

static void log_finding(void *pointer, const struct tess_finding *diag)
{
    struct user *user = pointer;
    buffer_printf(&user->log, "%d %u %u %d %s\n%s\n%s\n", diag->level, diag->line, diag->column,
                  diag->more, diag->id, diag->text, diag->hint ? diag->hint : "-");
}

static void hash_step(struct user *user, const void *bytes, size_t size)
{
    user->steps = hash_bytes(user->steps, bytes, size);
}

static bool log_step(void *pointer, const struct tess_a2xx_step *step)
{
    struct user *user = pointer;
    const uint64_t numbers[] = {step->lane,         step->number,      step->kind,
                                step->slot,         step->half,        step->skipped,
                                step->export_mask,  step->predicate,   step->killed,
                                (uint64_t)step->a0, (uint64_t)step->al};
    hash_step(user, numbers, sizeof numbers);
    hash_step(user, step->vector, sizeof step->vector);
    hash_step(user, &step->scalar, sizeof step->scalar);
    hash_step(user, step->registers, TESS_A2XX_REGISTERS * sizeof step->registers[0]);
    assert_int_equal(tess_a2xx_state_size(user->a2xx), 0);
    return user->left == 0 || --user->left > 0;
}

/* --- handles --- */

static struct tess_a2xx_program *read_text(const char *text, size_t size, const char *name)
{
    struct tess_a2xx_program *program;
    const struct tess_asm_options options = {.machine = TESS_MACHINE_A2XX, .skip_check = true};
    assert_int_equal(
        tess_a2xx_program_read(text, size, name, &options, (struct tess_sink){0}, &program),
        TESS_OK);
    return program;
}

static struct tess_a2xx_program *read_example(const char *example)
{
    char path[512];
    struct buffer source;
    snprintf(path, sizeof path, "%s/../%s.a2xx", TEST_DATA, example);
    assert_int_equal(file_read(path, &source), TESS_OK);
    struct tess_a2xx_program *program = read_text((const char *)source.data, source.size, path);
    buffer_free(&source);
    return program;
}

static void make_programs(struct user *user)
{
    const struct world *world = user->script->world;
    const char *example = user->script->example;
    user->programs[TESS_A2XX_VERTEX] = read_text(stream, strlen(stream), "stream.a2xx");
    if (!example) {
        assert_int_equal(tess_a2xx_program_words(world->words, SLOTS, world->variant,
                                                 &user->programs[TESS_A2XX_PIXEL]),
                         TESS_OK);
        return;
    }
    struct tess_a2xx_program *program = read_example(example);
    if (tess_a2xx_program_stage(program) == TESS_A2XX_VERTEX) {
        user->programs[TESS_A2XX_PIXEL] = user->programs[TESS_A2XX_VERTEX];
        user->programs[TESS_A2XX_VERTEX] = program;
    } else {
        user->programs[TESS_A2XX_PIXEL] = program;
    }
}

/* Creates a handle with the script's options, programs and memory. */
static struct user *open_user(const struct script *script, unsigned threads)
{
    struct tess_a2xx_options options = script->world->options;
    struct user *user = calloc(1, sizeof *user);
    assert_non_null(user);
    user->script = script;
    options.machine.threads = threads;
    make_programs(user);
    options.machine.sink = (struct tess_sink){log_finding, user};
    assert_int_equal(tess_a2xx_create(&user->a2xx, &options), TESS_OK);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(tess_a2xx_load(user->a2xx, i, user->programs[i]), TESS_OK);
        assert_int_equal(
            tess_a2xx_map(user->a2xx, i ? READ_ONLY : MEMORY, user->memory[i], BYTES, i == 0),
            TESS_OK);
        for (unsigned k = 0; k < BYTES; k++)
            user->memory[i][k] = (uint8_t)(k * 7 + k / 256 + i);
    }
    memset(user->out, 0xab, sizeof user->out);
    return user;
}

static void set_everything(struct user *user)
{
    const struct world *world = user->script->world;
    tess_a2xx_set_window(user->a2xx, TESS_A2XX_PIXEL, 200, 256);
    tess_a2xx_set_constants(user->a2xx, TESS_A2XX_PIXEL, 0, world->constants[0], 190);
    tess_a2xx_set_fetch(user->a2xx, 0, user->script->fetch, TESS_A2XX_FETCH_WORDS);
    for (unsigned i = 0; i < 200; i++)
        tess_a2xx_set_bool(user->a2xx, i, world->bools[i]);
    for (unsigned i = 0; i < 30; i++)
        tess_a2xx_set_loop(user->a2xx, i, world->loops[i][0], world->loops[i][1],
                           (int8_t)world->loops[i][2]);
}

static void close_user(struct user *user)
{
    tess_a2xx_destroy(user->a2xx);
    tess_a2xx_program_free(user->programs[0]);
    tess_a2xx_program_free(user->programs[1]);
    buffer_free(&user->log);
    free(user);
}

static uint8_t *save(const struct user *user, size_t *size)
{
    *size = tess_a2xx_state_size(user->a2xx);
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(tess_a2xx_save_state(user->a2xx, bytes, *size), TESS_OK);
    return bytes;
}

/* --- scripts --- */

static struct tess_a2xx_batch batch_of(struct user *user, const struct operation *operation)
{
    struct world *world = user->script->world;
    struct tess_a2xx_batch batch = {
        .stage = operation->stage,
        .count = operation->count,
        .quads = operation->quads,
        .helper = operation->quads ? user->script->helper : NULL,
        .killed = user->killed,
        .base = 3,
        .more = operation->more,
    };
    for (unsigned i = 0; i < TESS_A2XX_EXPORTS; i++) {
        batch.exports[i] = user->out[i];
        if (operation->stage == TESS_A2XX_PIXEL && i < 40)
            batch.registers[i] = (const float(*)[4])world->registers[i];
    }
    return batch;
}

static enum tess_status set_others(struct user *user, uint32_t number)
{
    const uint32_t word = number * UINT32_C(0x01010101);
    tess_a2xx_set_bool(user->a2xx, number, number & 1);
    tess_a2xx_set_loop(user->a2xx, number % 32, number % 3, number, (int32_t)(number % 5) - 2);
    return tess_a2xx_set_fetch(user->a2xx, number % TESS_A2XX_FETCH_WORDS, &word, 1);
}

static enum tess_status play(struct user *user, const struct operation *operation)
{
    struct tess_a2xx_batch batch = batch_of(user, operation);
    const struct world *world = user->script->world;
    switch (operation->kind) {
    case RUN: return tess_a2xx_run(user->a2xx, &batch);
    case TRACE: return tess_a2xx_trace(user->a2xx, &batch, operation->lane, log_step, user);
    case SET_CONSTANT:
        return tess_a2xx_set_constants(user->a2xx, operation->stage, operation->number % 8,
                                       world->constants[operation->number], 1);
    case SET_OTHERS: return set_others(user, operation->number);
    case LOAD:
        return tess_a2xx_load(user->a2xx, operation->stage, user->programs[operation->stage]);
    }
    return TESS_OK;
}

/* Makes the handle one with another history, whose state the test then replaces. */
static void soil(struct user *user)
{
    struct operation operation = {
        .kind = RUN, .stage = TESS_A2XX_PIXEL, .count = 12, .lane = TESS_A2XX_EVERY_LANE};
    set_everything(user);
    play(user, &operation);
    operation.kind = TRACE;
    user->left = 20;
    play(user, &operation);
    user->log.size = 0;
    user->left = 0;
}

/* Gives the results in the user's memory to another user. */
static void give_results(struct user *user, struct user *old)
{
    struct buffer log = user->log;
    memcpy(user->out, old->out, sizeof user->out);
    memcpy(user->killed, old->killed, sizeof user->killed);
    memcpy(user->memory, old->memory, sizeof user->memory);
    user->steps = old->steps;
    user->log = old->log;
    old->log = log;
}

/* Moves the state to another handle, which replaces the old one. */
static struct user *move(struct user *old, struct world *world)
{
    size_t size, again;
    uint8_t *bytes = save(old, &size);
    struct user *user = open_user(old->script, 1 + below(world, 3));
    if (below(world, 3) == 0)
        soil(user);
    assert_int_equal(tess_a2xx_restore_state(user->a2xx, bytes, size), TESS_OK);
    uint8_t *same = save(user, &again);
    assert_int_equal(size, again);
    assert_memory_equal(bytes, same, size);
    give_results(user, old);
    close_user(old);
    free(bytes);
    free(same);
    moments++;
    return user;
}

static uint32_t some_steps(struct world *world, const struct operation *operation)
{
    uint32_t lanes = operation->lane == TESS_A2XX_EVERY_LANE ? (uint32_t)operation->count : 1;
    return lanes * (below(world, 3) ? below(world, 12) : below(world, 60)) + 1;
}

/* Plays an operation with moments: while the user can stop a batch, and after the operation. */
static struct user *play_moved(struct user *user, const struct operation *operation,
                               struct world *world)
{
    user->left = some_steps(world, operation);
    enum tess_status status = play(user, operation);
    while (status == TESS_STOPPED) {
        if (below(world, 4)) {
            user = move(user, world);
            inside++;
        }
        struct tess_a2xx_batch batch = batch_of(user, operation);
        user->left = some_steps(world, operation);
        status = tess_a2xx_resume(user->a2xx, &batch, operation->lane, log_step, user);
    }
    user->left = 0;
    buffer_printf(&user->log, "status %d\n", status);
    return below(world, 3) == 0 ? move(user, world) : user;
}

static struct user *play_script(const struct script *script, bool moved, struct world *world)
{
    struct user *user = open_user(script, 2);
    set_everything(user);
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
    struct tess_a2xx_stats stats[2];
    tess_a2xx_get_stats(expected->a2xx, &stats[0]);
    tess_a2xx_get_stats(got->a2xx, &stats[1]);
    uint8_t *states[2] = {save(expected, &sizes[0]), save(got, &sizes[1])};
    assert_int_equal(expected->log.size, got->log.size);
    assert_memory_equal(expected->log.data, got->log.data, got->log.size);
    assert_true(expected->steps == got->steps);
    assert_memory_equal(expected->out, got->out, sizeof got->out);
    assert_memory_equal(expected->killed, got->killed, sizeof got->killed);
    assert_memory_equal(expected->memory, got->memory, sizeof got->memory);
    assert_memory_equal(&stats[0], &stats[1], sizeof stats[0]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(states[0], states[1], sizes[0]);
    free(states[0]);
    free(states[1]);
}

static void make_operation(struct operation *operation, struct world *world)
{
    static const enum kind kinds[] = {RUN,   RUN,          TRACE,      TRACE,
                                      TRACE, SET_CONSTANT, SET_OTHERS, LOAD};
    bool every = below(world, 4) == 0;
    operation->kind = kinds[below(world, 8)];
    operation->stage = below(world, 3) ? TESS_A2XX_PIXEL : TESS_A2XX_VERTEX;
    operation->count = 1 + below(world, every || below(world, 2) ? HEAVY : MOST - 1);
    operation->quads = below(world, 2);
    if (operation->quads)
        operation->count = (operation->count + 3) / 4 * 4;
    operation->lane = every ? TESS_A2XX_EVERY_LANE : below(world, (uint32_t)operation->count);
    operation->more = below(world, 2);
    operation->number = below(world, 200);
}

static void make_script(struct script *script, struct world *world)
{
    script->world = world;
    for (unsigned i = 0; i < OPERATIONS; i++)
        make_operation(&script->operations[i], world);
    for (unsigned i = 0; i < MOST; i++)
        script->helper[i] = below(world, 8) == 0;
    for (unsigned i = 0; i < TESS_A2XX_FETCH_WORDS; i += 2) {
        script->fetch[i] = (next_random(&world->seed) & 0xffff0fff) % BYTES + MEMORY;
        script->fetch[i + 1] = (next_random(&world->seed) & 0xfff) | MEMORY;
    }
}

/* Makes some instructions of the clauses fetches. */
static void add_fetches(struct world *world)
{
    for (unsigned i = 0; i < 2 * CONTROL; i++) {
        uint32_t *words = world->words + i / 2 * A2XX_WORDS;
        struct a2xx_cf cf = a2xx_decode_cf(a2xx_cf_half(words, i % 2));
        if (cf.form == A2XX_FORM_EXEC && below(world, 2))
            cf.exec.sequence |= next_random(&world->seed) & 0x555;
        a2xx_set_cf_half(words, i % 2, a2xx_encode_cf(&cf));
    }
}

static void check_world(struct world *world, uint32_t seed, const char *example)
{
    struct script script = {.example = example};
    world->seed = seed;
    random_program(world);
    add_fetches(world);
    random_data(world, MOST);
    world->options = (struct tess_a2xx_options){
        .machine.max_instructions = example ? 0 : LIMIT,
        .machine.sanitize = below(world, 4) ? TESS_SANITIZE_ON : TESS_SANITIZE_OFF,
        .machine.shown = below(world, 2),
        .choices = {below(world, 2), below(world, 2)},
    };
    world->variant = below(world, 2) ? TESS_A2XX_XENOS : TESS_A2XX_ADRENO;
    make_script(&script, world);
    struct user *expected = play_script(&script, false, NULL);
    struct user *got = play_script(&script, true, world);
    compare(expected, got);
    close_user(expected);
    close_user(got);
}

TEST(random_moments)
{
    static struct world world;
    static const char *const examples[] = {
        "examples/a2xx/kill/holes",
        "examples/a2xx/loop/loop",
        "examples/a2xx/loop/jump-loop",
        "examples/a2xx/mandelbrot/mandelbrot",
        "examples/a2xx/skinning/skinning",
        "examples/a2xx/subroutine/ripples",
        "examples/a2xx/cube/cube",
        "examples/a2xx/branch/predicate",
        "examples/a2xx/branch/jump",
        "examples/a2xx/texture/linear",
        "tests/programs/a2xx_findings/a2xx-memory-index",
        "tests/programs/a2xx_findings/a2xx-memory-read-only",
    };
    enum { EXAMPLES = sizeof examples / sizeof examples[0] };
    for (unsigned i = 0; i < WORLDS; i++)
        check_world(&world, 91 * i + 1, NULL);
    for (unsigned i = 0; i < 3 * EXAMPLES; i++)
        check_world(&world, 17 * i + 5, examples[i % EXAMPLES]);
    print_message("%u moments, %u of them inside a batch\n", moments, inside);
    assert_true(moments >= MOMENTS && inside >= INSIDE);
}

/* --- refusals --- */

static const struct operation traced = {
    .kind = TRACE, .stage = TESS_A2XX_VERTEX, .count = 3, .lane = TESS_A2XX_EVERY_LANE};

/* Returns a handle with a stopped batch, which has pending memory exports. */
static struct user *stopped_user(struct script *script, struct world *world)
{
    *script = (struct script){.world = world};
    world->seed = 4;
    random_program(world);
    struct user *user = open_user(script, 1);
    user->left = 20;
    assert_int_equal(play(user, &traced), TESS_STOPPED);
    return user;
}

static enum tess_status restore_copy(struct user *user, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1); /* a separate block shows reads past the end */
    memcpy(copy, bytes, size);
    enum tess_status status = tess_a2xx_restore_state(user->a2xx, copy, size);
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
    for (size_t i = 0; i < size; i += i < 100 || i + 100 > size ? 1 : 97)
        assert_int_equal(restore_copy(user, bytes, i), TESS_BAD_INPUT);
    for (size_t i = 0; i < size; i += i < 200 || i + 200 > size ? 1 : 7) {
        bytes[i] ^= (uint8_t)(1 << i % 8);
        enum tess_status status = tess_a2xx_restore_state(user->a2xx, bytes, size);
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

/* Wrong bytes with a right checksum: they are refused, or the batch runs on somehow. */
TEST(survives_wrong_fields)
{
    static struct world world;
    struct script script;
    size_t size;
    struct user *user = stopped_user(&script, &world);
    struct tess_a2xx_batch batch = batch_of(user, &traced);
    uint8_t *bytes = save(user, &size), *damaged = malloc(size);
    unsigned restored = 0, constants = TESS_A2XX_CONSTANTS * 17;
    for (unsigned i = 0; i < 3000; i++) {
        memcpy(damaged, bytes, size);
        for (unsigned k = 0; k < 2; k++)
            damaged[STATE_HEADER + constants +
                    below(&world, (uint32_t)(size - STATE_HEADER - constants))] =
                (uint8_t)below(&world, below(&world, 2) ? 256 : 8);
        state_fix_checksum(damaged, size);
        enum tess_status status = tess_a2xx_restore_state(user->a2xx, damaged, size);
        assert_true(status == TESS_OK || status == TESS_BAD_INPUT);
        restored += status == TESS_OK;
        user->left = 0;
        tess_a2xx_resume(user->a2xx, &batch, TESS_A2XX_EVERY_LANE, log_step, user);
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
    struct user *user = stopped_user(&script, &world);
    uint8_t *bytes = save(user, &size);
    assert_int_equal(tess_gp_create(&gp, NULL), TESS_OK);
    assert_int_equal(tess_gp_restore_state(gp, bytes, size), TESS_MISMATCH);
    tess_gp_destroy(gp);
    tess_a2xx_unmap(user->a2xx, READ_ONLY);
    assert_int_equal(tess_a2xx_restore_state(user->a2xx, bytes, size), TESS_MISMATCH);
    tess_a2xx_map(user->a2xx, READ_ONLY, user->memory[1], BYTES, true);
    assert_int_equal(tess_a2xx_restore_state(user->a2xx, bytes, size), TESS_MISMATCH);
    tess_a2xx_unmap(user->a2xx, READ_ONLY);
    tess_a2xx_map(user->a2xx, READ_ONLY, user->memory[1], BYTES, false);
    assert_int_equal(tess_a2xx_restore_state(user->a2xx, bytes, size), TESS_OK);
    tess_a2xx_load(user->a2xx, TESS_A2XX_PIXEL, user->programs[TESS_A2XX_VERTEX]);
    assert_int_equal(tess_a2xx_restore_state(user->a2xx, bytes, size), TESS_MISMATCH);
    close_user(user);
    world.options.choices.fused_muladd = true;
    user = open_user(&script, 1);
    assert_int_equal(tess_a2xx_restore_state(user->a2xx, bytes, size), TESS_MISMATCH);
    free(bytes);
    close_user(user);
}

TEST(refuses_wrong_arguments)
{
    static struct world world;
    struct script script;
    size_t size;
    struct user *user = stopped_user(&script, &world);
    struct tess_a2xx_batch batch = batch_of(user, &traced);
    uint8_t *bytes = save(user, &size);
    assert_int_equal(tess_a2xx_state_size(NULL), 0);
    assert_int_equal(tess_a2xx_save_state(NULL, bytes, size), TESS_INVALID);
    assert_int_equal(tess_a2xx_save_state(user->a2xx, NULL, size), TESS_INVALID);
    assert_int_equal(tess_a2xx_save_state(user->a2xx, bytes, size - 1), TESS_INVALID);
    assert_int_equal(tess_a2xx_restore_state(NULL, bytes, size), TESS_INVALID);
    assert_int_equal(tess_a2xx_restore_state(user->a2xx, NULL, size), TESS_INVALID);
    assert_int_equal(tess_a2xx_resume(user->a2xx, &batch, 0, NULL, NULL), TESS_INVALID);
    assert_int_equal(tess_a2xx_resume(user->a2xx, &batch, 3, log_step, user), TESS_INVALID);
    batch.count = 4;
    assert_int_equal(tess_a2xx_resume(user->a2xx, &batch, 0, log_step, user), TESS_INVALID);
    tess_a2xx_run(user->a2xx, &batch); /* gives up the stopped batch */
    batch.count = 3;
    assert_int_equal(tess_a2xx_resume(user->a2xx, &batch, 0, log_step, user), TESS_INVALID);
    free(bytes);
    close_user(user);
}
