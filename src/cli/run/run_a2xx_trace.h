/* SPDX-License-Identifier: MIT */
/* run_a2xx_trace.h - prints each instruction of one vertex or pixel with its operands, result and
 * written registers, as text or JSON lines. */
#ifndef CLI_RUN_RUN_A2XX_TRACE_H
#define CLI_RUN_RUN_A2XX_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include <tessera/a2xx.h>

/* State of a trace. The caller sets the members up to .registers, and sets the others to 0. */
struct a2xx_trace {
    FILE *stream;
    const struct tess_a2xx_program *program;
    const char *what; /* "vertex" or "pixel" */
    bool json;
    const float (*constants)[4]; /* values of the 256 constants of the stage */
    /* State of the traced vertex or pixel before the next instruction. */
    float registers[TESS_A2XX_REGISTERS][4];
    int32_t a0, al;
    bool predicate, killed;
    bool any; /* true after the first instruction */
};

/* Prints one instruction. Callback for tess_a2xx_trace(); user is a struct a2xx_trace. */
bool a2xx_trace_step(void *user, const struct tess_a2xx_step *step);

#endif
