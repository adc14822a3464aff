/* SPDX-License-Identifier: MIT */
/* build.c - builds one instruction word from the parts of a line, in the order of the text: the
 * empty word, operations with their ALUs, conditions and flags, signals.
 *
 * In:       the parts that the parser read.
 * Out:      the word under construction, or an error that explains which parts conflict.
 * Source:   choices that the text leaves open (ALU, register file, unused fields), here and in the
 *           other build_*.c, follow vc4asm: doc/instructions.html, doc/extensions.html,
 *           src/AssembleInst.cpp, and its output. docs/isa/qpu.md lists the differences.
 * Left out: operands (build_operand.c, build_move.c), the small immediate field (build_small.c),
 *           pack modes (build_pack.c), branches (build_branch.c), and the finished word
 *           (build_end.c). */
#include "isa/qpu/build_internal.h"

void qpu_build_begin(struct qpu_build *build, uint32_t address, const struct asm_names *names,
                     struct asm_error *error)
{
    struct qpu_half idle = {.target = QPU_NOP, .condition = QPU_COND_ALWAYS};
    *build = (struct qpu_build){.half = {idle, idle},
                                .sig = QPU_SIG_NONE,
                                .raddr_a = QPU_NOP,
                                .raddr_b = QPU_NOP,
                                .address = address,
                                .names = names,
                                .error = error};
}

void qpu_build_warn(struct qpu_build *build, const char *rule, const char *hint, const char *text)
{
    struct asm_error warning;
    if (!build->names->warn)
        return;
    asm_fail(&warning, rule, build->column, hint, "%s", text);
    build->names->warn(build->names->user, &warning);
}

/* --- exchanging the ALUs --- */

/* Returns the mul opcode that computes the same as an add operation, or -1 if no mul opcode
 * does. */
static int as_mul(const struct qpu_half *add)
{
    bool same = add->mux[0] == add->mux[1];
    switch (add->op) {
    case QPU_ADD_NOP: return QPU_MUL_NOP;
    case QPU_ADD_V8ADDS: return QPU_MUL_V8ADDS;
    case QPU_ADD_V8SUBS: return QPU_MUL_V8SUBS;
    case QPU_ADD_XOR:
    case QPU_ADD_SUB: return same ? QPU_MUL_V8SUBS : -1;
    case QPU_ADD_OR:
    case QPU_ADD_AND:
    case QPU_ADD_MIN:
    case QPU_ADD_MAX: return same ? QPU_MUL_V8MIN : -1;
    }
    return -1;
}

/* Returns the add opcode that computes the same as a mul operation, or -1 if no add opcode does. */
static int as_add(const struct qpu_half *mul)
{
    switch (mul->op) {
    case QPU_MUL_NOP: return QPU_ADD_NOP;
    case QPU_MUL_V8ADDS: return QPU_ADD_V8ADDS;
    case QPU_MUL_V8SUBS: return QPU_ADD_V8SUBS;
    case QPU_MUL_V8MIN:
    case QPU_MUL_V8MAX: return mul->mux[0] == mul->mux[1] ? QPU_ADD_OR : -1;
    }
    return -1;
}

static bool may_exchange(const struct qpu_build *build)
{
    bool mul_pack = build->pack && build->pm;
    bool rotation = has_small(build) && build->raddr_b >= ROTATE_BASE;
    return is_alu(build) && !build->units_fixed && !build->set_flags && !mul_pack && !rotation;
}

static uint8_t other_units(uint8_t places)
{
    return places ? places ^ BOTH : 0;
}

bool qpu_build_exchange_units(struct qpu_build *build)
{
    struct qpu_half *add = add_of(build), *mul = mul_of(build);
    int add_op = as_add(mul), mul_op = as_mul(add);
    if (!may_exchange(build) || add_op < 0 || mul_op < 0)
        return false;
    struct qpu_half old = *add;
    *add = *mul;
    *mul = old;
    add->op = (uint8_t)add_op;
    mul->op = (uint8_t)mul_op;
    if (at_mul(build) || add->target != QPU_NOP || !writes_either_file(mul->target))
        build->swapped_write ^= 1;
    build->at ^= BOTH;
    build->unpacked = other_units(build->unpacked);
    build->rotated = other_units(build->rotated);
    return true;
}

/* --- opcodes --- */

void qpu_build_begin_operation(struct qpu_build *build, unsigned at)
{
    build->at = (uint8_t)at;
    build->rotated = 0;
    build->unpacked &= BOTH;
}

static bool on_both_units(enum qpu_unit unit, unsigned op)
{
    if (unit == QPU_ADD_UNIT)
        return op == QPU_ADD_NOP || op == QPU_ADD_V8ADDS || op == QPU_ADD_V8SUBS;
    return op == QPU_MUL_NOP || op == QPU_MUL_V8ADDS || op == QPU_MUL_V8SUBS;
}

bool qpu_build_operation(struct qpu_build *build, enum qpu_unit unit, unsigned op, bool exact)
{
    enum qpu_unit other = unit == QPU_ADD_UNIT ? QPU_MUL_UNIT : QPU_ADD_UNIT;
    struct qpu_half probe = {.op = (uint8_t)op, .mux = {0, 1}};
    if (!is_alu(build))
        return FAIL(build, "put the ALU operation on its own line",
                    "an ALU operation cannot share a line with a load, semaphore or branch");
    if (in_use(&build->half[unit])) {
        if (in_use(&build->half[other]))
            return FAIL(build, "move this operation to the next line",
                        "both ALUs have an operation already");
        if (!exact && on_both_units(unit, op)) {
            op = (unsigned)(unit == QPU_ADD_UNIT ? as_mul(&probe) : as_add(&probe));
            unit = other;
        } else if (!qpu_build_exchange_units(build)) {
            return FAIL(build, "move this operation to the next line",
                        "the %s ALU has an operation already",
                        unit == QPU_ADD_UNIT ? "add" : "mul");
        }
    }
    build->half[unit].op = (uint8_t)op;
    qpu_build_begin_operation(build,
                              QPU_AT_OPCODE | (unit == QPU_MUL_UNIT ? QPU_AT_MUL : QPU_AT_ADD));
    return true;
}

