/* SPDX-License-Identifier: MIT */
/* user.c - see user.h.
 *
 * In:  addresses from the program.
 * Out: bytes, or EFAULT.
 *
 * Choices: memcpy() would crash at an address that is not accessible. A system call returns EFAULT
 *          instead. Data is copied through a scratch file in memory that is also mapped here, which
 *          needs one system call. If there is no scratch file, process_vm_readv() and
 *          process_vm_writev() copy within the process.
 * Source: the manual pages process_vm_readv(2), memfd_create(2). */
#include "user.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "next.h"
#include "private_fds.h"

/* largest size of one copy through the scratch file, in bytes */
enum { ROOM = 1 << 18 };

static struct {
    int fd;
    uint8_t *bytes; /* mapping of the file, or NULL */
} scratch = {.fd = -1};

/* --- through the scratch file --- */

static bool have_scratch(void)
{
    if (scratch.bytes)
        return true;
    scratch.fd = private_fds_memory_file("tessera-scratch", ROOM, 0);
    if (scratch.fd < 0)
        return false;
    void *start = real_mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED, scratch.fd, 0);
    if (start == MAP_FAILED) {
        real_close(scratch.fd);
        return false;
    }
    private_fds_keep(&scratch.fd);
    scratch.bytes = start;
    return true;
}

void user_in_child(void)
{
    if (scratch.bytes) {
        real_munmap(scratch.bytes, ROOM);
        private_fds_close(&scratch.fd);
    }
    scratch.bytes = NULL;
}

/* Uses a direct system call, because sanitizers check the addresses that are passed to the C
 * library's functions. */
static bool read_piece(void *bytes, uintptr_t from, size_t size)
{
    errno = 0;
    if (syscall(SYS_pwrite64, scratch.fd, from, size, 0L, 0L) != (long)size)
        return false;
    memcpy(bytes, scratch.bytes, size);
    return true;
}

static bool write_piece(uintptr_t to, const void *bytes, size_t size)
{
    memcpy(scratch.bytes, bytes, size);
    errno = 0;
    return syscall(SYS_pread64, scratch.fd, to, size, 0L, 0L) == (long)size;
}

/* If the scratch file cannot be used any more, drops it and returns true. The program may have
 * closed it with a direct system call. Or the program may have set RLIMIT_FSIZE, so that writing
 * fails. In that case, also discards the signal SIGXFSZ, which the program must not receive. */
static bool was_lost(void)
{
    static const struct timespec none = {0};
    sigset_t too_large;
    sigemptyset(&too_large);
    sigaddset(&too_large, SIGXFSZ);
    if (errno == EFBIG)
        sigtimedwait(&too_large, NULL, &none);
    else if (errno != EBADF)
        return false;
    user_in_child();
    return true;
}

/* --- directly --- */

static bool copy_directly(long call, void *own, uintptr_t address, size_t size)
{
    struct iovec here = {own, size}, there = {(void *)address, size};
    return syscall(call, (long)getpid(), &here, 1L, &there, 1L, 0L) == (long)size;
}

/* --- interface --- */

/* True if `size` bytes from `address` fit in the address space. */
static bool is_address(uint64_t address, size_t size)
{
    return address <= UINTPTR_MAX && size <= UINTPTR_MAX - address;
}

bool user_read(void *bytes, uint64_t from, size_t size)
{
    if (size == 0)
        return true;
    if (!is_address(from, size))
        return false;
    if (!have_scratch())
        return copy_directly(SYS_process_vm_readv, bytes, (uintptr_t)from, size);
    for (size_t done = 0, piece; done < size; done += piece) {
        piece = size - done < ROOM ? size - done : ROOM;
        if (!read_piece((char *)bytes + done, (uintptr_t)from + done, piece))
            return was_lost() && user_read((char *)bytes + done, from + done, size - done);
    }
    return true;
}

bool user_write(uint64_t to, const void *bytes, size_t size)
{
    if (size == 0)
        return true;
    if (!is_address(to, size))
        return false;
    if (!have_scratch())
        return copy_directly(SYS_process_vm_writev, (void *)(uintptr_t)bytes, (uintptr_t)to, size);
    for (size_t done = 0, piece; done < size; done += piece) {
        piece = size - done < ROOM ? size - done : ROOM;
        if (!write_piece((uintptr_t)to + done, (const char *)bytes + done, piece))
            return was_lost() && user_write(to + done, (const char *)bytes + done, size - done);
    }
    return true;
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
