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

#include "vc4/draw/tile_job.h"

struct jobs {
    struct job_start setup; /* current state of records 113 and 114 */
    uint8_t load_record;    /* record of the load (27 or 29) for the next tile, or 0 */
    uint8_t load_data[6];

    bool no_memory; /* true if operations were lost because the host was out of memory */
    bool hung;      /* true if a shader hangs; nothing is drawn until jobs_abandon() */
    bool rewind;    /* true if the rendering thread must be set back to hung_at */
    struct cle_thread hung_at;
    uint64_t hung_records, hung_records_left;

    struct render_work work; /* sums over all committed jobs */
};

/* Jobs that are complete or being filled, as a ring. Between runs of the rendering thread, only the
 * job being filled has state: its drawing context, which has the contents of the tile buffer.
 *
 * Host threads draw complete jobs, as tasks of a queue (exec/pool.h), which begins when the first
 * job of an empty ring is complete. Jobs are committed when the ring is full, and when all must be
 * committed, so the order of commits and of the list's records does not depend on the threads. */
struct job_window {
    struct job **slot;
    uint32_t slots;
    uint32_t first, pending; /* index of the oldest complete job; number of complete jobs, which the
                                job being filled follows */
    uint32_t begun;          /* index of the job that is task 0 of the queue */
    uint32_t closed, queued; /* numbers of jobs since then: complete jobs, and jobs added to the
                                queue */
    bool committing;         /* true while a job is committed */
    struct bus_guard guard;  /* guards the memory to which complete jobs will store */
    struct bus_guard turn;   /* called when a shader of the job that is committed writes memory */
    struct jobs *jobs;       /* arguments of the functions of job.c, for the guards */
    const struct jobs_ports *ports;
};

/* Creates the jobs, and starts the host threads that draw them. Returns false if the host is out of
 * memory or threads. */
bool job_window_create(struct job_window *window, struct pool_threads *threads);
void job_window_free(struct job_window *window);

/* Resets all jobs to the state after power-up. *ports must stay valid. */
void jobs_reset(struct jobs *jobs, const struct jobs_ports *ports);

struct state_stream;

/* Lists the fields for saved states (base/state.h). No rendering thread may run. When reading, the
 * jobs must be reset. */
void jobs_fields(struct state_stream *stream, struct jobs *jobs, const struct jobs_ports *ports);

/* Exchanges the jobs that jobs_fields() lists between two devices that do not run. */
void job_window_swap(struct job_window *one, struct job_window *other);

/* Executes records 113, 114, 27, 29 and 115. data points to the byte after the record's id. */
void jobs_tile_record(struct jobs *jobs, const struct jobs_ports *ports, uint8_t record,
                      const uint8_t *data);

/* Sets the state for the primitives that follow. */
void jobs_state(struct jobs *jobs, const struct jobs_ports *ports, const struct cl_state *state,
                const struct shader_record *shader);

void jobs_draw(struct jobs *jobs, const struct jobs_ports *ports,
               const struct render_primitive *primitive);

/* Executes records 24 to 26 and 28. data is NULL for 24 and 25. */
void jobs_store(struct jobs *jobs, const struct jobs_ports *ports, uint8_t record,
                const uint8_t *data);

/* Carries out all operations so far. Call it before the control list executor (CLE) waits, stops,
 * ends a frame or reports to the host. */
void jobs_sync(struct jobs *jobs, const struct jobs_ports *ports);

/* Call jobs_enter() before the steps of the rendering thread and jobs_leave() after them. In
 * between, findings of the control list executor are kept. jobs_leave() carries out all
 * operations. */
void jobs_enter(const struct jobs_ports *ports);
void jobs_leave(struct jobs *jobs, const struct jobs_ports *ports);

/* Call it instead of jobs_leave() if the run pauses. Carries out only the operations of complete
 * jobs, so that the other operations give the same results as without the pause. Returns false if a
 * shader hangs; jobs_leave() must then be called. */
bool jobs_pause(struct jobs *jobs, const struct jobs_ports *ports);

/* Stops the host threads, so that the caller may change memory and registers. Jobs that are not
 * committed will be drawn at their turn. */
void jobs_still(const struct jobs_ports *ports);

/* Call after each step. If a shader hangs, sets the rendering thread back to the record that runs
 * the shader, and returns true. */
bool jobs_settle(struct jobs *jobs, const struct jobs_ports *ports);

/* Drops a hung shader and the operations that wait for it, after a reset of the rendering
 * thread. */
void jobs_abandon(struct jobs *jobs, const struct jobs_ports *ports);

#endif
