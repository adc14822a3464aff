/* SPDX-License-Identifier: MIT */
/* exceptions.c - enters exceptions of 32-bit execution. Unicorn reports an exception, but does not
 * enter it.
 *
 * In:  the kind of exception, and the instruction.
 * Out: the core in the exception's mode, at the exception's vector.
 *
 * Source: ARM Architecture Reference Manual ARMv7-A, B1.8 and B1.9; ARM1176JZF-S Technical
 *         Reference Manual, 2.12 (Monitor mode).
 * Left out: external aborts, which SCR.EA routes to Monitor mode. */
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
    SCR_NON_SECURE = 1 << 0,
    SCR_IRQ = 1 << 1,
    SCR_FIQ = 1 << 2,
    SCR_FIQ_WRITABLE = 1 << 4,
    MANY_NESTED = 1000, /* exceptions of a handler that ends in exceptions forever */
};

#define HIGH_VECTORS UINT32_C(0xffff0000)

/* Numbers of exceptions that Unicorn reports (qemu/target/arm/cpu.h). */
enum {
    REPORTED_CALL = 2,
    REPORTED_PREFETCH = 3,
    REPORTED_DATA = 4,
    REPORTED_BREAKPOINT = 7,
    REPORTED_HYPERVISOR_CALL = 11,
    REPORTED_HYPERVISOR_TRAP = 12,
    REPORTED_MONITOR_CALL = 13,
};

static const struct {
    uint32_t vector, mode, masks;
    uint8_t return_arm, return_thumb; /* added to the instruction's address for the link register */
} exceptions[] = {
    [UC_UNDEFINED] = {0x04, 0x1b, PSR_IRQ_MASK, 4, 2},
    [UC_CALL] = {0x08, 0x13, PSR_IRQ_MASK, 0, 0},
    [UC_PREFETCH] = {0x0c, 0x17, PSR_IRQ_MASK | PSR_ABORT_MASK, 4, 4},
    [UC_DATA] = {0x10, 0x17, PSR_IRQ_MASK | PSR_ABORT_MASK, 8, 8},
    [UC_IRQ] = {0x18, 0x12, PSR_IRQ_MASK | PSR_ABORT_MASK, 4, 4},
    [UC_FIQ] = {0x1c, 0x11, PSR_IRQ_MASK | PSR_FIQ_MASK | PSR_ABORT_MASK, 4, 4},
    [UC_MONITOR] = {0x08, UC_MODE_MONITOR, PSR_IRQ_MASK | PSR_FIQ_MASK | PSR_ABORT_MASK, 0, 0},
};

/* --- the mode that takes an exception --- */

static uint32_t read_scr(const struct uc_core *core)
{
    return (uint32_t)uc_cp15(core, 1, 0, 1, 0);
}

static bool goes_to_monitor(const struct uc_core *core, enum uc_exception exception)
{
    uint32_t route = exception == UC_IRQ ? SCR_IRQ : exception == UC_FIQ ? SCR_FIQ : 0;
    return exception == UC_MONITOR || (route && read_scr(core) & route);
}

/* An exception in Monitor mode ends the access to the registers of the non-secure state. */
static void leave_non_secure(struct uc_core *core)
{
    uint32_t scr = read_scr(core);
    if (scr & SCR_NON_SECURE)
        uc_set_cp15(core, 1, 0, 1, 0, scr & ~(uint32_t)SCR_NON_SECURE);
}

/* Returns the address of the vectors of the present security state, or of Monitor mode. */
static uint32_t vectors(const struct uc_core *core, uint32_t sctlr, bool monitor)
{
    if (monitor)
        return (uint32_t)uc_cp15(core, 12, 0, 0, 1);
    return sctlr & SCTLR_HIGH_VECTORS ? HIGH_VECTORS : (uint32_t)uc_cp15(core, 12, 0, 0, 0);
}

/* --- entry --- */

/* Moves the core to the mode that takes an exception, whose registers it then has. Returns the
 * processor state that the vector's first instruction has. */
static uint32_t change_mode(struct uc_core *core, enum uc_exception exception, bool monitor,
                            uint32_t *sctlr)
{
    uint32_t before = uc_get32(core, UC_ARM_REG_CPSR);
    uint32_t mode = monitor ? UC_MODE_MONITOR : exceptions[exception].mode;
    uint32_t masks = monitor ? exceptions[UC_MONITOR].masks : exceptions[exception].masks;
    uint32_t after = before & ~(uint32_t)(PSR_MODE | PSR_THUMB | PSR_IT | PSR_JAZELLE | PSR_BIG);
    if ((before & PSR_MODE) == UC_MODE_MONITOR)
        leave_non_secure(core);
    uc_set_psr(core, after | mode | masks);
    *sctlr = (uint32_t)uc_cp15(core, 1, 0, 0, 0);
    after |= mode | masks | (*sctlr & SCTLR_THUMB ? PSR_THUMB : 0);
    after |= *sctlr & SCTLR_BIG ? PSR_BIG : 0;
    uc_set_psr(core, after);
    return after;
}

/* Counts an exception of an instruction. Returns true if it is one of many in a row that the same
 * instruction causes in the mode of the exception: each exception has overwritten the return
 * address of the exception before, so that the handler cannot return. */
