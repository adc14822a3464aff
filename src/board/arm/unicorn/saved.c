/* SPDX-License-Identifier: MIT */
/* saved.c - the saved state of a core: its registers, one by one, as integers of 64 bits.
 *
 * In:  a core, or bytes from any source.
 * Out: bytes that are the same on each host, or a core.
 *
 * Registers are read and written through Unicorn's functions for registers, which accept all
 * values, except for the modes that has_valid_mode() checks. The exclusive monitor has no such
 * function; its place in Unicorn's context is found as offsets.c describes.
 *
 * Source: ARM Architecture Reference Manuals ARMv7-A, B1.3 (banked registers) and B3.17 (CP15);
 *         ARMv8-A, D13; Unicorn 2.0.1, which lacks PRRR and NMRR of an ARM1176.
 * Left out: debug registers, which Unicorn does not use; with 64 bits, SPSR_EL3, ELR_EL3 and SP_EL3
 *           below EL3, which uc_enter_level() changes. */
#include "board/arm/unicorn/core.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

enum {
    PSR_MODE = 0x1f,
    MODE_USER = 0x10,
    MODE_FIQ = 0x11,
    VECTORS = 32,
    HIGHEST = 3,
    STATE_32 = 1 << 4,
    LONGEST_BLOCK = 2048,                /* more than the instructions of a page */
    MONITOR = 3,                         /* words of the exclusive monitor */
    STATE_WORD = 3 + 2 * ARM_TIMERS + 6, /* number of the word with the processor state */
};

/* A stream of words. Exactly one of `to` and `from` is set, or neither to measure. */
struct words {
    uint8_t *to;
    const uint8_t *from;
    size_t count;
};

/* Writes or reads a word, and returns it. */
static uint64_t word(struct words *words, uint64_t value)
{
    size_t at = 8 * words->count++;
    if (words->to)
        store_le64(words->to + at, value);
    return words->from ? load_le64(words->from + at) : value;
}

/* Saves or restores a register of Unicorn that has up to 64 bits. */
static void reg(struct uc_core *core, struct words *words, int number)
{
    uint64_t value = 0;
    if (!words->from)
        uc_reg_read(core->uc, number, &value);
    value = word(words, value);
    if (words->from)
        uc_reg_write(core->uc, number, &value);
}

static void shared_fields(struct uc_core *core, struct words *words)
{
    struct arm_core *shared = &core->core;
    shared->cycles = word(words, shared->cycles);
    shared->lines = (unsigned)word(words, shared->lines) & (ARM_IRQ | ARM_FIQ);
    shared->event = word(words, shared->event) & 1;
    for (unsigned i = 0; i < ARM_TIMERS; i++) {
        shared->timers[i].control = (uint32_t)word(words, shared->timers[i].control);
        shared->timers[i].compare = word(words, shared->timers[i].compare);
    }
    core->cycle_counter_base = word(words, core->cycle_counter_base);
    shared->event_count = word(words, shared->event_count);
    core->nested = word(words, core->nested);
    core->nested_from = word(words, core->nested_from);
    core->nested_count = word(words, core->nested_count);
}

/* The address and the value of the exclusive monitor. */
static void monitor_fields(struct uc_core *core, struct words *words)
{
    size_t at = core->offsets.monitor;
    uint64_t values[MONITOR] = {0};
    if (at) {
        uc_context_save(core->uc, core->context);
        memcpy(values, (uint8_t *)core->context + at, sizeof values);
    }
    for (unsigned i = 0; i < MONITOR; i++)
        values[i] = word(words, values[i]);
    if (at && words->from) {
        memcpy((uint8_t *)core->context + at, values, sizeof values);
        uc_context_restore(core->uc, core->context);
    }
}

/* --- 32 bits --- */

enum { ALL = 1, NOT_OLDEST = 2, OLDEST = 4, BANKED = 8, LONG = 16 };

