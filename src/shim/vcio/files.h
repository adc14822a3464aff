/* SPDX-License-Identifier: MIT */
/* files.h - the paths that a Raspberry Pi has and this computer may not: devices, device tree, /proc/cpuinfo. */
#ifndef VCIO_FILES_H
#define VCIO_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum file_kind {
    FILE_NONE, /* not ours */
    FILE_TEXT, /* a file with content */
    FILE_FOLDER,
    FILE_VCIO, /* the property mailbox */
    FILE_MEM,  /* physical memory */
    FILE_GPIOMEM,
    FILE_VCSM,
    FILE_VCSM_CMA,
    FILE_DMA_HEAP,
    FILE_DMA_BUF, /* what these two give; has no path */
    FILE_KINDS
};

struct file {
    const char *path;
    enum file_kind kind;
    unsigned device_major, device_minor; /* of a device */
    size_t (*content)(
        char *text,
        size_t size); /* of a text: fills in at most size bytes, returns how many there are */
};

/* The faked file at a path, as the program writes it, relative to an open folder or AT_FDCWD; NULL if it is none of ours. */
const struct file *file_find(int folder, const char *path);

/* The faked file that stands for a device node which the program has made itself or expects to be there (char_dev), once
 * the system has refused to open it; NULL if it is none. */
const struct file *file_find_node(int folder, const char *path);

/* Opens a faked file with open()'s flags: a descriptor, or -1 and errno. */
int file_open(const struct file *file, int flags);

/* The faked file that an open descriptor of the program is of, NULL: none; and its kind, FILE_NONE: none of ours. */
const struct file *file_behind(int fd);
enum file_kind file_of_fd(int fd);

/* What realpath() says of a faked file. */
bool file_real_path(const struct file *file, char path[PATH_MAX]);

/* A number that tells a faked file from all others: its inode's. */
unsigned file_number(const struct file *file);

/* The faked file of a kind of device. */
const struct file *file_of_kind(enum file_kind kind);

/* mknod() of a character device with the mailbox's numbers: 0, or -1 and errno. */
int file_make_node(int folder, const char *path, mode_t mode);

/* Whether a device number is the mailbox's. */
bool file_is_mailbox(dev_t device);

#endif
