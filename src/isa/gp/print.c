/* SPDX-License-Identifier: MIT */
/* print.c - see print.h. docs/isa/gp.md describes the syntax. */
#include "isa/gp/print.h"

#include <string.h>

#include "base/text.h"
#include "isa/gp/operand.h"
#include "isa/gp/parse.h"

_Static_assert(GP_SLOT_NOP + GP_FIELDS <= OPERATION_LIST_MAX, "all slots and fields");

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* The line while it is written. */
struct line {
    char buffer[GP_LINE_MAX];
    struct text text;
    struct gp_insn insn;
    bool attribute_before; /* true if load unit 0 of the previous instruction loaded an attribute */
    struct operation_list *operations;
};

/* Writes the name that begins a slot, or a field if `slot` is GP_SLOTS. */
static void put_slot(struct line *line, enum gp_slot slot, const char *name)
{
    operation_list_end(line->operations, &line->text);
    text_put(&line->text, "%s", line->text.length > 0 ? "; " : "");
    operation_list_begin(line->operations, &line->text, slot);
    text_put(&line->text, "%s", name);
}

/* Writes an operand after the separator `between`. */
static void put_operand(struct line *line, const char *between, bool negative, unsigned code,
                        enum gp_place place)
{
    char text[GP_OPERAND_TEXT];
    const struct gp_source_row row = gp_operand_row(code, place);
    bool identity = place == GP_SECOND && gp_is_identity(code);
    gp_operand_text(text, code, place,
                    row.back ? line->attribute_before : line->insn.register0_attribute);
    text_put(&line->text, "%s", between);
    size_t at = line->text.length;
    text_put(&line->text, "%s%s", negative ? "-" : "", text);
    if (identity || row.unit != GP_UNIT_NONE)
        operation_list_operand(line->operations, &line->text, at,
                               (struct listed_operand){.negative = negative,
                                                       .place = (uint8_t)place,
                                                       .number = (uint8_t)code,
                                                       .component_count = 1,
                                                       .components = {code & 3}});
}

/* --- loads --- */

/* Returns true if an operand of the instruction reads the value that the unit loads in the same
 * instruction. */
static bool reads(const struct gp_insn *insn, enum gp_unit unit)
{
    bool two = gp_acc_ops[insn->acc_op].operands == 2;
    const unsigned sources[] = {insn->mul0_src0,
                                insn->mul0_src1,
                                insn->mul1_src0,
                                insn->mul1_src1,
                                insn->acc0_src0,
                                insn->acc1_src0,
                                two ? insn->acc0_src1 : GP_SRC_UNUSED,
                                insn->complex_src,
                                insn->pass_src,
                                two ? insn->acc1_src1 : GP_SRC_UNUSED};
    for (size_t i = 0; i < COUNT(sources); i++) {
        const struct gp_source_row *row = &gp_sources[sources[i]];
        if (row->words && row->unit == unit && row->back == 0)
            return true;
    }
    return unit == GP_UNIT_ROW && insn->pass_op == GP_PASS_CLAMP;
}

static void put_loads(struct line *line)
{
    const struct gp_insn *insn = &line->insn;
    bool attribute = insn->register0_attribute;
    bool offset = insn->load_offset > 0 && insn->load_offset < 4;
    if (attribute || insn->register0_addr || reads(insn, GP_UNIT_LOAD0)) {
        put_slot(line, GP_SLOT_LOAD0, attribute ? "load.attr" : "load.reg0");
        text_put(&line->text, " %u", insn->register0_addr);
    }
    if (insn->register1_addr || reads(insn, GP_UNIT_LOAD1)) {
        put_slot(line, GP_SLOT_LOAD1, "load.reg1");
        text_put(&line->text, " %u", insn->register1_addr);
    }
    if (!insn->load_addr && !offset && !reads(insn, GP_UNIT_ROW))
        return;
    put_slot(line, GP_SLOT_ROW, "load.unif");
    text_put(&line->text, " %u", insn->load_addr);
    if (offset)
        text_put(&line->text, ", addr%u", insn->load_offset);
}

/* --- multipliers and accumulators --- */

