/* SPDX-License-Identifier: MIT */
/* next.c - see next.h.
 *
 * In:  names of functions.
 * Out: pointers to functions. */
#include "next.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

void *interpose_next(const char *name, void **kept)
{
    void *function = __atomic_load_n(kept, __ATOMIC_ACQUIRE);
    if (!function) {
        function = dlsym(RTLD_NEXT, name);
        __atomic_store_n(kept, function, __ATOMIC_RELEASE);
    }
    return function;
}

void *real_mmap(void *start, size_t size, int prot, int flags, int fd, off64_t offset)
{
    return NEXT(mmap64)(start, size, prot, flags, fd, offset);
}

int real_munmap(void *start, size_t size)
{
    return NEXT(munmap)(start, size);
}

int real_open(const char *path, int flags, mode_t mode)
{
    return NEXT(open64)(path, flags, mode);
}

int real_close(int fd)
{
    return NEXT(close)(fd);
}

int real_fstat(int fd, struct stat64 *status)
{
    return NEXT(fstat64)(fd, status);
}

int real_fstatat(int folder, const char *path, struct stat64 *status, int flags)
{
    return NEXT(fstatat64)(folder, path, status, flags);
}
