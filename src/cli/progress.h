/* SPDX-License-Identifier: MIT */
/* progress.h - one line on standard error that says how far long work has come. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

#include <time.h>

struct progress {
    bool wanted; /* shown at all */
    bool forced; /* at once; else after the first second */
    bool shown;  /* the line is on the screen */
    struct timespec start, latest;
};

/* forced: shows the line wherever standard error goes; else only on a terminal, and never when quiet. */
void progress_begin(struct progress *progress, bool forced, bool quiet);

/* Whether it is time to update the line: ten times a second at most. */
bool progress_is_due(const struct progress *progress);

/* Replaces the line by the text, to which it adds the time. */
void progress_show(struct progress *progress, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Takes the line away: before other output, and at the end. */
void progress_hide(struct progress *progress);

#endif
