/* SPDX-License-Identifier: MIT */
/* qpu_shadow.c - see qpu_shadow.h.
 *
 * Source:   the rules of manual section 3 ("Summary of Instruction Restrictions") and of vc4asm's
 *           validator whose violations do not change the model's results.
 * Left out: bytes of a register, because a packed write counts as a write of the whole element. A
 *           copy of a value counts as a read. */
#include "vc4/qpu/qpu_shadow.h"
#include "base/clear.h"
#include "base/text.h"

#include "vc4/qpu/qpu_run.h"

enum { LAST_SLOT = QPU_NOT_ENDING - 1, SWITCH_SLOTS = 2, NOSWAP_DISTANCE = 3, DEPTH_DISTANCE = 2 };

void qpu_shadow_start(struct qpu_shadow *shadow, bool fragment)
{
    clear_quickly(shadow, sizeof *shadow);
    if (fragment)
        shadow->a[15] = shadow->b[15] = ALL_LANES;
}

static bool has_effect(const struct qpu_insn *insn, const struct qpu_side *side)
{
    return !qpu_idles(insn, side) && qpu_has_effect(insn, side);
}

/* --- reads --- */

/* Returns those elements in mask that the destination register uses. Some registers use only
 * element 0. */
static lane_mask wanted(const struct qpu_insn *insn, const struct qpu_side *side, lane_mask mask)
{
    enum { FIRST = 0x0001, FIRST_OF_QUADS = 0x1111 };
    if (qpu_sets_flags(insn, side))
        return mask;
    switch (side->waddr) {
    case QPU_WR_HOST_INT:
    case QPU_WR_MUTEX_RELEASE: return 0; /* these registers act regardless of the value */
    case QPU_WR_ACC5: return mask & (side->file_a ? FIRST_OF_QUADS : FIRST);
    case QPU_WR_QUAD_XY: return mask & FIRST_OF_QUADS;
    case QPU_WR_TMU_NOSWAP:
    case QPU_WR_UNIFORM_ADDRESS:
    case QPU_WR_STENCIL_SETUP:
    case QPU_WR_VPM_SETUP:
    case QPU_WR_VPM_ADDRESS: return mask & FIRST;
    default: return mask;
    }
}

/* Register that a mux setting selects. */
struct source {
    const char *file; /* NULL if the mux selects no register */
    unsigned number;
};

static struct source source_of(const struct qpu_insn *insn, unsigned mux)
{
    if (mux <= QPU_MUX_R5)
        return (struct source){"r", mux};
    if (mux == QPU_MUX_A && insn->raddr_a < 32)
        return (struct source){"ra", insn->raddr_a};
    if (mux == QPU_MUX_B && insn->form == QPU_FORM_ALU && insn->raddr_b < 32)
        return (struct source){"rb", insn->raddr_b};
    return (struct source){NULL, 0};
}

/* Returns a pointer to the mask of a register's elements that hold a value. */
static lane_mask *defined(struct qpu_run *run, unsigned mux, unsigned number)
{
    struct qpu_shadow *shadow = &run->qpu->shadow;
    return mux <= QPU_MUX_R5  ? &shadow->r[number]
           : mux == QPU_MUX_A ? &shadow->a[number]
                              : &shadow->b[number];
}

static void check_operand(struct qpu_run *run, unsigned mux, lane_mask needed)
{
    struct source source = source_of(&run->insn->insn, mux);
    if (mux == QPU_MUX_R4)
        run->qpu->shadow.r4_fresh = false;
    bool too_early = mux == QPU_MUX_R4 && run->qpu->sfu_delay; /* reported by FAULT_QPU_SFU_R4 */
    if (!source.file || too_early)
        return;
    lane_mask *mask = defined(run, mux, source.number);
    unsigned missing = (lane_mask)(needed & ~*mask);
    if (!missing)
        return;
    bool lost = run->qpu->shadow.switched && mux <= QPU_MUX_R5;
    QPU_FAULT(run, lost ? FAULT_QPU_SWITCH_LOST : FAULT_QPU_UNINITIALISED,
              lost ? "%s%u is read, but was not written since the thread switch (elements 0x%04x)"
                   : "%s%u is read, but was never written (elements 0x%04x)",
              source.file, source.number, missing);
    *mask |= needed;
}