/* Registers of coprocessor 15: which cores have them; whether each security state has one. */
static const struct {
    uint8_t flags, crn, opc1, crm, opc2;
} coprocessor[] = {
    {ALL | BANKED, 1, 0, 0, 0},               /* SCTLR */
    {ALL, 1, 0, 0, 2},                        /* CPACR */
    {ALL, 1, 0, 1, 0},                        /* SCR */
    {ALL, 1, 0, 1, 1},                        /* SDER */
    {ALL, 1, 0, 1, 2},                        /* NSACR */
    {ALL | BANKED, 2, 0, 0, 2},               /* TTBCR */
    {OLDEST | BANKED, 2, 0, 0, 0},            /* TTBR0 */
    {OLDEST | BANKED, 2, 0, 0, 1},            /* TTBR1 */
    {NOT_OLDEST | BANKED | LONG, 0, 0, 2, 0}, /* TTBR0 */
    {NOT_OLDEST | BANKED | LONG, 0, 1, 2, 0}, /* TTBR1 */
    {ALL | BANKED, 3, 0, 0, 0},               /* DACR */
    {ALL | BANKED, 5, 0, 0, 0},               /* DFSR */
    {ALL | BANKED, 5, 0, 0, 1},               /* IFSR */
    {ALL | BANKED, 6, 0, 0, 0},               /* DFAR */
    {ALL | BANKED, 6, 0, 0, 2},               /* IFAR */
    {OLDEST | BANKED, 7, 0, 4, 0},            /* PAR */
    {NOT_OLDEST | BANKED | LONG, 0, 0, 7, 0}, /* PAR */
    {NOT_OLDEST | BANKED, 10, 0, 2, 0},       /* PRRR, MAIR0 */
    {NOT_OLDEST | BANKED, 10, 0, 2, 1},       /* NMRR, MAIR1 */
    {ALL | BANKED, 12, 0, 0, 0},              /* VBAR */
    {ALL, 12, 0, 0, 1},                       /* MVBAR */
    {ALL | BANKED, 13, 0, 0, 0},              /* FCSEIDR */
    {ALL | BANKED, 13, 0, 0, 1},              /* CONTEXTIDR */
    {ALL | BANKED, 13, 0, 0, 2},              /* TPIDRURW */
    {ALL | BANKED, 13, 0, 0, 3},              /* TPIDRURO */
    {ALL | BANKED, 13, 0, 0, 4},              /* TPIDRPRW */
    {OLDEST, 9, 0, 0, 0},                     /* cache lockdown, data */
    {OLDEST, 9, 0, 0, 1},                     /* cache lockdown, instructions */
    {NOT_OLDEST | BANKED, 0, 2, 0, 0},        /* CSSELR */
    {NOT_OLDEST, 9, 0, 12, 0},                /* PMCR */
    {NOT_OLDEST, 9, 0, 12, 1},                /* PMCNTENSET */
    {NOT_OLDEST, 9, 0, 12, 3},                /* PMOVSR */
    {NOT_OLDEST, 9, 0, 12, 5},                /* PMSELR */
    {NOT_OLDEST, 9, 0, 14, 0},                /* PMUSERENR */
    {NOT_OLDEST, 9, 0, 14, 1},                /* PMINTENSET */
    {NOT_OLDEST, 14, 0, 1, 0},                /* CNTKCTL */
    {NOT_OLDEST, 1, 4, 0, 0},                 /* HSCTLR */
    {NOT_OLDEST, 1, 4, 1, 0},                 /* HCR */
    {NOT_OLDEST, 1, 4, 1, 1},                 /* HDCR */
    {NOT_OLDEST, 1, 4, 1, 2},                 /* HCPTR */
    {NOT_OLDEST, 1, 4, 1, 3},                 /* HSTR */
    {NOT_OLDEST, 2, 4, 0, 2},                 /* HTCR */
    {NOT_OLDEST, 2, 4, 1, 2},                 /* VTCR */
    {NOT_OLDEST | LONG, 0, 4, 2, 0},          /* HTTBR */
    {NOT_OLDEST | LONG, 0, 6, 2, 0},          /* VTTBR */
    {NOT_OLDEST, 5, 4, 2, 0},                 /* HSR */
    {NOT_OLDEST, 6, 4, 0, 4},                 /* HPFAR */
    {NOT_OLDEST, 10, 4, 2, 0},                /* HMAIR0 */
    {NOT_OLDEST, 10, 4, 2, 1},                /* HMAIR1 */
    {NOT_OLDEST, 12, 4, 0, 0},                /* HVBAR */
    {NOT_OLDEST, 13, 4, 0, 2},                /* HTPIDR */
    {NOT_OLDEST, 14, 4, 1, 0},                /* CNTHCTL */
    {NOT_OLDEST | LONG, 0, 4, 14, 0},         /* CNTVOFF */
};

