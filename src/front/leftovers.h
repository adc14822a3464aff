/* SPDX-License-Identifier: MIT */
/* leftovers.h - names of what front ends and shims keep in the folder for temporary files while a process runs: each begins so,
 * and goes on with the number of the process and a hyphen. Whoever finds one of a process that is no more may remove it. */
#ifndef FRONT_LEFTOVERS_H
#define FRONT_LEFTOVERS_H

#define LEFTOVER_TREE \
    "tessera-drm-" /* folders: the device files and the sysfs that a program sees */
#define LEFTOVER_VERDICT "tessera-verdict-" /* files: how many errors a program has */

#endif
