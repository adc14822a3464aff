/* SPDX-License-Identifier: MIT */
/* assemble.c - connects the A2xx to the assembler core: its statements and its directives. */

#include "isa/a2xx/arrange.h"
#include "isa/a2xx/parse.h"
#include "isa/asm_isa.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* A directive whose argument is one of two words. */
static const struct {
    const char *name, *words[2];
    const char *usage;
} directives[] = {
    {"idle", {"maxs", "zero"}, ".idle maxs, .idle zero"},
    {"layout", {"clauses", "memory"}, ".layout clauses, .layout memory"},
};

static void apply(struct a2xx_state *state, size_t directive, unsigned word)
{
    if (directive == 0)
        state->idle = (enum a2xx_idle)word;
    else
        state->in_memory = word == 1;
}

static enum asm_taken directive(const struct asm_directive *directive, struct asm_error *error)
{
    struct a2xx_line line = {.text = directive->text,
                             .length = directive->length,
                             .at = directive->at,
                             .names = directive->names,
                             .error = error};
    size_t i = 0;
    while (i < COUNT(directives) &&
           !asm_is_name(directive->name, directive->name_length, directives[i].name))
        i++;
    if (i == COUNT(directives))
        return ASM_NOT_MINE;
    for (unsigned word = 0; word < COUNT(directives[i].words); word++)
        if (a2xx_accept_word(&line, directives[i].words[word])) {
            apply(directive->names->state, i, word);
            return a2xx_expect_end(&line, directives[i].usage) ? ASM_TAKEN : ASM_WRONG;
        }
    asm_fail(error, "a2xx-syntax", line.at, directives[i].usage, "expected '%s' or '%s'",
             directives[i].words[0], directives[i].words[1]);
    return ASM_WRONG;
}

static const char *directive_name(size_t index)
{
    return index < COUNT(directives) ? directives[index].name : NULL;
}

const struct asm_isa a2xx_asm_isa = {.alignment = 4,
                                     .unit = A2XX_SLOT_BYTES,
                                     .semicolon_comments = true,
                                     .is_word = a2xx_is_word,
                                     .begins = a2xx_begins,
                                     .statement = a2xx_statement,
                                     .arrange = a2xx_arrange,
                                     .directive = directive,
                                     .directive_name = directive_name,
                                     .state_size = sizeof(struct a2xx_state),
                                     .mnemonic = a2xx_mnemonic};
