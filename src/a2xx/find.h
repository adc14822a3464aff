/* SPDX-License-Identifier: MIT */
/* find.h - notes of a machine's findings. */
#ifndef A2XX_FIND_H
#define A2XX_FIND_H

#include "a2xx/machine.h"

/* These lanes, some at least, break a rule at the instruction that is executed. */
void a2xx_find(struct a2xx_machine *machine, enum a2xx_fault fault, a2xx_mask lanes,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same of what no instruction is to blame for, but an export. */
void a2xx_find_export(struct a2xx_machine *machine, enum a2xx_fault fault, unsigned number,
                      a2xx_mask lanes, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
