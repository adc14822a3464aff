/* SPDX-License-Identifier: MIT */
/* sanitize.h - the sanitizer: finds mistakes in instructions. A mistake can depend on the
 * instructions that were executed before.
 *
 * In:      instructions, and the path of a group to its current instruction.
 * Out:     findings.
 * Rules that depend only on the path are checked once for each path, and the result is remembered.
 * Rules that depend on values are checked by separate steps (sanitize_steps.h). The decoder inserts
 * these steps where they are needed.
 * Source:  docs/hardware/utgard.md, section 21. */
#ifndef MALI_GP_SANITIZE_H
#define MALI_GP_SANITIZE_H

#include "mali/gp/batch.h"

/* True if the remembered result of an instruction's checks is that of the group's path to the
 * instruction. */
static inline bool gp_is_known(const struct gp_way *way, const struct gp_group *group)
{
    return way->known && way->p1 == group->p1 && way->p2 == group->p2 &&
           way->function2 == group->function2 && way->jumped1 == group->jumped1 &&
           way->jumped2 == group->jumped2;
}

/* Checks the group's current instruction if it may have findings or its path is not known yet. */
void gp_check_path(struct gp_machine *machine);

/* Checks the group's current instruction. Must be called before the group executes it. */
static inline void gp_check(struct gp_machine *machine)
{
    struct gp_group *group = machine->group;
    const struct gp_way *way = &machine->way[group->pc];
    if (!gp_is_known(way, group) || !way->clean || machine->any_beyond)
        gp_check_path(machine);
    group->function2 = group->function1;
    group->function1 = way->function;
}

/* Discards the remembered results of all paths. */
void gp_check_reset(struct gp_machine *machine);

#endif
