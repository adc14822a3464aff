/* SPDX-License-Identifier: MIT */
/* leftovers.h - names of what front ends and shims keep in the folder for temporary files while a process runs: each begins so,
 * and goes on with the number of the process and a hyphen. Whoever finds one of a process that is no more may remove it. */
#ifndef FRONT_LEFTOVERS_H
#define FRONT_LEFTOVERS_H

#include <stdlib.h>
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

#endif
