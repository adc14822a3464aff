/* SPDX-License-Identifier: MIT */
/* explain.c - explains an instruction of the GP in plain words: its fields, and what each slot does
 * (view.h).
 *
 * In:      any instruction.
 * Out:     its fields, and an explanation in plain words.
 * Source: fields.def and ops.def. For latencies, docs/hardware/utgard.md, section 6, and
 *         cwabbott0/mali-isa-docs, Utgard-GP.md, "Latencies". */

#include <stdio.h>

#include "isa/gp/facts.h"
#include "isa/gp/view.h"

static const char unseen[] = "not used by any known program";

/* --- fields --- */

static const char *op_words(const struct gp_op *op)
{
    return op->mnemonic ? op->words : unseen;
}

static const char *source_words(unsigned source, enum gp_kind kind)
{
    if (source == GP_SRC_UNUSED_ALIAS || (source == GP_SRC_UNUSED && kind != GP_KIND_SOURCE))
        return "nothing";
    if (gp_is_identity(source) && kind != GP_KIND_SOURCE)
        return kind == GP_KIND_MUL_SOURCE1 ? "the number 1" : "the number 0";
    return gp_sources[source].words ? gp_sources[source].words : unseen;
}

static const char *offset_words(unsigned value)
{
    static const char *const names[] = {[1] = "address register 1",
                                        [2] = "address register 2",
                                        [3] = "address register 3",
                                        [GP_NO_OFFSET] = "none"};
    return names[value] ? names[value] : unseen;
}

static const char *unknown_words(unsigned value)
{
    switch (value) {
    case GP_FLAGS_NONE: return "the usual value";
    case GP_FLAGS_TEMPORARY: return "the value for a temporary store";
    case GP_FLAGS_BRANCH: return "the value for a branch";
    }
    return unseen;
}

/* Returns the meaning of a field's value, or NULL if the number needs no explanation. */
static const char *value_words(enum gp_kind kind, unsigned value)
{
    switch (kind) {
    case GP_KIND_FLAG: return value ? "yes" : "no";
    case GP_KIND_LOAD_OFFSET: return offset_words(value);
    case GP_KIND_SOURCE:
    case GP_KIND_MUL_SOURCE1:
    case GP_KIND_ACC_SOURCE1: return source_words(value, kind);
    case GP_KIND_STORE_SOURCE:
        return gp_store_sources[value].words ? gp_store_sources[value].words : unseen;
    case GP_KIND_ACC_OP: return op_words(&gp_acc_ops[value]);
    case GP_KIND_MUL_OP: return op_words(&gp_mul_ops[value]);
    case GP_KIND_PASS_OP: return op_words(&gp_pass_ops[value]);
    case GP_KIND_COMPLEX_OP: return op_words(&gp_complex_ops[value]);
    case GP_KIND_UNKNOWN_1: return unknown_words(value);
    default: return NULL;
    }
}

void gp_each_field(const struct gp_insn *insn, dis_field_visitor *visit, void *user)
{
    for (unsigned i = 0; i < GP_FIELDS; i++) {
        const struct gp_field *field = &gp_fields[i];
        unsigned value = gp_field_get(insn, i);
        const char *words = value_words(field->kind, value);
        char meaning[200];
        snprintf(meaning, sizeof meaning, "%s%s%s", field->meaning, words ? ": " : "",
                 words ? words : "");
        visit(user, &(struct dis_field){field->name, value, field->low + field->bits - 1u,
                                        field->low, meaning});
    }
}

/* --- effect of each slot --- */

/* State while an explanation is written. */
struct comment {
    struct text *text;
    const struct gp_insn *insn, *before;
    const struct gp_view *views;
    size_t count;
};

static void put_operand(const struct comment *c, const struct gp_view_operand *operand)
{
    text_put(c->text, operand->negative ? "-" : "");
    gp_view_put_operand(c->text, c->insn, c->before, operand);
}

/* Writes a formula. The letters A to D in it are replaced by the slot's operands. */
static void put_formula(const struct comment *c, const struct gp_view *view, const char *formula)
{
    for (; *formula; formula++) {
        unsigned number = (unsigned)(*formula - 'A');
        if (*formula >= 'A' && number < view->operand_count)
            put_operand(c, &view->operands[number]);
        else
            text_put(c->text, "%c", *formula);
    }
}

