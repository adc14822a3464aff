/* SPDX-License-Identifier: MIT */
/* interpose.c - interposes functions for devices, memory and libraries. See interpose_files.c
 * for paths, interpose_waits.c for waiting, and shim/common/interpose.c for functions that other
 * shims interpose, too.
 *
 * In:  calls.
 * Out: the answers of a Raspberry Pi, or of the C library.
 *
 * Source: the C library's manual; GNU's names for functions with 64-bit file offsets and times,
 *         and for fortified calls. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices.h"
#include "files.h"
#include "shared.h"
#include "shim/common/interpose.h"
#include "shim/common/private_fds.h"
#include "shim/vcio/vcio_machine.h"
#include "trap.h"

enum { GPIO = 0x200000 }; /* offset of the peripheral that /dev/gpiomem shows */

/* --- ioctl() --- */

static int device_ioctl(enum file_kind kind, unsigned long request, uintptr_t argument)
{
    switch (kind) {
    case FILE_VCIO: return mailbox_ioctl(request, argument);
    case FILE_VCSM: return vcsm_device_ioctl(request, argument);
    case FILE_VCSM_CMA: return vcsm_cma_ioctl(request, argument);
    case FILE_DMA_HEAP: return dma_heap_ioctl(request, argument);
    case FILE_DMA_BUF: return dma_buf_ioctl(request, argument);
    default: errno = ENOTTY; return -1;
    }
}

bool interpose_refuse(int fd)
{
    if (!file_behind(fd))
        return false;
    machine_refuse();
    errno = EBUSY;
    return true;
}

bool interpose_ioctl(int fd, unsigned long request, void *argument, int *result)
{
    enum file_kind kind = interpose_is_of_descriptors(request) ? FILE_NONE : dma_buf_file_kind(fd);
    if (kind != FILE_NONE)
        *result = device_ioctl(kind, request, (uintptr_t)argument);
    return kind != FILE_NONE;
}

/* --- Memory --- */

/* Called when these bytes stop showing registers or GPU memory. */
static void forget(void *start, size_t size)
{
    trap_forget(start, size);
    shared_forget(start, size);
}

static void move(void *old, size_t old_size, void *new, size_t new_size)
{
    trap_move(old, old_size, new, new_size);
    shared_move(old, old_size, new, new_size);
}

/* True if the descriptor's access mode permits the mapping. The kernel checks this for every file
 * (mm/mmap.c). */
static bool was_opened_for(int fd, int prot, int flags)
{
    int rights = fcntl(fd, F_GETFL) & O_ACCMODE;
    bool writes = prot & PROT_WRITE && flags & MAP_SHARED;
    return rights == O_RDWR || (rights == O_RDONLY && !writes);
}

void *interpose_map(void *start, size_t size, int prot, int flags, int fd, off64_t offset)
{
    enum file_kind kind = flags & MAP_ANONYMOUS ? FILE_NONE : dma_buf_file_kind(fd);
    if (kind != FILE_NONE && !was_opened_for(fd, prot, flags)) {
        errno = EACCES;
        return MAP_FAILED;
    }
    if (kind == FILE_VCIO || kind == FILE_VCSM_CMA || kind == FILE_DMA_HEAP) {
        errno = ENODEV;
        return MAP_FAILED;
    }
    if (kind == FILE_MEM)
        return mappings_map(start, size, prot, flags, fd, (uint64_t)offset);
    if (kind == FILE_GPIOMEM)
        return mappings_map_peripherals(start, size, prot, flags, GPIO);
    if (kind == FILE_VCSM)
        return vcsm_device_map(start, size, prot, flags, (uint64_t)offset);
    if (kind == FILE_DMA_BUF)
        return dma_buf_map(fd, start, size, prot, flags, (uint64_t)offset);
    if (flags & MAP_FIXED && machine_exists())
        forget(start, size);
    return real_mmap(start, size, prot, flags, fd, offset);
}

INTERPOSE(int, munmap, (void *start, size_t size), (start, size))
{
    if (machine_exists())
        forget(start, size);
    return real_munmap(start, size);
}

INTERPOSE(int, mprotect, (void *start, size_t size, int prot), (start, size, prot))
{
    return machine_exists() ? trap_protect(start, size, prot) : NEXT(mprotect)(start, size, prot);
}

SHOWN void *mremap(void *old, size_t old_size, size_t size, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    void *wanted = flags & MREMAP_FIXED ? va_arg(arguments, void *) : NULL;
    va_end(arguments);
    void *moved = NEXT(mremap)(old, old_size, size, flags, wanted);
    if (moved != MAP_FAILED && machine_exists() && !lock_is_inside())
        move(old, old_size, moved, size);
    return moved;
}

/* --- Descriptors: the program cannot close the shim's private ones --- */

INTERPOSE(int, close, (int fd), (fd))
{
    if (!private_fds_has(fd))
        return real_close(fd);
    errno = EBADF;
    return -1;
}

INTERPOSE(int, dup2, (int from, int to), (from, to))
{
    private_fds_make_way(to);
    return NEXT(dup2)(from, to);
}

INTERPOSE(int, dup3, (int from, int to, int flags), (from, to, flags))
{
    private_fds_make_way(to);
    return NEXT(dup3)(from, to, flags);
}

int interpose_close_range(unsigned first, unsigned last, int flags)
{
    return NEXT(close_range)(first, last, flags);
}

/* --- Libraries --- */

/* True if the shim contains the functions of a library. The version in the library's file name does
 * not matter. */
static bool is_ours(const char *file)
{
    static const char *const names[] = {"libbcm_host.so", "libvcsm.so"};
    const char *last = file ? strrchr(file, '/') : NULL, *name = last ? last + 1 : file;
    for (size_t i = 0; file && i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Returns the path of the shim, which dlopen() then opens in place of the library. */
static const char *own_path(void)
{
    Dl_info info;
    return dladdr((void *)own_path, &info) ? info.dli_fname : NULL;
}

/* The C library finds the caller of dlopen() by the return address, and searches the RPATH of the
 * caller's object. So the call of the real dlopen() must be a tail call. */
#ifdef __clang__
#define TAIL_CALLS
#define TAIL_RETURN __attribute__((musttail)) return
#else
#define TAIL_CALLS  __attribute__((optimize("O2"), no_sanitize("address", "undefined")))
#define TAIL_RETURN return
#endif

TAIL_CALLS SHOWN void *dlopen(const char *file, int mode)
{
    if (is_ours(file))
        file = own_path();
    TAIL_RETURN NEXT(dlopen)(file, mode);
}
