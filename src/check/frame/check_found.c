/* SPDX-License-Identifier: MIT */
/* check_found.c - see check_found.h. */
#include "check/frame/check_found.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/order.h"

/* Converts the first letter of a text to lower case, because diagnostics begin with a small letter.
 * A text that begins with a name or an abbreviation keeps its capital. */
static void begin_small(char *text)
{
    bool word = (text[1] >= 'a' && text[1] <= 'z') || (text[0] == 'A' && text[1] == ' ');
    if (text[0] >= 'A' && text[0] <= 'Z' && word)
        text[0] = (char)(text[0] - 'A' + 'a');
}

void check_finding_text(struct check_finding *finding, const char *format, va_list arguments)
{
    vsnprintf(finding->text, sizeof finding->text, format, arguments);
    begin_small(finding->text);
}

void check_found_add(struct check_found_list *list, const struct check_found *item,
                     const char *format, va_list arguments)
{
    if (list->count == list->capacity) {
        size_t wanted = list->capacity ? list->capacity * 2 : 32;
        struct check_found *larger = realloc(list->items, wanted * sizeof *larger);
        list->no_memory |= !larger;
        if (!larger)
            return;
        list->items = larger;
        list->capacity = wanted;
    }
    struct check_found *added = &list->items[list->count++];
    *added = *item;
    check_finding_text(&added->finding, format, arguments);
}

/* Returns true if the rule's findings are usually consequences of another mistake. */
static bool is_consequence(enum check_rule rule)
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

/* Orders findings by program. In each program, causes come before consequences. */
static int order(const void *one, const void *other)
{
    const struct check_found *a = one, *b = other;
    int by_program = order_u32(a->finding.entry, b->finding.entry);
    int by_cause = is_consequence(a->finding.rule) - is_consequence(b->finding.rule);
    if (by_program || by_cause)
        return by_program ? by_program : by_cause;
    int by_address = order_u32(a->finding.address, b->finding.address);
    int by_rule = order_u32(a->finding.rule, b->finding.rule);
    int by_subject = order_u32(a->subject, b->subject);
    int by_other = order_u32(a->finding.other, b->finding.other);
    return by_address ? by_address : by_rule ? by_rule : by_subject ? by_subject : by_other;
}

static bool is_same(const struct check_found *one, const struct check_found *other)
{
    return one->finding.address == other->finding.address &&
           one->finding.rule == other->finding.rule && one->subject == other->subject;
}

void check_found_hand_over(struct check_found_list *list, struct check_sink sink)
{
    const struct check_found *last = NULL;
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, order);
    for (size_t i = 0; i < list->count; i++) {
        const struct check_found *item = &list->items[i];
        if (!(last && is_same(last, item)) && sink.report)
            sink.report(sink.user, &item->finding);
        last = item;
    }
}

void check_found_free(struct check_found_list *list)
{
    free(list->items);
    *list = (struct check_found_list){0};
}
