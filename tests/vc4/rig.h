/* SPDX-License-Identifier: MIT */
/* rig.h - a small machine for tests of the whole model: 4 MiB of memory at bus address 0, functions
 * that write control records, and a frame of 2 x 2 tiles with a flat-colour NV pipeline. */
#ifndef TESTS_VC4_RIG_H
#define TESTS_VC4_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tessera/vc4.h>

#include "base/bits.h"

enum {
    RIG_MEMORY = 4 << 20,
    RIG_BIN = 0x1000,
    RIG_RENDER = 0x2000,
    RIG_RECORD = 0x4000,
    RIG_UNIFORMS = 0x4100,
    RIG_SHADER = 0x4800,
    RIG_VERTICES = 0x8000,
    RIG_INDICES = 0x10000,
    RIG_STATE = 0x18000,
    RIG_LISTS = 0x20000,
    RIG_LISTS_SIZE = 0x20000,
    RIG_OVERSPILL = 0x80000,
    RIG_FRAME = 0x100000,
    RIG_WIDTH = 128,
    RIG_HEIGHT = 128,
    RIG_TILES = 2, /* number of tiles in x and in y */
};

#define RIG_CLEAR UINT32_C(0xff00ffff)
#define RIG_WHITE UINT32_C(0xffffffff)

struct rig {
    struct tess_vc4 *vc4;
    uint8_t *memory;
    uint32_t at; /* address at which the next byte of a list is written */
    unsigned errors, warnings;
    char rules[16][40]; /* rules of the first findings */
    char texts[16][200];
    unsigned kept;
    struct tess_place place; /* place of the latest finding */
    unsigned interrupts;
    uint32_t give_memory; /* bytes that the host gives the binner at each INT_OUTOMEM */
    bool acknowledge;     /* true: the host acknowledges the QPUs' interrupts at once */
};

static inline void rig_report(void *user, const struct tess_finding *diag)
{
    struct rig *rig = user;
    rig->errors += diag->level == TESS_ERROR;
    rig->warnings += diag->level == TESS_WARNING;
    rig->place = diag->place;
    if (rig->kept < 16) {
        snprintf(rig->rules[rig->kept], sizeof rig->rules[0], "%s", diag->id);
        snprintf(rig->texts[rig->kept], sizeof rig->texts[0], "%s", diag->text);
        rig->kept++;
    }
}

static inline void rig_interrupt(void *user, bool level)
{
    struct rig *rig = user;
    if (!level)
        return;
    rig->interrupts++;
    if (rig->acknowledge)
        tess_vc4_write(rig->vc4, V3D_DBQITC, tess_vc4_read(rig->vc4, V3D_DBQITC));
    if (rig->give_memory && (tess_vc4_read(rig->vc4, V3D_INTCTL) & V3D_INT_OUTOMEM)) {
        tess_vc4_write(rig->vc4, V3D_BPOA, RIG_OVERSPILL);
        tess_vc4_write(rig->vc4, V3D_BPOS, rig->give_memory);
        tess_vc4_write(rig->vc4, V3D_INTCTL, V3D_INT_OUTOMEM);
        rig->give_memory = 0;
    }
}

/* Number of host threads, unless a test sets another number. scripts/test-tsan sets the
 * environment variable. */
static inline uint32_t rig_usual_threads(void)
{
    const char *text = getenv("TESSERA_TEST_THREADS");
    return text ? (uint32_t)strtoul(text, NULL, 10) : 1;
}

static inline struct rig *rig_new_threads(uint64_t total_instructions, uint32_t threads)
{
    struct rig *rig = calloc(1, sizeof *rig);
    struct tess_vc4_options options = {
        .machine.sink = {rig_report, rig},
        .interrupt = rig_interrupt,
        .interrupt_user = rig,
        .machine.max_instructions = 100000,
        .max_records = 100000,
        .max_total_instructions = total_instructions,
        .machine.threads = threads ? threads : rig_usual_threads(),
    };
    assert_int_equal(tess_vc4_create(&rig->vc4, &options), TESS_OK);
    assert_int_equal(tess_vc4_map(rig->vc4, 0, RIG_MEMORY, NULL), TESS_OK);
    rig->memory = tess_vc4_memory(rig->vc4, 0, RIG_MEMORY);
    return rig;
}

static inline struct rig *rig_new_limited(uint64_t total_instructions)
{
    return rig_new_threads(total_instructions, 0);
}

static inline struct rig *rig_new(void)
{
    return rig_new_limited(0);
}

static inline void rig_free(struct rig *rig)
{
    tess_vc4_destroy(rig->vc4);
    free(rig);
}

/* --- list bytes --- */

static inline void rig_u8(struct rig *rig, uint32_t value)
{
    rig->memory[rig->at++] = (uint8_t)value;
}

static inline void rig_u16(struct rig *rig, uint32_t value)
{
    rig_u8(rig, value);
    rig_u8(rig, value >> 8);
}

static inline void rig_u32(struct rig *rig, uint32_t value)
{
    rig_u16(rig, value);
    rig_u16(rig, value >> 16);
}

static inline void rig_f32(struct rig *rig, float value)
{
    rig_u32(rig, float_bits(value));
}

/* --- pieces of a frame --- */

/* Writes a shader of one colour: two nops, ldi tlbc (JayStation's word 0xe0020ba7 with this
 * colour), sbdone, thrend, two nops. */
