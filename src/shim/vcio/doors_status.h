/* SPDX-License-Identifier: MIT */
/* doors_status.h - what functions like stat() have in common, whatever structure they fill in. */
#ifndef VCIO_DOORS_STATUS_H
#define VCIO_DOORS_STATUS_H

#include <string.h>
#include <sys/types.h>

#include "files.h"

/* What stat() says of a faked file. */
struct looks {
    mode_t mode;
    dev_t device;
    uint64_t size;
};

struct looks doors_looks(const struct file *file);

/* The faked file that fstatat() and the like mean, and the node that they mean once the system has found nothing; or NULL. */
const struct file *doors_file_meant(int folder, const char *path, int flags);
const struct file *doors_node_meant(int folder, const char *path, int flags);

/* Fills in a structure of any of the C library's kinds. */
#define FILL(status, file)                                             \
    do {                                                               \
        struct looks looks = doors_looks(file);                        \
        memset(status, 0, sizeof *(status));                           \
        (status)->st_mode = looks.mode;                                \
        (status)->st_rdev = looks.device;                              \
        (status)->st_size = (__typeof__((status)->st_size))looks.size; \
        (status)->st_nlink = 1;                                        \
        (status)->st_ino = file_number(file);                          \
        (status)->st_blksize = 4096;                                   \
    } while (0)

/* The body of a function with the meaning of fstatat(): what is faked, else the call, else a node. */
#define STATUS_AT(folder, path, status, flags, call)                 \
    const struct file *file = doors_file_meant(folder, path, flags); \
    int result = file ? 0 : (call);                                  \
    if (result != 0)                                                 \
        file = doors_node_meant(folder, path, flags);                \
    if (!file)                                                       \
        return result;                                               \
    FILL(status, file);                                              \
    return 0

/* Likewise of fstat(). */
#define STATUS_OF(fd, status, call)            \
    const struct file *file = file_behind(fd); \
    if (!file)                                 \
        return call;                           \
    FILL(status, file);                        \
    return 0

#endif
