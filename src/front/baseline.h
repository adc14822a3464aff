/* SPDX-License-Identifier: MIT */
/* baseline.h - a file of findings that are known, so that only new ones are shown.
 *
 * A line for each: the rule, the source file as seen from the baseline's folder, and the text of the source line, with tabs between. The
 * line's number is not part of it, so that findings stay known when lines move. Of what comes from no source, the third part is what
 * stands for the place: the instruction and the nearest symbol. */
#ifndef FRONT_BASELINE_H
#define FRONT_BASELINE_H

#include <stdbool.h>
#include <stdio.h>

#include <tessera/tessera.h>

struct baseline;

/* An empty one, whose file is, or will be, at path. NULL: no memory. */
struct baseline *baseline_new(const char *path);

/* Adds the entries of a file. Mistakes go to the sink with file and line. TESS_IO: it cannot be read; TESS_BAD_INPUT. */
enum tess_status baseline_read(struct baseline *baseline, const char *path, struct tess_sink sink);

/* Whether a finding is known. Each entry stands for one place: a further one with the same text is news. */
bool baseline_has(struct baseline *baseline, const struct tess_diag *diag, const char *key);

/* Adds a finding, a place once. False: no memory. */
bool baseline_add(struct baseline *baseline, const struct tess_diag *diag, const char *key);

/* Writes all entries, sorted, with a comment in front. */
void baseline_write(const struct baseline *baseline, FILE *stream);

/* Writes the entries that were added since the last call, one per line, for another process that calls baseline_take(). */
void baseline_append(struct baseline *baseline, FILE *stream);

/* Adds the entry of a line of baseline_append(), if the line is one. Returns false if the host is out of memory. */
bool baseline_take(struct baseline *baseline, const char *line);

/* The number of entries. */
size_t baseline_count(const struct baseline *baseline);

void baseline_free(struct baseline *baseline);

#endif
