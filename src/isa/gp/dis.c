/* SPDX-License-Identifier: MIT */
/* dis.c - the GP's side of the disassembler of whole files.
 *
 * In:     an instruction where it lies; the lines of an interface.
 * Out:    what print.c, explain.c and mesa.c say of it; its slots as JSON; the directives that give the interface.
 * Source: digest utgard.md, section 10: a branch goes to an instruction's number, a program ends behind its last
 *         instruction. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "isa/dis_map.h"
#include "isa/gp/directives.h"
#include "isa/gp/explain.h"
#include "isa/gp/mesa.h"
#include "isa/gp/print.h"
#include "isa/gp/view.h"

enum { STEP_WORDS = 7, DIRECTIVE_MAX = 512 };

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

/* The instruction in front. False if there is none. */
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

static void put_data_reason(char *text, size_t size, const struct dis_insn *insn)
{
    (void)insn;
    if (size)
        text[0] = 0;
}

static void comment(char *text, size_t size, const struct dis_insn *insn)
{
    struct text output = {text, size, 0};
    struct gp_insn fields = fields_of(insn), before;
    bool follows = find_before(insn, &before);
    gp_put_comment(&output, &fields, follows ? &before : NULL);
}

static void explain(char *text, size_t size, const struct dis_insn *insn)
{
    struct text output = {text, size, 0};
    struct gp_insn fields = fields_of(insn), before;
    bool follows = find_before(insn, &before);
    gp_put_fields(&output, &fields);
    text_put(&output, "\n");
    gp_put_comment(&output, &fields, follows ? &before : NULL);
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

/* What the functions below write from. */
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

/* Whether an operand reads something: no identity, no hole. */
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
    json_key(flow->json, "reads");
    json_begin_array(flow->json);
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

/* Results, then where they are stored; address registers. */
static void json_writes(const struct flow *flow)
{
    json_key(flow->json, "writes");
    json_begin_array(flow->json);
    for (size_t i = 0; i < flow->count; i++)
        json_string(flow->json, flow->views[i].slot);
    for (enum gp_unit unit = GP_UNIT_ACC0; unit <= GP_UNIT_PASS; unit++)
        gp_view_each_store(&flow->fields, unit, json_place, flow->json);
    unsigned op = flow->fields.complex_op;
    if (op == GP_COMPLEX_ADDR01) {
        json_string(flow->json, "addr0");
        json_string(flow->json, "addr1");
    } else if (op >= GP_COMPLEX_ADDR0 && flow->fields.complex_src != GP_SRC_UNUSED) {
        json_string(flow->json, gp_complex_ops[op].mnemonic);
    }
    json_end_array(flow->json);
}

static void json_slot(const struct flow *flow, const struct gp_view *view)
{
    struct json *json = flow->json;
    json_begin_object(json);
    json_key(json, "slot");
    json_string(json, view->slot);
    json_key(json, "operation");
    json_string(json, view->move ? "mov" : view->operation);
    json_key(json, "code");
    json_uint(json, view->code);
    json_key(json, "operands");
    json_begin_array(json);
    for (unsigned k = 0; k < view->operand_count - (view->move && view->operand_count > 1); k++)
        json_operand(flow, &view->operands[k], true);
    json_bounds(flow, view);
    json_end_array(json);
    json_key(json, "negated");
    json_bool(json, view->negative);
    json_key(json, "stores");
    json_begin_array(json);
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
    json_key(json, "slots");
    json_begin_array(json);
    for (size_t i = 0; i < flow.count; i++)
        json_slot(&flow, &flow.views[i]);
    json_end_array(json);
}

/* --- the interface --- */

/* A line of the interface, cut into words. */
struct step {
    char text[DIRECTIVE_MAX], *words[STEP_WORDS];
    size_t count;
};

static bool split(struct step *step, const struct dis_step *line)
{
    if (line->length >= sizeof step->text)
        return false;
    memcpy(step->text, line->text, line->length);
    step->text[line->length] = 0;
    step->count = 0;
    for (char *word = step->text; word; word = strchr(word, ' ')) {
        if (step->count == STEP_WORDS)
            return false;
        if (step->count)
            *word++ = 0;
        step->words[step->count++] = word;
    }
    return step->count > 1;
}

/* A number that the assembler reads back, unless it is infinite or none. */
static void put_value(struct text *out, const char *bits)
{
    float value = bits_float((uint32_t)strtoul(bits, NULL, 0));
    bool minus_zero = value == 0 && float_bits(value) != 0;
    text_put(out, minus_zero ? ", -0.0" : ", %.9g", (double)value);
}

/* The directive in one of its forms, from the shortest one up. False behind the last one. */
static bool write_form(const struct step *step, unsigned form, char text[DIRECTIVE_MAX])
{
    struct text out = {text, DIRECTIVE_MAX, 0};
    char *const *words = step->words;
    bool constant = step->count == STEP_WORDS, rows = step->count == 4;
    bool port = rows && (words[0][0] == 'a' || words[0][0] == 'v');
    text_put(&out, ".%s %s", words[0], words[1]);
    if (constant && form < 4) {
        for (unsigned i = 0; i <= form; i++)
            put_value(&out, words[3 + i]);
        return true;
    }
    if (!rows || form > 2)
        return false;
    if (port)
        text_put(&out, form ? ", %s, %s" : ", %s", words[2], words[3]);
    else if (form)
        text_put(&out, form > 1 ? ", %s, %s" : ", %s", words[3], words[2]);
    return true;
}

static bool no_symbol(void *user, const char *name, size_t length, bool only_labels,
                      struct asm_value *value)
{
    (void)user;
    (void)name;
    (void)length;
    (void)only_labels;
    (void)value;
    return false;
}

static bool no_label(void *user, const char *name, size_t length, enum asm_which which,
                     struct asm_value *value)
{
    (void)user;
    (void)name;
    (void)length;
    (void)which;
    (void)value;
    return false;
}

static void ignore_definition(const struct asm_directive *directive, size_t offset, size_t length,
                              int64_t value)
{
    (void)directive;
    (void)offset;
    (void)length;
    (void)value;
}

/* Whether the assembler makes this line of the directive, and then who owns what. */
static bool gives(const char *text, const struct dis_step *line, struct gp_owners *owners)
{
    static const struct asm_names names = {.lookup = no_symbol, .numbered = no_label};
    struct gp_owners after = *owners;
    struct buffer lines = {0};
    struct asm_error error;
    const size_t length = strlen(text), name_length = strcspn(text + 1, " ");
    const struct asm_directive directive = {.text = text,
                                            .length = length,
                                            .name = text + 1,
                                            .name_length = name_length,
                                            .at = 1 + name_length,
                                            .lines = &lines,
                                            .names = &names,
                                            .define = ignore_definition};
    bool same = gp_directive(&after, &directive, &error) == ASM_TAKEN && !lines.failed &&
                lines.size == line->length + 1 && memcmp(lines.data, line->text, line->length) == 0;
    buffer_free(&lines);
    if (same)
        *owners = after;
    return same;
}

/* The number that a line gives its name: of a port, or the first row. */
static uint32_t number_of(const struct step *step)
{
    return (uint32_t)strtoul(step->words[2], NULL, 10);
}

/* Names are symbols of the file, too: those with the same value come with the directive. Others, and labels, are in its
 * way. */
static bool take_name(struct dis_map *map, const struct step *step)
{
    const char *name = step->words[1];
    for (size_t i = 0; i < map->label_count; i++)
        if (strcmp(map->labels[i].name, name) == 0)
            return false;
    for (size_t i = 0; i < map->constant_count; i++) {
        struct dis_label *constant = &map->constants[i];
        if (strcmp(constant->name, name) != 0)
            continue;
        if (constant->directive || constant->address != number_of(step))
            return false;
        constant->directive = true;
    }
    return true;
}

static bool is_repeated(const struct dis_map *map, size_t number, const char *name)
{
    for (size_t i = 0; i < number; i++) {
        const char *directive = map->steps[i].directive;
        const char *other = directive ? strchr(directive, ' ') + 1 : "";
        size_t length = strlen(name);
        if (strncmp(other, name, length) == 0 && (other[length] == ',' || !other[length]))
            return true;
    }
    return false;
}

static bool find_directive(struct dis_map *map, size_t number, struct gp_owners *owners)
{
    struct dis_step *line = &map->steps[number];
    struct step step;
    char text[DIRECTIVE_MAX];
    bool found = false;
    if (!split(&step, line) || is_repeated(map, number, step.words[1]))
        return true;
    struct gp_owners after = *owners;
    for (unsigned form = 0; !found && write_form(&step, form, text); form++)
        found = gives(text, line, &after);
    if (!found || !take_name(map, &step))
        return true;
    *owners = after;
    line->directive = malloc(strlen(text) + 1);
    if (line->directive)
        strcpy(line->directive, text);
    return line->directive != NULL;
}

static bool find_directives(struct dis_map *map)
{
    struct gp_owners owners = {0};
    for (size_t i = 0; i < map->step_count; i++)
        if (!find_directive(map, i, &owners))
            return false;
    return true;
}

const struct dis_isa gp_dis = {
    .name = "gp",
    .size = GP_INSN_BYTES,
    .alignment = GP_INSN_BYTES,
    .only_code = true,
    .target = target,
    .is_taken = is_taken,
    .print = print,
    .put_data_reason = put_data_reason,
    .explain = explain,
    .comment = comment,
    .find_directives = find_directives,
    .each_field = each_field,
    .json_flow = json_flow,
    .put_mesa = put_mesa,
};
