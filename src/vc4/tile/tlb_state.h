/* SPDX-License-Identifier: MIT */
/* tlb_state.h - state of the tile buffer (tlb.h), and of a fragment shader's accesses to it. */
#ifndef VC4_TILE_TLB_STATE_H
#define VC4_TILE_TLB_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"
#include "vc4/memory/bus.h"
#include "vc4/raster/cap.h"
#include "vc4/state/tlb_setup.h"
#include "vc4/time/pctr.h"

/* Capacity of the tile buffer: samples of 32-bit colour, Z and stencil, and mask. With 64-bit
 * colour the capacity is half of TLB_SAMPLES, and the second words of the colours are in the upper
 * half of the colour memory. */
enum { TLB_SAMPLES = 4096, TLB_SECOND_WORDS = TLB_SAMPLES / 2, TLB_MAX_WIDTH = 64 };

/* With double buffering, tiles alternate between two halves of the tile buffer. */
enum { TLB_HALVES = 2, TLB_ALL_HALVES = 3 };

/* Geometry of a tile, which the frame's mode determines. */
struct tlb_geometry {
    uint32_t width, height; /* pixels */
    uint32_t samples;       /* samples per pixel: 1, or 4 with multisampling */
    uint32_t words;         /* words of a sample's colour: 1, or 2 with 64-bit colour */
    uint32_t halves;        /* 2 with double buffering, otherwise 1 */
    /* Index of the tile's first sample in the planes. 0 except in the second half of a double
     * buffer. */
    uint32_t first;
};

/* Returns the index of a pixel's sample in the planes. x and y count from the tile's corner, and
 * wrap around at the tile's size. Samples are stored quad by quad, and quads row by row, as in full
 * dumps. Each quad has sample 0 of its four pixels first, then sample 1 of its four pixels, and so
 * on. */
static inline uint32_t tlb_sample_index(const struct tlb_geometry *tile, uint32_t x, uint32_t y,
                                        uint32_t sample)
{
    uint32_t column = x & (tile->width - 1), row = y & (tile->height - 1);
    uint32_t quad = (row >> 1) * (tile->width >> 1) + (column >> 1);
    return tile->first + (quad * tile->samples + sample) * 4 + (row & 1) * 2 + (column & 1);
}

/* The places of 16 samples in a plane: four indices, each of which is that of four adjacent
 * samples. Bit i of a set of samples is sample i % 4 of place i / 4. Two places may be the same;
 * the places are then used in their order. */
struct tlb_places {
    uint32_t index[4];
};

/* Operations of manual table 27. */
enum stencil_op {
    STENCIL_ZERO,
    STENCIL_KEEP,
    STENCIL_REPLACE,
    STENCIL_INC_SATURATE,
    STENCIL_DEC_SATURATE,
    STENCIL_INVERT,
    STENCIL_INC,
    STENCIL_DEC,
};

/* One face's stencil configuration (manual tables 27 and 28). */
struct tlb_stencil {
    bool enabled;
    uint8_t z_fail_op, z_pass_op, stencil_fail_op; /* codes of operations (enum
                                                      stencil_op), 0 to 7 */
    uint8_t function;                              /* value of enum tlb_compare */
    uint8_t reference, compare_mask, write_mask;
};

/* Events of a fragment's pixels, as sets of lanes. With multisampling, a lane is in a set if any of
 * its samples has the property. */
struct tlb_traces {
    lane_mask changed;  /* a bit of colour, Z, stencil or mask has changed */
    lane_mask coloured; /* colour was written */
    lane_mask stored;   /* stencil or mask was written */
    lane_mask z;        /* Z was written; it is tested, and stored if the test passes */
    lane_mask stencil_failed, depth_failed;
    lane_mask at_clear; /* a depth test against the clear value failed */
};

/* Results of a fragment's pixels, as sets of lanes. With multisampling, a lane is in a set if any
 * of its samples has the property. */
struct tlb_results {
    lane_mask stencil_failed, depth_failed;
    /* Lanes that failed the depth test or were rejected by early Z, where the stored Z was the
     * clear value. */
    lane_mask at_clear;
    lane_mask written; /* lanes with a write of colour, Z, stencil or mask */
    lane_mask changed; /* lanes of .written with a changed value */
    /* Lanes with a colour write whose alpha is now 0. Empty with 64-bit colour. */
    lane_mask alpha_zero;
};

