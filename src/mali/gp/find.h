/* SPDX-License-Identifier: MIT */
/* find.h - records findings from within the machine. */
#ifndef MALI_GP_FIND_H
#define MALI_GP_FIND_H

#include "mali/gp/batch.h"

/* Records a violation of a rule. line is the number of the instruction, or FAULT_NO_LINE plus the
 * number (0 to 63) of a varying component to which the finding belongs. lanes has the lanes that
 * violate the rule and must not be empty. */
void gp_find_at(struct gp_machine *machine, enum fault_rule rule, uint32_t line, gp_mask lanes,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Records a violation at the current instruction of the executing group: lanes, format, values. */
#define gp_report(machine, rule, ...) gp_find_at(machine, rule, (machine)->group->pc, __VA_ARGS__)

/* runaway.c: reports lanes that have reached the instruction limit. */
void gp_find_runaway(struct gp_machine *machine, gp_mask lanes);

#endif
