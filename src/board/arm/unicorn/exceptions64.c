/* SPDX-License-Identifier: MIT */
/* exceptions64.c - enters exceptions of 64-bit execution.
 *
 * In:  the exception that Unicorn reports, or a pending interrupt.
 * Out: the core at the exception's vector.
 *
 * Source: ARM Architecture Reference Manual ARMv8-A, D1.10 (vectors), D1.13 (routing of
 *         interrupts). : exceptions taken to EL3, SError. */
#include "board/arm/unicorn/core.h"

enum {
    STATE_MASKS = 0x3c0, /* D, A, I, F */
    STATE_FIQ_MASK = 1 << 6,
    STATE_IRQ_MASK = 1 << 7,
    STATE_32 = 1 << 4,
    STATE_KEPT = STATE_MASKS | 0x1f, /* masks, level and stack pointer */
    VECTOR_SYNCHRONOUS = 0,
    VECTOR_IRQ = 0x80,
    VECTOR_FIQ = 0x100,
    HCR_FIQ = 1 << 3,
    HCR_IRQ = 1 << 4,
    HCR_ALL = 1 << 27, /* TGE */
    CLASS_PREFETCH = 0x20,
    CLASS_PREFETCH_SAME = 0x21,
    CLASS_DATA = 0x24,
    CLASS_DATA_SAME = 0x25,
    CLASS_ALIGNMENT_PC = 0x22,
    CLASS_CALL = 0x15,
    CLASS_MONITOR_CALL = 0x17,
};

static unsigned level_of(uint32_t state)
{
    return state >> 2 & 3;
}

/* Returns the offset of the vectors for an exception from a state to a level. */
static uint32_t vector_group(uint32_t state, unsigned target)
{
    if (level_of(state) < target)
        return state & STATE_32 ? 0x600 : 0x400;
    return state & 1 ? 0x200 : 0;
}

static void enter(struct uc_core *core, unsigned target, uint32_t vector, uint64_t return_to)
{
    uint32_t state = uc_state(core), after = target << 2 | 1 | STATE_MASKS;
    uint64_t base = 0, from = 0;
    uc_reg_read(core->uc, UC_ARM64_REG_VBAR_EL0 + (int)target, &base);
    uc_reg_read(core->uc, UC_ARM64_REG_ELR_EL0 + (int)target, &from);
    uc_reg_write(core->uc, UC_ARM64_REG_ELR_EL0 + (int)target, &return_to);
    uc_set_system(core, 3, target == 1 ? 0 : 4, 4, 0, 0, state); /* SPSR_ELx */
    uint64_t address = base + vector_group(state, target) + vector;
    if (address == return_to && (state & STATE_KEPT) == after)
        uc_exception_loop(core, address, from);
    else
        uc_enter_level(core, address, after);
}

static bool has_address(uint64_t syndrome)
{
    unsigned kind = (unsigned)(syndrome >> 26);
    return kind == CLASS_PREFETCH || kind == CLASS_PREFETCH_SAME || kind == CLASS_DATA ||
           kind == CLASS_DATA_SAME || kind == CLASS_ALIGNMENT_PC;
}

/* Returns true for svc, hvc and smc: the exception returns to the instruction after them. */
static bool is_call(uint64_t syndrome)
{
    unsigned kind = (unsigned)(syndrome >> 26);
    return kind >= CLASS_CALL && kind <= CLASS_MONITOR_CALL;
}

void uc_reported_wide(struct uc_core *core)
{
    struct uc_report report;
    uint64_t pc = uc_pc(core);
    if (!uc_latest_report(core, &report)) {
        core->options.ports->broken(core->options.ports->user, core->options.number, pc,
                                    "this version of Unicorn does not show exceptions");
        uc_stop(core, ARM_BROKEN);
        return;
    }
    unsigned own = level_of(uc_state(core));
    unsigned target = report.target > own ? report.target : own;
    target = target < 1 ? 1 : target > 2 ? 2 : target;
    uint64_t syndrome = report.syndrome;
    uc_cut_block(core, pc);
    core->core.cycles += !is_call(syndrome);
    uc_reg_write(core->uc, UC_ARM64_REG_ESR_EL0 + (int)target, &syndrome);
    if (has_address(syndrome))
        uc_reg_write(core->uc, UC_ARM64_REG_FAR_EL0 + (int)target, &report.address);
    enter(core, target, VECTOR_SYNCHRONOUS, pc);
}

/* Returns the level that takes an interrupt, or 0 if the core masks it. */
static unsigned interrupt_target(const struct uc_core *core, uint32_t state, uint32_t mask,
                                 uint32_t route)
{
    uint64_t hypervisor = uc_system(core, 3, 4, 1, 1, 0); /* HCR_EL2 */
    unsigned own = level_of(state);
    unsigned target = hypervisor & (route | HCR_ALL) ? 2 : 1;
    if (own > target || (own == target && (state & mask)))
        return 0;
    return target;
}

bool uc_take_interrupt_wide(struct uc_core *core, uint64_t pc)
{
    static const struct {
        unsigned line;
        uint32_t mask, route, vector;
    } kinds[] = {
        {ARM_FIQ, STATE_FIQ_MASK, HCR_FIQ, VECTOR_FIQ},
        {ARM_IRQ, STATE_IRQ_MASK, HCR_IRQ, VECTOR_IRQ},
    };
    uint32_t state = uc_state(core);
    if (pc == UC_STUB)
        return false;
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        unsigned target = core->core.lines & kinds[i].line
                              ? interrupt_target(core, state, kinds[i].mask, kinds[i].route)
                              : 0;
        if (target) {
            enter(core, target, kinds[i].vector, pc);
            return true;
        }
    }
    return false;
}