/* Saves or restores coprocessor register i of a security state. */
static void coprocessor_field(struct uc_core *core, struct words *words, unsigned i, bool secure)
{
    uc_arm_cp_reg name = {.cp = 15,
                          .is64 = (coprocessor[i].flags & LONG) != 0,
                          .sec = secure,
                          .crn = coprocessor[i].crn,
                          .crm = coprocessor[i].crm,
                          .opc1 = coprocessor[i].opc1,
                          .opc2 = coprocessor[i].opc2};
    if (!words->from)
        uc_reg_read(core->uc, UC_ARM_REG_CP_REG, &name);
    name.val = word(words, name.val);
    if (words->from)
        uc_reg_write(core->uc, UC_ARM_REG_CP_REG, &name);
}

static void coprocessor_fields(struct uc_core *core, struct words *words)
{
    unsigned own = core->options.model == ARM_1176 ? OLDEST : NOT_OLDEST;
    for (unsigned i = 0; i < sizeof coprocessor / sizeof coprocessor[0]; i++) {
        if (!(coprocessor[i].flags & (ALL | own)))
            continue;
        coprocessor_field(core, words, i, true);
        if (coprocessor[i].flags & BANKED)
            coprocessor_field(core, words, i, false);
    }
}

/* Saves or restores a register of up to 32 bits. */
static void reg32(struct uc_core *core, struct words *words, int number)
{
    uint32_t value = (uint32_t)word(words, words->from ? 0 : uc_get32(core, number));
    if (words->from)
        uc_set32(core, number, value);
}

/* Saves or restores the registers that a mode has for itself. */
static void mode_fields(struct uc_core *core, struct words *words, uint32_t mode)
{
    static const int high[] = {UC_ARM_REG_R8, UC_ARM_REG_R9, UC_ARM_REG_R10, UC_ARM_REG_R11,
                               UC_ARM_REG_R12};
    for (unsigned i = 0; (mode == MODE_USER || mode == MODE_FIQ) && i < 5; i++)
        reg32(core, words, high[i]);
    reg32(core, words, UC_ARM_REG_SP);
    reg32(core, words, UC_ARM_REG_LR);
    reg32(core, words, UC_ARM_REG_SPSR);
}

static void fields_32(struct uc_core *core, struct words *words)
{
    static const uint8_t modes[] = {0x10, 0x11, 0x12, 0x13, 0x16, 0x17, 0x1a, 0x1b};
    uint64_t pc = word(words, uc_pc(core));
    uint32_t psr = (uint32_t)word(words, uc_get32(core, UC_ARM_REG_CPSR));
    coprocessor_fields(core, words);
    for (unsigned i = 0; i < sizeof modes; i++) {
        if (modes[i] == UC_MODE_HYP && core->options.model == ARM_1176)
            continue;
        uc_set_psr(core, (psr & ~(uint32_t)PSR_MODE) | modes[i]);
        mode_fields(core, words, modes[i]);
    }
    uc_set_psr(core, psr);
    for (unsigned i = 0; i < 8; i++)
        reg32(core, words, UC_ARM_REG_R0 + (int)i);
    for (unsigned i = 0; i < (core->options.model == ARM_1176 ? VECTORS / 2 : VECTORS); i++)
        reg(core, words, UC_ARM_REG_D0 + (int)i);
    reg32(core, words, UC_ARM_REG_FPSCR);
    reg32(core, words, UC_ARM_REG_FPEXC);
    if (core->options.model != ARM_1176) {
        uint32_t hyp_return = (uint32_t)word(words, words->from ? 0 : uc_hyp_return(core));
        if (words->from)
            uc_set_hyp_return(core, hyp_return);
    }
    uc_set_pc(core, pc);
}

