/* SPDX-License-Identifier: MIT */
/* check.h - the sanitizer: what an instruction does wrong with what the lanes have done before it.
 *
 * In:      instructions, and the lanes that execute them.
 * Out:     findings, and what later checks must know: what has been written, reserved, exported.
 * Source:  digest a2xx.md, sections 4, 11 and 12; docs/a2xx/findings.md has each rule's. */
#ifndef A2XX_CHECK_H
#define A2XX_CHECK_H

#include "a2xx/machine.h"

/* An instruction of a clause. */
struct a2xx_place {
    const struct a2xx_exec *exec;
    unsigned number; /* in the clause */
    bool partly;     /* the clause is predicated, and not all lanes of the group have entered it */
};

/* Before the instruction is executed: lanes are those whose predicate lets them. */
void a2xx_check_alu(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                    const struct a2xx_place *place, a2xx_mask lanes);
void a2xx_check_fetch(struct a2xx_machine *machine, const struct a2xx_fetch *fetch,
                      const struct a2xx_place *place, a2xx_mask lanes);

/* These lanes test the predicate. */
void a2xx_check_predicate(struct a2xx_machine *machine, a2xx_mask lanes);

/* A scalar function has computed a result from an operand. */
void a2xx_note_function(struct a2xx_machine *machine, const struct a2xx_row *operand,
                        const struct a2xx_row *result, a2xx_mask lanes);

/* These components of an export have been written: positions must be finite, others numbers. */
void a2xx_check_export(struct a2xx_machine *machine, unsigned number, unsigned components,
                       a2xx_mask lanes);

/* These lanes end. */
void a2xx_check_end(struct a2xx_machine *machine, a2xx_mask lanes);

/* ALLOC. */
void a2xx_check_alloc(struct a2xx_machine *machine, const struct a2xx_alloc *alloc,
                      a2xx_mask lanes);

#endif
