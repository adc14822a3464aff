/* SPDX-License-Identifier: MIT */
/* run_a2xx_trace.h - what each instruction of one vertex or pixel read, made and wrote, as text or as JSON lines. */
#ifndef CLI_RUN_A2XX_TRACE_H
#define CLI_RUN_A2XX_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include <tessera/a2xx.h>

/* Set all members up to .registers, leave the rest zero. */
struct a2xx_trace {
    FILE *stream;
    const struct tess_a2xx_program *program;
    const char *what; /* "vertex" */
    bool json;
    const float (*constants)[4];             /* of the stage */
    float registers[TESS_A2XX_REGISTERS][4]; /* before the next instruction */
    int32_t a0, al;
    bool predicate, killed;
    bool any; /* an instruction has been printed */
};

/* Prints one instruction: the function for tess_a2xx_trace(), user being a struct a2xx_trace. */
void a2xx_trace_step(void *user, const struct tess_a2xx_step *step);

#endif
