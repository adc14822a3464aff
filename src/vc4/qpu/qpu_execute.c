/* SPDX-License-Identifier: MIT */
/* qpu_execute.c - see qpu_run.h.
 *
 * In:       the current instruction (struct qpu_run); registers and flags.
 * Out:      changed registers and flags; accesses to units (qpu_io.h); findings.
 * Source:   manual section 3; docs/vc4/qpu.md lists the corrections and choices.
 * Modelled: every instruction form with its conditions, flags, packs and rotations; the values that
 *           a read returns right after a write. */
#include "vc4/qpu/qpu_run.h"

#include <string.h>

#include "vc4/qpu/pack.h"
#include "vc4/qpu/qpu_cycles.h"
#include "vc4/qpu/qpu_io.h"
#include "vc4/qpu/qpu_shadow.h"

enum {
    BRANCH_SLOTS = 3,    /* instructions after a branch that are still executed */
    BRANCH_DISTANCE = 2, /* instructions after a branch that must not be branches */
    END_SLOTS = 2,       /* instructions executed after the program-end signal */
    LINK_DISTANCE = 32,  /* bytes from a branch to its return address, after the delay slots */
};

/* --- conditions and flags --- */

static lane_mask merge(lane_mask old, lane_mask new, lane_mask mask)
{
    return (lane_mask)((old & ~mask) | (new &mask));
}

static void set_flags(struct qpu *qpu, const lanes *value, lane_mask carry, lane_mask mask)
{
    qpu->n = merge(qpu->n, alu_negative(value), mask);
    qpu->z = merge(qpu->z, alu_zero(value), mask);
    qpu->c = merge(qpu->c, carry, mask);
}

/* --- one ALU's part of an instruction --- */

struct operation {
    const struct alu_op *op; /* NULL if no operation computes the result (load immediate, link
                                address, nop of the mul ALU) */
    bool from_mul, gives_float, file_a;
    uint8_t waddr, cond;
    lane_mask mask;
    const lanes *a, *b; /* point to registers, read ports, or rotated_a and rotated_b */
    lanes result, rotated_a, rotated_b;
};

static lane_mask carry_of(const struct operation *o)
{
    return o->op && o->op->carry ? o->op->carry(o->a, o->b, &o->result) : 0;
}

/* Packs a result for regfile A. The saturating modes need the carry and overflow of every element,
 * so the operation is computed again. */
static void pack_file_a(struct operation *o, unsigned mode, const lanes *old)
{
    for (unsigned i = 0; i < LANES; i++) {
        struct alu_result one = {.value = o->result[i]};
        if (o->op)
            one = o->op->element((*o->a)[i], (*o->b)[i]);
        struct pack_input input = {one.value, o->gives_float, one.carry, one.overflow};
        o->result[i] = pack_element(mode, input, (*old)[i]);
    }
}

/* Returns the operation's destination register, whose unwritten bytes a partial write keeps, or
 * NULL for an I/O address. */
static const lanes *destination(const struct qpu *qpu, const struct operation *o)
{
    if (o->waddr < 32)
        return o->file_a ? &qpu->ra[o->waddr] : &qpu->rb[o->waddr];
    if (o->waddr <= QPU_WR_ACC3)
        return &qpu->r[o->waddr - QPU_WR_ACC0];
    return o->waddr == QPU_WR_ACC5 ? &qpu->r[5] : NULL;
}

static void pack_mul(struct qpu_run *run, struct operation *o, unsigned mode)
{
    static const lanes zero;
    const lanes *old = destination(run->qpu, o);
    if (!old && (mode & 7) >= 4)
        QPU_FAULT(run, FAULT_QPU_RESERVED,
                  "partial write to I/O register %u, which has no old value to keep", o->waddr);
    pack_mul_lanes(&o->result, mode, &o->result, old ? old : &zero);
}

static bool writes(const struct operation *o)
{
    return o->cond != QPU_COND_NEVER && o->waddr != QPU_NOP;
}

