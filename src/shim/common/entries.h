/* SPDX-License-Identifier: MIT */
/* entries.h - reads the names in a folder, for the shim's code only. There is no DIR, for which the
 * C library would allocate memory. */
#ifndef SHIM_COMMON_ENTRIES_H
#define SHIM_COMMON_ENTRIES_H

#include <stddef.h>

enum { ENTRIES_ROOM = 2048 };

struct entries {
    int folder; /* open descriptor of the folder; the caller closes it */
    /* unread bytes in room: .from is the offset of the first, .used the offset of their end */
    size_t from, used;
    _Alignas(8) char room[ENTRIES_ROOM];
};

/* Starts at the first name of the folder. */
void entries_begin(struct entries *entries, int folder);

/* Returns the next name except "." and "..", or NULL after the last one. The name is valid until
 * the next call. */
const char *entries_next(struct entries *entries);

#endif
