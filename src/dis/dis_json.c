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
    json_key(json, "name");
    json_string(json, field->name);
    json_key(json, "high");
    json_uint(json, field->high);
    json_key(json, "low");
    json_uint(json, field->low);
    json_key(json, "value");
    json_uint(json, field->value);
    json_key(json, "meaning");
    json_string(json, field->meaning);
    json_end_object(json);
}

static void json_words(struct json *json, const struct dis_item *item)
{
    char number[DIS_WORDS_MAX];
    json_key(json, "words");
    json_begin_array(json);
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
    json_key(&dis->json, "target");
    json_begin_object(&dis->json);
    json_key(&dis->json, "address");
    json_hex(&dis->json, target, 8);
    json_key(&dis->json, "label");
    json_string(&dis->json, dis_label_at(&dis->map, target));
    json_end_object(&dis->json);
}

static void json_text(struct dis *dis, const struct dis_insn *insn)
{
    char line[DIS_LINE_MAX], reason[DIS_LINE_MAX];
    bool exact = dis->isa->print(line, sizeof line, insn);
    json_key(&dis->json, "text");
    json_string(&dis->json, line);
    json_key(&dis->json, "reassembles");
    json_boolean(&dis->json, exact);
    if (exact)
        return;
    dis->isa->put_reason(reason, sizeof reason, insn);
    json_key(&dis->json, "reason");
    json_string(&dis->json, reason);
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
    json_key(&dis->json, "before");
    json_begin_array(&dis->json);
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
    json_key(&dis->json, "fields");
    json_begin_array(&dis->json);
    dis->isa->each_field(insn, json_field, &dis->json);
    json_end_array(&dis->json);
    dis->isa->comment(comment, sizeof comment, insn);
    json_key(&dis->json, "comment");
    json_string(&dis->json, comment);
}

static void json_source(struct dis *dis, uint32_t address)
{
    const struct code_line *line = code_line_at(dis->map.image, address);
    if (!line)
        return;
    json_key(&dis->json, "source");
    json_begin_object(&dis->json);
    json_key(&dis->json, "file");
    json_string(&dis->json, line->file);
    json_key(&dis->json, "line");
    json_uint(&dis->json, line->line);
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
    json_key(json, "kind");
    json_string(json, kind_of(item));
    json_key(json, "address");
    json_hex(json, item->address, 8);
    json_key(json, "labels");
    json_begin_array(json);
    for (size_t i = 0; i < item->label_count; i++)
        json_string(json, dis->map.labels[item->first_label + i].name);
    json_end_array(json);
    if (item->size)
        json_source(dis, item->address);
    if (item->code)
        json_instruction(dis, item);
    if (!item->code && item->size) {
        json_key(json, "size");
        json_uint(json, item->size);
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
    json_key(json, "constants");
    json_begin_array(json);
    for (size_t i = 0; i < dis->map.constant_count; i++) {
        json_begin_object(json);
        json_key(json, "name");
        json_string(json, dis->map.constants[i].name);
        json_key(json, "value");
        json_uint(json, dis->map.constants[i].address);
        json_end_object(json);
    }
    json_end_array(json);
    json_key(json, "steps");
    json_begin_array(json);
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
    json_key(json, "machine");
    json_string(json, dis->isa->name);
    json_key(json, "input");
    json_string(json, names[dis->map.image->format]);
    json_key(json, "items");
    json_begin_array(json);
    dis_put_all(dis);
    json_end_array(json);
    if (dis->map.image->steps)
        json_scene(dis);
    json_end_object(json);
    buffer_printf(&dis->out, "\n");
}