static void pack_result(struct qpu_run *run, struct operation *o)
{
    const struct qpu_insn *insn = &run->insn->insn;
    if (insn->pack == 0 || !writes(o))
        return;
    if (insn->pm && o->from_mul)
        pack_mul(run, o, insn->pack);
    else if (!insn->pm && o->file_a && o->waddr < 32)
        pack_file_a(o, insn->pack, &run->qpu->ra[o->waddr]);
}

static void write_register(struct qpu *qpu, bool file_a, unsigned number, unsigned bytes,
                           const lanes *value, lane_mask mask)
{
    lanes *reg = file_a ? &qpu->ra[number] : &qpu->rb[number];
    alu_copy(file_a ? &qpu->old_a : &qpu->old_b, reg);
    qpu->written |= qpu_register_bit(file_a, number);
    qpu->wrote.bytes |= (uint8_t)(file_a ? bytes : bytes << 4);
    if (file_a) {
        qpu->wrote.a = (uint8_t)number;
        qpu->wrote.a_lanes = mask;
    } else {
        qpu->wrote.b = (uint8_t)number;
        qpu->wrote.b_lanes = mask;
    }
    alu_select(reg, value, mask);
}

static void write_back(struct qpu_run *run, struct operation *o)
{
    if (!writes(o))
        return;
    if (o->waddr >= 32)
        qpu_io_write(run, o->file_a, o->waddr, &o->result, o->mask);
    else if (o->mask)
        write_register(run->qpu, o->file_a, o->waddr,
                       qpu_bytes_written(&run->insn->insn, o->from_mul, o->file_a), &o->result,
                       o->mask);
}

/* True if both ALUs write different values to the same element. Two writes of the same value are
 * harmless. For example, the exit() of py-videocore writes r0 with both ALUs. */
static bool contend(const struct operation *add, const struct operation *mul)
{
    lanes difference = add->result ^ mul->result;
    lane_mask same = add->waddr <= QPU_WR_ACC3 ? alu_zero(&difference) : 0;
    return (lane_mask)~same & add->mask & mul->mask;
}

static void write_both(struct qpu_run *run, struct operation *add, struct operation *mul)
{
    if ((run->insn->traits & QPU_ONE_TARGET) && contend(add, mul))
        QPU_FAULT(run, FAULT_QPU_ONE_TARGET, "both ALUs write register address %u", add->waddr);
    pack_result(run, add); /* before all writes, because packing reads the operands again */
    pack_result(run, mul);
    write_back(run, add);
    write_back(run, mul);
}

/* --- rules that single instructions can break --- */

static void check_end_rules(struct qpu_run *run)
{
    uint32_t traits = run->insn->traits;
    const char *what = NULL;
    if (traits & QPU_READS_UNIFORM)
        what = "uniform read";
    else if (traits & QPU_VARYING_OR_VPM)
        what = "varying or VPM access";
    else if (traits & QPU_TOUCHES_14)
        what = "use of register 14";
    else if (run->end_phase == 0 && (traits & QPU_WRITES_FILE))
        what = "register file write with the program-end signal";
    else if (run->end_phase == END_SLOTS && (traits & QPU_WRITES_Z))
        what = "tile buffer Z write in the last instruction";
    if (what)
        QPU_FAULT(run, FAULT_QPU_END_RULES, "%s%s", what,
                  run->end_phase == 0 || (traits & QPU_WRITES_Z) ? ""
                                                                 : " after the program-end signal");
}

static const char *reserved_text(const struct qpu_insn *insn)
{
    switch (insn->form) {
    case QPU_FORM_LOAD_RESERVED: return "load immediate with a reserved unpack field";
    case QPU_FORM_BRANCH: return "reserved branch condition; the branch is not taken";
    default: break;
    }
    return alu_add_ops[insn->op_add].element ? "reserved mul pack mode" : "reserved add opcode";
}

