/* SPDX-License-Identifier: MIT */
/* find.h - records findings from within the machine. */
#ifndef MALI_GP_FIND_H
#define MALI_GP_FIND_H

#include "mali/gp/batch.h"

/* Records a violation of a rule at the current instruction of the executing group. lanes has the
 * lanes that violate the rule and must not be empty. */
void gp_report(struct gp_machine *machine, enum fault_rule rule, gp_mask lanes, const char *format,
               ...) __attribute__((format(printf, 4, 5)));

/* Like gp_report(), but the finding belongs to a varying component (number 0 to 63) and not to an
 * instruction. */
void gp_find_at(struct gp_machine *machine, enum fault_rule rule, unsigned number, gp_mask lanes,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
