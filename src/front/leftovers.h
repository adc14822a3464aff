/* SPDX-License-Identifier: MIT */
/* leftovers.h - temporary files and folders that front ends and shims keep while a process runs,
 * and that may be stale.
 *
 * Each process that uses such a file keeps it open with a shared lock (flock(2)). A process that
 * obtains an exclusive lock may remove the file, even from another PID namespace. The creator of a
 * file checks after locking that the file still exists. */
#ifndef FRONT_LEFTOVERS_H
#define FRONT_LEFTOVERS_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Prefix of folders that contain the devices and sysfs of a program. */
#define LEFTOVER_TREE "tessera-drm-"
/* Prefix of files that contain the number of errors of a program. */
#define LEFTOVER_VERDICT "tessera-verdict-"

/* Line of a verdict file: a requested output could not be written. */
#define LEFTOVER_LOST "lost\n"

/* Returns the folder for temporary files: TMPDIR if it is an absolute path and writable, else the
 * first writable folder of /tmp and /dev/shm. */
static inline const char *leftovers_folder(void)
{
    const char *wanted = getenv("TMPDIR");
    const char *const folders[] = {wanted && *wanted == '/' ? wanted : "/tmp", "/tmp", "/dev/shm"};
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++)
        if (access(folders[i], W_OK | X_OK) == 0)
            return folders[i];
    return folders[0];
}

/* Locks an open file exclusively. Returns true if no other process uses the file. */
static inline bool leftovers_is_left(int file)
{
    return flock(file, LOCK_EX | LOCK_NB) == 0;
}

/* Locks the open file at path, so that other processes do not remove it. Returns false if another
 * process has already locked or removed the file. */
static inline bool leftovers_keep(int file, const char *path)
{
    struct stat here, there;
    return flock(file, LOCK_SH | LOCK_NB) == 0 && fstat(file, &here) == 0 &&
           lstat(path, &there) == 0 && here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

#endif
