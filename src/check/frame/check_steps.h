/* SPDX-License-Identifier: MIT */
/* check_steps.h - checks the ".scene" lines of a source. */
#ifndef CHECK_FRAME_CHECK_STEPS_H
#define CHECK_FRAME_CHECK_STEPS_H

#include "asm/asm.h"

/* Checks the steps of a program. Reports each mistake at its line in the source. Returns TESS_WRONG
 * if there is an error, TESS_NO_MEMORY if the host is out of memory, and otherwise TESS_OK. */
enum tess_status check_steps(const struct asm_program *program, struct tess_sink sink);

#endif
