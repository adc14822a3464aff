/* SPDX-License-Identifier: MIT */
/* traps64.c - instructions of 64-bit execution that the engine executes itself: the generic timers,
 * the cycle counter, wfe, which Unicorn executes as nop, cache maintenance (see traps.c), and the
 * start of translation.
 *
 * In:  mrs, msr, sys, wfe, and br after msr.
 * Out: their results; calls of the board's ports.
 *
 * Source: ARM Architecture Reference Manual ARMv8-A, C5.3, D8, and D7.1.2 (a write of a system
 *         register has no effect on fetched instructions before a context synchronization event);
 *         s-matyukevich/raspberry-pi-os, lesson 6, whose kernel depends on it on boards. */
#include "board/arm/unicorn/core.h"
#include "board/arm/unicorn/timers.h"

enum { NUMBER_MASK = 0x1fffe0, READ = 1 << 21, NO_REGISTER = 31 };

#define WFE          UINT32_C(0xd503205f)
#define MSR_SCTLR    UINT32_C(0xd5181000) /* with the level in bits 18:16 and the register in 4:0 */
#define BRANCH       UINT32_C(0xd61f0000) /* br */
#define ANY_REGISTER UINT32_C(0x1f)

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
static int row_of(const struct uc_core *core, uint32_t word)
{
    if (word >> 22 != 0x354) /* mrs, msr, sys */
        return -1;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].name == (word & (NUMBER_MASK & ~(uint32_t)READ)) &&
            !uc_is_unseen(core, rows[i].action))
            return (int)i;
    return -1;
}

/* Returns true if the instruction writes SCTLR_EL1, SCTLR_EL2 or SCTLR_EL3. */
static bool is_control(uint32_t word)
{
    unsigned level = word >> 16 & 7;
    return (word & ~(UINT32_C(7) << 16 | ANY_REGISTER)) == MSR_SCTLR &&
           (level == 0 || level == 4 || level == 6);
}

bool uc_is_trap_wide(const struct uc_core *core, uint32_t word)
{
    return word == WFE || is_control(word) || row_of(core, word) >= 0 ||
           uc_is_barrier(core, word, 4, false) || uc_changes_places(core, word, 4, false);
}

static uint64_t get(const struct uc_core *core, unsigned reg)
{
    return reg == NO_REGISTER ? 0 : uc_get(&core->core, reg);
}

static void wait_for_event(struct uc_core *core, uint64_t pc)
{
    if (!uc_waits_for_event(core))
        return;
    uc_cut_block(core, pc);
    core->core.cycles++;
    uc_stop_before(core, pc + 4, ARM_WAIT_EVENT);
    core->block_end = 0;
}

/* Executes a write of SCTLR that turns translation on, together with br after it. The core has
 * fetched the branch before it executes the write, so the branch's address may be one that the
 * translation does not map. Leaves other writes to Unicorn. */
static void turn_translation_on(struct uc_core *core, uint64_t pc, uint32_t word)
{
    enum { TRANSLATION = 1 };
    unsigned level = word >> 16 & 7, bytes;
    uint64_t value = get(core, word & 31);
    uint32_t next;
    if (!(value & ~uc_system(core, 3, level, 1, 0, 0) & TRANSLATION) ||
        !uc_instruction(core, pc + 4, &next, &bytes) || (next & ~(ANY_REGISTER << 5)) != BRANCH)
        return;
    uc_cut_block(core, pc);
    uc_set_system(core, 3, level, 1, 0, 0, value);
    core->core.cycles += 2;
    uc_set_pc(core, get(core, next >> 5 & 31));
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
    if (uc_is_barrier(core, word, bytes, false))
        core->options.ports->barrier(core->options.ports->user, core->options.number);
    if (uc_changes_places(core, word, bytes, false))
        uc_forget_places(core);
    if (is_control(word))
        turn_translation_on(core, pc, word);
    int row = row_of(core, word);
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
