/* SPDX-License-Identifier: MIT */
/* run_gp_trace.h - prints the slots of each instruction of one vertex with their values, as a table
 * or as JSON lines. */
#ifndef CLI_RUN_GP_TRACE_H
#define CLI_RUN_GP_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include <tessera/utgard.h>

enum { GP_TRACE_WAYS = 16 /* capacity for pending stores, with room to spare */ };

/* A store that loads do not see yet. */
struct gp_way {
    char what[32]; /* such as "register 3.xy" */
    uint64_t due;  /* first cycle whose loads see the store */
};

/* Set the first three members; zero-initialise the rest. */
struct gp_trace {
    FILE *stream;
    const struct tess_gp_program *program;
    bool json;
    /* the current step; the steps one and two instructions earlier */
    struct tess_gp_step now, before[2];
    int32_t row; /* row to which this instruction stores temporaries */
    struct gp_way ways[GP_TRACE_WAYS];
    size_t way_count;
};

/* Prints one instruction. Callback for tess_gp_trace(); user is a struct gp_trace. */
void gp_trace_step(void *user, const struct tess_gp_step *step);

#endif
