/* SPDX-License-Identifier: MIT */
/* next.h - the C library's functions, for the shim's own code. A plain call of an interposed
 * function would reach the shim again. */
#ifndef SHIM_COMMON_NEXT_H
#define SHIM_COMMON_NEXT_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Makes a function visible to the program, which then calls it instead of the C library's function
 * of that name (interpose.h). */
#define SHOWN __attribute__((visibility("default")))

/* Returns the definition of a function that follows the shim's definition in the search order of
 * the dynamic linker, or NULL if none exists. Stores the result in *kept for later calls. */
void *interpose_next(const char *name, void **kept);

/* Pointer to the C library's function `name`, which the dynamic linker looks up at the first
 * use. */
#define NEXT(name)                                            \
    ({                                                        \
        static void *next_kept;                               \
        (__typeof__(&name))interpose_next(#name, &next_kept); \
    })

/* The function of the C library with the symbol `other`, as a function of the type of `name`. */
#define NEXT_AS(name, other)                                   \
    ({                                                         \
        static void *next_kept;                                \
        (__typeof__(&name))interpose_next(#other, &next_kept); \
    })

void *real_mmap(void *start, size_t size, int prot, int flags, int fd, off64_t offset);
int real_munmap(void *start, size_t size);
int real_open(const char *path, int flags, mode_t mode);
int real_close(int fd);
int real_fstat(int fd, struct stat64 *status);
int real_fstatat(int folder, const char *path, struct stat64 *status, int flags);

#endif
