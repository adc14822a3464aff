/* SPDX-License-Identifier: MIT */
/* qpu_block.c - see qpu_block.h: finds blocks, and translates instructions into operations.
 *
 * Source: as in qpu.c, which executes the same instructions one by one and is the reference. The
 *         test paths_agree compares blocks with single instructions. */
#include "vc4/qpu/qpu_block.h"

#include <stddef.h>
#include <string.h>

#include "base/bits.h"
#include "vc4/qpu/pack.h"
#include "vc4/qpu/qpu_block_io.h"
#include "vc4/qpu/qpu_block_run.h"
#include "vc4/qpu/qpu_cycles.h"
#include "vc4/qpu/qpu_io.h"
#include "vc4/qpu/qpu_ops.h"
#include "vc4/qpu/sfu.h"
#include "vc4/tmu/tmu.h"

enum {
    WORD = 8,
    BRANCH_SLOTS = 3,
    LATENCY = 3, /* instructions until a new SFU result or a new uniform address can be used */
    END_SLOTS = 2,
    TMU_LAST = QPU_WR_TMU1_S + 3,
    OPS_AT_MOST = 32, /* limit of operations per instruction */
    LATCHED = 12 * 4, /* offset of elements 12..15 in a register */
    BY_R5 = 48,       /* first small immediate that selects a rotation: 48 rotates by r5, 48 + n
                         rotates by n */
    NEVER = 255,      /* index for "no instruction" */
};

#define OFFSET(member) ((uint16_t)offsetof(struct qpu, member))
_Static_assert(sizeof(struct qpu) <= UINT16_MAX, "offsets in struct qpu fit 16 bits");

/* --- operations on something other than 16 elements --- */

#define HANDLER(name) \
    static void name(struct qpu *qpu, const struct qpu_op *op, struct qpu_run *run)
#define TO ((lanes *)((uint8_t *)qpu + op->to))
#define A  ((const lanes *)((const uint8_t *)qpu + op->a))
#define B  ((const lanes *)((const uint8_t *)qpu + op->b))

/* Stores elements 12 to 15 of a value that remains on a port or at the mul ALU's output. */
HANDLER(run_latch)
{
    (void)run;
    memcpy((uint8_t *)qpu + op->to, (const uint8_t *)qpu + op->a, 4 * sizeof(uint32_t));
}

/* Saves the elements for which conditions a (add ALU) and b (mul ALU) hold, before the instruction
 * changes the flags. */
HANDLER(run_save_conditions)
{
    (void)run;
    lane_mask add = qpu_condition(qpu, op->a), mul = qpu_condition(qpu, op->b);
    qpu->flag[QPU_COND_SAVED_ADD / 2] = add;
    qpu->flag[QPU_COND_SAVED_MUL / 2] = mul;
}

/* Record the writes of an instruction, if the next instruction could see them. run_note_a() records
 * a write of file A, and run_note_b() of file B. Their operand b has the written bytes in the
 * format of struct qpu_wrote. run_note_accumulator() records writes of the accumulators whose bits
 * are set in value. */
HANDLER(run_note_a)
{
    (void)run;
    lane_mask mask = qpu_condition(qpu, op->condition);
    if (!mask)
        return;
    alu_copy(&qpu->old_a, A);
    qpu->wrote.a_lanes = mask;
    qpu->wrote.a = (uint8_t)op->value;
    qpu->wrote.bytes |= (uint8_t)op->b;
}

HANDLER(run_note_b)
{
    (void)run;
    lane_mask mask = qpu_condition(qpu, op->condition);
    if (!mask)
        return;
    alu_copy(&qpu->old_b, A);
    qpu->wrote.b_lanes = mask;
    qpu->wrote.b = (uint8_t)op->value;
    qpu->wrote.bytes |= (uint8_t)op->b;
}

HANDLER(run_note_accumulator)
{
    (void)run;
    qpu->wrote.accumulators |= (uint8_t)op->value;
    qpu->wrote.accumulator_lanes |= qpu_condition(qpu, op->condition);
}

/* Loads a two-bit value per element, in the format of qpu_element_immediate(). */
HANDLER(run_load_elements)
{
    (void)run;
    const bool is_signed = op->a == QPU_FORM_LOAD_SIGNED;
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t low = op->value >> i & 1, high = op->value >> (16 + i) & 1;
        (*TO)[i] = low + (is_signed ? 0 - 2 * high : 2 * high);
    }
}

/* Computes an ALU's result again and packs the result for register `to` of file A. Packing needs
 * the carry and overflow of each element. Stores the packed result in the ALU's entry of
 * discard[]. */
HANDLER(run_pack)
{
    (void)run;
    unsigned mode = op->value & 15, opcode = op->value >> 8 & 31;
    bool from_mul = op->value >> 16;
    alu_element *element = (from_mul ? &alu_mul_ops[opcode] : &alu_add_ops[opcode])->element;
    bool is_float = from_mul ? opcode == QPU_MUL_FMUL : qpu_add_float_out(opcode);
    for (unsigned i = 0; i < LANES; i++) {
        struct alu_result one = element((*A)[i], (*B)[i]);
        struct pack_input input = {one.value, is_float, one.carry, one.overflow};
        qpu->discard[from_mul][i] = pack_element(mode, input, (*TO)[i]);
    }
}

HANDLER(run_r5)
{
    (void)run;
    qpu_io_write_r5(qpu, op->value, A, qpu_condition(qpu, op->condition));
}

HANDLER(run_sfu)
{
    qpu_block_fetch(run, op->index);
    qpu_sfu_request(run, op->index);
    qpu_block_blame(run, op->index);
    qpu_io_write_sfu(qpu, op->value, A, qpu_condition(qpu, op->condition));
}

HANDLER(run_uniform_address)
{
    (void)run;
    qpu_io_set_uniform(qpu, op->value, (*A)[0], qpu->pc + WORD * op->index);
    qpu->uniform_delay = 0; /* no instruction of the block reads a uniform too early */
}

HANDLER(run_thread_switch)
{
    (void)qpu, (void)op;
    qpu_thread_switch(run);
}

/* Rotates by r5. If value is not 0, rotates the whole vector. Otherwise rotates each quad
 * separately. */
HANDLER(run_rotate_by_r5)
{
    (void)run;
    const lanes from = *A;
    for (unsigned i = 0; i < LANES; i++)
        (*TO)[i] = from[qpu_rotated_from(i, qpu->r[5][0] & 15, op->value)];
}

/* Leaves the block before an instruction that must wait for another QPU. value has three fields:
 * the remaining delay of an SFU result (2 bits), the remaining delay of a uniform address (2 bits),
 * and the number of the branch slot that contains the instruction, or 0. */
enum { LEAVE_SFU = 0, LEAVE_UNIFORM = 2, LEAVE_SLOT = 4 };