static void check_operands(struct qpu_run *run, const struct qpu_side *side, lane_mask mask)
{
    const struct qpu_insn *insn = &run->insn->insn;
    if (!qpu_is_alu(insn) || !has_effect(insn, side) || qpu_zeroes(side) ||
        qpu_keeps(insn, !side->add))
        return;
    lane_mask needed = wanted(insn, side, mask);
    if (!side->add && qpu_rotates(insn) && needed)
        needed = ALL_LANES;
    if (side->sources > 0)
        check_operand(run, side->a, needed);
    if (side->sources > 1 && side->b != side->a)
        check_operand(run, side->b, needed);
    if (!side->add && insn->raddr_b == QPU_ROTATE_BY_R5 && qpu_rotates(insn))
        check_operand(run, QPU_MUX_R5, 1);
}

/* --- flags --- */

static bool is_conditional(const struct qpu_insn *insn)
{
    const struct qpu_side side[2] = {qpu_add_side(insn), qpu_mul_side(insn)};
    if (insn->form == QPU_FORM_BRANCH)
        return insn->cond_br < 12;
    for (unsigned i = 0; i < 2; i++)
        if (side[i].cond > QPU_COND_ALWAYS && has_effect(insn, &side[i]))
            return true;
    return false;
}

static void check_flags(struct qpu_run *run)
{
    struct qpu_shadow *shadow = &run->qpu->shadow;
    if (shadow->flags == ALL_LANES || !is_conditional(&run->insn->insn))
        return;
    QPU_FAULT(run, shadow->switched ? FAULT_QPU_SWITCH_LOST : FAULT_QPU_FLAGS_UNSET,
              "a condition is evaluated, but flags were not set%s",
              shadow->switched ? " since the thread switch" : "");
    shadow->flags = ALL_LANES;
}

/* --- multiplication --- */

/* True if a value does not fit in 24 bits, because its upper bits are neither zero nor copies of
 * bit 23. */
static bool is_wide(uint32_t value)
{
    return value >> 24 != 0 && value >> 23 != 0x1ff;
}

void qpu_shadow_mul24(struct qpu_run *run, const lanes *a, const lanes *b, lane_mask mask)
{
    const lanes *operand[2] = {a, b};
    const struct qpu_side mul = qpu_mul_side(&run->insn->insn);
    if (!has_effect(&run->insn->insn, &mul))
        return;
    run->qpu->shadow.varies = true;
    for (unsigned i = 0; i < 2 * LANES; i++) {
        uint32_t value = (*operand[i / LANES])[i % LANES];
        if (!(mask >> i % LANES & 1) || !is_wide(value))
            continue;
        QPU_FAULT(run, FAULT_QPU_MUL24, "mul24 drops the top byte of 0x%08x (element %u)", value,
                  i % LANES);
        return;
    }
}

/* --- shifts --- */

/* True if a shift count is out of range. Counts from -32 to -1 are in range, because immediates
 * from -16 to -1 encode shifts by 16 to 31, and because some programs compute a count as n - 32. */
static bool is_too_far(uint32_t count)
{
    return count > 31 && count < 0u - 32u;
}

void qpu_shadow_shift(struct qpu_run *run, const lanes *count, lane_mask mask)
{
    const struct qpu_side add = qpu_add_side(&run->insn->insn);
    if (!has_effect(&run->insn->insn, &add))
        return;
    run->qpu->shadow.varies = true;
    for (unsigned i = 0; i < LANES; i++) {
        if (!(mask >> i & 1) || !is_too_far((*count)[i]))
            continue;
        QPU_FAULT(
            run, FAULT_QPU_SHIFT,
            "element %u is shifted by %u; only the low five bits are used, so the shift is by %u",
            i, (*count)[i], (*count)[i] & 31);
        return;
    }
}

/* --- order and distance --- */

static bool writes_between(const struct qpu_insn *insn, unsigned low, unsigned high)
{
    if ((insn->waddr_add < low || insn->waddr_add > high) &&
        (insn->waddr_mul < low || insn->waddr_mul > high))
        return false;
    const struct qpu_side side[2] = {qpu_add_side(insn), qpu_mul_side(insn)};
    for (unsigned i = 0; i < 2; i++)
        if (insn->form != QPU_FORM_BRANCH && has_effect(insn, &side[i]) && side[i].waddr >= low &&
            side[i].waddr <= high)
            return true;
    return false;
}

/* True if the instruction whose number is in mark was executed at most `distance` instructions
 * ago. */
