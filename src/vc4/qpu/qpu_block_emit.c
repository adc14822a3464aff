/* SPDX-License-Identifier: MIT */
/* qpu_block_emit.c - translates the instructions of a block into operations.
 *
 * In:     the builder's instructions.
 * Out:    operations, with the same effects as qpu.c.
 * Source: as in qpu.c. The test paths_agree compares blocks with single instructions. */
#include "vc4/qpu/qpu_block_builder.h"
#include "vc4/qpu/qpu_block_io.h"
#include "vc4/qpu/qpu_block_special.h"
#include "vc4/qpu/qpu_ops.h"
#include "vc4/tmu/tmu.h"

enum { LATCHED = 12 * 4 }; /* offset of elements 12 to 15 in a register */

static struct qpu_op *emit(struct qpu_builder *b, qpu_handler *run, unsigned index)
{
    *b->op = (struct qpu_op){.run = run, .condition = QPU_COND_ALWAYS, .index = (uint8_t)index};
    return b->op++;
}

static void emit_move(struct qpu_builder *b, qpu_handler *run, uint16_t to, uint16_t from)
{
    struct qpu_op *op = emit(b, run, 0);
    op->to = to;
    op->a = from;
}

/* Returns the offset of a constant (enum qpu_constant). The constant has the same value throughout
 * a program. */
static uint16_t constant(struct qpu_builder *b, unsigned number)
{
    b->constants |= UINT64_C(1) << number;
    return (uint16_t)(QPU_OFFSET(constant) + number * sizeof(lanes));
}

/* Returns the offset of a small immediate. An immediate that selects a rotation reads as a number
 * from -16 to -1. */
static uint16_t small_immediate(struct qpu_builder *b, unsigned field)
{
    enum { MINUS_16 = 16 };
    return constant(b, field < QPU_ROTATE_BY_R5 ? field : field - QPU_ROTATE_BY_R5 + MINUS_16);
}

