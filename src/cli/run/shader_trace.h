/* SPDX-License-Identifier: MIT */
/* shader_trace.h - prints the steps of one vertex or pixel as a table or as JSON lines: each
 * operation with the values of its operands and results. */
#ifndef CLI_RUN_SHADER_TRACE_H
#define CLI_RUN_SHADER_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include <tessera/a2xx.h>
#include <tessera/utgard.h>

struct shader_trace {
    FILE *stream;
    bool json;
    const struct tess_gp_program *gp; /* the program that is traced; the other one is NULL */
    const struct tess_a2xx_program *a2xx;
    const char *what; /* A2xx: "vertex" or "pixel" */
};

/* Print one instruction. user is a struct shader_trace. */
bool shader_trace_gp(void *user, const struct tess_gp_step *step);
bool shader_trace_a2xx(void *user, const struct tess_a2xx_step *step);

#endif
