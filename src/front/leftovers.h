/* SPDX-License-Identifier: MIT */
/* leftovers.h - names of what front ends and shims keep in the folder for temporary files while a process runs: each begins so.
 * Who needs one has it open, with a shared lock (flock(2)). So whoever gets an exclusive one may remove it, in whatever PID
 * namespace it was made; and whoever has made one looks whether it is still there when it has the lock. */
#ifndef FRONT_LEFTOVERS_H
#define FRONT_LEFTOVERS_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEFTOVER_TREE    "tessera-drm-"     /* folders: devices and sysfs of a program */
#define LEFTOVER_VERDICT "tessera-verdict-" /* files: how many errors a program has */

/* A line of a verdict: something that was asked for could not be written. */
#define LEFTOVER_LOST "lost\n"

/* Where temporary files go: TMPDIR if it can be written to, else what can. */
static inline const char *leftovers_folder(void)
{
    const char *wanted = getenv("TMPDIR");
    const char *const folders[] = {wanted && *wanted == '/' ? wanted : "/tmp", "/tmp", "/dev/shm"};
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++)
        if (access(folders[i], W_OK | X_OK) == 0)
            return folders[i];
    return folders[0];
}

/* Whether nobody needs what has been opened. */
static inline bool leftovers_is_left(int file)
{
    return flock(file, LOCK_EX | LOCK_NB) == 0;
}

/* Says that what has been opened, and is at path, is needed. False: somebody has taken it for left over already. */
static inline bool leftovers_keep(int file, const char *path)
{
    struct stat here, there;
    return flock(file, LOCK_SH | LOCK_NB) == 0 && fstat(file, &here) == 0 &&
           lstat(path, &there) == 0 && here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

#endif
