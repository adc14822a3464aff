/* SPDX-License-Identifier: MIT */
/* temporary.h - temporary files that are renamed once they are complete. Each one is in the folder
 * of the final file, under an unpredictable name. If a signal with a handler ends the process, the
 * temporary files are removed. */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

struct temporary {
    /* Neighbours in the list of all temporary files, NULL at its ends. */
    struct temporary *next, *previous;
    bool listed;
    char *path;
    int descriptor; /* open descriptor, -1 after the file is closed */
};

/* Creates a file for writing in the folder that the first size bytes of path name. The permissions
 * are mode without the bits of the umask. Returns false with errno set on errors. */
bool temporary_create(struct temporary *file, const char *path, size_t size, unsigned mode);

/* Closes the file but keeps it in the list. Returns false with errno set on errors. */
bool temporary_close(struct temporary *file);

/* Closes the file if it is open, and deletes it. */
void temporary_remove(struct temporary *file);

/* Closes the file and removes it from the list without deleting the file. Call temporary_release()
 * after the rename. */
void temporary_release(struct temporary *file);

/* Deletes all temporary files of this process. Async-signal-safe. */
void temporary_remove_all(void);

#endif
