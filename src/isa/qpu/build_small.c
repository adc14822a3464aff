/* SPDX-License-Identifier: MIT */
/* build_small.c - constants, and the small immediate field of a word under construction.
 * Constants and vector rotations share the field: codes 0 to 47 are numbers, 48 to 63 rotate the
 * mul ALU's result.
 *
 * In:     constants and rotations of operands.
 * Out:    raddr_b as small immediate, or an error if the field cannot hold both.
 * Source: manual, section 3, "Small Immediate"; choices as in build.c. */
#include "isa/qpu/build_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "isa/qpu/constant.h"

/* --- constants --- */

bool qpu_build_constant(struct qpu_build *build, const struct asm_value *value, uint32_t *bits)
{
    if (value->kind == ASM_OPERAND)
        return FAIL(build, "write a number, or a name that .set defines as one",
                    "expected a constant");
    if (value->kind == ASM_FLOAT) {
        bool overflow = isfinite(value->real) && fabs(value->real) > 0x1.fffffep127;
        if (overflow)
            qpu_build_warn(build, "qpu-float-range", NULL,
                           "the constant does not fit in a 32-bit float and becomes infinity");
        *bits = float_bits(overflow ? (value->real < 0 ? -INFINITY : INFINITY)
                                    : (float)value->real);
        return true;
    }
    if (value->relative)
        return FAIL(build, "write :name for the address", "r:name is for branches only");
    if (value->integer < INT32_MIN || value->integer > UINT32_MAX)
        return FAIL(build, "write a number from -0x80000000 to 0xffffffff",
                    "the constant does not fit in 32 bits");
    *bits = (uint32_t)value->integer;
    return true;
}

/* Sets the small immediate field of the word to `code`. Codes 48 to 63 select a rotation. An
 * operand that reads the field then has a value from -16 to -1, as for codes 16 to 31. Therefore a
 * rotation and such a constant can share the field. */
static bool take_small(struct qpu_build *build, unsigned code)
{
    if (build->sig == QPU_SIG_NONE && build->raddr_b == QPU_NOP) {
        build->sig = QPU_SIG_SMALL_IMMEDIATE;
        build->raddr_b = (uint8_t)code;
        return true;
    }
    if (!has_small(build))
        return FAIL(build, "move this operation to the next line",
                    "a small immediate or rotation cannot share a line with %s",
                    build->sig == QPU_SIG_NONE ? "a read of register file B" : "a signal");
    if (build->raddr_b == code)
        return true;
    if ((code & 16) && ((build->raddr_b ^ code) & 31) == 0) {
        build->raddr_b |= (uint8_t)code;
        return true;
    }
    return FAIL(build, "move one of the operations to the next line",
                "a second small immediate or rotation in one line");
}

/* Prints a float with a decimal point or an exponent, so that the assembler reads the text as a
 * float. */
static void print_real(char text[40], double real)
{
    snprintf(text, 40, "%.9g", real);
    if (!strpbrk(text, ".en"))
        strcat(text, ".0");
}

static bool refuse_small(struct qpu_build *build, const struct asm_value *value)
{
    char real[40];
    if (value->kind == ASM_FLOAT) {
        print_real(real, value->real);
        return FAIL(build, NULL,
                    "%s is not a small immediate: floats are powers of 2, from 1/256 to 128.0, or "
                    "0.0" WITH_HINT "load the number into a register first (ldi r3, %s)",
                    real, real);
    }
    return FAIL(build, NULL,
                "%lld is not a small immediate: whole numbers are -16 to 15" WITH_HINT
                "load the number into a register first (ldi r3, %lld)",
                (long long)value->integer, (long long)value->integer);
}

bool qpu_build_small(struct qpu_build *build, const struct asm_value *value, uint32_t bits)
{
    unsigned code = qpu_small_code(bits);
    return code == QPU_NO_SMALL ? refuse_small(build, value) : take_small(build, code);
}

/* --- rotations --- */

static bool is_accumulator(unsigned mux)
{
    return mux <= QPU_MUX_R3; /* r0 to r3 rotate by any number */
}

/* Replaces the add ALU's operation by another that computes the same constant, from a small
 * immediate whose field also selects the rotation. */
