/* SPDX-License-Identifier: MIT */
/* interpose.c - the functions of the C library that every shim interposes in the same way: ioctl(),
 * mmap(), close_range().
 *
 * In:  the program's calls.
 * Out: the shim's answers (interpose.h), or the C library's.
 *
 * Source: the C library's manual; glibc's names for functions with 64-bit file offsets. */
#include "interpose.h"

#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "private_fds.h"

bool interpose_ask(int fd, unsigned long request, void *argument, int *result)
{
    if (!lock_is_inside())
        return interpose_ioctl(fd, request, argument, result);
    *result = -1;
    return !interpose_is_of_descriptors(request) && interpose_refuse(fd);
}

INTERPOSE_IOCTL(NEXT(ioctl))

INTERPOSE_RESULT(void *, mmap64,
                 (void *start, size_t size, int prot, int flags, int fd, off64_t offset),
                 (start, size, prot, flags, fd, offset),
                 interpose_map(start, size, prot, flags, fd, offset))

/* A 32-bit offset is an address or a buffer's handle. It is unsigned: values from 0x80000000 on
 * must not become negative. */
INTERPOSE(void *, mmap, (void *start, size_t size, int prot, int flags, int fd, off_t offset),
          (start, size, prot, flags, fd, offset))
{
    off64_t wide = sizeof offset == 4 ? (off64_t)(uint32_t)offset : (off64_t)offset;
    return interpose_map(start, size, prot, flags, fd, wide);
}

static int close_between(unsigned first, unsigned last, int flags)
{
    return first > last ? 0 : interpose_close_range(first, last, flags);
}

/* Closes the descriptors from `first` to `last` except the shim's private descriptors. */
INTERPOSE(int, close_range, (unsigned first, unsigned last, int flags), (first, last, flags))
{
    unsigned ours;
    if (first > last)
        return NEXT(close_range)(first, last, flags);
    while (private_fds_first(first, last, &ours)) {
        if (ours > 0 && close_between(first, ours - 1, flags) != 0)
            return -1;
        if (ours == UINT32_MAX)
            return 0;
        first = ours + 1;
    }
    return close_between(first, last, flags);
}

INTERPOSE(void, closefrom, (int first), (first))
{
    close_range(first > 0 ? (unsigned)first : 0, UINT32_MAX, 0);
}
