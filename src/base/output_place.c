/* SPDX-License-Identifier: MIT */
/* output_place.c - see output_place.h.
 *
 * In:      a path.
 * Out:     the file that the path names, which need not exist.
 * Source: the manual pages path_resolution(7), proc(5) (/proc/PID/fd), symlink(7).
 * Choices: links in /proc/PID/fd are not followed. /dev/stdout therefore means the open file, and
 *          not the path under which the file was opened. The open file keeps its write position,
 *          and may have been deleted. */
#include "base/output_place.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { MOST_LINKS = 40, PROC_MAGIC = 0x9fa0 };

static size_t folder_size(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Returns the name of the path's folder. The caller frees it. */
static char *folder_name(const char *path)
{
    size_t size = folder_size(path);
    return size ? strndup(path, size) : strdup(".");
}

static bool is_in_proc(const char *path)
{
    struct statfs system;
    char *folder = folder_name(path);
    bool is = folder && statfs(folder, &system) == 0 && system.f_type == PROC_MAGIC;
    free(folder);
    return is;
}

/* Handles a link in /proc. If the link's name is the number of an open descriptor of this process,
 * and the link leads to the same file as this descriptor, sets place->descriptor. */
static void find_descriptor(struct output_place *place)
{
    struct stat open;
    char *end;
    const char *name = place->path + folder_size(place->path);
    long number = strtol(name, &end, 10);
    place->is_link = true;
    if (end == name || *end || number < 0 || number > INT_MAX || fstat((int)number, &open) != 0)
        return;
    if (open.st_dev == place->status.st_dev && open.st_ino == place->status.st_ino)
        place->descriptor = (int)number;
}

/* Returns the target of the link at path, or NULL with errno set. The caller frees it. */
static char *follow(const char *path)
{
    char target[PATH_MAX];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0)
        return NULL;
    target[length] = 0;
    size_t before = target[0] == '/' ? 0 : folder_size(path);
    char *full = malloc(before + (size_t)length + 1);
    if (full) {
        memcpy(full, path, before);
        memcpy(full + before, target, (size_t)length + 1);
    }
    return full;
}

/* Follows symbolic links up to the final file. Returns false with errno set. */
static bool follow_all(struct output_place *place)
{
    for (int i = 0; i < MOST_LINKS; i++) {
        if (lstat(place->path, &place->status) != 0)
            return errno == ENOENT;
        place->exists = true;
        if (!S_ISLNK(place->status.st_mode))
            return true;
        if (is_in_proc(place->path)) {
            if (stat(place->path, &place->status) != 0)
                return false;
            find_descriptor(place);
            return true;
        }
        place->exists = false;
        char *next = follow(place->path);
        free(place->path);
        place->path = next;
        if (!next)
            return false;
    }
    errno = ELOOP;
    return false;
}

static bool find_folder(struct output_place *place)
{
    place->folder_size = folder_size(place->path);
    if (!place->exists && place->path[place->folder_size] == 0) {
        errno = place->path[0] ? EISDIR : ENOENT;
        return false;
    }
    char *folder = folder_name(place->path);
    bool found = folder && stat(folder, &place->folder) == 0;
    free(folder);
    return found;
}

bool output_place_find(struct output_place *place, const char *path)
{
    *place = (struct output_place){.path = strdup(path), .descriptor = -1};
    if (!place->path)
        return false;
    if (strcmp(path, "-") != 0)
        return follow_all(place) && find_folder(place);
    place->descriptor = STDOUT_FILENO;
    place->exists = fstat(STDOUT_FILENO, &place->status) == 0;
    return true;
}

void output_place_free(struct output_place *place)
{
    free(place->path);
    *place = (struct output_place){.descriptor = -1};
}

bool output_place_is_staged(const struct output_place *place)
{
    return !place->is_link && place->descriptor < 0 &&
           (!place->exists || S_ISREG(place->status.st_mode));
}

static bool same_name(const struct output_place *a, const struct output_place *b)
{
    return a->folder.st_dev == b->folder.st_dev && a->folder.st_ino == b->folder.st_ino &&
           strcmp(a->path + a->folder_size, b->path + b->folder_size) == 0;
}

bool output_place_equal(const struct output_place *a, const struct output_place *b)
{
    if (a->exists && b->exists)
        return a->status.st_dev == b->status.st_dev && a->status.st_ino == b->status.st_ino;
    return !a->exists && !b->exists && same_name(a, b);
}

/* FNV-1a, 32 bits. */
static uint32_t hash(uint32_t value, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++)
        value = (value ^ at[i]) * 16777619u;
    return value;
}

uint32_t output_name_hash(const char *name)
{
    return hash(2166136261u, name, strlen(name));
}

uint32_t output_place_hash(const struct output_place *place)
{
    const struct stat *status = place->exists ? &place->status : &place->folder;
    uint32_t value = place->exists ? 2166136261u
                                   : output_name_hash(place->path + place->folder_size);
    value = hash(value, &status->st_dev, sizeof status->st_dev);
    return hash(value, &status->st_ino, sizeof status->st_ino);
}
