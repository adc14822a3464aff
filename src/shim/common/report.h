/* SPDX-License-Identifier: MIT */
/* report.h - reports about the programs that a process ran: findings as they occur, and at the end
 * statistics, a trace and a capture.
 *
 * In:  the options; the device.
 * Out: text on standard error, and files.
 *
 * The caller of each function holds the machine's lock. */
#ifndef SHIM_COMMON_REPORT_H
#define SHIM_COMMON_REPORT_H

#include <stdbool.h>

#include <tessera/pi.h>
#include <tessera/scene.h>
#include <tessera/vc4.h>

#include "shim/common/settings.h"

/* Requested reports. A member is NULL if that report is not requested. Strings must live as long as
 * the process. "%p" in a file name is replaced by the process number. */
struct report_options {
    /* `json`: findings and trace are JSON lines, and statistics a JSON object. strict, sanitize and
     * threads are for the device. */
    const struct settings *settings;
    bool quiet;          /* true to omit notes */
    const char *trace;   /* file to which a line is written for each executed instruction */
    const char *capture; /* file to which a scene of everything that ran is written */
    const char *sources; /* "FILE:FILE...": possible sources of the programs' code */
    const char *budgets; /* text for hints: names of the options that raise budgets */
    /* Finds the named memory at an address, as in front/names.h. */
    bool (*place)(uint32_t address, struct tess_scene_place *place);
};

/* Called before the device is created. Sets the members sink, strict, sanitize, threads, profile,
 * shown and trace of *device. */
void report_begin(const struct report_options *options, struct tess_vc4_options *device);

/* Called when the devices exist, before the first register is written. */
void report_watch(struct tess_vc4 *vc4, const struct tess_pi *pi);

/* Called when the process ends or calls exec, after all work is done. May be called more than once.
 * Each call reports only the findings since the last call. */
void report_end(void);

/* Opens a verdict file to append a line. Returns a descriptor, which the caller closes, or -1 with
 * errno set. */
int report_open_verdict(const char *path);

/* Counts an error for which another module has printed a message. */
void report_count_error(void);

/* Called in a forked child that has a copy of the device. The child does not report work that the
 * parent did before the fork. */
void report_child(void);

#endif
