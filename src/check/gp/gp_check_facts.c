/* SPDX-License-Identifier: MIT */
/* gp_check_facts.c - see gp_check_facts.h. */
#include "check/gp/gp_check_facts.h"

struct gpc_facts gpc_facts(const uint32_t words[GP_WORDS])
{
    struct gpc_facts facts = {.insn = gp_decode(words)};
    const struct gp_insn *insn = &facts.insn;
    facts.operand_count = gp_operands(insn, facts.operands);
    facts.store_count = gp_stores(insn, facts.stores);
    facts.addresses = (uint8_t)gp_addresses_set(insn);
    facts.offset = (uint8_t)gp_row_offset(insn);
    for (enum gp_unit unit = GP_UNIT_ACC0; unit < GP_UNITS; unit++)
        facts.makes |= (uint32_t)gp_makes_result(insn, unit) << unit;
    for (unsigned i = 0; i < facts.store_count; i++)
        facts.stores_temporary |= facts.stores[i].temporary;
    return facts;
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

const struct gp_operand *gpc_operand(const struct gpc_facts *facts, enum gp_unit by,
                                     unsigned number)
{
    for (unsigned i = 0; i < facts->operand_count; i++)
        if (facts->operands[i].by == by && facts->operands[i].number == number)
            return &facts->operands[i];
    return NULL;
}

const char *gpc_source_name(char name[GP_OPERAND_TEXT], const struct gp_insn *insn, unsigned source)
{
    gp_operand_text(name, source, GP_FIRST, insn->register0_attribute && !gp_sources[source].back);
    return name;
}
