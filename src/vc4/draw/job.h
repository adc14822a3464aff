/* SPDX-License-Identifier: MIT */
/* job.h - tile jobs: pieces of the rendering list that several host threads can draw concurrently.
 *
 * In:  the records that the rendering thread of the CLE executes.
 * Out: stored tiles, findings and counts, exactly as if each record were executed in order.
 *
 * A job ends with a store that clears the whole tile buffer, so that the next job starts with known
 * contents. Host threads draw jobs in any order, but the caller's thread commits jobs in the order
 * of the list. At the commit, the job's stores reach memory, and the job's findings reach the log.
 * Some jobs may depend on an earlier job: the job reads memory that the earlier job stores,
 * accesses a semaphore, hangs, or uses up the budget. Such a job is drawn again at its turn, when
 * all earlier jobs are committed. With one host thread, every job is drawn at its turn. */
#ifndef VC4_DRAW_JOB_H
#define VC4_DRAW_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/draw/render.h"
#include "vc4/lists/cle.h"

struct tess_vc4;
struct job;
struct job_pool;

/* State at the start of the next job. */
struct job_start {
    /* Set of the tile buffer's halves whose contents are the clear values of records 113 and
     * 114. */
    uint32_t cleared;
    uint32_t half; /* half of the tile buffer for the next double-buffered tile */
    bool frame_known, clear_known;
    uint8_t frame[10], clear[13]; /* data of records 113 and 114 */
};

struct jobs {
    struct job **slot;       /* complete jobs, then the job being filled */
    uint32_t slots, pending; /* size of slot; number of complete jobs */
    uint32_t threads;        /* number of host threads that draw */
    struct job_pool *pool;   /* NULL if threads is 1, or after jobs_rest() */

    struct job_start setup; /* current state of records 113 and 114 */
    uint8_t load_record;    /* record of the load (27 or 29) for the next tile, or 0 */
    uint8_t load_data[6];
    struct bus_guard guard; /* guards the memory to which complete jobs will store */
    struct fault_log outer; /* copy of the device's log from jobs_enter() to jobs_leave() */

    bool no_memory; /* true if operations were lost because the host was out of memory */
    bool hung;      /* true if a shader hangs; nothing is drawn until jobs_abandon() */
    bool rewind;    /* true if the rendering thread must be set back to hung_at */
    struct cle_thread hung_at;
    uint64_t hung_records, hung_records_left;

    struct render_work work; /* sums over all committed jobs */
};

/* Creates the jobs, to be drawn by 1 to TESS_VC4_MAX_THREADS host threads. Returns false if the
 * host is out of memory or threads. */
bool jobs_create(struct jobs *jobs, uint32_t threads);
void jobs_free(struct jobs *jobs);

/* Returns true if operations were lost because the host was out of memory. */
bool jobs_lacked_memory(const struct tess_vc4 *vc4);

/* jobs_rest() ends the host threads. jobs_wake() starts them again; if that fails, the caller's
 * thread draws everything. */
void jobs_rest(struct jobs *jobs);
void jobs_wake(struct jobs *jobs);

/* Resets all jobs to the state after power-up. */
void jobs_reset(struct tess_vc4 *vc4);

/* Executes records 113, 114, 27, 29 and 115. data points to the byte after the record's id. */
void jobs_tile_record(struct tess_vc4 *vc4, uint8_t record, const uint8_t *data);

/* Sets the state for the primitives that follow. */
void jobs_state(struct tess_vc4 *vc4, const struct cl_state *state,
                const struct shader_record *shader);

void jobs_draw(struct tess_vc4 *vc4, const struct render_primitive *primitive);

/* Executes records 24 to 26 and 28. data is NULL for 24 and 25. */
void jobs_store(struct tess_vc4 *vc4, uint8_t record, const uint8_t *data);

/* Carries out all operations so far. Call it before the control list executor (CLE) waits, stops,
 * ends a frame or reports to the host. */
void jobs_sync(struct tess_vc4 *vc4);

/* Call jobs_enter() before the steps of the rendering thread and jobs_leave() after them. In
 * between, findings of the control list executor are kept. jobs_leave() carries out all
 * operations. */
void jobs_enter(struct tess_vc4 *vc4);
void jobs_leave(struct tess_vc4 *vc4);

/* Call after each step. If a shader hangs, sets the rendering thread back to the record that runs
 * the shader, and returns true. */
bool jobs_settle(struct tess_vc4 *vc4);

/* Drops a hung shader and the operations that wait for it, after a reset of the rendering
 * thread. */
void jobs_abandon(struct tess_vc4 *vc4);

#endif
