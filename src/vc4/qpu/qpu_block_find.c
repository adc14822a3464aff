/* SPDX-License-Identifier: MIT */
/* qpu_block_find.c - finds the instructions of a block.
 *
 * In:     code.
 * Out:    the builder's instructions, and which of their values are visible after the block.
 * Source: as in qpu.c, whose rules the block's instructions must not break. */
#include "base/bits.h"
#include "vc4/qpu/qpu_block_builder.h"

enum { WORD = 8, END_SLOTS = 2, TMU_LAST = QPU_WR_TMU1_S + 3 };

/* --- instructions that can be in a block --- */

static bool is_simple_target(unsigned waddr)
{
    return qpu_is_register(waddr) || waddr == QPU_NOP || waddr == QPU_WR_ACC5 ||
           waddr == QPU_WR_UNIFORM_ADDRESS || qpu_is_io_target(waddr) ||
           (waddr >= QPU_WR_SFU_RECIP && waddr <= QPU_WR_SFU_LOG);
}

static bool is_simple_read(unsigned address, bool used)
{
    return address < 32 || address == QPU_RD_UNIFORM || address == QPU_RD_ELEMENT_QPU ||
           qpu_is_io_read(address) || (address == QPU_NOP && !used);
}

static bool is_simple_signal(unsigned sig)
{
    return sig == QPU_SIG_NONE || sig == QPU_SIG_THREAD_SWITCH ||
           sig == QPU_SIG_LAST_THREAD_SWITCH || sig == QPU_SIG_SCOREBOARD_WAIT ||
           sig == QPU_SIG_SCOREBOARD_UNLOCK || sig == QPU_SIG_PROGRAM_END ||
           (qpu_loads_r4(sig) && sig != QPU_SIG_COLOUR_LOAD_END);
}

uint8_t qpu_block_rotated(const struct qpu_insn *insn)
{
    if (!qpu_rotates(insn))
        return 0;
    unsigned operands = qpu_rotates_all(insn) ? 1u << insn->mul_a | 1u << insn->mul_b : 0;
    return (uint8_t)(operands | (insn->raddr_b == QPU_ROTATE_BY_R5 ? 1u << 5 : 0));
}

static bool is_simple_side(const struct qpu_insn *insn, const struct qpu_side *side)
{
    if (!qpu_writes(side))
        return true;
    if (qpu_idles(insn, side))
        return side->add; /* the mul ALU's nop repeats its previous result, which only qpu.c
                             models */
    if (insn->pm && insn->pack && !side->add && !qpu_is_register(side->waddr))
        return false;
    if (side->waddr == QPU_WR_UNIFORM_ADDRESS && side->cond != QPU_COND_ALWAYS)
        return false;
    return is_simple_target(side->waddr);
}

static bool is_simple_alu(const struct qpu_decoded *d, const struct qpu_side side[2])
{
    const struct qpu_insn *insn = &d->insn;
    bool immediate = insn->form == QPU_FORM_ALU_IMMEDIATE;
    bool uses_a = qpu_takes(&side[0], QPU_MUX_A) || qpu_takes(&side[1], QPU_MUX_A);
    bool uses_b = qpu_takes(&side[0], QPU_MUX_B) || qpu_takes(&side[1], QPU_MUX_B);
    if (!immediate && !is_simple_signal(insn->sig))
        return false;
    if (insn->sf && insn->op_add == QPU_ADD_NOP && insn->op_mul == QPU_MUL_NOP)
        return false;
    if (insn->unpack && !insn->pm && uses_a && insn->raddr_a >= 32)
        return false;
    if (!immediate && !is_simple_read(insn->raddr_b, uses_b))
        return false;
    return is_simple_read(insn->raddr_a, uses_a) && is_simple_side(insn, &side[0]) &&
           is_simple_side(insn, &side[1]);
}

/* True for loads of an immediate that blocks can execute. A load sets flags before it writes. A
 * load that sets flags is therefore excluded if one of its writes has a condition. */
static bool is_simple_load(const struct qpu_insn *insn, const struct qpu_side side[2])
{
    for (unsigned i = 0; i < 2; i++)
        if (!is_simple_side(insn, &side[i]) ||
            (insn->sf && qpu_writes(&side[i]) && side[i].cond != QPU_COND_ALWAYS))
            return false;
    return !insn->pack;
}

/* True for branches that blocks can execute. Such a branch may write its link address to at most
 * one register. */
static bool is_simple_branch(const struct qpu_insn *insn)
{
    unsigned add = insn->waddr_add, mul = insn->waddr_mul;
    bool links = (add < 32 && mul == QPU_NOP) || (add == QPU_NOP && mul < 32);
    return (links || (add == QPU_NOP && mul == QPU_NOP)) && !(insn->raddr_a & 1);
}

static bool is_simple_semaphore(const struct qpu_insn *insn, const struct qpu_side side[2])
{
    return !qpu_writes(&side[0]) && !qpu_writes(&side[1]) && !insn->sf;
}

