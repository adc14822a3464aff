/* SPDX-License-Identifier: MIT */
/* property.c - fuzz target: a series of property buffers in host memory, on any board. The input's
 * first byte selects the board. Each buffer follows as a length of two bytes and the buffer's
 * bytes. */
#include <stdlib.h>

#include <tessera/pi.h>

#include "frame.h"

enum { VC_SIZE = 4 << 20, BOARDS = 4, MOST_BUFFERS = 16 };

/* Checks that all allocated blocks are inside of the VideoCore's memory, and are mapped. */
static void check_memory(struct tess_pi *pi, struct tess_vc4 *vc4, uint32_t start)
{
    for (uint32_t handle = 1; handle <= MOST_BUFFERS; handle++) {
        uint32_t address = tess_pi_lock(pi, handle);
        if (!address)
            continue;
        uint32_t offset = (address & 0x3fffffff) - start;
        if (offset >= VC_SIZE || !tess_vc4_memory(vc4, address, 1) || !tess_pi_unlock(pi, handle))
            __builtin_trap();
    }
}

/* Sends a buffer in an allocation of exactly the buffer's size, so that sanitizers detect accesses
 * past the end of the buffer. */
static void send(struct tess_pi *pi, struct input *input)
{
    size_t size = input_bits(input, 2);
    const uint8_t *bytes = input_bytes(input, &size);
    uint8_t *buffer = malloc(size ? size : 1);
    if (!buffer)
        return;
    memcpy(buffer, bytes, size);
    uint32_t code = tess_pi_property(pi, buffer, (uint32_t)size);
    if (code != 0x80000000 && code != 0x80000001)
        __builtin_trap();
    free(buffer);
}

static void use(struct tess_vc4 *vc4, const struct tess_pi_options *options, struct input *input)
{
    struct tess_pi *pi;
    if (tess_pi_create(&pi, vc4, options) != TESS_OK)
        return;
    for (unsigned i = 0; i < MOST_BUFFERS && input->left > 0; i++)
        send(pi, input);
    uint32_t end = options->board ? tess_pi_board_memory_end(options->board) : 512u << 20;
    check_memory(pi, vc4, end - VC_SIZE);
    tess_pi_destroy(pi);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tess_vc4_options options = {.machine.max_instructions = 300,
                                                    .max_records = 300};
    struct input input = {data, size};
    struct frame_lists lists;
    struct tess_vc4 *vc4 = size ? frame_device(&options, &lists) : NULL;
    uint8_t *memory = vc4 ? malloc(VC_SIZE) : NULL;
    if (memory) {
        const struct tess_pi_board *board = tess_pi_board_get(input_bits(&input, 1) % (BOARDS + 1));
        use(vc4,
            &(struct tess_pi_options){.board = board,
                                      .arm_size = board ? 0 : (512u << 20) - VC_SIZE,
                                      .vc_size = VC_SIZE,
                                      .memory = memory},
            &input);
    }
    free(memory);
    tess_vc4_destroy(vc4);
    return 0;
}
