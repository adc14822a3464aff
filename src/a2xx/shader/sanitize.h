/* SPDX-License-Identifier: MIT */
/* sanitize.h - the sanitizer: finds mistakes in instructions. A mistake can depend on what the same
 * lanes have executed before.
 *
 * In:      instructions, and the lanes that execute them.
 * Out:     findings, and the state for later checks: registers written, exports reserved and
 *          written.
 * Source:  docs/hardware/a2xx.md, sections 4, 11 and 12; docs/a2xx/findings.md lists the source of
 *          each rule. */
#ifndef A2XX_SHADER_SANITIZE_H
#define A2XX_SHADER_SANITIZE_H

#include "a2xx/shader/batch.h"

/* The position of an instruction in its clause. */
struct a2xx_place {
    const struct a2xx_exec *exec;
    unsigned number; /* number of the instruction in the clause, from 0 */
    /* true if the clause is predicated and only some lanes of the group execute it */
    bool partly;
};

/* Check an instruction before it is executed. lanes has the lanes that pass the instruction's
 * predicate. */
void a2xx_check_alu(struct a2xx_machine *machine, const struct a2xx_alu_code *code,
                    const struct a2xx_place *place, a2xx_mask lanes);
void a2xx_check_fetch(struct a2xx_machine *machine, const struct a2xx_fetch *fetch,
                      const struct a2xx_place *place, a2xx_mask lanes);

/* Checks that the predicate has been set in the lanes that test it. */
void a2xx_check_predicate(struct a2xx_machine *machine, a2xx_mask lanes);

/* Records lanes in which a scalar function has computed infinity or NaN from a finite operand. */
void a2xx_note_function(struct a2xx_machine *machine, const struct a2xx_row *operand,
                        const struct a2xx_row *result, a2xx_mask lanes);

/* Checks the written components of an export. A position must be finite. Components of other
 * exports must not be NaN. */
void a2xx_check_export(struct a2xx_machine *machine, unsigned number, unsigned components,
                       a2xx_mask lanes);

/* Checks the exports of the lanes that end the program. */
void a2xx_check_end(struct a2xx_machine *machine, a2xx_mask lanes);

/* Records the exports that an ALLOC reserves. Marks all fetch results of the lanes as available,
 * because ALLOC waits for them. */
void a2xx_check_alloc(struct a2xx_machine *machine, const struct a2xx_alloc *alloc,
                      a2xx_mask lanes);

#endif
