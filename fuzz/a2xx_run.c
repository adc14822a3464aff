/* SPDX-License-Identifier: MIT */
/* a2xx_run.c - fuzz target: the shader core of the A2xx, with any words as a program, and any data
 * and constants. A run with one thread and the sanitizer must have the same results, bit by bit, as
 * a run with two threads and without the sanitizer. A trace of a lane must end.
 *
 * Input: number of slots minus 1, choices, and the slots. The following bytes are repeated as
 * registers, constants, fetch constants and memory. */
#include <stdlib.h>
#include <string.h>

#include <tessera/a2xx.h>

#include "base/bits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    LANES = 68, /* more lanes than run in parallel, and a multiple of 4 (whole quads) */
    MOST = 48,
    LIMIT = 200,
    HEADER = 2,
    SLOT = 12,
    MEMORY = 0x10000,
    MEMORY_SIZE = 0x9000,
};

struct input {
    uint32_t words[MOST * 3], slots;
    uint8_t choices;
    const uint8_t *data; /* at least one byte */
    size_t size;
};

/* The results of a run. */
struct result {
    float exports[64][LANES][4];
    uint8_t memory[MEMORY_SIZE], killed[LANES];
    uint64_t findings;
    enum tess_status status;
    struct tess_a2xx_stats stats;
};

static void check(bool good)
{
    if (!good)
        abort();
}

static void count(void *user, const struct tess_finding *diag)
{
    uint64_t *findings = user;
    check(diag->text && *diag->text && diag->id);
    ++*findings;
}

static bool take(struct input *input, const uint8_t *data, size_t size)
{
    if (size < HEADER + SLOT + 1)
        return false;
    uint32_t most = (uint32_t)((size - HEADER - 1) / SLOT);
    input->slots = 1 + data[0] % MOST;
    input->slots = input->slots < most ? input->slots : most;
    input->choices = data[1];
    for (uint32_t i = 0; i < input->slots * 3; i++)
        input->words[i] = load_le32(data + HEADER + 4 * (size_t)i);
    input->data = data + HEADER + SLOT * (size_t)input->slots;
    input->size = size - HEADER - SLOT * (size_t)input->slots;
    return true;
}

static void fill(const struct input *input, void *to, size_t size, size_t from)
{
    uint8_t *bytes = to;
    for (size_t i = 0; i < size; i++)
        bytes[i] = input->data[(from + i) % input->size];
}

static void set_constants(const struct input *input, struct tess_a2xx *a2xx,
                          enum tess_a2xx_stage stage)
{
    static float constants[256][4];
    uint32_t fetch[TESS_A2XX_FETCH_WORDS];
    fill(input, constants, sizeof constants, 3);
    check(tess_a2xx_set_constants(a2xx, stage, 0, constants[0], 200) == TESS_OK);
    fill(input, fetch, sizeof fetch, 5);
    for (unsigned i = 0; i < TESS_A2XX_FETCH_WORDS; i += 2) {
        fetch[i] = (fetch[i] & 0xffff0fff) % MEMORY_SIZE + MEMORY; /* address near the memory */
        fetch[i + 1] = (fetch[i + 1] & 0xfff) | MEMORY;
    }
    check(tess_a2xx_set_fetch(a2xx, 0, fetch, TESS_A2XX_FETCH_WORDS) == TESS_OK);
    for (unsigned i = 0; i < 32; i++) {
        uint8_t loop[3];
        fill(input, loop, sizeof loop, i);
        check(tess_a2xx_set_loop(a2xx, i, loop[0] % 8, loop[1], (int8_t)loop[2]) == TESS_OK);
        check(tess_a2xx_set_bool(a2xx, i, loop[0] & 1) == TESS_OK);
    }
}

static struct tess_a2xx *make(const struct input *input, const struct tess_a2xx_program *program,
                              enum tess_a2xx_stage stage, unsigned threads, bool sanitize,
                              struct result *result)
{
    struct tess_a2xx_options options = {
        .choices = {input->choices & 2, input->choices & 4},
        .machine.threads = threads,
        .machine.sanitize = sanitize ? TESS_SANITIZE_ON : TESS_SANITIZE_OFF,
        .machine.max_instructions = LIMIT,
    };
    struct tess_a2xx *a2xx;
    options.machine.sink = (struct tess_sink){count, &result->findings};
    check(tess_a2xx_create(&a2xx, &options) == TESS_OK);
    check(tess_a2xx_load(a2xx, stage, program) == TESS_OK);
    set_constants(input, a2xx, stage);
    fill(input, result->memory, sizeof result->memory, 11);
    check(tess_a2xx_map(a2xx, MEMORY, result->memory, sizeof result->memory, input->choices & 8) ==
          TESS_OK);
    return a2xx;
}

static bool look(void *user, const struct tess_a2xx_step *step)
{
    uint64_t *steps = user;
    check(step->number == *steps && step->slot < MOST);
    ++*steps;
    return true;
}

static void run(const struct input *input, const struct tess_a2xx_program *program,
                unsigned threads, bool sanitize, bool trace, struct result *result)
{
    static float registers[4][LANES][4];
    enum tess_a2xx_stage stage = input->choices & 16 ? TESS_A2XX_PIXEL : TESS_A2XX_VERTEX;
    struct tess_a2xx_batch batch = {
        .stage = stage, .count = LANES, .quads = input->choices & 32, .killed = result->killed};
    memset(result, 0x77, sizeof *result);
    memset(result->killed, 0, sizeof result->killed);
    result->findings = 0;
    fill(input, registers, sizeof registers, 1);
    for (unsigned i = 0; i < 4 && input->choices & 64; i++)
        batch.registers[i] = (const float(*)[4])registers[i];
    for (unsigned i = 0; i < 64; i++)
        batch.exports[i] = result->exports[i];
    struct tess_a2xx *a2xx = make(input, program, stage, threads, sanitize, result);
    if (trace) {
        for (size_t lane = 0; lane < LANES; lane += 13) {
            uint64_t steps = 0;
            result->status = tess_a2xx_trace(a2xx, &batch, lane, look, &steps);
            check(steps <= LIMIT + 8);
        }
    } else {
        result->status = tess_a2xx_run(a2xx, &batch);
    }
    check(result->status == TESS_OK || result->status == TESS_WRONG);
    tess_a2xx_get_stats(a2xx, &result->stats);
    tess_a2xx_destroy(a2xx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct result one, two;
    struct tess_a2xx_program *program;
    struct input input;
    if (!take(&input, data, size))
        return 0;
    check(tess_a2xx_program_words(input.words, input.slots, input.choices & 1, &program) ==
          TESS_OK);
    run(&input, program, 1, true, false, &one);
    run(&input, program, 2, false, false, &two);
    check(one.status == two.status);
    check(memcmp(one.exports, two.exports, sizeof one.exports) == 0);
    check(memcmp(one.memory, two.memory, sizeof one.memory) == 0);
    check(memcmp(one.killed, two.killed, sizeof one.killed) == 0);
    check(memcmp(&one.stats, &two.stats, sizeof one.stats) == 0);
    run(&input, program, 1, true, true, &two);
    tess_a2xx_program_free(program);
    return 0;
}
