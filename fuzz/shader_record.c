/* SPDX-License-Identifier: MIT */
/* shader_record.c - fuzz target: the binner and renderer with any GL or NV shader record and the
 * data to which the record points. The input is a byte of choices, 132 bytes that change the shader
 * record, the primitive record, and bytes that change the vertex shader, the coordinate shader and
 * the attributes. The unchanged shaders pass vertices through. */
#include "frame.h"

/* Addresses of the parts, in memory that frame.qasm does not use. */
enum {
    RECORD = 0x3000,
    COORDINATE_CODE = 0x3100,
    VERTEX_CODE = 0x3300,
    VERTICES = 0x3500,
    VERTEX_BYTES = 44, /* shaded vertex: clip header, Xs and Ys, Zs, 1/Wc, size, three varyings */
    RECORD_BYTES = 132,
    CHANGED = 64, /* number of bytes of a shader that the input can change */
};

enum { CHOICE_NV = 1, CHOICE_INDEXED = 2, CHOICE_EXTENDED = 8 };

#define START "mov vr_setup, 0x00701a00\nnop\nnop\nnop\n"
#define READ7                                                                                  \
    "mov ra0, vpm\nmov ra1, vpm\nmov ra2, vpm\nmov ra3, vpm\nmov ra4, vpm\nmov ra5, vpm\nmov " \
    "ra6, vpm\n"
#define WRITE7                                                                                \
    "mov vw_setup, 0x1a00\nmov vpm, ra0\nmov vpm, ra1\nmov vpm, ra2\nmov vpm, ra3\nmov vpm, " \
    "ra4\nmov vpm, ra5\nmov vpm, ra6\n"
#define END "nop; nop; thrend\nnop\nnop\n"

static void put_program(uint8_t *memory, uint32_t address)
{
    static uint8_t *program;
    static size_t size;
    if (!program)
        program = frame_assemble(START READ7 WRITE7 END, &size);
    memcpy(memory + address, program, size);
}

/* Combines memory with bytes of the input by XOR. The input's byte 0 leaves a byte unchanged. */
static void change(uint8_t *memory, uint32_t address, struct input *input, size_t size)
{
    const uint8_t *bytes = input_bytes(input, &size);
    for (size_t i = 0; i < size; i++)
        memory[address + i] ^= bytes[i];
}

static void put32(uint8_t *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Writes a valid shader record, which the input then changes. */
static void put_record(uint8_t *memory, bool nv)
{
    uint8_t *at = memory + RECORD;
    memset(at, 0, RECORD_BYTES);
    at[0] = nv ? 13 : 5;
    put32(at + 4, FRAME_SHADER);
    put32(at + 8, FRAME_UNIFORMS);
    if (nv) {
        at[1] = VERTEX_BYTES;
        put32(at + 12, VERTICES);
        return;
    }
    at[3] = 4;
    at[14] = at[26] = 1;
    at[15] = at[27] = 28;
    put32(at + 16, VERTEX_CODE);
    put32(at + 20, FRAME_UNIFORMS);
    put32(at + 28, COORDINATE_CODE);
    put32(at + 32, FRAME_UNIFORMS);
    put32(at + 36, VERTICES);
    at[40] = 27;
    at[41] = VERTEX_BYTES;
}

/* Inserts a control record 64 or 65 (shader state) and a primitive record before the tail of the
 * binning list. */
static void put_list(uint8_t *memory, struct frame_lists *lists, uint32_t choices,
                     struct input *input)
{
    uint8_t records[5 + 14] = {choices & CHOICE_NV ? 65 : 64};
    uint32_t size = 5 + (choices & CHOICE_INDEXED ? 14 : 10);
    put32(records + 1,
          RECORD | (choices & CHOICE_NV ? 0 : choices >> 4 | (choices & CHOICE_EXTENDED)));
    records[5] = choices & CHOICE_INDEXED ? 32 : 33;
    records[6] = (uint8_t)input_bits(input, 1) % 7;
    put32(records + 7, input_bits(input, 1) % 64);
    put32(records + 11, choices & CHOICE_INDEXED ? VERTICES : input_bits(input, 2));
    put32(records + 15, UINT32_MAX);
    memmove(memory + lists->bin_tail + size, memory + lists->bin_tail,
            lists->bin_end - lists->bin_tail);
    memcpy(memory + lists->bin_tail, records, size);
    lists->bin_end += size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tess_vc4_options options = {.machine.max_instructions = 300,
                                                    .max_records = 300};
    struct input input = {data, size};
    struct frame_lists lists;
    struct tess_vc4 *vc4 = frame_device(&options, &lists);
    if (!vc4)
        return 0;
    uint8_t *memory = tess_vc4_memory(vc4, 0, FRAME_MEMORY);
    uint32_t choices = input_bits(&input, 1);
    put_record(memory, choices & CHOICE_NV);
    change(memory, RECORD, &input, RECORD_BYTES);
    put_list(memory, &lists, choices, &input);
    put_program(memory, VERTEX_CODE);
    put_program(memory, COORDINATE_CODE);
    change(memory, VERTEX_CODE, &input, CHANGED);
    change(memory, COORDINATE_CODE, &input, CHANGED);
    change(memory, VERTICES, &input, FRAME_TEXTURE - VERTICES);
    tess_vc4_write(vc4, V3D_CT0CA, FRAME_BIN_LIST);
    tess_vc4_write(vc4, V3D_CT0EA, lists.bin_end);
    tess_vc4_write(vc4, V3D_CT1CA, FRAME_RENDER_LIST);
    tess_vc4_write(vc4, V3D_CT1EA, lists.render_end);
    if (tess_vc4_run(vc4) != TESS_VC4_IDLE)
        tess_vc4_report_stuck(vc4);
    tess_vc4_destroy(vc4);
    return 0;
}
