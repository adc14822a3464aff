/* SPDX-License-Identifier: MIT */
/* draws.h - what became of each draw: counts of its primitives and pixels, from the record to the
 * tile buffer.
 *
 * In:  records that draw, from both control-list threads; what the binner, the rasteriser and the
 *      tile buffer do with their primitives; sums of tile jobs.
 * Out: counts by record for statistics; notes about draws that changed no pixel (draw_notes.c).
 *
 * Tile lists are bytes in guest memory and have no room for the number of a draw. The binner
 * therefore marks, for each tile, the address where the primitives of the next draw begin; the
 * rendering thread compares the addresses that it reads with the marks, which come in the order of
 * the list. */
#ifndef VC4_DRAWS_H
#define VC4_DRAWS_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/vc4.h>

#include "vc4/state.h"

enum {
    DRAWS_NONE = 0,        /* the number of no draw */
    DRAWS_ROWS = 1024,     /* records that are counted apart */
    DRAWS_SLOTS = 2048,    /* of their hash table */
    DRAWS_LIVE = 1 << 18,  /* draws of one binning, or of the rendering lists of one run */
    DRAWS_MARKS = 1 << 24, /* of one binning */
    DRAWS_BINNINGS = 2, /* the one at work, and the one before, whose lists may still be rendered */
    DRAWS_RENDERING = 2, /* the bank of draws in rendering lists */
    DRAWS_BANKS = 3,
};

/* What is counted, and the state that notes mention. */
struct draw_counts {
    uint64_t of[TESS_VC4_DRAW_COUNTS];
    uint64_t at_clear; /* pixels that failed a depth test against the clear value */
    uint64_t blended;  /* unchanged pixels of shader runs that read the tile's colour */
    uint32_t clear_z;  /* the clear value of .at_clear */
    uint32_t stencil;  /* the first stencil test that failed, as below; 0: none */
};

/* Bits of .stencil above function << 16 | reference << 8 | compare mask (manual table 27). */
#define DRAW_STENCIL_KNOWN (UINT32_C(1) << 31)
#define DRAW_STENCIL_BACK  (UINT32_C(1) << 30)

/* The sums of one tile job. Zero-initialise it. */
struct draw_tally {
    struct draw_tally_row *row;
    uint32_t count, capacity;
    bool lost; /* there was no memory for a row */
};

struct draw_tally_row {
    uint32_t draw;
    struct draw_counts counts;
};

/* A record that draws. */
struct draw_record {
    uint32_t address;
    uint8_t code, thread;
    uint8_t mode;    /* enum primitive_mode, of records 32 and 33 */
    uint32_t length; /* likewise: vertices */
    uint64_t flush;  /* binning: the number of the flush that completes its lists */
    const struct cl_state *state;
};

/* Pixels, half open. */
struct draw_area {
    int32_t left, bottom, right, top;
};

/* A draw whose result is not known yet. */
struct draw_live {
    struct draw_record record; /* its .state is below */
    struct cl_state state;
    uint32_t row;             /* of the table */
    bool executed;            /* since the last report */
    struct draw_area outside; /* what primitives outside of the clip window cover; empty: none */
    struct draw_counts counts;
};

struct draw_mark {
    uint32_t address, draw;
    uint32_t next; /* of the same tile: its index plus 1; 0: none */
};

struct draw_tile {
    uint32_t first, last; /* marks: index plus 1; 0: none */
    uint32_t draw;        /* of the last mark */
};

/* The draws of one binning, or of rendering lists. */
struct draw_bank {
    uint32_t generation;
    struct draw_live *live;
    uint32_t count, capacity;
    uint32_t allocation, block; /* of the first list blocks: address, and bytes of one */
    uint32_t tiles_x, tiles;
    struct draw_tile *tile;
    uint32_t tile_capacity;
    struct draw_mark *mark;
    uint32_t marks, mark_capacity;
};

/* Zero-initialise it, and release it with draws_free(). */
struct draws {
    struct draw_bank bank[DRAWS_BANKS];
    uint32_t binning;           /* the bank of the binning at work */
    uint16_t slot[DRAWS_SLOTS]; /* open addressing: a row plus 1; 0 is free */
    uint32_t rows;
    struct tess_vc4_draw_stats row[DRAWS_ROWS + 1]; /* the last: all others */
    uint32_t rendering[DRAWS_ROWS]; /* the draw in rendering lists that a row counts now */
    uint32_t noted[DRAWS_ROWS];     /* reasons that were reported about a row: a bit for each */
    uint64_t total[TESS_VC4_DRAW_COUNTS];
    bool lost;             /* counts are incomplete, for lack of memory: there are no notes */
    uint32_t frames_ended; /* since the last report */
    uint32_t end_address;  /* of the record that ended the last frame */
    uint8_t end_record;    /* its code */
    uint32_t noted_frame;  /* the address of the record of the last report of an empty frame */
    uint64_t flush_known;  /* the rendering thread has seen this flush when its frame ended */
};

/* Where the rendering thread is in a tile list. Zero: in none. */
struct draws_cursor {
    bool active;
    uint8_t bank;
    uint32_t next; /* mark: index plus 1 */
    uint32_t draw;
};

void draws_free(struct draws *draws);

/* Record 112: lists of tiles_x * tiles_y tiles begin, in blocks of so many bytes at the
 * allocation address. */
void draws_begin_binning(struct draws *draws, uint32_t allocation, uint32_t block, uint32_t tiles_x,
                         uint32_t tiles_y);

/* A record that draws is executed. Returns the draw's number, or DRAWS_NONE if there is no room
 * for one more. */
uint32_t draws_begin(struct draws *draws, const struct draw_record *record);

/* Adds n to a counter of a draw. */
void draws_count(struct draws *draws, uint32_t draw, enum tess_vc4_draw_counter counter,
                 uint64_t n);

/* A primitive of the draw covers an area outside of the clip window. */
void draws_outside(struct draws *draws, uint32_t draw, struct draw_area area);

/* The binner puts a primitive of the draw into a tile's list, at an address. */
void draws_mark(struct draws *draws, uint32_t tile, uint32_t address, uint32_t draw);

/* The rendering thread branches to a list. */
struct draws_cursor draws_enter(const struct draws *draws, uint32_t list);

/* Its next primitive is at an address: moves the cursor to the draw that it belongs to. */
static inline void draws_follow(const struct draws *draws, struct draws_cursor *cursor,
                                uint32_t address)
{
    if (!cursor->next)
        return;
    const struct draw_mark *mark = &draws->bank[cursor->bank].mark[cursor->next - 1];
    if (mark->address != address)
        return;
    cursor->draw = mark->draw;
    cursor->next = mark->next;
}

/* The counts of a draw in a tally; a scratch row's if there is no memory. */
struct draw_counts *draw_tally_of(struct draw_tally *tally, uint32_t draw);
void draw_tally_free(struct draw_tally *tally);

/* Adds a tally's sums, and empties it. */
void draws_take(struct draws *draws, struct draw_tally *tally);

struct fault_log;

/* The end of a run: reports the draws whose results are known and that changed no pixel. With a
 * log that is NULL nothing is reported. */
void draws_report(struct draws *draws, struct fault_log *log, enum tess_vc4_draw_notes notes);

/* The rendering thread has executed the record that ends a frame. */
void draws_end_frame(struct draws *draws, uint32_t address, uint8_t code);

/* Whether a row has counted anything. */
bool draws_any(const struct tess_vc4_draw_stats *row);

#endif
