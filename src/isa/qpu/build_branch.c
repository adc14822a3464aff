/* SPDX-License-Identifier: MIT */
/* build_branch.c - branches, which are alone in their line and have a condition and a target.
 *
 * In:     labels, numbers, registers.
 * Out:    the branch form of the word under construction.
 * Source: manual, section 3, "Branch Instruction"; choices as in build.c. */
#include "isa/qpu/build_internal.h"

bool qpu_build_branch(struct qpu_build *build, bool relative)
{
    bool writes = in_use(&build->half[0]) || in_use(&build->half[1]) || build->set_flags;
    bool busy = writes || build->sig != QPU_SIG_NONE || build->raddr_a != QPU_NOP ||
                build->raddr_b != QPU_NOP;
    if (busy)
        return FAIL(build, "put the branch on its own line", "a branch must be alone in its line");
    build->sig = QPU_SIG_BRANCH;
    build->branch_condition = 15;
    build->relative = relative;
    build->raddr_a = 0;
    qpu_build_begin_operation(build, QPU_AT_OPCODE | QPU_AT_ADD);
    return true;
}

bool qpu_build_branch_condition(struct qpu_build *build, unsigned condition)
{
    if (build->sig != QPU_SIG_BRANCH)
        return FAIL(build, "use an ALU condition such as .ifz or .ifnn",
                    "only a branch takes an .all or .any condition");
    if (build->branch_condition != 15)
        return FAIL(build, "keep one of the conditions", "a second condition for one branch");
    build->branch_condition = (uint8_t)condition;
    return true;
}

static bool branch_register(struct qpu_build *build, const struct qpu_operand *operand)
{
    bool in_a = operand->uses & QPU_REGISTER_A;
    if (operand->number == QPU_NOP && !operand->rotation && (operand->uses & QPU_REGISTER_AB))
        return true;
    if (!in_a || operand->number >= 32)
        return FAIL(build, "copy the address to ra0..ra31 first",
                    "a branch takes its target from ra0..ra31");
    if (operand->rotation || operand->mode)
        return FAIL(build,
                    "change the register's value first, and write the register without a suffix",
                    "a branch cannot rotate or unpack its target");
    if (build->reg)
        return FAIL(build, "add the registers first, and branch to the sum",
                    "a second register as branch target");
    bool odd = operand->number & 1;
    if (build->set_flags && !odd)
        return FAIL(build, "use an odd register",
                    "a branch with .setf and a register needs an odd register");
    if (odd && !build->set_flags)
        qpu_build_warn(build, "qpu-branch-odd-register", "write .setf, or use an even register",
                       "a branch to an odd register also sets the flags");
    build->reg = 1;
    build->raddr_a = operand->number;
    return true;
}

bool qpu_build_branch_source(struct qpu_build *build, const struct asm_value *value)
{
    struct qpu_operand operand;
    struct asm_value target = {.kind = ASM_INTEGER, .integer = value->integer};
    uint32_t bits;
    if (qpu_build_is_register(value, &operand))
        return branch_register(build, &operand);
    if (value->kind != ASM_INTEGER)
        return FAIL(build, "write brr -, :LABEL",
                    "a branch target is a label, a whole number or ra0..ra31");
    if (value->label && build->relative)
        target.integer = (int32_t)((uint32_t)target.integer - (build->address + 32));
    else if (value->label && !(build->names && build->names->placed))
        qpu_build_warn(build, "qpu-branch-absolute", "write brr",
                       "bra to a label works only at the address that the code is assembled for");
    if (build->immediate)
        return FAIL(build, "write the sum of the constants as one number",
                    "a second constant as branch target");
    if (!qpu_build_constant(build, &target, &bits))
        return false;
    if (bits & 3)
        qpu_build_warn(build, "qpu-branch-alignment",
                       "branch to a multiple of 8, the address of an instruction",
                       "the branch target is not a multiple of 4");
    build->immediate = bits;
    return true;
}
