/* SPDX-License-Identifier: MIT */
/* finding_json.c - writes findings as one JSON document. docs/schema/check.json is its schema. */
#include "front/finding_private.h"
#include "front/policy.h"

static void put_place(struct json *json, const struct finding_place *place)
{
    if (place->has_address)
        json_member_hex(json, "address", place->address, 8);
    json_member_text(json, "file", place->file);
    if (place->line) {
        json_member_uint(json, "line", place->line);
        if (place->column)
            json_member_uint(json, "column", place->column);
        if (finding_end_column(place))
            json_member_uint(json, "end_column", finding_end_column(place));
    }
    json_member_text(json, "instruction", place->instruction);
    json_member_text(json, "disassembly", place->disassembly);
    json_member_text(json, "text", place->note);
}

/* Writes the macro calls and includes that produced the line. */
static void put_context(struct json *json, const struct finding *finding)
{
    unsigned first = finding->has_other;
    if (finding->related_count <= first)
        return;
    json_member_array(json, "context");
    for (unsigned i = first; i < finding->related_count; i++) {
        json_begin_object(json);
        put_place(json, &finding->related[i]);
        json_end_object(json);
    }
    json_end_array(json);
}

static void add(struct finding_log *log, const struct finding *finding)
{
    struct json *json = &log->json;
    json_begin_object(json);
    json_member_string(json, "rule", finding->rule ? finding->rule : "unknown");
    json_member_string(json, "level", policy_level_name(finding->level));
    json_member_text(json, "text", finding->text);
    json_member_text(json, "instead", finding->hint);
    put_place(json, &finding->place);
    if (finding->has_other) {
        json_member_object(json, "other");
        put_place(json, &finding->related[0]);
        json_end_object(json);
    }
    put_context(json, finding);
    if (finding->distance)
        json_member_uint(json, "distance", finding->distance);
    if (finding->has_program)
        json_member_hex(json, "program", finding->program, 8);
    json_member_text(json, "kind", finding->kind);
    json_end_object(json);
}

static void begin(struct finding_log *log)
{
    log->json = (struct json){.stream = log->stream, .flow = true};
    json_begin_object(&log->json);
    json_key(&log->json, "findings");
    json_begin_array_rows(&log->json);
}

static void end(struct finding_log *log, bool complete, int exit_status)
{
    json_end_array(&log->json);
    json_member_bool(&log->json, "complete", complete);
    json_member_int(&log->json, "status", exit_status);
    json_end_object(&log->json);
}

const struct finding_writer finding_json = {.begin = begin, .add = add, .end = end};
