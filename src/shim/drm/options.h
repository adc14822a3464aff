/* SPDX-License-Identifier: MIT */
/* options.h - the shim's settings from the environment (docs/gl.md). */
#ifndef SHIM_DRM_OPTIONS_H
#define SHIM_DRM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "shim/common/settings.h"

/* Settings. A string is a copy that is never freed, or NULL if the setting is not set. */
struct options {
    struct settings common;        /* "%d" in the file for captures is the number of the job */
    uint32_t memory;               /* limit for all buffer objects, in bytes */
    const char *hang;              /* file for the state of V3D when it hangs */
    bool decode;                   /* true to print the listings of jobs */
    uint32_t first_job, last_job;  /* range of jobs to capture and print; job numbers start at 1 */
    uint32_t width, height, hertz; /* preferred mode of the display */
    const char *gpu;               /* name of a driver (driver.h), such as "vc4" */
    const char *frames;            /* folder for pictures */
    const char *window;            /* socket of the viewer */
    bool show_rate;                /* true to print frames per second */
    /* highest number of page flips per second, or 0 for the mode's rate */
    uint32_t rate;
    uint32_t count; /* number of frames after which the process ends, or 0 if it does not end */
};

/* Returns the settings. The first call reads them. For an invalid value, prints a message and uses
 * the default. */
const struct options *options_get(void);

#endif
