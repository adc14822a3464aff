/* SPDX-License-Identifier: MIT */
/* stale_files.h - names and locks of the temporary files that front ends and shims use while a
 * process runs.
 *
 * A process that uses a temporary file holds it open with a shared lock (flock(2)). A process that
 * obtains an exclusive lock may remove the file, since no process uses the file any more. Locks
 * also work between processes in different PID namespaces. The process that creates a file locks
 * it, and then checks that the file still exists. */
#ifndef FRONT_STALE_FILES_H
#define FRONT_STALE_FILES_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Start of the names of folders that contain the devices and sysfs of a program. */
#define STALE_FILE_TREE "tessera-drm-"
/* Start of the names of files that contain the number of errors of a program. */
#define STALE_FILE_VERDICT "tessera-verdict-"

/* A line of a verdict file, which means that a requested output could not be written. */
#define STALE_FILE_LOST "lost\n"

/* Returns the folder for temporary files: TMPDIR if it is writable, else the first writable one of
 * /tmp and /dev/shm. */
static inline const char *stale_files_folder(void)
{
    const char *wanted = getenv("TMPDIR");
    const char *const folders[] = {wanted && *wanted == '/' ? wanted : "/tmp", "/tmp", "/dev/shm"};
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++)
        if (access(folders[i], W_OK | X_OK) == 0)
            return folders[i];
    return folders[0];
}

/* Tries to obtain the exclusive lock of the opened file or folder. Returns true on success, which
 * means that no other process uses the file or folder. */
static inline bool stale_files_is_left(int file)
{
    return flock(file, LOCK_EX | LOCK_NB) == 0;
}

/* Marks the opened file or folder at path as used. Returns false if another process has already
 * removed it. */
static inline bool stale_files_keep(int file, const char *path)
{
    struct stat here, there;
    return flock(file, LOCK_SH | LOCK_NB) == 0 && fstat(file, &here) == 0 &&
           lstat(path, &there) == 0 && here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

#endif
