/* SPDX-License-Identifier: MIT */
/* operands.c - see operands.h. */
#include "utgard/operands.h"

static bool is_unused(unsigned source)
{
    return source == GP_SRC_UNUSED || source == 8; /* 8: its alias */
}

enum tess_gp_unit gp_result_unit(enum gp_unit unit)
{
    static const enum tess_gp_unit units[GP_UNITS] = {
        [GP_UNIT_ACC0] = TESS_GP_ACC0,   [GP_UNIT_ACC1] = TESS_GP_ACC1,
        [GP_UNIT_MUL0] = TESS_GP_MUL0,   [GP_UNIT_MUL1] = TESS_GP_MUL1,
        [GP_UNIT_PASS] = TESS_GP_PASS,   [GP_UNIT_COMPLEX] = TESS_GP_COMPLEX,
        [GP_UNIT_NONE] = TESS_GP_UNITS,  [GP_UNIT_LOAD0] = TESS_GP_UNITS,
        [GP_UNIT_LOAD1] = TESS_GP_UNITS, [GP_UNIT_ROW] = TESS_GP_UNITS,
    };
    return units[unit];
}

bool gp_makes_result(const struct gp_insn *insn, enum tess_gp_unit unit)
{
    switch (unit) {
    case TESS_GP_ACC0: return !is_unused(insn->acc0_src0);
    case TESS_GP_ACC1: return !is_unused(insn->acc1_src0);
    case TESS_GP_MUL0: return !is_unused(insn->mul0_src0);
    case TESS_GP_MUL1: return !is_unused(insn->mul1_src0) && !gp_is_wide(insn->mul_op);
    case TESS_GP_PASS: return !is_unused(insn->pass_src);
    case TESS_GP_COMPLEX:
        return !is_unused(insn->complex_src) && insn->complex_op != GP_COMPLEX_NONE &&
               insn->complex_op != GP_COMPLEX_ADDR01;
    default: return false;
    }
}

unsigned gp_idle_units(const struct gp_insn *insn)
{
    unsigned idle = 0;
    for (unsigned unit = 0; unit < TESS_GP_UNITS; unit++)
        if (!gp_makes_result(insn, unit))
            idle |= 1u << unit;
    return idle;
}

static unsigned acc_operands(const struct gp_insn *insn)
{
    return gp_acc_ops[insn->acc_op].operands; /* 0: unknown */
}

/* Operands of mul0; those of both multipliers, if they work together. */
static unsigned mul_operands(const struct gp_insn *insn)
{
    return gp_mul_ops[insn->mul_op].operands;
}

static bool multiplies(const struct gp_insn *insn)
{
    return insn->mul_op == GP_MUL_MUL || insn->mul_op == GP_MUL_COMPLEX2;
}

struct listing {
    struct gp_operand *list;
    unsigned count;
};

static void list(struct listing *listing, enum tess_gp_unit by, unsigned number, unsigned source)
{
    bool second = (by <= TESS_GP_ACC1 && number % 2 == 1);
    listing->list[listing->count++] = (struct gp_operand){
        .by = by,
        .number = (uint8_t)number,
        .source = (uint8_t)source,
        .identity = second && gp_is_identity(source),
    };
}

static void list_multipliers(struct listing *to, const struct gp_insn *insn)
{
    const unsigned sources[] = {insn->mul0_src0, insn->mul0_src1, insn->mul1_src0, insn->mul1_src1};
    if (gp_makes_result(insn, TESS_GP_MUL0))
        for (unsigned i = 0; i < mul_operands(insn); i++)
            list(to, TESS_GP_MUL0, i, sources[i]);
    if (gp_makes_result(insn, TESS_GP_MUL1) && multiplies(insn))
        for (unsigned i = 0; i < 2; i++)
            list(to, TESS_GP_MUL1, i, sources[2 + i]);
}

static void list_accumulators(struct listing *to, const struct gp_insn *insn)
{
    const unsigned sources[2][2] = {
        {insn->acc0_src0, insn->acc0_src1},
        {insn->acc1_src0, insn->acc1_src1},
    };
    for (unsigned unit = 0; unit < 2; unit++)
        for (unsigned i = 0; gp_makes_result(insn, TESS_GP_ACC0 + unit) && i < acc_operands(insn);
             i++)
            list(to, TESS_GP_ACC0 + unit, i, sources[unit][i]);
}

unsigned gp_operands(const struct gp_insn *insn, struct gp_operand out[GP_OPERANDS_MAX])
{
    struct listing to = {.list = out};
    list_multipliers(&to, insn);
    list_accumulators(&to, insn);
    if (gp_makes_result(insn, TESS_GP_COMPLEX) && gp_complex_ops[insn->complex_op].mnemonic)
        list(&to, TESS_GP_COMPLEX, 0, insn->complex_src);
    if (gp_makes_result(insn, TESS_GP_PASS) && gp_pass_ops[insn->pass_op].mnemonic) {
        list(&to, TESS_GP_PASS, 0, insn->pass_src);
        if (insn->pass_op == GP_PASS_CLAMP) {
            list(&to, TESS_GP_PASS, 1, GP_SRC_ROW_X);
            list(&to, TESS_GP_PASS, 2, GP_SRC_ROW_Y);
        }
    }
    return to.count;
}

unsigned gp_reads(const struct gp_insn *insn, enum gp_unit unit, unsigned back)
{
    struct gp_operand list[GP_OPERANDS_MAX];
    unsigned count = gp_operands(insn, list), components = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct gp_source_row *source = &gp_sources[list[i].source];
        if (!list[i].identity && source->unit == unit && source->back == back)
            components |= source->component ? 1u << (list[i].source & 3) : 1u;
    }
    return components;
}

unsigned gp_stores(const struct gp_insn *insn, struct gp_store stores[4])
{
    const unsigned sources[4] = {insn->store0_src_x, insn->store0_src_y, insn->store1_src_z,
                                 insn->store1_src_w};
    unsigned count = 0;
    for (unsigned component = 0; component < 4; component++) {
        bool first = component < 2;
        if (sources[component] == GP_STORE_NONE)
            continue;
        stores[count++] = (struct gp_store){
            .temporary = first ? insn->store0_temporary : insn->store1_temporary,
            .varying = first ? insn->store0_varying : insn->store1_varying,
            .number = (uint8_t)(first ? insn->store0_addr : insn->store1_addr),
            .component = (uint8_t)component,
            .source = (uint8_t)sources[component],
        };
    }
    return count;
}

unsigned gp_row_offset(const struct gp_insn *insn)
{
    return insn->load_offset >= 1 && insn->load_offset <= 3 ? insn->load_offset : 0;
}

unsigned gp_addresses_set(const struct gp_insn *insn)
{
    if (insn->complex_op == GP_COMPLEX_ADDR01)
        return 1u << 0 | 1u << 1;
    bool sets = insn->complex_op >= GP_COMPLEX_ADDR0 && !is_unused(insn->complex_src);
    return sets ? 1u << (insn->complex_op - GP_COMPLEX_ADDR0) : 0;
}
