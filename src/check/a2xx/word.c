/* SPDX-License-Identifier: MIT */
/* word.c - rules about a single ALU instruction, which need no other instructions of the program.
 *
 * In:     an instruction of a clause, and the interface.
 * Out:    findings.
 * Source: named in a2xx_rules.def for each rule. */
#include <stdio.h>

#include "base/diag.h"
#include "check/a2xx/a2xx_check_private.h"

enum { FRAGMENT_CONSTANTS = 224, ABSOLUTE = 0x80, OPERANDS_MAX = 32 };

/* --- operations --- */

static void check_operations(struct a2c_checker *checker, uint32_t slot, const struct a2xx_alu *alu)
{
    /* codes that Mesa's compiler writes to halves without an operation */
    enum { NO_VECTOR = 31, NO_SCALAR = 63 };
    bool no_vector = alu->vector_opc == NO_VECTOR && alu->vector_write_mask == 0;
    bool no_scalar = alu->scalar_opc == NO_SCALAR && alu->scalar_write_mask == 0;
    if (!a2xx_vector_ops[alu->vector_opc].mnemonic && !no_vector)
        check_report(&checker->out, CHECK_A2XX_VECTOR_OPERATION, slot, CHECK_ALONE,
                     "undefined vector operation %u", alu->vector_opc);
    if (!a2xx_scalar_ops[alu->scalar_opc].mnemonic && !no_scalar)
        check_report(&checker->out, CHECK_A2XX_SCALAR_OPERATION, slot, CHECK_ALONE,
                     "undefined scalar operation %u", alu->scalar_opc);
}

/* --- both halves --- */

static void check_third(struct a2c_checker *checker, uint32_t slot, const struct a2xx_alu *alu)
{
    if (a2xx_is_const_op(alu->scalar_opc) && a2xx_works(alu, A2XX_UNIT_SCALAR) &&
        a2xx_works(alu, A2XX_UNIT_VECTOR) && a2xx_has_third_source(alu->vector_opc))
        check_report(&checker->out, CHECK_A2XX_COISSUE_THIRD, slot, CHECK_ALONE,
                     "%s uses source 3, which contains the constant and the register of %s",
                     a2xx_vector_ops[alu->vector_opc].mnemonic,
                     a2xx_scalar_ops[alu->scalar_opc].mnemonic);
}

static void check_same_component(struct a2c_checker *checker, uint32_t slot,
                                 const struct a2xx_alu *alu)
{
    unsigned both = alu->vector_write_mask & alu->scalar_write_mask;
    char text[A2C_COMPONENTS_MAX];
    if (!alu->export_data && both && alu->vector_dest == alu->scalar_dest &&
        alu->vector_dest_rel == alu->scalar_dest_rel)
        check_report(&checker->out, CHECK_A2XX_COISSUE_WRITE, slot, CHECK_ALONE,
                     "both halves write R%u.%s", alu->vector_dest, a2c_components(text, both));
}

/* Reports an export whose scalar destination has a different number from its vector destination.
 * The hardware ignores the scalar number, so the source is misleading. */
static void check_elsewhere(struct a2c_checker *checker, uint32_t slot, const struct a2xx_alu *alu)
{
    unsigned scalar = alu->scalar_write_mask & ~a2xx_export_ones(alu);
    if (alu->export_data && scalar && alu->vector_write_mask &&
        alu->scalar_dest != alu->vector_dest)
        check_report(&checker->out, CHECK_A2XX_COISSUE_EXPORT, slot, CHECK_ALONE,
                     "the scalar result goes to export%u, not to export%u", alu->vector_dest,
                     alu->scalar_dest);
}

/* Reports results that are replaced by the constant 1, because an exported component is in the
 * write masks of both halves. If all components of a half become 1 and the half only copies a
 * value, the constant is intended and not reported. */
