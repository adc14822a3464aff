/* SPDX-License-Identifier: MIT */
/* gp_program.h - a GP program ready to run: words, interface, and source positions. */
#ifndef PROGRAM_GP_PROGRAM_H
#define PROGRAM_GP_PROGRAM_H

#include <tessera/utgard.h>

#include "isa/gp/interface.h"
#include "program/program_read.h"

struct tess_gp_program {
    struct program_file file; /* GP_WORDS words per instruction, 1 to GP_PROGRAM_MAX instructions */
    struct gp_interface interface;
};

#endif
