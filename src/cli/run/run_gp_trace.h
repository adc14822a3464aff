/* SPDX-License-Identifier: MIT */
/* run_gp_trace.h - prints the slots of each instruction of one vertex with their values, as a table
 * or as JSON lines. */
#ifndef CLI_RUN_RUN_GP_TRACE_H
#define CLI_RUN_RUN_GP_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include <tessera/utgard.h>

enum { GP_TRACE_WAYS = 16 /* capacity for pending stores, with room to spare */ };

/* A pending store, whose value loads cannot read yet. */
struct gp_way {
    char what[32]; /* destination, such as "register 3.xy" */
    uint64_t due;  /* first cycle in which a load reads the stored value */
};

/* State of a trace. The caller sets the first three members, and sets the others to 0. */
struct gp_trace {
    FILE *stream;
    const struct tess_gp_program *program;
    bool json;
    /* now: current step. before: the steps one and two instructions earlier. */
    struct tess_gp_step now, before[2];
    int32_t row; /* row to which the current instruction stores temporaries */
    struct gp_way ways[GP_TRACE_WAYS];
    size_t way_count;
};

/* Prints one instruction. Callback for tess_gp_trace(); user is a struct gp_trace. */
bool gp_trace_step(void *user, const struct tess_gp_step *step);

#endif
