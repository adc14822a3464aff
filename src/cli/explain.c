/* SPDX-License-Identifier: MIT */
/* explain.c - see explain.h.
 *
 * In:  an id; the tables of rules, findings, errata and messages.
 * Out: an explanation, as text or JSON; lists of ids. */
#include "explain.h"

#include <string.h>

#include <tessera/finding.h>

#include "base/json.h"
#include "cli.h"
#include "front/diagnostics.h"
#include "front/examples.h"
#include "front/finding_log.h"
#include "front/policy.h"
#include "suggest.h"

/* One labelled paragraph of an explanation. */
struct part {
    /* key: name of the member in JSON. label: heading in the text form, or NULL if the text form
     * omits the part. text: the paragraph; the text form omits an empty paragraph. */
    const char *key, *label, *text;
};

enum { PARTS = 12 };

/* One meaning of an id. */
struct explanation {
    /* what: noun for the meaning, such as "an erratum", printed if the id has several meanings.
     * kind: severity, or "erratum". */
    const char *what, *kind, *title;
    /* Rule, whose text form comes from tess_rule_explain() and from the parts with a label; else
     * NULL. */
    const struct tess_rule *rule;
    struct part parts[PARTS];
    char page[FINDING_PAGE]; /* path of a finding's page, else empty */
};

/* Returns the smallest indentation of the lines of a text, in spaces. Ignores empty lines and lines
 * "...". */
static size_t common_indentation(const char *text)
{
    size_t common = SIZE_MAX;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n"), spaces = strspn(line, " ");
        if (length > 0 && strncmp(line, "...\n", 4) != 0 && spaces < common)
            common = spaces;
        line += length + (line[length] == '\n');
    }
    return common == SIZE_MAX ? 0 : common;
}

/* Prints the label ("Wrong:") and the lines of an example. */
static void print_example(FILE *stream, const struct part *part)
{
    size_t indentation = common_indentation(part->text);
    fprintf(stream, "\n  %s:\n\n", part->label);
    for (const char *line = part->text; *line;) {
        size_t length = strcspn(line, "\n");
        size_t left_out = strspn(line, " ") < indentation ? 0 : indentation;
        fprintf(stream, "%s%.*s\n", length > 0 ? "      " : "", (int)(length - left_out),
                line + left_out);
        line += length + (line[length] == '\n');
    }
}

static void print_part(FILE *stream, const struct part *part)
{
    if (!part->label || !part->text[0])
        return;
    if (strchr(part->text, '\n'))
        print_example(stream, part);
    else
        fprintf(stream, "  %s: %s%s\n", part->label, part->text,
                part->text[strlen(part->text) - 1] == '.' ? "" : ".");
}

/* True if a part is the "wrong" or "right" half of an example, and one of the explanations from
 * `explanation` up to `end` has the same half. print_text() then prints the half only once, with
 * the last of these explanations. */
static bool is_shown_later(const struct part *part, const struct explanation *explanation,
                           const struct explanation *end)
{
    if (strcmp(part->key, "wrong") != 0 && strcmp(part->key, "right") != 0)
        return false;
    for (; explanation < end; explanation++)
        for (const struct part *other = explanation->parts; other->key; other++)
            if (strcmp(other->key, part->key) == 0 && strcmp(other->text, part->text) == 0)
                return true;
    return false;
}

static void print_rule(FILE *stream, const struct tess_rule *rule)
{
    char text[4096];
    tess_rule_explain(text, sizeof text, rule);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        fprintf(stream, "  %s\n%s", line, line == text ? "\n" : "");
}

/* Prints one meaning of an id. end: end of the array of meanings that contains explanation.
 * several: true if the id has several meanings. */
static void print_text(FILE *stream, const struct explanation *explanation,
                       const struct explanation *end, bool several)
{
    const char *title = explanation->title;
    fprintf(stream, "%s%s%s (%s)\n\n", explanation->parts[0].text, several ? ", " : "",
            several ? explanation->what : "", explanation->kind);
    if (explanation->rule)
        print_rule(stream, explanation->rule);
    else
        fprintf(stream, "  %s%s\n\n", title,
                title[0] && title[strlen(title) - 1] == '.' ? "" : ".");
    for (const struct part *part = explanation->parts; part->key; part++)
        if (!is_shown_later(part, explanation + 1, end))
            print_part(stream, part);
}

static void print_json(struct json *json, const struct part *parts)
{
    json_begin_object(json);
    for (const struct part *part = parts; part->key; part++)
        json_member_string(json, part->key, part->text);
    json_end_object(json);
}

/* --- wrong and right --- */

