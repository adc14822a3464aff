/* SPDX-License-Identifier: MIT */
/* ptb_state.h - the state of the Primitive Tile Binner, and what the binner is connected to. */
#ifndef VC4_BIN_PTB_STATE_H
#define VC4_BIN_PTB_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/memory/bus.h"
#include "vc4/state/state.h"
#include "vc4/state/vertex.h"
#include "vc4/time/pctr.h"
#include "vc4/watch/draws.h"
#include "vc4/watch/ptb_guard.h"

enum { PTB_TILE_STATE_BYTES = 48, PTB_POOL_GRANULE = 4096 };

enum ptb_result {
    PTB_DONE,
    PTB_STALLED, /* no binning memory left; .out_of_memory is set */
    PTB_FAILED,  /* binning cannot continue; a finding has been reported */
};

/* State records that the binner writes to tile lists when they have changed. Each item has a
 * version counter. */
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

/* Reasons why a primitive is in no list. If the parts of a clipped primitive have different
 * reasons, the largest value counts. */
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
    /* configured is true after record 112. started is true after record 6; earlier changes of state
     * are not written to lists. */
    bool configured, started;
    bool early; /* record 6 has come, and neither record 112 nor a primitive or flush after it */

    /* Values of record 112. */
    uint32_t allocation_address, allocation_size, state_address;
    uint32_t tiles_x, tiles_y, tile_width, tile_height; /* tile size in pixels */
    uint32_t initial_block, block;                      /* block sizes in bytes */
    bool auto_initialise;

    bool clip_disabled; /* V3D_BXCF bit 1; set by the register block (v3d.c) */

    /* Memory for list blocks: registers V3D_BPCA and V3D_BPCS (the rest of the current pool), and
     * V3D_BPOA and V3D_BPOS (the overspill block). */
    uint32_t pool_address, pool_left;
    uint32_t overspill_address, overspill_size;
    bool out_of_memory;  /* V3D_PCS.BMOOM, and the level of interrupt INT_OUTOMEM */
    bool used_overspill; /* true if the overspill block was taken (INT_SPILLUSE); device.c clears
                            the flag */

    /* The rest of two granules, which are pieces of the pool: one for list blocks, and one for
     * clipped primitive records. */
    uint32_t block_address, block_left;
    uint32_t clip_address, clip_left;

    uint16_t version[PTB_ITEMS]; /* number of changes of each item since record 6 */
    uint32_t changes;            /* the silicon's state counter, for erratum HW-2116 */
    bool drawn;                  /* true if a primitive has arrived since the latest change */

    /* Position of a stalled operation. */
    bool stalled;
    uint32_t cursor;      /* index of the tile */
    uint32_t sub_cursor;  /* index of the part of a clipped primitive */
    uint32_t clip_record; /* address of the part's clipped primitive record, or 0 if not written */
    bool placed;          /* true if the primitive is in at least one list */
    uint8_t dropped;      /* enum ptb_drop: reason why a part is in no list */

    uint32_t draw; /* number of the current draw; set by the control list executor */

    struct ptb_guard guard; /* detects changes of the lists; used with the sanitizer */

    uint64_t primitives; /* number of primitives in at least one list, since creation */
};

/* What the binner is connected to. */
struct ptb_ports {
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts; /* NULL if events are not counted */
    struct draws *draws;        /* counts of draws, or NULL */
};

#endif