static void check_rules(struct qpu_run *run)
{
    const struct qpu_decoded *d = run->insn;
    if (d->traits & QPU_RESERVED_CODE)
        QPU_FAULT(run, FAULT_QPU_RESERVED, "%s", reserved_text(&d->insn));
    if (d->traits & QPU_TWO_PERIPHERALS)
        QPU_FAULT(run, FAULT_QPU_PERIPHERAL, "two peripheral accesses in one instruction");
    if ((d->traits & QPU_WRITES_R4) && run->qpu->sfu_delay)
        QPU_FAULT(run, FAULT_QPU_SFU_R4, "r4 is written while an SFU result is pending");
    if (run->end_phase != QPU_NOT_ENDING)
        check_end_rules(run);
}

/* Returns the elements whose result depends on an operand. add_uses and mul_uses are the traits of
 * instructions whose add or mul ALU uses this operand. */
static lane_mask used_lanes(const struct qpu_run *run, uint32_t add_uses, uint32_t mul_uses,
                            const struct operation *add, const struct operation *mul)
{
    const struct qpu_decoded *d = run->insn;
    lane_mask used = d->traits & add_uses ? add->mask : 0;
    if (d->traits & mul_uses)
        used |= qpu_selects_rotation(&d->insn) && mul->mask ? ALL_LANES : mul->mask;
    return used;
}

static void report_read_after_write(struct qpu_run *run, char file, unsigned number)
{
    QPU_FAULT(run, FAULT_QPU_READ_AFTER_WRITE,
              "r%c%u is read right after the instruction that writes it", file, number);
}

static void check_latencies(struct qpu_run *run, const struct operation *add,
                            const struct operation *mul)
{
    const struct qpu_decoded *d = run->insn;
    if (d->used_a == run->before.a && (run->before.bytes & qpu_bytes_read(&d->insn)) &&
        (run->before.a_lanes & used_lanes(run, QPU_ADD_USES_A, QPU_MUL_USES_A, add, mul)))
        report_read_after_write(run, 'a', d->used_a);
    if (d->used_b == run->before.b &&
        (run->before.b_lanes & used_lanes(run, QPU_ADD_USES_B, QPU_MUL_USES_B, add, mul)))
        report_read_after_write(run, 'b', d->used_b);
    if (run->qpu->sfu_delay && used_lanes(run, QPU_ADD_USES_R4, QPU_MUL_USES_R4, add, mul))
        QPU_FAULT(run, FAULT_QPU_SFU_R4, "r4 is read %u instruction%s after the SFU write",
                  3 - run->qpu->sfu_delay, run->qpu->sfu_delay == 2 ? "" : "s");
}

/* --- operands --- */

/* Outputs of the read ports and the two unpack units. The pointers a, b and r4 refer to registers.
 * If an output is not a register's content, the pointer refers to a_value, b_value or r4_value. */
struct inputs {
    const lanes *a, *b, *r4;
    lanes a_value, b_value, r4_value;
};

/* True if a read can be omitted. A read of address 39 has no effect unless an ALU uses the
 * value. */
static bool skips_port(const struct qpu_run *run, unsigned address, uint32_t uses)
{
    return address == QPU_NOP && !(run->insn->traits & uses);
}

/* True if a stored result depends on the port's value. False for "or -, ra39, ra39", which some
 * assemblers (qpu-asm, py-videocore) use as a no-operation that sets flags by default. Also false
 * for writes to registers that act regardless of the value. */
static bool is_kept(const struct qpu_side *side, unsigned mux)
{
    return side->cond != QPU_COND_NEVER && side->waddr != QPU_NOP &&
           side->waddr != QPU_WR_MUTEX_RELEASE && side->waddr != QPU_WR_HOST_INT &&
           qpu_takes(side, mux) && !qpu_zeroes(side);
}

/* Reports a read of address 39 if its value is used and not zero. The value is the one last read at
 * this port. Programs that use the address as "no register" work as long as the port's last value
 * was zero. */
