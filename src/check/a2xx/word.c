/* SPDX-License-Identifier: MIT */
/* word.c - rules about a single ALU instruction, which need no other instructions of the program,
 * and about the numbers of registers.
 *
 * In:     an instruction of a clause, and the interface.
 * Out:    findings.
 * Source: named in a2xx_rules.def for each rule. */
#include <stdio.h>

#include "base/diag.h"
#include "check/a2xx/a2xx_check_private.h"

enum { FRAGMENT_CONSTANTS = 224, ABSOLUTE = 0x80, OPERANDS_MAX = 32 };

/* --- operations --- */

/* In the two functions below: codes that Mesa's compiler writes to halves without an operation. */

void a2c_check_vector_operation(const struct a2c_walk *walk)
{
    enum { NO_VECTOR = 31 };
    unsigned code = walk->alu->vector_opc;
    bool none = code == NO_VECTOR && walk->alu->vector_write_mask == 0;
    if (!a2xx_vector_ops[code].mnemonic && !none)
        REPORT(walk, CHECK_A2XX_VECTOR_OPERATION, CHECK_ALONE, "undefined vector operation %u",
               code);
}

void a2c_check_scalar_operation(const struct a2c_walk *walk)
{
    enum { NO_SCALAR = 63 };
    unsigned code = walk->alu->scalar_opc;
    bool none = code == NO_SCALAR && walk->alu->scalar_write_mask == 0;
    if (!a2xx_scalar_ops[code].mnemonic && !none)
        REPORT(walk, CHECK_A2XX_SCALAR_OPERATION, CHECK_ALONE, "undefined scalar operation %u",
               code);
}

/* --- both halves --- */

void a2c_check_third(const struct a2c_walk *walk)
{
    const struct a2xx_alu *alu = walk->alu;
    if (a2xx_is_const_op(alu->scalar_opc) && a2xx_works(alu, A2XX_UNIT_SCALAR) &&
        a2xx_works(alu, A2XX_UNIT_VECTOR) && a2xx_has_third_source(alu->vector_opc))
        REPORT(walk, CHECK_A2XX_COISSUE_THIRD, CHECK_ALONE,
               "%s uses source 3, which contains the constant and the register of %s",
               a2xx_vector_ops[alu->vector_opc].mnemonic,
               a2xx_scalar_ops[alu->scalar_opc].mnemonic);
}

void a2c_check_same_component(const struct a2c_walk *walk)
{
    const struct a2xx_alu *alu = walk->alu;
    unsigned both = alu->vector_write_mask & alu->scalar_write_mask;
    char text[A2C_COMPONENTS_MAX];
    if (!alu->export_data && both && alu->vector_dest == alu->scalar_dest &&
        alu->vector_dest_rel == alu->scalar_dest_rel)
        REPORT(walk, CHECK_A2XX_COISSUE_WRITE, CHECK_ALONE, "both halves write R%u.%s",
               alu->vector_dest, a2c_components(text, both));
}

/* Reports an export whose scalar destination has a different number from its vector destination.
 * The hardware ignores the scalar number, so the source is misleading. */
void a2c_check_elsewhere(const struct a2c_walk *walk)
{
    const struct a2xx_alu *alu = walk->alu;
    unsigned scalar = alu->scalar_write_mask & ~a2xx_export_ones(alu);
    if (alu->export_data && scalar && alu->vector_write_mask &&
        alu->scalar_dest != alu->vector_dest)
        REPORT(walk, CHECK_A2XX_COISSUE_EXPORT, CHECK_ALONE,
               "the scalar result goes to export%u, not to export%u", alu->vector_dest,
               alu->scalar_dest);
}

/* Reports results that are replaced by the constant 1, because an exported component is in the
 * write masks of both halves. If all components of a half become 1 and the half only copies a
 * value, the constant is intended and not reported. */
void a2c_check_ones(const struct a2c_walk *walk)
{
    const struct a2xx_alu *alu = walk->alu;
    unsigned ones = a2xx_export_ones(alu);
    bool move = alu->scalar_opc == A2XX_S_MAX || alu->scalar_opc == A2XX_S_RETAIN_PREV ||
                alu->scalar_opc == A2XX_S_ADD;
    bool copy = alu->vector_opc == A2XX_V_MAX || alu->vector_opc == A2XX_V_ADD;
    bool scalar_lost = !(alu->scalar_write_mask & ~ones) && !move;
    bool vector_lost = !(alu->vector_write_mask & ~ones) && !copy;
    char text[A2C_COMPONENTS_MAX];
    if (ones && (scalar_lost || vector_lost))
        REPORT(walk, CHECK_A2XX_EXPORT_ONE, CHECK_ALONE,
               "export%u.%s becomes 1, and the result of %s is lost", alu->vector_dest,
               a2c_components(text, ones),
               scalar_lost ? a2xx_scalar_ops[alu->scalar_opc].mnemonic
                           : a2xx_vector_ops[alu->vector_opc].mnemonic);
}