/* True if both ALUs write the same accumulator under opposite conditions, and so never write the
 * same element. */
static bool take_turns(const struct qpu_insn *insn)
{
    return insn->waddr_add <= QPU_WR_ACC3 && insn->cond_add > QPU_COND_ALWAYS &&
           (insn->cond_add ^ insn->cond_mul) == 1;
}

static bool is_simple(const struct qpu_decoded *d)
{
    const struct qpu_side side[2] = {qpu_add_side(&d->insn), qpu_mul_side(&d->insn)};
    if (d->traits & (QPU_TWO_PERIPHERALS | QPU_RESERVED_CODE))
        return false;
    if ((d->traits & QPU_ONE_TARGET) && !take_turns(&d->insn))
        return false;
    switch (d->insn.form) {
    case QPU_FORM_ALU:
    case QPU_FORM_ALU_IMMEDIATE: return is_simple_alu(d, side);
    case QPU_FORM_LOAD_32:
    case QPU_FORM_LOAD_SIGNED:
    case QPU_FORM_LOAD_UNSIGNED: return is_simple_load(&d->insn, side);
    case QPU_FORM_BRANCH: return is_simple_branch(&d->insn);
    case QPU_FORM_SEMAPHORE: return is_simple_semaphore(&d->insn, side);
    default: return false;
    }
}

static bool writes_to(const struct qpu_decoded *d, unsigned low, unsigned high)
{
    const struct qpu_insn *insn = &d->insn;
    const struct qpu_side side[2] = {qpu_add_side(insn), qpu_mul_side(insn)};
    for (unsigned i = 0; i < 2; i++)
        if (qpu_has_result(insn, &side[i]) && side[i].waddr >= low && side[i].waddr <= high)
            return true;
    return false;
}

/* Finds the register of each file that an instruction writes, regardless of the condition. */
static void find_writes(const struct qpu_decoded *d, uint8_t *a, uint8_t *b)
{
    const struct qpu_side side[2] = {qpu_add_side(&d->insn), qpu_mul_side(&d->insn)};
    *a = *b = QPU_NO_REGISTER;
    for (unsigned i = 0; i < 2; i++)
        if (qpu_has_result(&d->insn, &side[i]) && side[i].waddr < 32)
            *(side[i].file_a ? a : b) = side[i].waddr;
}

/* Returns the accumulators, as bits, that an instruction writes, regardless of the condition. */
static uint8_t written_accumulators(const struct qpu_decoded *d)
{
    const struct qpu_side side[2] = {qpu_add_side(&d->insn), qpu_mul_side(&d->insn)};
    unsigned written = 0;
    for (unsigned i = 0; i < 2; i++)
        if (qpu_has_result(&d->insn, &side[i]) && side[i].waddr >= QPU_WR_ACC0 &&
            side[i].waddr <= QPU_WR_ACC5)
            written |= 1u << (side[i].waddr - QPU_WR_ACC0);
    return (uint8_t)written;
}

static bool is_within(unsigned at, unsigned since, unsigned distance)
{
    return since != QPU_BLOCK_NEVER && at - since < distance;
}

/* True if an instruction can be appended to the block. */
static bool fits(const struct qpu_builder *b, const struct qpu_decoded *d)
{
    enum { USES_R4 = QPU_ADD_USES_R4 | QPU_MUL_USES_R4 | QPU_WRITES_R4 };
    if (!is_simple(d))
        return false;
    if (is_within(b->count, b->sfu_at, QPU_BLOCK_LATENCY) && (d->traits & USES_R4))
        return false;
    if (is_within(b->count, b->uniform_at, QPU_BLOCK_LATENCY) &&
        ((d->traits & QPU_READS_UNIFORM) || writes_to(d, QPU_WR_TMU0_S, TMU_LAST)))
        return false;
    if (b->count == 0)
        return true;
    const struct qpu_decoded *before = &b->insn[b->count - 1];
    uint8_t wrote_a, wrote_b;
    find_writes(before, &wrote_a, &wrote_b);
    return d->read_a != wrote_a && d->read_b != wrote_b &&
           !(qpu_block_rotated(&d->insn) & written_accumulators(before));
}

/* Indices of the latest instructions that left a value on port A (a), on port B (b), and at the mul
 * ALU's output (mul). */
struct latest {
    unsigned a, b, mul;
};

static void note_last(struct latest *latest, const struct qpu_insn *insn, unsigned index)
{
    if (!qpu_is_alu(insn))
        return;
    if (insn->raddr_a != QPU_NOP)
        latest->a = index;
    if (insn->raddr_b != QPU_NOP || insn->form == QPU_FORM_ALU_IMMEDIATE)
        latest->b = index;
    if (insn->op_mul != QPU_MUL_NOP)
        latest->mul = index;
}

static uint32_t bit_of(unsigned index)
{
    return index == QPU_BLOCK_NEVER ? 0 : UINT32_C(1) << index;
}

