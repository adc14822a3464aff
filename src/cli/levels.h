/* SPDX-License-Identifier: MIT */
/* levels.h - what warnings and notes count for, as options say: -W ID=LEVEL. Errors stay errors: without what they are about,
 * nothing could be read or assembled. */
#ifndef CLI_LEVELS_H
#define CLI_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

#include <tessera/tessera.h>

struct level {
    const char *id; /* "all": each */
    unsigned level; /* 0 off, 1 note, 2 warning, 3 error */
};

/* Those of a command line; later ones win. Zero-initialise it, free it with levels_free(). */
struct levels {
    struct level *items;
    size_t count;
};

/* Adds one; the id lives as long as the levels. False: no memory, which standard error says. */
bool levels_add(struct levels *levels, const char *title, const char *id, unsigned level);

/* Takes "ID=LEVEL", which is cut in place. False if it is wrong; standard error has the reason, which begins with title. */
bool levels_take(struct levels *levels, const char *title, char *text);

/* Gives a warning or a note its level. False: it is off. */
bool levels_apply(const struct levels *levels, struct tess_diag *diag);

void levels_free(struct levels *levels);

#endif