static void put_mul(struct line *line, unsigned unit, unsigned src0, unsigned src1, bool negative)
{
    bool move = gp_is_identity(src1);
    if (src0 == GP_SRC_UNUSED)
        return;
    put_slot(line, GP_SLOT_MUL0 + unit, "mul");
    text_put(&line->text, "%u.%s", unit, move ? "mov" : "mul");
    put_operand(line, " ", negative, src0, GP_FIRST);
    if (!move)
        put_operand(line, ", ", false, src1, GP_SECOND);
}

static void put_muls(struct line *line)
{
    const struct gp_insn *insn = &line->insn;
    if (!gp_mul_ops[insn->mul_op].words)
        return;
    if (insn->mul_op == GP_MUL_MUL) {
        put_mul(line, 0, insn->mul0_src0, insn->mul0_src1, insn->mul0_neg);
        put_mul(line, 1, insn->mul1_src0, insn->mul1_src1, insn->mul1_neg);
        return;
    }
    put_slot(line, GP_SLOT_MUL0, "mul0.");
    text_put(&line->text, "%s", gp_mul_ops[insn->mul_op].mnemonic);
    if (insn->mul_op == GP_MUL_SELECT) {
        put_operand(line, " ", false, insn->mul0_src1, GP_SECOND);
        put_operand(line, ", ", false, insn->mul1_src0, GP_FIRST);
        put_operand(line, ", ", false, insn->mul0_src0, GP_FIRST);
        return;
    }
    put_operand(line, " ", false, insn->mul0_src0, GP_FIRST);
    put_operand(line, ", ", false, insn->mul0_src1, GP_SECOND);
    if (insn->mul_op == GP_MUL_COMPLEX1) {
        put_operand(line, ", ", false, insn->mul1_src0, GP_FIRST);
        put_operand(line, ", ", false, insn->mul1_src1, GP_SECOND);
    } else {
        put_mul(line, 1, insn->mul1_src0, insn->mul1_src1, insn->mul1_neg);
    }
}

static void put_acc(struct line *line, unsigned unit, unsigned src0, bool neg0, unsigned src1,
                    bool neg1)
{
    const struct gp_op *op = &gp_acc_ops[line->insn.acc_op];
    bool move = line->insn.acc_op == GP_ACC_ADD && gp_is_identity(src1) && neg1;
    if (!op->words || src0 == GP_SRC_UNUSED)
        return;
    put_slot(line, GP_SLOT_ACC0 + unit, "acc");
    text_put(&line->text, "%u.%s", unit, move ? "mov" : op->mnemonic);
    put_operand(line, " ", neg0, src0, GP_FIRST);
    if (op->operands > 1 && !move)
        put_operand(line, ", ", neg1, src1, GP_SECOND);
}

static void put_accs(struct line *line)
{
    const struct gp_insn *insn = &line->insn;
    put_acc(line, 0, insn->acc0_src0, insn->acc0_src0_neg, insn->acc0_src1, insn->acc0_src1_neg);
    put_acc(line, 1, insn->acc1_src0, insn->acc1_src0_neg, insn->acc1_src1, insn->acc1_src1_neg);
}

/* --- the complex and the pass unit --- */

static void put_complex(struct line *line)
{
    const struct gp_insn *insn = &line->insn;
    const struct gp_op *op = &gp_complex_ops[insn->complex_op];
    bool idle = insn->complex_op == GP_COMPLEX_NONE && insn->complex_src == GP_SRC_UNUSED;
    if (!op->words || idle)
        return;
    put_slot(line, GP_SLOT_COMPLEX, "complex.");
    text_put(&line->text, "%s", op->mnemonic);
    if (insn->complex_op != GP_COMPLEX_ADDR01)
        put_operand(line, " ", false, insn->complex_src, GP_FIRST);
}

static void put_pass(struct line *line)
{
    const struct gp_insn *insn = &line->insn;
    const struct gp_op *op = &gp_pass_ops[insn->pass_op];
    bool idle = insn->pass_op == GP_PASS_MOV && insn->pass_src == GP_SRC_UNUSED;
    if (!op->words || idle)
        return;
    put_slot(line, GP_SLOT_PASS, "pass.");
    text_put(&line->text, "%s", op->mnemonic);
    put_operand(line, " ", false, insn->pass_src, GP_FIRST);
}

