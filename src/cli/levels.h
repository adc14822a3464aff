/* SPDX-License-Identifier: MIT */
/* levels.h - levels of warnings and notes, set by -W ID=LEVEL. Errors keep their severity, since a
 * source with an error cannot be read or assembled. */
#ifndef CLI_LEVELS_H
#define CLI_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

#include <tessera/tessera.h>

struct level {
    const char *id; /* "all" for all ids */
    enum tess_level level;
};

/* The levels of a command line, in order. If several levels match an id, the last level applies.
 * The caller sets the structure to zero first and releases it with levels_free(). */
struct levels {
    struct level *items;
    size_t count;
};

/* Adds a level. The id must outlive the levels. Returns false after an error message if the host is
 * out of memory. */
bool levels_add(struct levels *levels, const char *title, const char *id, enum tess_level level);

/* Parses text, "ID=LEVEL", which is split in place, and adds the level. Returns false after an
 * error message that begins with title. */
bool levels_take(struct levels *levels, const char *title, char *text);

/* Sets the severity of a warning or note to the level of its id, if a level matches. Leaves errors
 * unchanged. Returns false if the level is "off". */
bool levels_apply(const struct levels *levels, struct tess_finding *diag);

void levels_free(struct levels *levels);

#endif
