/* SPDX-License-Identifier: MIT */
/* interpose_open.c - open() and its variants.
 *
 * In:  calls with paths.
 * Out: calls of the shim's interpose_open().
 *
 * Source: the C library's manual; glibc's headers for the names used by fortified calls and by
 *         64-bit offsets. */
#include <fcntl.h>
#include <stdarg.h>

#include "interpose.h"

/* Reads the mode argument, which is present only if the call may create a file. */
#define MODE_ARGUMENT(flags, mode)                          \
    mode_t mode = 0;                                        \
    if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) { \
        va_list arguments;                                  \
        va_start(arguments, flags);                         \
        mode = (mode_t)va_arg(arguments, int);              \
        va_end(arguments);                                  \
    }

/* Calls the C library's function if the caller is inside the shim, otherwise interpose_open().
 * INTERPOSE() has the same test, but cannot define functions with variable arguments. */
static int open_at(int folder, const char *path, int flags, mode_t mode)
{
    return lock_is_inside() ? NEXT(openat64)(folder, path, flags, mode)
                            : interpose_open(folder, path, flags, mode);
}

SHOWN int open(const char *path, int flags, ...)
{
    MODE_ARGUMENT(flags, mode)
    return open_at(AT_FDCWD, path, flags, mode);
}

SHOWN int open64(const char *path, int flags, ...)
{
    MODE_ARGUMENT(flags, mode)
    return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

SHOWN int openat(int folder, const char *path, int flags, ...)
{
    MODE_ARGUMENT(flags, mode)
    return open_at(folder, path, flags, mode);
}

SHOWN int openat64(int folder, const char *path, int flags, ...)
{
    MODE_ARGUMENT(flags, mode)
    return open_at(folder, path, flags | O_LARGEFILE, mode);
}

/* The compiler replaces open() without a mode by these functions if _FORTIFY_SOURCE is set. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);

SHOWN int __open_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

SHOWN int __open64_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags | O_LARGEFILE, 0);
}

SHOWN int __openat_2(int folder, const char *path, int flags)
{
    return open_at(folder, path, flags, 0);
}

SHOWN int __openat64_2(int folder, const char *path, int flags)
{
    return open_at(folder, path, flags | O_LARGEFILE, 0);
}
