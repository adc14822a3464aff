/* SPDX-License-Identifier: MIT */
/* gl_list.h - tessera gl --list: prints the shim and the Mesas that were found, and the environment
 * for the Mesa that is used. */
#ifndef CLI_GL_LIST_H
#define CLI_GL_LIST_H

#include <stdbool.h>

#include "gl_mesa.h"
#include "program.h"

struct gl_found {
    struct program_kind kind; /* kind of the programs that the list is for */
    const char *shim;         /* path; NULL if there is none */
    const struct gl_mesas *mesas;
};

/* Prints the list to standard output. Returns an exit status: CLI_USAGE if no program can be
 * run. */
int gl_list_print(const char *title, const struct gl_found *found, bool json);

/* Remedies if there is no shim, and if there is no Mesa with vc4. */
extern const char gl_list_no_shim[];
const char *gl_list_no_mesa(const struct program_kind *kind);

#endif
