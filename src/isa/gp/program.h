/* SPDX-License-Identifier: MIT */
/* program.h - a GP program as it is run: words, interface, and where they come from. */
#ifndef ISA_GP_PROGRAM_H
#define ISA_GP_PROGRAM_H

#include <tessera/utgard.h>

#include "isa/code.h"
#include "isa/gp/interface.h"

struct tess_gp_program {
    uint32_t *words;     /* GP_WORDS for each instruction */
    size_t instructions; /* 1 to GP_PROGRAM_MAX */
    uint32_t address;    /* of instruction 0, in the file */
    struct gp_interface interface;
    struct code_image image; /* labels and source lines */
};

#endif