static inline void rig_flat_shader(struct rig *rig, uint32_t colour)
{
    const uint32_t words[] = {0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7, colour,
                              0xe0020ba7, 0x009e7000, 0x500009e7, 0x009e7000, 0x300009e7,
                              0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7};
    rig->at = RIG_SHADER;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        rig_u32(rig, words[i]);
}

static inline void rig_shader_record(struct rig *rig, uint32_t flags, uint32_t stride,
                                     uint32_t varyings)
{
    rig->at = RIG_RECORD;
    rig_u8(rig, flags);
    rig_u8(rig, stride);
    rig_u8(rig, 0);
    rig_u8(rig, varyings);
    rig_u32(rig, RIG_SHADER);
    rig_u32(rig, RIG_UNIFORMS);
    rig_u32(rig, RIG_VERTICES);
}

/* Writes a vertex without clip header, size or varyings. Coordinates are in pixels. */
static inline void rig_vertex(struct rig *rig, double x, double y)
{
    rig_u16(rig, (uint32_t)(int32_t)(x * 16));
    rig_u16(rig, (uint32_t)(int32_t)(y * 16));
    rig_f32(rig, 0.5f);
    rig_f32(rig, 1.0f);
}

/* Writes tile binning mode, start, increment semaphore, clip window, configuration, viewport,
 * shader state. */
static inline void rig_begin_bin(struct rig *rig, uint32_t lists_size, uint32_t flags)
{
    rig->at = RIG_BIN;
    rig_u8(rig, 112);
    rig_u32(rig, RIG_LISTS);
    rig_u32(rig, lists_size);
    rig_u32(rig, RIG_STATE);
    rig_u8(rig, RIG_TILES);
    rig_u8(rig, RIG_TILES);
    rig_u8(rig, flags);
    rig_u8(rig, 6);
    rig_u8(rig, 7);
    rig_u8(rig, 102);
    rig_u16(rig, 0);
    rig_u16(rig, 0);
    rig_u16(rig, RIG_WIDTH);
    rig_u16(rig, RIG_HEIGHT);
    rig_u8(rig, 96);
    rig_u8(rig, 3);
    rig_u16(rig, 0);
    rig_u8(rig, 103);
    rig_u32(rig, 0);
    rig_u8(rig, 65);
    rig_u32(rig, RIG_RECORD);
}

static inline void rig_array(struct rig *rig, uint32_t mode, uint32_t count, uint32_t first)
{
    rig_u8(rig, 33);
    rig_u8(rig, mode);
    rig_u32(rig, count);
    rig_u32(rig, first);
}

static inline void rig_tile(struct rig *rig, uint32_t column, uint32_t row, uint32_t initial_block)
{
    bool last = column == RIG_TILES - 1 && row == RIG_TILES - 1;
    rig_u8(rig, 115);
    rig_u8(rig, column);
    rig_u8(rig, row);
    rig_u8(rig, 17);
    rig_u32(rig, RIG_LISTS + (row * RIG_TILES + column) * initial_block);
    rig_u8(rig, last ? 25 : 24);
}

/* Writes a complete rendering list, whose first record waits for the binner. Returns the address
 * of its end. */
static inline uint32_t rig_render_list(struct rig *rig, uint32_t initial_block)
{
    rig->at = RIG_RENDER;
    rig_u8(rig, 8);
    rig_u8(rig, 114);
    rig_u32(rig, RIG_CLEAR);
    rig_u32(rig, RIG_CLEAR);
    rig_u32(rig, 0xffffff); /* clear values of Z and the VG mask */
    rig_u8(rig, 0);
    rig_u8(rig, 113);
    rig_u32(rig, RIG_FRAME);
    rig_u16(rig, RIG_WIDTH);
    rig_u16(rig, RIG_HEIGHT);
    rig_u16(rig, 4);
    rig_u8(rig, 115);
    rig_u16(rig, 0);
    rig_u8(rig, 28);
    rig_u16(rig, 0);
    rig_u32(rig, 0);
    for (uint32_t row = 0; row < RIG_TILES; row++)
        for (uint32_t column = 0; column < RIG_TILES; column++)
            rig_tile(rig, column, row, initial_block);
    return rig->at;
}

static inline void rig_start(struct rig *rig, unsigned thread, uint32_t from, uint32_t to)
{
    tess_vc4_write(rig->vc4, V3D_CT0CS + 4 * thread, 1u << 15);
    tess_vc4_write(rig->vc4, V3D_CT0CA + 4 * thread, from);
    tess_vc4_write(rig->vc4, V3D_CT0EA + 4 * thread, to);
}

/* Runs the binning list that ends at bin_end and then a rendering list. */
static inline enum tess_vc4_stop rig_frame(struct rig *rig, uint32_t bin_end,
                                           uint32_t initial_block)
{
    uint32_t render_end = rig_render_list(rig, initial_block);
    rig_start(rig, 0, RIG_BIN, bin_end);
    rig_start(rig, 1, RIG_RENDER, render_end);
    return tess_vc4_run(rig->vc4);
}

static inline uint32_t rig_pixel(const struct rig *rig, unsigned x, unsigned y)
{
    return load_le32(rig->memory + RIG_FRAME + (y * RIG_WIDTH + x) * 4);
}

static inline unsigned rig_count_pixels(const struct rig *rig, uint32_t colour)
{
    unsigned count = 0;
    for (unsigned y = 0; y < RIG_HEIGHT; y++)
        for (unsigned x = 0; x < RIG_WIDTH; x++)
            count += rig_pixel(rig, x, y) == colour;
    return count;
}

#endif
