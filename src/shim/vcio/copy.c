/* SPDX-License-Identifier: MIT */
/* copy.c - see copy.h.
 *
 * In:  addresses in the program.
 * Out: bytes, or EFAULT.
 *
 * Choices: data is copied by system calls through a scratch file. At a bad address a system call
 *          returns EFAULT, but memcpy() would crash. */
#include "copy.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "private_fds.h"

enum { ROOM = 1 << 20 }; /* largest number of bytes of one copy */

/* number of the scratch file (private_fds.h), or -1; protected by the machine's lock */
static int scratch = -1;
static pid_t owner; /* process that uses the file; a child of fork() needs a new file */

static bool have_scratch(void)
{
    static const char name[] = "tessera-scratch";
    pid_t self = getpid();
    if (scratch < 0)
        scratch = private_fds_memory_file(name, ROOM);
    else if (owner != self && !private_fds_renew(scratch, name, ROOM))
        return false;
    owner = self;
    return scratch >= 0;
}

/* Copies with pwrite() and pread() at offset 0. The offset takes two arguments where a long has 32
 * bits. Uses direct system calls, because sanitizers check the addresses that are passed to the C
 * library's functions. */
static bool through_file(void *to, const void *from, size_t size)
{
    int fd = private_fds_fd(scratch);
    return syscall(SYS_pwrite64, fd, from, size, 0L, 0L) == (long)size &&
           syscall(SYS_pread64, fd, to, size, 0L, 0L) == (long)size;
}

static bool copy(uintptr_t to, uintptr_t from, size_t size)
{
    if (!have_scratch())
        return false;
    for (size_t done = 0, piece; done < size; done += piece) {
        piece = size - done < ROOM ? size - done : ROOM;
        if (through_file((void *)(to + done), (const void *)(from + done), piece))
            continue;
        errno = EFAULT;
        return false;
    }
    return true;
}

bool copy_in(void *to, uintptr_t from, size_t size)
{
    return copy((uintptr_t)to, from, size);
}

bool copy_out(uintptr_t to, const void *from, size_t size)
{
    return copy(to, (uintptr_t)from, size);
}
