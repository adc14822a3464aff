/* SPDX-License-Identifier: MIT */
/* baseline.h - a file of known findings, so that only new findings are shown.
 *
 * Each line is one finding: rule, source file relative to the baseline's folder, and text of the
 * source line, separated by tabs. Line numbers are not stored, so findings stay known when lines
 * move. If a finding has no source line, the third part is the instruction and its nearest
 * symbol. */
#ifndef FRONT_BASELINE_H
#define FRONT_BASELINE_H

#include <stdbool.h>
#include <stdio.h>

#include <tessera/tessera.h>

struct baseline;

/* Creates an empty baseline for the file at path, which need not exist. Returns NULL if the host is
 * out of memory. */
struct baseline *baseline_new(const char *path);

/* Adds the entries of a file. Reports errors to the sink with file and line. Errors: TESS_IO (the
 * file cannot be read), TESS_BAD_INPUT, TESS_NO_MEMORY. */
enum tess_status baseline_read(struct baseline *baseline, const char *path, struct tess_sink sink);

/* Returns true if the baseline contains a finding. Each entry matches findings at one place only. A
 * finding at a second place is new, even if its line in the file would be the same. */
bool baseline_has(struct baseline *baseline, const struct tess_finding *diag, const char *key);

/* Adds a finding, unless it has already been added for the same place. Returns false if the host is
 * out of memory or the baseline is full. */
bool baseline_add(struct baseline *baseline, const struct tess_finding *diag, const char *key);

/* Writes a comment and all entries, sorted. */
void baseline_write(const struct baseline *baseline, FILE *stream);

/* Writes the entries that were added since the last call, one per line, for another process that
 * calls baseline_take(). */
void baseline_append(struct baseline *baseline, FILE *stream);

/* Adds the entry of a line of baseline_append(). Does nothing for other lines. Returns false if the
 * host is out of memory or the baseline is full. */
bool baseline_take(struct baseline *baseline, const char *line);

/* Returns the number of entries. */
size_t baseline_count(const struct baseline *baseline);

void baseline_free(struct baseline *baseline);

#endif