static bool remake_constant(struct qpu_build *build, unsigned code, unsigned mask)
{
    struct qpu_half *add = add_of(build);
    const struct qpu_half *mul = mul_of(build);
    uint32_t value = qpu_small_immediate(build->raddr_b), at = 0;
    struct qpu_recipe recipe;
    if (build->raddr_b >= ROTATE_BASE || add->mux[0] != QPU_MUX_B || add->mux[1] != QPU_MUX_B ||
        build->set_flags || mul->mux[0] == QPU_MUX_B || mul->mux[1] == QPU_MUX_B ||
        !qpu_fold_add(add->op, value, &value) || !qpu_build_packed(build, value, false, &value) ||
        value == 0)
        return false;
    while (qpu_next_recipe(value, &at, &recipe)) {
        if (recipe.mul || ((recipe.code ^ code) & mask) ||
            (recipe.mode & PACK_CODE) != (build->pack & PACK_CODE))
            continue;
        add->op = recipe.op;
        build->raddr_b = recipe.code;
        return true;
    }
    return false;
}

/* Combines a rotation with the code that the small immediate field already contains. */
static bool merge_rotation(struct qpu_build *build, unsigned *code, bool full, bool loose)
{
    unsigned mask = loose ? 0x13 : 0x1f;
    if (((build->raddr_b ^ *code) & mask) && !remake_constant(build, *code, mask))
        return FAIL(build, "move one of the operations to the next line",
                    build->raddr_b < ROTATE_BASE ? "the rotation conflicts with the small immediate"
                                                 : "two different rotations in one line");
    if (full)
        build->raddr_b = (uint8_t)*code;
    else
        *code = build->raddr_b | 0x20u;
    return true;
}

static void warn_rotation(struct qpu_build *build, unsigned mux, unsigned code)
{
    if (mux == QPU_MUX_R5)
        qpu_build_warn(build, "qpu-rotate-r5", "copy the value to r0..r3 first",
                       "r5 cannot be rotated");
    if (!is_accumulator(mux) && !build->rotation_meant && code > ROTATE_BASE + 3 && code < 64 - 3)
        qpu_build_warn(build, "qpu-rotate-quad", "copy the value to r0..r3 first",
                       "only r0..r3 rotate by any number; other sources rotate within four "
                       "elements");
}

bool qpu_build_rotate(struct qpu_build *build, int count)
{
    if (count == 0) {
        unsigned code = build->raddr_b;
        if ((build->at & QPU_AT_SECOND) && (build->rotated & QPU_AT_FIRST) &&
            (is_accumulator(mul_of(build)->mux[1]) || (code & 3) || code == ROTATE_BASE))
            qpu_build_warn(build, "qpu-rotate-implicit", "rotate both sources, or swap the sources",
                           "the rotation of the first source also applies to the second one");
        return true;
    }
    if (build->rotated & (QPU_AT_OPCODE | (build->at & SOURCES)))
        return FAIL(build, "write one rotation", "a second rotation for one operation");
    if ((build->at & BOTH) != QPU_AT_MUL && !qpu_build_exchange_units(build))
        return FAIL(build, "use a mul operation, or mmov", "only the mul ALU rotates vectors");
    build->units_fixed = true;
    const struct qpu_half *mul = mul_of(build);
    bool second = build->at & QPU_AT_SECOND;
    unsigned mux = mul->mux[second], code = ROTATE_BASE + ((unsigned)count & 15);
    bool full = is_accumulator(mux);
    warn_rotation(build, mux, code);
    bool first_stays = second && !is_accumulator(mul->mux[0]) && !any_input(build, QPU_MUX_B);
    if (has_small(build) && !merge_rotation(build, &code, full, !full || first_stays))
        return false;
    if ((build->at & SOURCES) == QPU_AT_SECOND &&
        (!has_small(build) || build->raddr_b < ROTATE_BASE) &&
        (is_accumulator(mul->mux[0]) || (code & 3)))
        qpu_build_warn(build, "qpu-rotate-implicit", "rotate both sources, or swap the sources",
                       "the rotation of the second source also applies to the first one");
    build->rotated |= build->at;
    return take_small(build, code);
}
