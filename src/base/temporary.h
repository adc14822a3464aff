/* SPDX-License-Identifier: MIT */
/* temporary.h - files that are still to get their names: each is beside the file to be, under a name that nobody can know
 * before, and is removed if the process is ended by a signal that has a handler. */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

struct temporary {
    struct temporary *next, *previous; /* in the list of all; NULL at its ends */
    bool listed;
    char *path;
    int descriptor; /* -1: closed */
};

/* Creates one in the folder, which the first size bytes of path name, for writing, with the mode less the umask. False with
 * errno set. */
bool temporary_create(struct temporary *file, const char *path, size_t size, unsigned mode);

/* Closes it. False with errno set. */
bool temporary_close(struct temporary *file);

/* Closes and removes it, if it is still there. */
void temporary_remove(struct temporary *file);

/* Closes it and forgets it: it has its name. */
void temporary_release(struct temporary *file);

/* Removes all of this process. Async-signal-safe. */
void temporary_remove_all(void);

#endif