static void check_nop_register(struct qpu_run *run, bool file_a, const lanes *value)
{
    const struct qpu_insn *insn = &run->insn->insn;
    const struct qpu_side add = qpu_add_side(insn), mul = qpu_mul_side(insn);
    unsigned mux = file_a ? QPU_MUX_A : QPU_MUX_B;
    if ((is_kept(&add, mux) || is_kept(&mul, mux)) && alu_zero(value) != ALL_LANES)
        QPU_FAULT(run, FAULT_QPU_UNDOCUMENTED,
                  "register address 39 is read, which returns the value last read through the same "
                  "port");
}

static void read_io(struct qpu_run *run, bool file_a, unsigned address, lanes *value)
{
    const struct qpu_insn *insn = &run->insn->insn;
    uint32_t uses = file_a ? QPU_ADD_USES_A | QPU_MUL_USES_A : QPU_ADD_USES_B | QPU_MUL_USES_B;
    if (insn->raddr_a == insn->raddr_b)
        uses |= QPU_ADD_USES_B | QPU_MUL_USES_B;
    bool used = run->insn->traits & uses;
    qpu_io_read(run, file_a, address, used, value);
    if (used && address == QPU_NOP)
        check_nop_register(run, file_a, value);
}

/* Returns the value at a read port. If the previous instruction wrote the register, the port
 * returns the register's old value. */
static const lanes *read_port(struct qpu_run *run, bool file_a, unsigned address, lanes *value)
{
    const struct qpu *qpu = run->qpu;
    if (address >= 32) {
        read_io(run, file_a, address, value);
        return value;
    }
    if (file_a)
        return address == run->before.a ? &qpu->old_a : &qpu->ra[address];
    return address == run->before.b ? &qpu->old_b : &qpu->rb[address];
}

static const lanes *read_immediate(struct qpu_run *run, lanes *value)
{
    alu_splat(value, run->insn->immediate);
    return value;
}

static void keep_last(uint32_t last[4], const lanes *value)
{
    memcpy(last, (const uint32_t *)value + 12, 4 * sizeof last[0]);
}

static void read_ports(struct qpu_run *run, struct inputs *in)
{
    static const lanes nothing; /* value for reads on which no stored result depends */
    const struct qpu_insn *insn = &run->insn->insn;
    bool immediate = insn->form == QPU_FORM_ALU_IMMEDIATE;
    in->a = in->b = &nothing;
    if (!skips_port(run, insn->raddr_a, QPU_ADD_USES_A | QPU_MUL_USES_A))
        in->a = read_port(run, true, insn->raddr_a, &in->a_value);
    if (immediate)
        in->b = read_immediate(run, &in->b_value);
    else if (insn->raddr_b == insn->raddr_a && qpu_pops(insn->raddr_b))
        in->b = in->a;
    else if (!skips_port(run, insn->raddr_b, QPU_ADD_USES_B | QPU_MUL_USES_B))
        in->b = read_port(run, false, insn->raddr_b, &in->b_value);
    if (insn->raddr_a != QPU_NOP)
        keep_last(run->qpu->last_a, in->a);
    if (immediate || insn->raddr_b != QPU_NOP)
        keep_last(run->qpu->last_b, in->b);
}

static void unpack(struct qpu_run *run, struct inputs *in)
{
    const struct qpu_insn *insn = &run->insn->insn;
    in->r4 = &run->qpu->r[4];
    if (insn->unpack == 0)
        return;
    if (insn->pm) {
        unpack_lanes(&in->r4_value, insn->unpack, true, in->r4);
        in->r4 = &in->r4_value;
        return;
    }
    if (!(run->insn->traits & (QPU_ADD_USES_A | QPU_MUL_USES_A)))
        return;
    if (insn->raddr_a >= 32)
        QPU_FAULT(run, FAULT_QPU_UNDOCUMENTED, "I/O register %u is read through the unpack unit",
                  insn->raddr_a);
    unpack_lanes(&in->a_value, insn->unpack, run->insn->traits & QPU_UNPACK_FLOAT, in->a);
    in->a = &in->a_value;
}

