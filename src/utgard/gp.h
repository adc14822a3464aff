/* SPDX-License-Identifier: MIT */
/* gp.h - a vertex processor as the public API has it: a program, the rows, and machines that run it, one for each thread. */
#ifndef UTGARD_GP_H
#define UTGARD_GP_H

#include "base/deal.h"
#include "utgard/code.h"
#include "utgard/exec.h"

struct tess_gp {
    struct tess_gp_options options;
    struct tess_sink sink;
    const struct tess_gp_program *program;
    struct gp_code *code;
    struct gp_code *watched_code;               /* NULL until a trace needs it */
    struct gp_machine *machine[DEAL_THREADS_MAX]; /* NULL until a thread needs it */
    float rows[TESS_GP_ROWS][GP_COMPONENTS];
    bool row_set[TESS_GP_ROWS];
    const struct tess_gp_symbol *owner[TESS_GP_ROWS]; /* uniforms and constants of the program */
    struct tess_gp_stats stats;
    struct fault_log faults; /* of the run */
    struct fault_told told;
};

/* Makes a machine ready to run vertices of the batch with this code. NULL: no memory. */
struct gp_machine *gp_machine_ready(struct tess_gp *gp, unsigned number, const struct gp_code *code,
                                    const struct tess_gp_batch *batch);

enum tess_status gp_decode_for(const struct tess_gp *gp, bool watched, struct gp_code **code);

/* Whether the descriptors, and the program, can be run. */
bool gp_batch_is_valid(const struct tess_gp *gp, const struct tess_gp_batch *batch);

/* Adds what machines have counted and found. */
void gp_add_stats(struct tess_gp_stats *to, const struct tess_gp_stats *from);

/* Tells the findings of a run. */
enum tess_status gp_run_ended(struct tess_gp *gp, const struct tess_gp_batch *batch, bool runaway,
                              bool failed);

/* Runs all vertices of a valid batch, with as many threads as the options say. */
enum tess_status gp_run_threads(struct tess_gp *gp, const struct tess_gp_batch *batch);

#endif
