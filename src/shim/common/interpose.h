/* SPDX-License-Identifier: MIT */
/* interpose.h - the callbacks through which a shim answers the functions that interpose*.c in
 * this folder interpose for every shim. Each shim defines all functions of this file except
 * interpose_ask() and interpose_give(). Also macros that define interposing functions. */
#ifndef SHIM_COMMON_INTERPOSE_H
#define SHIM_COMMON_INTERPOSE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/types.h>

#include "lock.h"
#include "next.h"

/* Answers open() and its variants. `folder` is a descriptor or AT_FDCWD. Returns a descriptor,
 * or -1 with errno set. */
int interpose_open(int folder, const char *path, int flags, mode_t mode);

/* Answers ioctl(). If fd belongs to the shim, returns true and sets *result. Returns false for
 * other descriptors. */
bool interpose_ioctl(int fd, unsigned long request, void *argument, int *result);

/* Called instead of interpose_ioctl() for a request from code inside the shim, such as a signal
 * handler that interrupts the model. If fd belongs to the shim, sets errno and returns true.
 * Returns false for other descriptors. */
bool interpose_refuse(int fd);

/* Answers ioctl(). Uses interpose_ioctl() for calls by the program and interpose_refuse() for calls
 * from inside the shim (INTERPOSE()). Returns false if the C library has to carry out the
 * request. */
bool interpose_ask(int fd, unsigned long request, void *argument, int *result);

/* Defines ioctl(). `next` is the C library's function. */
#define INTERPOSE_IOCTL(next)                                                                 \
    SHOWN int ioctl(int fd, unsigned long request, ...)                                       \
    {                                                                                         \
        int result;                                                                           \
        va_list arguments;                                                                    \
        va_start(arguments, request);                                                         \
        void *argument = va_arg(arguments, void *);                                           \
        va_end(arguments);                                                                    \
        return interpose_ask(fd, request, argument, &result) ? result                         \
                                                             : (next)(fd, request, argument); \
    }

/* True if the kernel carries out the request for every kind of descriptor (FIOCLEX, FIONBIO and the
 * like). Linux handles
 * these requests in fs/ioctl.c. */
static inline bool interpose_is_of_descriptors(unsigned long request)
{
    static const unsigned long requests[] = {FIOCLEX, FIONCLEX, FIONBIO, FIOASYNC};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if ((uint32_t)request == requests[i])
            return true;
    return false;
}

void *interpose_map(void *start, size_t size, int prot, int flags, int fd, off64_t offset);

/* Answers close_range() for a range without any private descriptor of the shim. */
int interpose_close_range(unsigned first, unsigned last, int flags);

/* A timestamp in struct stat. */
struct stat_time {
    int64_t seconds, nanoseconds;
};

/* Result of stat() for a file of the shim. The field types are fixed, so the structure has the same
 * size in every source file, whichever C library types that file is compiled with. */
struct stat_result {
    uint32_t mode, uid, gid;
    struct stat_time times[3]; /* access, modification, status change */
    uint32_t device_major, device_minor;
    uint64_t size;
    uint64_t number; /* inode number (st_ino) */
};

/* Answer stat() for a path (with `folder` and `flags` as in fstatat()) or for a descriptor. Return
 * false if the path or the descriptor does not belong to the shim. */
bool interpose_stat_at(int folder, const char *path, int flags, struct stat_result *looks);
bool interpose_stat_of(int fd, struct stat_result *looks);

/* Like interpose_stat_at(), but called after the C library's function has failed. errno is the
 * error of that function. */
bool interpose_stat_without(int folder, const char *path, int flags, struct stat_result *looks);

/* Returns the path to pass to the C library instead of `path`: `path` itself, or a redirected
 * path, which is stored in `room`. */
const char *interpose_redirect(int folder, const char *path, char room[PATH_MAX]);

/* Copies `size` bytes from `whole` to the program's memory at `to`. Returns 0, or -1 with errno
 * EFAULT. */
int interpose_give(void *to, const void *whole, size_t size);

/* INTERPOSE() and the macros after it define a function that replaces a function of the C library.
 * The shim handles the program's calls. The C library carries out calls by the shim itself, by a
 * thread of the model, and by a signal handler that interrupts either of them. If the shim handled
 * those calls, it could wait for its own lock, or run the model at a moment that depends on the
 * host's timing. */

/* Begins the definition of an interposing function. The function's body follows the macro. `name`
 * is the function's name in C, and `other` is its symbol in the C library. */
#define INTERPOSE_AS(type, name, other, parameters, arguments) \
    static type door_##name parameters;                        \
    SHOWN type name parameters                                 \
    {                                                          \
        if (lock_is_inside())                                  \
            return NEXT_AS(name, other) arguments;             \
        return door_##name arguments;                          \
    }                                                          \
    static type door_##name parameters

#define INTERPOSE(type, name, parameters, arguments) \
    INTERPOSE_AS(type, name, name, parameters, arguments)

/* Defines an interposing function that returns the value of the expression `result`. */
#define INTERPOSE_RESULT(type, name, parameters, arguments, result) \
    INTERPOSE(type, name, parameters, arguments)                    \
    {                                                               \
        return result;                                              \
    }

/* Like INTERPOSE_RESULT(), for a function with the parameter `path`, which is relative to `folder`.
 * `result` uses the path for the C library, in the variable `lead` (interpose_redirect()). */
#define INTERPOSE_PATH(type, name, folder, parameters, arguments, result) \
    INTERPOSE(type, name, parameters, arguments)                          \
    {                                                                     \
        char room[PATH_MAX];                                              \
        const char *lead = interpose_redirect(folder, path, room);        \
        return result;                                                    \
    }

#endif
