/* SPDX-License-Identifier: MIT */
/* check_steps.h - mistakes in the ".scene" lines of a source. */
#ifndef ISA_CHECK_STEPS_H
#define ISA_CHECK_STEPS_H

#include "asm/asm.h"

/* Reports them at their lines. TESS_WRONG if there is an error; else TESS_OK or TESS_NO_MEMORY. */
enum tess_status check_steps(const struct asm_program *program, struct tess_sink sink);

#endif