static void check_ones(struct a2c_checker *checker, uint32_t slot, const struct a2xx_alu *alu)
{
    unsigned ones = a2xx_export_ones(alu);
    bool move = alu->scalar_opc == A2XX_S_MAX || alu->scalar_opc == A2XX_S_RETAIN_PREV ||
                alu->scalar_opc == A2XX_S_ADD;
    bool copy = alu->vector_opc == A2XX_V_MAX || alu->vector_opc == A2XX_V_ADD;
    bool scalar_lost = !(alu->scalar_write_mask & ~ones) && !move;
    bool vector_lost = !(alu->vector_write_mask & ~ones) && !copy;
    char text[A2C_COMPONENTS_MAX];
    if (ones && (scalar_lost || vector_lost))
        check_report(&checker->out, CHECK_A2XX_EXPORT_ONE, slot, CHECK_ALONE,
                     "export%u.%s becomes 1, and the result of %s is lost", alu->vector_dest,
                     a2c_components(text, ones),
                     scalar_lost ? a2xx_scalar_ops[alu->scalar_opc].mnemonic
                                 : a2xx_vector_ops[alu->vector_opc].mnemonic);
}

/* Writes the operands of a scalar operation with an identity swizzle, such as "R0.w and R0.x".
 * Returns text. */
static const char *scalar_operands(const struct a2c_checker *checker, const struct a2xx_alu *alu,
                                   char text[OPERANDS_MAX])
{
    const char *file = alu->src3_sel ? "R" : "C";
    unsigned number = alu->src3_sel ? alu->src3 & 63 : alu->src3;
    unsigned second = a2xx_second_slot(alu->scalar_opc, checker->variant);
    int length = snprintf(text, OPERANDS_MAX, "%s%u.w", file, number);
    if (a2xx_scalar_ops[alu->scalar_opc].sources > 1)
        snprintf(text + length, OPERANDS_MAX - (size_t)length, " and %s%u.%c", file, number,
                 "xyzw"[second]);
    return text;
}

/* Reports a scalar operation that was probably meant as a vector operation: its mask has several
 * components, and its source has no swizzle. If one value is intended for several components, the
 * source usually selects a component. */
static void check_spread(struct a2c_checker *checker, uint32_t slot, const struct a2xx_alu *alu)
{
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
    scalar_operands(checker, alu, operands);
    if (alu->scalar_opc == A2XX_S_MAX)
        check_report(
            &checker->out, CHECK_A2XX_SCALAR_SPREAD, slot, CHECK_ALONE,
            "MAXs (MOV) is a scalar operation: the greater of %s is written to all of "
            "%s%u.%s" WITH_HINT "to copy every component, write MAXv %s%u = %s%u, %s%u; to "
            "copy one, select it: %s%u.wwww",
            operands, result, to, components, result, to, file, from, file, from, file, from);
    else
        check_report(&checker->out, CHECK_A2XX_SCALAR_SPREAD, slot, CHECK_ALONE,
                     "%s is a scalar operation: one number, from %s, is written to all of %s%u.%s",
                     op->mnemonic, operands, result, to, components);
}

static void check_effects(struct a2c_checker *checker, uint32_t slot, const struct a2xx_alu *alu)
{
    enum { SETS = A2XX_SETS_PREDICATE | A2XX_KILLS | A2XX_SETS_ADDRESS };
    unsigned vector = a2xx_vector_effects(alu->vector_opc) & SETS,
             scalar = a2xx_scalar_effects(alu->scalar_opc) & SETS;
    if (vector && scalar)
        check_report(&checker->out, CHECK_A2XX_COISSUE_EFFECTS, slot, CHECK_ALONE,
                     "%s and %s are in one instruction", a2xx_vector_ops[alu->vector_opc].mnemonic,
                     a2xx_scalar_ops[alu->scalar_opc].mnemonic);
    if (checker->kind == TESS_SHADER_VERTEX && (vector | scalar) & A2XX_KILLS)
        check_report_title(&checker->out, CHECK_A2XX_KILL_VERTEX, slot, CHECK_ALONE);
}

/* --- constants --- */

static void check_constant(struct a2c_checker *checker, uint32_t slot, unsigned number)
{
    const struct a2c_interface *interface = &checker->interface;
    uint32_t place = slot;
    bool absolute = number & ABSOLUTE && interface->constants[number & ~(unsigned)ABSOLUTE];
    if (checker->kind == TESS_SHADER_FRAGMENT && number >= FRAGMENT_CONSTANTS)
        check_report(&checker->out, CHECK_A2XX_CONSTANT_RANGE, place, CHECK_SUBJECT(number),
                     "C%u is read, but Mesa's driver gives a pixel program only %d constants",
                     number, FRAGMENT_CONSTANTS);
    if (!interface->any_constant || interface->constants[number])
        return;
    if (absolute)
        check_report(
            &checker->out, CHECK_A2XX_CONSTANT_ABS, place, CHECK_SUBJECT(number),
            "C%u is read, but only C%u is declared; bit 7 of a constant does not select the "
            "absolute value",
            number, number & ~(unsigned)ABSOLUTE);
    else
        check_report(&checker->out, CHECK_A2XX_CONSTANT_UNDECLARED, place, CHECK_SUBJECT(number),
                     "C%u is read, but not declared", number);
}

