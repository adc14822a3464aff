/* SPDX-License-Identifier: MIT */
/* engines.c - fuzz target: compares the ways in which the model executes QPU programs. Compiled
 * blocks, single steps (with the sanitizer), and two host threads must have the same effects on
 * memory, statistics and counters for any program. The input is a byte of choices, words that
 * change the frame's fragment shader, and the words of a user program. */
#include "frame.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    USER = 0x3000,
    SHADER_BYTES = 0x80,
    USER_BYTES = 0x100,
    RUNS = 3,
    CHOICE_USER = 1,
    CHOICE_FRAME = 2,
    CHOICE_THREADS = 4
};

/* The device of a run, and the device's memory. */
struct attempt {
    struct tess_vc4 *vc4;
    uint8_t *memory;
};

static const struct tess_vc4_options variants[RUNS] = {
    {.machine.max_instructions = 300, .max_records = 300, .machine.threads = 1},
    {.machine.max_instructions = 300,
     .max_records = 300,
     .machine.threads = 1,
     .machine.sanitize = true}, /* single steps */
    {.machine.max_instructions = 300, .max_records = 300, .machine.threads = 2},
};

static void start_program(struct tess_vc4 *vc4)
{
    tess_vc4_write(vc4, V3D_SRQUA, FRAME_UNIFORMS);
    tess_vc4_write(vc4, V3D_SRQUL, 32);
    tess_vc4_write(vc4, V3D_SRQPC, USER);
}

static bool run(struct attempt *attempt, const struct tess_vc4_options *options, struct input input)
{
    struct frame_lists lists;
    attempt->vc4 = frame_device(options, &lists);
    if (!attempt->vc4)
        return false;
    attempt->memory = tess_vc4_memory(attempt->vc4, 0, FRAME_MEMORY);
    uint32_t choices = input_bits(&input, 1);
    size_t size = SHADER_BYTES;
    const uint8_t *words = input_bytes(&input, &size);
    for (size_t i = 0; i < size; i++)
        attempt->memory[FRAME_SHADER + i] ^= words[i];
    size = USER_BYTES;
    words = input_bytes(&input, &size);
    if (size)
        memcpy(attempt->memory + USER, words, size);
    for (unsigned i = 0; i < (choices & CHOICE_USER ? 2 : 0); i++)
        start_program(attempt->vc4);
    if (choices & CHOICE_FRAME) {
        tess_vc4_write(attempt->vc4, V3D_CT0CA, FRAME_BIN_LIST);
        tess_vc4_write(attempt->vc4, V3D_CT0EA, lists.bin_end);
        tess_vc4_write(attempt->vc4, V3D_CT1CA, FRAME_RENDER_LIST);
        tess_vc4_write(attempt->vc4, V3D_CT1EA, lists.render_end);
    }
    tess_vc4_run(attempt->vc4);
    return true;
}

static void differ(const char *what, unsigned variant)
{
    fprintf(stderr, "variant %u differs: %s\n", variant, what);
    abort();
}

static void compare(const struct attempt *one, const struct attempt *other, unsigned variant)
{
    struct tess_vc4_stats a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    tess_vc4_get_stats(one->vc4, &a);
    tess_vc4_get_stats(other->vc4, &b);
    if (memcmp(one->memory, other->memory, FRAME_MEMORY) != 0)
        differ("memory", variant);
    if (memcmp(&a, &b, sizeof a) != 0)
        differ("statistics", variant);
    for (uint32_t id = 0; id < TESS_VC4_COUNTERS; id++)
        if (tess_vc4_counter(one->vc4, id) != tess_vc4_counter(other->vc4, id))
            differ(tess_vc4_counter_name(id), variant);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct attempt attempt[RUNS] = {{0}};
    bool all = true;
    unsigned runs = size && data[0] & CHOICE_THREADS ? RUNS
                                                     : RUNS - 1; /* starting threads takes long */
    for (unsigned i = 0; i < runs && all; i++)
        all = run(&attempt[i], &variants[i], (struct input){data, size});
    for (unsigned i = 1; i < runs && all; i++)
        compare(&attempt[0], &attempt[i], i);
    for (unsigned i = 0; i < runs; i++)
        tess_vc4_destroy(attempt[i].vc4);
    return 0;
}