static bool is_recent(const struct qpu_run *run, uint64_t mark, uint64_t distance)
{
    return mark && run->qpu->instructions + 1 - mark <= distance;
}

/* Reports a late write of Z. According to erratum HW-2806, a Z test must not overlap with the next
 * thread. Broadcom's driver (glsl_allocator_4.c) writes no Z in the last four instructions of a
 * program: the one before the program-end signal, the one with the signal, and the two after it. A
 * write in the very last instruction is reported by another rule. */
static void check_late_z(struct qpu_run *run)
{
    bool before_end = run->end_phase == 0 && is_recent(run, run->qpu->shadow.depth, 1);
    bool in_end = run->end_phase < LAST_SLOT &&
                  writes_between(&run->insn->insn, QPU_WR_TLB_Z, QPU_WR_TLB_Z);
    if (before_end || in_end)
        QPU_FAULT(run, FAULT_QPU_LATE_Z, "Z is written in the last four instructions");
}

static void check_distances(struct qpu_run *run)
{
    const struct qpu_insn *insn = &run->insn->insn;
    const struct qpu_shadow *shadow = &run->qpu->shadow;
    if (writes_between(insn, QPU_WR_TMU0_S, 63) &&
        is_recent(run, shadow->noswap, NOSWAP_DISTANCE - 1))
        QPU_FAULT(run, FAULT_QPU_NOSWAP, "a TMU is written too soon after TMU_NOSWAP");
    check_late_z(run);
    if (qpu_is_alu(insn) && insn->raddr_a == QPU_RD_MS_REV &&
        is_recent(run, shadow->depth, DEPTH_DISTANCE))
        QPU_FAULT(run, FAULT_QPU_MS_FLAGS, "MS_FLAGS is read too soon after a tile buffer Z write");
}

static void note_order(struct qpu_run *run)
{
    const struct qpu_insn *insn = &run->insn->insn;
    struct qpu_shadow *shadow = &run->qpu->shadow;
    uint64_t mark = run->qpu->instructions + 1;
    if (writes_between(insn, QPU_WR_TMU_NOSWAP, QPU_WR_TMU_NOSWAP))
        shadow->noswap = mark;
    if (writes_between(insn, QPU_WR_TLB_Z, QPU_WR_TLB_Z))
        shadow->depth = mark;
    if (writes_between(insn, QPU_WR_UNIFORM_ADDRESS, QPU_WR_UNIFORM_ADDRESS))
        shadow->rewound = true;
}

static void check_uniforms(struct qpu_run *run)
{
    const struct qpu_shadow *shadow = &run->qpu->shadow;
    bool taken = run->insn->traits & QPU_READS_UNIFORM;
    if (!taken || !shadow->uniforms || shadow->rewound ||
        run->qpu->times.uniforms < shadow->uniforms)
        return;
    QPU_FAULT(run, FAULT_QPU_UNIFORM_COUNT,
              "uniform %llu is read, but the shader record declares %u uniform%s",
              (unsigned long long)run->qpu->times.uniforms + 1, shadow->uniforms,
              text_plural(shadow->uniforms));
}

/* --- signals --- */

/* Reports a thread switch while requests use more than half of a TMU's queue. The other half is
 * reserved for the other thread (manual section 4, "QPU Interface"). */
static void check_queues(struct qpu_run *run)
{
    const struct tmu *tmu = run->ports->tmu;
    for (unsigned unit = 0; tmu && unit < TMU_UNITS; unit++)
        if (tmu_slots_used(tmu, unit) > TMU_FIFO / 2)
            QPU_FAULT(run, FAULT_TMU_HALF,
                      "TMU%u: requests hold %u of %d slots during a thread switch", unit,
                      tmu_slots_used(tmu, unit), TMU_FIFO);
}

static void lose_accumulators(struct qpu_shadow *shadow)
{
    for (unsigned i = 0; i < 6; i++)
        shadow->r[i] = 0;
    shadow->flags = 0;
    shadow->switched = true;
    shadow->r4_fresh = false;
}

