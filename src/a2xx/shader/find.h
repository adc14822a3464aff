/* SPDX-License-Identifier: MIT */
/* find.h - records findings from within the machine. */
#ifndef A2XX_SHADER_FIND_H
#define A2XX_SHADER_FIND_H

#include "a2xx/shader/batch.h"

/* Records a violation of a rule. line is the number of a half slot, or A2XX_FAULT_NO_LINE plus the
 * number of an export to which the finding belongs. lanes has the lanes that violate the rule and
 * must not be empty. */
void a2xx_find_at(struct a2xx_machine *machine, enum a2xx_fault fault, uint32_t line,
                  a2xx_mask lanes, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Records a violation at the current instruction: lanes, format, values. */
#define a2xx_find(machine, fault, ...) a2xx_find_at(machine, fault, (machine)->line, __VA_ARGS__)

/* runaway.c: reports lanes that have reached the instruction limit. */
void a2xx_find_runaway(struct a2xx_machine *machine, a2xx_mask lanes);

#endif
