/* SPDX-License-Identifier: MIT */
/* stale_files.c - see stale_files.h.
 *
 * In:  the folder for temporary files.
 * Out: new temporary files; the removal of this user's stale files. front/stale_files.h defines the
 *      names of these files.
 *
 * Source: the manual pages unlinkat(2), flock(2).
 * Left out: files of other users. */
#define _GNU_SOURCE /* mkostemp() */
#include "stale_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "environment.h"
#include "front/stale_files.h"

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Removes a file, or a folder with its contents. Does not follow links. */
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

static bool has_prefix(const char *name)
{
    static const char *const prefixes[] = {STALE_FILE_TREE, STALE_FILE_VERDICT};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

/* Removes a file if it is stale. The function holds the file's lock during the removal, so that no
 * process can begin to use the file. */
static void remove_left(int parent, const char *name)
{
    struct stat status;
    int file = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 && fstat(file, &status) == 0 && status.st_uid == geteuid() &&
        stale_files_is_left(file))
        remove_all(parent, name);
    if (file >= 0)
        close(file);
}

/* Number of attempts to create a file. Another process's stale_files_sweep() may remove a new file
 * before this process has locked the file. */
enum { ATTEMPTS = 3 };

int stale_files_make_file(const char *title, char *path, size_t size)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        snprintf(path, size, "%s/" STALE_FILE_VERDICT "%ld-XXXXXX", stale_files_folder(),
                 (long)getpid());
        const int file = mkostemp(path, O_APPEND | O_CLOEXEC);
        if (file < 0)
            break;
        if (stale_files_keep(file, path))
            return file;
        close(file);
    }
    fprintf(stderr, "%s: %s: %s\n", title, path, strerror(errno));
    path[0] = 0;
    return -1;
}

static int open_tree(char *path, size_t size)
{
    snprintf(path, size, "%s/" STALE_FILE_TREE "%ld-XXXXXX", stale_files_folder(), (long)getpid());
    const int file = mkdtemp(path) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    /* Mode 0755, since a program that drops its privileges reads the folder as another user. */
    if (file < 0 || (stale_files_keep(file, path) && fchmod(file, 0755) == 0))
        return file;
    close(file);
    return -1;
}

int stale_files_make_tree(const char *title)
{
    char path[PATH_MAX];
    int file = -1;
    for (int i = 0; i < ATTEMPTS && file < 0; i++)
        file = open_tree(path, sizeof path);
    if (file >= 0 && environment_set(title, "TESSERA_TREE", path))
        return file;
    unsetenv("TESSERA_TREE"); /* removes a value that an outer tessera may have set */
    if (file >= 0)
        close(file);
    return -1;
}

void stale_files_sweep(void)
{
    DIR *entries = opendir(stale_files_folder());
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (has_prefix(entry->d_name))
            remove_left(dirfd(entries), entry->d_name);
    if (entries)
        closedir(entries);
}
