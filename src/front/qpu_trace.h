/* SPDX-License-Identifier: MIT */
/* qpu_trace.h - writes what QPUs do, a line for each instruction: for people, or as JSON. */
#ifndef FRONT_QPU_TRACE_H
#define FRONT_QPU_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "front/names.h"

/* Zero every member that you do not care about. */
struct qpu_trace {
    FILE *stream;
    bool json;
    const struct address_names *names; /* NULL: nothing has a name */
    bool begun;                        /* the head has been written */
    int place_width;                   /* of the longest place so far */
};

/* For tess_vc4_options.trace: user is the struct. docs/profile.md explains the lines. */
void qpu_trace_step(void *user, const struct tess_vc4_step *step);

#endif
