/* SPDX-License-Identifier: MIT */
/* program.h - a GP program as it is run: words, interface, and where they come from. */
#ifndef ISA_GP_PROGRAM_H
#define ISA_GP_PROGRAM_H

#include <tessera/utgard.h>

#include "isa/gp/interface.h"
#include "isa/program_read.h"

struct tess_gp_program {
    struct program_file
        file; /* GP_WORDS for each instruction, of which there are 1 to GP_PROGRAM_MAX */
    struct gp_interface interface;
};

#endif
