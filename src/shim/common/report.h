/* SPDX-License-Identifier: MIT */
/* report.h - what is told about the programs that a process has run: findings as they come, and at the end statistics,
 * a trace and a capture.
 *
 * In:  what was asked for; the device. Out: text on standard error and files.
 *
 * All functions are called by whoever holds the machine's lock. */
#ifndef SHIM_COMMON_REPORT_H
#define SHIM_COMMON_REPORT_H

#include <stdbool.h>

#include <tessera/pi.h>
#include <tessera/scene.h>
#include <tessera/vc4.h>

/* What was asked for; NULL: not that. Strings must live as long as the process. "%p" in the name of a file stands for the
 * process number. */
struct report_options {
    bool json;           /* findings and trace as JSON lines, statistics as a JSON object */
    bool quiet;          /* leaves notes out */
    const char *stats;   /* a file that statistics are added to, or "-": standard error */
    const char *trace;   /* a file that gets a line for each instruction */
    const char *capture; /* a file that gets a scene of everything that was run */
    const char *sources; /* "FILE:FILE...": where the programs' code may come from */
    const char *budgets; /* how budgets are raised, for hints */
    const char *verdict; /* a file to which the number of errors is added */
    /* Names memory, as in front/names.h. */
    bool (*place)(uint32_t address, struct tess_scene_place *place);
};

/* Before the device is made: fills in the members of *device that this is about (sink, profile, trace). */
void report_begin(const struct report_options *options, struct tess_vc4_options *device);

/* The devices are there, and no register has been written yet. */
void report_watch(struct tess_vc4 *vc4, const struct tess_pi *pi);

/* The process ends, or becomes another one by exec: nothing is pending any more. May come more than once; what has been told
 * is not told again. */
void report_end(void);

/* Opens a verdict to add a line; -1 and errno: it cannot be. The caller closes it. */
int report_open_verdict(const char *path);

/* Counts an error that standard error has been told of in another way. */
void report_count_error(void);

/* The process has been forked: the child has the device, but what the parent did is the parent's to tell. */
void report_child(void);

#endif