static void check_switch(struct qpu_run *run)
{
    struct qpu_shadow *shadow = &run->qpu->shadow;
    unsigned sig = run->insn->insn.sig;
    if (sig != QPU_SIG_THREAD_SWITCH && sig != QPU_SIG_LAST_THREAD_SWITCH)
        return;
    if (shadow->switch_delay)
        QPU_FAULT(run, FAULT_QPU_SWITCH,
                  "a thread switch in the delay slots of another thread switch");
    if (run->qpu->scoreboard_held && !run->qpu->scoreboard_done)
        QPU_FAULT(run, FAULT_QPU_SWITCH, "a thread switch while the scoreboard is held");
    if (shadow->last_switch)
        QPU_FAULT(run, FAULT_QPU_SWITCH, "a thread switch after the last thread switch");
    shadow->last_switch |= sig == QPU_SIG_LAST_THREAD_SWITCH;
    shadow->other_switch |= sig == QPU_SIG_THREAD_SWITCH;
    shadow->switch_at = run->qpu->pc;
    shadow->switch_delay = SWITCH_SLOTS + 1;
}

static void check_unlock(struct qpu_run *run)
{
    const struct qpu *qpu = run->qpu;
    if (run->insn->insn.sig != QPU_SIG_SCOREBOARD_UNLOCK || qpu->kind != QPU_FRAGMENT)
        return;
    if (qpu->scoreboard_done)
        QPU_FAULT(run, FAULT_QPU_SCOREBOARD_ORDER, "the scoreboard is unlocked twice");
    else if (!qpu->scoreboard_held && !writes_between(&run->insn->insn, QPU_WR_TLB_Z, 47))
        QPU_FAULT(run, FAULT_QPU_SCOREBOARD_ORDER,
                  "the scoreboard is unlocked without an earlier wait for it");
}

void qpu_shadow_r4(struct qpu_run *run)
{
    struct qpu_shadow *shadow = &run->qpu->shadow;
    if (shadow->r4_fresh)
        QPU_FAULT(run, FAULT_QPU_R4_LOST, "a result in r4 is overwritten before it is read");
    shadow->r4_fresh = true;
    shadow->r[4] = ALL_LANES;
}

/* --- writes --- */

static void note_write(struct qpu_run *run, const struct qpu_side *side, lane_mask mask)
{
    struct qpu_shadow *shadow = &run->qpu->shadow;
    const struct qpu_insn *insn = &run->insn->insn;
    if (!has_effect(insn, side))
        return;
    if (qpu_sets_flags(insn, side))
        shadow->flags |= mask;
    if (side->waddr < 32)
        (side->file_a ? shadow->a : shadow->b)[side->waddr] |= mask;
    else if (side->waddr <= QPU_WR_ACC3)
        shadow->r[side->waddr - QPU_WR_ACC0] |= mask;
    else if (side->waddr == QPU_WR_ACC5)
        shadow->r[5] = ALL_LANES;
}

/* Records a branch's write of the link register. If the branch's raddr_a field is odd, the branch
 * also sets the flags. */
static void note_link(struct qpu_run *run)
{
    struct qpu_shadow *shadow = &run->qpu->shadow;
    const struct qpu_insn *insn = &run->insn->insn;
    const struct qpu_side side[2] = {qpu_add_side(insn), qpu_mul_side(insn)};
    for (unsigned i = 0; i < 2; i++)
        note_write(run, &side[i], ALL_LANES);
    if (insn->raddr_a & 1)
        shadow->flags = ALL_LANES;
}

static bool depends_on_flags(const struct qpu_insn *insn)
{
    return insn->form == QPU_FORM_BRANCH || insn->cond_add > QPU_COND_ALWAYS ||
           insn->cond_mul > QPU_COND_ALWAYS;
}

void qpu_shadow_check(struct qpu_run *run, lane_mask add_mask, lane_mask mul_mask)
{
    struct qpu_shadow *shadow = &run->qpu->shadow;
    const struct qpu_insn *insn = &run->insn->insn;
    const struct qpu_side add = qpu_add_side(insn), mul = qpu_mul_side(insn);
    shadow->varies |= depends_on_flags(insn);
    if (shadow->switch_delay && --shadow->switch_delay == 0) {
        check_queues(run);
        lose_accumulators(shadow);
    }
    check_flags(run);
    check_operands(run, &add, add_mask);
    check_operands(run, &mul, mul_mask);
    check_distances(run);
    check_uniforms(run);
    check_switch(run);
    check_unlock(run);
    note_order(run);
    if (insn->form == QPU_FORM_BRANCH) {
        note_link(run);
        return;
    }
    note_write(run, &add, add_mask);
    note_write(run, &mul, mul_mask);
    if (qpu_loads_r4(insn->sig))
        qpu_shadow_r4(run);
}
