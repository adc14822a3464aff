/* SPDX-License-Identifier: MIT */
/* interpose_folders.c - interposes functions that list folders. The folders of the tree (tree.h)
 * are listed as they are. If a folder of the system lacks the name of a folder that the
 * tree has there, that name is added at the end of the system folder's listing.
 *
 * In:  calls.
 * Out: the names that the listed folders have on a computer with a vc4.
 *
 * Source: the C library's manual. */
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/common/interpose.h"
#include "shim/common/lock.h"
#include "shim/drm/interpose/tree.h"

/* An open folder of the system from which names may be missing. */
struct listing {
    struct listing *next;
    DIR *entries;
    char folder[32];
    unsigned seen;   /* bit i is set when the system has listed the i-th name that may be missing */
    unsigned number; /* index of the next missing name to add to the listing */
    struct dirent entry;
    struct dirent64 entry64;
};

/* Listings of open folders. The list is changed with the lock. A thread without the lock may only
 * test if it is NULL. */
static struct listing *_Atomic listings;
static struct lock lock;

static void watch(DIR *entries, const char *folder)
{
    struct lock_before before;
    struct listing *listing = tree_missing(folder, 0) ? calloc(1, sizeof *listing) : NULL;
    if (!listing)
        return;
    listing->entries = entries;
    strncpy(listing->folder, folder, sizeof listing->folder - 1);
    lock_take(&lock, &before);
    listing->next = listings;
    listings = listing;
    lock_give(&lock, &before);
}

/* Returns the listing of a folder, or NULL if none exists. If `take` is true, removes the listing
 * from the list. Called with the lock. */
static struct listing *find(const DIR *entries, bool take)
{
    struct listing *before = NULL, *found = listings;
    for (; found && found->entries != entries; found = found->next)
        before = found;
    if (found && take && before)
        before->next = found->next;
    else if (found && take)
        listings = found->next;
    return found;
}

/* Returns the listing of a folder, or NULL if none exists. Does not take the lock if there are no
 * listings, as in most programs. */
static struct listing *listing_of(const DIR *entries)
{
    struct lock_before before;
    if (!listings)
        return NULL;
    lock_take(&lock, &before);
    struct listing *listing = find(entries, false);
    lock_give(&lock, &before);
    return listing;
}

static void note(struct listing *listing, const char *name)
{
    const char *missing;
    for (unsigned i = 0; (missing = tree_missing(listing->folder, i)); i++)
        if (strcmp(name, missing) == 0)
            listing->seen |= 1u << i;
}

/* Returns the next name that the system has not listed, or NULL after the last one. */
static const char *next_missing(struct listing *listing)
{
    const char *name;
    while ((name = tree_missing(listing->folder, listing->number))) {
        if (!(listing->seen >> listing->number++ & 1))
            return name;
    }
    return NULL;
}

INTERPOSE(DIR *, opendir, (const char *path), (path))
{
    char room[PATH_MAX];
    bool ours;
    const char *lead = tree_lead(AT_FDCWD, path, room, &ours);
    DIR *entries = NEXT(opendir)(lead);
    if (entries && !ours)
        watch(entries, path);
    return entries;
}

/* If `listed` is a name, notes that the system has listed it, and returns NULL. If `listed` is
 * NULL, the system has listed all its names. Then returns the next missing name, or NULL after the
 * last one. */
static const char *name_to_add(struct listing *listing, const char *listed)
{
    if (listing && listed)
        note(listing, listed);
    return listing && !listed ? next_missing(listing) : NULL;
}

/* Defines readdir() or readdir64(), for the structure `type`. `member` has the entry to add. */
#define READ_FOLDER(name, type, member)                                           \
    INTERPOSE(type *, name, (DIR * entries), (entries))                           \
    {                                                                             \
        type *entry = NEXT(name)(entries);                                        \
        struct listing *listing = listing_of(entries);                            \
        const char *added = name_to_add(listing, entry ? entry->d_name : NULL);   \
        if (!added)                                                               \
            return entry;                                                         \
        entry = &listing->member;                                                 \
        *entry = (type){.d_ino = 1, .d_type = DT_DIR, .d_reclen = sizeof *entry}; \
        strncpy(entry->d_name, added, sizeof entry->d_name - 1);                  \
        return entry;                                                             \
    }

READ_FOLDER(readdir, struct dirent, entry)
READ_FOLDER(readdir64, struct dirent64, entry64)

INTERPOSE(void, rewinddir, (DIR * entries), (entries))
{
    struct listing *listing = listing_of(entries);
    if (listing)
        listing->number = 0;
    NEXT(rewinddir)(entries);
}

INTERPOSE(int, closedir, (DIR * entries), (entries))
{
    struct lock_before before;
    lock_take(&lock, &before);
    struct listing *listing = find(entries, true);
    lock_give(&lock, &before);
    free(listing);
    return NEXT(closedir)(entries);
}

typedef int choose(const struct dirent *entry);
typedef int order(const struct dirent **one, const struct dirent **other);
typedef int choose64(const struct dirent64 *entry);
typedef int order64(const struct dirent64 **one, const struct dirent64 **other);

INTERPOSE_PATH(int, scandir, AT_FDCWD,
               (const char *restrict path, struct dirent ***restrict list, choose *chosen,
                order *compare),
               (path, list, chosen, compare), NEXT(scandir)(lead, list, chosen, compare))
INTERPOSE_PATH(int, scandir64, AT_FDCWD,
               (const char *restrict path, struct dirent64 ***restrict list, choose64 *chosen,
                order64 *compare),
               (path, list, chosen, compare), NEXT(scandir64)(lead, list, chosen, compare))

/* --- patterns --- */

static void *open_listed(const char *path)
{
    return opendir(path);
}

static struct dirent *read_listed(void *entries)
{
    return readdir(entries);
}

static struct dirent64 *read_listed64(void *entries)
{
    return readdir64(entries);
}

static void close_listed(void *entries)
{
    closedir(entries);
}

typedef int failing(const char *path, int error);

/* Defines glob() or glob64(), for the structure `type`. The C library's glob() would read folders
 * with its internal functions. So this macro passes the interposed functions to it, unless the
 * caller passes its own. */
#define GLOB(name, type, reading, one, link)                                                    \
    INTERPOSE(int, name,                                                                        \
              (const char *restrict pattern, int flags, failing *failed, type *restrict found), \
              (pattern, flags, failed, found))                                                  \
    {                                                                                           \
        const bool theirs = flags & GLOB_ALTDIRFUNC;                                            \
        if (!theirs) {                                                                          \
            found->gl_opendir = open_listed;                                                    \
            found->gl_readdir = reading;                                                        \
            found->gl_closedir = close_listed;                                                  \
            found->gl_stat = one;                                                               \
            found->gl_lstat = link;                                                             \
            flags |= GLOB_ALTDIRFUNC;                                                           \
        }                                                                                       \
        const int result = NEXT(name)(pattern, flags, failed, found);                           \
        if (!theirs)                                                                            \
            found->gl_flags &= ~GLOB_ALTDIRFUNC;                                                \
        return result;                                                                          \
    }

GLOB(glob, glob_t, read_listed, stat, lstat)
GLOB(glob64, glob64_t, read_listed64, stat64, lstat64)

/* --- the working directory --- */

INTERPOSE_PATH(int, chdir, AT_FDCWD, (const char *path), (path), NEXT(chdir)(lead))

INTERPOSE(char *, getcwd, (char *room, size_t size), (room, size))
{
    char *folder = NEXT(getcwd)(room, size);
    if (folder)
        tree_hide(folder);
    return folder;
}
