/* SPDX-License-Identifier: MIT */
/* findings.c - fuzz target: the writers of findings in machine-readable formats
 * (src/front/finding_*.c) and of diagnostics as lines (src/front/report.c). The input consists of
 * lines with fields that are separated by "|". json-c must be able to parse JSON and SARIF. Each
 * GitHub annotation must be one line. The XML of JUnit must be well-formed. */
#include <stdint.h>

#include "front/finding_log.h"
#include "front/finding_relay.h"
#include "front/report.h"
#include "json_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FINDINGS = 40, FILES = 4 };

struct fields {
    char *at; /* start of the next field, or NULL after the last field */
};

/* Returns the text of a field, or NULL if the field is empty or missing. */
static char *text(struct fields *fields)
{
    char *start = fields->at, *end = start ? strchr(start, '|') : NULL;
    fields->at = end ? end + 1 : NULL;
    if (end)
        *end = 0;
    return start && *start ? start : NULL;
}

static uint32_t number(struct fields *fields)
{
    const char *digits = text(fields);
    return digits ? (uint32_t)strtoul(digits, NULL, 0) : 0;
}

static struct finding_place read_place(struct fields *fields)
{
    struct finding_place place = {.file = text(fields),
                                  .line = number(fields),
                                  .column = number(fields),
                                  .source_line = text(fields)};
    uint32_t flags = number(fields);
    place.statement = flags & 1;
    place.semicolon_comments = flags & 2;
    place.has_address = flags & 4;
    place.address = place.has_address ? number(fields) : 0;
    place.bytes = flags & 15;
    place.disassembly = text(fields);
    place.instruction = place.disassembly ? "0x00" : NULL;
    return place;
}

static struct finding read_finding(struct fields *fields)
{
    struct finding finding = {.level = (enum tess_level)(number(fields) % 3),
                              .cause = (enum finding_cause)(number(fields) % 3),
                              .rule = text(fields),
                              .text = text(fields),
                              .hint = text(fields),
                              .place = read_place(fields),
                              .distance = number(fields)};
    if (!finding.text)
        finding.text = "";
    finding.has_other = number(fields) & 1;
    finding.related_count = finding.has_other + number(fields) % 3;
    for (unsigned i = 0; i < finding.related_count; i++) {
        finding.related[i] = read_place(fields);
        finding.related[i].note = i < finding.has_other ? NULL : "included here";
    }
    finding.has_program = finding.distance & 1;
    finding.kind = finding.has_program ? "fragment" : NULL;
    return finding;
}

static struct tess_finding read_diag(struct fields *fields)
{
    struct tess_finding diag = {.level = (enum tess_level)(number(fields) % 3),
                                .id = text(fields),
                                .text = text(fields),
                                .hint = text(fields),
                                .file = text(fields),
                                .line = number(fields),
                                .column = number(fields),
                                .source_line = text(fields)};
    struct tess_place *place = &diag.place;
    place->known = number(fields) & 31;
    place->record = number(fields);
    place->shader = number(fields);
    place->pc = number(fields);
    place->instruction = (uint64_t)place->pc * 0x9e3779b97f4a7c15;
    place->qpu = place->pc % 16;
    place->qpus = place->shader & 1 ? place->instruction : 0;
    place->address = place->pc ^ place->shader;
    if (!diag.text)
        diag.text = "";
    return diag;
}

/* --- output --- */

struct output {
    char *text;
    size_t size, count, others;
    struct finding added[FINDINGS];
};

static void check_json(const struct output *output)
{
    struct json_object *document = json_read(output->text, output->size);
    const struct json_object *list = json_member(document, "findings");
    if (json_count(list) != output->count)
        abort();
    for (size_t i = 0; i < output->count; i++) {
        const struct finding *finding = &output->added[i];
        const struct json_object *one = json_object_array_get_idx(list, i);
        json_expect(one, "rule", finding->rule ? finding->rule : "unknown");
        json_expect(one, "text", finding->text);
        json_expect(one, "instead", finding->hint);
        json_expect(one, "file", finding->place.file);
    }
    json_object_put(document);
}

static void check_sarif(const struct output *output)
{
    struct json_object *document = json_read(output->text, output->size);
    const struct json_object *runs = json_member(document, "runs"),
                             *run = json_object_array_get_idx(runs, 0);
    const struct json_object *list = json_member(run, "results");
    if (json_count(list) != output->count)
        abort();
    for (size_t i = 0; i < output->count; i++)
        json_expect(json_member(json_object_array_get_idx(list, i), "message"), "text",
                    output->added[i].text);
    json_object_put(document);
}

static void check_github(const struct output *output)
{
    size_t lines = 0;
    for (const char *at = output->text; at < output->text + output->size; lines++) {
        if (strncmp(at, "::", 2) != 0 || !strstr(at + 2, "::"))
            abort();
        at = strchr(at, '\n') + 1;
    }
    if (lines != output->count)
        abort();
}

/* Returns the end of the tag that begins at `at`. Ends the process if the tag's quotes are not
 * closed. */
