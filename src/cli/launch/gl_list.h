/* SPDX-License-Identifier: MIT */
/* gl_list.h - tessera gl --list: prints the shim and the Mesas that were found, and the environment
 * for the Mesa that is used. */
#ifndef CLI_LAUNCH_GL_LIST_H
#define CLI_LAUNCH_GL_LIST_H

#include <stdbool.h>

#include "cli/launch/gl_mesa.h"
#include "cli/launch/program.h"

struct gl_found {
    struct program_kind kind; /* processor of the programs that the list is for */
    const char *shim;         /* path of the shim, or NULL if no shim was found */
    const struct gl_mesas *mesas;
};

/* Prints the list to standard output. Returns CLI_DONE, or CLI_USAGE if the shim or a usable Mesa
 * is missing or the list cannot be written. */
int gl_list_print(const char *title, const struct gl_found *found, bool json);

/* gl_list_no_shim: remedy if no shim was found. gl_list_no_mesa(): remedy if no usable Mesa was
 * found for this GPU and kind of program. */
extern const char gl_list_no_shim[];
const char *gl_list_no_mesa(const struct gl_gpu *gpu, const struct program_kind *kind);

#endif