static const lanes *source(const struct qpu *qpu, const struct inputs *in, unsigned mux)
{
    switch (mux) {
    case QPU_MUX_R4: return in->r4;
    case QPU_MUX_A: return in->a;
    case QPU_MUX_B: return in->b;
    default: return &qpu->r[mux];
    }
}

/* --- vector rotation --- */

static unsigned rotation(const struct qpu *qpu, const struct qpu_insn *insn)
{
    return insn->raddr_b == QPU_ROTATE_BY_R5 ? qpu->r[5][0] & 15
                                             : insn->raddr_b - (unsigned)QPU_ROTATE_BY_R5;
}

static const lanes *rotate(lanes *result, const lanes *value, unsigned amount, bool whole)
{
    for (unsigned i = 0; i < LANES; i++)
        (*result)[i] = (*value)[qpu_rotated_from(i, amount, whole)];
    return result;
}

/* Returns the elements of a result that are stored. A write to r5 stores either one element of each
 * quad or element 0 for all elements. */
static lane_mask used_elements(const struct qpu_insn *insn, const struct operation *o)
{
    enum { FIRST_OF_QUADS = 0x1111, FIRST = 1 };
    if (o->waddr != QPU_WR_ACC5 || (insn->sf && insn->op_add == QPU_ADD_NOP))
        return o->mask;
    return o->mask & (o->file_a ? FIRST_OF_QUADS : FIRST);
}

/* True if an accumulator that the previous instruction wrote is rotated so that written elements
 * move to a lower quad and are used there. The hardware would read old values of these elements. */
static bool moves_fresh_elements(const struct qpu_run *run, const struct qpu_insn *insn,
                                 unsigned amount, lane_mask used)
{
    uint32_t read = 1u << insn->mul_a | 1u << insn->mul_b;
    if (!qpu_rotates_all(insn) || !(run->before.accumulators & read))
        return false;
    for (unsigned i = 0; i < LANES; i++) {
        unsigned from = qpu_rotated_from(i, amount, true);
        if (from >> 2 > i >> 2 && (used >> i & 1) && (run->before.accumulator_lanes >> from & 1))
            return true;
    }
    return false;
}

static void rotate_operands(struct qpu_run *run, struct operation *mul)
{
    const struct qpu_insn *insn = &run->insn->insn;
    unsigned amount = rotation(run->qpu, insn);
    bool whole = qpu_rotates_all(insn);
    if (insn->raddr_b == QPU_ROTATE_BY_R5 && (run->before.accumulators & 1u << 5))
        QPU_FAULT(run, FAULT_QPU_ROTATE, "rotation by r5 right after r5 was written");
    else if (moves_fresh_elements(run, insn, amount, used_elements(insn, mul)))
        QPU_FAULT(run, FAULT_QPU_ROTATE, "rotation of an accumulator right after it was written");
    mul->a = rotate(&mul->rotated_a, mul->a, amount, whole);
    mul->b = rotate(&mul->rotated_b, mul->b, amount, whole);
}

/* --- ALU instructions --- */

static void prepare(struct operation *o, const struct qpu *qpu, const struct qpu_insn *insn,
                    bool from_mul)
{
    o->op = NULL;
    o->from_mul = from_mul;
    o->gives_float = false;
    o->file_a = from_mul == (bool)insn->ws;
    o->waddr = from_mul ? insn->waddr_mul : insn->waddr_add;
    o->cond = from_mul ? insn->cond_mul : insn->cond_add;
    o->mask = qpu_condition(qpu, o->cond);
}

static void prepare_both(struct qpu_run *run, struct operation *add, struct operation *mul)
{
    prepare(add, run->qpu, &run->insn->insn, false);
    prepare(mul, run->qpu, &run->insn->insn, true);
}

/* True for shifts, whose counts are limited to 31. False for rotations (ror), whose counts wrap
 * around. */
static bool is_shift(unsigned op)
{
    return op == QPU_ADD_SHR || op == QPU_ADD_ASR || op == QPU_ADD_SHL;
}

