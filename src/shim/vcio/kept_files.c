/* SPDX-License-Identifier: MIT */
/* kept_files.c - see kept_files.h.
 *
 * In:  file names and sizes; descriptors.
 * Out: numbers of kept files.
 *
 * Choices: a file is recognized by its device and inode number. So the shim need not follow dup(),
 *          fork() and the passing of descriptors. */
#include "kept_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>

#include "shim/common/lock.h"
#include "shim/common/next.h"
#include "shim/common/private_fds.h"

enum { MOST_KEPT = 64 };

/* Files that are kept. Entries are added with the lock and never removed. So entries below `count`
 * can be read without the lock. private_fds_make_way() may change `fd` at any time. */
static struct kept {
    int fd;
    dev_t dev;
    ino64_t ino;
} kept[MOST_KEPT];
static atomic_int count;
static struct lock lock;

/* Adds a file. Returns its number, or -1 if there is no room. */
static int add(int fd)
{
    struct stat64 status;
    const int number = count;
    if (number == MOST_KEPT || real_fstat(fd, &status) != 0)
        return -1;
    kept[number] = (struct kept){.fd = fd, .dev = status.st_dev, .ino = status.st_ino};
    private_fds_keep(&kept[number].fd);
    count = number + 1; /* increased when the entry is complete */
    return number;
}

int kept_files_make(const char *name, uint64_t size, int seals)
{
    struct lock_before before;
    const int fd = private_fds_memory_file(name, size, seals);
    if (fd < 0)
        return -1;
    lock_take(&lock, &before);
    const int number = add(fd);
    lock_give(&lock, &before);
    if (number < 0)
        real_close(fd);
    return number;
}

int kept_files_fd(int number)
{
    return __atomic_load_n(&kept[number].fd, __ATOMIC_ACQUIRE);
}

/* Opens the file through /proc. If the process cannot use /proc, because it has dropped rights or
 * has another root folder, duplicates the descriptor. The duplicate shares the file position, and
 * can be read and written. */
int kept_files_open(int number, int flags)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", kept_files_fd(number));
    int fd = real_open(path, flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_NOFOLLOW | O_APPEND), 0);
    if (fd >= 0 || errno == EMFILE || errno == ENFILE)
        return fd;
    return fcntl(kept_files_fd(number), flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
}

int kept_files_find(int fd)
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