/* --- 64 bits --- */

/* System registers by op0, op1, CRn, CRm, op2. */
static const uint8_t system_registers[][5] = {
    {3, 0, 1, 0, 0},   /* SCTLR_EL1 */
    {3, 0, 1, 0, 2},   /* CPACR_EL1 */
    {3, 0, 2, 0, 0},   /* TTBR0_EL1 */
    {3, 0, 2, 0, 1},   /* TTBR1_EL1 */
    {3, 0, 2, 0, 2},   /* TCR_EL1 */
    {3, 0, 4, 0, 0},   /* SPSR_EL1 */
    {3, 0, 4, 0, 1},   /* ELR_EL1 */
    {3, 0, 5, 2, 0},   /* ESR_EL1 */
    {3, 0, 6, 0, 0},   /* FAR_EL1 */
    {3, 0, 7, 4, 0},   /* PAR_EL1 */
    {3, 0, 10, 2, 0},  /* MAIR_EL1 */
    {3, 0, 12, 0, 0},  /* VBAR_EL1 */
    {3, 0, 13, 0, 1},  /* CONTEXTIDR_EL1 */
    {3, 0, 13, 0, 4},  /* TPIDR_EL1 */
    {3, 0, 14, 1, 0},  /* CNTKCTL_EL1 */
    {3, 2, 0, 0, 0},   /* CSSELR_EL1 */
    {3, 3, 13, 0, 2},  /* TPIDR_EL0 */
    {3, 3, 13, 0, 3},  /* TPIDRRO_EL0 */
    {3, 4, 0, 0, 0},   /* VPIDR_EL2 */
    {3, 4, 0, 0, 5},   /* VMPIDR_EL2 */
    {3, 4, 1, 0, 0},   /* SCTLR_EL2 */
    {3, 4, 1, 1, 0},   /* HCR_EL2 */
    {3, 4, 1, 1, 1},   /* MDCR_EL2 */
    {3, 4, 1, 1, 2},   /* CPTR_EL2 */
    {3, 4, 1, 1, 3},   /* HSTR_EL2 */
    {3, 4, 2, 0, 0},   /* TTBR0_EL2 */
    {3, 4, 2, 0, 2},   /* TCR_EL2 */
    {3, 4, 2, 1, 0},   /* VTTBR_EL2 */
    {3, 4, 2, 1, 2},   /* VTCR_EL2 */
    {3, 4, 3, 0, 0},   /* DACR32_EL2 */
    {3, 4, 4, 0, 0},   /* SPSR_EL2 */
    {3, 4, 4, 0, 1},   /* ELR_EL2 */
    {3, 4, 4, 3, 0},   /* SPSR_irq */
    {3, 4, 4, 3, 1},   /* SPSR_abt */
    {3, 4, 4, 3, 2},   /* SPSR_und */
    {3, 4, 4, 3, 3},   /* SPSR_fiq */
    {3, 4, 5, 0, 1},   /* IFSR32_EL2 */
    {3, 4, 5, 2, 0},   /* ESR_EL2 */
    {3, 4, 6, 0, 0},   /* FAR_EL2 */
    {3, 4, 6, 0, 4},   /* HPFAR_EL2 */
    {3, 4, 10, 2, 0},  /* MAIR_EL2 */
    {3, 4, 12, 0, 0},  /* VBAR_EL2 */
    {3, 4, 13, 0, 2},  /* TPIDR_EL2 */
    {3, 4, 14, 0, 3},  /* CNTVOFF_EL2 */
    {3, 4, 14, 1, 0},  /* CNTHCTL_EL2 */
    {3, 6, 1, 0, 0},   /* SCTLR_EL3 */
    {3, 6, 1, 1, 0},   /* SCR_EL3 */
    {3, 6, 1, 1, 1},   /* SDER32_EL3 */
    {3, 6, 1, 1, 2},   /* CPTR_EL3 */
    {3, 6, 1, 3, 1},   /* MDCR_EL3 */
    {3, 6, 2, 0, 0},   /* TTBR0_EL3 */
    {3, 6, 2, 0, 2},   /* TCR_EL3 */
    {3, 6, 5, 2, 0},   /* ESR_EL3 */
    {3, 6, 6, 0, 0},   /* FAR_EL3 */
    {3, 6, 10, 2, 0},  /* MAIR_EL3 */
    {3, 6, 12, 0, 0},  /* VBAR_EL3 */
    {3, 6, 13, 0, 2},  /* TPIDR_EL3 */
    {2, 0, 0, 2, 2},   /* MDSCR_EL1 */
    {3, 3, 9, 12, 0},  /* PMCR_EL0 */
    {3, 3, 9, 12, 1},  /* PMCNTENSET_EL0 */
    {3, 3, 9, 12, 3},  /* PMOVSCLR_EL0 */
    {3, 3, 9, 12, 5},  /* PMSELR_EL0 */
    {3, 3, 9, 14, 0},  /* PMUSERENR_EL0 */
    {3, 0, 9, 14, 1},  /* PMINTENSET_EL1 */
    {3, 3, 14, 15, 7}, /* PMCCFILTR_EL0 */
};

