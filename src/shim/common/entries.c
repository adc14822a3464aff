/* SPDX-License-Identifier: MIT */
/* entries.c - see entries.h.
 *
 * In:     a descriptor.
 * Out:    names.
 * Source: getdents64(2). */
#include "entries.h"

#include <dirent.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void entries_begin(struct entries *entries, int folder)
{
    entries->folder = folder;
    entries->from = entries->used = 0;
}

static const struct dirent64 *next(struct entries *entries)
{
    if (entries->from == entries->used) {
        const long size = syscall(SYS_getdents64, entries->folder, entries->room, ENTRIES_ROOM);
        entries->from = 0;
        entries->used = size > 0 ? (size_t)size : 0;
    }
    if (entries->from == entries->used)
        return NULL;
    const struct dirent64 *entry = (const struct dirent64 *)(entries->room + entries->from);
    entries->from += entry->d_reclen;
    return entry;
}

const char *entries_next(struct entries *entries)
{
    const struct dirent64 *entry = next(entries);
    while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0))
        entry = next(entries);
    return entry ? entry->d_name : NULL;
}
