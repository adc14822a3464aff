/* SPDX-License-Identifier: MIT */
/* job.h - tile jobs: the rendering list cut into pieces that several host threads can draw at once.
 *
 * In:  what the rendering thread of the CLE executes, record by record.
 * Out: stored tiles, findings and counts, exactly as if each record were carried out when it comes.
 *
 * A job ends with a store that clears the whole tile buffer, so the next one starts from known
 * contents. Jobs are drawn in any order, by any thread; they are *committed* in the list's order: only
 * then do their stores reach memory and their findings the log. A job that depends on an earlier one
 * after all (it reads what that will store, touches a semaphore, hangs, or ends the budget) is drawn
 * once more at its turn. With one thread every job is drawn at its turn. */
#ifndef VC4_JOB_H
#define VC4_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/cle.h"
#include "vc4/render.h"

struct tess_vc4;
struct job;
struct job_pool;

/* What the next job starts with. */
struct job_start {
    uint32_t cleared; /* halves of the tile buffer that are as records 113 and 114 clear them; a set */
    uint32_t half;    /* of the next tile that is double-buffered */
    bool frame_known, clear_known;
    uint8_t frame[10], clear[13]; /* data of records 113 and 114 */
};

struct jobs {
    struct job *
        *slot; /* slots of them: `pending` complete ones, then the one that is being filled */
    uint32_t slots, pending;
    uint32_t threads;      /* of the host, that draw */
    struct job_pool *pool; /* they; NULL: none, or at rest */

    struct job_start setup; /* records 113 and 114 as they stand now */
    uint8_t load_record;    /* 27 or 29, until the next tile coordinates; 0 none */
    uint8_t load_data[6];
    struct bus_guard guard; /* what pending jobs will store */
    struct fault_log outer; /* the device's log, while it keeps the executor's findings */

    bool no_memory; /* operations got lost: the host had none for them */
    bool hung;   /* a shader will never end: nothing is drawn until jobs_abandon() */
    bool rewind; /* the rendering thread is to be put to hung_at */
    struct cle_thread hung_at;
    uint64_t hung_records, hung_records_left;

    struct render_work work; /* of all committed jobs */
};

/* threads: 1..TESS_VC4_MAX_THREADS host threads draw. False: no memory, or no threads to be had. */
bool jobs_create(struct jobs *jobs, uint32_t threads);
void jobs_free(struct jobs *jobs);

/* Whether the host had no memory for something that was to be drawn. */
bool jobs_lacked_memory(const struct tess_vc4 *vc4);

/* Ends the host threads; starts them again. Without threads to be had, the caller's does all. */
void jobs_rest(struct jobs *jobs);
void jobs_wake(struct jobs *jobs);

/* Forgets everything, as after power-up. */
void jobs_reset(struct tess_vc4 *vc4);

/* Records 113, 114, 27, 29 and 115; data points behind the id. */
void jobs_tile_record(struct tess_vc4 *vc4, uint8_t record, const uint8_t *data);

/* State for the primitives that follow. */
void jobs_state(struct tess_vc4 *vc4, const struct cl_state *state,
                const struct shader_record *shader);

void jobs_draw(struct tess_vc4 *vc4, const struct render_primitive *primitive);

/* Records 24 to 26 and 28; data is NULL for 24 and 25. */
void jobs_store(struct tess_vc4 *vc4, uint8_t record, const uint8_t *data);

/* Carries out all that has come so far. Before the executor waits, stops, ends a frame or tells. */
void jobs_sync(struct tess_vc4 *vc4);

/* Around the steps of the rendering thread: what the executor finds is kept in between, and leave
 * carries out all that has come. */
void jobs_enter(struct tess_vc4 *vc4);
void jobs_leave(struct tess_vc4 *vc4);

/* After each step: puts the rendering thread back to where a shader hangs. True if one does. */
bool jobs_settle(struct tess_vc4 *vc4);

/* Drops a hung shader and what waits behind it: the rendering thread was reset. */
void jobs_abandon(struct tess_vc4 *vc4);

#endif