static void leave(struct qpu_run *run, const struct qpu_op *op)
{
    struct qpu *qpu = run->qpu;
    uint32_t slot = op->value >> LEAVE_SLOT;
    qpu_block_fetch(run, op->index - 1u);
    qpu->sfu_delay = op->value >> LEAVE_SFU & 3;
    qpu->uniform_delay = op->value >> LEAVE_UNIFORM & 3;
    if (slot) {
        qpu->branch_recent = BRANCH_SLOTS + 1 - slot;
        qpu->branch_delay = run->taken ? BRANCH_SLOTS + 1 - slot : 0;
        qpu->branch_target = run->next;
    }
    qpu->delays = op->value != 0;
    qpu->pc += op->index * (uint32_t)WORD;
    qpu->instructions += op->index;
    run->last_op = NULL;
}

/* Makes the QPU wait if necessary. a has the possible waits of the instruction (qpu_may_wait()). */
HANDLER(run_wait)
{
    if (qpu_waits(run, (uint8_t)op->a))
        leave(run, op);
    else
        qpu->wrote = qpu_wrote_nothing;
}

HANDLER(run_semaphore)
{
    (void)qpu;
    qpu_block_enter(run, op->index);
    qpu_semaphore(run, op->value & 15, op->value >> 4);
    qpu_block_leave(run, op->index);
}

/* Branches. value is added to the target. b has flags: BRANCH_RELATIVE if the target is relative,
 * BRANCH_REGISTER if element 15 of register a is added, BRANCH_LINK if the address after the delay
 * slots is written to a register. */
enum { BRANCH_RELATIVE = 1, BRANCH_REGISTER = 2, BRANCH_LINK = 4 };

HANDLER(run_branch)
{
    if (!qpu_is_taken(qpu, op->condition))
        return;
    uint32_t target = op->value, behind = qpu->pc + WORD * (op->index + 1u + BRANCH_SLOTS);
    if (op->b & BRANCH_RELATIVE)
        target += behind;
    if (op->b & BRANCH_REGISTER)
        target += (*A)[15];
    if (op->b & BRANCH_LINK)
        alu_splat(TO, behind);
    run->next = target;
    run->taken = true;
    qpu->branched_at = qpu->pc + WORD * op->index;
    qpu->branched_to = target;
}

/* --- instructions that can be in a block --- */

static bool is_register(unsigned waddr)
{
    return waddr < 32 || (waddr >= QPU_WR_ACC0 && waddr <= QPU_WR_ACC3);
}

/* True for write addresses of units outside the QPU. */
static bool is_io_target(unsigned waddr)
{
    return waddr == QPU_WR_TMU_NOSWAP || waddr == QPU_WR_HOST_INT ||
           (waddr >= QPU_WR_QUAD_XY && waddr <= QPU_WR_MUTEX_RELEASE) || waddr >= QPU_WR_TMU0_S;
}

static bool is_simple_target(unsigned waddr)
{
    return is_register(waddr) || waddr == QPU_NOP || waddr == QPU_WR_ACC5 ||
           waddr == QPU_WR_UNIFORM_ADDRESS || is_io_target(waddr) ||
           (waddr >= QPU_WR_SFU_RECIP && waddr <= QPU_WR_SFU_LOG);
}

/* True for read addresses of units outside the QPU. */
static bool is_io_read(unsigned address)
{
    return address == QPU_RD_VARYING || address == QPU_RD_XY_COORD || address == QPU_RD_MS_REV ||
           (address >= QPU_RD_VPM && address <= QPU_RD_MUTEX);
}

static bool is_simple_read(unsigned address, bool used)
{
    return address < 32 || address == QPU_RD_UNIFORM || address == QPU_RD_ELEMENT_QPU ||
           is_io_read(address) || (address == QPU_NOP && !used);
}

/* True for signals that load r4. */
static bool is_load_signal(unsigned sig)
{
    return sig == QPU_SIG_COVERAGE_LOAD || sig == QPU_SIG_COLOUR_LOAD || sig == QPU_SIG_LOAD_TMU0 ||
           sig == QPU_SIG_LOAD_TMU1 || sig == QPU_SIG_ALPHA_MASK_LOAD;
}

static bool is_simple_signal(unsigned sig)
{
    return sig == QPU_SIG_NONE || sig == QPU_SIG_THREAD_SWITCH ||
           sig == QPU_SIG_LAST_THREAD_SWITCH || sig == QPU_SIG_SCOREBOARD_WAIT ||
           sig == QPU_SIG_SCOREBOARD_UNLOCK || sig == QPU_SIG_PROGRAM_END || is_load_signal(sig);
}

static bool is_alu(const struct qpu_insn *insn)
{
    return insn->form == QPU_FORM_ALU || insn->form == QPU_FORM_ALU_IMMEDIATE;
}

/* True if an ALU's part writes a register. */
static bool writes(const struct qpu_side *side)
{
    return side->cond != QPU_COND_NEVER && side->waddr != QPU_NOP;
}

static bool has_result(const struct qpu_insn *insn, const struct qpu_side *side)
{
    return writes(side) && (!is_alu(insn) || side->op != 0);
}

/* True if the mul ALU's operands are rotated. */
static bool rotates(const struct qpu_insn *insn)
{
    return insn->form == QPU_FORM_ALU_IMMEDIATE && insn->raddr_b >= BY_R5 &&
           insn->op_mul != QPU_MUL_NOP;
}

/* Returns the accumulators, as bits, that must not be rotated right after they were written. */
static uint8_t rotated_accumulators(const struct qpu_insn *insn)
{
    if (!rotates(insn))
        return 0;
    unsigned operands = qpu_rotates_all(insn) ? 1u << insn->mul_a | 1u << insn->mul_b : 0;
    return (uint8_t)(operands | (insn->raddr_b == BY_R5 ? 1u << 5 : 0));
}

static bool is_simple_side(const struct qpu_insn *insn, const struct qpu_side *side)
{
    if (!writes(side))
        return true;
    if (side->op == 0 && is_alu(insn))
        return side->add; /* the mul ALU's nop repeats its previous result, which only qpu.c
                             models */
    if (insn->pm && insn->pack && !side->add && !is_register(side->waddr))
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
            (insn->sf && writes(&side[i]) && side[i].cond != QPU_COND_ALWAYS))
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
    return !writes(&side[0]) && !writes(&side[1]) && !insn->sf;
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

/* --- extent of a block --- */

struct builder {
    const struct qpu_handlers *handlers;
    struct qpu_op *first_op, *op; /* the first and the next operation */
    struct qpu_decoded insn[QPU_BLOCK_LENGTH];
    unsigned count;
    bool ends;                   /* the program ends with the last instruction */
    unsigned sfu_at, uniform_at; /* index of the latest write of an SFU or uniform-address register,
                                    or NEVER */
    /* Bit n is 1 if instruction n's value on the port (latch_a, latch_b) or at the mul ALU's output
     * (latch_mul) is visible after the block or at a wait. */
    uint32_t latch_a, latch_b, latch_mul;
    uint64_t constants; /* bit per needed constant */
    unsigned branch_at; /* index of the branch in the block, or NEVER */
};

