/* SPDX-License-Identifier: MIT */
/* core.h - struct tess_a2xx, a shader core. It has constants, the programs of both stages, memory,
 * and one machine for each host thread. */
#ifndef A2XX_SHADER_CORE_H
#define A2XX_SHADER_CORE_H

#include <tessera/a2xx.h>

#include "a2xx/shader/exec.h"
#include "exec/pool.h"

enum {
    A2XX_STAGES = 2,
};

struct a2xx_loop_constant {
    uint8_t count, start;
    int8_t step;
    bool set;
};

/* Constants of all kinds. A running program only reads them. */
struct a2xx_constants {
    float value[TESS_A2XX_CONSTANTS][4];
    bool value_set[TESS_A2XX_CONSTANTS];
    bool boolean[TESS_A2XX_BOOLS], boolean_set[TESS_A2XX_BOOLS];
    struct a2xx_loop_constant loop[TESS_A2XX_LOOPS];
    uint32_t fetch[TESS_A2XX_FETCH_WORDS];
};

/* Range of the constant file that a stage uses. */
struct a2xx_window {
    uint32_t base, size;
};

/* The program of a stage. */
struct a2xx_loaded {
    const struct tess_a2xx_program *program; /* NULL if no program is loaded */
    struct a2xx_code *code;
    struct item_reported reported;
};

/* A traced batch that the caller has stopped. Machine 0 has the state of its lanes, and the memory
 * exports that have not been performed. */
struct a2xx_stopped {
    bool valid;
    enum tess_a2xx_stage stage;
    size_t count; /* number of lanes of the batch */
    size_t done;  /* number of lanes that have ended before those of the machine */
    bool inside;  /* true if the machine's lanes have begun */
    bool runaway; /* true if one of these lanes has reached the instruction limit */
};

struct tess_a2xx {
    struct tess_a2xx_options options;
    struct a2xx_constants constants;
    struct a2xx_window window[A2XX_STAGES];
    struct a2xx_loaded loaded[A2XX_STAGES];
    struct a2xx_memory memory;
    /* machine of each host thread; NULL until the thread is used */
    struct a2xx_machine *machine[POOL_THREADS_MAX];
    struct tess_a2xx_stats stats;
    struct item_log faults;     /* findings of the run */
    enum tess_a2xx_stage found; /* stage in which these findings occurred */
    bool busy; /* true during a run, so also while the caller receives steps and findings */
    struct a2xx_stopped stopped;
};

/* Returns true if the handle is not NULL and no run is in progress. */
bool a2xx_is_idle(const struct tess_a2xx *a2xx);

/* Gives up the stopped run, if there is one. */
void a2xx_give_up(struct tess_a2xx *a2xx);

/* Prepares machine `number` to run lanes of the batch. Creates the machine if needed. Returns NULL
 * if the host is out of memory. */
struct a2xx_machine *a2xx_machine_ready(struct tess_a2xx *a2xx, unsigned number,
                                        const struct tess_a2xx_batch *batch);

/* Returns true if the batch is valid and its stage has a program. */
bool a2xx_batch_is_valid(const struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch);

/* a2xx_add_stats() adds the counters of a machine to the core's counters. a2xx_apply_writes()
 * performs a machine's memory exports. */
void a2xx_add_stats(struct tess_a2xx_stats *to, const struct tess_a2xx_stats *from);
void a2xx_apply_writes(struct tess_a2xx *a2xx, struct a2xx_memory_writes *writes);

/* Begins a run. Reports the findings of earlier runs of the other stage. */
void a2xx_run_begins(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch);

/* Ends a run. Reports the run's findings and returns its status. */
enum tess_status a2xx_run_ended(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch,
                                bool runaway, bool failed);

#endif
