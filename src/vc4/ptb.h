/* SPDX-License-Identifier: MIT */
/* ptb.h - Primitive Tile Binner: writes one control list per tile, in memory.
 *
 * In:  record 112, state records and assembled primitives of the binning thread; memory from the
 *      tile allocation pool, then from the overspill block (V3D_BPOA, V3D_BPOS).
 * Out: tile lists: state records, record 56, compressed primitive lists (48, 49), chained from
 *      block to block, each closed by a return record at flush. The tile state data array (48 bytes
 *      a tile) holds the binner's complete state of each tile's list.
 *
 * Every operation that needs memory can stall. The operation then returns PTB_STALLED and keeps its
 * position. The caller calls the operation again with the same arguments when there is memory. */
#ifndef VC4_PTB_H
#define VC4_PTB_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/bus.h"
#include "vc4/draws.h"
#include "vc4/pctr.h"
#include "vc4/ptb_guard.h"
#include "vc4/state.h"
#include "vc4/vcm.h"

enum { PTB_TILE_STATE_BYTES = 48, PTB_POOL_GRANULE = 4096 };

enum ptb_result {
    PTB_DONE,
    PTB_STALLED, /* no binning memory left; .out_of_memory is set */
    PTB_FAILED,  /* binning cannot continue; a finding has been reported */
};

/* State records whose changes reach tile lists. Each has a version counter. */
enum ptb_item {
    PTB_ITEM_SHADER,
    PTB_ITEM_CONFIGURATION,
    PTB_ITEM_FLAT_SHADE,
    PTB_ITEM_POINT_SIZE,
    PTB_ITEM_LINE_WIDTH,
    PTB_ITEM_RHT_X,
    PTB_ITEM_DEPTH_OFFSET,
    PTB_ITEM_CLIP_WINDOW,
    PTB_ITEM_VIEWPORT,
    PTB_ITEM_Z_MIN_MAX,
    PTB_ITEMS,
};

/* Reasons why a primitive is in no list. If its parts differ, the largest value counts. */
enum ptb_drop {
    PTB_KEPT,
    PTB_NO_AREA,
    PTB_FORWARD, /* culled */
    PTB_NOT_FINITE,
    PTB_CLIPPED,
    PTB_OUTSIDE,
    PTB_REVERSED, /* culled */
    PTB_DROPS
};

struct ptb {
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts; /* may be NULL */

    /* Values of record 112. */
    bool configured, started; /* started: after record 6; earlier state is not put into lists */
    uint32_t allocation_address, allocation_size, state_address;
    uint32_t tiles_x, tiles_y, tile_width, tile_height; /* tile size in pixels */
    uint32_t initial_block, block;                      /* block sizes in bytes */
    bool auto_initialise;

    bool clip_disabled; /* V3D_BXCF bit 1; set by the owner */

    /* The pool. Registers V3D_BPCA, V3D_BPCS, V3D_BPOA and V3D_BPOS are these four fields. */
    uint32_t pool_address, pool_left;
    uint32_t overspill_address, overspill_size;
    bool out_of_memory;  /* V3D_PCS.BMOOM, and the level of interrupt INT_OUTOMEM */
    bool used_overspill; /* the overspill block was taken (INT_SPILLUSE); cleared by the owner */

    /* Granules in use: one for list blocks, one for clipped primitive records. */
    uint32_t block_address, block_left;
    uint32_t clip_address, clip_left;

    uint16_t version[PTB_ITEMS]; /* number of changes of each item since record 6 */
    uint32_t changes;            /* the silicon's state counter, for erratum HW-2116 */
    bool drawn;                  /* primitives have arrived since the latest change */

    /* Position of a stalled operation. */
    bool stalled;
    uint32_t cursor;      /* index of the tile */
    uint32_t sub_cursor;  /* index of the part of a clipped primitive */
    uint32_t clip_record; /* address of this part's record once written, else 0 */
    bool placed;          /* this primitive is in at least one list */
    uint8_t dropped;      /* enum ptb_drop: reason why a part is in no list */

    struct draws *draws; /* counts of draws; may be NULL */
    uint32_t draw;       /* number of the primitives' draw; set by the control-list executor */

    struct ptb_guard guard; /* closed and checked by the sanitizer */

    uint64_t primitives; /* number of primitives in at least one list, since creation */
};

void ptb_reset(struct ptb *ptb);

/* Executes record 112. data points to the bytes after the record's code. */
enum ptb_result ptb_configure(struct ptb *ptb, const uint8_t *data);

/* Executes record 6: initialises the tile state data array if record 112 requests it, and starts
 * the lists. */
enum ptb_result ptb_start(struct ptb *ptb);

/* Notes that a state record (64..104) has changed the binning thread's state. */
void ptb_state_changed(struct ptb *ptb, uint8_t code);

/* Bins one primitive: culls it, clips it if the record enables clipping, and appends it to the
 * lists of the tiles that it touches. index[k] is the vertex number that the renderer will fetch;
 * vertex[k] is its shaded vertex. */
enum ptb_result ptb_primitive(struct ptb *ptb, const struct cl_state *state,
                              const struct shader_record *record, enum primitive_type type,
                              const uint32_t index[3], const struct vertex *const vertex[3]);

/* Bins one primitive of VG mode, a triangle or an RHT. xy holds its coordinates in the format of
 * lists. */
enum ptb_result ptb_coordinates(struct ptb *ptb, const struct cl_state *state,
                                enum primitive_type type, const uint32_t xy[3]);

/* Executes records 4 and 5: closes every tile list. all_state first writes pending state into all
 * lists. */
enum ptb_result ptb_flush(struct ptb *ptb, const struct cl_state *state, bool all_state);

/* Drops a stalled operation and the unfinished lists, because the binning thread was reset. */
void ptb_abandon(struct ptb *ptb);

/* Handles a write of V3D_BPOS. A stalled operation may then continue. */
void ptb_overspill(struct ptb *ptb, uint32_t size);

#endif