static void system_field(struct uc_core *core, struct words *words, const uint8_t name[5])
{
    uint64_t value = words->from ? 0 : uc_system(core, name[0], name[1], name[2], name[3], name[4]);
    value = word(words, value);
    if (words->from)
        uc_set_system(core, name[0], name[1], name[2], name[3], name[4], value);
}

/* Saves or restores a vector register. */
static void vector_field(struct uc_core *core, struct words *words, unsigned number)
{
    uint64_t value[2] = {0};
    if (!words->from)
        uc_reg_read(core->uc, UC_ARM64_REG_V0 + (int)number, value);
    value[0] = word(words, value[0]);
    value[1] = word(words, value[1]);
    if (words->from)
        uc_reg_write(core->uc, UC_ARM64_REG_V0 + (int)number, value);
}

/* Registers that only EL3 has. */
static void highest_fields(struct uc_core *core, struct words *words, bool highest)
{
    static const uint8_t names[2][5] = {{3, 6, 4, 0, 0}, {3, 6, 4, 0, 1}};
    if (!highest) {
        words->count += 3;
        return;
    }
    system_field(core, words, names[0]);
    system_field(core, words, names[1]);
    reg(core, words, UC_ARM64_REG_SP_EL0 + HIGHEST);
}

static unsigned level_of(uint32_t state)
{
    return state >> 2 & 3;
}

static void fields_64(struct uc_core *core, struct words *words)
{
    uint64_t pc = word(words, uc_get(&core->core, ARM_PC));
    uint32_t state = (uint32_t)word(words, uc_get(&core->core, ARM_CPSR));
    bool highest = level_of(state) == HIGHEST;
    if (uc_pc(core) != UC_STUB)
        uc_bank_stack_pointer(core);
    for (unsigned i = 0; i < HIGHEST; i++)
        reg(core, words, UC_ARM64_REG_SP_EL0 + (int)i);
    for (unsigned i = 0; i < 31; i++) {
        uint64_t value = word(words, uc_get(&core->core, i));
        if (words->from)
            uc_set(&core->core, i, value);
    }
    for (unsigned i = 0; i < sizeof system_registers / sizeof system_registers[0]; i++)
        system_field(core, words, system_registers[i]);
    highest_fields(core, words, highest);
    for (unsigned i = 0; i < VECTORS; i++)
        vector_field(core, words, i);
    reg32(core, words, UC_ARM64_REG_FPCR);
    reg32(core, words, UC_ARM64_REG_FPSR);
    if (words->from)
        uc_set_level(core, pc, state);
}

