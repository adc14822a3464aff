/* SPDX-License-Identifier: MIT */
/* check_steps.h - checks the ".scene" lines of a source. */
#ifndef ISA_CHECK_STEPS_H
#define ISA_CHECK_STEPS_H

#include "asm/asm.h"

/* Reports mistakes at their lines. Returns TESS_WRONG if there is an error, otherwise TESS_OK
 * or TESS_NO_MEMORY. */
enum tess_status check_steps(const struct asm_program *program, struct tess_sink sink);

#endif