static const char *formula_of(const struct gp_view *view)
{
    static const char *const acc[8] = {
        [GP_ACC_ADD] = "A + B",    [GP_ACC_FLOOR] = "floor(A)", [GP_ACC_SIGN] = "sign(A)",
        [GP_ACC_GE] = "A >= B",    [GP_ACC_LT] = "A < B",       [GP_ACC_MIN] = "min(A, B)",
        [GP_ACC_MAX] = "max(A, B)"};
    static const char *const mul[8] = {[GP_MUL_MUL] = "A * B",
                                       [GP_MUL_COMPLEX1] = "complex1(A, B, C, D)",
                                       [GP_MUL_COMPLEX2] = "complex2(A, B)",
                                       [GP_MUL_SELECT] = "C if B is not 0, else A"};
    static const char *const complex[16] = {[GP_COMPLEX_EXP2] = "exp2(A), first step",
                                            [GP_COMPLEX_LOG2] = "log2(A), first step",
                                            [GP_COMPLEX_RSQRT] = "1 / sqrt(A), first step",
                                            [GP_COMPLEX_RCP] = "1 / A, first step",
                                            [GP_COMPLEX_ADDR01] = "the pass unit's result",
                                            [GP_COMPLEX_ADDR0] = "A",
                                            [GP_COMPLEX_ADDR1] = "A",
                                            [GP_COMPLEX_ADDR2] = "A",
                                            [GP_COMPLEX_ADDR3] = "A"};
    static const char *const pass[8] = {[GP_PASS_PREEXP2] = "preexp2(A)",
                                        [GP_PASS_POSTLOG2] = "postlog2(A)",
                                        [GP_PASS_CLAMP] = "clamp(A"};
    if (view->move)
        return "A";
    switch (view->unit) {
    case GP_UNIT_ACC0:
    case GP_UNIT_ACC1: return acc[view->code];
    case GP_UNIT_COMPLEX: return complex[view->code];
    case GP_UNIT_PASS: return pass[view->code];
    default: return mul[view->code];
    }
}

static void put_arrow(void *user, const char *place)
{
    text_put(user, ", to %s", place);
}

static void put_address_target(const struct comment *c, const struct gp_view *view)
{
    if (view->unit != GP_UNIT_COMPLEX)
        return;
    if (view->code == GP_COMPLEX_ADDR01)
        text_put(c->text, ", to addr0 and addr1");
    else if (view->code >= GP_COMPLEX_ADDR0)
        text_put(c->text, ", to addr%u", view->code - GP_COMPLEX_ADDR0);
}

static void put_bounds(const struct comment *c)
{
    const struct gp_view_operand x = {.source = GP_SRC_ROW_X}, y = {.source = GP_SRC_ROW_Y};
    text_put(c->text, ", ");
    put_operand(c, &x);
    text_put(c->text, ", ");
    put_operand(c, &y);
    text_put(c->text, ")");
}

/* Returns true if the unit is idle: its first operand is one of the two codes for "nothing" (8
 * and 21). */
static bool is_idle(const struct gp_view *view)
{
    return view->operand_count > 0 && gp_is_unused(view->operands[0].source);
}

/* Writes a line such as "acc0: mul0[-1] + row[5].z, to register[3].x". */
static void put_slot(const struct comment *c, const struct gp_view *view)
{
    if (is_idle(view)) {
        text_put(c->text, "%s: idle, since source %u is unused\n", view->slot,
                 view->operands[0].source);
        return;
    }
    const char *formula = formula_of(view);
    bool bracket = view->negative && !view->move;
    text_put(c->text, "%s: %s%s", view->slot, view->negative ? "-" : "", bracket ? "(" : "");
    if (formula)
        put_formula(c, view, formula);
    else
        text_put(c->text, "operation code %u", view->code);
    if (view->unit == GP_UNIT_PASS && view->code == GP_PASS_CLAMP)
        put_bounds(c);
    text_put(c->text, bracket ? ")" : "");
    gp_view_each_store(c->insn, view->unit, put_arrow, c->text);
    put_address_target(c, view);
    text_put(c->text, "\n");
}

static void put_branch(const struct comment *c)
{
    if (c->insn->branch)
        text_put(c->text, "branch: to instruction %u if the pass unit's result is not 0\n",
                 gp_branch_target(c->insn));
}

/* --- notes: when results can be read and stores are visible --- */

static const struct gp_view *find_view(const struct comment *c, enum gp_unit unit)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->views[i].unit == unit)
            return &c->views[i];
    return NULL;
}

static bool is_complex1(const struct gp_view *view)
{
    return view->unit == GP_UNIT_MUL0 && view->code == GP_MUL_COMPLEX1;
}

static bool is_function(const struct gp_view *view)
{
    return view->unit == GP_UNIT_COMPLEX && view->code >= GP_COMPLEX_EXP2 &&
           view->code <= GP_COMPLEX_RCP;
}

static void note_results(const struct comment *c)
{
    const char *between = "- ";
    for (size_t i = 0; i < c->count; i++) {
        if (c->views[i].unit == GP_UNIT_COMPLEX || is_complex1(&c->views[i]) ||
            is_idle(&c->views[i]))
            continue;
        text_put(c->text, "%s%s", between, c->views[i].slot);
        between = ", ";
    }
    if (between[0] == ',')
        text_put(c->text, ": can be read one and two instructions later\n");
}

