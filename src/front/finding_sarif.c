/* SPDX-License-Identifier: MIT */
/* finding_sarif.c - writes findings as a SARIF 2.1.0 log. Columns are in UTF-16 code units, as the
 * property columnKind declares.
 *
 * An error that prevents the check of a file is a result, so that viewers show the error. It also
 * makes the invocation unsuccessful. Errors in files and options are also notifications (sections
 * 3.20.21 and 3.20.22).
 *
 * Source: SARIF 2.1.0, in the sections that the functions name. */
#include <inttypes.h>
#include <string.h>

#include <tessera/finding.h>

#include "front/finding_private.h"
#include "front/report.h"
#include "front/utf8.h"

enum { EXECUTION, CONFIGURATION };

static void member(FILE *stream, const char *before, const char *key, const char *text)
{
    fprintf(stream, "%s\"%s\": ", before, key);
    report_json_text(stream, text);
}

/* --- rules: those of the checker, or findings of a run --- */

enum { PAGE_BYTES = 128 };

struct descriptor {
    const char *id, *title, *why, *instead, *source;
    enum tess_check_level level;
    char page[PAGE_BYTES];
};

/* Returns the page that describes a rule. A rule of several machines is on the page of the first of
 * these machines. */
static const char *page_of(const struct tess_check_rule *rule)
{
    if (rule->machines >> TESS_MACHINE_QPU & 1)
        return "isa/qpu-rules.md";
    return rule->machines >> TESS_MACHINE_GP & 1 ? "isa/gp-rules.md" : "isa/a2xx-rules.md";
}

static void describe_rule(const struct tess_check_rule *rule, struct descriptor *to)
{
    *to = (struct descriptor){.id = rule->id,
                              .title = rule->title,
                              .why = rule->why,
                              .instead = rule->instead,
                              .source = rule->source,
                              .level = rule->level};
    snprintf(to->page, sizeof to->page, "%s#%s", page_of(rule), rule->id);
}

static void describe_finding(const struct tess_rule *rule, struct descriptor *to)
{
    static const struct {
        const char *before, *after;
    } pages[] = {
        [TESS_RULE_VC4] = {"findings/", ".md"},
        [TESS_RULE_PI] = {"pi-findings.md#", ""},
        [TESS_RULE_GP] = {"utgard/findings/", ".md"},
        [TESS_RULE_A2XX] = {"a2xx/findings/", ".md"},
    };
    *to = (struct descriptor){.id = rule->id,
                              .title = rule->title,
                              .why = rule->hardware,
                              .instead = rule->instead,
                              .source = rule->source,
                              .level = (enum tess_check_level)(rule->severity + 1)};
    snprintf(to->page, sizeof to->page, "%s%s%s", pages[rule->of].before, rule->id,
             pages[rule->of].after);
}

/* Machines whose rules and findings a log describes: bits 1 << enum tess_machine. */
struct scope {
    uint32_t rules, findings;
};

/* Machine by model of findings. */
static const enum tess_machine machine_of[] = {
    [TESS_RULE_VC4] = TESS_MACHINE_QPU,
    [TESS_RULE_PI] = TESS_MACHINE_QPU,
    [TESS_RULE_GP] = TESS_MACHINE_GP,
    [TESS_RULE_A2XX] = TESS_MACHINE_A2XX,
};

/* Sets *to to descriptor number `at` of a scope. Returns false after the last. */
static bool get_descriptor(const struct scope *scope, size_t at, struct descriptor *to)
{
    for (size_t i = 0; i < tess_check_rule_count(); i++) {
        const struct tess_check_rule *rule = tess_check_rule_get(i);
        if (!(rule->machines & scope->rules) || at-- > 0)
            continue;
        describe_rule(rule, to);
        return true;
    }
    for (size_t i = 0; i < tess_rule_count(); i++) {
        const struct tess_rule *rule = tess_rule_get(i);
        if (!(scope->findings >> machine_of[rule->of] & 1) || at-- > 0)
            continue;
        describe_finding(rule, to);
        return true;
    }
    return false;
}

