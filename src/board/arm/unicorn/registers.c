/* SPDX-License-Identifier: MIT */
/* registers.c - registers of a core.
 *
 * In:  numbers of registers.
 * Out: their values. */
#include "board/arm/unicorn/core.h"

enum { MODE = 0x1f, NON_SECURE = 1 };

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

uint32_t uc_psr_mode(const struct uc_core *core)
{
    return uc_get32(core, UC_ARM_REG_CPSR) & MODE;
}

static void write_scr(const struct uc_core *core, uint64_t value)
{
    uc_arm_cp_reg reg = {.cp = 15, .sec = 1, .crn = 1, .crm = 1, .val = value};
    uc_reg_write(core->uc, UC_ARM_REG_CP_REG, &reg);
}

/* Unicorn moves to Monitor mode from secure state only, and to Hyp mode only from Monitor mode with
 * SCR.NS. It derives what translated code depends on when CPSR is written. */
void uc_set_psr(const struct uc_core *core, uint32_t psr)
{
    uint32_t mode = psr & MODE;
    uint64_t scr = read_bank(core, true, 1, 0, 1, 0);
    if (mode != uc_psr_mode(core) && (mode == UC_MODE_MONITOR || mode == UC_MODE_HYP)) {
        write_scr(core, scr & ~(uint64_t)NON_SECURE);
        uc_set32(core, UC_ARM_REG_CPSR, (psr & ~(uint32_t)MODE) | UC_MODE_MONITOR);
        write_scr(core, scr | NON_SECURE);
        uc_set32(core, UC_ARM_REG_CPSR, psr);
        write_scr(core, scr);
    }
    uc_set32(core, UC_ARM_REG_CPSR, psr);
}

bool uc_is_secure(const struct uc_core *core)
{
    return uc_psr_mode(core) == UC_MODE_MONITOR ||
           !(read_bank(core, true, 1, 0, 1, 0) & NON_SECURE);
}

uint64_t uc_cp15(const struct uc_core *core, unsigned crn, unsigned opc1, unsigned crm,
                 unsigned opc2)
{
    return read_bank(core, uc_is_secure(core), crn, opc1, crm, opc2);
}

void uc_set_cp15(const struct uc_core *core, unsigned crn, unsigned opc1, unsigned crm,
                 unsigned opc2, uint64_t value)
{
    uc_arm_cp_reg reg = {.cp = 15,
                         .sec = uc_is_secure(core),
                         .crn = crn,
                         .crm = crm,
                         .opc1 = opc1,
                         .opc2 = opc2,
                         .val = value};
    uc_reg_write(core->uc, UC_ARM_REG_CP_REG, &reg);
}

unsigned uc_regime(const struct uc_core *core)
{
    if (!core->wide)
        return uc_psr_mode(core) == UC_MODE_HYP ? 4 : 0;
    unsigned level = uc_state(core) >> 2 & 3;
    return level < 2 ? 0 : level == 2 ? 4 : 6;
}

uint64_t uc_control(const struct uc_core *core)
{
    unsigned regime = uc_regime(core);
    return core->wide ? uc_system(core, 3, regime, 1, 0, 0) : uc_cp15(core, 1, regime, 0, 0);
}

void uc_set_control(const struct uc_core *core, uint64_t value)
{
    unsigned regime = uc_regime(core);
    if (core->wide)
        uc_set_system(core, 3, regime, 1, 0, 0, value);
    else
        uc_set_cp15(core, 1, regime, 0, 0, value);
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
    core->block_end = 0;
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

/* Returns Unicorn's register for the stack pointer that the core will have after the stub. */
static int stack_after_stub(const struct uc_core *core)
{
    uint64_t state = uc_system(core, 3, 6, 4, 0, 0); /* SPSR_EL3 */
    return UC_ARM64_REG_SP_EL0 + (state & 1 ? (int)(state >> 2 & 3) : 0);
}

uint64_t uc_get(const struct arm_core *shared, unsigned reg)
{
    const struct uc_core *core = (const struct uc_core *)shared;
    uint64_t value = 0;
    if (reg == ARM_PC && is_in_stub(core))
        uc_reg_read(core->uc, UC_ARM64_REG_ELR_EL3, &value);
    else if (reg == ARM_CPSR && is_in_stub(core))
        value = uc_system(core, 3, 6, 4, 0, 0); /* SPSR_EL3 */
    else if (reg == ARM_SP && is_in_stub(core))
        uc_reg_read(core->uc, stack_after_stub(core), &value);
    else
        uc_reg_read(core->uc, core->wide ? register_64(reg) : register_32(reg), &value);
    return value;
}

void uc_set(struct arm_core *shared, unsigned reg, uint64_t value)
{
    struct uc_core *core = (struct uc_core *)shared;
    if (reg == ARM_PC && is_in_stub(core))
        uc_reg_write(core->uc, UC_ARM64_REG_ELR_EL3, &value);
    else if (reg == ARM_SP && is_in_stub(core))
        uc_reg_write(core->uc, stack_after_stub(core), &value);
    else if (reg == ARM_PC || (!core->wide && reg == 15))
        uc_set_pc(core, value);
    else
        uc_reg_write(core->uc, core->wide ? register_64(reg) : register_32(reg), &value);
}
