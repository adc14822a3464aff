/* SPDX-License-Identifier: MIT */
/* private_fds.c - see private_fds.h.
 *
 * In:  file names and sizes; descriptors.
 * Out: numbers of kept files.
 *
 * Choices: a file is recognized by its device and inode number. So the shim need not follow dup(),
 *          fork() and the passing of descriptors. */
#include "private_fds.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/common/lock.h"
#include "shim/common/next.h"

enum { MOST_KEPT = 64, HIGH = 1000 /* first private number; programs rarely open more files */ };

/* Files that are kept. Entries are added with the lock and never removed. So entries below `count`
 * can be read without the lock. */
struct kept {
    atomic_int fd;
    dev_t dev;
    ino64_t ino;
};

static struct kept kept[MOST_KEPT];
static atomic_int count;
static struct lock lock;

/* Returns the first private descriptor number that the limit of descriptors allows. */
static int high_number(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur > HIGH + MOST_KEPT)
        return HIGH;
    return limit.rlim_cur > MOST_KEPT ? (int)limit.rlim_cur - MOST_KEPT : 3;
}

static int move_high(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, high_number());
    if (high < 0)
        return fd;
    real_close(fd);
    return high;
}

/* Creates an open file in memory with a high descriptor. Returns the descriptor, or -1 with errno
 * set. */
static int make_file(const char *name, uint64_t size)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -1;
    if (ftruncate64(fd, (off64_t)size) == 0)
        return move_high(fd);
    real_close(fd);
    return -1;
}

static bool describe(struct kept *file, int fd)
{
    struct stat64 status;
    if (fd < 0 || real_fstat(fd, &status) != 0)
        return false;
    *file = (struct kept){.fd = fd, .dev = status.st_dev, .ino = status.st_ino};
    return true;
}

int private_fds_memory_file(const char *name, uint64_t size)
{
    struct lock_before before;
    struct kept file;
    int fd = make_file(name, size), number = -1;
    lock_take(&lock, &before);
    if (count < MOST_KEPT && describe(&file, fd)) {
        number = count;
        kept[number] = file;
        count = number + 1; /* increased when the entry is complete */
    }
    lock_give(&lock, &before);
    if (number < 0 && fd >= 0)
        real_close(fd);
    return number;
}

bool private_fds_seal(int number)
{
    return fcntl(kept[number].fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

bool private_fds_renew(int number, const char *name, uint64_t size)
{
    struct kept file;
    int fd = make_file(name, size);
    if (!describe(&file, fd))
        return false;
    real_close(kept[number].fd);
    kept[number] = file;
    return true;
}

int private_fds_fd(int number)
{
    return kept[number].fd;
}

/* Opens the file through /proc. If the process cannot use /proc, because it has dropped rights or
 * has another root folder, duplicates the descriptor. The duplicate shares the file position, and
 * can be read and written. */
int private_fds_open(int number, int flags)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", kept[number].fd);
    int fd = real_open(path, flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_NOFOLLOW | O_APPEND), 0);
    if (fd >= 0 || errno == EMFILE || errno == ENFILE)
        return fd;
    return fcntl(kept[number].fd, flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
}

int private_fds_find(int fd)
{
    struct stat64 status;
    int reason = errno, number = -1;
    if (count > 0 && fd >= 0 && real_fstat(fd, &status) == 0)
        for (int i = 0; i < count && number < 0; i++)
            if (kept[i].ino == status.st_ino && kept[i].dev == status.st_dev)
                number = i;
    errno = reason;
    return number;
}

bool private_fds_first(unsigned from, unsigned to, unsigned *fd)
{
    bool found = false;
    *fd = 0;
    for (int i = 0; i < count; i++) {
        unsigned number = (unsigned)kept[i].fd;
        if (number < from || number > to || (found && number > *fd))
            continue;
        *fd = number;
        found = true;
    }
    return found;
}

bool private_fds_has(int fd)
{
    unsigned found;
    return fd >= 0 && private_fds_first((unsigned)fd, (unsigned)fd, &found);
}

void private_fds_make_way(int fd)
{
    struct lock_before before;
    lock_take(&lock, &before);
    for (int i = 0; i < count; i++)
        if (kept[i].fd == fd) {
            int moved = fcntl(fd, F_DUPFD_CLOEXEC, high_number());
            if (moved >= 0)
                kept[i].fd = moved;
        }
    lock_give(&lock, &before);
}
