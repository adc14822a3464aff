/* SPDX-License-Identifier: MIT */
/* view.c - see view.h. Fields of the slots: docs/hardware/utgard.md, sections 2 to 4. */
#include "isa/gp/view.h"

#include <stdio.h>

/* --- slots --- */

static void add_operand(struct gp_view *view, unsigned source, bool negative, char identity)
{
    view->operands[view->operand_count++] = (struct gp_view_operand){source, negative, identity};
}

static bool view_mul(const struct gp_insn *insn, bool one, struct gp_view *view)
{
    unsigned first = one ? insn->mul1_src0 : insn->mul0_src0;
    unsigned second = one ? insn->mul1_src1 : insn->mul0_src1;
    unsigned op = one && insn->mul_op == GP_MUL_COMPLEX2 ? GP_MUL_MUL : insn->mul_op;
    bool wide = op != GP_MUL_MUL && op != GP_MUL_COMPLEX2;
    if (wide ? one : first == GP_SRC_UNUSED)
        return false;
    *view = (struct gp_view){.unit = one ? GP_UNIT_MUL1 : GP_UNIT_MUL0,
                             .slot = one ? "mul1" : "mul0",
                             .operation = gp_mul_ops[op].mnemonic,
                             .code = op,
                             .negative = one ? insn->mul1_neg : insn->mul0_neg,
                             .move = op == GP_MUL_MUL && gp_is_identity(second)};
    add_operand(view, first, false, 0);
    add_operand(view, second, false, '1');
    if (wide)
        add_operand(view, insn->mul1_src0, false, 0);
    if (wide && op != GP_MUL_SELECT)
        add_operand(view, insn->mul1_src1, false, '1');
    return true;
}

static bool view_acc(const struct gp_insn *insn, bool one, struct gp_view *view)
{
    unsigned first = one ? insn->acc1_src0 : insn->acc0_src0;
    unsigned second = one ? insn->acc1_src1 : insn->acc0_src1;
    bool first_neg = one ? insn->acc1_src0_neg : insn->acc0_src0_neg;
    bool second_neg = one ? insn->acc1_src1_neg : insn->acc0_src1_neg;
    const struct gp_op *op = &gp_acc_ops[insn->acc_op];
    if (first == GP_SRC_UNUSED)
        return false;
    *view = (struct gp_view){.unit = one ? GP_UNIT_ACC1 : GP_UNIT_ACC0,
                             .slot = one ? "acc1" : "acc0",
                             .operation = op->mnemonic,
                             .code = insn->acc_op,
                             .move = insn->acc_op == GP_ACC_ADD && gp_is_identity(second) &&
                                     second_neg};
    add_operand(view, first, first_neg, 0);
    if (op->operands != 1)
        add_operand(view, second, second_neg, '0');
    return true;
}

static bool view_complex(const struct gp_insn *insn, struct gp_view *view)
{
    bool from_pass = insn->complex_op == GP_COMPLEX_ADDR01;
    if (insn->complex_op == GP_COMPLEX_NONE || (insn->complex_src == GP_SRC_UNUSED && !from_pass))
        return false;
    *view = (struct gp_view){.unit = GP_UNIT_COMPLEX,
                             .slot = "complex",
                             .operation = gp_complex_ops[insn->complex_op].mnemonic,
                             .code = insn->complex_op,
                             .move = insn->complex_op == GP_COMPLEX_MOV};
    if (!from_pass)
        add_operand(view, insn->complex_src, false, 0);
    return true;
}

static bool view_pass(const struct gp_insn *insn, struct gp_view *view)
{
    if (insn->pass_src == GP_SRC_UNUSED)
        return false;
    *view = (struct gp_view){.unit = GP_UNIT_PASS,
                             .slot = "pass",
                             .operation = gp_pass_ops[insn->pass_op].mnemonic,
                             .code = insn->pass_op,
                             .move = insn->pass_op == GP_PASS_MOV};
    add_operand(view, insn->pass_src, false, 0);
    return true;
}

size_t gp_view_slots(const struct gp_insn *insn, struct gp_view views[GP_VIEW_SLOTS])
{
    size_t count = 0;
    count += view_mul(insn, false, &views[count]);
    count += view_mul(insn, true, &views[count]);
    count += view_acc(insn, false, &views[count]);
    count += view_acc(insn, true, &views[count]);
    count += view_complex(insn, &views[count]);
    count += view_pass(insn, &views[count]);
    return count;
}

/* --- operands --- */

static void put_row(struct text *text, const struct gp_insn *insn, char component)
{
    unsigned offset = gp_row_offset(insn);
    text_put(text, "row[%u", insn->load_addr);
    if (offset)
        text_put(text, "+addr%u", offset);
    else if (insn->load_offset != GP_NO_OFFSET)
        text_put(text, "+offset code %u", insn->load_offset);
    text_put(text, "].%c", component);
}

static void put_load0(struct text *text, const struct gp_insn *insn,
                      const struct gp_source_row *row)
{
    if (insn)
        text_put(text, "%s[%u].%c", insn->register0_attribute ? "attribute" : "register",
                 insn->register0_addr, row->component);
    else
        text_put(text, "load unit 0.%c", row->component);
    if (row->back)
        text_put(text, "[-%u]", row->back);
}

void gp_view_put_operand(struct text *text, const struct gp_insn *insn,
                         const struct gp_insn *before, const struct gp_view_operand *operand)
{
    const struct gp_source_row *row = &gp_sources[operand->source];
    if (operand->identity && gp_is_identity(operand->source)) {
        text_put(text, "%c", operand->identity);
        return;
    }
    if (!row->words) {
        text_put(text, "source code %u", operand->source);
        return;
    }
    switch (row->unit) {
    case GP_UNIT_NONE: text_put(text, "nothing"); break;
    case GP_UNIT_LOAD0: put_load0(text, row->back ? before : insn, row); break;
    case GP_UNIT_LOAD1:
        text_put(text, "register[%u].%c", insn->register1_addr, row->component);
        break;
    case GP_UNIT_ROW: put_row(text, insn, row->component); break;
    default: text_put(text, "%s[-%u]", gp_unit_name(row->unit), row->back);
    }
}

/* --- stores --- */

void gp_view_each_store(const struct gp_insn *insn, enum gp_unit unit,
                        void (*take)(void *user, const char *place), void *user)
{
    struct gp_store stores[GP_STORES_MAX];
    unsigned count = gp_stores(insn, stores);
    for (unsigned i = 0; i < count; i++) {
        const struct gp_store *store = &stores[i];
        char place[GP_VIEW_TEXT], component = "xyzw"[store->component];
        if (unit == GP_UNIT_NONE || gp_store_sources[store->source].unit != unit)
            continue;
        if (store->temporary)
            snprintf(place, sizeof place, "temporary[addr0].%c", component);
        else
            snprintf(place, sizeof place, "%s[%u].%c", store->varying ? "varying" : "register",
                     store->number, component);
        take(user, place);
    }
}
