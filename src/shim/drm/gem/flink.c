/* SPDX-License-Identifier: MIT */
/* flink.c - see flink.h.
 *
 * In:  buffer objects, names.
 * Out: names of buffer objects, and the buffer objects of names.
 *
 * Choices: a name contains the number of the process that created it and a number within that
 *          process, so that names of different processes differ. A process that opens a name finds
 *          the owner by the process number. A table in a memfd of the owner maps the name to one of
 *          the owner's descriptors. The memfd and the descriptor vanish when the owner ends.
 * Source: Linux, drivers/gpu/drm/drm_gem.c; the manual page proc(5). */
#include "shim/drm/gem/flink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/common/entries.h"
#include "shim/common/next.h"
#include "shim/common/private_fds.h"

enum { BITS = 9, NAMES = 1 << BITS, MOST_PROCESS = 1 << 22 };

#define TABLE_NAME "tessera-names"

/* Names of this process. An entry of `descriptors` is a descriptor plus 1, or 0 if its index is
 * free. The array is a shared mapping of the memfd `fd`. */
static struct {
    int32_t *descriptors;
    int fd;
    pid_t owner;
} table;

/* Creates the table if this process has none. A child of fork() needs a new table. */
static bool make_table(void)
{
    if (table.descriptors && table.owner == getpid())
        return true;
    const size_t size = NAMES * sizeof *table.descriptors;
    const int fd = private_fds_memory_file(TABLE_NAME, size, 0);
    if (fd < 0)
        return false;
    void *start = real_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (start == MAP_FAILED) {
        real_close(fd);
        return false;
    }
    table.descriptors = start;
    table.fd = fd;
    table.owner = getpid();
    private_fds_keep(&table.fd);
    return true;
}

/* --- naming --- */

int flink_name(struct bo *bo)
{
    if (bo->name)
        return 0;
    if (bo->memory.fd < 0 || !make_table() || table.owner >= MOST_PROCESS)
        return ENOMEM;
    for (uint32_t i = 1; i < NAMES; i++) {
        if (table.descriptors[i])
            continue;
        table.descriptors[i] = bo->memory.fd + 1;
        bo->name = (uint32_t)table.owner << BITS | i;
        bo->shared = true;
        return 0;
    }
    return ENOSPC;
}

void flink_forget(struct bo *bo)
{
    if (bo->name && table.owner == getpid() && bo->name >> BITS == (uint32_t)table.owner)
        table.descriptors[bo->name % NAMES] = 0;
    bo->name = 0;
}

void flink_moved(int from, int to)
{
    for (uint32_t i = 1; table.descriptors && table.owner == getpid() && i < NAMES; i++)
        if (table.descriptors[i] == from + 1)
            table.descriptors[i] = to + 1;
}

/* --- opening --- */

static struct bo *find(uint32_t name)
{
    for (struct bo *bo = bo_first(); bo; bo = bo->next)
        if (bo->name == name)
            return bo;
    return NULL;
}

/* Reads an entry of another process's table. Returns a descriptor of that process plus 1, or 0 if
 * the entry is free. */
static int32_t read_entry(const char *folder, const char *entry, uint32_t index)
{
    char path[300], target[64] = "";
    int32_t descriptor = 0;
    snprintf(path, sizeof path, "%s/%s", folder, entry);
    if (readlink(path, target, sizeof target - 1) < 0 || !strstr(target, TABLE_NAME))
        return 0;
    int fd = real_open(path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return 0;
    if (pread(fd, &descriptor, sizeof descriptor, (off_t)(index * sizeof descriptor)) !=
        sizeof descriptor)
        descriptor = 0;
    real_close(fd);
    return descriptor;
}

/* Opens the file that another process has named. Returns a descriptor, or -1 if the name is not
 * known. */
static int open_file(uint32_t name)
{
    char folder[32], path[64];
    int32_t descriptor = 0;
    snprintf(folder, sizeof folder, "/proc/%u/fd", name >> BITS);
    struct entries entries;
    const int open_folder = real_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (open_folder < 0)
        return -1;
    entries_begin(&entries, open_folder);
    for (const char *entry; !descriptor && (entry = entries_next(&entries));)
        descriptor = read_entry(folder, entry, name % NAMES);
    real_close(open_folder);
    if (!descriptor)
        return -1;
    snprintf(path, sizeof path, "%s/%d", folder, (int)descriptor - 1);
    return real_open(path, O_RDWR | O_CLOEXEC, 0);
}

int flink_open(struct bo **out, uint32_t name)
{
    struct bo *bo = name ? find(name) : NULL; /* bo->name is 0 for objects without a name */
    *out = bo ? bo_take(bo) : NULL;
    if (bo)
        return 0;
    int fd = name % NAMES ? open_file(name) : -1;
    if (fd < 0)
        return ENOENT;
    int error = bo_import(out, fd);
    real_close(fd);
    if (!error && !(*out)->name)
        (*out)->name = name;
    return error == EINVAL ? ENOENT : error;
}
