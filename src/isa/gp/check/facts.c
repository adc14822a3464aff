/* SPDX-License-Identifier: MIT */
/* facts.c - see facts.h.
 *
 * In:     an instruction word.
 * Out:    units that work, their operands, stores, address registers.
 * Source: digest utgard.md, sections 3, 4 and 7; Mesa 22.3.6, src/gallium/drivers/lima/ir/gp/codegen.c. */
#include "isa/gp/check/facts.h"

#include <stdio.h>

bool gpc_is_unused(unsigned source)
{
    return source == GP_SRC_UNUSED || source == GPC_SOURCE_8;
}

/* --- operands --- */

static void take(struct gpc_facts *facts, enum gp_unit by, unsigned number, unsigned source)
{
    bool paired = by == GP_UNIT_ACC0 || by == GP_UNIT_ACC1 || by == GP_UNIT_MUL0 ||
                  by == GP_UNIT_MUL1;
    facts->operands[facts->operand_count++] = (struct gpc_operand){
        .by = by,
        .number = (uint8_t)number,
        .source = (uint8_t)source,
        .identity = paired && number % 2 == 1 && gp_is_identity(source),
    };
}

static void take_accumulators(struct gpc_facts *facts)
{
    const struct gp_insn *insn = &facts->insn;
    const unsigned sources[2][2] = {
        {insn->acc0_src0, insn->acc0_src1},
        {insn->acc1_src0, insn->acc1_src1},
    };
    for (unsigned unit = 0; unit < 2; unit++) {
        if (gpc_is_unused(sources[unit][0]))
            continue;
        facts->makes |= 1u << (GP_UNIT_ACC0 + unit);
        for (unsigned i = 0; i < gp_acc_ops[insn->acc_op].operands; i++)
            take(facts, GP_UNIT_ACC0 + unit, i, sources[unit][i]);
    }
}

static void take_multipliers(struct gpc_facts *facts)
{
    const struct gp_insn *insn = &facts->insn;
    const unsigned sources[] = {insn->mul0_src0, insn->mul0_src1, insn->mul1_src0, insn->mul1_src1};
    bool wide = gp_is_wide(insn->mul_op);
    if (!gpc_is_unused(sources[0])) {
        facts->makes |= 1u << GP_UNIT_MUL0;
        for (unsigned i = 0; i < gp_mul_ops[insn->mul_op].operands; i++)
            take(facts, GP_UNIT_MUL0, i, sources[i]);
    }
    if (!wide && !gpc_is_unused(sources[2])) {
        facts->makes |= 1u << GP_UNIT_MUL1;
        for (unsigned i = 0; i < 2 && gp_mul_ops[insn->mul_op].mnemonic; i++)
            take(facts, GP_UNIT_MUL1, i, sources[2 + i]);
    }
}

static void take_complex(struct gpc_facts *facts)
{
    const struct gp_insn *insn = &facts->insn;
    bool known = gp_complex_ops[insn->complex_op].mnemonic != NULL,
         works = !gpc_is_unused(insn->complex_src) && insn->complex_op != GP_COMPLEX_NONE &&
                 insn->complex_op != GP_COMPLEX_ADDR01;
    if (insn->complex_op == GP_COMPLEX_ADDR01)
        facts->addresses = 1 << 0 | 1 << 1;
    if (!works)
        return;
    if (known)
        take(facts, GP_UNIT_COMPLEX, 0, insn->complex_src);
    if (insn->complex_op >= GP_COMPLEX_ADDR0)
        facts->addresses = (uint8_t)(1u << (insn->complex_op - GP_COMPLEX_ADDR0));
    else
        facts->makes |= 1u << GP_UNIT_COMPLEX;
}

static void take_pass(struct gpc_facts *facts)
{
    if (gpc_is_unused(facts->insn.pass_src))
        return;
    facts->makes |= 1u << GP_UNIT_PASS;
    if (gp_pass_ops[facts->insn.pass_op].mnemonic)
        take(facts, GP_UNIT_PASS, 0, facts->insn.pass_src);
}

/* --- stores --- */

static void take_stores(struct gpc_facts *facts)
{
    const struct gp_insn *insn = &facts->insn;
    const unsigned sources[] = {insn->store0_src_x, insn->store0_src_y, insn->store1_src_z,
                                insn->store1_src_w};
    for (unsigned i = 0; i < 4; i++) {
        bool first = i < 2;
        const struct gpc_store store = {
            .temporary = first ? insn->store0_temporary : insn->store1_temporary,
            .varying = first ? insn->store0_varying : insn->store1_varying,
            .number = (uint8_t)(first ? insn->store0_addr : insn->store1_addr),
            .component = (uint8_t)i,
            .source = (uint8_t)sources[i],
        };
        if (sources[i] == GP_STORE_NONE)
            continue;
        facts->stores[facts->store_count++] = store;
        facts->stores_temporary |= store.temporary;
    }
}

