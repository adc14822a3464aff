/* SPDX-License-Identifier: MIT */
/* ptb.h - Primitive Tile Binner: from primitives to one control list per tile, in memory.
 *
 * In:  record 112, state records and assembled primitives of the binning thread; memory from
 *      the tile allocation pool, then from the overspill block (V3D_BPOA, V3D_BPOS).
 * Out: tile lists: state records, record 56, compressed primitive lists (48, 49), chained from
 *      block to block, each closed by a return record at flush. The tile state data array (48
 *      bytes a tile) holds all that the binner knows about a tile's list.
 *
 * Every operation that needs memory can stall: it returns PTB_STALLED, keeps its place, and is
 * called again with the same arguments when memory has come. */
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
    PTB_FAILED,  /* cannot go on; the finding is in the log */
};

/* State records whose changes reach tile lists; one version counter each. */
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

/* Why a primitive is in no list; the later reason counts. */
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

    /* Record 112. */
    bool configured, started; /* started: record 6 seen; state before it is not put into lists */
    uint32_t allocation_address, allocation_size, state_address;
    uint32_t tiles_x, tiles_y, tile_width, tile_height; /* tile size in pixels */
    uint32_t initial_block, block;                      /* bytes */
    bool auto_initialise;

    bool clip_disabled; /* V3D_BXCF bit 1; the owner sets it */

    /* The pool. The registers V3D_BPCA, V3D_BPCS, V3D_BPOA and V3D_BPOS read and write these. */
    uint32_t pool_address, pool_left;
    uint32_t overspill_address, overspill_size;
    bool out_of_memory;  /* V3D_PCS.BMOOM and the level behind INT_OUTOMEM */
    bool used_overspill; /* set when the overspill block is taken; the owner clears it
                            (INT_SPILLUSE) */

    /* Granules being cut up: one for list blocks, one for clipped-primitive records. */
    uint32_t block_address, block_left;
    uint32_t clip_address, clip_left;

    uint16_t version[PTB_ITEMS]; /* changes of each item since record 6 */
    uint32_t changes;            /* the silicon's state counter, for erratum HW-2116 */
    bool drawn;                  /* primitives have come since the latest change */

    /* Where a stalled operation goes on. */
    bool stalled;
    uint32_t cursor;      /* tile */
    uint32_t sub_cursor;  /* part of a clipped primitive */
    uint32_t clip_record; /* of this part, once it is written; else 0 */
    bool placed;          /* this primitive is in at least one list */
    uint8_t dropped;      /* why a part of it is in none, enum ptb_drop */

    struct draws *draws; /* counts of draws; may be NULL */
    uint32_t draw;       /* that the primitives belong to; the control-list executor sets it */

    struct ptb_guard guard; /* which the sanitizer closes and looks at */

    uint64_t primitives; /* put into at least one list, since creation */
};

void ptb_reset(struct ptb *ptb);

/* Record 112; data points behind the id. */
enum ptb_result ptb_configure(struct ptb *ptb, const uint8_t *data);

/* Record 6: initialises the tile state data array if asked, and starts the lists. */
enum ptb_result ptb_start(struct ptb *ptb);

/* A state record (64..104) was applied to the binning thread's state. */
void ptb_state_changed(struct ptb *ptb, uint8_t code);

/* Bins one primitive: culls, clips if the record asks for it, finds the tiles and appends to their
 * lists. index[k] is the vertex number that the renderer will fetch, vertex[k] its shaded vertex.
 */
enum ptb_result ptb_primitive(struct ptb *ptb, const struct cl_state *state,
                              const struct shader_record *record, enum primitive_type type,
                              const uint32_t index[3], const struct vertex *const vertex[3]);

/* Bins one primitive of VG mode, a triangle or an RHT; xy holds its coordinates as lists have them. */
enum ptb_result ptb_coordinates(struct ptb *ptb, const struct cl_state *state,
                                enum primitive_type type, const uint32_t xy[3]);

/* Records 4 and 5: closes every tile list; all_state first writes pending state into all of them.
 */
enum ptb_result ptb_flush(struct ptb *ptb, const struct cl_state *state, bool all_state);

/* Forgets an operation that stalled, and the lists being built: the binning thread was reset. */
void ptb_abandon(struct ptb *ptb);

/* V3D_BPOS was written: a stalled operation may go on. */
void ptb_overspill(struct ptb *ptb, uint32_t size);

#endif
