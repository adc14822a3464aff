/* SPDX-License-Identifier: MIT */
/* options.h - what the environment asks of the shim (docs/gl.md). */
#ifndef SHIM_DRM_OPTIONS_H
#define SHIM_DRM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Strings are copies that live as long as the process; NULL where nothing was asked for. */
struct options {
    uint32_t memory;  /* bytes that buffer objects may have together */
    uint32_t threads; /* of the host, 1..64 */
    bool strict, sanitize, json;
    const char *stats;             /* file, or "-" */
    const char *verdict;           /* file that gets the number of errors */
    const char *capture;           /* file; "%d" is the number of the job */
    const char *hang;              /* file that gets the state of a hang */
    bool decode;                   /* prints the lists of jobs */
    uint32_t first_job, last_job;  /* what capture and decode are about; jobs count from 1 */
    uint32_t width, height, hertz; /* of the display's preferred mode */
    const char *frames;            /* folder for pictures */
    const char *window;            /* socket of the viewer */
    bool show_rate;                /* prints frames per second */
    uint32_t rate;  /* frames per second that page flips are slowed down to; 0: as fast as can be */
    uint32_t count; /* frames after which the process ends; 0: never */
};

/* The options, read once. What cannot be understood has been complained about and is the default. */
const struct options *options_get(void);

#endif
