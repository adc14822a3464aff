/* SPDX-License-Identifier: MIT */
/* tlb.h - Tile Buffer (manual section 5): colour, Z, stencil and alpha-mask of one tile.
 *
 * In:  control records 24..29 and 113..115 from the control-list executor; Z, stencil setup, colour and
 *      mask writes of fragment shaders.
 * Out: colour and mask to shaders; stored tiles to memory. */
#ifndef VC4_TLB_H
#define VC4_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/cap.h"
#include "vc4/lanes.h"
#include "vc4/pctr.h"

/* The tile buffer holds so many samples of 32-bit colour, Z and stencil, and mask; half as many
 * with 64-bit colour, whose second words take the upper half of the colour memory. */
enum { TLB_SAMPLES = 4096, TLB_SECOND_WORDS = TLB_SAMPLES / 2, TLB_MAX_WIDTH = 64 };

/* With double buffering, tiles take turns in two halves of the tile buffer. */
enum { TLB_HALVES = 2, TLB_ALL_HALVES = 3 };

/* What the frame makes of a tile. */
struct tlb_geometry {
    uint32_t width, height; /* pixels */
    uint32_t samples;       /* of a pixel: 1, with multisampling 4 */
    uint32_t words;         /* of a sample's colour: 1, with 64-bit colour 2 */
    uint32_t halves;        /* 2 with double buffering, else 1 */
    uint32_t first; /* index of the tile's first sample in the planes: 0, but for the second half */
};

/* The bits that records 112 and 113 share (manual section 5; docs/vc4/tlb.md for the sizes). */
struct tlb_geometry tlb_geometry(bool multisample, bool colour_64bit, bool double_buffer);

/* The same from a record 113; data points behind the id. */
struct tlb_geometry tlb_frame_geometry(const uint8_t *data);

/* Samples are kept quad by quad, quads row after row, as full dumps have them: a quad's four pixels
 * for sample 0, then for sample 1 ... Index of a pixel's sample in the planes; x and y count from
 * the tile's corner and wrap. */
static inline uint32_t tlb_sample_index(const struct tlb_geometry *tile, uint32_t x, uint32_t y,
                                        uint32_t sample)
{
    uint32_t column = x & (tile->width - 1), row = y & (tile->height - 1);
    uint32_t quad = (row >> 1) * (tile->width >> 1) + (column >> 1);
    return tile->first + (quad * tile->samples + sample) * 4 + (row & 1) * 2 + (column & 1);
}

/* Depth-test functions of record 96 and stencil functions of TLB_STENCIL_SETUP. */
enum tlb_compare {
    TLB_NEVER,
    TLB_LT,
    TLB_EQ,
    TLB_LE,
    TLB_GT,
    TLB_NE,
    TLB_GE,
    TLB_ALWAYS,
};

/* One face's stencil configuration (manual tables 27 and 28). */
struct tlb_stencil {
    bool enabled;
    uint8_t z_fail_op, z_pass_op, stencil_fail_op; /* 0..7 */
    uint8_t function;                              /* enum tlb_compare */
    uint8_t reference, compare_mask, write_mask;
};

/* What became of the pixels, in the form that costs least where it is found; tlb_results() makes
 * sets of lanes of it. */
struct tlb_traces {
    uint32_t differences[LANES]; /* bits of colour, Z, stencil or mask that have changed, at any sample */
    uint8_t coloured[LANES];     /* as multisample flags: the samples that a colour was written to */
    uint8_t stored[LANES];       /* likewise: stencil or mask */
    uint8_t stencil_failed[LANES], depth_failed[LANES]; /* likewise */
    lane_mask z;        /* was tested and, if it passed, stored */
    lane_mask at_clear; /* a depth test met the clear value, and failed */
};

/* Sets of lanes. With multisampling, one sample is enough. */
struct tlb_results {
    lane_mask stencil_failed, depth_failed;
    lane_mask at_clear;   /* of .depth_failed, or of the early test: the tile had the clear value */
    lane_mask written;    /* colour, Z, stencil or mask */
    lane_mask changed;    /* of these: to another value */
    lane_mask alpha_zero; /* a colour was written, and the tile has a 32-bit colour with an alpha of 0 */
};

/* What the FEP hands to a fragment shader about its four quads (manual table 29), as far as the tile
 * buffer needs it. Lane i is pixel (i & 1, (i >> 1) & 1) of quad i >> 2. */
struct tlb_fragment {
    uint16_t x[4], y[4];             /* screen pixel of each quad's lane 0; always even */
    uint8_t ms_flags[LANES];         /* multisample flags, bit s for sample s; without multisampling
                                        any bit means covered */
    lane_mask rev_flag;              /* set for back-facing primitives */
    enum tlb_compare depth_function; /* from record 96 */
    bool depth_update;
    struct tlb_stencil front, back;
    struct cap_read_mode coverage_read; /* from record 96 */
    uint8_t colour_reads;  /* so many accesses there were: they step through samples and words */
    uint8_t colour_writes; /* to TLB_COLOUR_MS */
    uint8_t colour_all_writes;
    bool tested;              /* Z was written */
    uint32_t untested_colour; /* the first instruction that wrote colour before Z; 0: none */
    struct tlb_traces traces;
};

/* Record 113. */
struct tlb_frame {
    bool configured;
    uint32_t address;
    uint32_t width, height; /* pixels */
    uint32_t flags;         /* the record's bits 64..76, shifted to bit 0 */
};

