/* SPDX-License-Identifier: MIT */
/* progress.h - a progress line on standard error. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

#include <time.h>

struct progress {
    bool wanted; /* true if the line may be shown */
    bool forced; /* true to show the line at once, false to show it after the first second */
    bool shown;  /* true while the line is on the screen */
    struct timespec start, latest; /* time of progress_begin() and of the latest update (or 0) */
};

/* Starts the clock. If forced is true, the line will be shown. Otherwise the line will be shown
 * only if standard error is a terminal and quiet is false. */
void progress_begin(struct progress *progress, bool forced, bool quiet);

/* True if the line should be updated, which is at most ten times a second. */
bool progress_is_due(const struct progress *progress);

/* Replaces the line with a text, followed by the elapsed time. */
void progress_show(struct progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Erases the line, before other output and at the end. */
void progress_hide(struct progress *progress);

#endif
