/* SPDX-License-Identifier: MIT */
/* gp_run.c - fuzz target: the GP, with any words as a program and any data. A vertex must have the
 * same results, bit by bit, in parallel with other vertices, alone, and in a trace, with and
 * without the sanitizer.
 *
 * Input: number of instructions minus 1, choices, formats, and the instructions. The following
 * bytes are repeated as attributes and rows. */
#include <stdlib.h>
#include <string.h>

#include <tessera/utgard.h>

#include "base/bits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { VERTICES = 35, MOST = 64, LIMIT = 100, STRIDE = 16, HEADER = 3 };

struct input {
    uint32_t words[MOST * 4], instructions;
    uint8_t choices, formats;
    const uint8_t *data; /* at least one byte */
    size_t size;
};

/* The results of a run. */
struct result {
    uint8_t varyings[TESS_GP_VARYINGS][VERTICES * STRIDE];
    uint64_t instructions, findings;
    enum tess_status status;
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
    if (size < HEADER + 17)
        return false;
    uint32_t most = (uint32_t)((size - HEADER - 1) / 16);
    input->instructions = 1 + data[0] % MOST;
    input->instructions = input->instructions < most ? input->instructions : most;
    input->choices = data[1];
    input->formats = data[2];
    for (uint32_t i = 0; i < input->instructions * 4; i++)
        input->words[i] = load_le32(data + HEADER + 4 * (size_t)i);
    input->data = data + HEADER + 16 * (size_t)input->instructions;
    input->size = size - HEADER - 16 * (size_t)input->instructions;
    return true;
}

static void fill(const struct input *input, uint8_t *to, size_t size, size_t from)
{
    for (size_t i = 0; i < size; i++)
        to[i] = input->data[(from + i) % input->size];
}

/* Creates the attributes. Their buffer is an allocation of exactly the declared size, so that
 * sanitizers detect reads past the end. Bit 7 of the choices makes the buffer too short for all
 * vertices. */
static void *make_attributes(const struct input *input, struct tess_gp_attribute list[])
{
    static const enum tess_gp_format formats[] = {TESS_GP_F32, TESS_GP_U8N,   TESS_GP_I16,
                                                  TESS_GP_F16, TESS_GP_FIXED, TESS_GP_I32N,
                                                  TESS_GP_I8};
    size_t size = VERTICES * STRIDE - (input->choices & 0x80 ? 37u : 0u);
    uint8_t *bytes = malloc(size);
    check(bytes != NULL);
    fill(input, bytes, size, 0);
    for (unsigned i = 0; i < TESS_GP_ATTRIBUTES; i++)
        list[i] = (struct tess_gp_attribute){
            .data = i == 15 ? NULL : bytes,
            .size = size,
            .stride = i % 4 ? STRIDE : i,
            .format = formats[(i + input->formats) % 7],
            .components = 1 + (i + input->formats) % 4,
        };
    return bytes;
}

static struct tess_gp *make_gp(const struct input *input, const struct tess_gp_program *program,
                               bool sanitize, uint64_t *findings)
{
    struct tess_gp_options options = {
        .choices = {input->choices & 1, input->choices & 2, input->choices & 4},
        .machine.threads = 1,
        .machine.sanitize = sanitize ? TESS_SANITIZE_ON : TESS_SANITIZE_OFF,
        .machine.max_instructions = LIMIT,
    };
    float rows[TESS_GP_ROWS][4];
    struct tess_gp *gp;
    fill(input, (uint8_t *)rows, sizeof rows, 7);
    options.machine.sink = (struct tess_sink){count, findings};
    check(tess_gp_create(&gp, &options) == TESS_OK);
    check(tess_gp_load(gp, program) == TESS_OK);
    check(tess_gp_set_rows(gp, 0, rows[0], input->choices & 8 ? 100 : TESS_GP_ROWS) == TESS_OK);
    return gp;
}

static bool watch(void *user, const struct tess_gp_step *step)
{
    uint64_t *steps = user;
    check(step->cycle == *steps % LIMIT || step->cycle < LIMIT);
    ++*steps;
    return true;
}

/* Runs all vertices. width is the number of vertices per call of tess_gp_run(). If width is 0, runs
 * each vertex with tess_gp_trace(). */
static void run(const struct input *input, const struct tess_gp_program *program, size_t width,
                bool sanitize, struct result *result)
{
    struct tess_gp_attribute attributes[TESS_GP_ATTRIBUTES];
    struct tess_gp_varying varyings[TESS_GP_VARYINGS];
    uint64_t steps = 0;
    memset(result, 0x77, sizeof *result);
    result->findings = 0;
    result->status = TESS_OK;
    void *bytes = make_attributes(input, attributes);
    for (unsigned i = 0; i < TESS_GP_VARYINGS; i++)
        varyings[i] = (struct tess_gp_varying){
            .data = result->varyings[i],
            .size = sizeof result->varyings[i] - (input->choices & 0x40 ? 50u : 0u),
            .stride = STRIDE,
            .format = i % 2 ? TESS_GP_OUT_F16 : TESS_GP_OUT_F32,
            .components = 1 + i % 4,
        };
    struct tess_gp *gp = make_gp(input, program, sanitize, &result->findings);
    for (size_t v = 0; v < VERTICES; v += width ? width : 1) {
        size_t left = VERTICES - v, vertices = width < left ? width : left;
        struct tess_gp_batch batch = {attributes, varyings, v, vertices, 0, false};
        enum tess_status status = width ? tess_gp_run(gp, &batch)
                                        : tess_gp_trace(gp, &batch, v, watch, &steps);
        check(status == TESS_OK || status == TESS_WRONG);
        result->status = status ? status : result->status;
    }
    struct tess_gp_stats stats;
    tess_gp_get_stats(gp, &stats);
    result->instructions = stats.instructions;
    check(width || steps == result->instructions);
    tess_gp_destroy(gp);
    free(bytes);
}

static void compare(const struct result *a, const struct result *b)
{
    check(a->status == b->status && a->instructions == b->instructions);
    check(memcmp(a->varyings, b->varyings, sizeof a->varyings) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct result alone, together;
    struct tess_gp_program *program;
    struct input input;
    if (!take(&input, data, size))
        return 0;
    check(tess_gp_program_words(input.words, input.instructions, &program) == TESS_OK);
    run(&input, program, 1, true, &alone);
    run(&input, program, 0, true, &together);
    compare(&alone, &together);
    if (alone.status == TESS_OK) { /* A vertex that exceeds the limit would end a whole run. */
        run(&input, program, VERTICES, true, &together);
        compare(&alone, &together);
        check(alone.findings == together.findings);
        run(&input, program, VERTICES, false, &together);
        compare(&alone, &together);
    } else {
        run(&input, program, VERTICES, true, &together);
        check(together.status == TESS_WRONG);
    }
    tess_gp_program_free(program);
    return 0;
}