static void compute_add(struct qpu_run *run, const struct inputs *in, struct operation *add)
{
    const struct qpu_insn *insn = &run->insn->insn;
    if (insn->op_add == QPU_ADD_NOP) {
        add->cond = QPU_COND_NEVER;
        return;
    }
    if (!alu_add_ops[insn->op_add].element) {
        alu_splat(&add->result, 0);
        return;
    }
    add->op = &alu_add_ops[insn->op_add];
    add->gives_float = qpu_add_float_out(insn->op_add);
    add->a = source(run->qpu, in, insn->add_a);
    add->b = source(run->qpu, in, insn->add_b);
    if (run->ports->sanitize && is_shift(insn->op_add))
        qpu_shadow_shift(run, add->b, add->mask);
    add->op->lanes(&add->result, add->a, add->b);
}

/* Computes the mul ALU's nop, which repeats elements 12..15 of its previous result. */
static void repeat_mul(struct qpu_run *run, struct operation *mul)
{
    const struct qpu_insn *insn = &run->insn->insn;
    bool flags = insn->sf && insn->op_add == QPU_ADD_NOP;
    if (!flags && !writes(mul))
        return;
    for (unsigned i = 0; i < LANES; i++)
        mul->result[i] = run->qpu->last_mul[i & 3];
    if (mul->mask && mul->waddr != QPU_NOP)
        QPU_FAULT(run, FAULT_QPU_UNDOCUMENTED,
                  "the mul ALU's nop writes the previous result of the mul ALU");
}

static void compute_mul(struct qpu_run *run, const struct inputs *in, struct operation *mul)
{
    const struct qpu_insn *insn = &run->insn->insn;
    if (insn->op_mul == QPU_MUL_NOP) {
        repeat_mul(run, mul);
        return;
    }
    mul->op = &alu_mul_ops[insn->op_mul];
    mul->gives_float = insn->op_mul == QPU_MUL_FMUL;
    mul->a = source(run->qpu, in, insn->mul_a);
    mul->b = source(run->qpu, in, insn->mul_b);
    if (qpu_rotates(insn))
        rotate_operands(run, mul);
    if (run->ports->sanitize && insn->op_mul == QPU_MUL_MUL24)
        qpu_shadow_mul24(run, mul->a, mul->b, mul->mask);
    mul->op->lanes(&mul->result, mul->a, mul->b);
    keep_last(run->qpu->last_mul, &mul->result);
}

static void execute_alu(struct qpu_run *run)
{
    struct qpu *qpu = run->qpu;
    const struct qpu_insn *insn = &run->insn->insn;
    enum qpu_sig sig = (enum qpu_sig)insn->sig;
    struct operation add, mul;
    struct inputs in;
    lanes loaded;

    prepare_both(run, &add, &mul);
    if (sig == QPU_SIG_SCOREBOARD_WAIT)
        qpu_io_scoreboard(run, sig);
    if (sig == QPU_SIG_THREAD_SWITCH || sig == QPU_SIG_LAST_THREAD_SWITCH)
        qpu_thread_switch(run);
    if (qpu_loads_r4(sig))
        qpu_io_load(run, sig, &loaded);
    check_latencies(run, &add, &mul);
    read_ports(run, &in);
    if (qpu->state == QPU_BROKEN)
        return;
    unpack(run, &in);
    compute_add(run, &in, &add);
    compute_mul(run, &in, &mul);
    if (insn->sf) {
        const struct operation *o = insn->op_add != QPU_ADD_NOP ? &add : &mul;
        set_flags(qpu, &o->result, carry_of(o), o->mask);
    }
    if (run->r5_loaded)
        qpu->r[5] = run->c;
    write_both(run, &add, &mul);
    if (qpu_loads_r4(sig))
        qpu->r[4] = loaded;
    if (sig == QPU_SIG_SCOREBOARD_UNLOCK)
        qpu_io_scoreboard(run, sig);
    if ((run->insn->traits & QPU_ENDS) && !qpu->end_delay && run->end_phase == 0)
        qpu->end_delay = END_SLOTS;
}