static void note_complex(const struct comment *c)
{
    const struct gp_view *complex = find_view(c, GP_UNIT_COMPLEX);
    const struct gp_view *mul0 = find_view(c, GP_UNIT_MUL0);
    if (complex && is_function(complex))
        text_put(c->text, "- complex: not a number yet; the next instruction converts it with "
                          "complex1, as first and third operand\n");
    else if (complex && complex->move)
        text_put(c->text,
                 "- complex: can be read by the next instruction only, as a first operand\n");
    if (complex && complex->code == GP_COMPLEX_LOG2)
        text_put(c->text, "- log2: postlog2 converts the result of complex1 to a number\n");
    if (mul0 && is_complex1(mul0))
        text_put(c->text, "- complex1: can be read exactly two instructions later, as mul0[-2]; it "
                          "cannot be stored in this instruction\n");
    if (mul0 && gp_is_wide(mul0->code))
        text_put(c->text, "- both multipliers work together; mul1 has no separate result\n");
}

static void note_loads(const struct comment *c)
{
    const struct gp_insn *insn = c->insn;
    if (gp_reads(insn, GP_UNIT_LOAD0, 0) || insn->register0_attribute)
        text_put(c->text, "- %s %u: the next instruction can also read it, as %s[-1]\n",
                 insn->register0_attribute ? "attribute" : "register", insn->register0_addr,
                 insn->register0_attribute ? "attr" : "reg0");
    if (gp_reads(insn, GP_UNIT_LOAD1, 0))
        text_put(c->text, "- register %u: can be read in this instruction only\n",
                 insn->register1_addr);
    if (gp_reads(insn, GP_UNIT_ROW, 0))
        text_put(c->text, "- row %u: can be read in this instruction only\n", insn->load_addr);
}

static void note_address(const struct comment *c)
{
    const struct gp_view *complex = find_view(c, GP_UNIT_COMPLEX);
    if (!complex)
        return;
    if (complex->code == GP_COMPLEX_ADDR0 || complex->code == GP_COMPLEX_ADDR01)
        text_put(c->text,
                 "- addr0: stores to temporaries use the new value from this instruction on\n");
    if (complex->code == GP_COMPLEX_ADDR01 || complex->code > GP_COMPLEX_ADDR0)
        text_put(c->text, "- addr%u: loads can use it four instructions later\n",
                 complex->code == GP_COMPLEX_ADDR01 ? 1 : complex->code - GP_COMPLEX_ADDR0);
}

static void note_store(const struct comment *c, bool second)
{
    const struct gp_insn *insn = c->insn;
    unsigned first_source = second ? insn->store1_src_z : insn->store0_src_x;
    unsigned last_source = second ? insn->store1_src_w : insn->store0_src_y;
    bool temporary = second ? insn->store1_temporary : insn->store0_temporary;
    bool varying = second ? insn->store1_varying : insn->store0_varying;
    unsigned number = second ? insn->store1_addr : insn->store0_addr;
    if (first_source == GP_STORE_NONE && last_source == GP_STORE_NONE)
        return;
    if (temporary)
        text_put(c->text,
                 "- store%d: a load can read it from the temporary four instructions later\n",
                 second);
    else if (!varying)
        text_put(c->text,
                 "- store%d: a load can read it from register %u three instructions later\n",
                 second, number);
    if (!gp_store_sources[first_source].words || !gp_store_sources[last_source].words)
        text_put(c->text, "- store%d: source code 5 is %s\n", second, unseen);
}

static void note_branch(const struct comment *c)
{
    if (c->insn->branch)
        text_put(c->text,
                 "- branch: there is no delay slot; if the branch is taken, pending stores are "
                 "visible to the target\n");
}

static void note_unseen(const struct comment *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (!c->views[i].operation)
            text_put(c->text, "- %s: operation code %u is %s\n", c->views[i].slot, c->views[i].code,
                     unseen);
    unsigned flags = c->insn->unknown_1;
    if (flags != GP_FLAGS_NONE && flags != GP_FLAGS_TEMPORARY && flags != GP_FLAGS_BRANCH)
        text_put(c->text, "- unknown_1: %u is %s\n", flags, unseen);
}

void gp_put_comment(struct text *text, const struct gp_insn *insn, const struct gp_insn *before)
{
    struct gp_view views[GP_VIEW_SLOTS];
    const struct comment c = {text, insn, before, views, gp_view_slots(insn, views)};
    size_t start = text->length;
    for (size_t i = 0; i < c.count; i++)
        put_slot(&c, &views[i]);
    put_branch(&c);
    note_results(&c);
    note_complex(&c);
    note_loads(&c);
    note_address(&c);
    note_store(&c, false);
    note_store(&c, true);
    note_branch(&c);
    note_unseen(&c);
    if (text->length == start)
        text_put(text, "nothing\n");
}
