/* SPDX-License-Identifier: MIT */
/* options.h - what the environment asks of the shim (docs/qpu.md). */
#ifndef VCIO_OPTIONS_H
#define VCIO_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Strings are copies that live as long as the process; NULL where nothing was asked for. */
struct options {
    const char *board; /* of tess_pi_board_find() */
    uint32_t threads;  /* of the host, 1..64 */
    bool strict, sanitize, json;
    const char *stats;   /* file, or "-" */
    const char *trace;   /* file */
    const char *capture; /* file */
    const char *source;  /* files, with colons between */
    const char *verdict; /* file that gets the number of errors */
    uint32_t memory;     /* bytes of VideoCore memory */
    uint32_t timeout;    /* seconds of the chip for programs that registers start; 0: no limit */
    uint32_t polls;      /* reads of V3D's registers without a write that end the process */
};

/* The options, read once. What cannot be understood has been complained about and is the default. */
const struct options *options_get(void);

#endif
