/* SPDX-License-Identifier: MIT */
/* find.h - noting findings from within the machine. */
#ifndef UTGARD_FIND_H
#define UTGARD_FIND_H

#include "utgard/machine.h"

/* Lanes, one at least, break a rule at the instruction that their group executes. */
void gp_find(struct gp_machine *machine, enum fault_rule rule, gp_mask lanes, const char *format,
             ...) __attribute__((format(printf, 4, 5)));

/* The same about something else than an instruction, number 0 to 63. */
void gp_find_at(struct gp_machine *machine, enum fault_rule rule, unsigned number, gp_mask lanes,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
