/* SPDX-License-Identifier: MIT */
/* run_gp_trace.h - what every unit of the GP did in each instruction of one vertex, as a table or as JSON lines. */
#ifndef CLI_RUN_GP_TRACE_H
#define CLI_RUN_GP_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include <tessera/utgard.h>

enum { GP_TRACE_WAYS = 16 /* stores that can be on the way at once, and to spare */ };

/* A store that loads do not see yet. */
struct gp_way {
    char what[32]; /* "register 3.xy" */
    uint64_t due;  /* the first cycle that sees it */
};

/* Set the first three members, leave the rest zero. */
struct gp_trace {
    FILE *stream;
    const struct tess_gp_program *program;
    bool json;
    struct tess_gp_step now, before[2]; /* one and two instructions ago */
    int32_t row; /* where this instruction stores temporaries */
    struct gp_way ways[GP_TRACE_WAYS];
    size_t way_count;
};

/* Prints one instruction: the function for tess_gp_trace(), user being a struct gp_trace. */
void gp_trace_step(void *user, const struct tess_gp_step *step);

#endif