static bool is_endless(struct uc_core *core, uint32_t address, bool own_mode)
{
    core->nested_count = own_mode && address == core->nested ? core->nested_count + 1 : 0;
    core->nested = address;
    if (!own_mode)
        core->nested_from = address;
    return core->nested_count >= MANY_NESTED;
}

void uc_enter(struct uc_core *core, enum uc_exception exception, uint32_t pc)
{
    bool monitor = goes_to_monitor(core, exception);
    if (!monitor && uc_goes_to_hyp(core, exception)) {
        uc_enter_hyp(core, exception, pc);
        return;
    }
    uint32_t before = uc_get32(core, UC_ARM_REG_CPSR), sctlr;
    uint32_t after = change_mode(core, exception, monitor, &sctlr);
    uint8_t link = before & PSR_THUMB ? exceptions[exception].return_thumb
                                      : exceptions[exception].return_arm;
    uint32_t from = uc_get32(core, UC_ARM_REG_LR) - link, address = pc & ~UINT32_C(1);
    uint32_t vector = vectors(core, sctlr, monitor) + exceptions[exception].vector;
    uc_set32(core, UC_ARM_REG_SPSR, before);
    uc_set32(core, UC_ARM_REG_LR, address + link);
    bool own_mode = exception != UC_CALL && !((before ^ after) & PSR_MODE);
    if (vector == address && before == after)
        uc_exception_loop(core, vector, from);
    else if (is_endless(core, address, own_mode))
        uc_exception_loop(core, vector,
                          core->nested_count == MANY_NESTED ? core->nested_from : vector);
    else
        uc_set_pc(core, vector | !!(after & PSR_THUMB));
}

/* --- exceptions that Unicorn reports --- */

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
    if (!uc_goes_to_hyp(core, exception)) {
        uc_set_cp15(core, 5, 0, 0, data, report.status);
        uc_set_cp15(core, 6, 0, 0, data ? 2 : 0, report.address);
    }
    uc_enter(core, exception, pc);
}

/* Enters the exception of an instruction that is undefined, or that Hyp mode traps. */
static void enter_undefined(struct uc_core *core, uint32_t pc)
{
    enum { LEVEL_HYP = 2 };
    struct uc_report report;
    bool trapped = core->options.model != ARM_1176 && uc_latest_report(core, &report) &&
                   report.target == LEVEL_HYP;
    uc_enter(core, trapped && uc_psr_mode(core) != UC_MODE_HYP ? UC_HYP : UC_UNDEFINED, pc);
}

void uc_reported(struct uc_core *core, uint32_t number)
{
    if (core->wide) {
        uc_reported_wide(core);
        return;
    }
    uint32_t pc = (uint32_t)uc_pc(core) & ~UINT32_C(1);
    bool call = number == REPORTED_CALL || number == REPORTED_HYPERVISOR_CALL ||
                number == REPORTED_MONITOR_CALL;
    if (!call) {
        uc_cut_block(core, pc);
        core->core.cycles++;
    }
    switch (number) {
    case REPORTED_CALL: uc_enter(core, UC_CALL, pc); break;
    case REPORTED_PREFETCH: enter_abort(core, UC_PREFETCH, pc); break;
    case REPORTED_BREAKPOINT: enter_abort(core, UC_PREFETCH, pc); break;
    case REPORTED_DATA: enter_abort(core, UC_DATA, pc); break;
    case REPORTED_HYPERVISOR_CALL:
    case REPORTED_HYPERVISOR_TRAP: uc_enter(core, UC_HYP, pc); break;
    case REPORTED_MONITOR_CALL: uc_enter(core, UC_MONITOR, pc); break;
    default: enter_undefined(core, pc); break;
    }
}

/* --- interrupts --- */

/* Returns true if the core masks an interrupt. In non-secure state, a mask has no effect on an
 * interrupt that Hyp mode takes from other modes, or on an FIQ that Monitor mode keeps. */
static bool is_masked(const struct uc_core *core, enum uc_exception exception, uint32_t mask)
{
    enum { KEEPS = SCR_FIQ | SCR_FIQ_WRITABLE };
    if (!(uc_get32(core, UC_ARM_REG_CPSR) & mask))
        return false;
    if (uc_is_secure(core) || uc_psr_mode(core) == UC_MODE_HYP)
        return true;
    if (goes_to_monitor(core, exception))
        return exception != UC_FIQ || (read_scr(core) & KEEPS) != SCR_FIQ;
    return !uc_goes_to_hyp(core, exception);
}

bool uc_take_interrupt(struct uc_core *core, uint64_t pc)
{
    if (core->wide)
        return uc_take_interrupt_wide(core, pc);
    if ((core->core.lines & ARM_FIQ) && !is_masked(core, UC_FIQ, PSR_FIQ_MASK)) {
        uc_enter(core, UC_FIQ, (uint32_t)pc);
        return true;
    }
    if ((core->core.lines & ARM_IRQ) && !is_masked(core, UC_IRQ, PSR_IRQ_MASK)) {
        uc_enter(core, UC_IRQ, (uint32_t)pc);
        return true;
    }
    return false;
}
