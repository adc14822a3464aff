/* SPDX-License-Identifier: MIT */
/* gl_list.h - what `tessera gl` has found: the shim, Mesas, and what it makes of them. */
#ifndef CLI_GL_LIST_H
#define CLI_GL_LIST_H

#include <stdbool.h>

#include "gl_mesa.h"
#include "program.h"

struct gl_found {
    struct program_kind kind; /* of programs that this is about */
    const char *shim;         /* NULL: there is none */
    const struct gl_mesas *mesas;
};

/* Prints it to standard output. Returns an exit status: CLI_USAGE if no program can be run. */
int gl_list_print(const char *title, const struct gl_found *found, bool json);

/* What to do where there is no shim, and no Mesa with vc4. */
extern const char gl_list_no_shim[];
const char *gl_list_no_mesa(const struct program_kind *kind);

#endif