/* Writes the operands of a scalar operation with an identity swizzle, such as "R0.w and R0.x".
 * Returns text. */
static const char *scalar_operands(const struct a2c_walk *walk, char text[OPERANDS_MAX])
{
    const struct a2xx_alu *alu = walk->alu;
    const char *file = alu->src3_sel ? "R" : "C";
    unsigned number = alu->src3_sel ? alu->src3 & 63 : alu->src3;
    unsigned second = a2xx_second_slot(alu->scalar_opc, walk->checker->variant);
    int length = snprintf(text, OPERANDS_MAX, "%s%u.w", file, number);
    if (a2xx_scalar_ops[alu->scalar_opc].sources > 1)
        snprintf(text + length, OPERANDS_MAX - (size_t)length, " and %s%u.%c", file, number,
                 "xyzw"[second]);
    return text;
}

/* Reports a scalar operation that was probably meant as a vector operation: its mask has several
 * components, and its source has no swizzle. If one value is intended for several components, the
 * source usually selects a component. */
void a2c_check_spread(const struct a2c_walk *walk)
{
    const struct a2xx_alu *alu = walk->alu;
    unsigned mask = a2xx_result_mask(alu, A2XX_UNIT_SCALAR);
    const struct a2xx_op *op = &a2xx_scalar_ops[alu->scalar_opc];
    const char *result = alu->export_data ? "export" : "R", *file = alu->src3_sel ? "R" : "C";
    unsigned to = alu->export_data ? alu->vector_dest : alu->scalar_dest;
    unsigned from = alu->src3_sel ? alu->src3 & 63 : alu->src3;
    char components[A2C_COMPONENTS_MAX], operands[OPERANDS_MAX];
    if (!(mask & (mask - 1)) || alu->src3_swiz || op->sources == 0 ||
        a2xx_is_const_op(alu->scalar_opc))
        return;
    a2c_components(components, mask);
    scalar_operands(walk, operands);
    if (alu->scalar_opc == A2XX_S_MAX)
        REPORT(walk, CHECK_A2XX_SCALAR_SPREAD, CHECK_ALONE,
               "MAXs (MOV) is a scalar operation: the greater of %s is written to all of "
               "%s%u.%s" WITH_HINT "to copy every component, write MAXv %s%u = %s%u, %s%u; to "
               "copy one, select it: %s%u.wwww",
               operands, result, to, components, result, to, file, from, file, from, file, from);
    else
        REPORT(walk, CHECK_A2XX_SCALAR_SPREAD, CHECK_ALONE,
               "%s is a scalar operation: one number, from %s, is written to all of %s%u.%s",
               op->mnemonic, operands, result, to, components);
}

enum { EFFECTS = A2XX_SETS_PREDICATE | A2XX_KILLS | A2XX_SETS_ADDRESS };

void a2c_check_effects(const struct a2c_walk *walk)
{
    const struct a2xx_alu *alu = walk->alu;
    if (a2xx_vector_effects(alu->vector_opc) & EFFECTS &&
        a2xx_scalar_effects(alu->scalar_opc) & EFFECTS)
        REPORT(walk, CHECK_A2XX_COISSUE_EFFECTS, CHECK_ALONE, "%s and %s are in one instruction",
               a2xx_vector_ops[alu->vector_opc].mnemonic,
               a2xx_scalar_ops[alu->scalar_opc].mnemonic);
}

bool a2c_kills_vertex(const struct a2c_walk *walk)
{
    unsigned effects = a2xx_vector_effects(walk->alu->vector_opc) |
                       a2xx_scalar_effects(walk->alu->scalar_opc);
    return walk->checker->kind == TESS_SHADER_VERTEX && effects & A2XX_KILLS;
}

/* --- constants --- */

bool a2c_has_unused_relative(const struct a2c_walk *walk)
{
    const struct a2xx_alu *alu = walk->alu;
    bool selected = !alu->src1_sel || !alu->src2_sel || !alu->src3_sel;
    bool first = alu->const_0_rel && !selected;
    bool second = alu->const_1_rel && alu->src1_sel + alu->src2_sel + alu->src3_sel > 1;
    return (first || second) && !a2xx_is_const_op(alu->scalar_opc);
}

