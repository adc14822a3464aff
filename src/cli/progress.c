/* SPDX-License-Identifier: MIT */
/* progress.c - see progress.h. */
#include "progress.h"

#include <inttypes.h>
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

static bool is_due(const struct progress *progress, const struct timespec *now)
{
    if (progress->latest.tv_sec || progress->latest.tv_nsec)
        return seconds_between(&progress->latest, now) >= next_after;
    return progress->forced || seconds_between(&progress->start, now) >= first_after;
}

static void print_line(const struct tess_scene_progress *at, double seconds)
{
    fputs("\r\033[K", stderr);
    if (at->frames)
        fprintf(stderr, "frame %" PRIu32 " of %" PRIu32 ", ", at->frame, at->frames);
    if (at->run.tiles && at->run.tiles_of >= at->run.tiles)
        fprintf(stderr, "tile %" PRIu64 " of %" PRIu64 ", ", at->run.tiles, at->run.tiles_of);
    else if (at->run.tiles)
        fprintf(stderr, "tile %" PRIu64 ", ", at->run.tiles);
    if (at->run.instructions)
        fprintf(stderr, "%.1f million instructions, ", (double)at->run.instructions / 1e6);
    fprintf(stderr, "%.1f s", seconds);
    fflush(stderr);
}

void progress_show(struct progress *progress, const struct tess_scene_progress *at)
{
    struct timespec now;
    if (!progress->wanted)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!is_due(progress, &now))
        return;
    print_line(at, seconds_between(&progress->start, &now));
    progress->latest = now;
    progress->shown = true;
}

void progress_hide(struct progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
