/* SPDX-License-Identifier: MIT */
/* breakpoints.c - stops before instructions at given addresses.
 *
 * In:  virtual addresses.
 * Out: ARM_BREAKPOINT before an instruction at one of them. */
#include "board/arm/unicorn/core.h"

static void on_breakpoint(uc_engine *uc, uint64_t address, uint32_t bytes, void *user)
{
    (void)uc;
    (void)bytes;
    struct uc_core *core = user;
    if (uc_stops_before(core, address))
        return;
    if (core->resumed_at == address) {
        core->resumed_at = UC_NOWHERE;
        return;
    }
    uc_cut_block(core, address);
    if (core->core.cycles == core->block_start)
        core->block_end = 0; /* the block has not begun, as before a pause */
    uc_stop_before(core, address, ARM_BREAKPOINT);
    core->stopped_before = true;
}

static unsigned find(const struct uc_core *core, uint64_t address)
{
    unsigned at = 0;
    while (at < core->breakpoint_count && core->breakpoints[at] != address)
        at++;
    return at;
}

bool uc_has_breakpoint(const struct uc_core *core, uint64_t address)
{
    return find(core, address) < core->breakpoint_count;
}

static void remove_breakpoint(struct uc_core *core, unsigned index)
{
    uint64_t address = core->breakpoints[index];
    uc_hook_del(core->uc, core->breakpoint_hooks[index]);
    core->breakpoint_count--;
    core->breakpoints[index] = core->breakpoints[core->breakpoint_count];
    core->breakpoint_hooks[index] = core->breakpoint_hooks[core->breakpoint_count];
    uc_ctl_remove_cache(core->uc, address, address + 4);
}

void uc_set_breakpoint(struct arm_core *shared, uint64_t address, bool set)
{
    struct uc_core *core = (struct uc_core *)shared;
    unsigned at = find(core, address);
    bool found = at < core->breakpoint_count;
    if (found && !set)
        remove_breakpoint(core, at);
    if (found || !set || at == UC_BREAKPOINTS ||
        uc_hook_add(core->uc, &core->breakpoint_hooks[at], UC_HOOK_CODE, (void *)on_breakpoint,
                    core, address, address) != UC_ERR_OK)
        return;
    core->breakpoints[at] = address;
    core->breakpoint_count++;
    uc_ctl_remove_cache(core->uc, address, address + 4);
}
