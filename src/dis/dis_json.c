/* SPDX-License-Identifier: MIT */
/* dis_json.c - writes the disassembler's output as JSON.
 *
 * In:  items of an image, in order.
 * Out: the document described in docs/dis.md. */
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "dis/dis_private.h"

/* --- items --- */

static void json_field(void *user, const struct dis_field *field)
{
    struct json *json = user;
    json_begin_object(json);
    json_member_string(json, "name", field->name);
    json_member_uint(json, "high", field->high);
    json_member_uint(json, "low", field->low);
    json_member_uint(json, "value", field->value);
    json_member_string(json, "meaning", field->meaning);
    json_end_object(json);
}

static void json_words(struct json *json, const struct dis_item *item)
{
    char number[DIS_WORDS_MAX];
    json_member_array(json, "words");
    if (item->size % 4)
        json_string(json, dis_number_text(number, item->bytes, item->size));
    for (size_t i = 0; item->size % 4 == 0 && i < item->size; i += 4)
        json_hex(json, load_le32(item->bytes + i), 8);
    json_end_array(json);
}

static void json_target(struct dis *dis, const struct dis_insn *insn)
{
    uint32_t target;
    if (!dis->isa->target(insn, &target))
        return;
    json_member_object(&dis->json, "target");
    json_member_hex(&dis->json, "address", target, 8);
    json_member_string(&dis->json, "label", dis_label_at(&dis->map, target));
    json_end_object(&dis->json);
}

static void json_text(struct dis *dis, const struct dis_insn *insn)
{
    char line[DIS_LINE_MAX], reason[DIS_LINE_MAX];
    bool exact = dis->isa->print(line, sizeof line, insn);
    json_member_string(&dis->json, "text", line);
    json_member_bool(&dis->json, "reassembles", exact);
    if (exact)
        return;
    dis->isa->put_reason(reason, sizeof reason, insn);
    json_member_string(&dis->json, "reason", reason);
    dis->isa->json_differences(&dis->json, insn);
}

/* Writes the member "before": the lines that precede a segment's first instruction. */
static void json_head(struct dis *dis, const struct dis_insn *insn)
{
    const struct dis_listing *listings = dis->map.listings;
    struct buffer head = {0};
    if (!dis->isa->put_head || !listings || insn->bytes != insn->slots)
        return;
    dis->isa->put_head(&head, &dis->map, insn->segment);
    buffer_byte(&head, 0);
    json_member_array(&dis->json, "before");
    for (char *line = head.failed ? NULL : (char *)head.data; line && *line;) {
        char *end = strchr(line, '\n');
        *end = 0;
        json_string(&dis->json, line);
        line = end + 1;
    }
    json_end_array(&dis->json);
    dis->out.failed |= head.failed;
    buffer_free(&head);
}

static void json_instruction(struct dis *dis, const struct dis_item *item)
{
    char comment[DIS_TEXT_MAX];
    const struct dis_insn *insn = &item->insn;
    json_head(dis, insn);
    json_words(&dis->json, item);
    json_text(dis, insn);
    dis->isa->json_flow(&dis->json, insn);
    json_target(dis, insn);
    json_member_array(&dis->json, "fields");
    dis->isa->each_field(insn, json_field, &dis->json);
    json_end_array(&dis->json);
    dis->isa->comment(comment, sizeof comment, insn);
    json_member_string(&dis->json, "comment", comment);
}

static void json_source(struct dis *dis, uint32_t address)
{
    const struct code_line *line = code_line_at(dis->map.image, address);
    if (!line)
        return;
    json_member_object(&dis->json, "source");
    json_member_string(&dis->json, "file", line->file);
    json_member_uint(&dis->json, "line", line->line);
    json_end_object(&dis->json);
}

static const char *kind_of(const struct dis_item *item)
{
    if (item->size == 0)
        return "end";
    if (!item->bytes)
        return "space";
    return item->code ? "instruction" : "data";
}

void dis_json_item(struct dis *dis, const struct dis_item *item)
{
    struct json *json = &dis->json;
    json_begin_object(json);
    json_member_string(json, "kind", kind_of(item));
    json_member_hex(json, "address", item->address, 8);
    json_member_array(json, "labels");
    for (size_t i = 0; i < item->label_count; i++)
        json_string(json, dis->map.labels[item->first_label + i].name);
    json_end_array(json);
    if (item->size)
        json_source(dis, item->address);
    if (item->code)
        json_instruction(dis, item);
    if (!item->code && item->size) {
        json_member_uint(json, "size", item->size);
    }
    if (!item->code && item->bytes) {
        json_key(json, "bytes");
        json_bytes(json, item->bytes, item->size);
    }
    json_end_object(json);
}

/* --- the whole document --- */

static void json_step(struct dis *dis, const struct dis_step *step)
{
    char text[DIS_LINE_MAX];
    snprintf(text, sizeof text, "%.*s", (int)step->length, step->text);
    json_string(&dis->json, text);
}

static void json_scene(struct dis *dis)
{
    struct json *json = &dis->json;
    json_member_array(json, "constants");
    for (size_t i = 0; i < dis->map.constant_count; i++) {
        json_begin_object(json);
        json_member_string(json, "name", dis->map.constants[i].name);
        json_member_uint(json, "value", dis->map.constants[i].address);
        json_end_object(json);
    }
    json_end_array(json);
    json_member_array(json, "steps");
    for (size_t i = 0; i < dis->map.step_count; i++)
        json_step(dis, &dis->map.steps[i]);
    json_end_array(json);
}

void dis_json_document(struct dis *dis)
{
    static const char *const names[] = {"auto", "raw", "hex",     "c",
                                        "elf",  "mbs", "listing", "xenos"};
    struct json *json = &dis->json;
    json->out = &dis->out;
    json_begin_object(json);
    json_member_string(json, "machine", dis->isa->name);
    json_member_string(json, "input", names[dis->map.image->format]);
    json_member_array(json, "items");
    dis_put_all(dis);
    json_end_array(json);
    if (dis->map.image->steps)
        json_scene(dis);
    json_end_object(json);
    buffer_printf(&dis->out, "\n");
}
