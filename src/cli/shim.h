/* SPDX-License-Identifier: MIT */
/* shim.h - finds the library that a verb loads into programs. */
#ifndef CLI_SHIM_H
#define CLI_SHIM_H

#include <stdbool.h>
#include <stddef.h>

#include "program.h"

/* One of our shims. */
struct shim {
    const char *file; /* its name */
    const char *tree; /* its folder in a build tree */
    const char *page; /* what tells how to build it */
};

/* The path of the shim for a kind of program; false if there is none. */
bool shim_find(const struct shim *shim, const struct program_kind *kind, char *path, size_t size);

/* The same, and stderr is told why the program cannot be run. */
bool shim_of_program(const char *title, const char *program, const struct shim *shim,
                     const struct program_kind *kind, char *path, size_t size);

/* Puts a shim, and whatever must come before it, in front of LD_PRELOAD. False, and stderr has been told, if it cannot. */
bool shim_preload(const char *title, const char *path);

/* Puts the shim of a board's other devices and files (docs/qpu.md) in front of a program. False, and stderr has been told,
 * if there is none for it. */
bool shim_preload_vcio(const char *title, const char *program, const struct program_kind *kind);

#endif
