/* SPDX-License-Identifier: MIT */
/* progress.c - see progress.h. */
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>

#include <unistd.h>

static const double first_after = 1.0, next_after = 0.1; /* seconds */

static double seconds_between(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) + (double)(to->tv_nsec - from->tv_nsec) / 1e9;
}

void progress_begin(struct progress *progress, bool forced, bool quiet)
{
    *progress = (struct progress){.forced = forced,
                                  .wanted = forced || (!quiet && isatty(STDERR_FILENO))};
    clock_gettime(CLOCK_MONOTONIC, &progress->start);
}

bool progress_is_due(const struct progress *progress)
{
    struct timespec now;
    if (!progress->wanted)
        return false;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (progress->latest.tv_sec || progress->latest.tv_nsec)
        return seconds_between(&progress->latest, &now) >= next_after;
    return progress->forced || seconds_between(&progress->start, &now) >= first_after;
}

void progress_show(struct progress *progress, const char *format, ...)
{
    va_list arguments;
    clock_gettime(CLOCK_MONOTONIC, &progress->latest);
    fputs("\r\033[K", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%.1f s", seconds_between(&progress->start, &progress->latest));
    fflush(stderr);
    progress->shown = true;
}

void progress_hide(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