/* Inputs from the FEP for a fragment shader's four quads (manual table 29), as far as the tile
 * buffer uses them, and the state of the shader's accesses. Lane i is pixel (i & 1, (i >> 1) & 1)
 * of quad i >> 2. */
struct tlb_fragment {
    uint16_t x[4], y[4];             /* screen pixel of each quad's lane 0; always even */
    uint8_t ms_flags[LANES];         /* multisample flags, bit s for sample s; without
                                        multisampling, a pixel is covered if any bit is set */
    lane_mask rev_flag;              /* lanes of back-facing primitives */
    enum tlb_compare depth_function; /* from record 96 */
    bool depth_update;
    struct tlb_stencil front, back;
    struct cap_read_mode coverage_read; /* from record 96 */
    uint8_t colour_reads;  /* number of colour reads so far, which selects the sample and word of
                              the next read */
    uint8_t colour_writes; /* number of writes so far to TLB_COLOUR_MS, which selects the sample and
                              word of the next write */
    uint8_t colour_all_writes;
    bool tested;              /* true after a write of Z */
    uint32_t untested_colour; /* address of the first instruction that wrote colour before Z was
                                 written, or 0 */
    struct tlb_traces traces;
    /* Places of sample 0 of quads at the positions placed_x and placed_y (tlb_places()). An odd
     * position is that of no quad. */
    struct tlb_places places;
    uint16_t placed_x[4], placed_y[4];
};

/* A load record that waits for the tile coordinates. */
struct tlb_load {
    bool pending;
    bool full_resolution; /* true for record 27, false for record 29 */
    uint64_t bits;        /* the record's data */
};

/* What a tile buffer is connected to. */
struct tlb_ports {
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts; /* NULL if events are not counted */
    struct cap *cap;            /* TLB_HALVES entries; NULL if there is no coverage pipe */
};

struct tlb_kernels;

struct tlb {
    const struct tlb_kernels *kernels; /* set by tlb_reset_setup() */
    struct tlb_frame frame;
    uint32_t clear_colour[2];
    uint32_t clear_z; /* 24 bits */
    uint8_t clear_mask, clear_stencil;
    struct tlb_load load;
    struct tlb_geometry tile;
    uint32_t half;         /* half of the next tile in a double-buffered frame */
    bool in_tile;          /* true from the tile coordinates until the tile is stored */
    bool reloaded;         /* true if the tile was loaded from a full dump */
    uint32_t known_halves; /* bit n is 1 if the colour of half n was cleared or loaded since
                              reset */
    uint32_t column, row;
    bool last_store; /* true if the tile buffer's contents are not used after the next store */
    uint64_t tiles_stored;            /* number of stores that wrote a buffer to memory */
    uint64_t drawn[TLB_SAMPLES / 64]; /* bit per sample that shaders wrote; recorded only until the
                                         contents are known (.known_halves) */

    /* The planes. They are the last members because tlb_reset_setup() keeps them. */
    uint32_t colour[TLB_SAMPLES]; /* RGBA8888 with R in the low byte, or words of 64-bit colour */
    uint32_t zs[TLB_SAMPLES];     /* Z24 << 8 | stencil */
    uint8_t mask[TLB_SAMPLES];
};

/* Return the current tile's size in pixels, and its samples per pixel. */
static inline uint32_t tlb_tile_width(const struct tlb *tlb)
{
    return tlb->tile.width;
}

static inline uint32_t tlb_tile_height(const struct tlb *tlb)
{
    return tlb->tile.height;
}

static inline uint32_t tlb_samples(const struct tlb *tlb)
{
    return tlb->tile.samples;
}

/* Returns the halves of the tile buffer that a tile uses, as bits. `half` is the half that a
 * double-buffered tile uses. */
static inline uint32_t tlb_halves(const struct tlb_geometry *tile, uint32_t half)
{
    return tile->halves == TLB_HALVES ? 1u << half : TLB_ALL_HALVES;
}

/* True if the current tile's colour was cleared or loaded since reset. */
static inline bool tlb_contents_known(const struct tlb *tlb)
{
    return (~tlb->known_halves & tlb_halves(&tlb->tile, tlb->half)) == 0;
}

#endif
