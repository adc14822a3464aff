/* SPDX-License-Identifier: MIT */
/* exceptions.c - enters exceptions of 32-bit execution. Unicorn reports an exception, but does not
 * enter it.
 *
 * In:  the kind of exception, and the instruction.
 * Out: the core in the exception's mode, at the exception's vector.
 *
 * Source: ARM Architecture Reference Manual ARMv7-A, B1.8 and B1.9.
 * Left out: exceptions that are routed to Monitor or Hyp mode by SCR and HCR; Hyp mode itself. */
#include "board/arm/unicorn/core.h"

enum {
    PSR_THUMB = 1 << 5,
    PSR_FIQ_MASK = 1 << 6,
    PSR_IRQ_MASK = 1 << 7,
    PSR_ABORT_MASK = 1 << 8,
    PSR_BIG = 1 << 9,
    PSR_MODE = 0x1f,
    PSR_IT = 0x0600fc00,
    PSR_JAZELLE = 1 << 24,
    SCTLR_HIGH_VECTORS = 1 << 13,
    SCTLR_THUMB = 1 << 30,
    SCTLR_BIG = 1 << 25,
    STATUS_WRITE = 1 << 11, /* of a fault status */
};

#define HIGH_VECTORS UINT32_C(0xffff0000)

/* Numbers of exceptions that Unicorn reports (qemu/target/arm/cpu.h). */
enum {
    REPORTED_CALL = 2,
    REPORTED_PREFETCH = 3,
    REPORTED_DATA = 4,
    REPORTED_BREAKPOINT = 7,
    REPORTED_HYPERVISOR_CALL = 11,
    REPORTED_MONITOR_CALL = 13,
};

static const struct {
    uint32_t vector, mode, masks;
    uint8_t return_arm, return_thumb; /* added to the instruction's address for the link register */
} exceptions[] = {
    [UC_RESET] = {0x00, 0x13, PSR_IRQ_MASK | PSR_FIQ_MASK | PSR_ABORT_MASK, 0, 0},
    [UC_UNDEFINED] = {0x04, 0x1b, PSR_IRQ_MASK, 4, 2},
    [UC_CALL] = {0x08, 0x13, PSR_IRQ_MASK, 0, 0},
    [UC_PREFETCH] = {0x0c, 0x17, PSR_IRQ_MASK | PSR_ABORT_MASK, 4, 4},
    [UC_DATA] = {0x10, 0x17, PSR_IRQ_MASK | PSR_ABORT_MASK, 8, 8},
    [UC_HYP] = {0x14, 0x1a, PSR_IRQ_MASK, 0, 0},
    [UC_IRQ] = {0x18, 0x12, PSR_IRQ_MASK | PSR_ABORT_MASK, 4, 4},
    [UC_FIQ] = {0x1c, 0x11, PSR_IRQ_MASK | PSR_FIQ_MASK | PSR_ABORT_MASK, 4, 4},
};

static uint32_t vectors(const struct uc_core *core, uint32_t sctlr)
{
    return sctlr & SCTLR_HIGH_VECTORS ? HIGH_VECTORS : (uint32_t)uc_cp15(core, 12, 0, 0, 0);
}

void uc_enter(struct uc_core *core, enum uc_exception exception, uint32_t pc)
{
    uint32_t before = uc_get32(core, UC_ARM_REG_CPSR);
    uint32_t sctlr = (uint32_t)uc_cp15(core, 1, 0, 0, 0);
    bool thumb = sctlr & SCTLR_THUMB;
    uint32_t after = before & ~(uint32_t)(PSR_MODE | PSR_THUMB | PSR_IT | PSR_JAZELLE | PSR_BIG);
    after |= exceptions[exception].mode | exceptions[exception].masks | (thumb ? PSR_THUMB : 0) |
             (sctlr & SCTLR_BIG ? PSR_BIG : 0);
    uint8_t link = before & PSR_THUMB ? exceptions[exception].return_thumb
                                      : exceptions[exception].return_arm;
    uint32_t from = uc_get32(core, UC_ARM_REG_LR) - link, address = pc & ~UINT32_C(1);
    uint32_t vector = vectors(core, sctlr) + exceptions[exception].vector;
    bool loops = vector == address && before == after;
    if (!loops)
        uc_set32(core, UC_ARM_REG_CPSR, after);
    uc_set32(core, UC_ARM_REG_SPSR, before);
    uc_set32(core, UC_ARM_REG_LR, address + link);
    if (loops)
        uc_exception_loop(core, vector, from);
    else
        uc_set_pc(core, vector | thumb);
}

/* Enters a data or prefetch abort, with the address and status of the fault in coprocessor 15. */
static void enter_abort(struct uc_core *core, enum uc_exception exception, uint32_t pc)
{
    struct uc_report report;
    unsigned data = exception == UC_DATA ? 0 : 1;
    if (!uc_latest_report(core, &report)) {
        core->options.ports->broken(core->options.ports->user, core->options.number, pc,
                                    "this version of Unicorn does not show the address of a fault");
        uc_stop(core, ARM_BROKEN);
        return;
    }
    uc_set_cp15(core, 5, 0, 0, data, report.status);
    uc_set_cp15(core, 6, 0, 0, data ? 2 : 0, report.address);
    uc_enter(core, exception, pc);
}

void uc_reported(struct uc_core *core, uint32_t number)
{
    if (core->wide) {
        uc_reported_wide(core);
        return;
    }
    uint32_t pc = (uint32_t)uc_pc(core) & ~UINT32_C(1);
    if (number != REPORTED_CALL)
        uc_cut_block(core, pc);
    switch (number) {
    case REPORTED_CALL: uc_enter(core, UC_CALL, pc); break;
    case REPORTED_PREFETCH: enter_abort(core, UC_PREFETCH, pc); break;
    case REPORTED_BREAKPOINT: enter_abort(core, UC_PREFETCH, pc); break;
    case REPORTED_DATA: enter_abort(core, UC_DATA, pc); break;
    case REPORTED_HYPERVISOR_CALL:
    case REPORTED_MONITOR_CALL: uc_set_pc(core, uc_pc(core)); break;
    default: uc_enter(core, UC_UNDEFINED, pc); break;
    }
}

bool uc_take_interrupt(struct uc_core *core, uint64_t pc)
{
    if (core->wide)
        return uc_take_interrupt_wide(core, pc);
    uint32_t psr = uc_get32(core, UC_ARM_REG_CPSR);
    if ((core->core.lines & ARM_FIQ) && !(psr & PSR_FIQ_MASK)) {
        uc_enter(core, UC_FIQ, (uint32_t)pc);
        return true;
    }
    if ((core->core.lines & ARM_IRQ) && !(psr & PSR_IRQ_MASK)) {
        uc_enter(core, UC_IRQ, (uint32_t)pc);
        return true;
    }
    return false;
}
