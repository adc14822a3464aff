/* SPDX-License-Identifier: MIT */
/* private_fds.c - see private_fds.h.
 *
 * In:  descriptors.
 * Out: descriptors of the same files, with higher numbers.
 *
 * Source: the manual page fcntl(2). */
#include "private_fds.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "gpu_lock.h"
#include "shim/common/next.h"

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
    int **holders;
    unsigned count;
    int base;            /* first private number, or 0 if not chosen yet */
    int lowest;          /* lowest number that has been private so far, or 0 */
    struct rlimit limit; /* the program's limit of descriptors */
    bool is_raised;
} own;

void private_fds_raise_limit(void)
{
    if (getrlimit(RLIMIT_NOFILE, &own.limit) != 0)
        return;
    struct rlimit limit = own.limit;
    rlim_t wanted = limit.rlim_max < MOST ? limit.rlim_max : MOST;
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = wanted;
        own.is_raised = setrlimit(RLIMIT_NOFILE, &limit) == 0;
    }
    getrlimit(RLIMIT_NOFILE, &limit);
    if (!own.base)
        own.base = limit.rlim_cur > 2 * ABOVE ? ABOVE
                                              : (int)(limit.rlim_cur - limit.rlim_cur / OWN_PART);
}

void private_fds_restore_limit(void)
{
    if (own.is_raised)
        setrlimit(RLIMIT_NOFILE, &own.limit);
    own.is_raised = false;
}

/* Duplicates a descriptor to a private number. Returns the new number, or -1. */
static int move(int fd)
{
    private_fds_raise_limit();
    int moved = NEXT(fcntl64)(fd, F_DUPFD_CLOEXEC, own.base);
    private_fds_restore_limit();
    return moved;
}

bool private_fds_may_have_file(uint64_t size)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || size <= limit.rlim_cur;
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
        own.lowest = *fd;
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

void private_fds_keep(int *fd)
{
    move_above(fd);
    enter(fd);
}

bool private_fds_keep_above(int *fd)
{
    const bool good = move_above(fd);
    if (good)
        enter(fd);
    return good;
}

void private_fds_forget(int *fd)
{
    if (*fd >= 0 && (unsigned)*fd < own.count && own.holders[*fd] == fd)
        own.holders[*fd] = NULL;
    *fd = -1;
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
    return own.lowest && fd >= own.lowest && private_fds_first((unsigned)fd, (unsigned)fd, &found);
}

bool private_fds_first(unsigned first, unsigned last, unsigned *fd)
{
    bool found = false;
    gpu_lock();
    for (unsigned at = first; !found && at <= last && at < own.count; at++) {
        found = own.holders[at] != NULL;
        *fd = at;
    }
    gpu_unlock();
    return found;
}

int private_fds_make_way(int fd)
{
    if (fd < 0 || (unsigned)fd >= own.count || !own.holders[fd])
        return -1;
    int *holder = own.holders[fd], moved = move(fd);
    own.holders[fd] = NULL;
    *holder = moved;
    if (moved >= 0)
        enter(holder);
    return moved;
}
