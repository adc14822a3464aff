/* SPDX-License-Identifier: MIT */
/* leftovers.c - see leftovers.h.
 *
 * In:  the folder for temporary files. Out: the same, without those that front/leftovers.h names and nobody needs.
 * Source: the manual pages unlinkat(2), kill(2). Left out: those of other users. */
#include "leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "front/leftovers.h"

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* A file, or a folder and what is in it; links are not followed. */
static void remove_all(int parent, const char *name)
{
    if (unlinkat(parent, name, 0) == 0)
        return;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (!is_dots(entry->d_name))
            remove_all(fd, entry->d_name);
    if (entries)
        closedir(entries);
    else if (fd >= 0)
        close(fd);
    unlinkat(parent, name, AT_REMOVEDIR);
}

/* Whether the name is that of a process which is no more. */
static bool is_left(const char *name)
{
    static const char *const prefixes[] = {LEFTOVER_TREE, LEFTOVER_VERDICT};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i]);
        long process = strncmp(name, prefixes[i], length) == 0 ? strtol(name + length, NULL, 10)
                                                               : 0;
        if (process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH)
            return true;
    }
    return false;
}

void leftovers_sweep(void)
{
    DIR *entries = opendir(leftovers_folder());
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        struct stat status;
        if (is_left(entry->d_name) &&
            fstatat(dirfd(entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            status.st_uid == geteuid())
            remove_all(dirfd(entries), entry->d_name);
    }
    if (entries)
        closedir(entries);
}