static uint16_t emit_uniform(struct qpu_builder *b, const struct qpu_decoded *d, bool file_a,
                             unsigned index)
{
    struct qpu_op *op = emit(b, b->handlers->uniform, index);
    uint32_t uses = 0;
    if (d->insn.raddr_a == QPU_RD_UNIFORM)
        uses |= QPU_ADD_USES_A | QPU_MUL_USES_A;
    if (d->insn.raddr_b == QPU_RD_UNIFORM)
        uses |= QPU_ADD_USES_B | QPU_MUL_USES_B;
    op->to = file_a ? QPU_OFFSET(port_a) : QPU_OFFSET(port_b);
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
static uint16_t emit_io_read(struct qpu_builder *b, const struct qpu_decoded *d, bool file_a,
                             unsigned index)
{
    uint32_t uses = file_a ? QPU_ADD_USES_A | QPU_MUL_USES_A : QPU_ADD_USES_B | QPU_MUL_USES_B;
    if (d->insn.raddr_a == d->insn.raddr_b)
        uses |= QPU_ADD_USES_B | QPU_MUL_USES_B;
    unsigned address = file_a ? d->insn.raddr_a : d->insn.raddr_b;
    struct qpu_op *op = emit(b, io_read_handler(address), index);
    op->to = file_a ? QPU_OFFSET(port_a) : QPU_OFFSET(port_b);
    op->a = (uint16_t)address;
    op->b = file_a;
    op->value = (d->traits & uses) != 0;
    return op->to;
}

static uint16_t emit_port(struct qpu_builder *b, const struct qpu_decoded *d, bool file_a,
                          unsigned index)
{
    unsigned address = file_a ? d->insn.raddr_a : d->insn.raddr_b;
    if (qpu_is_io_read(address))
        return emit_io_read(b, d, file_a, index);
    switch (address) {
    case QPU_RD_UNIFORM: return emit_uniform(b, d, file_a, index);
    case QPU_RD_ELEMENT_QPU:
        return constant(b, file_a ? QPU_CONSTANT_ELEMENTS : QPU_CONSTANT_NUMBER);
    case QPU_NOP: return QPU_OFFSET(discard); /* the value is unused */
    default: return qpu_register_offset(file_a, address);
    }
}

static void emit_ports(struct qpu_builder *b, const struct qpu_decoded *d, unsigned index,
                       struct qpu_operands *in)
{
    const struct qpu_insn *insn = &d->insn;
    in->a = emit_port(b, d, true, index);
    if (insn->form == QPU_FORM_ALU_IMMEDIATE)
        in->b = small_immediate(b, insn->raddr_b);
    else if (insn->raddr_b == insn->raddr_a && qpu_pops(insn->raddr_b))
        in->b = in->a;
    else
        in->b = emit_port(b, d, false, index);
    if (b->latch_a >> index & 1)
        emit_move(b, qpu_block_latch, QPU_OFFSET(last_a), (uint16_t)(in->a + LATCHED));
    if (b->latch_b >> index & 1)
        emit_move(b, qpu_block_latch, QPU_OFFSET(last_b), (uint16_t)(in->b + LATCHED));
}

static void emit_unpack(struct qpu_builder *b, const struct qpu_decoded *d, struct qpu_operands *in)
{
    const struct qpu_insn *insn = &d->insn;
    in->r4 = qpu_accumulator_offset(4);
    if (insn->unpack == 0 || (!insn->pm && !(d->traits & (QPU_ADD_USES_A | QPU_MUL_USES_A))))
        return;
    bool as_float = insn->pm || (d->traits & QPU_UNPACK_FLOAT);
    uint16_t *operand = insn->pm ? &in->r4 : &in->a;
    const struct qpu_handlers *h = b->handlers;
    emit_move(b, (as_float ? h->unpack_float : h->unpack)[insn->unpack], QPU_OFFSET(unpacked),
              *operand);
    *operand = QPU_OFFSET(unpacked);
}

static void emit_pack(struct qpu_builder *b, const struct qpu_share *share, unsigned mode)
{
    struct qpu_op *op = emit(b, qpu_block_pack, 0);
    op->to = qpu_target_offset(share->side);
    op->a = share->a;
    op->b = share->b;
    op->value = mode | (uint32_t)share->side->op << 8 | (share->side->add ? 0u : 1u << 16);
}

static qpu_handler *handler_of(const struct qpu_handlers *h, const struct qpu_share *share)
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
static void emit_latch_mul(struct qpu_builder *b, const struct qpu_share *mul, unsigned index)
{
    if (b->latch_mul >> index & 1)
        emit_move(b, qpu_block_latch, QPU_OFFSET(last_mul), (uint16_t)(mul->to + LATCHED));
}

static void emit_compute(struct qpu_builder *b, const struct qpu_share *share, unsigned mode,
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

/* If the latest operation reads a uniform that nothing but one factor of a multiplication uses,
 * removes the operation, makes the uniform the second factor and returns true. */
static bool take_uniform(struct qpu_builder *b, const struct qpu_share *add, struct qpu_share *mul)
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
static bool emit_pair(struct qpu_builder *b, const struct qpu_share *add, struct qpu_share *mul,
                      unsigned index)
{
    if (!qpu_share_is_plain(add) || !qpu_share_is_plain(mul))
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
static bool emit_product(struct qpu_builder *b, const struct qpu_share *add, struct qpu_share *mul,
                         unsigned index)
{
    if (!b->handlers->fmul_uniform || add->computes || !qpu_share_is_plain(mul) ||
        !take_uniform(b, add, mul))
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
static void emit_both(struct qpu_builder *b, struct qpu_share *add, struct qpu_share *mul,
                      unsigned mode, unsigned index)
{
    if (emit_pair(b, add, mul, index) || emit_product(b, add, mul, index))
        return;
    bool mul_first = qpu_share_clobbers(add, mul);
    if (mul_first && qpu_share_clobbers(mul, add)) {
        mul->direct = false; /* the ALU's result is written later, by emit_write() */
        mul->to = qpu_discard_offset(mul->side);
    }
    emit_compute(b, mul_first ? mul : add, mode, index);
    emit_compute(b, mul_first ? add : mul, mode, index);
}

static void emit_register(struct qpu_builder *b, const struct qpu_share *share)
{
    bool always = share->condition == QPU_COND_ALWAYS;
    struct qpu_op *op = emit(b, always ? b->handlers->copy : b->handlers->select, 0);
    op->to = qpu_target_offset(share->side);
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

static qpu_handler *io_write_handler(const struct qpu_builder *b, const struct qpu_share *share,
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

static void emit_special(struct qpu_builder *b, const struct qpu_share *share, unsigned index)
{
    unsigned waddr = share->side->waddr;
    bool file_a = share->side->file_a;
    qpu_handler *run = qpu_block_sfu;
    uint32_t value = waddr - QPU_WR_SFU_RECIP;
    if (waddr == QPU_WR_ACC5 || waddr == QPU_WR_UNIFORM_ADDRESS) {
        run = waddr == QPU_WR_ACC5 ? qpu_block_r5 : qpu_block_uniform_address;
        value = file_a;
    } else if (qpu_is_io_target(waddr)) {
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
static void emit_write(struct qpu_builder *b, const struct qpu_insn *insn,
                       const struct qpu_share *share, unsigned index)
{
    if (!qpu_writes(share->side) || share->direct || !share->computes)
        return;
    if (insn->pack && insn->pm && !share->side->add) {
        struct qpu_op *op = emit(b, b->handlers->pack_colour, 0);
        op->to = op->a = share->to;
        op->b = qpu_target_offset(share->side);
        op->value = insn->pack & 7;
    }
    if (qpu_is_register(share->side->waddr))
        emit_register(b, share);
    else
        emit_special(b, share, index);
}

static void emit_rotation(struct qpu_builder *b, qpu_handler *run, bool all, uint16_t *operand,
                          unsigned number)
{
    struct qpu_op *op = emit(b, run, 0);
    op->to = (uint16_t)(QPU_OFFSET(rotated) + number * sizeof(lanes));
    op->a = *operand;
    op->value = all;
    *operand = op->to;
}

/* Emits the rotation of the mul ALU's operands. If the ALU only moves a value, the rotation
 * replaces the move. */
static void rotate_share(struct qpu_builder *b, const struct qpu_insn *insn, struct qpu_share *mul)
{
    const struct qpu_handlers *h = b->handlers;
    bool all = qpu_rotates_all(insn), once = mul->a == mul->b;
    unsigned amount = insn->raddr_b - QPU_ROTATE_BY_R5 + 0u;
    qpu_handler *run = (all ? h->rotate[amount] : h->rotate_quads[amount & 3]);
    if (insn->raddr_b == QPU_ROTATE_BY_R5)
        run = qpu_block_rotate_by_r5;
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
static void emit_conditions(struct qpu_builder *b, struct qpu_share *add, struct qpu_share *mul)
{
    if (!add->sets_flags && !mul->sets_flags)
        return;
    if (add->condition <= QPU_COND_ALWAYS && mul->condition <= QPU_COND_ALWAYS)
        return;
    struct qpu_op *op = emit(b, qpu_block_save_conditions, 0);
    op->a = add->condition;
    op->b = mul->condition;
    if (add->condition > QPU_COND_ALWAYS)
        add->condition = QPU_COND_SAVED_ADD;
    if (mul->condition > QPU_COND_ALWAYS)
        mul->condition = QPU_COND_SAVED_MUL;
}

static struct qpu_op *emit_signal(struct qpu_builder *b, qpu_handler *run, unsigned sig,
                                  unsigned index)
{
    struct qpu_op *op = emit(b, run, index);
    op->to = QPU_OFFSET(loaded);
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
static bool emit_loaded(struct qpu_builder *b, const struct qpu_decoded *d, unsigned index)
{
    unsigned sig = d->insn.sig;
    bool result = sig == QPU_SIG_LOAD_TMU0 || sig == QPU_SIG_LOAD_TMU1;
    bool direct = result && !reads_r4(&d->insn);
    qpu_handler *run = result                       ? qpu_block_io_result
                       : sig == QPU_SIG_COLOUR_LOAD ? qpu_block_io_load_colour
                                                    : qpu_block_io_load;
    struct qpu_op *op = emit_signal(b, run, sig, index);
    if (direct)
        op->to = qpu_accumulator_offset(4);
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
    return qpu_writes(side) && side->waddr >= QPU_WR_QUAD_XY && side->waddr < QPU_WR_VPM;
}

/* True if a check for a broken QPU must follow the instruction's reads. A load of a TMU result
 * contains the check if both ports read plain registers. */
static bool may_break(const struct qpu_insn *insn)
{
    bool result = insn->sig == QPU_SIG_LOAD_TMU0 || insn->sig == QPU_SIG_LOAD_TMU1;
    bool plain = (insn->raddr_a < 32 || insn->raddr_a == QPU_NOP) &&
                 (insn->raddr_b < 32 || insn->raddr_b == QPU_NOP);
    return reads_breaking(insn) || (qpu_loads_r4(insn->sig) && !(result && plain));
}

static void emit_alu(struct qpu_builder *b, const struct qpu_decoded *d, unsigned index)
{
    unsigned sig = d->insn.sig;
    if (sig == QPU_SIG_SCOREBOARD_WAIT)
        emit_signal(b, qpu_block_io_scoreboard, sig, index);
    if (sig == QPU_SIG_THREAD_SWITCH || sig == QPU_SIG_LAST_THREAD_SWITCH)
        emit(b, qpu_block_thread_switch, index);
    bool loaded = qpu_loads_r4(sig) && emit_loaded(b, d, index);
    const struct qpu_side side[2] = {qpu_add_side(&d->insn), qpu_mul_side(&d->insn)};
    struct qpu_operands in;
    emit_ports(b, d, index, &in);
    if (may_break(&d->insn))
        emit(b, qpu_block_io_check, index);
    emit_unpack(b, d, &in);
    struct qpu_share add = qpu_plan_share(b, &d->insn, &side[0], index, &in);
    struct qpu_share mul = qpu_plan_share(b, &d->insn, &side[1], index, &in);
    if (qpu_rotates(&d->insn))
        rotate_share(b, &d->insn, &mul);
    emit_conditions(b, &add, &mul);
    emit_both(b, &add, &mul, d->insn.pack, index);
    if (reads(&d->insn, QPU_RD_VARYING))
        emit(b, qpu_block_io_take_c, index);
    emit_write(b, &d->insn, &add, index);
    emit_write(b, &d->insn, &mul, index);
    if (qpu_loads_r4(sig) && !loaded)
        emit_move(b, b->handlers->copy, qpu_accumulator_offset(4), QPU_OFFSET(loaded));
    if (sig == QPU_SIG_SCOREBOARD_UNLOCK)
        emit_signal(b, qpu_block_io_scoreboard, sig, index);
    if (writes_breaking(&side[0]) || writes_breaking(&side[1]))
        emit(b, qpu_block_io_check, index);
}

static void emit_value(struct qpu_builder *b, const struct qpu_insn *insn, uint16_t to)
{
    bool same = insn->form == QPU_FORM_LOAD_32;
    struct qpu_op *op = emit(b, same ? b->handlers->splat : qpu_block_load_elements, 0);
    op->to = to;
    op->a = (uint16_t)insn->form;
    op->value = insn->immediate;
}

/* Emits the flags of a load of an immediate. The flags are those of the loaded value, for the
 * elements of the add ALU's condition. */
static void emit_load_flags(struct qpu_builder *b, const struct qpu_insn *insn)
{
    const uint16_t value = QPU_OFFSET(discard);
    emit_value(b, insn, value);
    struct qpu_op *op = emit(b, b->handlers->add_flags[QPU_ADD_OR], 0);
    op->to = op->a = op->b = value;
    op->condition = insn->cond_add;
}

static void emit_load(struct qpu_builder *b, const struct qpu_decoded *d, unsigned index)
{
    const struct qpu_side side[2] = {qpu_add_side(&d->insn), qpu_mul_side(&d->insn)};
    if (d->insn.sf)
        emit_load_flags(b, &d->insn);
    for (unsigned i = 0; i < 2; i++) {
        if (!qpu_writes(&side[i]))
            continue;
        struct qpu_share share = {.side = &side[i], .computes = true, .condition = side[i].cond};
        share.direct = side[i].cond == QPU_COND_ALWAYS && qpu_is_register(side[i].waddr);
        share.to = share.direct ? qpu_target_offset(&side[i]) : qpu_discard_offset(&side[i]);
        emit_value(b, &d->insn, share.to);
        emit_write(b, &d->insn, &share, index);
        if (writes_breaking(&side[i]))
            emit(b, qpu_block_io_check, index);
    }
}

static void emit_branch(struct qpu_builder *b, const struct qpu_insn *insn, unsigned index)
{
    struct qpu_op *op = emit(b, qpu_block_branch, index);
    op->condition = insn->cond_br;
    op->value = insn->immediate;
    op->a = qpu_register_offset(true, insn->raddr_a);
    op->b = (insn->rel ? BRANCH_RELATIVE : 0) | (insn->reg ? BRANCH_REGISTER : 0);
    const struct qpu_side side[2] = {qpu_add_side(insn), qpu_mul_side(insn)};
    for (unsigned i = 0; i < 2; i++) {
        if (!qpu_writes(&side[i]))
            continue;
        op->b |= BRANCH_LINK;
        op->to = qpu_target_offset(&side[i]);
    }
}

static void emit_semaphore(struct qpu_builder *b, const struct qpu_insn *insn, unsigned index)
{
    struct qpu_op *op = emit(b, qpu_block_semaphore, index);
    op->value = insn->immediate & 31;
}

uint32_t qpu_block_delay_left(unsigned count, unsigned since)
{
    unsigned passed = count - 1 - since;
    return since != QPU_BLOCK_NEVER && passed < QPU_BLOCK_LATENCY ? QPU_BLOCK_LATENCY - passed : 0;
}

/* Emits the wait of an instruction that may have to wait. The caller of the block checks the first
 * instruction's wait before the block runs. */
static void emit_wait(struct qpu_builder *b, uint8_t wait, unsigned index)
{
    unsigned slot = index - b->branch_at;
    if (!wait || index == 0)
        return;
    struct qpu_op *op = emit(b, qpu_block_wait, index);
    op->a = wait;
    op->value = qpu_block_delay_left(index, b->sfu_at) << LEAVE_SFU |
                qpu_block_delay_left(index, b->uniform_at) << LEAVE_UNIFORM;
    if (b->branch_at != QPU_BLOCK_NEVER && index > b->branch_at)
        op->value |= slot << LEAVE_SLOT;
}

/* Returns the bytes of a register that an ALU replaces, in the format of struct qpu_wrote. */
static uint16_t noted_bytes(const struct qpu_insn *insn, const struct qpu_side *side)
{
    unsigned bytes = qpu_bytes_written(insn, !side->add, side->file_a);
    return (uint16_t)(side->file_a ? bytes : bytes << 4);
}

/* Emits the operations that record an instruction's writes (qpu_block_note_a() etc.). The next
 * instruction needs the records if it is after the block, or if the QPU waits between the two
 * instructions. */
static void emit_notes(struct qpu_builder *b, const struct qpu_insn *insn)
{
    const struct qpu_side side[2] = {qpu_add_side(insn), qpu_mul_side(insn)};
    for (unsigned i = 0; i < 2; i++) {
        unsigned waddr = side[i].waddr;
        bool accumulator = (waddr >= QPU_WR_ACC0 && waddr <= QPU_WR_ACC3) || waddr == QPU_WR_ACC5;
        if (!qpu_has_result(insn, &side[i]) || (waddr >= 32 && !accumulator))
            continue;
        qpu_handler *in_file = side[i].file_a ? qpu_block_note_a : qpu_block_note_b;
        struct qpu_op *op = emit(b, accumulator ? qpu_block_note_accumulator : in_file, 0);
        op->condition = side[i].cond;
        op->a = qpu_target_offset(&side[i]);
        op->value = accumulator ? UINT32_C(1) << (waddr - QPU_WR_ACC0) : waddr;
        op->b = noted_bytes(insn, &side[i]);
    }
}

static void translate(struct qpu_builder *b, unsigned index)
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

void qpu_block_translate(struct qpu_builder *b)
{
    b->sfu_at = b->uniform_at = QPU_BLOCK_NEVER;
    for (unsigned i = 0; i < b->count; i++) {
        emit_wait(b, qpu_may_wait(&b->insn[i]), i);
        if (b->sfu_at != QPU_BLOCK_NEVER && i == b->sfu_at + QPU_BLOCK_LATENCY)
            emit_move(b, b->handlers->copy, qpu_accumulator_offset(4), QPU_OFFSET(sfu_result));
        translate(b, i);
        qpu_block_note_delays(b, i);
    }
}
