/* SPDX-License-Identifier: MIT */
/* qpu_trace.h - writes a trace of the QPUs as text or JSON, with a line for each executed
 * instruction. */
#ifndef FRONT_QPU_TRACE_H
#define FRONT_QPU_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "front/names.h"

/* Members that are not needed must be zero. */
struct qpu_trace {
    FILE *stream;
    bool json;
    const struct address_names *names; /* may be NULL */
    bool begun;                        /* true if the heading has been written */
    int place_width;                   /* width of the longest place that has been printed, in
                                        * columns */
};

/* Callback for tess_vc4_options.trace; `user` is the struct. docs/profile.md explains the lines. */
void qpu_trace_step(void *user, const struct tess_vc4_step *step);

#endif
