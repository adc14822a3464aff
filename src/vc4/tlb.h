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
#include "vc4/lanes.h"

enum {
    TLB_WIDTH = 64,
    TLB_HEIGHT = 64,
    TLB_PIXELS = TLB_WIDTH * TLB_HEIGHT,
};

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

/* What the FEP hands to a fragment shader about its four quads (manual table 29), as far as the tile
 * buffer needs it. Lane i is pixel (i & 1, (i >> 1) & 1) of quad i >> 2. */
struct tlb_fragment {
    uint16_t x[4], y[4];             /* screen pixel of each quad's lane 0; always even */
    uint8_t ms_flags[LANES];         /* multisample flags, 4 bits each; 0 = not covered */
    lane_mask rev_flag;              /* set for back-facing primitives */
    enum tlb_compare depth_function; /* from record 96 */
    bool depth_update;
    struct tlb_stencil front, back;
    uint8_t colour_reads, colour_writes; /* sample counters */
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
    struct tlb_frame frame;
    uint32_t clear_colour[2];
    uint32_t clear_z; /* 24 bits */
    uint8_t clear_mask, clear_stencil;
    struct tlb_load load;
    bool in_tile;               /* tile coordinates seen, not stored yet */
    bool contents_known;        /* colour was cleared or loaded since reset */
    uint64_t drawn[TLB_HEIGHT]; /* until then: pixels that shaders wrote, bit x of row y */
    uint32_t column, row;
    uint32_t colour[TLB_PIXELS]; /* RGBA8888, R in the low byte; index y * TLB_WIDTH + x */
    uint32_t zs[TLB_PIXELS];     /* Z24 << 8 | stencil */
    uint8_t mask[TLB_PIXELS];
    uint64_t tiles_stored; /* stores that sent a buffer to memory */
};

/* --- control-list side; data points to a record's bytes after the id --- */

void tlb_reset(struct tlb *tlb); /* clear values 0, contents undefined (zero), no frame */
void tlb_configure(struct tlb *tlb, const uint8_t *data);     /* record 113 */
void tlb_clear_colours(struct tlb *tlb, const uint8_t *data); /* record 114 */
void tlb_load_full(struct tlb *tlb, const uint8_t *data);     /* record 27 */
void tlb_load_general(struct tlb *tlb, const uint8_t *data);  /* record 29 */

/* Record 115: starts a tile; a pending load is carried out. */
void tlb_tile_coordinates(struct tlb *tlb, const uint8_t *data);

/* Clears colour, Z, stencil and mask. */
void tlb_clear(struct tlb *tlb);

/* Records 24..26 and 28: stores the tile, then clears what is not inhibited. data is NULL for 24 and 25.
 * True when this store ends the frame. */
bool tlb_store(struct tlb *tlb, uint8_t record, const uint8_t *data);

/* --- shader side; mask says which lanes' conditions passed --- */

/* Prepares the tile-buffer part of a fragment run: both stencil faces off, counters zero. */
void tlb_fragment_start(struct tlb_fragment *fragment);

/* The FEP's early depth test: the covered lanes of those quads in which a pixel can still pass. */
lane_mask tlb_early_z(const struct tlb *tlb, const struct tlb_fragment *fragment, const lanes *z);

void tlb_stencil_setup(struct tlb *tlb, struct tlb_fragment *fragment, uint32_t word);

/* Stencil test, then depth test; failing pixels lose their ms_flags. */
void tlb_write_z(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *z, lane_mask mask);

/* all = TLB_COLOUR_ALL, else TLB_COLOUR_MS; the same without multisampling. */
void tlb_write_colour(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *colour,
                      lane_mask mask, bool all);
void tlb_write_mask(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *value,
                    lane_mask mask);
void tlb_read_colour(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out);
void tlb_read_mask(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out);
void tlb_read_coverage(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out);

#endif
