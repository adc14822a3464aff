/* SPDX-License-Identifier: MIT */
/* user.c - see user.h.
 *
 * In:  addresses from the program.
 * Out: bytes, or EFAULT.
 *
 * Chosen: the kernel copies, because it looks whether addresses are the program's: between two places of one process, or, where
 *         it does not do that (some sandboxes, emulators of processes), by way of a file in memory.
 * Source: the manual pages process_vm_readv(2), memfd_create(2). */
#include "user.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shim/common/next.h"

enum { ROOM = 1 << 20 }; /* bytes at a time by way of the file */

static bool no_direct_way;

/* --- directly --- */

/* Not the C library's functions, for sanitizers would look at the addresses themselves. False: try the file. */
static bool directly(long call, void *own, uintptr_t address, size_t size, bool *copied)
{
    struct iovec here = {own, size}, there = {(void *)address, size};
    if (no_direct_way)
        return false;
    long done = syscall(call, (long)getpid(), &here, 1L, &there, 1L, 0L);
    no_direct_way = done < 0 && (errno == ENOSYS || errno == EPERM);
    *copied = done == (long)size;
    return !no_direct_way;
}

/* --- by way of a file --- */

/* Each process has its own; it is closed at once, so that it is nobody's. */
static bool through_file(void *to, const void *from, size_t size)
{
    int fd = (int)syscall(SYS_memfd_create, "tessera-scratch", MFD_CLOEXEC);
    if (fd < 0)
        return false;
    bool copied = syscall(SYS_pwrite64, fd, from, size, 0L, 0L) == (long)size &&
                  syscall(SYS_pread64, fd, to, size, 0L, 0L) == (long)size;
    real_close(fd);
    return copied;
}

static bool in_pieces(char *to, const char *from, size_t size)
{
    for (size_t done = 0, piece; done < size; done += piece) {
        piece = size - done < ROOM ? size - done : ROOM;
        if (!through_file(to + done, from + done, piece))
            return false;
    }
    return true;
}

/* --- both --- */

/* Whether size bytes at an address can be the program's at all. */
static bool is_address(uint64_t address, size_t size)
{
    return address <= UINTPTR_MAX && size <= UINTPTR_MAX - address;
}

bool user_read(void *bytes, uint64_t from, size_t size)
{
    bool copied;
    if (size == 0)
        return true;
    if (!is_address(from, size))
        return false;
    if (directly(SYS_process_vm_readv, bytes, (uintptr_t)from, size, &copied))
        return copied;
    return in_pieces(bytes, (const char *)(uintptr_t)from, size);
}

bool user_write(uint64_t to, const void *bytes, size_t size)
{
    bool copied;
    if (size == 0)
        return true;
    if (!is_address(to, size))
        return false;
    if (directly(SYS_process_vm_writev, (void *)(uintptr_t)bytes, (uintptr_t)to, size, &copied))
        return copied;
    return in_pieces((char *)(uintptr_t)to, bytes, size);
}

int user_array(void **copy, uint64_t from, size_t count, size_t size, size_t most)
{
    *copy = NULL;
    if (count == 0 || size == 0)
        return 0;
    if (count > most / size)
        return ENOMEM;
    void *array = malloc(count * size);
    if (!array)
        return ENOMEM;
    if (!user_read(array, from, count * size)) {
        free(array);
        return EFAULT;
    }
    *copy = array;
    return 0;
}
