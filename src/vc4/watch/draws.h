/* SPDX-License-Identifier: MIT */
/* draws.h - statistics of draws: how many primitives and pixels of each draw reach each step from
 * the record to the tile buffer. A draw is one execution of a primitive list record.
 *
 * In:  primitive list records of both control list threads; counts from the binner, the rasteriser
 *      and the tile buffer; sums of tile jobs.
 * Out: counts by record for statistics; notes about draws that changed no pixel (draw_notes.c).
 *
 * Tile lists are bytes in guest memory and have no room for the number of a draw. The binner
 * therefore records marks: for each tile, the addresses in the tile's list at which the primitives
 * of another draw begin. The rendering thread compares the addresses that it reads with the marks,
 * which are in the order of the list. */
#ifndef VC4_WATCH_DRAWS_H
#define VC4_WATCH_DRAWS_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/vc4.h>

#include "vc4/state/state.h"
#include "vc4/watch/draw_counts.h"

enum {
    DRAWS_NONE = 0,        /* value of a draw number if there is no draw */
    DRAWS_ROWS = 1024,     /* records that are counted separately */
    DRAWS_SLOTS = 2048,    /* slots of the hash table of rows */
    DRAWS_LIVE = 1 << 18,  /* most draws per binning, or in the rendering lists of a run */
    DRAWS_MARKS = 1 << 24, /* most marks per binning */
    /* Banks 0 and 1 contain the draws of the current binning and of the previous binning, whose
     * lists may still be rendered. */
    DRAWS_BINNINGS = 2,
    DRAWS_RENDERING = 2, /* index of the bank with the draws of rendering lists */
    DRAWS_BANKS = 3,
};

/* Counts of the draws in one tile job. Initialise with zeros. */
struct draw_tally {
    struct draw_tally_row *row;
    uint32_t count, capacity;
    bool lost; /* true if rows are missing, because the host was out of memory */
};

struct draw_tally_row {
    uint32_t draw;
    struct draw_counts counts;
};

struct draw_mark {
    uint32_t address, draw;
    uint32_t next; /* index + 1 of the next mark of the same tile, or 0 */
};

struct draw_tile {
    uint32_t first, last; /* index + 1 of the tile's first and last mark, or 0 */
    uint32_t draw;        /* draw of the last mark */
};

/* The draws of one binning, or of the rendering lists. */
struct draw_bank {
    uint32_t generation;
    struct draw_live *live;
    uint32_t count, capacity;
    uint32_t allocation, block; /* address of the first list blocks; size of a block in bytes */
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
    uint16_t slot[DRAWS_SLOTS]; /* hash table with open addressing: index of row + 1, or 0 */
    uint32_t rows;
    /* Counts by record. The last row is the sum of all records without a row of their own. */
    struct tess_vc4_draw_stats row[DRAWS_ROWS + 1];
    uint32_t rendering[DRAWS_ROWS]; /* by row: number of the current draw in rendering lists */
    uint32_t noted[DRAWS_ROWS];     /* by row: reasons already reported, one bit per reason */
    uint64_t total[TESS_VC4_DRAW_COUNTS];
    /* True if counts are incomplete, because a limit was reached or the host was out of memory.
     * Notes are then not reported. */
    bool lost;
    uint32_t frames_ended; /* number of frames that have ended since the last report */
    uint32_t end_address;  /* address of the record that ended the last frame */
    uint8_t end_record;    /* code of the record that ended the last frame */
    uint32_t noted_frame;  /* value of end_address for the last frame reported as empty */
    uint64_t flush_known;  /* number of the binner's flushes before the end of the last frame */
};

/* Position of the rendering thread in a tile list. All zero outside of tile lists. */
struct draws_cursor {
    bool active;
    uint8_t bank;
    uint32_t next; /* index + 1 of the next mark in the list, or 0 */
    uint32_t draw;
};

void draws_free(struct draws *draws);

struct state_stream;

/* List the fields for saved states (base/state.h). draws_cursor_fields() follows draws_fields(). */
void draws_fields(struct state_stream *stream, struct draws *draws);
void draws_cursor_fields(struct state_stream *stream, struct draws_cursor *cursor,
                         const struct draws *draws);

/* Begins a binning (record 112). allocation is the address of the tiles' first list blocks. block
 * is the size of a block in bytes. */
void draws_begin_binning(struct draws *draws, uint32_t allocation, uint32_t block, uint32_t tiles_x,
                         uint32_t tiles_y);

/* Begins a draw for a primitive list record. Returns the draw's number, or DRAWS_NONE if there is
 * no room. */
uint32_t draws_begin(struct draws *draws, const struct draw_record *record);

/* Adds n to a counter of a draw. */
void draws_count(struct draws *draws, uint32_t draw, enum tess_vc4_draw_counter counter,
                 uint64_t n);

/* Records that a primitive of the draw covers an area outside the clip window. */
void draws_outside(struct draws *draws, uint32_t draw, struct draw_area area);

/* Records that the binner writes a primitive of the draw at an address of a tile's list. Adds a
 * mark if the tile's previous primitive belongs to another draw. */
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

/* Adds the counts of a tally to the draws, and empties the tally. */
void draws_take(struct draws *draws, struct draw_tally *tally);

struct fault_log;

/* Ends the statistics of a run. Reports the draws that changed no pixel and whose counts are final.
 * Reports nothing if log is NULL. */
void draws_report(struct draws *draws, struct fault_log *log, enum tess_vc4_draw_notes notes);

/* Records that the rendering thread has executed a record that ends a frame. address and code are
 * those of the record. */
void draws_end_frame(struct draws *draws, uint32_t address, uint8_t code);

/* Returns true if any counter of a row is not 0. */
bool draws_any(const struct tess_vc4_draw_stats *row);

#endif
