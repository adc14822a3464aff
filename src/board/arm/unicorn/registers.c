/* SPDX-License-Identifier: MIT */
/* registers.c - registers of a core, and its saved state.
 *
 * Choices: the saved state is Unicorn's context, which only the same version of Unicorn reads. Of
 *          bytes from other sources, only the size and the core's mode are checked. */
#include "board/arm/unicorn/core.h"

#include <stdlib.h>
#include <string.h>

enum { SECURE_CONFIGURATION = 1 }; /* opcode 2 of SCR's name: c1, c1, 0 */

uint32_t uc_get32(const struct uc_core *core, int reg)
{
    uint32_t value = 0;
    uc_reg_read(core->uc, reg, &value);
    return value;
}

void uc_set32(const struct uc_core *core, int reg, uint32_t value)
{
    uc_reg_write(core->uc, reg, &value);
}

static uint64_t read_bank(const struct uc_core *core, bool secure, unsigned crn, unsigned opc1,
                          unsigned crm, unsigned opc2)
{
    uc_arm_cp_reg reg = {
        .cp = 15, .sec = secure, .crn = crn, .crm = crm, .opc1 = opc1, .opc2 = opc2};
    return uc_reg_read(core->uc, UC_ARM_REG_CP_REG, &reg) == UC_ERR_OK ? reg.val : 0;
}

/* Returns true if the core is in secure state: SCR.NS is 0. */
static bool is_secure(const struct uc_core *core)
{
    return !(read_bank(core, true, 1, 0, 1, 0) & 1);
}

uint64_t uc_cp15(const struct uc_core *core, unsigned crn, unsigned opc1, unsigned crm,
                 unsigned opc2)
{
    return read_bank(core, is_secure(core), crn, opc1, crm, opc2);
}

void uc_set_cp15(const struct uc_core *core, unsigned crn, unsigned opc1, unsigned crm,
                 unsigned opc2, uint64_t value)
{
    uc_arm_cp_reg reg = {.cp = 15,
                         .sec = is_secure(core),
                         .crn = crn,
                         .crm = crm,
                         .opc1 = opc1,
                         .opc2 = opc2,
                         .val = value};
    uc_reg_write(core->uc, UC_ARM_REG_CP_REG, &reg);
}

uint64_t uc_system(const struct uc_core *core, unsigned op0, unsigned op1, unsigned crn,
                   unsigned crm, unsigned op2)
{
    uc_arm64_cp_reg reg = {.crn = crn, .crm = crm, .op0 = op0, .op1 = op1, .op2 = op2};
    return uc_reg_read(core->uc, UC_ARM64_REG_CP_REG, &reg) == UC_ERR_OK ? reg.val : 0;
}

void uc_set_system(const struct uc_core *core, unsigned op0, unsigned op1, unsigned crn,
                   unsigned crm, unsigned op2, uint64_t value)
{
    uc_arm64_cp_reg reg = {
        .crn = crn, .crm = crm, .op0 = op0, .op1 = op1, .op2 = op2, .val = value};
    uc_reg_write(core->uc, UC_ARM64_REG_CP_REG, &reg);
}

uint32_t uc_state(const struct uc_core *core)
{
    uint32_t state = 0;
    uc_reg_read(core->uc, UC_ARM64_REG_PSTATE, &state);
    return state;
}

void uc_set_pc(struct uc_core *core, uint64_t pc)
{
    if (core->wide) {
        uc_reg_write(core->uc, UC_ARM64_REG_PC, &pc);
        return;
    }
    uc_set32(core, UC_ARM_REG_PC, (uint32_t)pc);
}

uint64_t uc_pc(const struct uc_core *core)
{
    if (core->wide) {
        uint64_t pc = 0;
        uc_reg_read(core->uc, UC_ARM64_REG_PC, &pc);
        return pc;
    }
    bool thumb = uc_get32(core, UC_ARM_REG_CPSR) & 0x20;
    return uc_get32(core, UC_ARM_REG_PC) | thumb;
}

static int register_32(unsigned reg)
{
    static const int low[16] = {UC_ARM_REG_R0,  UC_ARM_REG_R1, UC_ARM_REG_R2,  UC_ARM_REG_R3,
                                UC_ARM_REG_R4,  UC_ARM_REG_R5, UC_ARM_REG_R6,  UC_ARM_REG_R7,
                                UC_ARM_REG_R8,  UC_ARM_REG_R9, UC_ARM_REG_R10, UC_ARM_REG_R11,
                                UC_ARM_REG_R12, UC_ARM_REG_SP, UC_ARM_REG_LR,  UC_ARM_REG_PC};
    if (reg < 16)
        return low[reg];
    return reg == ARM_PC ? UC_ARM_REG_PC : reg == ARM_SP ? UC_ARM_REG_SP : UC_ARM_REG_CPSR;
}

static int register_64(unsigned reg)
{
    if (reg < 29)
        return UC_ARM64_REG_X0 + (int)reg;
    return reg == 29       ? UC_ARM64_REG_X29
           : reg == 30     ? UC_ARM64_REG_X30
           : reg == ARM_PC ? UC_ARM64_REG_PC
           : reg == ARM_SP ? UC_ARM64_REG_SP
                           : UC_ARM64_REG_PSTATE;
}

/* Returns true if the next instruction is that of uc_enter_level(). Registers then show what it
 * will set. */