/* A load record waits here until tile coordinates come. */
struct tlb_load {
    bool pending;
    bool full_resolution; /* record 27, else record 29 */
    uint64_t bits;        /* the record's data */
};

struct tlb {
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts; /* may be NULL */
    struct tlb_frame frame;
    uint32_t clear_colour[2];
    uint32_t clear_z; /* 24 bits */
    uint8_t clear_mask, clear_stencil;
    struct tlb_load load;
    struct tlb_geometry tile;
    uint32_t half;         /* the one that the next tile of a double-buffered frame has */
    bool in_tile;          /* tile coordinates seen, not stored yet */
    bool reloaded;         /* the tile was loaded from a full dump */
    uint32_t known_halves; /* a set: their colour was cleared or loaded since reset */
    uint32_t column, row;
    bool last_store; /* nobody sees what the next store leaves in the tile buffer */
    struct cap *cap; /* TLB_HALVES of them; the owner sets it. NULL: there is no coverage pipe */
    uint64_t tiles_stored;            /* stores that sent a buffer to memory */
    uint64_t drawn[TLB_SAMPLES / 64]; /* until contents are known: samples that shaders wrote */

    /* The planes, last. */
    uint32_t colour[TLB_SAMPLES]; /* RGBA8888, R in the low byte; or words of 64-bit colour */
    uint32_t zs[TLB_SAMPLES];     /* Z24 << 8 | stencil */
    uint8_t mask[TLB_SAMPLES];
};

/* --- control-list side; data points to a record's bytes after the id --- */

void tlb_reset(struct tlb *tlb);       /* clear values 0, contents undefined (zero), no frame */
void tlb_reset_setup(struct tlb *tlb); /* the same for who clears all of it: contents stay */
void tlb_configure(struct tlb *tlb, const uint8_t *data);     /* record 113 */
void tlb_clear_colours(struct tlb *tlb, const uint8_t *data); /* record 114 */
void tlb_load_full(struct tlb *tlb, const uint8_t *data);     /* record 27 */
void tlb_load_general(struct tlb *tlb, const uint8_t *data);  /* record 29 */

/* Record 115: starts a tile; a pending load is carried out. */
void tlb_tile_coordinates(struct tlb *tlb, const uint8_t *data);

/* Clears colour, Z, stencil and mask, of both halves; half is the next tile's. */
void tlb_clear(struct tlb *tlb, uint32_t half);

/* Whether a store record ends the frame. */
bool tlb_ends_frame(uint8_t record, const uint8_t *data);

/* Whether it is followed by the other half, if the frame is double-buffered. */
bool tlb_swaps(uint8_t record, const uint8_t *data);

/* Records 24..26 and 28: stores the tile, then clears what is not inhibited. data is NULL for 24 and 25.
 * True when this store ends the frame. */
bool tlb_store(struct tlb *tlb, uint8_t record, const uint8_t *data);

/* The current tile: its size and place, in pixels, and its samples. */
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

/* The halves of the tile buffer that a tile takes, as a set, if the next one that is double-buffered has `half`. */
static inline uint32_t tlb_halves(const struct tlb_geometry *tile, uint32_t half)
{
    return tile->halves == TLB_HALVES ? 1u << half : TLB_ALL_HALVES;
}

/* Whether the current tile's colour was cleared or loaded since reset. */
static inline bool tlb_contents_known(const struct tlb *tlb)
{
    return (~tlb->known_halves & tlb_halves(&tlb->tile, tlb->half)) == 0;
}

/* --- shader side; mask says which lanes' conditions passed --- */

/* Prepares the tile-buffer part of a fragment run: both stencil faces off, counters zero. */
void tlb_fragment_start(struct tlb_fragment *fragment);

/* The FEP's early depth test: the covered lanes of those quads in which a pixel can still pass. */
lane_mask tlb_early_z(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *z);

/* The FEP's early coverage test, if record 113 selects coverage mode: the covered lanes of those quads in which
 * a pixel has coverage; else all covered lanes. */
lane_mask tlb_early_coverage(const struct tlb *tlb, const struct tlb_fragment *fragment);

/* Sends a primitive to the coverage pipe. */
void tlb_accumulate(struct tlb *tlb, const struct pse_primitive *primitive,
                    const struct cl_state *state, const struct fep_window *window);

void tlb_stencil_setup(struct tlb *tlb, struct tlb_fragment *fragment, uint32_t word);

/* Stencil test, then depth test; failing pixels lose their ms_flags. */
void tlb_write_z(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *z, lane_mask mask);

/* all = TLB_COLOUR_ALL, else TLB_COLOUR_MS, which takes the samples in turn; the same without
 * multisampling. With 64-bit colour, two writes or reads are one sample's. */
void tlb_write_colour(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *colour,
                      lane_mask mask, bool all);

/* The VG mask: writes go to all samples that the flags enable, reads give sample 0. */
void tlb_write_mask(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *value,
                    lane_mask mask);
void tlb_read_colour(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out);
void tlb_read_mask(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out);

/* What has become of a fragment's pixels so far. */
struct tlb_results tlb_results(const struct tlb *tlb, const struct tlb_fragment *fragment);

/* What the coverage pipe has accumulated since Z and stencil were cleared, or since the pixel was read. */
void tlb_read_coverage(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out);

#endif