static bool writes_to(const struct qpu_decoded *d, unsigned low, unsigned high)
{
    const struct qpu_insn *insn = &d->insn;
    const struct qpu_side side[2] = {qpu_add_side(insn), qpu_mul_side(insn)};
    for (unsigned i = 0; i < 2; i++)
        if (has_result(insn, &side[i]) && side[i].waddr >= low && side[i].waddr <= high)
            return true;
    return false;
}

/* Finds the register of each file that an instruction writes, regardless of the condition. */
static void find_writes(const struct qpu_decoded *d, uint8_t *a, uint8_t *b)
{
    const struct qpu_side side[2] = {qpu_add_side(&d->insn), qpu_mul_side(&d->insn)};
    *a = *b = QPU_NO_REGISTER;
    for (unsigned i = 0; i < 2; i++)
        if (has_result(&d->insn, &side[i]) && side[i].waddr < 32)
            *(side[i].file_a ? a : b) = side[i].waddr;
}

/* Returns the register of file A that an instruction reads. */
static uint8_t reads_a(const struct qpu_decoded *d)
{
    return d->insn.form == QPU_FORM_BRANCH && d->insn.reg ? d->insn.raddr_a : d->read_a;
}

/* Returns the accumulators, as bits, that an instruction writes, regardless of the condition. */
static uint8_t written_accumulators(const struct qpu_decoded *d)
{
    const struct qpu_side side[2] = {qpu_add_side(&d->insn), qpu_mul_side(&d->insn)};
    unsigned written = 0;
    for (unsigned i = 0; i < 2; i++)
        if (has_result(&d->insn, &side[i]) && side[i].waddr >= QPU_WR_ACC0 &&
            side[i].waddr <= QPU_WR_ACC5)
            written |= 1u << (side[i].waddr - QPU_WR_ACC0);
    return (uint8_t)written;
}

static bool is_within(unsigned at, unsigned since, unsigned distance)
{
    return since != NEVER && at - since < distance;
}

/* True if an instruction can be appended to the block. */
static bool fits(const struct builder *b, const struct qpu_decoded *d)
{
    enum { USES_R4 = QPU_ADD_USES_R4 | QPU_MUL_USES_R4 | QPU_WRITES_R4 };
    if (!is_simple(d))
        return false;
    if (is_within(b->count, b->sfu_at, LATENCY) && (d->traits & USES_R4))
        return false;
    if (is_within(b->count, b->uniform_at, LATENCY) &&
        ((d->traits & QPU_READS_UNIFORM) || writes_to(d, QPU_WR_TMU0_S, TMU_LAST)))
        return false;
    if (b->count == 0)
        return true;
    const struct qpu_decoded *before = &b->insn[b->count - 1];
    uint8_t wrote_a, wrote_b;
    find_writes(before, &wrote_a, &wrote_b);
    return reads_a(d) != wrote_a && d->read_b != wrote_b &&
           !(rotated_accumulators(&d->insn) & written_accumulators(before));
}

/* Indices of the latest instructions that left a value on port A (a), on port B (b), and at the mul
 * ALU's output (mul). */
struct latest {
    unsigned a, b, mul;
};

static void note_last(struct latest *latest, const struct qpu_insn *insn, unsigned index)
{
    if (!is_alu(insn))
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
    return index == NEVER ? 0 : UINT32_C(1) << index;
}

/* Marks the latest values as values that must be stored, because the program can leave the block
 * here. */
static void keep_latest(struct builder *b, const struct latest *latest)
{
    b->latch_a |= bit_of(latest->a);
    b->latch_b |= bit_of(latest->b);
    b->latch_mul |= bit_of(latest->mul);
}

static void note_delays(struct builder *b, unsigned index)
{
    if (writes_to(&b->insn[index], QPU_WR_SFU_RECIP, QPU_WR_SFU_LOG))
        b->sfu_at = index;
    if (writes_to(&b->insn[index], QPU_WR_UNIFORM_ADDRESS, QPU_WR_UNIFORM_ADDRESS))
        b->uniform_at = index;
}

