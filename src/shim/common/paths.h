/* SPDX-License-Identifier: MIT */
/* paths.h - absolute paths for paths that the program passes in calls. */
#ifndef SHIM_COMMON_PATHS_H
#define SHIM_COMMON_PATHS_H

#include <limits.h>
#include <stdbool.h>

/* Computes the absolute path of `path`, which is relative to `folder`, an open folder or AT_FDCWD.
 * Returns false if there is no absolute path, or if it is too long. May change errno. */
bool paths_absolute(int folder, const char *path, char full[PATH_MAX]);

/* Removes "//", "/./" and "/../" from an absolute path, in place. Keeps a slash at the end, because
 * it has a meaning for the system. */
void paths_tidy(char *path);

#endif