/* Writes a reportingDescriptor (3.49). */
static void put_descriptor(FILE *stream, const struct descriptor *rule)
{
    bool off = rule->level == TESS_CHECK_OFF;
    member(stream, "{", "id", rule->id);
    member(stream, ", \"shortDescription\": {", "text", rule->title);
    member(stream, "}, \"fullDescription\": {", "text", rule->why);
    member(stream, "}, \"help\": {", "text", rule->instead);
    fprintf(stream, "}, \"helpUri\": \"%s/%s\"", TESS_DOCS_URL, rule->page);
    fprintf(stream, ", \"defaultConfiguration\": {\"enabled\": %s, \"level\": \"%s\"}",
            off ? "false" : "true", off ? "none" : finding_level_name(rule->level));
    member(stream, ", \"properties\": {", "source", rule->source);
    fprintf(stream, "}}");
}

static void put_head(FILE *stream, const char *tool, const struct scope *scope, const char *only)
{
    struct descriptor rule;
    const char *before = "";
    fprintf(
        stream,
        "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", "
        "\"runs\": [{\n\"tool\": {\"driver\": {\"name\": \"%s\", \"version\": \"%s\", "
        "\"semanticVersion\": \"%s\", \"informationUri\": \"%s/check.md\", \"rules\": [",
        tool, tess_version(), tess_version(), TESS_DOCS_URL);
    for (size_t at = 0; get_descriptor(scope, at, &rule); at++) {
        if (only && strcmp(rule.id, only) != 0)
            continue;
        fprintf(stream, "%s\n  ", before);
        put_descriptor(stream, &rule);
        before = ",";
    }
    fprintf(stream, "\n]}},\n\"columnKind\": \"utf16CodeUnits\",\n\"results\": [");
}

void finding_log_rules(FILE *stream, const char *tool, uint32_t machines,
                       const struct tess_check_rule *only)
{
    put_head(stream, tool, &(struct scope){.rules = machines}, only ? only->id : NULL);
    fprintf(stream, "]\n}]}\n");
}

static struct scope scope_of(const struct finding_log *log)
{
    return (struct scope){log->machines, log->models};
}

/* Writes the index of a rule in the list of rules, if the list contains it. */
static void put_index(const struct finding_log *log, const char *id)
{
    const struct scope scope = scope_of(log);
    struct descriptor rule;
    for (size_t at = 0; get_descriptor(&scope, at, &rule); at++) {
        if (strcmp(rule.id, id) != 0)
            continue;
        fprintf(log->stream, ", \"ruleIndex\": %zu", at);
        return;
    }
}

/* --- places --- */

/* Writes a path as a URI reference (3.4), with special characters escaped. */
static void put_uri(FILE *stream, const char *path)
{
    fprintf(stream, path[0] == '/' ? "\"file://" : "\"");
    for (const unsigned char *at = (const unsigned char *)path; *at; at++) {
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                     (*at >= '0' && *at <= '9') || strchr("-._~/", *at);
        fprintf(stream, plain ? "%c" : "%%%02X", *at);
    }
    fputc('"', stream);
}

static uint32_t units(const struct finding_place *place, uint32_t column)
{
    return place->source_line ? (uint32_t)utf8_utf16_units(place->source_line, column - 1) + 1
                              : column;
}

/* Writes a region (3.30). endColumn is the column after the region. */
static void put_region(FILE *stream, const struct finding_place *place)
{
    uint32_t end = finding_end_column(place);
    fprintf(stream, ", \"region\": {\"startLine\": %" PRIu32, place->line);
    if (place->column)
        fprintf(stream, ", \"startColumn\": %" PRIu32, units(place, place->column));
    if (end)
        fprintf(stream, ", \"endColumn\": %" PRIu32, units(place, end));
    fputc('}', stream);
}

