/* SPDX-License-Identifier: MIT */
/* vg_frame.h - builds whole frames of VG mode for tests. A frame has a binning list that starts
 * like those of PeterLemon's demos, and a rendering list over all tiles. Z and stencil are
 * cleared to 0, as in Broadcom's driver. */
#ifndef TESTS_VC4_VG_FRAME_H
#define TESTS_VC4_VG_FRAME_H

#include "../rig.h"

enum {
    VG_COORDINATES = RIG_VERTICES,
    VG_SHADERS = RIG_SHADER, /* VG_SHADER_BYTES for each program */
    VG_SHADER_BYTES = 0x80,
    VG_TILE = 64,
    VG_INITIAL_BLOCK = 32,
};

enum {
    CONFIGURATION_FACES = 3,
    CONFIGURATION_MASK = 1 << 5,
    CONFIGURATION_4X = 1 << 6,
    CONFIGURATION_16X = 2 << 6,
    CONFIGURATION_COVERAGE = 1 << 8,
    CONFIGURATION_ODD = 1 << 9,
    CONFIGURATION_OR = 2 << 9,
    CONFIGURATION_ZERO = 3 << 9,
    CONFIGURATION_LEAVE = 1 << 11,
    CONFIGURATION_EARLY = 1 << 16,
};

struct vg_frame {
    struct rig *rig;
    uint32_t width, height;
    uint32_t coordinates; /* address of the next coordinate */
    uint32_t clear_z, frame_flags;
};

static inline void vg_state(struct vg_frame *frame, uint32_t configuration)
{
    rig_u8(frame->rig, 96);
    rig_u16(frame->rig, configuration);
    rig_u8(frame->rig, configuration >> 16);
}

/* Writes record 67, which selects program n without uniforms. */
static inline void vg_shader(struct vg_frame *frame, uint32_t n)
{
    rig_u8(frame->rig, 67);
    rig_u32(frame->rig, (VG_SHADERS + n * VG_SHADER_BYTES) | 1);
    rig_u32(frame->rig, 0);
}

static inline void vg_boundary(struct vg_frame *frame, double x)
{
    rig_u8(frame->rig, 100);
    rig_u16(frame->rig, (uint32_t)(int32_t)(x * 16));
}

static inline uint32_t vg_columns(const struct vg_frame *frame)
{
    return (frame->width + VG_TILE - 1) / VG_TILE;
}

static inline uint32_t vg_rows(const struct vg_frame *frame)
{
    return (frame->height + VG_TILE - 1) / VG_TILE;
}

/* Begins a frame. Writes records for binning mode, start, semaphore, boundary 0, a clip window
 * over the whole frame, both faces, and shader 0. */
static inline struct vg_frame vg_frame_begin_threads(uint32_t width, uint32_t height,
                                                     uint32_t threads)
{
    struct vg_frame frame = {rig_new_threads(0, threads), width, height, VG_COORDINATES, 0, 0};
    struct rig *rig = frame.rig;
    rig->at = RIG_BIN;
    rig_u8(rig, 112);
    rig_u32(rig, RIG_LISTS);
    rig_u32(rig, RIG_LISTS_SIZE);
    rig_u32(rig, RIG_STATE);
    rig_u8(rig, vg_columns(&frame));
    rig_u8(rig, vg_rows(&frame));
    rig_u8(rig, 4);
    rig_u8(rig, 6);
    rig_u8(rig, 7);
    vg_boundary(&frame, 0);
    rig_u8(rig, 102);
    rig_u32(rig, 0);
    rig_u16(rig, width);
    rig_u16(rig, height);
    rig_u8(rig, 103);
    rig_u32(rig, 0);
    vg_state(&frame, CONFIGURATION_FACES);
    vg_shader(&frame, 0);
    return frame;
}

static inline struct vg_frame vg_frame_begin(uint32_t width, uint32_t height)
{
    return vg_frame_begin_threads(width, height, 1);
}

