/* SPDX-License-Identifier: MIT */
/* build_end.c - finishes a word: decides the choices that the text leaves open, and
 * packs the fields.
 *
 * In:     the word under construction after the last operation of its line.
 * Out:    64 bits.
 * Source: as in build.c. */
#include "isa/qpu/build_internal.h"

#include <stdio.h>

#include "isa/qpu/constant.h"

/* --- conditions and constants --- */

static bool from_small(const struct qpu_half *half)
{
    return half->mux[0] == QPU_MUX_B && half->mux[1] == QPU_MUX_B;
}

/* If the word only computes one constant, stores the constant in *value and returns true. */
static bool is_constant(struct qpu_build *build, uint32_t *value)
{
    const struct qpu_half *add = add_of(build), *mul = mul_of(build);
    uint32_t x = qpu_small_immediate(build->raddr_b);
    if (!has_small(build) || build->set_flags || add->exact || mul->exact)
        return false;
    if (!in_use(mul) && from_small(add) && qpu_fold_add(add->op, x, value))
        return qpu_build_packed(build, *value, false, value);
    if (!add->op && from_small(mul) && qpu_fold_mul(mul->op, x, value))
        return qpu_build_packed(build, *value, true, value);
    return false;
}

/* Sets the condition of each ALU without a target to never. Called for loads. */
static void silence(struct qpu_build *build)
{
    struct qpu_half *add = add_of(build), *mul = mul_of(build);
    if (add->exact || mul->exact)
        return;
    if (add->target == QPU_NOP && !build->set_flags)
        add->condition = QPU_COND_NEVER;
    if (mul->target == QPU_NOP)
        mul->condition = QPU_COND_NEVER;
}

static void make_load(struct qpu_build *build, uint32_t value, bool keep_pack)
{
    struct qpu_half *add = add_of(build), *mul = mul_of(build);
    if (!keep_pack)
        build->pm = build->pack = 0;
    build->sig = QPU_SIG_LOAD_IMMEDIATE;
    build->load_mode = 0;
    build->immediate = value;
    if (add->target == QPU_NOP && !build->pm) {
        struct qpu_half moved = *mul;
        *mul = *add;
        *add = moved;
        build->swapped_write = !build->swapped_write && !writes_either_file(add->target);
    }
    silence(build);
}

static bool same_inputs(const struct qpu_half *half)
{
    return half->mux[0] == half->mux[1];
}

/* Sets the condition of discarded results to never, except where the condition selects the flags. A
 * word that only writes zero becomes a load, which saves power in the ALUs. */
static void settle_alu(struct qpu_build *build)
{
    struct qpu_half *add = add_of(build), *mul = mul_of(build);
    bool quiet = build->sig == QPU_SIG_NONE && build->raddr_b == QPU_NOP &&
                 build->raddr_a == QPU_NOP && !add->exact && !mul->exact;
    if (add->target == QPU_NOP && !build->set_flags && !add->exact)
        add->condition = QPU_COND_NEVER;
    bool add_zero = (add->op == QPU_ADD_XOR || add->op == QPU_ADD_SUB) && mul->target == QPU_NOP &&
                    same_inputs(add) && !add->exact;
    if (mul->target == QPU_NOP && !add_zero && (!build->set_flags || add->op) && !mul->exact)
        mul->condition = QPU_COND_NEVER;
    bool mul_zero = mul->op == QPU_MUL_V8SUBS && !build->set_flags && add->target == QPU_NOP &&
                    same_inputs(mul);
    if (quiet && (add_zero || mul_zero))
        make_load(build, 0, true);
    if (is_alu(build) && is_unary(add->op))
        add->mux[1] = add->mux[0];
}

/* Returns true for "mov a, 0; mov b, 0" alone. Broadcom's assembler encodes the pair as a load with
 * two targets (userland, hello_fft). */
static bool is_two_zeros(const struct qpu_build *build)
{
    const struct qpu_half *add = &build->half[QPU_ADD_UNIT], *mul = &build->half[QPU_MUL_UNIT];
    bool quiet = build->sig == QPU_SIG_NONE && build->raddr_a == QPU_NOP &&
                 build->raddr_b == QPU_NOP && !build->pack && !build->unpack;
    bool always = add->condition == QPU_COND_ALWAYS && mul->condition == QPU_COND_ALWAYS;
    bool two = add->target != QPU_NOP && mul->target != QPU_NOP;
    return build->zero_moves == 2 && !add->exact && !mul->exact && quiet && always && two &&
           !build->set_flags && !build->units_fixed;
}