struct gpc_facts gpc_facts(const uint32_t words[GP_WORDS])
{
    struct gpc_facts facts = {.insn = gp_decode(words)};
    take_multipliers(&facts);
    take_accumulators(&facts);
    take_complex(&facts);
    take_pass(&facts);
    take_stores(&facts);
    if (facts.insn.load_offset >= 1 && facts.insn.load_offset <= 3)
        facts.offset = (uint8_t)facts.insn.load_offset;
    return facts;
}

/* --- questions --- */

unsigned gpc_reads(const struct gpc_facts *facts, enum gp_unit unit, unsigned back)
{
    unsigned components = 0;
    for (unsigned i = 0; i < facts->operand_count; i++) {
        const struct gpc_operand *operand = &facts->operands[i];
        const struct gp_source_row *source = &gp_sources[operand->source];
        if (!operand->identity && source->unit == unit && source->back == back)
            components |= source->component ? 1u << (operand->source & 3) : 1u;
    }
    bool bounds = (facts->makes >> GP_UNIT_PASS & 1) && facts->insn.pass_op == GP_PASS_CLAMP;
    return unit == GP_UNIT_ROW && bounds ? components | 3u : components;
}

bool gpc_is_move(const struct gpc_facts *facts, enum gp_unit unit)
{
    const struct gp_insn *insn = &facts->insn;
    bool multiplies = insn->mul_op == GP_MUL_MUL;
    switch (unit) {
    case GP_UNIT_MUL0: return multiplies && gp_is_identity(insn->mul0_src1) && !insn->mul0_neg;
    case GP_UNIT_MUL1:
        return (multiplies || insn->mul_op == GP_MUL_COMPLEX2) && gp_is_identity(insn->mul1_src1) &&
               !insn->mul1_neg;
    case GP_UNIT_ACC0:
        return insn->acc_op == GP_ACC_ADD && gp_is_identity(insn->acc0_src1) &&
               !insn->acc0_src0_neg;
    case GP_UNIT_ACC1:
        return insn->acc_op == GP_ACC_ADD && gp_is_identity(insn->acc1_src1) &&
               !insn->acc1_src0_neg;
    case GP_UNIT_PASS: return insn->pass_op == GP_PASS_MOV;
    case GP_UNIT_COMPLEX: return insn->complex_op == GP_COMPLEX_MOV;
    default: return false;
    }
}

const struct gpc_operand *gpc_operand(const struct gpc_facts *facts, enum gp_unit by,
                                      unsigned number)
{
    for (unsigned i = 0; i < facts->operand_count; i++)
        if (facts->operands[i].by == by && facts->operands[i].number == number)
            return &facts->operands[i];
    return NULL;
}

/* --- names --- */

static const char *const unit_names[GP_UNITS] = {
    [GP_UNIT_NONE] = "nothing",      [GP_UNIT_LOAD0] = "load unit 0",
    [GP_UNIT_LOAD1] = "load unit 1", [GP_UNIT_ROW] = "the row load",
    [GP_UNIT_ACC0] = "acc0",         [GP_UNIT_ACC1] = "acc1",
    [GP_UNIT_MUL0] = "mul0",         [GP_UNIT_MUL1] = "mul1",
    [GP_UNIT_COMPLEX] = "complex",   [GP_UNIT_PASS] = "pass",
};

const char *gpc_unit_name(enum gp_unit unit)
{
    return unit_names[unit];
}

const char *gpc_source_name(char name[GPC_NAME_MAX], const struct gp_insn *insn, unsigned source)
{
    const struct gp_source_row *row = &gp_sources[source];
    const char *unit = row->unit == GP_UNIT_ROW     ? "unif"
                       : row->unit == GP_UNIT_LOAD1 ? "reg1"
                       : row->unit != GP_UNIT_LOAD0 ? gpc_unit_name(row->unit)
                       : row->back                  ? "reg0"
                       : insn->register0_attribute  ? "attr"
                                                    : "reg0";
    char back[8] = "", component[4] = "";
    if (row->back)
        snprintf(back, sizeof back, "[-%u]", row->back);
    if (row->component)
        snprintf(component, sizeof component, ".%c", row->component);
    snprintf(name, GPC_NAME_MAX, "%s%s%s", unit, back, component);
    return name;
}