/* --- stores and branches --- */

struct store {
    unsigned first, second, address;
    bool varying, temporary;
};

static void put_store(struct line *line, unsigned unit, const struct store *store)
{
    bool idle = store->first == GP_STORE_NONE && store->second == GP_STORE_NONE &&
                store->address == 0 && !store->varying && !store->temporary;
    if (idle)
        return;
    put_slot(line, GP_SLOT_STORE0 + unit, "store");
    if (store->temporary)
        text_put(&line->text, "%u.temp ", unit);
    else
        text_put(&line->text, "%u.%s %u, ", unit, store->varying ? "varying" : "reg",
                 store->address);
    put_operand(line, "", false, store->first, GP_STORED);
    put_operand(line, ", ", false, store->second, GP_STORED);
}

static void put_stores(struct line *line)
{
    const struct gp_insn *insn = &line->insn;
    const struct store store0 = {insn->store0_src_x, insn->store0_src_y, insn->store0_addr,
                                 insn->store0_varying, insn->store0_temporary};
    const struct store store1 = {insn->store1_src_z, insn->store1_src_w, insn->store1_addr,
                                 insn->store1_varying, insn->store1_temporary};
    put_store(line, 0, &store0);
    put_store(line, 1, &store1);
}

/* Returns true if the branch can be written as "branch TARGET". */
static bool has_branch(const struct gp_insn *insn, const struct gp_surroundings *around)
{
    bool inside = around->instructions == 0 || gp_branch_target(insn) < around->instructions;
    return insn->branch && inside && !insn->store0_temporary && !insn->store1_temporary;
}

static void put_branch(struct line *line, const struct gp_surroundings *around)
{
    unsigned target = gp_branch_target(&line->insn);
    const char *label = around->label ? around->label(around->user, target) : NULL;
    put_slot(line, GP_SLOT_BRANCH, "branch");
    if (label && strlen(label) < GP_LABEL_MAX)
        text_put(&line->text, " %s", label);
    else
        text_put(&line->text, " %u", target);
}

/* --- the line --- */

/* Returns the instruction that the slots written so far assemble to. */
static struct gp_insn assembled(const struct line *line, bool branch)
{
    struct gp_build build;
    struct asm_error error;
    gp_build_begin(&build);
    if (gp_parse_slots(line->buffer, line->text.length, NULL, &build, &error) != GP_PARSE_OK)
        gp_build_begin(&build);
    if (branch && gp_build_flags(&build, GP_FLAGS_BRANCH, 0, &error))
        gp_build_branch(&build, gp_branch_target(&line->insn));
    return gp_build_end(&build);
}

static void put_fields(struct line *line, const struct gp_insn *base)
{
    for (unsigned i = 0; i < GP_FIELDS; i++) {
        unsigned value = gp_field_get(&line->insn, i);
        if (value == gp_field_get(base, i))
            continue;
        put_slot(line, GP_SLOTS, "field.");
        text_put(&line->text, "%s %u", gp_fields[i].name, value);
    }
}

size_t gp_print_line(char *text, size_t size, const uint32_t words[GP_WORDS],
                     const struct gp_surroundings *around)
{
    static const struct gp_surroundings nothing = {0};
    struct line line;
    if (!around)
        around = &nothing;
    line.text = (struct text){line.buffer, sizeof line.buffer, 0};
    line.insn = gp_decode(words);
    line.operations = around->operations;
    line.attribute_before = around->previous && gp_decode(around->previous).register0_attribute;
    put_loads(&line);
    put_muls(&line);
    put_accs(&line);
    put_complex(&line);
    put_pass(&line);
    put_stores(&line);
    bool branch = has_branch(&line.insn, around);
    struct gp_insn base = assembled(&line, branch);
    if (branch)
        put_branch(&line, around);
    put_fields(&line, &base);
    if (line.text.length == 0)
        put_slot(&line, GP_SLOT_NOP, "nop");
    operation_list_end(line.operations, &line.text);
    struct text whole = {text, size, 0};
    text_put(&whole, "%s", line.buffer);
    return whole.length;
}