/* --- load immediate, semaphores, branches --- */

/* Executes a load of an immediate. The value becomes the result of both ALUs. */
static void execute_load(struct qpu_run *run)
{
    struct qpu *qpu = run->qpu;
    const struct qpu_insn *insn = &run->insn->insn;
    struct operation add, mul;
    bool per_element = insn->form == QPU_FORM_LOAD_SIGNED || insn->form == QPU_FORM_LOAD_UNSIGNED;
    prepare_both(run, &add, &mul);
    alu_splat(&add.result, insn->form == QPU_FORM_LOAD_RESERVED ? 0 : insn->immediate);
    if (per_element)
        for (unsigned i = 0; i < LANES; i++)
            add.result[i] = qpu_element_immediate(insn, i);
    alu_copy(&mul.result, &add.result);
    if (insn->sf)
        set_flags(qpu, &add.result, 0, add.mask);
    write_both(run, &add, &mul);
}

static bool is_acquire(const struct qpu_insn *insn)
{
    return insn->immediate >> 4 & 1;
}

static void execute_semaphore(struct qpu_run *run)
{
    const struct qpu_insn *insn = &run->insn->insn;
    qpu_semaphore(run, insn->immediate & 15, is_acquire(insn));
    if (insn->waddr_add != QPU_NOP || insn->waddr_mul != QPU_NOP || insn->sf)
        execute_load(run);
}

/* Returns element 15 of a register for a branch. If the previous instruction wrote the register,
 * returns the old value. */
static uint32_t branch_register(struct qpu_run *run, unsigned number)
{
    const struct qpu *qpu = run->qpu;
    if (run->before.a != number)
        return qpu->ra[number][15];
    if (run->before.a_lanes >> 15)
        report_read_after_write(run, 'a', number);
    return qpu->old_a[15];
}

static void link(struct qpu_run *run)
{
    struct qpu *qpu = run->qpu;
    const struct qpu_insn *insn = &run->insn->insn;
    struct operation add, mul;
    prepare_both(run, &add, &mul);
    add.cond = mul.cond = QPU_COND_ALWAYS;
    add.mask = mul.mask = ALL_LANES;
    alu_splat(&add.result, qpu->pc + LINK_DISTANCE);
    alu_copy(&mul.result, &add.result);
    if (insn->raddr_a & 1) /* in a branch, this bit of the instruction word sets the flags */
        set_flags(qpu, &add.result, 0, ALL_LANES);
    write_both(run, &add, &mul);
}

static void execute_branch(struct qpu_run *run)
{
    struct qpu *qpu = run->qpu;
    const struct qpu_insn *insn = &run->insn->insn;
    if (qpu->branch_recent)
        QPU_FAULT(run, FAULT_QPU_BRANCH_SLOT, "a branch in the first two delay slots of a branch");
    qpu->branch_recent = BRANCH_DISTANCE + 1;
    if (!qpu_is_taken(qpu, insn->cond_br))
        return;
    uint32_t target = insn->immediate;
    if (insn->rel)
        target += qpu->pc + LINK_DISTANCE;
    if (insn->reg)
        target += branch_register(run, insn->raddr_a);
    qpu->branch_target = target;
    qpu->branch_delay = BRANCH_SLOTS;
    qpu->branched_at = qpu->pc;
    qpu->branched_to = target;
    link(run);
}

void qpu_execute(struct qpu_run *run)
{
    if (run->insn->insn.sig == QPU_SIG_BREAKPOINT) {
        QPU_FAULT(run, FAULT_QPU_BREAKPOINT, "breakpoint");
        qpu_break(run);
        return;
    }
    check_rules(run);
    if (run->insn->traits & QPU_IDLES)
        return;
    switch (run->insn->path) {
    case QPU_PATH_LOAD: execute_load(run); break;
    case QPU_PATH_SEMAPHORE: execute_semaphore(run); break;
    case QPU_PATH_BRANCH: execute_branch(run); break;
    default: execute_alu(run); break;
    }
}
