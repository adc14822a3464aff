/* SPDX-License-Identifier: MIT */
/* find.h - records findings from within the machine. */
#ifndef A2XX_SHADER_FIND_H
#define A2XX_SHADER_FIND_H

#include "a2xx/shader/batch.h"

/* Records a violation of a rule at the current instruction. lanes has the lanes that violate the
 * rule and must not be empty. */
void a2xx_find(struct a2xx_machine *machine, enum a2xx_fault fault, a2xx_mask lanes,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Like a2xx_find(), but the finding belongs to an export and not to an instruction. */
void a2xx_find_export(struct a2xx_machine *machine, enum a2xx_fault fault, unsigned number,
                      a2xx_mask lanes, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
