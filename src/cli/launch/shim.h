/* SPDX-License-Identifier: MIT */
/* shim.h - finds the library that a verb preloads into programs. */
#ifndef CLI_LAUNCH_SHIM_H
#define CLI_LAUNCH_SHIM_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/launch/program.h"

/* A shim of Tessera. */
struct shim {
    const char *file; /* file name */
    const char *tree; /* folder in a build tree */
    const char *page; /* page that explains how to build the shim */
};

/* Finds the path of the shim for a kind of program. Returns false if no such shim is found. */
bool shim_find(const struct shim *shim, const struct program_kind *kind, char *path, size_t size);

/* Like shim_find(), but prints an error message if no shim is found. */
bool shim_of_program(const char *title, const char *program, const struct shim *shim,
                     const struct program_kind *kind, char *path, size_t size);

/* Adds a shim, and any library that must precede it, to the front of LD_PRELOAD. Returns false
 * after an error message. */
bool shim_preload(const char *title, const char *path);

/* Preloads the shim for /dev/vcio, /dev/mem and the other devices and files of a board
 * (docs/qpu.md). Returns false after an error message if no such shim fits the program. */
bool shim_preload_vcio(const char *title, const char *program, const struct program_kind *kind);

#endif
