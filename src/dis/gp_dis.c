/* SPDX-License-Identifier: MIT */
/* gp_dis.c - the GP's part of the disassembler for whole files.
 *
 * In: the bytes of an instruction, and the instruction's address in the program.
 * Out:    assembly text, comments, fields and Mesa's notation from print.c, explain.c and mesa.c;
 *         slots as JSON.
 * Source: docs/hardware/utgard.md, section 10: a branch target is an instruction number, and a
 *         program ends after its last instruction. */
#include "base/bits.h"
#include "base/text.h"
#include "dis/dis_map.h"
#include "isa/dis_isa.h"
#include "isa/gp/print.h"
#include "isa/gp/view.h"

static struct gp_insn decode_bytes(const uint8_t *bytes)
{
    uint32_t words[GP_WORDS];
    for (unsigned i = 0; i < GP_WORDS; i++)
        words[i] = load_le32(bytes + 4 * i);
    return gp_decode(words);
}

static struct gp_insn fields_of(const struct dis_insn *insn)
{
    return decode_bytes(insn->bytes);
}

/* Decodes the preceding instruction. Returns false for the first instruction. */
static bool find_before(const struct dis_insn *insn, struct gp_insn *before)
{
    if (insn->bytes == insn->slots)
        return false;
    *before = decode_bytes(insn->bytes - GP_INSN_BYTES);
    return true;
}

static uint32_t address_of(const struct dis_insn *insn, unsigned number)
{
    return insn->start + GP_INSN_BYTES * number;
}

static bool target(const struct dis_insn *insn, uint32_t *address)
{
    struct gp_insn fields = fields_of(insn);
    *address = address_of(insn, gp_branch_target(&fields));
    return fields.branch && *address >= insn->start;
}

static bool is_taken(const char *name, size_t length)
{
    (void)name;
    (void)length;
    return false;
}

/* --- text --- */

static const char *label_of(void *user, unsigned number)
{
    const struct dis_insn *insn = user;
    return insn->label_at ? insn->label_at(insn->user, address_of(insn, number)) : NULL;
}

static bool print(char *text, size_t size, const struct dis_insn *insn)
{
    struct dis_insn copy = *insn;
    struct gp_insn fields = fields_of(insn), before;
    uint32_t words[GP_WORDS], words_before[GP_WORDS];
    bool follows = find_before(insn, &before);
    gp_encode(&fields, words);
    if (follows)
        gp_encode(&before, words_before);
    const struct gp_surroundings around = {
        .previous = follows ? words_before : NULL,
        .instructions = (insn->end - insn->start) / GP_INSN_BYTES,
        .label = label_of,
        .user = &copy,
    };
    gp_print_line(text, size, words, &around);
    return true;
}

static void comment(char *text, size_t size, const struct dis_insn *insn)
{
    struct text output = {text, size, 0};
    struct gp_insn fields = fields_of(insn), before;
    bool follows = find_before(insn, &before);
    gp_put_comment(&output, &fields, follows ? &before : NULL);
    gp_put_names(&output, insn->map, &fields);
}

static void put_mesa(struct buffer *out, const struct dis_insn *insn)
{
    struct gp_insn fields = fields_of(insn), before;
    bool follows = find_before(insn, &before);
    gp_put_mesa(out, &fields, follows ? &before : NULL,
                (insn->address - insn->start) / GP_INSN_BYTES);
}

/* --- JSON --- */

static void each_field(const struct dis_insn *insn, dis_field_visitor *visit, void *user)
{
    struct gp_insn fields = fields_of(insn);
    gp_each_field(&fields, visit, user);
}

/* An instruction with its slots, for the JSON writers below. */
struct flow {
    struct json *json;
    struct gp_insn fields, before;
    bool follows;
    struct gp_view views[GP_VIEW_SLOTS];
    size_t count;
};

