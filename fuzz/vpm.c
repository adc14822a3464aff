/* SPDX-License-Identifier: MIT */
/* vpm.c - fuzz target: the VPM, with any setup words and DMA addresses. The input is a series of up
 * to 16 user programs, which run in parallel. Each is given as the number of one of the four
 * programs below, followed by the program's uniforms. */
#include "frame.h"

enum { PROGRAMS = 16, WORDS = 8, PROGRAM_STEP = 0x100, KINDS = 4 };

#define END "nop; nop; thrend\n nop\n nop\n"

static const char *const sources[KINDS] = {
    /* Reads and writes vectors of the VPM. */
    "mov vr_setup, unif\n mov vw_setup, unif\n mov r1, unif\n nop\n"
    "mov r0, vpm\n mov vpm, r0\n mov r0, vpm\n mov vpm, r1\n mov r0, vpm\n mov vpm, r0\n"
    "mov r0, vpm\n mov.ifz vpm, r0\n" END,
    /* A DMA load. */
    "mov vr_setup, unif\n mov vr_setup, unif\n mov vr_addr, unif\n mov r0, vr_busy\n mov -, "
    "vr_wait\n"
    "mov vr_setup, unif\n mov vr_addr, unif\n mov -, vr_wait\n" END,
    /* A DMA store. */
    "mov vw_setup, unif\n mov vw_setup, unif\n mov vw_addr, unif\n mov r0, vw_busy\n mov -, "
    "vw_wait\n"
    "mov vw_setup, unif\n mov vw_addr, unif\n mov -, vw_wait\n" END,
    /* A DMA load and a DMA store under the mutex, without waits for their ends. */
    "mov -, mutex_acq\n mov vr_setup, unif\n mov vw_setup, unif\n mov vr_addr, unif\n mov "
    "vw_setup, unif\n"
    "mov vw_addr, unif\n mov vr_setup, unif\n mov vw_setup, unif\n mov vpm, unif\n mov mutex_rel, "
    "0\n" END,
};

static void put_programs(uint8_t *memory)
{
    static uint8_t *programs[KINDS];
    static size_t sizes[KINDS];
    for (unsigned i = 0; i < KINDS; i++) {
        if (!programs[i])
            programs[i] = frame_assemble(sources[i], &sizes[i]);
        memcpy(memory + FRAME_SHADER + i * PROGRAM_STEP, programs[i], sizes[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    uint32_t choices = input_bits(&input, 1);
    const struct tess_vc4_options options = {.machine.max_instructions = 300,
                                             .machine.sanitize = choices & 1,
                                             .qpus = choices & 2 ? 16 : 12};
    struct frame_lists lists;
    struct tess_vc4 *vc4 = frame_device(&options, &lists);
    if (!vc4)
        return 0;
    uint8_t *memory = tess_vc4_memory(vc4, 0, FRAME_MEMORY);
    put_programs(memory);
    tess_vc4_write(vc4, V3D_VPMBASE, choices >> 2);
    for (uint32_t i = 0; i < PROGRAMS && input.left > 0; i++) {
        uint32_t kind = input_bits(&input, 1) % KINDS, uniforms = FRAME_TILE_LISTS + i * WORDS * 4;
        for (uint32_t k = 0; k < WORDS; k++) {
            uint32_t word = input_bits(&input, 4);
            memcpy(memory + uniforms + 4 * k, &word, sizeof word);
        }
        tess_vc4_write(vc4, V3D_SRQUA, uniforms);
        tess_vc4_write(vc4, V3D_SRQUL, WORDS);
        tess_vc4_write(vc4, V3D_SRQPC, FRAME_SHADER + kind * PROGRAM_STEP);
    }
    if (tess_vc4_run(vc4) != TESS_VC4_IDLE)
        tess_vc4_report_stuck(vc4);
    tess_vc4_destroy(vc4);
    return 0;
}
