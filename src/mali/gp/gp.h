/* SPDX-License-Identifier: MIT */
/* gp.h - struct tess_gp, a vertex processor. It has a program, the rows of the uniform memory, and
 * one machine for each host thread. */
#ifndef MALI_GP_GP_H
#define MALI_GP_GP_H

#include "exec/pool.h"
#include "mali/gp/code.h"
#include "mali/gp/exec.h"

struct tess_gp {
    struct tess_gp_options options;
    const struct tess_gp_program *program;
    struct gp_code *code;
    struct gp_code *watched_code; /* code for traces; NULL until the first trace */
    /* machine of each host thread; NULL until the thread is used */
    struct gp_machine *machine[POOL_THREADS_MAX];
    float rows[TESS_GP_ROWS][GP_COMPONENTS];
    bool row_set[TESS_GP_ROWS];
    /* uniform or constant that the program has declared at each row, or NULL */
    const struct tess_gp_symbol *owner[TESS_GP_ROWS];
    struct tess_gp_stats stats;
    struct item_log faults; /* findings of the run */
    struct item_reported reported;
    bool busy;    /* true during a run, so also while the caller receives steps and findings */
    bool stopped; /* true if machine 0 has a traced vertex that the caller has stopped */
};

/* Prepares machine `number` to run vertices of the batch with this code. Creates the machine if
 * needed. Returns NULL if the host is out of memory. */
struct gp_machine *gp_machine_ready(struct tess_gp *gp, unsigned number, const struct gp_code *code,
                                    const struct tess_gp_batch *batch);

enum tess_status gp_decode_for(const struct tess_gp *gp, bool watched, struct gp_code **code);

/* Returns true if a program is loaded and the batch's descriptors are valid. */
bool gp_batch_is_valid(const struct tess_gp *gp, const struct tess_gp_batch *batch);

/* Returns true if the handle is not NULL and no run is in progress. */
bool gp_is_idle(const struct tess_gp *gp);

/* Adds the counters *from of a machine to *to. */
void gp_add_stats(struct tess_gp_stats *to, const struct tess_gp_stats *from);

/* Ends a run. Reports the run's findings and returns its status. */
enum tess_status gp_run_ended(struct tess_gp *gp, const struct tess_gp_batch *batch, bool runaway,
                              bool failed);

#endif
