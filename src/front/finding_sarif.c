/* SPDX-License-Identifier: MIT */
/* finding_sarif.c - writes findings as a SARIF 2.1.0 log. Columns are in UTF-16 code units, as the
 * property columnKind declares.
 *
 * An error that prevents the check of a file is a result, so that viewers show the error. It also
 * makes the invocation unsuccessful. Errors in files and options are also notifications (sections
 * 3.20.21 and 3.20.22).
 *
 * Source: SARIF 2.1.0, in the sections that the functions name. */
#include <stdio.h>
#include <string.h>

#include <tessera/finding.h>

#include "base/ascii.h"
#include "base/buffer.h"
#include "base/utf8.h"
#include "front/finding_private.h"
#include "front/policy.h"

enum { EXECUTION, CONFIGURATION };

/* Writes an object with one text. */
static void message(struct json *json, const char *key, const char *name, const char *text)
{
    json_member_object(json, key);
    json_member_string(json, name, text);
    json_end_object(json);
}

/* --- rules: those of the checker, or findings of a run --- */

void finding_page(char page[FINDING_PAGE], const struct tess_rule *rule)
{
    static const char *const of_checks[] = {
#define MACHINE(NAME, name, extension, prefix, MODEL) [TESS_MACHINE_##NAME] = "isa/" name "-rules",
#include "isa/machines.def"
    };
    static const struct {
        const char *before, *after;
    } of_runs[] = {
        [TESS_RULE_VC4] = {"findings/", ".md"},
        [TESS_RULE_PI] = {"pi-findings.md#", ""},
        [TESS_RULE_GP] = {"utgard/findings/", ".md"},
        [TESS_RULE_A2XX] = {"a2xx/findings/", ".md"},
    };
    if (rule->of == TESS_RULE_CHECK)
        snprintf(page, FINDING_PAGE, "%s.md#%s", of_checks[__builtin_ctz(rule->machines)],
                 rule->id);
    else
        snprintf(page, FINDING_PAGE, "%s%s%s", of_runs[rule->of].before, rule->id,
                 of_runs[rule->of].after);
}

/* Machines whose rules and findings a log describes: bits 1 << enum tess_machine. */
struct scope {
    uint32_t rules, findings;
};

static bool is_in(const struct scope *scope, const struct tess_rule *rule)
{
    return rule->machines & (rule->of == TESS_RULE_CHECK ? scope->rules : scope->findings);
}

/* Writes a reportingDescriptor (3.49). */
static void put_descriptor(struct json *json, const struct tess_rule *rule)
{
    bool off = rule->level == TESS_OFF;
    char page[FINDING_PAGE], uri[sizeof TESS_DOCS_URL + FINDING_PAGE + 1];
    finding_page(page, rule);
    snprintf(uri, sizeof uri, "%s/%s", TESS_DOCS_URL, page);
    json_begin_object(json);
    json_member_string(json, "id", rule->id);
    message(json, "shortDescription", "text", rule->title);
    message(json, "fullDescription", "text", rule->why);
    message(json, "help", "text", rule->instead);
    json_member_string(json, "helpUri", uri);
    json_member_object(json, "defaultConfiguration");
    json_member_bool(json, "enabled", !off);
    json_member_string(json, "level", off ? "none" : policy_level_name(rule->level));
    json_end_object(json);
    message(json, "properties", "source", rule->source);
    json_end_object(json);
}

/* Writes the tool (3.18), with the rules of a scope, or only one of them. */
static void put_tool(struct json *json, const char *tool, const struct scope *scope,
                     const struct tess_rule *only)
{
    const struct tess_rule *rule;
    json_member_object(json, "tool");
    json_member_object(json, "driver");
    json_member_string(json, "name", tool);
    json_member_string(json, "version", tess_version());
    json_member_string(json, "semanticVersion", tess_version());
    json_member_string(json, "informationUri", TESS_DOCS_URL "/check.md");
    json_key(json, "rules");
    json_begin_array_rows(json);
    for (size_t i = 0; (rule = tess_rule_get(i)) != NULL; i++)
        if (only ? rule == only : is_in(scope, rule))
            put_descriptor(json, rule);
    json_end_array(json);
    json_end_object(json);
    json_end_object(json);
}

