/* SPDX-License-Identifier: MIT */
/* levels.c - moves a 64-bit core to another exception level.
 *
 * In:  an address and a processor state.
 * Out: the core at the address, in the state.
 *
 * Unicorn keeps what the exception level means for translated code in a word of its own, which it
 * does not update when a program writes PSTATE. This file sets the word for EL3, and executes an
 * ERET there, which updates everything. The word is the second after PSTATE in a saved context.
 *
 * Source: Unicorn 2.0.1, qemu/target/arm/cpu.h (struct CPUARMState, TBFLAG_ANY) and helper-a64.c.
 *         */
#include "board/arm/unicorn/core.h"

#include <string.h>

enum {
    EL3H = 0xd,
    TRANSLATION_SHIFT = 24, /* of the translation regime in the word */
    TRANSLATION_EL3 = 10,
    PAGE = 0x1000,
    CURRENT_EL3 = 3 << 2,
    HIGHEST = 3,
};

#define ERET       UINT32_C(0xd69f03e0)
#define READ_LEVEL UINT32_C(0xd5384240) /* mrs x0, CurrentEL */
#define WAIT       UINT32_C(0xd503207f) /* wfi */

/* ERET expects the stack pointer there. */
void uc_bank_stack_pointer(const struct uc_core *core)
{
    uint32_t state = uc_state(core);
    int level = state & 1 ? (int)(state >> 2 & 3) : 0;
    uint64_t value = 0;
    uc_reg_read(core->uc, UC_ARM64_REG_SP, &value);
    uc_reg_write(core->uc, UC_ARM64_REG_SP_EL0 + level, &value);
}

/* Moves the core to EL3, with translation off. */
static void enter_highest(struct uc_core *core)
{
    uint32_t state = EL3H | 0x3c0, word;
    uc_reg_write(core->uc, UC_ARM64_REG_PSTATE, &state);
    uc_context_save(core->uc, core->context);
    uint8_t *at = (uint8_t *)core->context + core->offsets.level_word;
    memcpy(&word, at, sizeof word);
    word = (word & ~(UINT32_C(15) << TRANSLATION_SHIFT)) | (TRANSLATION_EL3 << TRANSLATION_SHIFT);
    memcpy(at, &word, sizeof word);
    uc_context_restore(core->uc, core->context);
}

/* Moves the core to the instruction that enters the level. */
static void set_stub(struct uc_core *core, uint64_t pc, uint32_t state)
{
    uc_forget_places(core);
    enter_highest(core);
    uc_reg_write(core->uc, UC_ARM64_REG_ELR_EL3, &pc);
    uc_set_system(core, 3, 6, 4, 0, 0, state); /* SPSR_EL3 */
    uc_set_pc(core, UC_STUB);
}

void uc_enter_level(struct uc_core *core, uint64_t pc, uint32_t state)
{
    uc_bank_stack_pointer(core);
    set_stub(core, pc, state);
}

void uc_set_level(struct uc_core *core, uint64_t pc, uint32_t state)
{
    if ((state >> 2 & 3) != HIGHEST) {
        set_stub(core, pc, state);
        return;
    }
    uint64_t stack = 0;
    enter_highest(core);
    uc_reg_write(core->uc, UC_ARM64_REG_PSTATE, &state);
    uc_reg_read(core->uc, UC_ARM64_REG_SP_EL0 + (state & 1 ? HIGHEST : 0), &stack);
    uc_reg_write(core->uc, UC_ARM64_REG_SP, &stack);
    uc_set_pc(core, pc);
}

/* Finds PSTATE after the program counter in a saved context. */
static bool find_word(struct uc_core *core)
{
    const uint64_t pc = UINT64_C(0x5a3c96a50f1e2d40);
    uc_reg_write(core->uc, UC_ARM64_REG_PC, &pc);
    uc_context_save(core->uc, core->context);
    const uint8_t *bytes = (const uint8_t *)core->context;
    for (size_t at = 0; at + 20 <= uc_context_size(core->uc); at += 4) {
        uint64_t value;
        uint32_t after[2];
        memcpy(&value, bytes + at, sizeof value);
        memcpy(after, bytes + at + 8, sizeof after);
        if (value == pc && after[0] == (uc_state(core) & 15) && after[1] == 1) {
            core->offsets.level_word = at + 16;
            return true;
        }
    }
    return false;
}

bool uc_prepare_levels(struct uc_core *core)
{
    const uint32_t code[] = {READ_LEVEL, WAIT};
    uint64_t level = 0;
    if (!find_word(core) ||
        uc_mem_map(core->uc, UC_STUB, PAGE, UC_PROT_READ | UC_PROT_EXEC) != UC_ERR_OK ||
        uc_mem_write(core->uc, UC_STUB, code, sizeof code) != UC_ERR_OK)
        return false;
    enter_highest(core);
    if (uc_emu_start(core->uc, UC_STUB, 0, 0, 0) != UC_ERR_OK)
        return false;
    uc_reg_read(core->uc, UC_ARM64_REG_X0, &level);
    const uint32_t eret = ERET;
    uc_ctl_remove_cache(core->uc, UC_STUB, UC_STUB + PAGE);
    return level == CURRENT_EL3 && uc_mem_write(core->uc, UC_STUB, &eret, sizeof eret) == UC_ERR_OK;
}