static bool is_in_stub(const struct uc_core *core)
{
    return core->wide && uc_pc(core) == UC_STUB;
}

uint64_t uc_get(const struct arm_core *shared, unsigned reg)
{
    const struct uc_core *core = (const struct uc_core *)shared;
    uint64_t value = 0;
    if (reg == ARM_PC && is_in_stub(core))
        uc_reg_read(core->uc, UC_ARM64_REG_ELR_EL3, &value);
    else if (reg == ARM_CPSR && is_in_stub(core))
        value = uc_system(core, 3, 6, 4, 0, 0); /* SPSR_EL3 */
    else
        uc_reg_read(core->uc, core->wide ? register_64(reg) : register_32(reg), &value);
    return value;
}

void uc_set(struct arm_core *shared, unsigned reg, uint64_t value)
{
    struct uc_core *core = (struct uc_core *)shared;
    if (reg == ARM_PC && is_in_stub(core))
        uc_reg_write(core->uc, UC_ARM64_REG_ELR_EL3, &value);
    else if (reg == ARM_PC || (!core->wide && reg == 15))
        uc_set_pc(core, value);
    else
        uc_reg_write(core->uc, core->wide ? register_64(reg) : register_32(reg), &value);
}

/* --- saved states --- */

/* The part of a state that Unicorn does not have. */
struct own_state {
    struct arm_core core;
    uint64_t cycle_counter_base;
};

size_t uc_state_size(const struct arm_core *shared)
{
    return sizeof(struct own_state) + uc_context_size(((const struct uc_core *)shared)->uc);
}

void uc_save(const struct arm_core *shared, void *to)
{
    const struct uc_core *core = (const struct uc_core *)shared;
    const struct own_state own = {core->core, core->cycle_counter_base};
    memcpy(to, &own, sizeof own);
    uc_context_save(core->uc, core->context);
    memcpy((char *)to + sizeof own, core->context, uc_context_size(core->uc));
}

/* Unicorn's context begins with its own description, whose first word is the size of the rest. */
static size_t context_head(const struct uc_core *core)
{
    size_t rest;
    uc_context_save(core->uc, core->context);
    memcpy(&rest, core->context, sizeof rest);
    size_t size = uc_context_size(core->uc);
    return rest < size ? size - rest : size;
}

/* Returns true if Unicorn can continue in the mode of the CPSR. */
static bool has_valid_mode(const struct uc_core *core)
{
    static const uint32_t modes = 1u << 0x10 | 1u << 0x11 | 1u << 0x12 | 1u << 0x13 | 1u << 0x16 |
                                  1u << 0x17 | 1u << 0x1a | 1u << 0x1b | 1u << 0x1f;
    return core->wide || modes >> (uc_get32(core, UC_ARM_REG_CPSR) & 0x1f) & 1;
}

/* Discards translations of addresses and of code. While translation is off, virtual addresses are
 * physical, so that all code in RAM is found; to discard everything takes Unicorn much longer. */
static void forget_code(struct uc_core *core)
{
    uint64_t control = uc_cp15(core, 1, 0, 0, 0);
    uc_set_cp15(core, 1, 0, 0, 0, control & ~UINT64_C(1));
    uc_set_cp15(core, 8, 0, 7, 0, 0); /* TLBIALL */
    uc_ctl_remove_cache(core->uc, 0, core->options.ram.size);
    uc_set_cp15(core, 1, 0, 0, 0, control);
    uc_set_cp15(core, 8, 0, 7, 0, 0);
}

/* Discards what Unicorn and the engine have derived from the state before. */
static void forget_derived(struct uc_core *core)
{
    if (core->wide) {
        uc_set_system(core, 1, 0, 8, 7, 0, 0); /* TLBI VMALLE1 */
        uc_set_system(core, 1, 4, 8, 7, 0, 0); /* TLBI ALLE2 */
    } else {
        uc_set32(core, UC_ARM_REG_CPSR, uc_get32(core, UC_ARM_REG_CPSR));
        forget_code(core);
    }
    memset(core->blocks, 0, sizeof core->blocks);
    core->block = core->before = core->blocks;
    core->poll = (struct uc_poll){.pc = 1};
    core->pure = false;
    core->next_access = 0;
    core->stop = ARM_LIMIT;
    core->forget_all = core->wide;
}

bool uc_restore(struct arm_core *shared, const void *from, size_t size)
{
    struct uc_core *core = (struct uc_core *)shared;
    uint8_t own[sizeof(struct own_state)];
    if (size != uc_state_size(shared))
        return false;
    size_t head = context_head(core), whole = uc_context_size(core->uc);
    uint8_t *context = (uint8_t *)core->context, *before = malloc(whole);
    if (!before)
        return false;
    memcpy(before, context, whole);
    memcpy(context + head, (const uint8_t *)from + sizeof own + head, whole - head);
    bool good = uc_context_restore(core->uc, core->context) == UC_ERR_OK && has_valid_mode(core);
    if (good) {
        memcpy(own, from, sizeof own);
        own[offsetof(struct own_state, core) + offsetof(struct arm_core, event)] &= 1;
        struct own_state state;
        memcpy(&state, own, sizeof state);
        core->core = state.core;
        core->cycle_counter_base = state.cycle_counter_base;
    } else {
        memcpy(context, before, whole);
        uc_context_restore(core->uc, core->context);
    }
    free(before);
    forget_derived(core);
    return good;
}
