/* SPDX-License-Identifier: MIT */
/* frame.h - what fuzz targets share: the valid frame of frame.qasm, and reading fields off the
 * fuzzer's bytes.
 */
#ifndef FUZZ_FRAME_H
#define FUZZ_FRAME_H

#include <stdbool.h>
#include <string.h>

#include <tessera/vc4.h>

/* Where frame.qasm puts its parts, in bytes from bus address 0. */
enum {
    FRAME_BIN_LIST = 0x1000,
    FRAME_RENDER_LIST = 0x1800,
    FRAME_RECORD = 0x2000,
    FRAME_VERTICES = 0x2040,
    FRAME_UNIFORMS = 0x2100,
    FRAME_SHADER = 0x2400,
    FRAME_TEXTURE = 0x4000,
    FRAME_TILE_LISTS = 0x8000,
    FRAME_MEMORY = 0x40000,
};

/* Ends and middles of the lists: records in front of the last part set up state. */
struct frame_lists {
    uint32_t bin_end, bin_tail;       /* tail: Flush */
    uint32_t render_end, render_tail; /* tail: the tiles */
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A device with FRAME_MEMORY bytes at bus address 0 that hold the frame; NULL if memory is short.
 */
struct tess_vc4 *frame_device(const struct tess_vc4_options *options, struct frame_lists *lists);

/* Assembles a program of the fuzz target itself; ends the process if it has mistakes. */
uint8_t *frame_assemble(const char *text, size_t *size);

/* The fuzzer's bytes. Reading beyond their end gives 0. */
struct input {
    const uint8_t *at;
    size_t left;
};

static inline uint32_t input_bits(struct input *input, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes && input->left > 0; i++, input->at++, input->left--)
        value |= (uint32_t)*input->at << (8 * i);
    return value;
}

/* Takes up to size bytes; *size becomes their number. */
static inline const uint8_t *input_bytes(struct input *input, size_t *size)
{
    const uint8_t *bytes = input->at;
    *size = *size < input->left ? *size : input->left;
    input->at += *size;
    input->left -= *size;
    return bytes;
}

#endif
