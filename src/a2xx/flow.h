/* SPDX-License-Identifier: MIT */
/* flow.h - where lanes are in the program: jumps, loops, calls.
 *
 * In:      control-flow instructions, and the lanes that are at them.
 * Out:     where each lane goes on, its loop counters and its stack of calls.
 * Source:  digest a2xx.md, section 4. Choice: each lane goes its own way (docs/a2xx/core.md). */
#ifndef A2XX_FLOW_H
#define A2XX_FLOW_H

#include "a2xx/machine.h"

/* Finds the lanes that execute next, and where: .group and .here. False: all have ended. */
bool a2xx_choose_group(struct a2xx_machine *machine);

/* These lanes go on there. */
void a2xx_move(struct a2xx_machine *machine, a2xx_mask lanes, uint32_t to);

/* LOOP_START and LOOP_END; COND_CALL, RETURN and COND_JMP. The group is already behind the instruction. Return the lanes
 * that go elsewhere. */
a2xx_mask a2xx_run_loop(struct a2xx_machine *machine, const struct a2xx_loop *loop);
a2xx_mask a2xx_run_jump(struct a2xx_machine *machine, const struct a2xx_jump *jump);

/* Tests a boolean constant, or the predicate: the lanes of the group where it is the condition. */
a2xx_mask a2xx_test_bool(struct a2xx_machine *machine, uint32_t number, bool condition);
a2xx_mask a2xx_test_predicate(struct a2xx_machine *machine, a2xx_mask lanes, bool condition);

#endif