static const struct {
    const char *name, *wrong, *right;
} example_kinds[] = {
    [EXAMPLE_QPU] = {"qpu", "Wrong (QPU program)", "Right"},
    [EXAMPLE_GP] = {"gp", "Wrong (GP program)", "Right"},
    [EXAMPLE_A2XX] = {"a2xx", "Wrong (A2xx program)", "Right"},
    [EXAMPLE_SCENE] = {"scene", "Wrong (scene)", "Right"},
    [EXAMPLE_EXCERPT] = {"excerpt", "Wrong (excerpt of the page's program)", "Right (excerpt)"},
    [EXAMPLE_ACCESSES] = {"accesses", "Wrong (accesses of a program, in their order)", "Right"},
    [EXAMPLE_TEXT] = {"text", "Wrong", "Right"},
};

/* Adds both halves of an example after the last part. Does nothing if example is NULL. */
static void add_example(struct explanation *to, const struct example *example)
{
    struct part *part = to->parts;
    if (!example)
        return;
    while (part->key)
        part++;
    *part++ = (struct part){"kind", NULL, example_kinds[example->kind].name};
    *part++ = (struct part){"wrong", example_kinds[example->kind].wrong, example->wrong};
    *part = (struct part){"right", example_kinds[example->kind].right, example->right};
}

/* --- rules of the checker --- */

static void rule_parts(const struct tess_rule *rule, struct part parts[PARTS])
{
    const struct part all[PARTS] = {
        {"id", NULL, rule->id},           {"level", NULL, policy_level_name(rule->level)},
        {"title", NULL, rule->title},     {"why", NULL, rule->why},
        {"instead", NULL, rule->instead}, {"source", NULL, rule->source},
    };
    memcpy(parts, all, sizeof all);
}

void explain_json_rule(struct json *json, const struct tess_rule *rule)
{
    struct part parts[PARTS];
    rule_parts(rule, parts);
    print_json(json, parts);
}

static bool explain_rule(const char *id, struct explanation *to)
{
    const struct tess_rule *rule = tess_rule_find(id, TESS_RULES_OF_CHECKS);
    if (!rule)
        return false;
    *to = (struct explanation){
        .what = "a rule of tessera check", .kind = policy_level_name(rule->level), .rule = rule};
    rule_parts(rule, to->parts);
    add_example(to, example_of_rule(rule->id));
    return true;
}

/* --- findings of the models --- */

static bool explain_finding(const char *id, struct explanation *to)
{
    const struct tess_rule *rule = tess_rule_find(id, TESS_RULES_OF_RUNS);
    if (!rule)
        return false;
    *to = (struct explanation){.what = "a finding of tessera run",
                               .kind = policy_level_name(rule->level),
                               .rule = rule,
                               .parts = {
                                   {"id", NULL, rule->id},
                                   {"severity", NULL, policy_level_name(rule->level)},
                                   {"title", NULL, rule->title},
                                   {"hardware", NULL, rule->why},
                                   {"model", NULL, rule->model},
                                   {"instead", NULL, rule->instead},
                                   {"source", NULL, rule->source},
                                   {"page", "Page", to->page},
                               }};
    char page[FINDING_PAGE];
    finding_page(page, rule);
    snprintf(to->page, sizeof to->page, "docs/%.*s", (int)strcspn(page, "#"), page);
    add_example(to, example_of_finding(rule->id));
    return true;
}

/* --- errata --- */

static bool explain_erratum(const char *id, struct explanation *to)
{
    const struct tess_erratum *erratum = tess_erratum_find(id);
    if (!erratum)
        return false;
    *to = (struct explanation){.what = "an erratum",
                               .kind = "erratum",
                               .title = erratum->what,
                               .parts = {
                                   {"id", NULL, erratum->id},
                                   {"block", "Block", erratum->block},
                                   {"silicon", "Silicon", erratum->silicon},
                                   {"what", NULL, erratum->what},
                                   {"model", "Model", erratum->model},
                                   {"findings", "Findings of tessera run", erratum->findings},
                                   {"rules", "Rules of tessera check", erratum->rules},
                                   {"source", "Source", erratum->source},
                               }};
    return true;
}

/* --- other messages --- */

static const struct {
    const char *name, *wrong, *right;
} kinds[] = {
    [DIAGNOSTIC_QPU] = {"qpu", "Wrong (QPU program)", "Right"},
    [DIAGNOSTIC_GP] = {"gp", "Wrong (GP program)", "Right"},
    [DIAGNOSTIC_A2XX] = {"a2xx", "Wrong (A2xx program)", "Right"},
    [DIAGNOSTIC_SCENE] = {"scene", "Wrong (scene)", "Right"},
    [DIAGNOSTIC_COMMANDS] = {"commands", "Wrong", "Right"},
    [DIAGNOSTIC_TEXT] = {"text", "Wrong", "Right"},
};

