/* SPDX-License-Identifier: MIT */
/* private_fds.c - see private_fds.h.
 *
 * In:  descriptors.
 * Out: descriptors of the same files, with higher numbers.
 *
 * Source: the manual pages fcntl(2), memfd_create(2). */
#include "private_fds.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "device_lock.h"
#include "lock.h"
#include "next.h"

enum {
    ABOVE = 1024, /* first private number, if the limit permits */
    /* Largest number of private descriptors. Each page of the default GPU memory can have one. The
     * limit is not higher, because some programs close all descriptors up to the limit one by
     * one. */
    MOST = 1 << 16,
    OWN_PART = 4, /* with a low limit of descriptors, the highest 1/4 of the numbers is private */
};

/* Private descriptors. holders[n] points to the variable that contains descriptor n, or is NULL. */
static struct {
    struct lock lock;
    int **holders;
    unsigned count;
    int base;   /* first private number, or 0 if not chosen yet */
    int lowest; /* lowest number that has been private so far, or 0; also read without the lock */
} own;

/* --- limits --- */

/* Raises the limit of descriptors as far as the system permits and the shim needs. Returns true and
 * stores the program's limit in *before if the limit was raised. */
static bool raise_limit(struct rlimit *before)
{
    if (getrlimit(RLIMIT_NOFILE, before) != 0)
        return false;
    struct rlimit limit = *before;
    limit.rlim_cur = limit.rlim_max < MOST ? limit.rlim_max : MOST;
    const bool raised = before->rlim_cur < limit.rlim_cur && setrlimit(RLIMIT_NOFILE, &limit) == 0;
    const rlim_t most = raised ? limit.rlim_cur : before->rlim_cur;
    if (!own.base)
        own.base = most > 2 * ABOVE ? ABOVE : (int)(most - most / OWN_PART);
    return raised;
}

static void restore_limit(bool raised, const struct rlimit *before)
{
    if (raised)
        setrlimit(RLIMIT_NOFILE, before);
}

static bool may_have_file(uint64_t size)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || size <= limit.rlim_cur;
}

int private_fds_memory_file(const char *name, uint64_t size, int seals)
{
    struct rlimit before;
    if (!may_have_file(size)) {
        errno = EFBIG;
        return -1;
    }
    const bool raised = raise_limit(&before);
    const int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    restore_limit(raised, &before);
    if (fd < 0 || (ftruncate64(fd, (off64_t)size) == 0 &&
                   (!seals || NEXT(fcntl64)(fd, F_ADD_SEALS, seals) == 0)))
        return fd;
    const int error = errno;
    real_close(fd);
    errno = error;
    return -1;
}

/* --- private numbers; the functions below are called with the lock --- */

/* Duplicates a descriptor to a private number. Returns the new number, or -1. */
static int move(int fd)
{
    struct rlimit before;
    const bool raised = raise_limit(&before);
    const int moved = NEXT(fcntl64)(fd, F_DUPFD_CLOEXEC, own.base);
    restore_limit(raised, &before);
    return moved;
}

static bool grow(unsigned fd)
{
    unsigned count = own.count ? own.count : 2 * ABOVE;
    while (count <= fd)
        count *= 2;
    int **holders = realloc(own.holders, count * sizeof *holders);
    if (!holders)
        return false;
    memset(holders + own.count, 0, (count - own.count) * sizeof *holders);
    own.holders = holders;
    own.count = count;
    return true;
}

/* Records a private descriptor. If there is no memory for the record, the descriptor is not
 * protected: the program can close it. */
static void enter(int *fd)
{
    if ((unsigned)*fd < own.count || grow((unsigned)*fd))
        own.holders[*fd] = fd;
    if (!own.lowest || *fd < own.lowest)
        __atomic_store_n(&own.lowest, *fd, __ATOMIC_RELEASE);
}

/* Moves a descriptor to a private number. Returns false if no private number is free. */
static bool move_above(int *fd)
{
    if (own.base && *fd >= own.base)
        return true;
    const int moved = move(*fd);
    if (moved < 0)
        return false;
    real_close(*fd);
    *fd = moved;
    return true;
}

/* --- interface --- */

static bool keep(int *fd, bool anywhere)
{
    struct lock_before before;
    lock_take(&own.lock, &before);
    const bool good = move_above(fd) || anywhere;
    if (good)
        enter(fd);
    lock_give(&own.lock, &before);
    return good;
}

void private_fds_keep(int *fd)
{
    keep(fd, true);
}

bool private_fds_keep_above(int *fd)
{
    return keep(fd, false);
}

void private_fds_forget(int *fd)
{
    struct lock_before before;
    lock_take(&own.lock, &before);
    if (*fd >= 0 && (unsigned)*fd < own.count && own.holders[*fd] == fd)
        own.holders[*fd] = NULL;
    *fd = -1;
    lock_give(&own.lock, &before);
}

void private_fds_close(int *fd)
{
    const int number = *fd;
    private_fds_forget(fd);
    if (number >= 0)
        real_close(number);
}

/* Compares with the lowest private number first, because programs rarely use descriptors above
 * it. */
bool private_fds_has(int fd)
{
    unsigned found;
    const int lowest = __atomic_load_n(&own.lowest, __ATOMIC_ACQUIRE);
    return lowest && fd >= lowest && private_fds_first((unsigned)fd, (unsigned)fd, &found);
}

bool private_fds_first(unsigned first, unsigned last, unsigned *fd)
{
    struct lock_before before;
    bool found = false;
    lock_take(&own.lock, &before);
    for (unsigned at = first; !found && at <= last && at < own.count; at++) {
        found = own.holders[at] != NULL;
        *fd = at;
    }
    lock_give(&own.lock, &before);
    return found;
}

int private_fds_make_way(int fd)
{
    struct lock_before before;
    if (!private_fds_has(fd) || !device_is_own_process())
        return -1;
    lock_take(&own.lock, &before);
    int *holder = own.holders[fd], moved = holder ? move(fd) : -1;
    own.holders[fd] = NULL;
    if (holder)
        __atomic_store_n(holder, moved, __ATOMIC_RELEASE);
    if (moved >= 0)
        enter(holder);
    lock_give(&own.lock, &before);
    return moved;
}
