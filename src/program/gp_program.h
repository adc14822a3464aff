/* SPDX-License-Identifier: MIT */
/* gp_program.h - a GP program ready to run: words, interface, and source positions. */
#ifndef PROGRAM_GP_PROGRAM_H
#define PROGRAM_GP_PROGRAM_H

#include <tessera/utgard.h>

#include "program/program_read.h"

struct tess_gp_program {
    struct program_file file; /* GP_WORDS words per instruction, 1 to GP_PROGRAM_MAX instructions */
};

struct operation_list;

/* Like tess_gp_program_text(). Also lists the slots and their operands if operations is not
 * NULL. */
size_t gp_program_put(const struct tess_gp_program *program, size_t instruction, char *text,
                      size_t size, struct operation_list *operations);

#endif