/* Writes the words of program n. */
static inline void vg_program(struct vg_frame *frame, uint32_t n, const uint32_t *words,
                              size_t count)
{
    for (size_t i = 0; i < count; i++)
        store_le32(frame->rig->memory + VG_SHADERS + n * VG_SHADER_BYTES + 4 * i, words[i]);
}

/* Writes a program of one colour: ldi tlbc; sbdone; thrend. The program is that of PeterLemon's
 * demos with two more nops at the start. */
static inline void vg_flat_program(struct vg_frame *frame, uint32_t n, uint32_t colour)
{
    const uint32_t words[] = {0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7, colour,
                              0xe0020ba7, 0x009e7000, 0x500009e7, 0x009e7000, 0x300009e7,
                              0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7};
    vg_program(frame, n, words, sizeof words / sizeof *words);
}

static inline uint32_t vg_xy(double x, double y)
{
    return (uint32_t)(uint16_t)(int32_t)(x * 16) | (uint32_t)(uint16_t)(int32_t)(y * 16) << 16;
}

/* Writes record 41 with coordinates in pixels. */
static inline void vg_array(struct vg_frame *frame, uint32_t type, const double (*xy)[2],
                            uint32_t count)
{
    uint32_t address = frame->coordinates;
    for (uint32_t i = 0; i < count; i++, frame->coordinates += 4)
        store_le32(frame->rig->memory + frame->coordinates, vg_xy(xy[i][0], xy[i][1]));
    rig_u8(frame->rig, 41);
    rig_u8(frame->rig, type);
    rig_u32(frame->rig, count);
    rig_u32(frame->rig, address);
}

/* Draws a rectangle as a strip of two triangles. */
static inline void vg_rectangle(struct vg_frame *frame, double left, double bottom, double right,
                                double top)
{
    const double xy[4][2] = {{left, bottom}, {left, top}, {right, bottom}, {right, top}};
    vg_array(frame, 5, xy, 4);
}

static inline void vg_tile(struct vg_frame *frame, uint32_t column, uint32_t row)
{
    struct rig *rig = frame->rig;
    bool last = column + 1 == vg_columns(frame) && row + 1 == vg_rows(frame);
    rig_u8(rig, 115);
    rig_u8(rig, column);
    rig_u8(rig, row);
    rig_u8(rig, 17);
    rig_u32(rig, RIG_LISTS + (row * vg_columns(frame) + column) * VG_INITIAL_BLOCK);
    rig_u8(rig, last ? 25 : 24);
}

static inline uint32_t vg_render_list(struct vg_frame *frame)
{
    struct rig *rig = frame->rig;
    rig->at = RIG_RENDER;
    rig_u8(rig, 8);
    rig_u8(rig, 114);
    rig_u32(rig, RIG_CLEAR);
    rig_u32(rig, RIG_CLEAR);
    rig_u32(rig, frame->clear_z);
    rig_u8(rig, 0);
    rig_u8(rig, 113);
    rig_u32(rig, RIG_FRAME);
    rig_u16(rig, frame->width);
    rig_u16(rig, frame->height);
    rig_u16(rig, 4 | frame->frame_flags);
    rig_u8(rig, 115);
    rig_u16(rig, 0);
    rig_u8(rig, 28);
    rig_u16(rig, 0);
    rig_u32(rig, 0);
    for (uint32_t row = 0; row < vg_rows(frame); row++)
        for (uint32_t column = 0; column < vg_columns(frame); column++)
            vg_tile(frame, column, row);
    return rig->at;
}

/* Ends the binning list, and runs both lists. */
static inline void vg_frame_run(struct vg_frame *frame)
{
    struct rig *rig = frame->rig;
    rig_u8(rig, 4);
    uint32_t bin_end = rig->at, render_end = vg_render_list(frame);
    rig_start(rig, 0, RIG_BIN, bin_end);
    rig_start(rig, 1, RIG_RENDER, render_end);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
}

static inline uint32_t vg_pixel(const struct vg_frame *frame, uint32_t x, uint32_t y)
{
    return load_le32(frame->rig->memory + RIG_FRAME + (y * frame->width + x) * 4);
}

#endif
