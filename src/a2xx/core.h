/* SPDX-License-Identifier: MIT */
/* core.h - a shader core as the public API has it: constants of all kinds, the programs of both stages, memory, and machines
 * that run them, one for each thread. */
#ifndef A2XX_CORE_H
#define A2XX_CORE_H

#include <tessera/a2xx.h>

#include "a2xx/exec.h"
#include "base/deal.h"

enum { A2XX_STAGES = 2 };

struct a2xx_loop_constant {
    uint8_t count, start;
    int8_t step;
    bool set;
};

/* What programs read, and do not change. */
struct a2xx_constants {
    float value[TESS_A2XX_CONSTANTS][4];
    bool value_set[TESS_A2XX_CONSTANTS];
    bool boolean[TESS_A2XX_BOOLS], boolean_set[TESS_A2XX_BOOLS];
    struct a2xx_loop_constant loop[TESS_A2XX_LOOPS];
    uint32_t fetch[TESS_A2XX_FETCH_WORDS];
};

/* Where a stage's constants are in the file. */
struct a2xx_window {
    uint32_t base, size;
};

/* The program of a stage. */
struct a2xx_loaded {
    const struct tess_a2xx_program *program; /* NULL: none */
    struct a2xx_code *code;
    struct fault_told told;
};

struct tess_a2xx {
    struct tess_a2xx_options options;
    struct tess_sink sink;
    struct a2xx_constants constants;
    struct a2xx_window window[A2XX_STAGES];
    struct a2xx_loaded loaded[A2XX_STAGES];
    struct a2xx_memory memory;
    struct a2xx_machine *machine[DEAL_THREADS_MAX]; /* NULL until a thread needs it */
    struct tess_a2xx_stats stats;
    struct fault_log faults;    /* of the run */
    enum tess_a2xx_stage found; /* the stage of these */
};

/* Makes a machine ready to run lanes of the batch. NULL: no memory. */
struct a2xx_machine *a2xx_machine_ready(struct tess_a2xx *a2xx, unsigned number,
                                        const struct tess_a2xx_batch *batch);

/* Whether the batch, and the program of its stage, can be run. */
bool a2xx_batch_is_valid(const struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch);

/* Adds what machines have counted, and writes what they have exported to memory. */
void a2xx_add_stats(struct tess_a2xx_stats *to, const struct tess_a2xx_stats *from);
void a2xx_apply_writes(struct tess_a2xx *a2xx, struct a2xx_memory_writes *writes);

/* Tells the findings of a run. */
enum tess_status a2xx_run_ended(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch,
                                bool runaway, bool failed);

/* Runs all lanes of a valid batch, with as many threads as the options say. */
enum tess_status a2xx_run_threads(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch);

#endif