/* Returns true if the operand is a constant whose number is that of the stage's constants. If
 * address_mode is set and no constant is relative, constants are numbered from the start of the
 * constant file, not from the base of the stage (docs/hardware/a2xx.md, section 6). */
static bool is_of_stage(const struct a2c_walk *walk, const struct a2xx_operand *operand)
{
    const struct a2xx_alu *alu = walk->alu;
    bool absolute = alu->address_mode && !alu->const_0_rel && !alu->const_1_rel;
    return operand->constant && !operand->relative && !absolute;
}

void a2c_check_constant_range(const struct a2c_walk *walk)
{
    if (walk->checker->kind != TESS_SHADER_FRAGMENT)
        return;
    for (unsigned i = 0; i < walk->operand_count; i++) {
        unsigned number = walk->operands[i].number;
        if (is_of_stage(walk, &walk->operands[i]) && number >= FRAGMENT_CONSTANTS)
            REPORT(walk, CHECK_A2XX_CONSTANT_RANGE, CHECK_SUBJECT(number),
                   "C%u is read, but Mesa's driver gives a pixel program only %d constants", number,
                   FRAGMENT_CONSTANTS);
    }
}

/* Reports undeclared constants. One rule is about constants that are declared without bit 7. */
void a2c_check_undeclared_constants(const struct a2c_walk *walk, enum check_rule rule)
{
    const struct a2c_interface *interface = &walk->checker->interface;
    for (unsigned i = 0; i < walk->operand_count && interface->any_constant; i++) {
        unsigned number = walk->operands[i].number, without = number & ~(unsigned)ABSOLUTE;
        bool absolute = number & ABSOLUTE && interface->constants[without];
        if (!is_of_stage(walk, &walk->operands[i]) || interface->constants[number] ||
            absolute != (rule == CHECK_A2XX_CONSTANT_ABS))
            continue;
        if (absolute)
            REPORT(walk, rule, CHECK_SUBJECT(number),
                   "C%u is read, but only C%u is declared; bit 7 of a constant does not select the "
                   "absolute value",
                   number, without);
        else
            REPORT(walk, rule, CHECK_SUBJECT(number), "C%u is read, but not declared", number);
    }
}

void a2c_check_shared_flag(const struct a2c_walk *walk)
{
    const struct a2xx_alu *alu = walk->alu;
    unsigned sources = 0;
    for (unsigned i = 0; i < walk->operand_count; i++)
        if (walk->operands[i].constant)
            sources |= 1u << walk->operands[i].source;
    if (__builtin_popcount(sources) == 3 && alu->const_1_rel)
        REPORT(walk, CHECK_A2XX_CONSTANT_RELATIVE, CHECK_ALONE,
               "one flag makes both C%u and C%u relative" WITH_HINT
               "if only one of them is to be relative, copy the other to a free register in an "
               "earlier instruction (MAXv R1 = C%u, C%u), and read the register here",
               alu->src2, alu->src3, alu->src3, alu->src3);
}

/* --- registers --- */

static void check_range(const struct a2c_walk *walk, unsigned reg, unsigned subject)
{
    uint32_t count = walk->checker->registers;
    if (count > 0 && reg >= count)
        REPORT(walk, CHECK_A2XX_REGISTER_RANGE, CHECK_SUBJECT(subject),
               "R%u is used, but the program has only %u register%s", reg, count,
               count == 1 ? "" : "s");
}

static void check_alu_registers(const struct a2c_walk *walk)
{
    const struct a2xx_alu *alu = walk->alu;
    for (unsigned i = 0; i < walk->operand_count; i++)
        if (!walk->operands[i].constant)
            check_range(walk, walk->operands[i].number, walk->operands[i].number);
    if (alu->vector_write_mask && !alu->export_data)
        check_range(walk, alu->vector_dest, alu->vector_dest);
    if (alu->scalar_write_mask && !alu->export_data)
        check_range(walk, alu->scalar_dest, alu->scalar_dest);
}

static void check_fetch_registers(const struct a2c_walk *walk)
{
    struct a2xx_fetch_register result = a2xx_fetch_result(walk->fetch);
    if (walk->operands[0].components)
        check_range(walk, walk->operands[0].number, 0);
    if (result.components)
        check_range(walk, result.number, 1);
}

void a2c_check_register_range(const struct a2c_walk *walk)
{
    if (walk->contrary)
        return;
    if (walk->alu)
        check_alu_registers(walk);
    else
        check_fetch_registers(walk);
}
