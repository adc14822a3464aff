/* SPDX-License-Identifier: MIT */
/* fault.c - see fault.h. */
#include "vc4/fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/vc4.h>

#include "base/diag.h"

static const struct tess_vc4_finding rules[FAULT_RULES] = {
#define FAULT(name, id, severity, title, hardware, model, instead, source) \
    [FAULT_##name] = {id, TESS_##severity, title, hardware, model, instead, source},
#include "vc4/faults.def"
#undef FAULT
};

size_t tess_vc4_finding_count(void)
{
    return FAULT_RULES;
}

const struct tess_vc4_finding *tess_vc4_finding_get(size_t number)
{
    return number < FAULT_RULES ? &rules[number] : NULL;
}

const struct tess_vc4_finding *tess_vc4_finding_find(const char *id)
{
    for (size_t i = 0; id && i < FAULT_RULES; i++)
        if (strcmp(rules[i].id, id) == 0)
            return &rules[i];
    return NULL;
}

struct fault_entry {
    enum fault_rule rule;
    struct tess_place place;
    char *text; /* NULL: there was no memory for it */
};

static char *formatted(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

static void keep(struct fault_kept *kept, enum fault_rule rule, const struct tess_place *place,
                 const char *format, va_list arguments)
{
    if (kept->count == kept->capacity) {
        size_t capacity = kept->capacity ? 2 * kept->capacity : 8;
        struct fault_entry *entry = realloc(kept->entry, capacity * sizeof *entry);
        if (!entry)
            return;
        kept->entry = entry;
        kept->capacity = capacity;
    }
    kept->entry[kept->count++] = (struct fault_entry){rule, *place, formatted(format, arguments)};
}

/* Findings that tell for each QPU what it waits for, or would for ever. */
static bool is_wait(enum fault_rule rule)
{
    return rule == FAULT_QPU_STUCK || rule == FAULT_VPM_EMPTY || rule == FAULT_TMU_EMPTY;
}

static uint32_t most_shown(const struct fault_log *log, enum fault_rule rule)
{
    if (log->most)
        return log->most;
    return is_wait(rule) ? FAULT_WAITS_SHOWN : FAULT_SHOWN;
}

/* What each of several QPUs waits for is no repeat. */
static bool is_repeat(const struct fault_log *log, enum fault_rule rule,
                      const struct tess_place *place)
{
    return !is_wait(rule) && place->known & TESS_PLACE_SHADER && log->shown[rule] > 0 &&
           log->last_pc[rule] == place->pc;
}

static enum tess_severity severity_of(const struct fault_log *log, enum fault_rule rule)
{
    bool raised = log->strict && rules[rule].severity == TESS_WARNING;
    return raised ? TESS_ERROR : rules[rule].severity;
}

/* Whether a finding is passed on; counts it. Kept ones are passed on a little longer than they will be
 * shown, since some may turn out to be repeats of earlier work's. */
static bool passes(struct fault_log *log, enum fault_rule rule, const struct tess_place *place)
{
    uint32_t most = most_shown(log, rule), limit = log->kept ? 2 * most : most;
    if (severity_of(log, rule) == TESS_ERROR)
        log->errors++;
    log->count[rule]++;
    if (log->shown[rule] > limit || is_repeat(log, rule, place))
        return false;
    log->shown[rule]++;
    log->last_pc[rule] = place->pc;
    return true;
}

static void show(const struct fault_log *log, enum fault_rule rule, const struct tess_place *place,
                 const char *format, va_list arguments)
{
    struct tess_diag diag = {
        .severity = severity_of(log, rule),
        .rule = rules[rule].id,
        .hint = rules[rule].instead,
        .place = *place,
    };
    if (log->shown[rule] <= most_shown(log, rule)) {
        diag_vreport(log->sink, &diag, format, arguments);
        return;
    }
    diag.severity = TESS_NOTE;
    diag.hint = NULL;
    diag.place.known = 0;
    diag_report(log->sink, &diag, "further findings of this kind are counted but not shown");
}

static void report(struct fault_log *log, enum fault_rule rule, const struct tess_place *place,
                   const char *format, va_list arguments)
{
    if (!passes(log, rule, place))
        return;
    if (log->kept)
        keep(log->kept, rule, place, format, arguments);
    else
        show(log, rule, place, format, arguments);
}

void fault(struct fault_log *log, enum fault_rule rule, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(log, rule, &log->place, format, arguments);
    va_end(arguments);
}

void fault_at(struct fault_log *log, enum fault_rule rule, uint32_t address, const char *format,
              ...)
{
    struct tess_place place = log->place;
    place.known |= TESS_PLACE_ADDRESS;
    place.address = address;
    va_list arguments;
    va_start(arguments, format);
    report(log, rule, &place, format, arguments);
    va_end(arguments);
}

static void replay(struct fault_log *log, enum fault_rule rule, const struct tess_place *place,
                   const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(log, rule, place, format, arguments);
    va_end(arguments);
}

static void forget(struct fault_log *log)
{
    for (size_t i = 0; i < log->kept->count; i++)
        free(log->kept->entry[i].text);
    log->kept->count = 0;
}

void fault_forward(struct fault_log *to, struct fault_log *from)
{
    for (size_t i = 0; i < from->kept->count; i++) {
        const struct fault_entry *entry = &from->kept->entry[i];
        replay(to, entry->rule, &entry->place, "%s", entry->text ? entry->text : "(no memory)");
        from->count[entry->rule]--;
        from->errors -= severity_of(from, entry->rule) == TESS_ERROR;
    }
    for (unsigned rule = 0; rule < FAULT_RULES; rule++)
        to->count[rule] += from->count[rule];
    to->errors += from->errors;
    fault_drop(from);
}

void fault_drop(struct fault_log *from)
{
    if (from->kept)
        forget(from);
    memset(from->count, 0, sizeof from->count);
    memset(from->shown, 0, sizeof from->shown);
    from->errors = 0;
}

void fault_kept_free(struct fault_kept *kept)
{
    for (size_t i = 0; i < kept->count; i++)
        free(kept->entry[i].text);
    free(kept->entry);
    *kept = (struct fault_kept){0};
}

void fault_enter_shader(struct fault_log *log, uint32_t start, uint32_t pc, const uint64_t *word,
                        uint32_t qpu)
{
    struct tess_place *place = &log->place;
    fault_leave_shader(log);
    place->known |= TESS_PLACE_SHADER | (word ? TESS_PLACE_INSTRUCTION : 0u);
    place->shader = start;
    place->pc = pc;
    place->instruction = word ? *word : 0;
    place->qpu = qpu;
}

void fault_leave_shader(struct fault_log *log)
{
    log->place.known &= ~(uint32_t)(TESS_PLACE_SHADER | TESS_PLACE_INSTRUCTION);
}

const char *fault_id(enum fault_rule rule)
{
    return rules[rule].id;
}