static void measure(struct builder *b)
{
    struct latest latest = {NEVER, NEVER, NEVER};
    b->sfu_at = b->uniform_at = b->branch_at = NEVER;
    b->latch_a = b->latch_b = b->latch_mul = 0;
    for (unsigned i = 0; i < b->count; i++) {
        if (qpu_may_wait(&b->insn[i]))
            keep_latest(b, &latest);
        note_last(&latest, &b->insn[i].insn, i);
        note_delays(b, i);
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
static bool fits_slots(const struct builder *b, const struct qpu_decoded *d, unsigned last,
                       bool ends)
{
    bool branches = d->insn.form == QPU_FORM_BRANCH;
    if (last == NEVER)
        return !(d->traits & QPU_ENDS) || may_end(d, 0);
    return !branches &&
           (ends ? may_end(d, b->count - (last - END_SLOTS)) : !(d->traits & QPU_ENDS));
}

/* True if an instruction must begin a new block because the instruction accesses shared units and
 * the block's first instruction does not. The block can then run independently of other QPUs.
 * Instructions in the slots of a branch stay in the block, because a split would cost more time. */
static bool begins_block(const struct builder *b, const struct qpu_decoded *d, unsigned last)
{
    return b->count && last == NEVER && (d->traits & QPU_SHARES) &&
           !(b->insn[0].traits & QPU_SHARES);
}

static bool block_shares(const struct builder *b)
{
    bool shares = b->ends;
    for (unsigned i = 0; i < b->count; i++)
        shares |= (b->insn[i].traits & QPU_SHARES) != 0;
    return shares;
}

/* Collects instructions until one cannot be in the block. A branch with its three delay slots, or a
 * program end with its two delay slots, completes the block. */
static void collect(struct builder *b, const uint8_t *code, unsigned available)
{
    unsigned first = NEVER, last = NEVER; /* index of a branch or program end, and index of its last
                                             delay slot */
    if (available > QPU_BLOCK_LENGTH)
        available = QPU_BLOCK_LENGTH;
    b->sfu_at = b->uniform_at = NEVER;
    b->ends = false;
    for (b->count = 0; b->count < available && (last == NEVER || b->count <= last); b->count++) {
        struct qpu_decoded *d = &b->insn[b->count];
        qpu_prepare(d, load_le64(code + (size_t)WORD * b->count));
        if (!fits(b, d) || !fits_slots(b, d, last, b->ends) || begins_block(b, d, last))
            break;
        bool branches = d->insn.form == QPU_FORM_BRANCH, ends = d->traits & QPU_ENDS;
        if (branches || ends) {
            first = b->count;
            last = first + (ends ? END_SLOTS : BRANCH_SLOTS);
            b->ends = ends;
        }
        note_delays(b, b->count);
    }
    if (last != NEVER && b->count <= last) { /* some delay slots cannot be in the block */
        b->count = first;
        b->ends = false;
    }
    measure(b);
}

/* --- translation --- */

static struct qpu_op *emit(struct builder *b, qpu_handler *run, unsigned index)
{
    *b->op = (struct qpu_op){.run = run, .condition = QPU_COND_ALWAYS, .index = (uint8_t)index};
    return b->op++;
}

static void emit_move(struct builder *b, qpu_handler *run, uint16_t to, uint16_t from)
{
    struct qpu_op *op = emit(b, run, 0);
    op->to = to;
    op->a = from;
}

static uint16_t register_offset(bool file_a, unsigned number)
{
    size_t base = file_a ? offsetof(struct qpu, ra) : offsetof(struct qpu, rb);
    return (uint16_t)(base + number * sizeof(lanes));
}

static uint16_t accumulator_offset(unsigned number)
{
    return (uint16_t)(OFFSET(r) + number * sizeof(lanes));
}

static uint16_t target_offset(const struct qpu_side *side)
{
    if (side->waddr < 32)
        return register_offset(side->file_a, side->waddr);
    return accumulator_offset(side->waddr - QPU_WR_ACC0);
}

static uint16_t discard_offset(const struct qpu_side *side)
{
    return (uint16_t)(OFFSET(discard) + (side->add ? 0 : sizeof(lanes)));
}

/* Returns the offset of a constant (enum qpu_constant). The constant has the same value throughout
 * a program. */
static uint16_t constant(struct builder *b, unsigned number)
{
    b->constants |= UINT64_C(1) << number;
    return (uint16_t)(OFFSET(constant) + number * sizeof(lanes));
}

/* Returns the offset of a small immediate. An immediate that selects a rotation reads as a number
 * from -16 to -1. */
static uint16_t small_immediate(struct builder *b, unsigned field)
{
    enum { MINUS_16 = 16 };
    return constant(b, field < BY_R5 ? field : field - BY_R5 + MINUS_16);
}

/* Offsets of an instruction's operands. */
struct operands {
    uint16_t a, b, r4;
};

static uint16_t emit_uniform(struct builder *b, const struct qpu_decoded *d, bool file_a,
                             unsigned index)
{
    struct qpu_op *op = emit(b, b->handlers->uniform, index);
    uint32_t uses = 0;
    if (d->insn.raddr_a == QPU_RD_UNIFORM)
        uses |= QPU_ADD_USES_A | QPU_MUL_USES_A;
    if (d->insn.raddr_b == QPU_RD_UNIFORM)
        uses |= QPU_ADD_USES_B | QPU_MUL_USES_B;
    op->to = file_a ? OFFSET(port_a) : OFFSET(port_b);
    op->value = (d->traits & uses) != 0;
    return op->to;
}

static qpu_handler *io_read_handler(unsigned address)
{
    switch (address) {
    case QPU_RD_VARYING: return qpu_block_io_varying;
    case QPU_RD_VPM: return qpu_block_io_take_vector;
    case QPU_RD_VPM_WAIT: return qpu_block_io_wait_for_dma;
    default: return qpu_block_io_read;
    }
}

/* Emits a read of an I/O address, with the arguments that qpu.c passes to qpu_io_read(). */
static uint16_t emit_io_read(struct builder *b, const struct qpu_decoded *d, bool file_a,
                             unsigned index)
{
    uint32_t uses = file_a ? QPU_ADD_USES_A | QPU_MUL_USES_A : QPU_ADD_USES_B | QPU_MUL_USES_B;
    if (d->insn.raddr_a == d->insn.raddr_b)
        uses |= QPU_ADD_USES_B | QPU_MUL_USES_B;
    unsigned address = file_a ? d->insn.raddr_a : d->insn.raddr_b;
    struct qpu_op *op = emit(b, io_read_handler(address), index);
    op->to = file_a ? OFFSET(port_a) : OFFSET(port_b);
    op->a = (uint16_t)address;
    op->b = file_a;
    op->value = (d->traits & uses) != 0;
    return op->to;
}

static uint16_t emit_port(struct builder *b, const struct qpu_decoded *d, bool file_a,
                          unsigned index)
{
    unsigned address = file_a ? d->insn.raddr_a : d->insn.raddr_b;
    if (is_io_read(address))
        return emit_io_read(b, d, file_a, index);
    switch (address) {
    case QPU_RD_UNIFORM: return emit_uniform(b, d, file_a, index);
    case QPU_RD_ELEMENT_QPU:
        return constant(b, file_a ? QPU_CONSTANT_ELEMENTS : QPU_CONSTANT_NUMBER);
    case QPU_NOP: return OFFSET(discard); /* the value is unused */
    default: return register_offset(file_a, address);
    }
}

static bool is_popping(unsigned address)
{
    return address == QPU_RD_UNIFORM || address == QPU_RD_VARYING || address == QPU_RD_VPM;
}

static void emit_ports(struct builder *b, const struct qpu_decoded *d, unsigned index,
                       struct operands *in)
{
    const struct qpu_insn *insn = &d->insn;
    in->a = emit_port(b, d, true, index);
    if (insn->form == QPU_FORM_ALU_IMMEDIATE)
        in->b = small_immediate(b, insn->raddr_b);
    else if (insn->raddr_b == insn->raddr_a && is_popping(insn->raddr_b))
        in->b = in->a;
    else
        in->b = emit_port(b, d, false, index);
    if (b->latch_a >> index & 1)
        emit_move(b, run_latch, OFFSET(last_a), (uint16_t)(in->a + LATCHED));
    if (b->latch_b >> index & 1)
        emit_move(b, run_latch, OFFSET(last_b), (uint16_t)(in->b + LATCHED));
}

static void emit_unpack(struct builder *b, const struct qpu_decoded *d, struct operands *in)
{
    const struct qpu_insn *insn = &d->insn;
    in->r4 = accumulator_offset(4);
    if (insn->unpack == 0 || (!insn->pm && !(d->traits & (QPU_ADD_USES_A | QPU_MUL_USES_A))))
        return;
    bool as_float = insn->pm || (d->traits & QPU_UNPACK_FLOAT);
    uint16_t *operand = insn->pm ? &in->r4 : &in->a;
    const struct qpu_handlers *h = b->handlers;
    emit_move(b, (as_float ? h->unpack_float : h->unpack)[insn->unpack], OFFSET(unpacked),
              *operand);
    *operand = OFFSET(unpacked);
}

static uint16_t operand(const struct operands *in, unsigned mux)
{
    switch (mux) {
    case QPU_MUX_A: return in->a;
    case QPU_MUX_B: return in->b;
    case QPU_MUX_R4: return in->r4;
    default: return accumulator_offset(mux);
    }
}

/* Translation state of one ALU's part of an instruction. */
struct share {
    const struct qpu_side *side;
    bool computes, sets_flags, packs;
    bool direct; /* the result is written directly to the register, under its condition */
    bool moves;  /* the operation copies operand a */
    uint8_t condition;
    uint16_t to, a, b;
    qpu_handler *rotate; /* if .moves is true: rotation that replaces the move, or NULL */
    uint32_t rotate_all; /* .value of the rotation: 1 to rotate the whole vector */
};

static bool packs_in_file(const struct qpu_insn *insn, const struct qpu_side *side)
{
    return insn->pack && !insn->pm && side->file_a && side->waddr < 32;
}

/* True if the operation has two equal operands and returns the operand unchanged. */
static bool is_move(const struct qpu_side *side)
{
    if (side->sources < 2 || side->a != side->b)
        return false;
    return side->add ? side->op == QPU_ADD_OR || side->op == QPU_ADD_AND ||
                           side->op == QPU_ADD_MIN || side->op == QPU_ADD_MAX
                     : side->op == QPU_MUL_V8MIN || side->op == QPU_MUL_V8MAX;
}

static struct share make_share(const struct builder *b, const struct qpu_insn *insn,
                               const struct qpu_side *side, unsigned index,
                               const struct operands *in)
{
    struct share share = {.side = side, .condition = side->cond};
    share.sets_flags = insn->sf && side->cond != QPU_COND_NEVER &&
                       side->add == (insn->op_add != QPU_ADD_NOP);
    share.computes = side->op != 0 && (writes(side) || share.sets_flags ||
                                       (!side->add && b->latch_mul >> index & 1));
    bool colour = insn->pack && insn->pm && !side->add;
    share.packs = share.computes && writes(side) && packs_in_file(insn, side);
    share.direct = writes(side) && side->op != 0 && is_register(side->waddr) && !share.packs &&
                   !colour &&
                   (side->cond == QPU_COND_ALWAYS ||
                    (!share.sets_flags && (side->add || !(b->latch_mul >> index & 1))));
    share.moves = is_move(side) && !share.sets_flags && !share.packs;
    share.to = share.direct ? target_offset(side) : discard_offset(side);
    share.a = operand(in, side->a);
    share.b = operand(in, side->sources > 1 ? side->b : side->a);
    return share;
}

static void emit_pack(struct builder *b, const struct share *share, unsigned mode)
{
    struct qpu_op *op = emit(b, run_pack, 0);
    op->to = target_offset(share->side);
    op->a = share->a;
    op->b = share->b;
    op->value = mode | (uint32_t)share->side->op << 8 | (share->side->add ? 0u : 1u << 16);
}

static qpu_handler *handler_of(const struct qpu_handlers *h, const struct share *share)
{
    const struct qpu_side *side = share->side;
    bool selects = share->direct && share->condition != QPU_COND_ALWAYS;
    if (share->rotate)
        return share->rotate;
    if (share->moves)
        return selects ? h->select : h->copy;
    if (share->sets_flags)
        return (side->add ? h->add_flags : h->mul_flags)[side->op];
    if (selects)
        return (side->add ? h->add_where : h->mul_where)[side->op];
    return (side->add ? h->add : h->mul)[side->op];
}

/* Emits the store of the mul ALU's output, if the output is visible after the block. */
static void emit_latch_mul(struct builder *b, const struct share *mul, unsigned index)
{
    if (b->latch_mul >> index & 1)
        emit_move(b, run_latch, OFFSET(last_mul), (uint16_t)(mul->to + LATCHED));
}

static void emit_compute(struct builder *b, const struct share *share, unsigned mode,
                         unsigned index)
{
    if (!share->computes)
        return;
    const struct qpu_side *side = share->side;
    struct qpu_op *op = emit(b, handler_of(b->handlers, share), 0);
    op->to = share->to;
    op->a = share->a;
    op->b = share->b;
    op->condition = share->condition;
    op->value = share->rotate_all;
    if (!side->add)
        emit_latch_mul(b, share, index);
    if (share->packs)
        emit_pack(b, share, mode);
}

/* True if the first ALU's direct result overwrites an operand of the second ALU. */
static bool clobbers(const struct share *first, const struct share *second)
{
    return first->direct && second->computes && (second->a == first->to || second->b == first->to);
}

/* True if a share computes all elements and does nothing else. */
static bool is_plain(const struct share *share)
{
    return share->computes && !share->sets_flags && !share->packs && !share->rotate &&
           (!share->direct || share->condition == QPU_COND_ALWAYS);
}

/* If the latest operation reads a uniform that nothing but one factor of a multiplication uses,
 * removes the operation, makes the uniform the second factor and returns true. */
static bool take_uniform(struct builder *b, const struct share *add, struct share *mul)
{
    const struct qpu_op *last = b->op - 1;
    if (b->op == b->first_op || last->run != b->handlers->uniform ||
        mul->side->op != QPU_MUL_FMUL || (mul->a == last->to) == (mul->b == last->to) ||
        (add->computes && (add->a == last->to || add->b == last->to)))
        return false;
    if (mul->a == last->to) {
        mul->a = mul->b;
        mul->b = last->to;
    }
    b->op--;
    return true;
}

/* Emits one operation that computes both ALUs' results, and that reads a uniform if the mul ALU
 * multiplies by it. Returns false if there is no such operation. */
static bool emit_pair(struct builder *b, const struct share *add, struct share *mul, unsigned index)
{
    if (!is_plain(add) || !is_plain(mul))
        return false;
    qpu_handler *run = b->handlers->pair[add->side->op][mul->side->op],
                *with_uniform = b->handlers->pair_uniform[add->side->op];
    if (!run)
        return false;
    if (with_uniform && take_uniform(b, add, mul))
        run = with_uniform;
    struct qpu_op *op = emit(b, run, index);
    op->to = add->to;
    op->a = add->a;
    op->b = add->b;
    op->mul_to = mul->to;
    op->mul_a = mul->a;
    op->mul_b = mul->b;
    emit_latch_mul(b, mul, index);
    return true;
}

/* Emits a multiplication by a uniform of an instruction whose add ALU does nothing. Returns false
 * if the instruction is another one. */
static bool emit_product(struct builder *b, const struct share *add, struct share *mul,
                         unsigned index)
{
    if (!b->handlers->fmul_uniform || add->computes || !is_plain(mul) || !take_uniform(b, add, mul))
        return false;
    struct qpu_op *op = emit(b, b->handlers->fmul_uniform, index);
    op->to = mul->to;
    op->a = mul->a;
    op->b = mul->b;
    emit_latch_mul(b, mul, index);
    return true;
}

/* Emits both ALUs' computations in an order in which both read the registers' values from before
 * the instruction. */
static void emit_both(struct builder *b, struct share *add, struct share *mul, unsigned mode,
                      unsigned index)
{
    if (emit_pair(b, add, mul, index) || emit_product(b, add, mul, index))
        return;
    bool mul_first = clobbers(add, mul);
    if (mul_first && clobbers(mul, add)) {
        mul->direct = false; /* the ALU's result is written later, by emit_write() */
        mul->to = discard_offset(mul->side);
    }
    emit_compute(b, mul_first ? mul : add, mode, index);
    emit_compute(b, mul_first ? add : mul, mode, index);
}

static void emit_register(struct builder *b, const struct share *share)
{
    bool always = share->condition == QPU_COND_ALWAYS;
    struct qpu_op *op = emit(b, always ? b->handlers->copy : b->handlers->select, 0);
    op->to = target_offset(share->side);
    op->a = share->to;
    op->condition = share->condition;
}

/* Returns the handler of a write to a TMU. uniform is true if the instruction reads a uniform. */
static qpu_handler *tmu_write_handler(unsigned waddr, bool uniform)
{
    const bool requests = waddr % 4 == TMU_S;
    if (uniform)
        return requests ? qpu_block_io_look_up : qpu_block_io_write;
    return requests ? qpu_block_io_request : qpu_block_io_coordinate;
}

static qpu_handler *io_write_handler(const struct builder *b, const struct share *share,
                                     unsigned index)
{
    unsigned waddr = share->side->waddr;
    if (share->condition != QPU_COND_ALWAYS)
        return qpu_block_io_write;
    if (waddr >= QPU_WR_TMU0_S)
        return tmu_write_handler(waddr, b->insn[index].traits & QPU_READS_UNIFORM);
    switch (waddr) {
    case QPU_WR_VPM: return qpu_block_io_give_vector;
    case QPU_WR_VPM_SETUP: return qpu_block_io_set_up;
    case QPU_WR_TLB_Z:
    case QPU_WR_TLB_COLOUR_ALL:
    case QPU_WR_TLB_COLOUR_MS: return qpu_block_io_write_tile;
    default: return qpu_block_io_write;
    }
}

static void emit_special(struct builder *b, const struct share *share, unsigned index)
{
    unsigned waddr = share->side->waddr;
    bool file_a = share->side->file_a;
    qpu_handler *run = run_sfu;
    uint32_t value = waddr - QPU_WR_SFU_RECIP;
    if (waddr == QPU_WR_ACC5 || waddr == QPU_WR_UNIFORM_ADDRESS) {
        run = waddr == QPU_WR_ACC5 ? run_r5 : run_uniform_address;
        value = file_a;
    } else if (is_io_target(waddr)) {
        run = io_write_handler(b, share, index);
        value = file_a;
    }
    struct qpu_op *op = emit(b, run, index);
    op->a = share->to;
    op->b = (uint16_t)waddr;
    op->value = value;
    op->condition = share->condition;
}

/* Emits the write of a result that is not written directly. */
static void emit_write(struct builder *b, const struct qpu_insn *insn, const struct share *share,
                       unsigned index)
{
    if (!writes(share->side) || share->direct || !share->computes)
        return;
    if (insn->pack && insn->pm && !share->side->add) {
        struct qpu_op *op = emit(b, b->handlers->pack_colour, 0);
        op->to = op->a = share->to;
        op->b = target_offset(share->side);
        op->value = insn->pack & 7;
    }
    if (is_register(share->side->waddr))
        emit_register(b, share);
    else
        emit_special(b, share, index);
}

static void emit_rotation(struct builder *b, qpu_handler *run, bool all, uint16_t *operand,
                          unsigned number)
{
    struct qpu_op *op = emit(b, run, 0);
    op->to = (uint16_t)(OFFSET(rotated) + number * sizeof(lanes));
    op->a = *operand;
    op->value = all;
    *operand = op->to;
}

/* Emits the rotation of the mul ALU's operands. If the ALU only moves a value, the rotation
 * replaces the move. */
static void rotate_share(struct builder *b, const struct qpu_insn *insn, struct share *mul)
{
    const struct qpu_handlers *h = b->handlers;
    bool all = qpu_rotates_all(insn), once = mul->a == mul->b;
    unsigned amount = insn->raddr_b - BY_R5 + 0u;
    qpu_handler *run = (all ? h->rotate[amount] : h->rotate_quads[amount & 3]);
    if (insn->raddr_b == BY_R5)
        run = run_rotate_by_r5;
    if (!mul->computes)
        return;
    if (mul->moves && (!mul->direct || mul->condition == QPU_COND_ALWAYS)) {
        mul->rotate = run;
        mul->rotate_all = all;
        return;
    }
    emit_rotation(b, run, all, &mul->a, 0);
    if (once)
        mul->b = mul->a;
    else
        emit_rotation(b, run, all, &mul->b, 1);
}

/* Saves the conditions if the instruction sets flags, because its conditions use the old flags. */
static void emit_conditions(struct builder *b, struct share *add, struct share *mul)
{
    if (!add->sets_flags && !mul->sets_flags)
        return;
    if (add->condition <= QPU_COND_ALWAYS && mul->condition <= QPU_COND_ALWAYS)
        return;
    struct qpu_op *op = emit(b, run_save_conditions, 0);
    op->a = add->condition;
    op->b = mul->condition;
    if (add->condition > QPU_COND_ALWAYS)
        add->condition = QPU_COND_SAVED_ADD;
    if (mul->condition > QPU_COND_ALWAYS)
        mul->condition = QPU_COND_SAVED_MUL;
}

static struct qpu_op *emit_signal(struct builder *b, qpu_handler *run, unsigned sig, unsigned index)
{
    struct qpu_op *op = emit(b, run, index);
    op->to = OFFSET(loaded);
    op->value = sig;
    return op;
}

static bool reads_r4(const struct qpu_insn *insn)
{
    const struct qpu_side add = qpu_add_side(insn), mul = qpu_mul_side(insn);
    return qpu_takes(&add, QPU_MUX_R4) || qpu_takes(&mul, QPU_MUX_R4);
}

/* Emits a load signal. If the instruction does not read the old r4, a TMU result is loaded directly
 * to r4, and the function returns true. */
static bool emit_loaded(struct builder *b, const struct qpu_decoded *d, unsigned index)
{
    unsigned sig = d->insn.sig;
    bool result = sig == QPU_SIG_LOAD_TMU0 || sig == QPU_SIG_LOAD_TMU1;
    bool direct = result && !reads_r4(&d->insn);
    qpu_handler *run = result                       ? qpu_block_io_result
                       : sig == QPU_SIG_COLOUR_LOAD ? qpu_block_io_load_colour
                                                    : qpu_block_io_load;
    struct qpu_op *op = emit_signal(b, run, sig, index);
    if (direct)
        op->to = accumulator_offset(4);
    return direct;
}

static bool reads(const struct qpu_insn *insn, unsigned address)
{
    return insn->raddr_a == address || (insn->form == QPU_FORM_ALU && insn->raddr_b == address);
}

/* True for reads that may break the QPU: reads of data that only fragment shaders have, and reads
 * of vectors from the VPM. */
static bool breaking_read(unsigned address)
{
    return address == QPU_RD_VARYING || address == QPU_RD_MS_REV || address == QPU_RD_VPM;
}

static bool reads_breaking(const struct qpu_insn *insn)
{
    return breaking_read(insn->raddr_a) ||
           (insn->form == QPU_FORM_ALU && breaking_read(insn->raddr_b));
}

/* True for writes that may break the QPU: writes to addresses that only fragment shaders
 * support. */
static bool writes_breaking(const struct qpu_side *side)
{
    return writes(side) && side->waddr >= QPU_WR_QUAD_XY && side->waddr < QPU_WR_VPM;
}

/* True if a check for a broken QPU must follow the instruction's reads. A load of a TMU result
 * contains the check if both ports read plain registers. */
static bool may_break(const struct qpu_insn *insn)
{
    bool result = insn->sig == QPU_SIG_LOAD_TMU0 || insn->sig == QPU_SIG_LOAD_TMU1;
    bool plain = (insn->raddr_a < 32 || insn->raddr_a == QPU_NOP) &&
                 (insn->raddr_b < 32 || insn->raddr_b == QPU_NOP);
    return reads_breaking(insn) || (is_load_signal(insn->sig) && !(result && plain));
}

static void emit_alu(struct builder *b, const struct qpu_decoded *d, unsigned index)
{
    unsigned sig = d->insn.sig;
    if (sig == QPU_SIG_SCOREBOARD_WAIT)
        emit_signal(b, qpu_block_io_scoreboard, sig, index);
    if (sig == QPU_SIG_THREAD_SWITCH || sig == QPU_SIG_LAST_THREAD_SWITCH)
        emit(b, run_thread_switch, index);
    bool loaded = is_load_signal(sig) && emit_loaded(b, d, index);
    const struct qpu_side side[2] = {qpu_add_side(&d->insn), qpu_mul_side(&d->insn)};
    struct operands in;
    emit_ports(b, d, index, &in);
    if (may_break(&d->insn))
        emit(b, qpu_block_io_check, index);
    emit_unpack(b, d, &in);
    struct share add = make_share(b, &d->insn, &side[0], index, &in);
    struct share mul = make_share(b, &d->insn, &side[1], index, &in);
    if (rotates(&d->insn))
        rotate_share(b, &d->insn, &mul);
    emit_conditions(b, &add, &mul);
    emit_both(b, &add, &mul, d->insn.pack, index);
    if (reads(&d->insn, QPU_RD_VARYING))
        emit(b, qpu_block_io_take_c, index);
    emit_write(b, &d->insn, &add, index);
    emit_write(b, &d->insn, &mul, index);
    if (is_load_signal(sig) && !loaded)
        emit_move(b, b->handlers->copy, accumulator_offset(4), OFFSET(loaded));
    if (sig == QPU_SIG_SCOREBOARD_UNLOCK)
        emit_signal(b, qpu_block_io_scoreboard, sig, index);
    if (writes_breaking(&side[0]) || writes_breaking(&side[1]))
        emit(b, qpu_block_io_check, index);
}

static void emit_value(struct builder *b, const struct qpu_insn *insn, uint16_t to)
{
    bool same = insn->form == QPU_FORM_LOAD_32;
    struct qpu_op *op = emit(b, same ? b->handlers->splat : run_load_elements, 0);
    op->to = to;
    op->a = (uint16_t)insn->form;
    op->value = insn->immediate;
}

/* Emits the flags of a load of an immediate. The flags are those of the loaded value, for the
 * elements of the add ALU's condition. */
static void emit_load_flags(struct builder *b, const struct qpu_insn *insn)
{
    const uint16_t value = OFFSET(discard);
    emit_value(b, insn, value);
    struct qpu_op *op = emit(b, b->handlers->add_flags[QPU_ADD_OR], 0);
    op->to = op->a = op->b = value;
    op->condition = insn->cond_add;
}

static void emit_load(struct builder *b, const struct qpu_decoded *d, unsigned index)
{
    const struct qpu_side side[2] = {qpu_add_side(&d->insn), qpu_mul_side(&d->insn)};
    if (d->insn.sf)
        emit_load_flags(b, &d->insn);
    for (unsigned i = 0; i < 2; i++) {
        if (!writes(&side[i]))
            continue;
        struct share share = {.side = &side[i], .computes = true, .condition = side[i].cond};
        share.direct = side[i].cond == QPU_COND_ALWAYS && is_register(side[i].waddr);
        share.to = share.direct ? target_offset(&side[i]) : discard_offset(&side[i]);
        emit_value(b, &d->insn, share.to);
        emit_write(b, &d->insn, &share, index);
        if (writes_breaking(&side[i]))
            emit(b, qpu_block_io_check, index);
    }
}

static void emit_branch(struct builder *b, const struct qpu_insn *insn, unsigned index)
{
    struct qpu_op *op = emit(b, run_branch, index);
    op->condition = insn->cond_br;
    op->value = insn->immediate;
    op->a = register_offset(true, insn->raddr_a);
    op->b = (insn->rel ? BRANCH_RELATIVE : 0) | (insn->reg ? BRANCH_REGISTER : 0);
    const struct qpu_side side[2] = {qpu_add_side(insn), qpu_mul_side(insn)};
    for (unsigned i = 0; i < 2; i++) {
        if (!writes(&side[i]))
            continue;
        op->b |= BRANCH_LINK;
        op->to = target_offset(&side[i]);
    }
}

static void emit_semaphore(struct builder *b, const struct qpu_insn *insn, unsigned index)
{
    struct qpu_op *op = emit(b, run_semaphore, index);
    op->value = insn->immediate & 31;
}

static uint32_t delay_left(unsigned count, unsigned since)
{
    unsigned passed = count - 1 - since;
    return since != NEVER && passed < LATENCY ? LATENCY - passed : 0;
}

/* Emits the wait of an instruction that may have to wait. The caller of the block checks the first
 * instruction's wait before the block runs. */
static void emit_wait(struct builder *b, uint8_t wait, unsigned index)
{
    unsigned slot = index - b->branch_at;
    if (!wait || index == 0)
        return;
    struct qpu_op *op = emit(b, run_wait, index);
    op->a = wait;
    op->value = delay_left(index, b->sfu_at) << LEAVE_SFU | delay_left(index, b->uniform_at)
                                                                << LEAVE_UNIFORM;
    if (b->branch_at != NEVER && index > b->branch_at)
        op->value |= slot << LEAVE_SLOT;
}

/* Returns the bytes of a register that an ALU replaces, in the format of struct qpu_wrote. */
static uint16_t noted_bytes(const struct qpu_insn *insn, const struct qpu_side *side)
{
    unsigned bytes = qpu_bytes_written(insn, !side->add, side->file_a);
    return (uint16_t)(side->file_a ? bytes : bytes << 4);
}

/* Emits the operations that record an instruction's writes (run_note_a() and others). The next
 * instruction needs the records if it is after the block, or if the QPU waits between the two
 * instructions. */
static void emit_notes(struct builder *b, const struct qpu_insn *insn)
{
    const struct qpu_side side[2] = {qpu_add_side(insn), qpu_mul_side(insn)};
    for (unsigned i = 0; i < 2; i++) {
        unsigned waddr = side[i].waddr;
        bool accumulator = (waddr >= QPU_WR_ACC0 && waddr <= QPU_WR_ACC3) || waddr == QPU_WR_ACC5;
        if (!has_result(insn, &side[i]) || (waddr >= 32 && !accumulator))
            continue;
        qpu_handler *in_file = side[i].file_a ? run_note_a : run_note_b;
        struct qpu_op *op = emit(b, accumulator ? run_note_accumulator : in_file, 0);
        op->condition = side[i].cond;
        op->a = target_offset(&side[i]);
        op->value = accumulator ? UINT32_C(1) << (waddr - QPU_WR_ACC0) : waddr;
        op->b = noted_bytes(insn, &side[i]);
    }
}

static void translate(struct builder *b, unsigned index)
{
    const struct qpu_decoded *d = &b->insn[index];
    if (index == b->count - 1 || qpu_may_wait(d + 1))
        emit_notes(b, &d->insn);
    switch (d->insn.form) {
    case QPU_FORM_BRANCH: emit_branch(b, &d->insn, index); break;
    case QPU_FORM_SEMAPHORE: emit_semaphore(b, &d->insn, index); break;
    case QPU_FORM_ALU:
    case QPU_FORM_ALU_IMMEDIATE: emit_alu(b, d, index); break;
    default: emit_load(b, d, index); break;
    }
}

/* Translates all instructions. An SFU result arrives in r4 before the third instruction after the
 * SFU write. If that instruction waits, the result arrives after the wait. */
static void translate_all(struct builder *b)
{
    b->sfu_at = b->uniform_at = NEVER;
    for (unsigned i = 0; i < b->count; i++) {
        emit_wait(b, qpu_may_wait(&b->insn[i]), i);
        if (b->sfu_at != NEVER && i == b->sfu_at + LATENCY)
            emit_move(b, b->handlers->copy, accumulator_offset(4), OFFSET(sfu_result));
        translate(b, i);
        note_delays(b, i);
    }
}

/* Returns the registers of both files that the block may write. */
static uint64_t block_writes(const struct builder *b)
{
    uint64_t registers = 0;
    for (unsigned i = 0; i < b->count; i++) {
        const struct qpu_insn *insn = &b->insn[i].insn;
        const struct qpu_side side[2] = {qpu_add_side(insn), qpu_mul_side(insn)};
        for (unsigned k = 0; k < 2; k++)
            if (writes(&side[k]) && side[k].waddr < 32)
                registers |= qpu_register_bit(side[k].file_a, side[k].waddr);
    }
    return registers;
}

static void forget_all(struct qpu_blocks *blocks)
{
    memset(blocks->block, 0, sizeof blocks->block);
    blocks->words_used = blocks->ops_used = 0;
}

static void make_block(struct qpu_blocks *blocks, struct qpu_block *block, uint32_t address,
                       const uint8_t *code, uint32_t size)
{
    if (blocks->words_used + QPU_BLOCK_LENGTH > QPU_BLOCK_WORDS ||
        blocks->ops_used + QPU_BLOCK_LENGTH * OPS_AT_MOST > QPU_BLOCK_OPS)
        forget_all(blocks);
    struct builder b;
    b.handlers = blocks->portable ? &qpu_handlers_portable : qpu_handlers_native();
    b.op = b.first_op = &blocks->op[blocks->ops_used];
    b.constants = 0;
    collect(&b, code, size / WORD);
    translate_all(&b);
    *block = (struct qpu_block){
        .address = address,
        .count = (uint16_t)b.count,
        .words = (uint16_t)(b.count ? b.count : 1),
        .first_word = blocks->words_used,
        .first_op = blocks->ops_used,
        .ops = (uint32_t)(b.op - b.first_op),
        .read_a = reads_a(&b.insn[0]),
        .read_b = b.insn[0].read_b,
        .sfu_delay = (uint8_t)delay_left(b.count, b.sfu_at),
        .uniform_delay = (uint8_t)delay_left(b.count, b.uniform_at),
        .ends = b.ends,
        .shares = block_shares(&b),
        .rotated = rotated_accumulators(&b.insn[0].insn),
        .constants = b.constants,
        .writes = block_writes(&b),
        .wait = qpu_may_wait(&b.insn[0]),
        .branches = b.branch_at != NEVER,
    };
    for (unsigned i = 0; i < block->words; i++)
        blocks->word[block->first_word + i] = load_le64(code + (size_t)WORD * i);
    blocks->words_used += block->words;
    blocks->ops_used += block->ops;
}

/* --- look-up --- */

static bool matches(const struct qpu_blocks *blocks, const struct qpu_block *block,
                    uint32_t address, const uint8_t *code, uint32_t size)
{
    const uint64_t *word = &blocks->word[block->first_word];
    if (block->words == 0 || block->address != address || size / WORD < block->words)
        return false;
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        return memcmp(word, code, (size_t)WORD * block->words) == 0;
    uint64_t other = 0; /* no early exit, because the words nearly always match */
    for (unsigned i = 0; i < block->words; i++)
        other |= word[i] ^ load_le64(code + (size_t)WORD * i);
    return other == 0;
}

/* Returns the two entries that can contain the block at an address. */
static struct qpu_block *entries_of(struct qpu_blocks *blocks, uint32_t address)
{
    return &blocks->block[qpu_spread(address) & (QPU_BLOCKS - 2)];
}

const struct qpu_block *qpu_block_find(struct qpu_blocks *blocks, uint32_t address,
                                       const uint8_t *code, uint32_t size)
{
    struct qpu_block *entry = entries_of(blocks, address);
    for (unsigned i = 0; i < 2; i++)
        if (matches(blocks, &entry[i], address, code, size))
            return &entry[i];
    entry[1] = entry[0];
    make_block(blocks, &entry[0], address, code, size);
    return &entry[0];
}
