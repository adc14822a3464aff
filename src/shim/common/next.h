/* SPDX-License-Identifier: MIT */
/* next.h - the C library behind a shim: what the shim's own code calls where the program's calls lead into the shim. */
#ifndef SHIM_COMMON_NEXT_H
#define SHIM_COMMON_NEXT_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/* What the program calls instead of the C library's function of that name (door.h). */
#define SHOWN __attribute__((visibility("default")))

/* The next definition of a function behind the shim, looked up once and kept. NULL: the C library has none. */
void *doors_next(const char *name, void **kept);

/* The function of that name behind the shim. */
#define NEXT(name)                                        \
    ({                                                    \
        static void *next_kept;                           \
        (__typeof__(&name))doors_next(#name, &next_kept); \
    })

/* The C library's function of another name, with the type of the one that is named first. */
#define NEXT_AS(name, other)                               \
    ({                                                     \
        static void *next_kept;                            \
        (__typeof__(&name))doors_next(#other, &next_kept); \
    })

void *real_mmap(void *start, size_t size, int prot, int flags, int fd, off64_t offset);
int real_munmap(void *start, size_t size);
int real_open(const char *path, int flags, mode_t mode);
int real_close(int fd);
int real_fstat(int fd, struct stat64 *status);
int real_fstatat(int folder, const char *path, struct stat64 *status, int flags);

#endif
