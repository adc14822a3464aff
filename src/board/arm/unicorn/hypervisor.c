/* SPDX-License-Identifier: MIT */
/* hypervisor.c - Hyp mode of 32-bit execution.
 *
 * In:  an exception that Hyp mode takes.
 * Out: the core in Hyp mode, at the exception's vector.
 *
 * Unicorn has no number for ELR_hyp; its place in a saved context is found as offsets.c describes.
 *
 * Source: ARM Architecture Reference Manual ARMv7-A, B1.8.4 (routing to Hyp mode), B1.9 (entry),
 *         B3.13.6 (HSR), B9.3.9 and B9.3.11 (moves of banked registers).
 * Left out: virtual interrupts; traps of wfi and wfe; HPFAR.
 * Choices: a move of SPSR_hyp in Hyp mode, which is unpredictable, moves the register. Boot code of
 *          boards does so. */
#include "board/arm/unicorn/core.h"

#include <string.h>

enum {
    PSR_THUMB = 1 << 5,
    PSR_FIQ_MASK = 1 << 6,
    PSR_IRQ_MASK = 1 << 7,
    PSR_ABORT_MASK = 1 << 8,
    PSR_BIG = 1 << 9,
    PSR_MODE = 0x1f,
    PSR_IT = 0x0600fc00,
    PSR_JAZELLE = 1 << 24,
    SCR_IRQ = 1 << 1,
    SCR_FIQ = 1 << 2,
    SCR_ABORT = 1 << 3,
    HCR_FIQ = 1 << 3,
    HCR_IRQ = 1 << 4,
    HCR_ALL = 1 << 27, /* TGE */
    HSCTLR_BIG = 1 << 25,
    HSCTLR_THUMB = 1 << 30,
    VECTOR_OWN_CALL = 0x08,
    VECTOR_ENTRY = 0x14, /* of calls and traps from other modes */
};

uint32_t uc_hyp_return(const struct uc_core *core)
{
    uint32_t pc;
    if (!core->offsets.hyp_return)
        return 0;
    uc_context_save(core->uc, core->context);
    memcpy(&pc, (const uint8_t *)core->context + core->offsets.hyp_return, sizeof pc);
    return pc;
}

void uc_set_hyp_return(const struct uc_core *core, uint32_t pc)
{
    if (!core->offsets.hyp_return)
        return;
    uc_context_save(core->uc, core->context);
    memcpy((uint8_t *)core->context + core->offsets.hyp_return, &pc, sizeof pc);
    uc_context_restore(core->uc, core->context);
}

/* --- entry --- */

bool uc_goes_to_hyp(const struct uc_core *core, enum uc_exception exception)
{
    if (core->options.model == ARM_1176 || uc_is_secure(core))
        return false;
    uint32_t mode = uc_psr_mode(core);
    if (mode == UC_MODE_HYP || exception == UC_HYP)
        return true;
    uint32_t hcr = (uint32_t)uc_cp15(core, 1, 4, 1, 0);
    switch (exception) {
    case UC_IRQ: return hcr & (HCR_IRQ | HCR_ALL);
    case UC_FIQ: return hcr & (HCR_FIQ | HCR_ALL);
    default: return mode == UC_MODE_USER && hcr & HCR_ALL;
    }
}

/* Stores what caused an exception that is no interrupt. */
static void store_cause(struct uc_core *core, enum uc_exception exception)
{
    enum { CLASS_SHIFT = 26, CLASS_DATA = 0x24, LENGTH = 1 << 25, IS_VALID = 1 << 24 };
    struct uc_report report;
    if (!uc_latest_report(core, &report))
        return;
    bool data = report.syndrome >> CLASS_SHIFT >= CLASS_DATA;
    bool unknown = report.syndrome >> CLASS_SHIFT == 0 || exception == UC_PREFETCH ||
                   (data && !(report.syndrome & IS_VALID));
    uint32_t keeps = unknown ? ~(uint32_t)LENGTH : UINT32_MAX;
    uc_set_cp15(core, 5, 4, 2, 0, report.syndrome & keeps); /* HSR */
    if (exception == UC_DATA)
        uc_set_cp15(core, 6, 4, 0, 0, report.address); /* HDFAR */
    if (exception == UC_PREFETCH)
        uc_set_cp15(core, 6, 4, 0, 2, report.address); /* HIFAR */
}

