/* SPDX-License-Identifier: MIT */
/* program.h - a GP program ready to run: words, interface, and source positions. */
#ifndef ISA_GP_PROGRAM_H
#define ISA_GP_PROGRAM_H

#include <tessera/utgard.h>

#include "isa/gp/interface.h"
#include "isa/program_read.h"

struct tess_gp_program {
    struct program_file file; /* GP_WORDS words per instruction, 1 to GP_PROGRAM_MAX instructions */
    struct gp_interface interface;
};

#endif