static void check_relative(struct a2c_checker *checker, uint32_t slot, const struct a2xx_alu *alu,
                           unsigned constants)
{
    uint32_t place = slot;
    bool selected = !alu->src1_sel || !alu->src2_sel || !alu->src3_sel;
    bool first = alu->const_0_rel && !selected;
    bool second = alu->const_1_rel && alu->src1_sel + alu->src2_sel + alu->src3_sel > 1;
    bool const_op = a2xx_is_const_op(alu->scalar_opc);
    if ((first || second) && !const_op)
        check_report_title(&checker->out, CHECK_A2XX_RELATIVE_UNUSED, place, CHECK_ALONE);
    if (constants == 3 && alu->const_1_rel)
        check_report(
            &checker->out, CHECK_A2XX_CONSTANT_RELATIVE, place, CHECK_ALONE,
            "one flag makes both C%u and C%u relative" WITH_HINT
            "if only one of them is to be relative, copy the other to a free register in an "
            "earlier instruction (MAXv R1 = C%u, C%u), and read the register here",
            alu->src2, alu->src3, alu->src3, alu->src3);
}

static void check_constants(struct a2c_checker *checker, uint32_t slot, const struct a2xx_alu *alu)
{
    struct a2xx_operand list[A2XX_OPERANDS_MAX];
    unsigned count = a2xx_operands(alu, checker->variant, list), sources = 0;
    /* If address_mode is set and no constant is relative, constants are numbered from the start of
     * the constant file, not from the base of the stage (docs/hardware/a2xx.md, section 6). */
    bool absolute = alu->address_mode && !alu->const_0_rel && !alu->const_1_rel;
    for (unsigned i = 0; i < count; i++) {
        if (!list[i].constant)
            continue;
        sources |= 1u << list[i].source;
        if (!list[i].relative && !absolute)
            check_constant(checker, slot, list[i].number);
    }
    check_relative(checker, slot, alu, (unsigned)__builtin_popcount(sources));
}

/* --- registers --- */

static void check_range(struct a2c_checker *checker, uint32_t slot, unsigned reg)
{
    if (checker->registers > 0 && reg >= checker->registers)
        check_report(&checker->out, CHECK_A2XX_REGISTER_RANGE, slot, CHECK_SUBJECT(reg),
                     "R%u is used, but the program has only %u register%s", reg, checker->registers,
                     checker->registers == 1 ? "" : "s");
}

static void check_registers(struct a2c_checker *checker, uint32_t slot, const struct a2xx_alu *alu)
{
    struct a2xx_operand list[A2XX_OPERANDS_MAX];
    unsigned count = a2xx_operands(alu, checker->variant, list);
    for (unsigned i = 0; i < count; i++)
        if (!list[i].constant)
            check_range(checker, slot, list[i].number);
    if (alu->export_data)
        return;
    if (alu->vector_write_mask)
        check_range(checker, slot, alu->vector_dest);
    if (alu->scalar_write_mask)
        check_range(checker, slot, alu->scalar_dest);
}

void a2c_check_alu(struct a2c_checker *checker, uint32_t slot)
{
    struct a2xx_alu alu = a2xx_decode_alu(a2c_words(checker, slot));
    if (a2c_looks_like_fetch(a2c_words(checker, slot), checker->variant)) {
        check_report(
            &checker->out, CHECK_A2XX_SEQUENCE_KIND, slot, CHECK_ALONE,
            "the sequence bits mark an ALU instruction, but the words are those of a fetch");
        return;
    }
    check_operations(checker, slot, &alu);
    check_third(checker, slot, &alu);
    check_same_component(checker, slot, &alu);
    check_elsewhere(checker, slot, &alu);
    check_ones(checker, slot, &alu);
    check_spread(checker, slot, &alu);
    check_effects(checker, slot, &alu);
    check_constants(checker, slot, &alu);
    check_registers(checker, slot, &alu);
}
