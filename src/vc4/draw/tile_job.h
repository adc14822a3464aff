/* SPDX-License-Identifier: MIT */
/* tile_job.h - one tile job: a piece of the rendering list, and the context that draws it.
 *
 * In:  the operations of the job, which job.h has collected.
 * Out: the contents of the tile buffer, stored tiles, findings and counts of the job.
 *
 * A job that is drawn ahead of its turn must have no visible effect until its turn. Such a job
 * reads memory, but does not write any. The job has its own copy of the semaphores and the mutex.
 * Its findings are kept. If an access could give another result at the job's turn, the job is
 * marked to be drawn again. */
#ifndef VC4_DRAW_TILE_JOB_H
#define VC4_DRAW_TILE_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "exec/pool.h"
#include "vc4/draw/render.h"
#include "vc4/run/cle_thread.h"
#include "vc4/run/v3d_state.h"

struct job_window;

enum {
    MAX_OPERATIONS = 1 << 16,
    MAX_STORES = 4, /* stores of one job whose memory is recorded, so that loads can wait */
};

/* State at the start of the next job. */
struct job_start {
    /* Set of the tile buffer's halves whose contents are the clear values of records 113 and
     * 114. */
    uint32_t cleared;
    uint32_t half; /* half of the tile buffer for the next double-buffered tile */
    bool frame_known, clear_known;
    uint8_t frame[10], clear[13]; /* data of records 113 and 114 */
};

enum operation_kind { OPERATION_RECORD, OPERATION_STATE, OPERATION_DRAW, OPERATION_STORE };

/* An operation, and the record that the operation carries out. */
struct operation {
    uint32_t record_address;
    uint8_t record, kind;
    bool has_data;
    bool writes; /* true for a store that writes to memory */
    union {
        uint8_t data[16];
        uint32_t state; /* index in job->state */
        struct render_primitive primitive;
    };
};

struct job_state {
    struct cl_state state;
    struct shader_record shader;
};

/* A range of memory that a store writes, with its tile and frame. */
struct extent {
    uint32_t base, size;
    uint32_t surface, column, row;
    bool whole_tile; /* true if the range contains the data of this tile only */
    uint8_t frame[10];
};

struct job {
    struct operation *operation;
    uint32_t operations, capacity;
    struct job_state *state;
    uint32_t states, state_capacity;
    struct extent store[MAX_STORES];
    uint32_t stores;
    bool closed; /* true if the job is complete; the last operation is then a store that clears the
                    tile buffer */
    bool draws;  /* true if the job has primitives */
    struct job_start start;
    struct fault_log list_log; /* findings of the control list executor while the job is filled */
    struct fault_kept reported_kept;
    struct cle_thread after; /* state of the rendering thread after this job */
    uint64_t records_after, records_left_after;

    /* State of the drawing. */
    struct render render;
    struct render_scratch scratch;
    struct render_ports render_ports;
    struct bus bus;         /* for shaders and vertices; has a guard until the job's turn */
    struct bus tile_bus;    /* for loads and stores of tiles */
    struct bus_guard guard; /* memory that earlier jobs may still store, until the job's turn */
    struct fault_log log;
    struct fault_kept kept;
    struct budget budget; /* part of the device's budget until the commit */
    struct pctr_counts counts;
    struct profile profile;
    struct draw_tally tally;
    struct qpu_shared shared; /* copy of the device's semaphores and mutex, used until the turn */
    uint64_t clock;           /* time at which the context's previous job ended */
    uint32_t done;            /* number of operations carried out */
    bool begun;
    bool ahead;        /* true if the job was drawn up to its first store before its turn */
    bool conflict;     /* true if a result may depend on an earlier job */
    atomic_bool drawn; /* true if no thread will draw the job before its turn any more */
};

/* What tile jobs are connected to. */
struct jobs_ports {
    struct bus *bus;
    struct fault_log *log;
    struct pctr_counts *counts;
    struct budget *budget;
    struct cle *cle; /* the rendering thread, which a hung shader sets back */
    struct draws *draws;
    struct profile *profile;
    const struct list_memory *list_memory;
    const struct v3d *v3d; /* reservations of QPUs, limits of VPM rows */
    uint32_t qpus;         /* number of QPUs of the chip */
    struct qpu_shared *shared;
    const struct shared_units *slices; /* units of the device, for .l2_disabled */
    struct qpu_trace *trace;           /* NULL if instructions are not traced */
    struct qpu_cache *instructions;    /* decoded instructions, for the caller's thread */
    struct job_window *window;
    const struct pool_threads *threads;
    bool sanitize; /* true if the sanitizer watches the shaders */
};

/* Prepares a complete job for tile_job_draw_ahead(): copies the parts of the device's state that
 * may change before the job's turn. The job must not access the memory of *guard ahead. */
void tile_job_offer(const struct jobs_ports *ports, struct job *job, const struct bus_guard *guard);

/* Draws a job ahead of its turn, up to its first store. Any thread may call this function. */
void tile_job_draw_ahead(const struct jobs_ports *ports, struct job *job,
                         struct qpu_cache *instructions);

/* Prepares to draw a job from its start, at its turn. */
void tile_job_begin(const struct jobs_ports *ports, struct job *job);

/* Carries out the operations that are left of a job, at its turn. *guard is called when a shader
 * writes memory, or is NULL. */
void tile_job_draw(const struct jobs_ports *ports, struct job *job, struct bus_guard *guard);

#endif
