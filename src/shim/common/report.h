/* SPDX-License-Identifier: MIT */
/* report.h - reports on the programs that a process has run: findings as they occur, and at the end
 * statistics, a trace and a capture.
 *
 * In:  options; the device.
 * Out: text on standard error, and files.
 *
 * All functions are called with the machine's lock. */
#ifndef SHIM_COMMON_REPORT_H
#define SHIM_COMMON_REPORT_H

#include <stdbool.h>

#include <tessera/pi.h>
#include <tessera/scene.h>
#include <tessera/vc4.h>

/* Requested reports; NULL if not requested. Strings must stay valid until the process ends. "%p" in
 * a file name is replaced by the process number. */
struct report_options {
    bool json;           /* findings and trace as JSON lines, statistics as a JSON object */
    bool quiet;          /* suppresses notes */
    const char *stats;   /* file to which statistics are appended, or "-" for standard error */
    const char *trace;   /* file for the trace, one line per instruction */
    const char *capture; /* file for a scene of all runs */
    const char *sources; /* "FILE:FILE...": sources of the programs' code */
    const char *budgets; /* option that raises budgets, for hints */
    const char *verdict; /* file to which the number of errors is appended */
    /* Names memory, as in front/names.h. May be NULL. */
    bool (*place)(uint32_t address, struct tess_scene_place *place);
};

/* Called before the device is created. Fills in the members of *device that concern reports (sink,
 * profile, trace). */
void report_begin(const struct report_options *options, struct tess_vc4_options *device);

/* Called when the devices have been created, before any register is written. */
void report_watch(struct tess_vc4 *vc4, const struct tess_pi *pi);

/* Called when the process ends or execs another program, with no work pending. May be called more
 * than once; each call reports only what is new. */
void report_end(void);

/* Opens a verdict for appending a line. Returns a descriptor, which the caller closes, or -1 with
 * errno set. */
int report_open_verdict(const char *path);

/* Counts an error that has already been printed on standard error. */
void report_count_error(void);

/* Called in the child after a fork. The child has a copy of the device, but only the parent reports
 * what happened before the fork. */
void report_child(void);

#endif