/* --- after a change of all registers --- */

/* Discards translations of addresses and of code. While translation is off, virtual addresses are
 * physical, so that all code in RAM is found; to discard everything takes Unicorn much longer. */
static void forget_code(struct uc_core *core)
{
    uint64_t control = uc_control(core);
    uc_set_control(core, control & ~UINT64_C(1));
    uc_set_cp15(core, 8, 0, 7, 0, 0); /* TLBIALL */
    uc_ctl_remove_cache(core->uc, 0, core->options.ram.size);
    uc_set_control(core, control);
    uc_set_cp15(core, 8, 0, 7, 0, 0);
}

/* Discards what Unicorn and the engine have derived from the registers before. */
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
    memset(core->store_table, 0, sizeof core->store_table);
    uc_forget_places(core);
    core->block = core->before = core->blocks;
    uc_forget_polls(core);
    core->pure = false;
    core->next_access = 0;
    core->stop = ARM_LIMIT;
    core->stopped_before = false;
    core->forget_all = core->wide;
}

/* --- whole states --- */

/* The block inside of which the core is. */
static void rest_fields(struct uc_core *core, struct words *words)
{
    bool inside = core->core.cycles < core->block_end;
    const struct uc_rest rest = inside && !core->rest.bytes
                                    ? (struct uc_rest){core->block->address, core->block->bytes,
                                                       core->next_access}
                                    : core->rest;
    uint64_t end = word(words, inside ? core->block_end : 0);
    uint64_t address = word(words, rest.address);
    uint64_t bytes = word(words, rest.bytes), next_access = word(words, rest.next_access);
    uint64_t event_due = word(words, inside && core->event_due);
    if (!words->from)
        return;
    bool valid = end > core->core.cycles && end - core->core.cycles <= LONGEST_BLOCK && bytes &&
                 bytes <= 4 * LONGEST_BLOCK && next_access <= LONGEST_BLOCK;
    core->rest = valid ? (struct uc_rest){address, (uint32_t)bytes, (unsigned)next_access}
                       : (struct uc_rest){0};
    core->block_end = valid ? end : 0;
    core->event_due = valid && event_due & 1;
}

static void fields(struct uc_core *core, struct words *words)
{
    uint64_t end = core->block_end;
    shared_fields(core, words);
    if (core->wide)
        fields_64(core, words);
    else
        fields_32(core, words);
    monitor_fields(core, words);
    core->block_end = end; /* which a write of the program counter clears */
    rest_fields(core, words);
}

size_t uc_state_size(const struct arm_core *shared)
{
    struct words words = {0};
    fields((struct uc_core *)shared, &words);
    return 8 * words.count;
}

void uc_save(const struct arm_core *shared, void *to)
{
    struct words words = {.to = to};
    memset(to, 0, uc_state_size(shared));
    fields((struct uc_core *)shared, &words);
}

/* Returns true if the core can continue in the mode of a saved state. */
static bool has_valid_mode(const struct uc_core *core, const uint8_t *from)
{
    static const uint32_t modes = 1u << 0x10 | 1u << 0x11 | 1u << 0x12 | 1u << 0x13 | 1u << 0x16 |
                                  1u << 0x17 | 1u << 0x1a | 1u << 0x1b | 1u << 0x1f;
    uint64_t state = load_le64(from + 8 * STATE_WORD);
    if (!core->wide)
        return state <= UINT32_MAX && modes >> (state & PSR_MODE) & 1 &&
               !(core->options.model == ARM_1176 && (state & PSR_MODE) == UC_MODE_HYP);
    return state <= UINT32_MAX && !(state & STATE_32) && !(state & 2) && (state & 15) != 1;
}

bool uc_restore(struct arm_core *shared, const void *from, size_t size)
{
    struct uc_core *core = (struct uc_core *)shared;
    struct words words = {.from = from};
    if (size != uc_state_size(shared) || !has_valid_mode(core, from))
        return false;
    fields(core, &words);
    forget_derived(core);
    return true;
}
