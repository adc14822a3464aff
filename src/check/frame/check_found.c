/* SPDX-License-Identifier: MIT */
/* check_found.c - see check_found.h. */
#include "check/frame/check_found.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/order.h"

struct check_found {
    struct check_finding finding;
    uint32_t group; /* address of the program if findings are grouped, otherwise 0 */
    uint32_t subject;
    bool last; /* true if the finding comes after the other findings of its group */
};

/* --- causes and consequences --- */

/* Pairs of rules whose findings have the same cause. If a program breaks the rule `cause`, its
 * findings of the rule `consequence` are left out. */
static const struct {
    enum check_rule cause, consequence;
    bool other_subject; /* true if the subject of the consequence differs from the cause's in bit 0:
                         * the consequence concerns the other TMU */
} pairs[] = {
    {CHECK_TMU_FULL, CHECK_TMU_DIRECT, false},
    {CHECK_TMU_FULL, CHECK_TMU_LEFT, false},
    {CHECK_TMU_EMPTY, CHECK_TMU_LEFT, true},
    {CHECK_VPM_UNFINISHED, CHECK_VPM_DMA_BUSY, false},
};

enum { PAIRS = sizeof pairs / sizeof pairs[0] };

/* Returns true if the rule's findings are usually consequences of another mistake. */
static bool is_usually_consequence(enum check_rule rule)
{
    switch (rule) {
    case CHECK_GP_COMPLEX1_UNREAD:
    case CHECK_GP_RESULT_UNREAD:
    case CHECK_GP_LOAD_UNREAD:
    case CHECK_GP_UNREACHABLE:
    case CHECK_GP_POSITION_UNWRITTEN:
    case CHECK_GP_VARYING_UNWRITTEN:
    case CHECK_A2XX_EXPORT_UNUSED:
    case CHECK_A2XX_POSITION_MISSING:
    case CHECK_A2XX_COLOUR_MISSING:
    case CHECK_A2XX_VARYING_UNWRITTEN:
    case CHECK_A2XX_SLOT_UNUSED:
    case CHECK_A2XX_UNREACHABLE:
    case CHECK_A2XX_NO_END: return true;
    default: return false;
    }
}

/* Sorted keys of the causes among the findings. */
struct causes {
    uint64_t *keys;
    size_t count;
};

static uint64_t cause_key(uint32_t entry, enum check_rule rule, uint32_t subject)
{
    return (uint64_t)entry << 32 | (uint64_t)rule << 1 | (subject & 1);
}

static int order_keys(const void *one, const void *other)
{
    const uint64_t *a = one, *b = other;
    return (*a > *b) - (*a < *b);
}

static bool is_cause(enum check_rule rule)
{
    for (size_t i = 0; i < PAIRS; i++)
        if (rule == pairs[i].cause)
            return true;
    return false;
}

static struct causes find_causes(struct check_findings *findings)
{
    struct causes causes = {.keys = malloc((findings->count + 1) * sizeof *causes.keys)};
    findings->no_memory |= !causes.keys;
    for (size_t i = 0; i < findings->count && causes.keys; i++) {
        const struct check_finding *finding = &findings->items[i].finding;
        if (is_cause(finding->rule))
            causes.keys[causes.count++] = cause_key(finding->entry, finding->rule,
                                                    findings->items[i].subject);
    }
    if (causes.count)
        qsort(causes.keys, causes.count, sizeof *causes.keys, order_keys);
    return causes;
}

/* Returns true if the program of the finding also breaks a rule that causes the finding. */
static bool is_consequence(const struct causes *causes, const struct check_found *item)
{
    for (size_t i = 0; i < PAIRS && causes->count; i++) {
        uint64_t key = cause_key(item->finding.entry, pairs[i].cause,
                                 item->subject ^ pairs[i].other_subject);
        if (item->finding.rule == pairs[i].consequence &&
            bsearch(&key, causes->keys, causes->count, sizeof key, order_keys))
            return true;
    }
    return false;
}

/* --- reports --- */

/* Converts the first letter of a text to lower case, because diagnostics begin with a small letter.
 * A text that begins with a name or an abbreviation keeps its capital. */
static void begin_small(char *text)
{
    bool word = (text[1] >= 'a' && text[1] <= 'z') || (text[0] == 'A' && text[1] == ' ');
    if (word)
        text[0] = ascii_lower(text[0]);
}

static struct check_found *add(struct check_findings *findings)
{
    if (ARRAY_GROW(findings->items, findings->count))
        return &findings->items[findings->count++];
    findings->no_memory = true;
    return NULL;
}

void check_report(struct check_findings *findings, enum check_rule rule, uint32_t at,
                  struct check_about about, const char *format, ...)
{
    bool full = findings->limit && findings->count >= findings->limit && rule != CHECK_LIMIT;
    findings->too_many |= full;
    struct check_found *item = full ? NULL : add(findings);
    if (!item)
        return;
    struct check_spot spot = findings->spot(findings->user, at), other = {0};
    bool has_other = about.other != CHECK_NONE;
    if (has_other)
        other = findings->spot(findings->user, about.other);
    *item = (struct check_found){.finding = {rule, spot.address, has_other, other.address,
                                             about.distance, spot.bytes, other.bytes, spot.slot,
                                             other.slot, findings->entry, findings->kind, ""},
                                 .group = findings->by_program ? findings->entry : 0,
                                 .subject = about.subject,
                                 .last = is_usually_consequence(rule)};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(item->finding.text, sizeof item->finding.text, format, arguments);
    va_end(arguments);
    begin_small(item->finding.text);
}

void check_report_title(struct check_findings *findings, enum check_rule rule, uint32_t at,
                        struct check_about about)
{
    check_report(findings, rule, at, about, "%s", check_rule(rule)->title);
}

/* --- order --- */

static int order(const void *one, const void *other)
{
    const struct check_found *a = one, *b = other;
    const struct check_finding *x = &a->finding, *y = &b->finding;
    int by_group = order_u32(a->group, b->group);
    int by_cause = a->last - b->last;
    int by_address = order_u32(x->address, y->address);
    if (by_group || by_cause || by_address)
        return by_group ? by_group : by_cause ? by_cause : by_address;
    int by_rule = order_u32(x->rule, y->rule);
    int by_subject = order_u32(a->subject, b->subject);
    int by_distance = order_u32(x->distance, y->distance);
    int by_other = order_u32(x->other, y->other);
    return by_rule ? by_rule : by_subject ? by_subject : by_distance ? by_distance : by_other;
}

static bool is_same(const struct check_found *one, const struct check_found *other)
{
    return one->finding.address == other->finding.address &&
           one->finding.rule == other->finding.rule && one->subject == other->subject;
}

void check_findings_hand_over(struct check_findings *findings, struct check_sink sink)
{
    const struct check_found *last = NULL;
    struct causes causes = find_causes(findings);
    if (findings->count)
        qsort(findings->items, findings->count, sizeof *findings->items, order);
    for (size_t i = 0; i < findings->count; i++) {
        const struct check_found *item = &findings->items[i];
        if (!(last && is_same(last, item)) && sink.report && !is_consequence(&causes, item))
            sink.report(sink.user, &item->finding);
        last = item;
    }
    free(causes.keys);
}

void check_findings_free(struct check_findings *findings)
{
    free(findings->items);
    *findings = (struct check_findings){0};
}