static const char *end_of_tag(const char *at)
{
    bool quoted = false;
    for (; *at && (quoted || *at != '>'); at++) {
        quoted ^= *at == '"';
        if (*at == '<')
            abort();
    }
    if (!*at)
        abort();
    return at;
}

static void check_characters(const char *text)
{
    for (; *text; text++) {
        if (((unsigned char)*text < 0x20 && !strchr("\t\n\r", *text)) ||
            (*text == '&' && text[1] != '#'))
            abort();
    }
}

static void check_junit(const struct output *output)
{
    const char *at = output->text;
    long depth = 0;
    size_t cases = 0;
    check_characters(at);
    while ((at = strchr(at, '<'))) {
        const char *end = end_of_tag(at + 1);
        bool closes = at[1] == '/', whole = end[-1] == '/' || end[-1] == '?';
        cases += strncmp(at, "<testcase", 9) == 0;
        depth += closes ? -1 : whole ? 0 : 1;
        if (depth < 0)
            abort();
        at = end;
    }
    if (depth != 0 || cases < output->count)
        abort();
}

static void write_log(enum finding_format format, const char *input)
{
    static void (*const checks[])(const struct output *) = {[FINDING_JSON] = check_json,
                                                            [FINDING_SARIF] = check_sarif,
                                                            [FINDING_GITHUB] = check_github,
                                                            [FINDING_JUNIT] = check_junit};
    struct output output = {0};
    char *copy = strdup(input), *rest = NULL;
    struct finding_log log = {.stream = open_memstream(&output.text, &output.size),
                              .format = format,
                              .tool = "tessera fuzz",
                              .machines = 7};
    finding_log_begin(&log);
    finding_log_file(&log, "first.qasm");
    for (char *line = strtok_r(copy, "\n", &rest); line && output.count < FINDINGS;
         line = strtok_r(NULL, "\n", &rest)) {
        struct fields fields = {line};
        if (line[0] == '|') { /* starts another file */
            finding_log_file(&log, line + 1);
            continue;
        }
        output.added[output.count] = read_finding(&fields);
        finding_log_add(&log, &output.added[output.count++]);
    }
    if (!finding_log_end(&log, true, 1) || fclose(log.stream) != 0)
        abort();
    checks[format](&output);
    free(output.text);
    free(copy);
}

/* --- the relay of findings between processes --- */

static bool same_text(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : one == other;
}

static bool same(const struct finding *one, const struct finding *other)
{
    const struct finding_place *here = &one->place, *there = &other->place;
    return one->level == other->level && same_text(one->rule, other->rule) &&
           same_text(one->text, other->text) && same_text(one->hint, other->hint) &&
           same_text(here->file, there->file) && here->line == there->line &&
           here->column == there->column && same_text(here->source_line, there->source_line) &&
           here->statement == there->statement && here->has_address == there->has_address &&
           here->address == there->address && here->bytes == there->bytes &&
           same_text(here->instruction, there->instruction) &&
           same_text(here->disassembly, there->disassembly);
}

static void relay_line(char *text)
{
    char *line, *copy = strdup(text);
    size_t size;
    struct fields fields = {text};
    struct finding from = read_finding(&fields), to;
    FILE *stream = open_memstream(&line, &size);
    if (!from.rule)
        from.rule = "unknown";
    finding_relay_write(stream, &from);
    fclose(stream);
    if (strchr(line, '\n') != line + size - 1 || !finding_relay_read(line, &to) ||
        !same(&from, &to))
        abort();
    for (char *at = copy; *at; at++)
        *at = *at == '|' ? '\t' : *at;
    finding_relay_read(copy, &to);
    free(copy);
    free(line);
}

static void relay_lines(const char *input)
{
    char *copy = strdup(input), *rest = NULL;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        relay_line(line);
    free(copy);
}

/* --- diagnostics --- */

static void see_line(const struct json_object *line, void *user)
{
    struct tess_finding *diag = user;
    json_expect(line, "rule", diag->id);
    json_expect(line, "text", diag->text);
    json_expect(line, "hint", diag->hint);
    json_expect(line, "file", diag->file);
}

static void report_line(char *line, bool json)
{
    struct fields fields = {line};
    struct tess_finding diag = read_diag(&fields);
    char *out;
    size_t size;
    struct report report = {.stream = open_memstream(&out, &size), .json = json};
    struct tess_sink sink = report_sink(&report);
    sink.report(sink.user, &diag);
    report_total(&report);
    fclose(report.stream);
    if (json && json_read_lines(out, size, see_line, &diag) != 1)
        abort();
    for (const char *at = out; !json && *at; at++)
        if ((unsigned char)*at < 0x20 && *at != '\n' && *at != '\t')
            abort(); /* Text for a terminal must not contain control characters. */
    report_free(&report);
    free(out);
}

static void report_lines(const char *input, bool json)
{
    char *copy = strdup(input), *rest = NULL;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        report_line(line, json);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *input = malloc(size + 1);
    if (!input)
        return 0;
    memcpy(input, data, size);
    input[size] = 0;
    for (int format = FINDING_JSON; format <= FINDING_JUNIT; format++)
        write_log((enum finding_format)format, input);
    relay_lines(input);
    report_lines(input, true);
    report_lines(input, false);
    free(input);
    return 0;
}
