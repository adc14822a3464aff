/* SPDX-License-Identifier: MIT */
/* progress.h - one line on standard error that says how far long work has come. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

#include <time.h>

#include <tessera/scene.h>

struct progress {
    bool wanted; /* shown at all */
    bool forced; /* at once; else after the first second */
    bool shown;  /* the line is on the screen */
    struct timespec start, latest;
};

/* forced: shows the line wherever standard error goes; else only on a terminal, and never when quiet. */
void progress_begin(struct progress *progress, bool forced, bool quiet);

/* Updates the line, ten times a second at most. */
void progress_show(struct progress *progress, const struct tess_scene_progress *at);

/* Takes the line away: before other output, and at the end. */
void progress_hide(struct progress *progress);

#endif