/* Stores the files that are named by the commands of a message's example. The first file is stored
 * in *part, and further files in the parts after it. */
static void add_files(const struct diagnostic *found, struct part *part)
{
    const struct diagnostic_file *file;
    for (size_t i = 0; (file = diagnostic_file_get(i)) != NULL; i++)
        if (found->kind == DIAGNOSTIC_COMMANDS &&
            (strstr(found->wrong, file->name) || strstr(found->right, file->name)))
            *part++ = (struct part){file->name, file->name, file->content};
}

enum { RIGHT_PART = 6 };

static bool explain_diagnostic(const char *id, struct explanation *to)
{
    const struct diagnostic *found = diagnostic_find(id);
    if (!found)
        return false;
    *to = (struct explanation){.what = "a message",
                               .kind = policy_level_name(found->severity),
                               .title = found->title,
                               .parts = {
                                   {"id", NULL, found->id},
                                   {"severity", NULL, policy_level_name(found->severity)},
                                   {"title", NULL, found->title},
                                   {"why", "Why", found->why},
                                   {"kind", NULL, kinds[found->kind].name},
                                   {"wrong", kinds[found->kind].wrong, found->wrong},
                                   {"right", kinds[found->kind].right, found->right},
                               }};
    add_files(found, to->parts + RIGHT_PART + 1);
    return true;
}

/* --- all kinds of ids --- */

static bool (*const explainers[])(const char *id, struct explanation *to) = {
    explain_rule,
    explain_finding,
    explain_erratum,
    explain_diagnostic,
};

enum { EXPLAINERS = sizeof explainers / sizeof explainers[0] };

/* Collects all meanings of an id. If one of the meanings is a rule of the checker, it is the first
 * if rules_first is true, else the last. Returns the number of meanings. */
static unsigned explain(const char *id, bool rules_first, struct explanation all[EXPLAINERS])
{
    unsigned count = 0;
    for (unsigned i = 0; i < EXPLAINERS; i++)
        count += explainers[(i + !rules_first) % EXPLAINERS](id, &all[count]);
    return count;
}

bool explain_knows(const char *id)
{
    struct explanation all[EXPLAINERS];
    return explain(id, true, all) > 0;
}

void explain_print(FILE *stream, const char *id, bool rules_first, bool json)
{
    struct explanation all[EXPLAINERS];
    unsigned count = explain(id, rules_first, all);
    for (unsigned i = 0; i < count && !json; i++) {
        if (i > 0)
            fputc('\n', stream);
        print_text(stream, &all[i], all + count, count > 1);
    }
    if (json && count > 0)
        print_json(&(struct json){.stream = stream, .flow = true}, all[0].parts);
}

/* --- lists of ids --- */

/* Calls take with the id of each finding, erratum and message. */
static void each_id(void (*take)(void *user, const char *id), void *user)
{
    const struct tess_rule *rule;
    for (size_t i = 0; (rule = tess_rule_get(i)) != NULL; i++)
        if (rule->of != TESS_RULE_CHECK)
            take(user, rule->id);
    for (size_t i = 0; i < tess_erratum_count(); i++)
        take(user, tess_erratum_get(i)->id);
    for (size_t i = 0; diagnostic_get(i); i++)
        take(user, diagnostic_get(i)->id);
}

/* Prints the id unless a rule has the same id. The list of rules contains the ids of rules. */
static void print_id(void *user, const char *id)
{
    const struct tess_rule *rule = tess_rule_find(id, TESS_RULES_OF_CHECKS);
    if (!rule || strcmp(rule->id, id) != 0)
        fprintf(user, "%s\n", id);
}

void explain_print_ids(FILE *stream)
{
    each_id(print_id, stream);
}

static void try_id(void *user, const char *id)
{
    suggest_try(user, id);
}

const char *explain_nearest(const char *id)
{
    struct suggestion suggestion = suggest_begin(id);
    const struct tess_rule *rule;
    for (size_t i = 0; (rule = tess_rule_get(i)) != NULL && rule->of == TESS_RULE_CHECK; i++)
        suggest_try(&suggestion, rule->id);
    each_id(try_id, &suggestion);
    return suggestion.name;
}

void explain_unknown(const char *title, const char *thing, const char *id, const char *listed)
{
    const char *nearest = explain_nearest(id);
    if (nearest)
        cli_usage_error(title, "unknown %s '%s'; did you mean '%s'?", thing, id, nearest);
    else
        cli_usage_error(title, "unknown %s '%s' (see %s)", thing, id, listed);
}