/* Writes a location (3.28). */
static void put_place(const struct finding_log *log, FILE *stream,
                      const struct finding_place *place)
{
    const char *file = place->file ? place->file : log->file;
    fprintf(stream, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
    put_uri(stream, file ? file : "program");
    fputc('}', stream);
    if (place->line)
        put_region(stream, place);
    if (place->has_address)
        fprintf(stream,
                ", \"address\": {\"absoluteAddress\": %" PRIu32 ", \"length\": %" PRIu32
                ", \"kind\": \"instruction\"}",
                place->address, place->bytes);
    fputc('}', stream);
}

/* --- results --- */

static void put_related(const struct finding_log *log, const struct finding *finding)
{
    FILE *stream = log->stream;
    for (unsigned i = 0; i < finding->related_count; i++) {
        const char *note = finding->related[i].note;
        fprintf(stream, "%s{\"id\": %u, ", i ? ", " : ", \"relatedLocations\": [", i + 1);
        put_place(log, stream, &finding->related[i]);
        member(stream, ", \"message\": {", "text", note ? note : "the other instruction");
        fprintf(stream, "}}");
    }
    if (finding->related_count)
        fputc(']', stream);
}

/* Writes a notification (3.58). */
static void put_notification(struct finding_log *log, const struct finding *finding)
{
    unsigned number = finding->cause == FINDING_OPTIONS ? CONFIGURATION : EXECUTION;
    FILE *stream = finding_later(log, number);
    if (!stream)
        return;
    fprintf(stream, log->later_count[number]++ ? ",\n  {" : "\n  {");
    member(stream, "\"descriptor\": {", "id", finding->rule ? finding->rule : "unknown");
    fprintf(stream, "}, \"level\": \"%s\"", finding_level_name(finding->level));
    member(stream, ", \"message\": {", "text", finding->text ? finding->text : "");
    fprintf(stream, "}, \"locations\": [{");
    put_place(log, stream, &finding->place);
    fprintf(stream, "}]}");
}

/* Writes a result (3.27). */
static void add(struct finding_log *log, const struct finding *finding)
{
    FILE *stream = log->stream;
    const char *rule = finding->rule ? finding->rule : "unknown";
    member(stream, log->count ? ",\n  {" : "\n  {", "ruleId", rule);
    put_index(log, rule);
    fprintf(stream, ", \"level\": \"%s\"", finding_level_name(finding->level));
    member(stream, ", \"message\": {", "text", finding->text ? finding->text : "");
    fprintf(stream, "}, \"locations\": [{");
    put_place(log, stream, &finding->place);
    fprintf(stream, "}]");
    put_related(log, finding);
    if (finding->distance || finding->hint) {
        fprintf(stream, ", \"properties\": {");
        if (finding->distance)
            fprintf(stream, "\"distance\": %" PRIu32, finding->distance);
        if (finding->hint)
            member(stream, finding->distance ? ", " : "", "instead", finding->hint);
        fputc('}', stream);
    }
    fputc('}', stream);
    if (finding->cause != FINDING_PROGRAM)
        put_notification(log, finding);
}

/* --- the log --- */

static void begin(struct finding_log *log)
{
    const struct scope scope = scope_of(log);
    put_head(log->stream, log->tool, &scope, NULL);
}

/* Writes an invocation (3.20). */
static void end(struct finding_log *log, bool complete, int exit_status)
{
    static const char *const names[] = {[EXECUTION] = "toolExecutionNotifications",
                                        [CONFIGURATION] = "toolConfigurationNotifications"};
    FILE *stream = log->stream;
    fprintf(stream, "\n],\n\"invocations\": [{\"executionSuccessful\": %s, \"exitCode\": %d",
            complete ? "true" : "false", exit_status);
    for (unsigned i = 0; i < 2; i++) {
        if (log->later_count[i] == 0)
            continue;
        fprintf(stream, ", \"%s\": [", names[i]);
        finding_put_later(log, i);
        fprintf(stream, "\n]");
    }
    fprintf(stream, "}]\n}]}\n");
}

const struct finding_writer finding_sarif = {.begin = begin, .add = add, .end = end};
