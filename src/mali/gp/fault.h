/* SPDX-License-Identifier: MIT */
/* fault.h - the rules that a GP program can break while it runs, and the report of findings
 * (exec/item_log.h). */
#ifndef MALI_GP_FAULT_H
#define MALI_GP_FAULT_H

#include <tessera/utgard.h>

#include "exec/item_log.h"
#include "isa/gp/gp_isa.h"

enum fault_rule {
#define FAULT(name, ...) FAULT_##name,
#include "mali/gp/faults.def"
#undef FAULT
    FAULT_RULES
};

enum {
    /* line numbers from this number on represent a varying component instead of an instruction */
    FAULT_NO_LINE = GP_PROGRAM_MAX,
    FAULT_LINES = FAULT_NO_LINE + 64,
};

/* Reports the findings in the log, in the order of vertices, and empties the log. The positions in
 * the source text are from `program`. */
void fault_report(struct item_log *log, struct item_reported *reported,
                  const struct tess_gp_program *program,
                  const struct tess_machine_options *options);

#endif