static bool take_unit(struct qpu_build *build, bool used, bool other_used, const char *name)
{
    if (used && (other_used || !qpu_build_exchange_units(build)))
        return FAIL(build, "move this operation to the next line",
                    "the %s ALU has an operation already", name);
    build->units_fixed = true;
    return true;
}

static bool choose_unit(struct qpu_build *build, unsigned units, bool add_used, bool mul_used)
{
    switch (units) {
    case QPU_AT_MUL: return take_unit(build, mul_used, add_used, "mul");
    case QPU_AT_ADD: return take_unit(build, add_used, mul_used, "add");
    }
    if (add_used && mul_used)
        return FAIL(build, "move this operation to the next line",
                    "both ALUs have an operation already");
    return true;
}

bool qpu_build_move(struct qpu_build *build, unsigned units, bool two_targets)
{
    const struct qpu_half *add = add_of(build), *mul = mul_of(build);
    bool load = build->sig == QPU_SIG_LOAD_IMMEDIATE;
    bool add_used = build->nop_seen || add->target != QPU_NOP || (!load && add->op != 0);
    bool mul_used = mul->target != QPU_NOP || (!load && mul->op != 0);
    build->at = (uint8_t)units;
    if (build->sig == QPU_SIG_BRANCH)
        return FAIL(build, "put the mov on its own line", "mov cannot share a line with a branch");
    if (two_targets) {
        if (units != BOTH)
            return FAIL(build, "write mov", "amov and mmov write one target only");
        if (add_used || mul_used)
            return FAIL(build, "put the mov on its own line",
                        "a mov to two targets needs both ALUs");
        build->units_fixed = true;
        qpu_build_begin_operation(build, QPU_AT_OPCODE | QPU_AT_ADD);
        return true;
    }
    if (load && units != BOTH)
        return FAIL(build, "write mov", "amov and mmov cannot share a line with a load");
    if (!choose_unit(build, units, add_used, mul_used))
        return false;
    if (units == BOTH)
        units = add_used ? QPU_AT_MUL : QPU_AT_ADD;
    qpu_build_begin_operation(build, QPU_AT_OPCODE | units);
    return true;
}

bool qpu_build_read(struct qpu_build *build)
{
    if (!is_alu(build))
        return FAIL(build, "move the read to the next line",
                    "read cannot share a line with a load, semaphore or branch");
    qpu_build_begin_operation(build, SOURCES);
    return true;
}

bool qpu_build_signal(struct qpu_build *build, unsigned sig)
{
    if (build->sig >= QPU_SIG_SMALL_IMMEDIATE)
        return FAIL(build, "move the signal to another line",
                    "a signal cannot share a line with an immediate or a branch");
    if (build->sig != QPU_SIG_NONE)
        return FAIL(build, "move one signal to another line", "a second signal in one line");
    build->sig = (uint8_t)sig;
    return true;
}

/* --- conditions and flags --- */

bool qpu_build_condition(struct qpu_build *build, unsigned condition)
{
    struct qpu_half *half = current(build);
    if (build->sig == QPU_SIG_BRANCH)
        return FAIL(build, "use a branch condition such as .allz or .anynz",
                    "a branch takes no .if condition");
    if (half->condition != QPU_COND_ALWAYS)
        return FAIL(build, "keep one of the conditions", "a second condition for one operation");
    half->condition = (uint8_t)condition;
    return true;
}

bool qpu_build_set_flags(struct qpu_build *build)
{
    if (is_alu(build) && at_mul(build) && in_use(add_of(build)) && !qpu_build_exchange_units(build))
        return FAIL(build, "put .setf on the add operation, or put this operation on its own line",
                    "the flags come from the add ALU, which has an operation");
    if (build->set_flags)
        return FAIL(build, "write .setf once", "a second .setf");
    build->set_flags = 1;
    build->mul_flags = is_alu(build) && at_mul(build);
    build->units_fixed = true;
    return true;
}

/* Applies .exact to the current operation. In a move of a constant and in a load, qpu_build_end()
 * treats .exact on one ALU's operation as if it were on both. */
static bool set_exact(struct qpu_build *build)
{
    if (build->sig == QPU_SIG_BRANCH)
        return FAIL(build, "leave .exact out", "a branch is always encoded as it is written");
    current(build)->exact = true;
    build->units_fixed = true;
    return true;
}

bool qpu_build_suffix(struct qpu_build *build, struct qpu_suffix suffix)
{
    switch (suffix.kind) {
    case QPU_SUFFIX_SET_FLAGS: return qpu_build_set_flags(build);
    case QPU_SUFFIX_CONDITION: return qpu_build_condition(build, suffix.code);
    case QPU_SUFFIX_BRANCH_CONDITION: return qpu_build_branch_condition(build, suffix.code);
    case QPU_SUFFIX_MODE: return qpu_build_mode(build, suffix.code);
    case QPU_SUFFIX_EXACT: return set_exact(build);
    case QPU_SUFFIX_NONE: break;
    }
    return true;
}
