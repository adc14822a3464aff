/* SPDX-License-Identifier: MIT */
/* suggest.c - hints for unknown names: the most similar known name, or the include file that
 * defines the name. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "asm/internal.h"
#include "base/ascii.h"
#include "base/nearest.h"

static void consider_all(struct nearest *search, const char *(*name)(size_t index))
{
    const char *other;
    for (size_t i = 0; name && (other = name(i)); i++)
        nearest_consider(search, other, strlen(other));
}

static void consider_macros(struct nearest *search, const struct macro *macro, enum macro_kind kind)
{
    for (; macro; macro = macro->next)
        if (macro->kind == kind)
            nearest_consider(search, macro->name, strlen(macro->name));
}

static const char *finish(struct assembler *a, const struct nearest *search, const char *before)
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
    snprintf(a->suggestion, sizeof a->suggestion, "write .include <%s>, which defines the name",
             name);
    a->setting = TESS_SETTING_INCLUDE;
    return a->suggestion;
}

const char *as_suggest_near(struct assembler *a, const char *near)
{
    snprintf(a->suggestion, sizeof a->suggestion, "did you mean %s?", near);
    return a->suggestion;
}

const char *as_suggest_directive(struct assembler *a, const char *name, size_t length)
{
    struct nearest search = nearest_begin(name, length);
    consider_all(&search, as_directive_name);
    consider_all(&search, source_mark_name);
    consider_all(&search, a->request->isa->directive_name);
    return finish(a, &search, ".");
}

const char *as_suggest_statement(struct assembler *a, const char *name, size_t length)
{
    struct nearest search = nearest_begin(name, length);
    if (as_standard_defines(a, name, length, true))
        return name_library(a);
    consider_macros(&search, a->macros, MACRO_CODE);
    consider_all(&search, a->request->isa->mnemonic);
    return finish(a, &search, "");
}

static bool is_mnemonic(const struct assembler *a, const char *name, size_t length)
{
    const char *(*mnemonic)(size_t index) = a->request->isa->mnemonic, *known;
    for (size_t i = 0; mnemonic && (known = mnemonic(i)); i++)
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            return true;
    return false;
}

/* Returns true if a statement may be a label without its colon: the statement has no second word,
 * or its second word is an instruction. */
static bool may_be_label(const struct assembler *a, const char *text, size_t length, size_t name)
{
    size_t at = name;
    while (at < length && asm_is_blank(text[at]))
        at++;
    size_t next = at;
    while (next < length && (ascii_in_name(text[next]) || text[next] == '.'))
        next++;
    return at == length ||
           (at > name && (is_mnemonic(a, text + at, next - at) ||
                          is_mnemonic(a, text + at, asm_name_length(text, length, at))));
}

const char *as_suggest_first(struct assembler *a, const char *text, size_t length,
                             const struct asm_error *error)
{
    size_t name = asm_name_length(text, length, 0);
    const char *hint = as_suggest_statement(a, text, error->name ? error->name_length : name);
    static const char prefix[] = "did you mean ";
    const char *near = hint ? hint + strlen(prefix) : "";
    bool cased = hint && strncmp(hint, prefix, strlen(prefix)) == 0 &&
                 strncasecmp(near, text, name) == 0 && near[name] == '?';
    if (name == 0 || name > 40 || cased || !may_be_label(a, text, length, name))
        return hint;
    char known[sizeof a->suggestion];
    snprintf(known, sizeof known, "%s", hint ? hint : "");
    snprintf(a->suggestion, sizeof a->suggestion, "%.60s%send a label with a colon: %.*s:%s", known,
             hint ? " (" : "", (int)name, text, hint ? ")" : "");
    return a->suggestion;
}

static void consider_locals(struct nearest *search, const struct frame *frame)
{
    for (; frame; frame = frame->parent)
        for (size_t i = 0; i < frame->local_count; i++)
            nearest_consider(search, frame->locals[i].name, frame->locals[i].length);
}

static void consider_symbols(struct nearest *search, const struct asm_symbols *symbols)
{
    for (size_t i = 0; i < symbols->count; i++)
        if (symbols->items[i].pass > 0)
            nearest_consider(search, symbols->items[i].name, strlen(symbols->items[i].name));
}

const char *as_suggest_symbol(struct assembler *a, const char *name, size_t length)
{
    const struct asm_operands *operands = a->request->isa->operands;
    struct nearest search = nearest_begin(name, length);
    if (as_standard_defines(a, name, length, false))
        return name_library(a);
    consider_locals(&search, a->frame);
    consider_symbols(&search, &a->program->constants);
    consider_symbols(&search, &a->program->labels);
    consider_macros(&search, a->macros, MACRO_FUNCTION);
    consider_all(&search, operands ? operands->name : NULL);
    for (size_t i = 0; asm_function_name(i); i++)
        nearest_consider(&search, asm_function_name(i), strlen(asm_function_name(i)));
    return finish(a, &search, "");
}
