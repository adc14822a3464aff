/* SPDX-License-Identifier: MIT */
/* texture.c - fuzz target: the TMU, with any texture parameters and coordinates. The input is the
 * number of coordinates of each of five lookups, the parameters and coordinates of the lookups, and
 * the contents of the memory that the lookups read. */
#include "frame.h"

enum { LOOKUPS = 5, WORDS = 4 + 4 + 2, PROGRAM_STEP = 0x100 };

/* Programs that perform one lookup. The uniforms are factors for S and T, offsets of S and T, the
 * coordinates R and B, and the texture parameters. The programs write 1 coordinate (a memory
 * lookup) to 4 coordinates. */
#define COORDINATES                           \
    "mov r0, elem_num\n itof r0, r0\n"        \
    "fmul r1, r0, unif\n fmul r2, r0, unif\n" \
    "fadd ra0, r1, unif\n fadd ra1, r2, unif\n mov ra2, unif\n mov ra3, unif\n"
#define FETCH "nop; nop; ldtmu0\n mov r3, r4\n nop; nop; ldtmu0\n nop; nop; thrend\n nop\n nop\n"

static const char *const sources[4] = {
    COORDINATES "mov t0s, ra0\n" FETCH,
    COORDINATES "mov t0t, ra1\n mov t0s, ra0\n" FETCH,
    COORDINATES "mov t0t, ra1\n mov t0b, ra3\n mov t0s, ra0\n" FETCH,
    COORDINATES "mov t0t, ra1\n mov t0b, ra3\n mov t0r, ra2\n mov t0s, ra0\n" FETCH,
};

static void put_programs(uint8_t *memory)
{
    static uint8_t *programs[4];
    static size_t sizes[4];
    for (unsigned i = 0; i < 4; i++) {
        if (!programs[i])
            programs[i] = frame_assemble(sources[i], &sizes[i]);
        memcpy(memory + FRAME_SHADER + i * PROGRAM_STEP, programs[i], sizes[i]);
    }
}

/* Fills the memory of textures with the rest of the input, repeated. */
static void put_texels(uint8_t *memory, struct input input)
{
    uint32_t at = FRAME_TEXTURE;
    for (size_t i = 0; input.left > 0 && at < FRAME_MEMORY; i++)
        memory[at++] = input.at[i % input.left];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tess_vc4_options options = {.machine.max_instructions = 1000};
    struct input input = {data, size};
    struct frame_lists lists;
    struct tess_vc4 *vc4 = frame_device(&options, &lists);
    if (!vc4)
        return 0;
    uint8_t *memory = tess_vc4_memory(vc4, 0, FRAME_MEMORY);
    put_programs(memory);
    uint32_t kinds = input_bits(&input, 2);
    for (uint32_t i = 0; i < LOOKUPS; i++) {
        uint32_t uniforms = FRAME_UNIFORMS + i * WORDS * 4;
        for (uint32_t k = 0; k < WORDS; k++) {
            uint32_t word = input_bits(&input, 4);
            memcpy(memory + uniforms + 4 * k, &word, sizeof word);
        }
        tess_vc4_write(vc4, V3D_SRQUA, uniforms);
        tess_vc4_write(vc4, V3D_SRQUL, WORDS);
        tess_vc4_write(vc4, V3D_SRQPC, FRAME_SHADER + (kinds >> (2 * i) & 3) * PROGRAM_STEP);
    }
    put_texels(memory, input);
    tess_vc4_run(vc4);
    tess_vc4_destroy(vc4);
    return 0;
}
