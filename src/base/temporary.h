/* SPDX-License-Identifier: MIT */
/* temporary.h - temporary files that are renamed when they are complete. A temporary file is in the
 * folder of the final file and has an unpredictable name. A signal handler can remove all temporary
 * files with temporary_remove_all(). */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

struct temporary {
    /* Neighbours in the list of all temporary files, NULL at the ends of the list. */
    struct temporary *next, *previous;
    bool listed; /* true while the file is in the list */
    char *path;
    int descriptor; /* open descriptor, or -1 after the file is closed */
};

/* Creates a file for writing. The first `size` bytes of path are the name of the file's folder,
 * including the slash. The permissions are mode without the bits of the umask. Returns false with
 * errno set on errors. */
bool temporary_create(struct temporary *file, const char *path, size_t size, unsigned mode);

/* Closes the file if it is open, and deletes it. */
void temporary_remove(struct temporary *file);

/* Closes the file and removes it from the list without deleting the file. Call temporary_release()
 * after the rename. */
void temporary_release(struct temporary *file);

/* Deletes all temporary files of this process. Async-signal-safe. */
void temporary_remove_all(void);

#endif