static void settle(struct qpu_build *build)
{
    uint32_t value;
    if (build->sig == QPU_SIG_LOAD_IMMEDIATE) {
        silence(build);
    } else if (is_two_zeros(build)) {
        make_load(build, 0, false);
    } else if (!is_constant(build, &value)) {
        settle_alu(build);
    } else if (build->raddr_a == QPU_NOP) {
        make_load(build, value, false);
    }
}

/* --- fields --- */

static unsigned pack_field(const struct qpu_build *build)
{
    unsigned code = build->pack & PACK_CODE;
    return build->pm && (code & 4) ? code ^ QPU_MODE_SATURATE : code;
}

static struct qpu_insn gather(const struct qpu_build *build)
{
    const struct qpu_half *add = &build->half[QPU_ADD_UNIT], *mul = &build->half[QPU_MUL_UNIT];
    bool load = build->sig == QPU_SIG_LOAD_IMMEDIATE, branch = build->sig == QPU_SIG_BRANCH;
    return (struct qpu_insn){
        .form = load     ? QPU_FORM_LOAD_32
                : branch ? QPU_FORM_BRANCH
                         : QPU_FORM_ALU,
        .sig = build->sig,
        .unpack = load ? build->load_mode : build->unpack & UNPACK_CODE,
        .pm = build->pm,
        .pack = (uint8_t)pack_field(build),
        .cond_add = add->condition,
        .cond_mul = mul->condition,
        .sf = build->set_flags,
        .ws = build->swapped_write,
        .waddr_add = add->target,
        .waddr_mul = mul->target,
        .op_mul = mul->op,
        .op_add = add->op,
        .raddr_a = branch ? build->raddr_a | build->set_flags : build->raddr_a,
        .raddr_b = build->raddr_b,
        .add_a = add->mux[0],
        .add_b = add->mux[1],
        .mul_a = mul->mux[0],
        .mul_b = mul->mux[1],
        .cond_br = build->branch_condition,
        .rel = build->relative,
        .reg = build->reg,
        .immediate = build->immediate,
    };
}

/* --- reads that were displaced --- */

static bool is_read(const struct qpu_build *build, const struct qpu_wanted_read *read)
{
    if (!is_alu(build))
        return false;
    if (read->small)
        return has_small(build) && ((build->raddr_b ^ read->number) & 31) == 0;
    return (read->in_a && build->raddr_a == read->number) ||
           (read->in_b && !has_small(build) && build->raddr_b == read->number);
}

static const char *register_name(char file, unsigned number)
{
    const char *name = qpu_read_name(file, number);
    return name ? name : "another register";
}

/* Warns about a read that is dropped because a later operand of the line needs its port. As in
 * vc4asm, the last operand gets the port. */
static void warn_of_dropped(struct qpu_build *build, const struct qpu_wanted_read *read)
{
    char text[160], file = read->port_b ? 'b' : 'a';
    const char *name = read->small ? "the constant" : register_name(file, read->number);
    unsigned other = read->port_b ? build->raddr_b : build->raddr_a;
    if (!is_alu(build) || read->small)
        snprintf(
            text, sizeof text,
            "the read of %s is dropped: an instruction that loads a constant reads no register",
            name);
    else if (read->port_b && has_small(build))
        snprintf(text, sizeof text,
                 "the read of %s is dropped: a small immediate uses the port of file B", name);
    else
        snprintf(text, sizeof text,
                 "the read of %s is dropped: %s and %s both need the port of file %c", name, name,
                 register_name(file, other), file - 'a' + 'A');
    build->column = read->column;
    qpu_build_warn(build, "read-dropped", "put the read on its own line", text);
}

static void check_reads(struct qpu_build *build)
{
    for (unsigned i = 0; i < build->read_count; i++)
        if (!is_read(build, &build->reads[i]))
            warn_of_dropped(build, &build->reads[i]);
}

uint64_t qpu_build_end(struct qpu_build *build)
{
    if (build->sig != QPU_SIG_BRANCH)
        settle(build);
    check_reads(build);
    struct qpu_insn insn = gather(build);
    if (is_alu(build) && build->mul_flags && insn.op_add != QPU_ADD_NOP)
        qpu_build_warn(build, "qpu-flags-unit", "write .setf on the add operation",
                       "the flags come from the add ALU, not from the operation with .setf");
    return qpu_encode(&insn);
}
