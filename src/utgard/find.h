/* SPDX-License-Identifier: MIT */
/* find.h - noting findings from within the machine. */
#ifndef UTGARD_FIND_H
#define UTGARD_FIND_H

#include "utgard/machine.h"

/* Lanes, one at least, break a rule at the instruction that their group executes. */
void gp_find(struct gp_machine *machine, enum fault_rule rule, gp_mask lanes, const char *format,
             ...) __attribute__((format(printf, 4, 5)));

/* The same about no instruction. */
void gp_find_vertex(struct gp_machine *machine, enum fault_rule rule, gp_mask lanes,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