/* Marks the latest values as values that must be stored, because the program can leave the block
 * here. */
static void keep_latest(struct qpu_builder *b, const struct latest *latest)
{
    b->latch_a |= bit_of(latest->a);
    b->latch_b |= bit_of(latest->b);
    b->latch_mul |= bit_of(latest->mul);
}

void qpu_block_note_delays(struct qpu_builder *b, unsigned index)
{
    if (writes_to(&b->insn[index], QPU_WR_SFU_RECIP, QPU_WR_SFU_LOG))
        b->sfu_at = index;
    if (writes_to(&b->insn[index], QPU_WR_UNIFORM_ADDRESS, QPU_WR_UNIFORM_ADDRESS))
        b->uniform_at = index;
}

static void measure(struct qpu_builder *b)
{
    struct latest latest = {QPU_BLOCK_NEVER, QPU_BLOCK_NEVER, QPU_BLOCK_NEVER};
    b->sfu_at = b->uniform_at = b->branch_at = QPU_BLOCK_NEVER;
    b->latch_a = b->latch_b = b->latch_mul = 0;
    for (unsigned i = 0; i < b->count; i++) {
        if (qpu_may_wait(&b->insn[i]))
            keep_latest(b, &latest);
        note_last(&latest, &b->insn[i].insn, i);
        qpu_block_note_delays(b, i);
        if (b->insn[i].insn.form == QPU_FORM_BRANCH)
            b->branch_at = i;
    }
    keep_latest(b, &latest);
}

/* True if the rules for program ends allow the instruction at its position. phase is 0 for the
 * instruction with the program-end signal, 1 and 2 for the instructions after the signal. */
static bool may_end(const struct qpu_decoded *d, unsigned phase)
{
    uint32_t forbidden = QPU_READS_UNIFORM | QPU_VARYING_OR_VPM | QPU_TOUCHES_14;
    if (phase == 0)
        forbidden |= QPU_WRITES_FILE;
    else
        forbidden |= QPU_ENDS;
    if (phase == END_SLOTS)
        forbidden |= QPU_WRITES_Z;
    return !(d->traits & forbidden) && !qpu_may_wait(d) && !writes_to(d, QPU_WR_TMU0_S, TMU_LAST);
}

/* True if an instruction is allowed at its position. Inside the delay slots of a branch or program
 * end, the rules for slots apply. Outside of slots, the instruction may have the program-end
 * signal. */
static bool fits_slots(const struct qpu_builder *b, const struct qpu_decoded *d, unsigned last,
                       bool ends)
{
    bool branches = d->insn.form == QPU_FORM_BRANCH;
    if (last == QPU_BLOCK_NEVER)
        return !(d->traits & QPU_ENDS) || may_end(d, 0);
    return !branches &&
           (ends ? may_end(d, b->count - (last - END_SLOTS)) : !(d->traits & QPU_ENDS));
}

/* True if an instruction must begin a new block because the instruction accesses shared units and
 * the block's first instruction does not. The block can then run independently of other QPUs.
 * Instructions in the slots of a branch stay in the block, because a split would cost more time. */
static bool begins_block(const struct qpu_builder *b, const struct qpu_decoded *d, unsigned last)
{
    return b->count && last == QPU_BLOCK_NEVER && (d->traits & QPU_SHARES) &&
           !(b->insn[0].traits & QPU_SHARES);
}

bool qpu_block_shares(const struct qpu_builder *b)
{
    bool shares = b->ends;
    for (unsigned i = 0; i < b->count; i++)
        shares |= (b->insn[i].traits & QPU_SHARES) != 0;
    return shares;
}

void qpu_block_collect(struct qpu_builder *b, const uint8_t *code, unsigned available)
{
    unsigned first = QPU_BLOCK_NEVER,
             last = QPU_BLOCK_NEVER; /* index of a branch or program end, and index of its last
                                             delay slot */
    if (available > QPU_BLOCK_LENGTH)
        available = QPU_BLOCK_LENGTH;
    b->sfu_at = b->uniform_at = QPU_BLOCK_NEVER;
    b->ends = false;
    for (b->count = 0; b->count < available && (last == QPU_BLOCK_NEVER || b->count <= last);
         b->count++) {
        struct qpu_decoded *d = &b->insn[b->count];
        qpu_prepare(d, load_le64(code + (size_t)WORD * b->count));
        if (!fits(b, d) || !fits_slots(b, d, last, b->ends) || begins_block(b, d, last))
            break;
        bool branches = d->insn.form == QPU_FORM_BRANCH, ends = d->traits & QPU_ENDS;
        if (branches || ends) {
            first = b->count;
            last = first + (ends ? END_SLOTS : QPU_BLOCK_BRANCH_SLOTS);
            b->ends = ends;
        }
        qpu_block_note_delays(b, b->count);
    }
    if (last != QPU_BLOCK_NEVER && b->count <= last) { /* some delay slots cannot be in the block */
        b->count = first;
        b->ends = false;
    }
    measure(b);
}
