/* SPDX-License-Identifier: MIT */
/* suggest.c - what somebody may have meant who wrote a name that means nothing: the nearest known name, or the
 * include file that would define it. */
#include <stdio.h>
#include <string.h>

#include "asm/internal.h"
#include "base/order.h"

enum { SUGGESTION_MAX = 40 };

/* The nearest name so far. */
struct search {
    const char *name;
    size_t length;
    const char *best;
    size_t best_length;
    unsigned least; /* its distance; at first, what is too far */
};

static struct search begin(const char *name, size_t length)
{
    return (struct search){.name = name,
                           .length = length,
                           .least = length < 2   ? 1
                                    : length < 5 ? 2
                                                 : 3};
}

/* Levenshtein's distance; a big number for long names. */
static unsigned distance(const char *one, size_t one_length, const char *other, size_t other_length)
{
    unsigned row[SUGGESTION_MAX + 1];
    if (one_length > SUGGESTION_MAX || other_length > SUGGESTION_MAX)
        return SUGGESTION_MAX;
    for (unsigned k = 0; k <= other_length; k++)
        row[k] = k;
    for (unsigned i = 0; i < one_length; i++) {
        unsigned diagonal = row[0];
        row[0] = i + 1;
        for (size_t k = 0; k < other_length; k++) {
            unsigned changed = diagonal + (one[i] != other[k]);
            diagonal = row[k + 1];
            row[k + 1] = least_u32(changed, least_u32(row[k], diagonal) + 1);
        }
    }
    return row[other_length];
}

static void consider(struct search *search, const char *other, size_t length)
{
    unsigned d = distance(search->name, search->length, other, length);
    if (d >= search->least)
        return;
    search->best = other;
    search->best_length = length;
    search->least = d;
}

static void consider_all(struct search *search, const char *(*name)(size_t index))
{
    const char *other;
    for (size_t i = 0; name && (other = name(i)); i++)
        consider(search, other, strlen(other));
}

static void consider_macros(struct search *search, const struct macro *macro, enum macro_kind kind)
{
    for (; macro; macro = macro->next)
        if (macro->kind == kind)
            consider(search, macro->name, strlen(macro->name));
}

static const char *finish(struct assembler *a, const struct search *search, const char *before)
{
    if (!search->best)
        return NULL;
    snprintf(a->suggestion, sizeof a->suggestion, "did you mean %s%.*s?", before,
             (int)search->best_length, search->best);
    return a->suggestion;
}

static const char *name_library(struct assembler *a)
{
    const char *name = a->request->isa->library;
    snprintf(a->suggestion, sizeof a->suggestion, ".include <%s> or -i %s defines it", name, name);
    return a->suggestion;
}

const char *as_suggest_directive(struct assembler *a, const char *name, size_t length)
{
    struct search search = begin(name, length);
    consider_all(&search, as_directive_name);
    consider_all(&search, a->request->isa->directive_name);
    return finish(a, &search, ".");
}

const char *as_suggest_statement(struct assembler *a, const char *name, size_t length)
{
    struct search search = begin(name, length);
    if (as_standard_defines(a, name, length, true))
        return name_library(a);
    consider_macros(&search, a->macros, MACRO_CODE);
    consider_all(&search, a->request->isa->mnemonic);
    return finish(a, &search, "");
}

static void consider_locals(struct search *search, const struct frame *frame)
{
    for (; frame; frame = frame->parent)
        for (size_t i = 0; i < frame->local_count; i++)
            consider(search, frame->locals[i].name, frame->locals[i].length);
}

static void consider_symbols(struct search *search, const struct asm_symbols *symbols)
{
    for (size_t i = 0; i < symbols->count; i++)
        if (symbols->items[i].pass > 0)
            consider(search, symbols->items[i].name, strlen(symbols->items[i].name));
}

const char *as_suggest_symbol(struct assembler *a, const char *name, size_t length)
{
    const struct asm_operands *operands = a->request->isa->operands;
    struct search search = begin(name, length);
    if (as_standard_defines(a, name, length, false))
        return name_library(a);
    consider_locals(&search, a->frame);
    consider_symbols(&search, &a->program->constants);
    consider_symbols(&search, &a->program->labels);
    consider_macros(&search, a->macros, MACRO_FUNCTION);
    consider_all(&search, operands ? operands->name : NULL);
    return finish(a, &search, "");
}
