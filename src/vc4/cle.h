/* SPDX-License-Identifier: MIT */
/* cle.h - Control List Executor (manual sections 8 and 9): the two control-list threads.
 *
 * In:  addresses from V3D_CTnCA and V3D_CTnEA, records from memory.
 * Out: state, primitives to the PTB (thread 0) or the PSE (thread 1), tile loads and stores to the TLB.
 *
 * A thread advances one record, or one primitive of a list, at a time, so that it can wait: for the other
 * thread's semaphore, or for binning memory. */
#ifndef VC4_CLE_H
#define VC4_CLE_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/cl/primlist.h"
#include "vc4/draws.h"
#include "vc4/state.h"
#include "vc4/vg.h"

enum { CLE_BINNING, CLE_RENDERING, CLE_THREADS };
enum { CLE_STACK = 2 }; /* sub-lists nest two levels deep (manual table 38, id 17) */
enum { CLE_SEMAPHORE_MAX = 7 };

/* What a thread is in the middle of. */
enum cle_work {
    CLE_RECORDS,     /* between records */
    CLE_PRIMITIVES,  /* an indexed or array primitive list */
    CLE_COMPRESSED,  /* a compressed primitive list in line */
    CLE_COORDINATES, /* a coordinate list of VG mode */
    CLE_FLUSHING,
    CLE_STARTING, /* record 6 */
};

struct cle_thread {
    struct cl_state state;
    uint32_t ca, ea;    /* V3D_CTnCA, V3D_CTnEA */
    bool running;       /* CTRUN */
    bool unseen;        /* nothing has looked yet at what memory its list uses */
    uint32_t list_start; /* where the list began or went on when the thread was started */
    bool halted;        /* stopped at halt, not at end */
    bool error;         /* CTERR */
    bool waiting;       /* stalled in record 8; ca stands behind it */
    uint32_t given;     /* to the other thread, by record 7; CTSEMA is what that has not taken */
    uint32_t taken;     /* of what the other thread has given, by record 8 */
    uint32_t pending_increments; /* record 7, until the next flush or end of frame */
    uint32_t stack[CLE_STACK], depth;
    uint32_t flushes, returns; /* V3D_CTnLC */

    /* Which flush of the binner a wait stands for. Flushes are counted from power-up. */
    uint64_t flushed; /* binning: flushes so far */
    uint64_t given_at[CLE_SEMAPHORE_MAX +
                      1]; /* likewise: when each increment was given, by its number */
    uint64_t flush_known; /* rendering: the flush that came before it, for certain */
    bool list_reported;   /* rendering: a wrong tile list of this frame */
    uint32_t markers;
    uint32_t remaining; /* V3D_CTnPC: primitives left of the current list */

    enum cle_work work;
    uint32_t record_address; /* of the record being executed */
    uint8_t record;

    /* CLE_PRIMITIVES */
    uint32_t mode, length, position, first, index_address, index_bytes, maximum_index;
    /* CLE_COMPRESSED */
    struct primlist_format format;
    struct primlist_primitive previous;
    uint32_t clipped_address; /* record 49: of the record for the next primitive */
    uint32_t clipped_flags;   /* which of its vertices are in it; 0 none */
    /* CLE_COORDINATES */
    struct vg_list vg;
    uint32_t xy[3];  /* the primitive at hand ... */
    bool xy_waiting; /* ... waits for binning memory */
    /* CLE_FLUSHING */
    bool flush_all_state;

    struct shader_record shader; /* of state.shader_*, once read */
    bool shader_read;

    /* The rendering thread's tile. */
    bool frame_configured; /* record 113 has been seen */
    bool in_tile;          /* tile coordinates seen, not stored yet */
    uint32_t tile_column, tile_row;
    bool state_sent; /* the renderer has this state */
    struct draws_cursor list; /* the tile list at work, and its draw */
    uint32_t list_depth;      /* of the stack, inside of the tile list */
    struct vg_history history;
};

struct tess_vc4;

enum cle_step {
    CLE_MOVED,   /* something was executed */
    CLE_STOPPED, /* at the end, at a halt, or by an error */
    CLE_WAITS,   /* for the semaphore or for memory */
};

/* Advances a thread by one record or primitive. */
enum cle_step cle_step(struct tess_vc4 *vc4, unsigned thread);

/* Says what a thread that cannot move waits for. */
void cle_report_wait(struct tess_vc4 *vc4, unsigned thread);

/* The registers V3D_CTnCS, CTnEA, CTnCA, CTnRA0, CTnLC and CTnPC. */
uint32_t cle_read_cs(const struct tess_vc4 *vc4, unsigned thread);
void cle_write_cs(struct tess_vc4 *vc4, unsigned thread, uint32_t value);
void cle_write_ea(struct tess_vc4 *vc4, unsigned thread, uint32_t value);
void cle_write_ca(struct tess_vc4 *vc4, unsigned thread, uint32_t value);

void cle_reset(struct cle_thread *thread);

#endif
