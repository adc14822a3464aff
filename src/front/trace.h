/* SPDX-License-Identifier: MIT */
/* trace.h - writes the traces of all machines, as text or as JSON lines: each executed instruction
 * with its place and the values of its operands and results. docs/profile.md, docs/utgard/run.md
 * and docs/a2xx/run.md explain the text. */
#ifndef FRONT_TRACE_H
#define FRONT_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include <tessera/a2xx.h>
#include <tessera/utgard.h>

#include "front/names.h"

/* Members that are not needed must be zero. */
struct trace {
    FILE *stream;
    bool json;
    const struct address_names *names;    /* QPU: names of instructions, may be NULL */
    const struct tess_gp_program *gp;     /* GP: the program that is traced */
    const struct tess_a2xx_program *a2xx; /* A2xx: the program that is traced */
    const char *what;                     /* A2xx: "vertex" or "pixel" */
    bool begun;                           /* true if the heading has been written */
    int place_width;                      /* width of the longest place that has been printed, in
                                            * columns */
};

/* Print one instruction and return true. user is a struct trace. */
bool trace_qpu(void *user, const struct tess_vc4_step *step);
bool trace_gp(void *user, const struct tess_gp_step *step);
bool trace_a2xx(void *user, const struct tess_a2xx_step *step);

#endif
