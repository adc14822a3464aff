/* SPDX-License-Identifier: MIT */
/* draws.h - fate of each draw: counts of its primitives and pixels, from the record to the tile
 * buffer.
 *
 * In:  records that draw, from both control list threads; results from the binner, the rasteriser
 *      and the tile buffer for their primitives; sums of tile jobs.
 * Out: counts by record for statistics; notes about draws that changed no pixel (draw_notes.c).
 *
 * Tile lists are bytes in guest memory and have no room for the number of a draw. The binner
 * therefore records marks: for each tile, the addresses where the primitives of the next draw
 * begin. The rendering thread compares the addresses that it reads with the marks, which are in
 * list order. */
#ifndef VC4_DRAWS_H
#define VC4_DRAWS_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/vc4.h>

#include "vc4/state.h"

enum {
    DRAWS_NONE = 0,        /* number that represents no draw */
    DRAWS_ROWS = 1024,     /* records that are counted separately */
    DRAWS_SLOTS = 2048,    /* slots of the hash table of rows */
    DRAWS_LIVE = 1 << 18,  /* draws per binning, or in the rendering lists of a run */
    DRAWS_MARKS = 1 << 24, /* marks per binning */
    /* the current binning and the previous one, whose lists may still be rendered */
    DRAWS_BINNINGS = 2,
    DRAWS_RENDERING = 2, /* bank of draws in rendering lists */
    DRAWS_BANKS = 3,
};

/* Counts of a draw, and the state that notes mention. */
struct draw_counts {
    uint64_t of[TESS_VC4_DRAW_COUNTS];
    uint64_t at_clear; /* pixels that failed a depth test against the clear value */
    uint64_t blended;  /* unchanged pixels of shader runs that read the tile's colour */
    uint32_t clear_z;  /* clear value for at_clear */
    /* the first failed stencil test in the format below, or 0 */
    uint32_t stencil;
};

/* Bits of .stencil above function << 16 | reference << 8 | compare mask (manual table 27). */
#define DRAW_STENCIL_KNOWN (UINT32_C(1) << 31)
#define DRAW_STENCIL_BACK  (UINT32_C(1) << 30)

/* Sums of one tile job. Initialise with zeros. */
struct draw_tally {
    struct draw_tally_row *row;
    uint32_t count, capacity;
    bool lost; /* rows are missing, because the host was out of memory */
};

struct draw_tally_row {
    uint32_t draw;
    struct draw_counts counts;
};

/* A record that draws. */
struct draw_record {
    uint32_t address;
    uint8_t code, thread;
    uint8_t mode;    /* enum primitive_mode; records 32 and 33 only */
    uint32_t length; /* number of vertices; records 32 and 33 only */
    uint64_t flush;  /* binning: number of the flush that completes the draw's tile lists */
    const struct cl_state *state;
};

/* An area in pixels; right and top are exclusive. */
struct draw_area {
    int32_t left, bottom, right, top;
};

/* A draw whose result is not final yet. */
struct draw_live {
    struct draw_record record; /* its .state is invalid: use the copy below */
    struct cl_state state;
    uint32_t row;             /* index in draws.row */
    bool executed;            /* executed since the last report */
    struct draw_area outside; /* area of primitives outside the clip window, or empty */
    struct draw_counts counts;
};

struct draw_mark {
    uint32_t address, draw;
    uint32_t next; /* next mark of the same tile: index + 1, or 0 */
};

struct draw_tile {
    uint32_t first, last; /* marks: index + 1, or 0 */
    uint32_t draw;        /* draw of the last mark */
};

/* The draws of one binning, or of the rendering lists. */
struct draw_bank {
    uint32_t generation;
    struct draw_live *live;
    uint32_t count, capacity;
    uint32_t allocation, block; /* address of the first list blocks; size of each in bytes */
    uint32_t tiles_x, tiles;
    struct draw_tile *tile;
    uint32_t tile_capacity;
    struct draw_mark *mark;
    uint32_t marks, mark_capacity;
};

/* Initialise with zeros. Release with draws_free(). */
struct draws {
    struct draw_bank bank[DRAWS_BANKS];
    uint32_t binning;           /* bank of the current binning */
    uint16_t slot[DRAWS_SLOTS]; /* hash table with open addressing: row + 1, or 0 if free */
    uint32_t rows;
    /* the last row counts all records without a row */
    struct tess_vc4_draw_stats row[DRAWS_ROWS + 1];
    uint32_t rendering[DRAWS_ROWS]; /* current draw in rendering lists, by row */
    uint32_t noted[DRAWS_ROWS];     /* reasons already reported, by row: one bit per reason */
    uint64_t total[TESS_VC4_DRAW_COUNTS];
    /* counts are incomplete, because the host was out of memory; disables notes */
    bool lost;
    uint32_t frames_ended; /* number of frames that have ended since the last report */
    uint32_t end_address;  /* address of the record that ended the last frame */
    uint8_t end_record;    /* code of that record */
    uint32_t noted_frame;  /* the last reported empty frame: address of its record */
    uint64_t flush_known;  /* last flush of the binner that precedes the end of the frame */
};

/* Position of the rendering thread in a tile list. All zero if it is not in one. */
struct draws_cursor {
    bool active;
    uint8_t bank;
    uint32_t next; /* mark: index + 1, or 0 */
    uint32_t draw;
};

void draws_free(struct draws *draws);

/* Begins a binning (record 112). allocation is the address of the first blocks, block the size of
 * each in bytes. */
void draws_begin_binning(struct draws *draws, uint32_t allocation, uint32_t block, uint32_t tiles_x,
                         uint32_t tiles_y);

/* Begins the draw of a record. Returns the draw's number, or DRAWS_NONE if there is no room. */
uint32_t draws_begin(struct draws *draws, const struct draw_record *record);

/* Adds n to a counter of a draw. */
void draws_count(struct draws *draws, uint32_t draw, enum tess_vc4_draw_counter counter,
                 uint64_t n);

/* Records that a primitive of the draw covers an area outside the clip window. */
void draws_outside(struct draws *draws, uint32_t draw, struct draw_area area);

/* Records that the binner writes a primitive of the draw to the list of a tile, at an address. */
void draws_mark(struct draws *draws, uint32_t tile, uint32_t address, uint32_t draw);

/* Returns a cursor for a list to which the rendering thread branches. */
struct draws_cursor draws_enter(const struct draws *draws, uint32_t list);

/* Moves the cursor to the draw of the primitive at an address. */
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

/* Returns the counts of a draw in a tally, or NULL if the host is out of memory. */
struct draw_counts *draw_tally_of(struct draw_tally *tally, uint32_t draw);
void draw_tally_free(struct draw_tally *tally);

/* Adds the sums of a tally and empties it. */
void draws_take(struct draws *draws, struct draw_tally *tally);

struct fault_log;

/* Reports the draws of a run whose results are final and that changed no pixel. Reports nothing if
 * log is NULL. */
void draws_report(struct draws *draws, struct fault_log *log, enum tess_vc4_draw_notes notes);

/* Notes that the rendering thread has executed the record that ends a frame. */
void draws_end_frame(struct draws *draws, uint32_t address, uint8_t code);

/* Returns true if any counter of a row is not 0. */
bool draws_any(const struct tess_vc4_draw_stats *row);

#endif
