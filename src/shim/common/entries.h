/* SPDX-License-Identifier: MIT */
/* entries.h - reads the names in a folder, for the shim's code only. opendir() is not usable there,
 * because the C library allocates memory for a DIR. */
#ifndef SHIM_COMMON_ENTRIES_H
#define SHIM_COMMON_ENTRIES_H

#include <stddef.h>

enum { ENTRIES_ROOM = 2048 };

struct entries {
    int folder; /* open descriptor of the folder; the caller closes it */
    /* The unread bytes are room[from] to room[used - 1]. */
    size_t from, used;
    _Alignas(8) char room[ENTRIES_ROOM];
};

/* Starts at the first name of the folder. */
void entries_begin(struct entries *entries, int folder);

/* Returns the next name except "." and "..", or NULL after the last one. The name is valid until
 * the next call. */
const char *entries_next(struct entries *entries);

#endif
