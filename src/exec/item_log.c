/* SPDX-License-Identifier: MIT */
/* item_log.c - see item_log.h. */
#include "exec/item_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "finding/rules.h"

enum { PLACE_TEXT = 160 };

/* --- recording --- */

static uint16_t *slot(struct item_log *log, uint32_t rule, uint32_t line)
{
    if (!log->index)
        log->index = calloc((size_t)log->rules * log->lines, sizeof *log->index);
    return log->index ? &log->index[rule * (size_t)log->lines + line] : NULL;
}

/* Returns the entry of a rule and line, or NULL if it cannot be added. A new entry has count 0. */
static struct item_finding *entry_of(struct item_log *log, uint32_t rule, uint32_t line)
{
    uint16_t *number = slot(log, rule, line);
    if (number && *number)
        return &log->entry[*number - 1];
    if (!number || log->count == UINT16_MAX || !ARRAY_GROW(log->entry, log->count)) {
        log->failed = true;
        return NULL;
    }
    struct item_finding *entry = &log->entry[log->count];
    *entry = (struct item_finding){.rule = (uint16_t)rule, .line = (uint16_t)line};
    *number = (uint16_t)++log->count;
    return entry;
}

static bool is_earlier(const struct item_finding *entry, uint64_t item, uint64_t cycle)
{
    if (entry->count == 0 || item != entry->item)
        return entry->count == 0 || item < entry->item;
    return cycle < entry->cycle;
}

void item_log_note(struct item_log *log, uint32_t rule, uint32_t line, uint64_t item,
                   uint64_t cycle, uint64_t count, const char *format, va_list arguments)
{
    struct item_finding *entry = entry_of(log, rule, line);
    if (!entry)
        return;
    if (is_earlier(entry, item, cycle)) {
        entry->item = item;
        entry->cycle = cycle;
        vsnprintf(entry->text, sizeof entry->text, format, arguments);
    }
    entry->count += count;
}

void item_log_merge(struct item_log *to, const struct item_log *from)
{
    for (uint32_t i = 0; i < from->count; i++) {
        const struct item_finding *other = &from->entry[i];
        struct item_finding *entry = entry_of(to, other->rule, other->line);
        if (!entry)
            continue;
        uint64_t count = entry->count + other->count;
        if (is_earlier(entry, other->item, other->cycle))
            *entry = *other;
        entry->count = count;
    }
    to->failed |= from->failed;
}

static void forget(struct item_log *log)
{
    for (uint32_t i = 0; i < log->count; i++)
        *slot(log, log->entry[i].rule, log->entry[i].line) = 0;
}

void item_log_take(struct item_log *to, struct item_log *from)
{
    forget(from);
    *to = *from;
    to->index = NULL;
    *from = (struct item_log){.rules = from->rules, .lines = from->lines, .index = from->index};
}

void item_log_gather(struct item_log *to, struct item_log *from)
{
    struct item_log found;
    item_log_take(&found, from);
    item_log_merge(to, &found);
    item_log_free(&found);
}

void item_log_free(struct item_log *log)
{
    free(log->entry);
    free(log->index);
    *log = (struct item_log){.rules = log->rules, .lines = log->lines};
}

void item_reported_free(struct item_reported *reported)
{
    free(reported->lines);
    free(reported->shown);
    *reported = (struct item_reported){0};
}

/* --- reporting --- */

static int by_item(const void *left, const void *right)
{
    const struct item_finding *a = left, *b = right;
    if (a->item != b->item)
        return a->item < b->item ? -1 : 1;
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    return a->rule != b->rule ? (int)a->rule - (int)b->rule : (int)a->line - (int)b->line;
}

static const char *times(uint64_t count, char text[32])
{
    if (count <= 1)
        return "";
    snprintf(text, 32, " (%" PRIu64 " times)", count);
    return text;
}

static void report(const struct item_finding *entry, const struct item_teller *teller)
{
    char where[PLACE_TEXT], often[32], text[ITEM_LOG_TEXT + 32];
    struct tess_finding finding = {0};
    rule_describe(teller->first_rule + entry->rule, teller->options->strict, &finding);
    finding.count = entry->count;
    teller->locate(teller->user, entry, &finding, where, sizeof where);
    diag_append(text, sizeof text, entry->text, times(entry->count, often));
    diag_report(teller->options->sink, &finding, "%s: %s", where, text);
}

