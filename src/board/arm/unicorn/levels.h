/* SPDX-License-Identifier: MIT */
/* levels.h - moves a 64-bit core to another exception level. */
#ifndef BOARD_ARM_UNICORN_LEVELS_H
#define BOARD_ARM_UNICORN_LEVELS_H

#include "board/arm/unicorn/core.h"

/* Finds the offsets that uc_enter_level() needs, and maps the page of its instruction. Returns false
 * if this version of Unicorn keeps its state in another way. */
bool uc_prepare_levels(struct uc_core *core);

/* Continues at an address with a processor state: exception level, stack pointer and masks as in
 * SPSR. */
void uc_enter_level(struct uc_core *core, uint64_t pc, uint32_t state);

/* Read and write a system register by the fields of an instruction. */
uint64_t uc_system(const struct uc_core *core, unsigned op0, unsigned op1, unsigned crn, unsigned crm,
                   unsigned op2);
void uc_set_system(const struct uc_core *core, unsigned op0, unsigned op1, unsigned crn, unsigned crm,
                   unsigned op2, uint64_t value);

/* Returns the processor state, as in SPSR. */
uint32_t uc_state(const struct uc_core *core);

#endif
