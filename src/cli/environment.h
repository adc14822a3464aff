/* SPDX-License-Identifier: MIT */
/* environment.h - options of a verb that become the environment of the program that it starts. All return false, and stderr has
 * been told, if that cannot be. */
#ifndef CLI_ENVIRONMENT_H
#define CLI_ENVIRONMENT_H

#include <stdbool.h>

bool environment_set(const char *title, const char *name, const char *value);

/* A file's name from the root, so that the program may change its folder. "-" stays. */
bool environment_set_path(const char *title, const char *name, const char *path);

/* Adds to a list with colons between. */
bool environment_add(const char *title, const char *name, const char *value, bool in_front);

/* The name of a file that the program's shim writes, which no input and no other output may have. With "%" in it the shim makes
 * names of its own. */
bool environment_set_output(const char *title, const char *name, const char *path);

/* A file that all processes of the program add to: an output of this process, which is empty at first, and replaces the old file
 * when the program has ended. The variable NAME_NOW has its name until then. "%p" makes one for each. */
bool environment_set_shared_file(const char *title, const char *name, const char *path);

#endif