/* Writes the members before the results. */
static void put_head(struct json *json, const char *tool, const struct scope *scope,
                     const struct tess_rule *only)
{
    json_begin_object(json);
    json_member_string(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_member_string(json, "version", "2.1.0");
    json_member_array(json, "runs");
    json_begin_object_rows(json);
    put_tool(json, tool, scope, only);
    json_member_string(json, "columnKind", "utf16CodeUnits");
    json_key(json, "results");
}

static void put_end(struct json *json)
{
    json_end_object(json);
    json_end_array(json);
    json_end_object(json);
}

void finding_log_rules(FILE *stream, const char *tool, uint32_t machines,
                       const struct tess_rule *only)
{
    struct json json = {.stream = stream, .flow = true};
    put_head(&json, tool, &(struct scope){.rules = machines}, only);
    json_begin_array(&json);
    json_end_array(&json);
    put_end(&json);
}

static struct scope scope_of(const struct finding_log *log)
{
    return (struct scope){log->machines, log->models};
}

/* Writes the index of a rule in the list of rules, if the list contains it. */
static void put_index(struct finding_log *log, const char *id)
{
    const struct scope scope = scope_of(log);
    const struct tess_rule *rule;
    for (size_t i = 0, at = 0; (rule = tess_rule_get(i)) != NULL; i++) {
        if (!is_in(&scope, rule))
            continue;
        if (strcmp(rule->id, id) == 0) {
            json_member_uint(&log->json, "ruleIndex", at);
            return;
        }
        at++;
    }
}

/* --- places --- */

/* Writes a path as a URI reference (3.4), with special characters escaped. */
static void put_uri(struct finding_log *log, struct json *json, const char *path)
{
    struct buffer uri = {0};
    buffer_printf(&uri, "%s", path[0] == '/' ? "file://" : "");
    for (const unsigned char *at = (const unsigned char *)path; *at; at++) {
        bool plain = ascii_in_name((char)*at) || strchr("-.~/", *at);
        buffer_printf(&uri, plain ? "%c" : "%%%02X", *at);
    }
    buffer_byte(&uri, 0);
    log->no_memory |= uri.failed;
    json_member_string(json, "uri", uri.failed ? "program" : (const char *)uri.data);
    buffer_free(&uri);
}

static uint32_t units(const struct finding_place *place, uint32_t column)
{
    return place->source_line ? (uint32_t)utf8_utf16_units(place->source_line, column - 1) + 1
                              : column;
}

/* Writes a region (3.30). endColumn is the column after the region. */
static void put_region(struct json *json, const struct finding_place *place)
{
    uint32_t end = finding_end_column(place);
    json_member_object(json, "region");
    json_member_uint(json, "startLine", place->line);
    if (place->column)
        json_member_uint(json, "startColumn", units(place, place->column));
    if (end)
        json_member_uint(json, "endColumn", units(place, end));
    json_end_object(json);
}

/* Writes the physical location of a location (3.28). */
static void put_place(struct finding_log *log, struct json *json, const struct finding_place *place)
{
    const char *file = place->file ? place->file : log->file;
    json_member_object(json, "physicalLocation");
    json_member_object(json, "artifactLocation");
    put_uri(log, json, file ? file : "program");
    json_end_object(json);
    if (place->line)
        put_region(json, place);
    if (place->has_address) {
        json_member_object(json, "address");
        json_member_uint(json, "absoluteAddress", place->address);
        json_member_uint(json, "length", place->bytes);
        json_member_string(json, "kind", "instruction");
        json_end_object(json);
    }
    json_end_object(json);
}

/* Writes the message and the place of a result or a notification. */
static void put_message(struct finding_log *log, struct json *json, const struct finding *finding)
{
    json_member_string(json, "level", policy_level_name(finding->level));
    message(json, "message", "text", finding->text ? finding->text : "");
    json_member_array(json, "locations");
    json_begin_object(json);
    put_place(log, json, &finding->place);
    json_end_object(json);
    json_end_array(json);
}

/* --- results --- */

static void put_related(struct finding_log *log, const struct finding *finding)
{
    struct json *json = &log->json;
    if (!finding->related_count)
        return;
    json_member_array(json, "relatedLocations");
    for (unsigned i = 0; i < finding->related_count; i++) {
        const char *note = finding->related[i].note;
        json_begin_object(json);
        json_member_uint(json, "id", i + 1);
        put_place(log, json, &finding->related[i]);
        message(json, "message", "text", note ? note : "the other instruction");
        json_end_object(json);
    }
    json_end_array(json);
}

/* Writes a notification (3.58) to the array that end() adds to the invocation. */
static void put_notification(struct finding_log *log, const struct finding *finding)
{
    struct finding_notes *notes =
        &log->notes[finding->cause == FINDING_OPTIONS ? CONFIGURATION : EXECUTION];
    struct json *json = &notes->json;
    if (!json->out) {
        *json = (struct json){.out = &notes->text, .flow = true};
        json_begin_array_rows(json);
    }
    json_begin_object(json);
    message(json, "descriptor", "id", finding->rule ? finding->rule : "unknown");
    put_message(log, json, finding);
    json_end_object(json);
}

/* Writes a result (3.27). */
static void add(struct finding_log *log, const struct finding *finding)
{
    struct json *json = &log->json;
    const char *rule = finding->rule ? finding->rule : "unknown";
    json_begin_object(json);
    json_member_string(json, "ruleId", rule);
    put_index(log, rule);
    put_message(log, json, finding);
    put_related(log, finding);
    if (finding->distance || finding->hint) {
        json_member_object(json, "properties");
        if (finding->distance)
            json_member_uint(json, "distance", finding->distance);
        json_member_text(json, "instead", finding->hint);
        json_end_object(json);
    }
    json_end_object(json);
    if (finding->cause != FINDING_PROGRAM)
        put_notification(log, finding);
}

/* --- the log --- */

static void begin(struct finding_log *log)
{
    const struct scope scope = scope_of(log);
    log->json = (struct json){.stream = log->stream, .flow = true};
    put_head(&log->json, log->tool, &scope, NULL);
    json_begin_array_rows(&log->json);
}

/* Writes the notifications that were collected. */
static void put_notes(struct finding_log *log, struct finding_notes *notes, const char *key)
{
    if (!notes->json.out)
        return;
    json_end_array(&notes->json);
    log->no_memory |= notes->text.failed;
    if (!notes->text.failed) {
        json_key(&log->json, key);
        json_raw(&log->json, notes->text.data, notes->text.size - 1); /* without the line feed */
    }
    buffer_free(&notes->text);
}

/* Writes an invocation (3.20). */
static void end(struct finding_log *log, bool complete, int exit_status)
{
    struct json *json = &log->json;
    json_end_array(json);
    json_member_array(json, "invocations");
    json_begin_object(json);
    json_member_bool(json, "executionSuccessful", complete);
    json_member_int(json, "exitCode", exit_status);
    put_notes(log, &log->notes[EXECUTION], "toolExecutionNotifications");
    put_notes(log, &log->notes[CONFIGURATION], "toolConfigurationNotifications");
    json_end_object(json);
    json_end_array(json);
    put_end(json);
}

const struct finding_writer finding_sarif = {.begin = begin, .add = add, .end = end};
