/* SPDX-License-Identifier: MIT */
/* environment.h - turns options of a verb into environment variables for the program that the verb
 * starts. On failure, each function prints an error message and returns false. */
#ifndef CLI_ENVIRONMENT_H
#define CLI_ENVIRONMENT_H

#include <stdbool.h>

bool environment_set(const char *title, const char *name, const char *value);

/* Sets a variable to the absolute path of a file, since the program may change its working folder.
 * "-" stays "-". */
bool environment_set_path(const char *title, const char *name, const char *path);

/* Adds a value to a list separated by colons, at the front or at the end. */
bool environment_add(const char *title, const char *name, const char *value, bool in_front);

/* Registers a file that the program's shim writes, and sets a variable to its absolute path. Fails
 * if the file is also an input or another output. The shim replaces "%" sequences in the path. */
bool environment_set_output(const char *title, const char *name, const char *path);

/* Opens an output to which all processes of the program append, and sets the variable NAME to the
 * output's absolute path. While the program runs, the processes write to a temporary file, whose
 * name is in the variable NAME_NOW. When the program has ended, the temporary file replaces the old
 * file. A path with "%p" names one file per process and is handled as in
 * environment_set_output(). */
bool environment_set_shared_file(const char *title, const char *name, const char *path);

#endif
