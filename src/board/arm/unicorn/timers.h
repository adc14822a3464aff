/* SPDX-License-Identifier: MIT */
/* timers.h - what the engine does for system registers and cache maintenance, of 32 and 64 bits. */
#ifndef BOARD_ARM_UNICORN_TIMERS_H
#define BOARD_ARM_UNICORN_TIMERS_H

#include "board/arm/unicorn/core.h"

/* MIDR of a Cortex-A53, revision r0p4. */
#define UC_CORTEX_A53 UINT32_C(0x410fd034)

enum uc_action {
    UC_FREQUENCY, /* of the generic timers */
    UC_COUNTER,
    UC_TIMER_VALUE,   /* compare value minus count, 32 bits */
    UC_TIMER_CONTROL, /* enable, mask, condition */
    UC_TIMER_COMPARE, /* 64 bits */
    UC_CYCLES,        /* counter of cycles */
    UC_AFFINITY,      /* MPIDR: the core's number */
    UC_IDENTITY,      /* MIDR of a Cortex-A53 with 32 bits */
    UC_CORE_CONTROL,  /* CPUACTLR, CPUECTLR of a Cortex-A53 */
    UC_MAINTAIN_LINE, /* cache maintenance by address */
    UC_MAINTAIN_ALL,  /* by set and way, or all */
    UC_ZERO_LINE,     /* a line is filled with zeros */
    UC_CODE_LINE,     /* a line of the instruction cache is invalidated */
    UC_CODE_CHANGED,  /* the instruction cache is invalidated */
};

/* Returns true if the board need not know of the maintenance of data caches, which the engine then
 * leaves to Unicorn. */
bool uc_is_unseen(const struct uc_core *core, enum uc_action action);

/* Read and write the register of an action before UC_MAINTAIN_LINE. */
uint64_t uc_read_action(struct uc_core *core, enum uc_action action, unsigned timer);
void uc_write_action(struct uc_core *core, enum uc_action action, unsigned timer, uint64_t value);

/* Reads the register at an instruction. If the core polls it, moves the core's cycle as
 * uc_skip_polls() does. */
uint64_t uc_poll_action(struct uc_core *core, enum uc_action action, unsigned timer, uint64_t pc);

/* Reports cache maintenance to the board; Unicorn executes the instruction. what are ARM_CLEAN and
 * ARM_INVALIDATE; addresses are virtual, and `last` is in the last line. */
void uc_maintain(struct uc_core *core, enum uc_action action, unsigned what, uint64_t address);
void uc_maintain_range(struct uc_core *core, unsigned what, uint32_t first, uint32_t last);

#endif
