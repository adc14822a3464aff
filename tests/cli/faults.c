/* SPDX-License-Identifier: MIT */
/* faults.c - a preloaded library that lets one call of the C library fail, for tests/cli/faults.py.
 *
 * In:  environment variables. FAULT_CALL is the function. FAULT_NUMBER is the number of the failing
 * call, from 1 on, or 0 for no failure. FAULT_ALL is a folder in which each process leaves a file
 * with the names of the called functions and the numbers of calls. FAULT_ONLY is the name of the
 * only process that is affected.
 * Out: the call's error as on Linux. Two values of FAULT_CALL are not names of functions: "short"
 * is a write() of half the bytes, and "exchange" is a file system without RENAME_EXCHANGE.
 *
 * Calls are counted from the end of this library's constructor, the last constructor before
 * main(). */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum call {
    OPEN,
    FOPEN,
    STREAM,
    WRITE,
    FSYNC,
    RENAME,
    CLOSE,
    CHMOD,
    RANDOM,
    MEMORY,
    SHORT,
    EXCHANGE,
    CALLS
};

static const struct {
    const char *name;
    int error;
} calls[CALLS] = {
    /* clang-format off */
    /* clang-format off */
    [OPEN]     = {"open",     EMFILE},
    [FOPEN]    = {"fopen",    EMFILE},
    [STREAM]   = {"stream",   ENOMEM},
    [WRITE]    = {"write",    ENOSPC},
    [FSYNC]    = {"fsync",    EIO},
    [RENAME]   = {"rename",   EIO},
    [CLOSE]    = {"close",    EIO},
    [CHMOD]    = {"chmod",    EIO},
    [RANDOM]   = {"random",   EIO},
    [MEMORY]   = {"memory",   ENOMEM},
    [SHORT]    = {"short",    0},
    [EXCHANGE] = {"exchange", EINVAL},
    /* clang-format on */
    /* clang-format on */
};

static atomic_bool counting;
static enum call chosen = CALLS;
static unsigned long number;
static atomic_ulong counts[CALLS];

/* Returns true and sets errno if this call must fail. */
static bool fails(enum call call)
{
    if (!atomic_load(&counting))
        return false;
    unsigned long count = atomic_fetch_add(&counts[call], 1) + 1;
    if (call != chosen || (call == EXCHANGE ? !number : count != number))
        return false;
    errno = calls[call].error;
    return true;
}

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

#define NEXT(name) ((__typeof__(name) *)next(#name))

__attribute__((constructor)) static void begin(void)
{
    const char *call = getenv("FAULT_CALL"), *text = getenv("FAULT_NUMBER"),
               *only = getenv("FAULT_ONLY");
    for (int i = 0; call && i < CALLS; i++)
        if (strcmp(call, calls[i].name) == 0)
            chosen = (enum call)i;
    number = text ? strtoul(text, NULL, 10) : 0;
    atomic_store(&counting, !only || strcmp(only, program_invocation_short_name) == 0);
}

/* Writes the file in the folder FAULT_ALL. Uses none of the functions that this library
 * replaces. */
__attribute__((destructor)) static void end(void)
{
    char path[4096], line[64];
    const char *folder = getenv("FAULT_ALL");
    if (!folder || !atomic_exchange(&counting, false))
        return;
    snprintf(path, sizeof path, "%s/%s-%ld", folder, program_invocation_short_name, (long)getpid());
    long file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT, 0666);
    for (int i = 0; i < CALLS; i++) {
        int length = snprintf(line, sizeof line, "%s %lu\n", calls[i].name,
                              atomic_load(&counts[i]));
        syscall(SYS_write, file, line, (size_t)length);
    }
}

/* --- files --- */

static mode_t mode_of(int flags, va_list arguments)
{
    return flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
}

#define OPENS(name)                                              \
    int name(const char *path, int flags, ...)                   \
    {                                                            \
        va_list arguments;                                       \
        va_start(arguments, flags);                              \
        mode_t mode = mode_of(flags, arguments);                 \
        va_end(arguments);                                       \
        return fails(OPEN) ? -1 : NEXT(name)(path, flags, mode); \
    }
OPENS(open)
OPENS(open64)

#define FOPENS(name)                                         \
    FILE *name(const char *path, const char *mode)           \
    {                                                        \
        return fails(FOPEN) ? NULL : NEXT(name)(path, mode); \
    }
FOPENS(fopen)
FOPENS(fopen64)

FILE *fdopen(int file, const char *mode)
{
    return fails(STREAM) ? NULL : NEXT(fdopen)(file, mode);
}

FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions)
{
    return fails(STREAM) ? NULL : NEXT(fopencookie)(cookie, mode, functions);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    if (fails(WRITE))
        return -1;
    if (size > 1 && fails(SHORT))
        size /= 2;
    return NEXT(write)(file, bytes, size);
}

int fsync(int file)
{
    return fails(FSYNC) ? -1 : NEXT(fsync)(file);
}

int rename(const char *from, const char *to)
{
    return fails(RENAME) ? -1 : NEXT(rename)(from, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    if (fails(RENAME) || (flags && fails(EXCHANGE)))
        return -1;
    return NEXT(renameat2)(from_folder, from, to_folder, to, flags);
}

/* The descriptor is closed even if the call fails. */
int close(int file)
{
    int result = NEXT(close)(file);
    return fails(CLOSE) ? -1 : result;
}

int fchmod(int file, mode_t mode)
{
    return fails(CHMOD) ? -1 : NEXT(fchmod)(file, mode);
}

ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    return fails(RANDOM) ? -1 : NEXT(getrandom)(bytes, size, flags);
}

/* --- memory --- */

#ifdef FAULT_MEMORY
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size)
{
    return fails(MEMORY) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(MEMORY) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails(MEMORY) ? NULL : __libc_realloc(memory, size);
}
#endif
