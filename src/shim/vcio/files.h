/* SPDX-License-Identifier: MIT */
/* files.h - files of a Raspberry Pi that the host may not have: devices, the device tree,
 * /proc/cpuinfo. */
#ifndef VCIO_FILES_H
#define VCIO_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum file_kind {
    FILE_NONE, /* not a faked file */
    FILE_TEXT, /* a file whose content is a text */
    FILE_FOLDER,
    FILE_VCIO, /* the property mailbox */
    FILE_MEM,  /* physical memory */
    FILE_GPIOMEM,
    FILE_VCSM,
    FILE_VCSM_CMA,
    FILE_DMA_HEAP,
    FILE_DMA_BUF, /* a dma-buf, created by FILE_VCSM_CMA or FILE_DMA_HEAP; has no path */
    FILE_KINDS
};

struct file {
    const char *path;
    enum file_kind kind;
    unsigned device_major, device_minor; /* device numbers */
    size_t (*content)(
        char *text,
        size_t size); /* text file: writes at most size bytes, returns the full length */
};

/* Returns the faked file at a path, or NULL if none exists. The path is relative to `folder`, an
 * open folder or AT_FDCWD. */
const struct file *file_find(int folder, const char *path);

/* Returns the mailbox if the program has created a device node of the mailbox at the path, or if
 * the path has the usual name of such a node (char_dev). Returns NULL for other paths. Called after
 * the system has failed to open the path. */
const struct file *file_find_node(int folder, const char *path);

/* Opens a faked file with the flags of open(). Returns a descriptor, or -1 with errno set. */
int file_open(const struct file *file, int flags);

/* Returns the faked file of a descriptor, or NULL. */
const struct file *file_behind(int fd);

/* Writes the canonical path of a faked file. Returns false if the path is too long. */
bool file_real_path(const struct file *file, char path[PATH_MAX]);

/* Returns the inode number of a faked file. Each faked file has a different one. */
unsigned file_number(const struct file *file);

/* Returns the faked file with a kind of device, such as FILE_VCIO. */
const struct file *file_of_kind(enum file_kind kind);

/* Carries out mknod() of a character device that has the mailbox's device number. Returns 0, or -1
 * with errno set. */
int file_make_node(int folder, const char *path, mode_t mode);

/* True if a device number is the mailbox's. */
bool file_is_mailbox(dev_t device);

#endif
