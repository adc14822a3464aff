/* SPDX-License-Identifier: MIT */
/* view.c - see view.h. */
#include "isa/a2xx/view.h"

#include <stdlib.h>

#include "base/bits.h"
#include "isa/a2xx/facts.h"

static const uint32_t *slot_words(const struct a2xx_view *view, size_t slot)
{
    return view->words + slot * A2XX_WORDS;
}

static size_t cf_count(const struct a2xx_view *view)
{
    return view->cf_slots * A2XX_CF_PER_SLOT;
}

static struct a2xx_cf cf_at(const struct a2xx_view *view, size_t number)
{
    const uint32_t *words = slot_words(view, number / A2XX_CF_PER_SLOT);
    return a2xx_decode_cf(a2xx_cf_half(words, number % A2XX_CF_PER_SLOT));
}

/* --- kinds of slots --- */

static void mark_serialized(struct a2xx_view *view)
{
    for (size_t i = 0; i < cf_count(view); i++) {
        struct a2xx_cf cf = cf_at(view, i);
        if (cf.form != A2XX_FORM_EXEC)
            continue;
        for (unsigned k = 0; k < cf.exec.count && cf.exec.address + k < view->slots; k++)
            view->serialized[cf.exec.address + k] |= a2xx_is_serialized(&cf.exec, k);
    }
}

/* Returns true if the program has the layout that the assembler generates, in which the clauses are
 * adjacent and in the order of control flow. Sets *end to the slot after the last clause. */
static bool is_laid_out(const struct a2xx_view *view, size_t *end)
{
    size_t next = view->cf_slots;
    for (size_t i = 0; i < cf_count(view); i++) {
        struct a2xx_cf cf = cf_at(view, i);
        if (cf.form != A2XX_FORM_EXEC)
            continue;
        bool follows = cf.exec.address == next && cf.exec.count <= A2XX_CLAUSE_MAX;
        if (!follows || cf.exec.sequence >> 2 * cf.exec.count)
            return false;
        next += cf.exec.count;
    }
    *end = next;
    return next <= view->slots;
}

static bool is_fetch(const struct a2xx_view *view, size_t slot)
{
    return view->kinds[slot] == A2XX_SLOT_FETCH;
}

/* --- settings of the text --- */

static enum a2xx_idle find_idle(const struct a2xx_view *view)
{
    size_t fits[] = {[A2XX_IDLE_MAXS] = 0, [A2XX_IDLE_ZERO] = 0};
    for (size_t i = view->cf_slots; i < view->slots; i++) {
        struct a2xx_alu alu = a2xx_decode_alu(slot_words(view, i));
        if (view->kinds[i] != A2XX_SLOT_ALU || !a2xx_is_alu_expressible(&alu))
            continue;
        fits[A2XX_IDLE_MAXS] += a2xx_is_scalar_default(&alu, A2XX_IDLE_MAXS);
        fits[A2XX_IDLE_ZERO] += a2xx_is_scalar_default(&alu, A2XX_IDLE_ZERO);
    }
    return fits[A2XX_IDLE_ZERO] > fits[A2XX_IDLE_MAXS] ? A2XX_IDLE_ZERO : A2XX_IDLE_MAXS;
}

static void find_fetches(struct a2xx_view *view)
{
    view->first_fetch = view->slots;
    view->whole_fetches = view->in_memory;
    for (size_t i = view->slots; i-- > view->cf_slots;) {
        struct a2xx_fetch fetch = a2xx_decode_fetch(slot_words(view, i));
        if (!is_fetch(view, i))
            continue;
        if (fetch.form == A2XX_FORM_VERTEX)
            view->first_fetch = i;
        if (!a2xx_is_fetch_expressible(&fetch, view->variant))
            view->whole_fetches = true;
    }
}

struct a2xx_view *a2xx_view_make(const uint8_t *bytes, size_t slots, enum tess_a2xx_variant variant)
{
    size_t word_bytes = slots * A2XX_SLOT_BYTES;
    struct a2xx_view *view = calloc(1, sizeof *view + word_bytes + 2 * slots);
    if (!view)
        return NULL;
    *view = (struct a2xx_view){.words = (uint32_t *)(view + 1), .slots = slots, .variant = variant};
    view->kinds = (uint8_t *)view->words + word_bytes;
    view->serialized = view->kinds + slots;
    for (size_t i = 0; i < slots * A2XX_WORDS; i++)
        view->words[i] = load_le32(bytes + 4 * i);
    view->cf_slots = a2xx_cf_slots(view->words, slots);
    a2xx_slot_kinds(view->words, slots, view->cf_slots, view->kinds);
    mark_serialized(view);
    size_t end;
    view->in_memory = !is_laid_out(view, &end);
    if (!view->in_memory)
        view->slots = end;
    view->idle = find_idle(view);
    find_fetches(view);
    return view;
}

struct a2xx_surroundings a2xx_view_around(const struct a2xx_view *view, size_t slot, unsigned half)
{
    return (struct a2xx_surroundings){.variant = view->variant,
                                      .idle = view->idle,
                                      .first_fetch = slot == view->first_fetch,
                                      .whole_fetches = view->whole_fetches,
                                      .in_memory = view->in_memory,
                                      .number = (uint32_t)(slot * A2XX_CF_PER_SLOT + half)};
}

void a2xx_view_put(struct text *text, const struct a2xx_view *view, size_t slot,
                   struct operation_list *operations)
{
    struct a2xx_surroundings around = a2xx_view_around(view, slot, 0);
    bool serialized = !view->in_memory && view->serialized[slot];
    around.operations = operations;
    text_put(text, serialized ? "   " : "      ");
    operation_list_begin(operations, text, A2XX_UNIT_VECTOR);
    text_put(text, serialized ? "(S)" : "");
    if (is_fetch(view, slot))
        a2xx_put_fetch(text, slot_words(view, slot), &around);
    else if (view->kinds[slot] == A2XX_SLOT_ALU)
        a2xx_put_alu(text, slot_words(view, slot), &around);
    else
        a2xx_put_raw(text, slot_words(view, slot), false);
    operation_list_end(operations, text);
}

void a2xx_view_each(const struct a2xx_view *view,
                    void (*take)(void *user, size_t slot, unsigned half), void *user)
{
    for (size_t i = 0; i < cf_count(view); i++) {
        struct a2xx_cf cf = cf_at(view, i);
        take(user, i / A2XX_CF_PER_SLOT, i % A2XX_CF_PER_SLOT);
        for (size_t k = 0; !view->in_memory && cf.form == A2XX_FORM_EXEC && k < cf.exec.count; k++)
            take(user, cf.exec.address + k, 0);
    }
    for (size_t i = view->cf_slots; view->in_memory && i < view->slots; i++)
        take(user, i, 0);
}
