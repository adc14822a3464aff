/* SPDX-License-Identifier: MIT */
/* cle.h - Control List Executor (manual sections 8 and 9): the two control list threads.
 *
 * In:  addresses from V3D_CTnCA and V3D_CTnEA, records from memory.
 * Out: the state that records set; primitives to the PTB (thread 0) or the PSE (thread 1); tile
 *      loads and stores to the TLB.
 *
 * A thread advances by one record, or by one primitive of a list, at a time. Between steps it can
 * wait for the other thread's semaphore or for binning memory. */
#ifndef VC4_LISTS_CLE_H
#define VC4_LISTS_CLE_H

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

struct tess_vc4;

enum cle_step {
    CLE_MOVED,   /* a record or primitive was executed */
    CLE_STOPPED, /* at the end, at a halt, or after an error */
    CLE_WAITS,   /* for the semaphore or for memory */
};

/* Advances a thread by one record or primitive. */
enum cle_step cle_step(struct tess_vc4 *vc4, unsigned thread);

/* Reports the reason why a thread waits forever. */
void cle_report_wait(struct tess_vc4 *vc4, unsigned thread);

/* Read and write the registers V3D_CTnCS, CTnEA and CTnCA of a thread. */
uint32_t cle_read_cs(const struct tess_vc4 *vc4, unsigned thread);
void cle_write_cs(struct tess_vc4 *vc4, unsigned thread, uint32_t value);
void cle_write_ea(struct tess_vc4 *vc4, unsigned thread, uint32_t value);
void cle_write_ca(struct tess_vc4 *vc4, unsigned thread, uint32_t value);

void cle_reset(struct cle_thread *thread);

#endif
