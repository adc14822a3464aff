/* SPDX-License-Identifier: MIT */
/* rules.c - see rules.h. */
#include "finding/rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alias.h"
#include "base/buffer.h"
#include "base/diag.h"

#define CHECK_ROW(index, mask, id_, level_, WHEN, HOW, function, title_, why_, instead_, source_) \
    [index] = {.id = id_,                                                                         \
               .of = TESS_RULE_CHECK,                                                             \
               .machines = mask,                                                                  \
               .level = TESS_##level_,                                                            \
               .title = title_,                                                                   \
               .why = why_,                                                                       \
               .instead = instead_,                                                               \
               .source = source_},
#define ROW(index, of, machine, id, level, title, hardware, model, instead, source, setting, ...) \
    [index] = {id,           of,      1u << TESS_MACHINE_##machine,                               \
               TESS_##level, title,   hardware,                                                   \
               model,        instead, source,                                                     \
               setting},

const struct tess_rule rule_table[RULES] = {
#define RULE(NAME, ...) CHECK_ROW(CHECK_##NAME, 1u << TESS_MACHINE_QPU, __VA_ARGS__)
#include "check/qpu/qpu_rules.def"
#define RULE(NAME, ...) CHECK_ROW(CHECK_GP_##NAME, 1u << TESS_MACHINE_GP, __VA_ARGS__)
#include "check/gp/gp_rules.def"
#define RULE(NAME, ...) CHECK_ROW(CHECK_A2XX_##NAME, 1u << TESS_MACHINE_A2XX, __VA_ARGS__)
#include "check/a2xx/a2xx_rules.def"
#define RULE(NAME, ...) CHECK_ROW(CHECK_##NAME, UINT32_MAX, __VA_ARGS__)
#include "check/frame/rules.def"
#define FAULT(name, ...) ROW(RULE_VC4_##name, TESS_RULE_VC4, QPU, __VA_ARGS__, TESS_SETTING_NONE, 0)
#include "vc4/fault/faults.def"
#undef FAULT
#define FAULT(name, ...) ROW(RULE_PI_##name, TESS_RULE_PI, QPU, __VA_ARGS__, TESS_SETTING_NONE, 0)
#include "board/pi/findings.def"
#undef FAULT
#define FAULT(name, ...) ROW(RULE_GP_##name, TESS_RULE_GP, GP, __VA_ARGS__, TESS_SETTING_NONE, 0)
#include "mali/gp/faults.def"
#undef FAULT
#define FAULT(name, ...) \
    ROW(RULE_A2XX_##name, TESS_RULE_A2XX, A2XX, __VA_ARGS__, TESS_SETTING_NONE, 0)
#include "a2xx/shader/faults.def"
#undef FAULT
};

size_t tess_rule_count(void)
{
    return RULES;
}

const struct tess_rule *tess_rule_get(size_t number)
{
    return number < RULES ? &rule_table[number] : NULL;
}

/* --- rules by id --- */

static bool is_word(const char *id, const char *word, size_t length)
{
    return strlen(id) == length && memcmp(id, word, length) == 0;
}

static const struct tess_rule *find(const char *id, size_t length, enum tess_rules among)
{
    size_t i = among == TESS_RULES_OF_RUNS ? CHECK_RULES : 0;
    for (size_t end = among == TESS_RULES_OF_CHECKS ? CHECK_RULES : RULES; i < end; i++)
        if (is_word(rule_table[i].id, id, length))
            return &rule_table[i];
    return NULL;
}

const struct tess_rule *rule_find(const char *id, size_t length, enum tess_rules among)
{
    const char *today = alias_find(id, length);
    const struct tess_rule *rule = find(id, length, among);
    return rule || !today ? rule : find(today, strlen(today), among);
}

const struct tess_rule *tess_rule_find(const char *id, enum tess_rules among)
{
    return id ? rule_find(id, strlen(id), among) : NULL;
}

/* --- explanations --- */

/* Adds a paragraph that ends with a period. */
static void put_sentences(struct buffer *to, const char *label, const char *text)
{
    size_t length = strlen(text);
    buffer_printf(to, "%s%s%s\n", label, text, length > 0 && text[length - 1] == '.' ? "" : ".");
}

size_t tess_rule_explain(char *text, size_t size, const struct tess_rule *rule)
{
    struct buffer lines = {0};
    if (!rule)
        return 0;
    put_sentences(&lines, "", rule->title);
    put_sentences(&lines, rule->of == TESS_RULE_CHECK ? "\nWhy: " : "\nHardware: ", rule->why);
    if (rule->model)
        put_sentences(&lines, "Model: ", rule->model);
    put_sentences(&lines, "Instead: ", rule->instead);
    put_sentences(&lines, "Source: ", rule->source);
    size_t length = lines.failed ? 0 : lines.size;
    if (size > 0)
        snprintf(text, size, "%.*s", (int)length, length ? (const char *)lines.data : "");
    buffer_free(&lines);
    return length;
}

/* --- reports --- */

void rule_describe(unsigned number, bool strict, struct tess_finding *finding)
{
    const struct tess_rule *rule = &rule_table[number];
    finding->level = diag_level(rule->level, strict);
    finding->id = rule->id;
    finding->hint = rule->instead;
    finding->setting = rule->setting;
    finding->machine = (enum tess_machine)__builtin_ctz(rule->machines);
    finding->count = 1;
}

void rule_note_more(struct tess_sink sink, unsigned number, const char *format, ...)
{
    const struct tess_finding note = {
        .level = TESS_NOTE, .id = rule_table[number].id, .more = true};
    va_list arguments;
    va_start(arguments, format);
    diag_vreport(sink, &note, format, arguments);
    va_end(arguments);
}

/* --- rules of the checkers --- */

const struct tess_rule *check_rule(enum check_rule rule)
{
    return &rule_table[rule];
}

bool check_rule_is_for(enum check_rule rule, enum tess_machine machine)
{
    return rule_table[rule].machines >> machine & 1;
}

bool check_rule_find(const char *id, size_t length, enum check_rule *rule)
{
    const struct tess_rule *found = rule_find(id, length, TESS_RULES_OF_CHECKS);
    if (found)
        *rule = (enum check_rule)(found - rule_table);
    return found;
}

/* --- findings of runs --- */

const char *finding_id(enum tess_machine machine, const char *word, size_t length)
{
    /* Findings that runs of a scene report. */
    static const char *const of_scenes[] = {"list-halted", "list-not-flushed", "frame-not-ended"};
    const struct tess_rule *rule = rule_find(word, length, TESS_RULES_OF_RUNS);
    if (rule && rule->of != TESS_RULE_PI && rule->machines >> machine & 1)
        return rule->id;
    for (size_t i = 0; machine == TESS_MACHINE_QPU && i < sizeof of_scenes / sizeof of_scenes[0];
         i++)
        if (is_word(of_scenes[i], word, length))
            return of_scenes[i];
    return NULL;
}
