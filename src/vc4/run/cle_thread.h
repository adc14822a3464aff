/* SPDX-License-Identifier: MIT */
/* cle_thread.h - state of the two control list threads (cle.h). */
#ifndef VC4_RUN_CLE_THREAD_H
#define VC4_RUN_CLE_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/cl/primlist.h"
#include "vc4/raster/vg.h"
#include "vc4/state/state.h"
#include "vc4/watch/draws.h"

enum { CLE_BINNING, CLE_RENDERING, CLE_THREADS };
enum { CLE_STACK = 2 }; /* sub-lists nest two levels deep (manual table 38, id 17) */
enum { CLE_SEMAPHORE_MAX = 7 };

/* The work that a thread continues in its next step. */
enum cle_work {
    CLE_RECORDS,     /* the next record */
    CLE_PRIMITIVES,  /* an indexed or array primitive list */
    CLE_COMPRESSED,  /* an inline compressed primitive list */
    CLE_COORDINATES, /* a coordinate list of VG mode */
    CLE_FLUSHING,
    CLE_STARTING, /* execution of record 6 */
};

struct cle_thread {
    struct cl_state state;
    uint32_t ca, ea; /* V3D_CTnCA, V3D_CTnEA */
    bool running;    /* CTRUN */
    bool unseen;     /* true until the memory that the list uses has been checked for overlaps */
    uint32_t list_start; /* value of ca when the thread was last started */
    bool halted;         /* true if the thread stopped at a halt; false at the end of the list */
    bool error;          /* CTERR */
    bool waiting;        /* stalled in record 8; ca is then the address after the record */
    /* Number of semaphore increments (record 7) that have taken effect. CTSEMA is the number of
     * these increments that the other thread has not taken yet. */
    uint32_t given;
    uint32_t taken; /* number of the other thread's increments that record 8 has taken */
    /* Number of increments (record 7) that take effect at the next flush or end of frame. */
    uint32_t pending_increments;
    uint32_t stack[CLE_STACK], depth;
    uint32_t flushes, returns; /* V3D_CTnLC */

    /* Flushes of the binner, counted from power-up. */
    uint64_t flushed; /* binning thread: number of flushes */
    /* Binning thread: value of .flushed at each increment. The index is the increment's number
     * modulo CLE_SEMAPHORE_MAX + 1. */
    uint64_t given_at[CLE_SEMAPHORE_MAX + 1];
    /* Rendering thread: number of flushes that are known to have ended before the current
     * record. */
    uint64_t flush_known;
    bool list_reported; /* rendering thread: a wrong tile list was reported in this frame */
    uint32_t markers;   /* number of markers (record 2) since the last reset (record 3) */
    uint32_t remaining; /* V3D_CTnPC: number of primitives of the current list that remain */

    enum cle_work work;
    uint32_t record_address; /* address of the current record */
    uint8_t record;          /* id of the current record */

    /* Used while work is CLE_PRIMITIVES. */
    uint32_t mode, length, position, first, index_address, index_bytes, maximum_index;
    /* Used while work is CLE_COMPRESSED. */
    struct primlist_format format;
    struct primlist_primitive previous;
    uint32_t clipped_address; /* record 49: address of the clipped primitive record */
    uint32_t clipped_flags;   /* bit n is set if vertex n of the next primitive is in the record */
    /* Used while work is CLE_COORDINATES. */
    struct vg_list vg;
    uint32_t xy[3];  /* coordinates of the current primitive */
    bool xy_waiting; /* true if the primitive of xy waits for binning memory */
    /* Used while work is CLE_FLUSHING. */
    bool flush_all_state;

    struct shader_record shader; /* current shader record */
    bool shader_read;            /* true if shader is valid */

    /* State of the current tile, rendering thread only. */
    bool frame_configured; /* true after record 113 */
    bool in_tile; /* true from the tile coordinates (record 115) to the store of the tile */
    uint32_t tile_column, tile_row;
    bool state_sent;          /* true if the current state has been sent to the renderer */
    struct draws_cursor list; /* position in the active tile list, and its draw */
    uint32_t list_depth;      /* value of depth inside the tile list */
    struct vg_history history;
};

/* Both threads. */
struct cle {
    struct cle_thread thread[CLE_THREADS];
    uint64_t records; /* number of records that were executed since power-up */
};

#endif