static void json_operand(const struct flow *flow, const struct gp_view_operand *operand, bool sign)
{
    char name[GP_VIEW_TEXT];
    struct text text = {name, sizeof name, 0};
    text_put(&text, sign && operand->negative ? "-" : "");
    gp_view_put_operand(&text, &flow->fields, flow->follows ? &flow->before : NULL, operand);
    json_string(flow->json, name);
}

/* Returns true if the operand reads a value: the operand is neither the identity nor "unused". */
static bool reads(const struct gp_view_operand *operand)
{
    bool identity = operand->identity && gp_is_identity(operand->source);
    return !identity && operand->source != GP_SRC_UNUSED;
}

static void json_bounds(const struct flow *flow, const struct gp_view *view)
{
    const struct gp_view_operand x = {.source = GP_SRC_ROW_X}, y = {.source = GP_SRC_ROW_Y};
    if (view->unit != GP_UNIT_PASS || view->code != GP_PASS_CLAMP)
        return;
    json_operand(flow, &x, false);
    json_operand(flow, &y, false);
}

static void json_reads(const struct flow *flow)
{
    json_member_array(flow->json, "reads");
    for (size_t i = 0; i < flow->count; i++) {
        for (unsigned k = 0; k < flow->views[i].operand_count; k++)
            if (reads(&flow->views[i].operands[k]))
                json_operand(flow, &flow->views[i].operands[k], false);
        json_bounds(flow, &flow->views[i]);
    }
    json_end_array(flow->json);
}

static void json_place(void *user, const char *place)
{
    json_string(user, place);
}

/* Writes the member "writes": the slots in use, then the destinations of stores, then the address
 * registers that the instruction sets. */
static void json_writes(const struct flow *flow)
{
    json_member_array(flow->json, "writes");
    for (size_t i = 0; i < flow->count; i++)
        json_string(flow->json, flow->views[i].slot);
    for (enum gp_unit unit = GP_UNIT_ACC0; unit <= GP_UNIT_PASS; unit++)
        gp_view_each_store(&flow->fields, unit, json_place, flow->json);
    unsigned addresses = gp_addresses_set(&flow->fields);
    for (unsigned n = 0; addresses >> n; n++)
        if (addresses >> n & 1)
            json_string(flow->json, gp_complex_ops[GP_COMPLEX_ADDR0 + n].mnemonic);
    json_end_array(flow->json);
}

static void json_slot(const struct flow *flow, const struct gp_view *view)
{
    struct json *json = flow->json;
    json_begin_object(json);
    json_member_string(json, "slot", view->slot);
    json_member_string(json, "operation", view->move ? "mov" : view->operation);
    json_member_uint(json, "code", view->code);
    json_member_array(json, "operands");
    for (unsigned k = 0; k < view->operand_count - (view->move && view->operand_count > 1); k++)
        json_operand(flow, &view->operands[k], true);
    json_bounds(flow, view);
    json_end_array(json);
    json_member_bool(json, "negated", view->negative);
    json_member_array(json, "stores");
    gp_view_each_store(&flow->fields, view->unit, json_place, json);
    json_end_array(json);
    json_end_object(json);
}

static void json_flow(struct json *json, const struct dis_insn *insn)
{
    struct flow flow = {.json = json, .fields = fields_of(insn)};
    flow.follows = find_before(insn, &flow.before);
    flow.count = gp_view_slots(&flow.fields, flow.views);
    json_reads(&flow);
    json_writes(&flow);
    json_member_array(json, "slots");
    for (size_t i = 0; i < flow.count; i++)
        json_slot(&flow, &flow.views[i]);
    json_end_array(json);
}

const struct dis_isa gp_dis = {
    .name = "gp",
    .size = GP_INSN_BYTES,
    .alignment = GP_INSN_BYTES,
    .only_code = true,
    .target = target,
    .is_taken = is_taken,
    .print = print,
    .comment = comment,
    .find_directives = gp_find_directives,
    .each_field = each_field,
    .json_flow = json_flow,
    .put_mesa = put_mesa,
};
