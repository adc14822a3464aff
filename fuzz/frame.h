/* SPDX-License-Identifier: MIT */
/* frame.h - code shared by fuzz targets: the valid frame of frame.qasm, and a reader of fields in
 * the fuzzer's input. */
#ifndef FUZZ_FRAME_H
#define FUZZ_FRAME_H

#include <stdbool.h>
#include <string.h>

#include <tessera/vc4.h>

/* Addresses of the parts of frame.qasm, in bytes from bus address 0. */
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

/* Addresses in the control lists. Records can be inserted at bin_tail, before the Flush record, and
 * at render_tail, before the records of the tiles. */
struct frame_lists {
    uint32_t bin_end, bin_tail;
    uint32_t render_end, render_tail;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns a device with FRAME_MEMORY bytes at bus address 0 that contain the frame, or NULL if the
 * host is out of memory. */
struct tess_vc4 *frame_device(const struct tess_vc4_options *options, struct frame_lists *lists);

/* Assembles a program that the fuzz target contains. Ends the process if the program has errors. */
uint8_t *frame_assemble(const char *text, size_t *size);

/* The rest of the fuzzer's input. Reads past the end of the input return 0. */
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

/* Consumes up to *size bytes of the input and returns a pointer to them. Sets *size to their
 * number. */
static inline const uint8_t *input_bytes(struct input *input, size_t *size)
{
    const uint8_t *bytes = input->at;
    *size = *size < input->left ? *size : input->left;
    input->at += *size;
    input->left -= *size;
    return bytes;
}

#endif
