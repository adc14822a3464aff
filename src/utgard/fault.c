/* SPDX-License-Identifier: MIT */
/* fault.c - see fault.h. */
#include "utgard/fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

static const struct tess_gp_finding rules[FAULT_RULES] = {
#define FAULT(name, id, severity, title, hardware, model, instead, source) \
    [FAULT_##name] = {id, TESS_##severity, title, hardware, model, instead, source},
#include "utgard/faults.def"
#undef FAULT
};

size_t tess_gp_finding_count(void)
{
    return FAULT_RULES;
}

const struct tess_gp_finding *tess_gp_finding_get(size_t number)
{
    return number < FAULT_RULES ? &rules[number] : NULL;
}

const struct tess_gp_finding *tess_gp_finding_find(const char *id)
{
    for (size_t i = 0; id && i < FAULT_RULES; i++)
        if (strcmp(rules[i].id, id) == 0)
            return &rules[i];
    return NULL;
}

/* --- noting --- */

static uint16_t *slot(struct fault_log *log, enum fault_rule rule, uint32_t line)
{
    if (!log->index)
        log->index = calloc((size_t)FAULT_RULES * FAULT_LINES, sizeof *log->index);
    return log->index ? &log->index[rule * (size_t)FAULT_LINES + line] : NULL;
}

static bool grow(struct fault_log *log)
{
    if (log->count < log->capacity)
        return true;
    uint32_t capacity = log->capacity ? 2 * log->capacity : 16;
    struct fault_entry *entry = realloc(log->entry, capacity * sizeof *entry);
    if (!entry)
        return false;
    log->entry = entry;
    log->capacity = capacity;
    return true;
}

/* The entry of a rule and line; a new one has no count. */
static struct fault_entry *entry_of(struct fault_log *log, enum fault_rule rule, uint32_t line)
{
    uint16_t *number = slot(log, rule, line);
    if (number && *number)
        return &log->entry[*number - 1];
    if (!number || !grow(log)) {
        log->failed = true;
        return NULL;
    }
    struct fault_entry *entry = &log->entry[log->count];
    *entry = (struct fault_entry){.rule = rule, .line = (uint16_t)line};
    *number = (uint16_t)++log->count;
    return entry;
}

static bool is_earlier(const struct fault_entry *entry, uint64_t vertex, uint64_t cycle)
{
    if (entry->count == 0 || vertex != entry->vertex)
        return entry->count == 0 || vertex < entry->vertex;
    return cycle < entry->cycle;
}

void fault_note(struct fault_log *log, enum fault_rule rule, uint32_t line, uint64_t vertex,
                uint64_t cycle, uint64_t count, const char *format, va_list arguments)
{
    struct fault_entry *entry = entry_of(log, rule, line);
    if (!entry)
        return;
    if (is_earlier(entry, vertex, cycle)) {
        entry->vertex = vertex;
        entry->cycle = cycle;
        vsnprintf(entry->text, sizeof entry->text, format, arguments);
    }
    entry->count += count;
}

void fault_merge(struct fault_log *to, const struct fault_log *from)
{
    for (uint32_t i = 0; i < from->count; i++) {
        const struct fault_entry *other = &from->entry[i];
        struct fault_entry *entry = entry_of(to, other->rule, other->line);
        if (!entry)
            continue;
        uint64_t count = entry->count + other->count;
        if (is_earlier(entry, other->vertex, other->cycle))
            *entry = *other;
        entry->count = count;
    }
    to->failed |= from->failed;
}

void fault_take(struct fault_log *to, struct fault_log *from)
{
    for (uint32_t i = 0; i < from->count; i++)
        *slot(from, from->entry[i].rule, from->entry[i].line) = 0;
    *to = *from;
    to->index = NULL;
    *from = (struct fault_log){.index = from->index};
}

void fault_log_free(struct fault_log *log)
{
    free(log->entry);
    free(log->index);
    *log = (struct fault_log){0};
}

/* --- telling --- */

static int by_vertex(const void *left, const void *right)
{
    const struct fault_entry *a = left, *b = right;
    if (a->vertex != b->vertex)
        return a->vertex < b->vertex ? -1 : 1;
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    return (int)a->rule - (int)b->rule;
}

static const char *times(uint64_t count, char text[32])
{
    if (count <= 1)
        return "";
    snprintf(text, 32, " (%" PRIu64 " times)", count);
    return text;
}

/* ", NAME" of a varying, if it has one. */
static const char *varying_name(const struct tess_gp_program *program, uint32_t number,
                                char text[64])
{
    const struct tess_gp_symbol *symbol;
    for (size_t i = 0; (symbol = tess_gp_program_symbol(program, i)) != NULL; i++)
        if (symbol->kind == TESS_GP_VARYING && symbol->number == number) {
            snprintf(text, 64, ", %s", symbol->name);
            return text;
        }
    return "";
}

/* "instruction 12 (loop), vertex 7"; of what no instruction does, "vertex 7, v_colour" */
static void place(const struct fault_entry *entry, const struct tess_gp_program *program,
                  char *text, size_t size)
{
    if (entry->line >= FAULT_NO_LINE) {
        uint32_t varying = (entry->line - FAULT_NO_LINE) / 4u;
        char name[64];
        snprintf(text, size, "vertex %" PRIu64 "%s", entry->vertex,
                 varying_name(program, varying, name));
        return;
    }
    const char *label = tess_gp_program_label(program, entry->line);
    snprintf(text, size, "instruction %u%s%s%s, vertex %" PRIu64, entry->line, label ? " (" : "",
             label ? label : "", label ? ")" : "", entry->vertex);
}

static void tell(const struct fault_entry *entry, const struct tess_gp_program *program,
                 struct tess_sink sink)
{
    char where[160], often[32];
    struct tess_diag diag = {
        .severity = rules[entry->rule].severity,
        .rule = rules[entry->rule].id,
        .hint = rules[entry->rule].instead,
    };
    bool line = entry->line < FAULT_NO_LINE;
    tess_gp_program_line(program, line ? entry->line : 0, &diag.file, &diag.line);
    if (!line)
        diag.line = 0;
    place(entry, program, where, sizeof where);
    diag_report(sink, &diag, "%s: %s%s", where, entry->text, times(entry->count, often));
}

static void tell_no_more(enum fault_rule rule, struct tess_sink sink)
{
    struct tess_diag diag = {.severity = TESS_NOTE, .rule = rules[rule].id};
    diag_report(sink, &diag, "further findings of this kind are not shown");
}

/* Whether a finding is news. */
static bool is_news(struct fault_told *told, const struct fault_entry *entry)
{
    uint8_t *byte = &told->lines[entry->rule][entry->line / 8],
            bit = (uint8_t)(1 << entry->line % 8);
    bool news = !(*byte & bit);
    *byte |= bit;
    return news;
}

void fault_report(struct fault_log *log, struct fault_told *told,
                  const struct tess_gp_program *program, struct tess_sink sink)
{
    for (uint32_t i = 0; i < log->count; i++)
        *slot(log, log->entry[i].rule, log->entry[i].line) = 0;
    if (log->count)
        qsort(log->entry, log->count, sizeof *log->entry, by_vertex);
    for (uint32_t i = 0; i < log->count; i++) {
        const struct fault_entry *entry = &log->entry[i];
        if (!is_news(told, entry) || told->shown[entry->rule] > FAULT_SHOWN)
            continue;
        if (told->shown[entry->rule]++ < FAULT_SHOWN)
            tell(entry, program, sink);
        else
            tell_no_more(entry->rule, sink);
    }
    log->count = 0;
}
