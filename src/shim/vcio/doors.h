/* SPDX-License-Identifier: MIT */
/* doors.h - the C library behind the shim: what the shim's own code calls where the program's calls lead into the shim. */
#ifndef VCIO_DOORS_H
#define VCIO_DOORS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "machine.h"

/* What the program calls instead of the C library's function of that name. */
#define DOOR __attribute__((visibility("default")))

/* The next definition of a function behind the shim, looked up once and kept. NULL: the C library has none. */
void *doors_next(const char *name, void **kept);

/* The function of that name behind the shim. */
#define NEXT(name)                                        \
    ({                                                    \
        static void *next_kept;                           \
        (__typeof__(&name))doors_next(#name, &next_kept); \
    })

/* Defines the door of a function at which pending work is done, and nothing else. */
#define WAIT(type, name, parameters, arguments) \
    DOOR type name parameters                   \
    {                                           \
        machine_let_run();                      \
        return NEXT(name) arguments;            \
    }

/* ioctl() of a descriptor of one of our devices: true, and its result; else false. */
bool doors_ioctl(int fd, unsigned long request, void *argument, int *result);

void *real_mmap(void *start, size_t size, int prot, int flags, int fd, off64_t offset);
int real_munmap(void *start, size_t size);
int real_open(const char *path, int flags, mode_t mode);
int real_close(int fd);
int real_fstat(int fd, struct stat64 *status);
int real_fstatat(int folder, const char *path, struct stat64 *status, int flags);

#endif
