/* SPDX-License-Identifier: MIT */
/* progress.h - a progress line on standard error. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

#include <time.h>

struct progress {
    bool wanted; /* the line may be shown */
    bool forced; /* show the line at once; else after the first second */
    bool shown;  /* the line is on the screen */
    struct timespec start, latest;
};

/* Starts the clock. The line is shown only on a terminal and only if quiet is false. If forced, it
 * is always shown. */
void progress_begin(struct progress *progress, bool forced, bool quiet);

/* True if the line should be updated: at most ten times a second. */
bool progress_is_due(const struct progress *progress);

/* Replaces the line with a text, followed by the elapsed time. */
void progress_show(struct progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Erases the line, before other output and at the end. */
void progress_hide(struct progress *progress);

#endif
