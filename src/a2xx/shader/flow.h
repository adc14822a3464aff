/* SPDX-License-Identifier: MIT */
/* flow.h - control flow of lanes: jumps, loops and calls.
 *
 * In:      control-flow instructions, and the lanes that execute them.
 * Out:     the next position of each lane, its loop counters and its call stack.
 * Source:  docs/hardware/a2xx.md, section 4. Choice: each lane has its own position
 *          (docs/a2xx/core.md). */
#ifndef A2XX_SHADER_FLOW_H
#define A2XX_SHADER_FLOW_H

#include "a2xx/shader/batch.h"

/* Selects the lanes that execute next (.group) and sets their position (.here). Returns false if
 * all lanes have ended. */
bool a2xx_choose_group(struct a2xx_machine *machine);

/* Sets the position of the given lanes in the program. */
void a2xx_move(struct a2xx_machine *machine, a2xx_mask lanes, uint32_t to);

/* a2xx_run_loop() executes LOOP_START and LOOP_END. a2xx_run_jump() executes COND_CALL, RETURN and
 * COND_JMP. Before the call, the lanes' positions must be those of the next instruction. Both
 * functions return the lanes that continue at another position. */
a2xx_mask a2xx_run_loop(struct a2xx_machine *machine, const struct a2xx_loop *loop);
a2xx_mask a2xx_run_jump(struct a2xx_machine *machine, const struct a2xx_jump *jump);

/* Return the lanes in which the boolean constant or the predicate equals the condition. */
a2xx_mask a2xx_test_bool(struct a2xx_machine *machine, uint32_t number, bool condition);
a2xx_mask a2xx_test_predicate(struct a2xx_machine *machine, a2xx_mask lanes, bool condition);

#endif