static uint32_t vector_of(enum uc_exception exception, bool from_hyp)
{
    static const uint8_t offsets[] = {
        [UC_UNDEFINED] = 0x04, [UC_CALL] = 0x08, [UC_PREFETCH] = 0x0c, [UC_DATA] = 0x10,
        [UC_HYP] = 0x14,       [UC_IRQ] = 0x18,  [UC_FIQ] = 0x1c,
    };
    if (exception == UC_HYP)
        return from_hyp ? VECTOR_OWN_CALL : VECTOR_ENTRY;
    bool interrupt = exception == UC_IRQ || exception == UC_FIQ;
    return from_hyp || interrupt ? offsets[exception] : VECTOR_ENTRY;
}

/* Returns the processor state after an entry to Hyp mode. */
static uint32_t state_after(const struct uc_core *core, uint32_t before, uint32_t hsctlr)
{
    uint32_t scr = (uint32_t)uc_cp15(core, 1, 0, 1, 0);
    uint32_t after = before & ~(uint32_t)(PSR_MODE | PSR_THUMB | PSR_IT | PSR_JAZELLE | PSR_BIG);
    after |= UC_MODE_HYP | (hsctlr & HSCTLR_THUMB ? PSR_THUMB : 0);
    after |= hsctlr & HSCTLR_BIG ? PSR_BIG : 0;
    after |= scr & SCR_ABORT ? 0 : PSR_ABORT_MASK;
    after |= scr & SCR_IRQ ? 0 : PSR_IRQ_MASK;
    return after | (scr & SCR_FIQ ? 0 : PSR_FIQ_MASK);
}

void uc_enter_hyp(struct uc_core *core, enum uc_exception exception, uint32_t pc)
{
    uint32_t before = uc_get32(core, UC_ARM_REG_CPSR), from = uc_hyp_return(core);
    uint32_t hsctlr = (uint32_t)uc_cp15(core, 1, 4, 0, 0);
    uint32_t after = state_after(core, before, hsctlr), address = pc & ~UINT32_C(1);
    uint32_t vector = (uint32_t)uc_cp15(core, 12, 4, 0, 0) +
                      vector_of(exception, (before & PSR_MODE) == UC_MODE_HYP);
    uc_forget_places(core);
    if (exception != UC_IRQ && exception != UC_FIQ)
        store_cause(core, exception);
    uc_set_hyp_return(core, address);
    uc_set_psr(core, after);
    uc_set32(core, UC_ARM_REG_SPSR, before);
    if (vector == address && before == after)
        uc_exception_loop(core, vector, from);
    else
        uc_set_pc(core, vector | !!(hsctlr & HSCTLR_THUMB));
}

/* --- SPSR_hyp --- */

enum { ARM_READ, ARM_WRITE, THUMB_READ, THUMB_WRITE, MOVES };

/* Instructions, with 0 for the fields in .ignored. */
static const struct {
    uint32_t word, ignored;
    uint8_t shift; /* of the register */
} moves[MOVES] = {
    [ARM_READ] = {0x014e0300, 0xf000f000, 12},
    [ARM_WRITE] = {0x016ef300, 0xf000000f, 0},
    [THUMB_READ] = {0xf3fe8030, 0x00000f00, 8},
    [THUMB_WRITE] = {0xf3908e30, 0x000f0000, 16},
};

static unsigned move_of(uint32_t word, bool thumb)
{
    unsigned i = thumb ? THUMB_READ : ARM_READ, end = thumb ? MOVES : THUMB_READ;
    while (i < end && (word & ~moves[i].ignored) != moves[i].word)
        i++;
    return i < end ? i : MOVES;
}

bool uc_moves_hyp_state(const struct uc_core *core, uint32_t word, unsigned bytes, bool thumb)
{
    return core->options.model != ARM_1176 && bytes == 4 && (thumb || word >> 28 != 15) &&
           move_of(word, thumb) != MOVES;
}

bool uc_move_hyp_state(struct uc_core *core, uint32_t word)
{
    bool thumb = uc_get32(core, UC_ARM_REG_CPSR) & PSR_THUMB;
    unsigned move = move_of(word, thumb);
    if (uc_psr_mode(core) != UC_MODE_HYP)
        return false;
    unsigned reg = word >> moves[move].shift & 15;
    if (move == ARM_READ || move == THUMB_READ)
        uc_set(&core->core, reg, uc_get32(core, UC_ARM_REG_SPSR));
    else
        uc_set32(core, UC_ARM_REG_SPSR, (uint32_t)uc_get(&core->core, reg));
    return true;
}
