/* SPDX-License-Identifier: MIT */
/* fault.h - the rules that an A2xx program can break while it runs, and the report of findings
 * (exec/item_log.h). */
#ifndef A2XX_SHADER_FAULT_H
#define A2XX_SHADER_FAULT_H

#include <tessera/a2xx.h>

#include "exec/item_log.h"
#include "isa/a2xx/a2xx_isa.h"

enum a2xx_fault {
#define FAULT(name, ...) A2XX_FAULT_##name,
#include "a2xx/shader/faults.def"
#undef FAULT
    A2XX_FAULTS
};

#define A2XX_FAULT_BIT(name) (UINT64_C(1) << A2XX_FAULT_##name)

enum {
    /* numbers below this one are halves of slots, numbers from this one on are exports */
    A2XX_FAULT_NO_LINE = 2 * A2XX_SLOTS_MAX,
    A2XX_FAULT_LINES = A2XX_FAULT_NO_LINE + TESS_A2XX_EXPORTS,
};

/* Reports the findings in the log, in the order of lanes, and empties the log. The positions in the
 * source text are from `program`. */
void a2xx_fault_report(struct item_log *log, struct item_reported *reported,
                       const struct tess_a2xx_program *program, enum tess_a2xx_stage stage,
                       const struct tess_machine_options *options);

#endif
