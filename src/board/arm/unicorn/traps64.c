/* SPDX-License-Identifier: MIT */
/* traps64.c - instructions of 64-bit execution that the engine executes itself: the generic timers,
 * the cycle counter, wfe, which Unicorn executes as nop, sev, and cache maintenance (see traps.c).
 *
 * In:  mrs, msr, sys, wfe and sev.
 * Out: their results; calls of the board's ports.
 *
 * Source: ARM Architecture Reference Manual ARMv8-A, C5.3 and D8. */
#include "board/arm/unicorn/core.h"
#include "board/arm/unicorn/timers.h"

enum { NUMBER_MASK = 0x1fffe0, READ = 1 << 21, NO_REGISTER = 31 };

#define WFE UINT32_C(0xd503205f)
#define SEV UINT32_C(0xd503209f)

/* The fields op0, op1, CRn, CRm, op2 in the places of an instruction. */
#define NAME(op0, op1, crn, crm, op2) \
    ((uint32_t)(op0) << 19 | (op1) << 16 | (crn) << 12 | (crm) << 8 | (op2) << 5)

static const struct {
    uint32_t name;
    uint8_t action;
    uint8_t detail; /* number of the generic timer; for cache maintenance, what */
} rows[] = {
    {NAME(3, 3, 14, 0, 0), UC_FREQUENCY, 0},
    {NAME(3, 3, 14, 0, 1), UC_COUNTER, 0},
    {NAME(3, 3, 14, 0, 2), UC_COUNTER, 0},
    {NAME(3, 3, 14, 2, 0), UC_TIMER_VALUE, ARM_TIMER_PHYSICAL},
    {NAME(3, 3, 14, 2, 1), UC_TIMER_CONTROL, ARM_TIMER_PHYSICAL},
    {NAME(3, 3, 14, 2, 2), UC_TIMER_COMPARE, ARM_TIMER_PHYSICAL},
    {NAME(3, 3, 14, 3, 0), UC_TIMER_VALUE, ARM_TIMER_VIRTUAL},
    {NAME(3, 3, 14, 3, 1), UC_TIMER_CONTROL, ARM_TIMER_VIRTUAL},
    {NAME(3, 3, 14, 3, 2), UC_TIMER_COMPARE, ARM_TIMER_VIRTUAL},
    {NAME(3, 4, 14, 2, 0), UC_TIMER_VALUE, ARM_TIMER_HYPERVISOR},
    {NAME(3, 4, 14, 2, 1), UC_TIMER_CONTROL, ARM_TIMER_HYPERVISOR},
    {NAME(3, 4, 14, 2, 2), UC_TIMER_COMPARE, ARM_TIMER_HYPERVISOR},
    {NAME(3, 7, 14, 2, 0), UC_TIMER_VALUE, ARM_TIMER_SECURE},
    {NAME(3, 7, 14, 2, 1), UC_TIMER_CONTROL, ARM_TIMER_SECURE},
    {NAME(3, 7, 14, 2, 2), UC_TIMER_COMPARE, ARM_TIMER_SECURE},
    {NAME(3, 0, 0, 0, 5), UC_AFFINITY, 0},
    {NAME(3, 3, 9, 13, 0), UC_CYCLES, 0},
    {NAME(1, 3, 7, 10, 1), UC_MAINTAIN_LINE, ARM_CLEAN},
    {NAME(1, 3, 7, 14, 1), UC_MAINTAIN_LINE, ARM_CLEAN | ARM_INVALIDATE},
    {NAME(1, 0, 7, 6, 1), UC_MAINTAIN_LINE, ARM_INVALIDATE},
    {NAME(1, 0, 7, 10, 2), UC_MAINTAIN_ALL, ARM_CLEAN},
    {NAME(1, 0, 7, 14, 2), UC_MAINTAIN_ALL, ARM_CLEAN | ARM_INVALIDATE},
    {NAME(1, 0, 7, 6, 2), UC_MAINTAIN_ALL, ARM_INVALIDATE},
    {NAME(1, 3, 7, 4, 1), UC_ZERO_LINE, 0},
    {NAME(1, 0, 7, 1, 0), UC_CODE_CHANGED, 0},
    {NAME(1, 0, 7, 5, 0), UC_CODE_CHANGED, 0},
    {NAME(1, 3, 7, 5, 1), UC_CODE_LINE, 0},
};

/* Returns the row of an instruction, or -1. */
static int row_of(uint32_t word)
{
    if (word >> 22 != 0x354) /* mrs, msr, sys */
        return -1;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].name == (word & (NUMBER_MASK & ~(uint32_t)READ)))
            return (int)i;
    return -1;
}

bool uc_is_trap_wide(const struct uc_core *core, uint32_t word)
{
    return word == WFE || word == SEV || row_of(word) >= 0 || uc_is_barrier(core, word, 4, false) ||
           uc_changes_places(core, word, 4, false);
}

static uint64_t get(const struct uc_core *core, unsigned reg)
{
    return reg == NO_REGISTER ? 0 : uc_get(&core->core, reg);
}

static void wait_for_event(struct uc_core *core, uint64_t pc)
{
    if (core->core.event) {
        core->core.event = false;
        return;
    }
    uc_cut_block(core, pc);
    core->core.cycles++;
    core->resumes = true;
    core->resume = pc + 4;
    uc_stop(core, ARM_WAIT_EVENT);
}

void uc_trap_wide(struct uc_core *core, uint64_t pc)
{
    uint32_t word;
    unsigned bytes;
    if (!uc_instruction(core, pc, &word, &bytes))
        return;
    if (word == WFE) {
        wait_for_event(core, pc);
        return;
    }
    if (word == SEV) {
        core->options.ports->event(core->options.ports->user, core->options.number);
        return;
    }
    if (uc_is_barrier(core, word, bytes, false))
        core->options.ports->barrier(core->options.ports->user, core->options.number);
    if (uc_changes_places(core, word, bytes, false))
        uc_forget_places(core);
    int row = row_of(word);
    if (row < 0)
        return;
    enum uc_action action = rows[row].action;
    unsigned reg = word & 31;
    if (action >= UC_MAINTAIN_LINE) {
        uc_maintain(core, action, rows[row].detail, get(core, reg));
        return;
    }
    uc_cut_block(core, pc);
    if (!(word & READ))
        uc_write_action(core, action, rows[row].detail, get(core, reg));
    else if (reg != NO_REGISTER)
        uc_set(&core->core, reg, uc_poll_action(core, action, rows[row].detail, pc));
    core->core.cycles++;
    uc_set_pc(core, pc + 4);
}