/* Marks a finding as reported. Returns true if it was not reported before. */
static bool is_news(const struct item_log *log, struct item_reported *reported,
                    const struct item_finding *entry)
{
    size_t number = entry->rule * (size_t)log->lines + entry->line;
    uint8_t *byte = &reported->lines[number / 8], bit = (uint8_t)(1 << number % 8);
    bool news = !(*byte & bit);
    *byte |= bit;
    return news;
}

static bool make_reported(const struct item_log *log, struct item_reported *reported)
{
    if (!reported->lines)
        reported->lines = calloc(((size_t)log->rules * log->lines + 7) / 8, 1);
    if (!reported->shown)
        reported->shown = calloc(log->rules, sizeof *reported->shown);
    return reported->lines && reported->shown;
}

/* --- saved states --- */

enum { ENTRY_LEAST = 32 }; /* least number of bytes of an entry in a state */

static void list_entry(struct state_stream *stream, const struct item_log *log,
                       struct item_finding *entry)
{
    state_below(stream, &entry->rule, log->rules);
    state_below(stream, &entry->line, log->lines);
    STATE_FIELDS(stream, &entry->item, &entry->cycle, &entry->count);
    state_text(stream, entry->text, sizeof entry->text);
}

/* Adds the numbers of the entries to the index. Two entries must not have the same rule and
 * line. */
static void index_entries(struct state_stream *stream, struct item_log *log)
{
    for (uint32_t i = 0; i < log->count; i++) {
        uint16_t *number = slot(log, log->entry[i].rule, log->entry[i].line);
        if (!state_require(stream, number && !*number)) {
            stream->no_memory = !number;
            return;
        }
        *number = (uint16_t)(i + 1);
    }
}

void item_log_state(struct state_stream *stream, struct item_log *log)
{
    uint32_t count = state_count(stream, log->count, UINT16_MAX, ENTRY_LEAST);
    if (!state_allocate(stream, &log->entry, array_room(count), sizeof *log->entry))
        return;
    for (uint32_t i = 0; i < count; i++)
        list_entry(stream, log, &log->entry[i]);
    if (!state_is_reading(stream) || stream->bad)
        return;
    log->count = count;
    index_entries(stream, log);
}

static uint32_t count_reported(const struct item_reported *reported, uint32_t numbers)
{
    uint32_t count = 0;
    for (uint32_t i = 0; reported->lines && i < numbers; i++)
        count += reported->lines[i / 8] >> i % 8 & 1;
    return count;
}

/* Lists the number of a reported finding, which is `from` or the next number that was reported.
 * Returns the number after it. */
static uint32_t list_reported(struct state_stream *stream, struct item_reported *reported,
                              uint32_t from, uint32_t numbers)
{
    uint32_t number = from;
    while (!state_is_reading(stream) && !(reported->lines[number / 8] >> number % 8 & 1))
        number++;
    state_in(stream, &number, from, numbers - UINT64_C(1));
    if (state_is_reading(stream) && !stream->bad)
        reported->lines[number / 8] |= (uint8_t)(1 << number % 8);
    return number + 1;
}

void item_reported_state(struct state_stream *stream, struct item_reported *reported,
                         const struct item_log *log)
{
    uint32_t numbers = log->rules * log->lines, from = 0;
    uint32_t count = state_count(stream, count_reported(reported, numbers), numbers,
                                 sizeof numbers);
    if (!count)
        return;
    if (state_is_reading(stream) && !make_reported(log, reported)) {
        stream->no_memory = stream->bad = true;
        return;
    }
    while (count-- > 0)
        from = list_reported(stream, reported, from, numbers);
    state_u32s(stream, reported->shown, log->rules);
}

/* --- reports --- */

void item_log_report(struct item_log *log, struct item_reported *reported,
                     const struct item_teller *teller)
{
    uint32_t most = reported->most ? reported->most : ITEM_LOG_SHOWN;
    if (!log->count)
        return;
    forget(log);
    qsort(log->entry, log->count, sizeof *log->entry, by_item);
    log->failed |= !make_reported(log, reported);
    for (uint32_t i = 0; i < log->count && !log->failed; i++) {
        const struct item_finding *entry = &log->entry[i];
        if (!is_news(log, reported, entry))
            continue;
        enum diag_show show = diag_limit(&reported->shown[entry->rule], most);
        if (show == DIAG_SHOW)
            report(entry, teller);
        else if (show == DIAG_SHOW_NOTE)
            rule_note_more(teller->options->sink, teller->first_rule + entry->rule,
                           "further findings of this kind are not shown");
    }
    log->count = 0;
}
