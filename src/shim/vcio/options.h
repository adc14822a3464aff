/* SPDX-License-Identifier: MIT */
/* options.h - the shim's settings from the environment (docs/qpu.md). */
#ifndef VCIO_OPTIONS_H
#define VCIO_OPTIONS_H

#include <stdint.h>

#include "shim/common/settings.h"

/* Settings. A string is a copy that is never freed, or NULL if the setting is not set. */
struct options {
    struct settings common;
    uint32_t memory;    /* size of VideoCore memory in bytes */
    const char *board;  /* name for tess_pi_board_find() */
    const char *trace;  /* file for the trace */
    const char *source; /* names of source files, separated by colons */
    uint32_t timeout;   /* limit in seconds of the chip's time, or 0 for no limit */
    /* number of reads of V3D's registers, without a write between them, after which the process
     * ends */
    uint32_t polls;
};

/* Returns the settings. The first call reads them. For an invalid value, prints a message and uses
 * the default. */
const struct options *options_get(void);

#endif
