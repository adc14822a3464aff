/* SPDX-License-Identifier: MIT */
/* output.h - where a verb writes what it was asked for: a file, or standard output. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
    FILE *stream; /* to write to */
    const char *title, *path;
};

/* Opens path; NULL and "-" are standard output. False after an error, which stderr has been told, headed
 * by title. */
bool output_open(struct output *output, const char *title, const char *path);

/* Flushes and closes. False, and stderr has been told, if anything that was written got lost. */
bool output_close(struct output *output);

/* Writes text, which may be longer than what streams keep back, to standard output. Returns an exit status; stderr has been
 * told if it got lost. */
int output_text(const char *title, const char *text);

#endif
