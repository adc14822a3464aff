/* SPDX-License-Identifier: MIT */
/* entries.h - the names in a folder, for the code of a shim alone: without a DIR, for which the C
 * library allocates. */
#ifndef SHIM_COMMON_ENTRIES_H
#define SHIM_COMMON_ENTRIES_H

#include <stddef.h>

enum { ENTRIES_ROOM = 2048 };

struct entries {
    int folder;        /* an open descriptor of the folder; the caller closes it */
    size_t from, used; /* bytes of the room */
    _Alignas(8) char room[ENTRIES_ROOM];
};

/* Begins before the first name. */
void entries_begin(struct entries *entries, int folder);

/* The next name but "." and "..", which is there until the next call. NULL: there is none. */
const char *entries_next(struct entries *entries);

#endif
