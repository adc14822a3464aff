/* SPDX-License-Identifier: MIT */
/* loop.c - executes an iteration of a loop without effects, and finds out whether all later ones
 * are the same.
 *
 * In:  registers, RAM, the reads of device registers in the latest iteration.
 * Out: the iteration's length; for each read of a counter, for how many counts the iteration stays
 *      the same.
 *
 * Iterations are the same if each register and each word that an iteration reads before it writes
 * it has the same value at its end. Then only counters and device registers differ. */
#include "board/arm/unicorn/loop.h"

static void begin(struct uc_loop *loop)
{
    const struct arm_core *core = &loop->core->core;
    unsigned count = loop->core->wide ? 31 : 15;
    for (unsigned i = 0; i < count; i++)
        loop->initial[i] = uc_get(core, i);
    if (loop->core->wide)
        loop->initial[LOOP_SP] = uc_get(core, ARM_SP);
    for (unsigned i = 0; i < LOOP_REGISTERS; i++)
        loop->registers[i] = uc_fixed(loop->initial[i]);
    uint32_t psr = (uint32_t)uc_get(core, ARM_CPSR);
    loop->initial_flags = (uint8_t)(psr >> 28);
    loop->flags = (struct uc_flags){.nzcv = loop->initial_flags, .known = 15, .initial = 15};
    loop->failed |= !loop->core->wide && (psr & 0x20); /* Thumb */
    loop->pc = loop->start;
}

static bool is_unchanged(const struct uc_value *value, uint64_t initial)
{
    return value->kind == UC_FIXED && value->bits == initial;
}

/* Returns true if all that the iteration has read has its initial value. */
static bool repeats(const struct uc_loop *loop)
{
    for (unsigned i = 0; i < LOOP_REGISTERS; i++)
        if ((loop->live & loop->written) >> i & 1 &&
            !is_unchanged(&loop->registers[i], loop->initial[i]))
            return false;
    for (unsigned i = 0; i < loop->cell_count; i++)
        if (loop->cells[i].live && !is_unchanged(&loop->cells[i].value, loop->cells[i].initial))
            return false;
    unsigned changed = loop->flags.nzcv ^ loop->initial_flags;
    return !(loop->live_flags & (changed | ~(unsigned)loop->flags.known));
}

bool uc_loop_describe(struct uc_loop *loop)
{
    uint32_t word;
    unsigned bytes;
    begin(loop);
    do {
        if (loop->failed || loop->executed == loop->longest ||
            uc_has_breakpoint(loop->core, loop->pc) ||
            !uc_instruction(loop->core, loop->pc, &word, &bytes))
            return false;
        if (loop->core->wide)
            uc_loop_arm64(loop, word);
        else
            uc_loop_arm(loop, word);
        loop->executed++;
    } while (loop->pc != loop->start);
    return !loop->failed && loop->next_read == loop->read_count && repeats(loop);
}
