/* SPDX-License-Identifier: MIT */
/* macro.c - macros: definition, call, and the text that \name stands for.
 *
 * An argument can be used in two ways. A bare name in the body is the argument's value (or the
 * operand that it is), computed where the macro is called, as in vc4asm. \name puts in the
 * argument's text, as in GNU as; \@ is a number that no other expansion has. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/internal.h"

static void macro_free(struct macro *macro)
{
    for (size_t i = 0; i < macro->parameter_count; i++) {
        free(macro->parameters[i].name);
        free(macro->parameters[i].preset);
    }
    free(macro->name);
    free(macro);
}

void as_macros_free(struct assembler *a)
{
    while (a->macros) {
        struct macro *next = a->macros->next;
        macro_free(a->macros);
        a->macros = next;
    }
}

const struct macro *as_macro_find(struct assembler *a, const char *name, size_t length)
{
    for (const struct macro *macro = a->macros; macro; macro = macro->next) {
        a->work++;
        if (strncmp(macro->name, name, length) == 0 && macro->name[length] == '\0')
            return macro;
    }
    return NULL;
}

/* The end of the argument that starts at the cursor: a comma outside brackets and quotes. */
static size_t argument_end(const struct cursor *c, bool blank_ends)
{
    size_t nested = 0;
    char quote = '\0';
    size_t at = c->at;
    for (; at < c->length; at++) {
        char character = c->text[at];
        if (quote) {
            if (character == '\\' && at + 1 < c->length)
                at++;
            else if (character == quote)
                quote = '\0';
        } else if (character == '"') {
            quote = character;
        } else if (character == '\'' && at + 2 < c->length && c->text[at + 2] == '\'') {
            at += 2;
        } else if (character == '(' || character == '[') {
            nested++;
        } else if (nested > 0 && (character == ')' || character == ']')) {
            nested--;
        } else if (nested == 0 && (character == ',' || (blank_ends && asm_is_blank(character)))) {
            break;
        }
    }
    return at;
}

static size_t trimmed(const char *text, size_t length)
{
    while (length > 0 && asm_is_blank(text[length - 1]))
        length--;
    return length;
}

/* NAME or NAME=PRESET; commas between parameters may be left out. */
static bool take_parameter(struct assembler *a, struct cursor *c, struct macro *macro)
{
    const char *name;
    size_t length = as_take_name(c, &name);
    if (length == 0 || macro->parameter_count == PARAMETERS_MAX) {
        as_report(a, "asm-syntax", c->at, NULL,
                  length == 0 ? "parameter name expected" : "too many parameters");
        return false;
    }
    struct macro_parameter *parameter = &macro->parameters[macro->parameter_count++];
    parameter->name = as_take_text(a, name, length);
    if (as_accept(c, '=')) {
        size_t end = argument_end(c, true);
        parameter->preset = as_take_text(a, c->text + c->at, end - c->at);
        c->at = end;
    }
    as_accept(c, ',');
    return !a->no_memory;
}

static bool take_parameters(struct assembler *a, struct cursor *c, struct macro *macro)
{
    as_accept(c, ',');
    while (!as_at_end(c))
        if (!take_parameter(a, c, macro))
            return false;
    return true;
}

void as_macro_define(struct assembler *a, struct cursor *c, const struct source_line *lines,
                     size_t count)
{
    const char *name;
    as_skip_blanks(c);
    size_t start = c->at, length = as_take_name(c, &name);
    const struct macro *other = length > 0 ? as_macro_find(a, name, length) : NULL;
    if (length == 0 || other) {
        as_report(a, length == 0 ? "asm-syntax" : "asm-redefined", start, NULL,
                  length == 0 ? "macro name expected" : "this macro is already defined");
        if (other)
            as_report_at(a, TESS_NOTE, "asm-redefined", other->line, "it was defined here");
        return;
    }
    struct macro *macro = calloc(1, sizeof *macro);
    char *copy = as_take_text(a, name, length);
    if (!macro || !copy) {
        free(macro);
        free(copy);
        as_out_of_memory(a);
        return;
    }
    *macro = (struct macro){.name = copy, .line = a->line, .body = lines, .body_count = count};
    if (!take_parameters(a, c, macro)) {
        macro_free(macro);
        return;
    }
    macro->next = a->macros;
    a->macros = macro;
}

/* Text that is neither a value nor an operand can still be put in with \name. */
static bool bind_argument(struct assembler *a, struct frame *frame, const char *name,
                          const char *text, size_t length)
{
    struct cursor c = {text, length, 0};
    struct definition definition;
    struct asm_error error = {0};
    if (!as_take_definition(a, &c, length, &definition, &error) && !definition.operand) {
        definition.operand = text;
        definition.operand_length = length;
    }
    if (!as_add_local(a, frame, name, strlen(name)))
        return false;
    struct local *local = &frame->locals[frame->local_count - 1];
    local->text = as_take_text(a, text, length);
    local->value = definition.value;
    if (definition.operand) {
        local->operand = as_take_text(a, definition.operand, definition.operand_length);
        a->has_operands = true;
    }
    return !a->no_memory;
}

static bool bind_arguments(struct assembler *a, const struct macro *macro, struct cursor *c,
                           struct frame *frame)
{
    for (size_t i = 0; i < macro->parameter_count; i++) {
        const struct macro_parameter *parameter = &macro->parameters[i];
        as_skip_blanks(c);
        size_t start = c->at, end = argument_end(c, false);
        const char *text = c->text + start;
        size_t length = trimmed(text, end - start);
        c->at = end;
        as_accept(c, ',');
        if (length == 0 && parameter->preset) {
            text = parameter->preset;
            length = strlen(text);
        } else if (length == 0) {
            as_report(a, "asm-macro", start, NULL, "macro '%s' needs an argument for '%s'",
                      macro->name, parameter->name);
            as_report_at(a, TESS_NOTE, "asm-macro", macro->line, "the macro is defined here");
            return false;
        }
        if (length > OPERAND_MAX) {
            as_report(a, "asm-limit", start, NULL, "argument is longer than %d characters",
                      OPERAND_MAX);
            return false;
        }
        if (!bind_argument(a, frame, parameter->name, text, length))
            return false;
    }
    if (as_at_end(c))
        return true;
    as_report(a, "asm-macro", c->at, NULL, "macro '%s' takes only %zu argument%s", macro->name,
              macro->parameter_count, macro->parameter_count == 1 ? "" : "s");
    as_report_at(a, TESS_NOTE, "asm-macro", macro->line, "the macro is defined here");
    return false;
}

void as_macro_call(struct assembler *a, const struct macro *macro, struct cursor *c)
{
    struct frame frame = {
        .kind = FRAME_MACRO, .name = macro->name, .call = a->line, .serial = a->serial++};
    as_skip_blanks(c);
    if (bind_arguments(a, macro, c, &frame) && as_enter(a, &frame)) {
        as_run_lines(a, macro->body, macro->body_count);
        as_leave(a, &frame);
    }
    as_free_locals(&frame);
}

static const struct frame *macro_frame(const struct assembler *a)
{
    const struct frame *frame = a->frame;
    while (frame && frame->kind == FRAME_LOOP)
        frame = frame->parent;
    return frame && frame->kind == FRAME_MACRO ? frame : NULL;
}

/* Puts in what the backslash at text[at] stands for; returns the length of what it replaces, or 0.
 */
static size_t substitute_one(struct assembler *a, const struct frame *frame, const char *text,
                             size_t length, size_t at, struct buffer *out)
{
    if (at + 1 < length && text[at + 1] == '@') {
        buffer_printf(out, "%u", frame->serial);
        return 2;
    }
    if (at + 2 < length && text[at + 1] == '(' && text[at + 2] == ')')
        return 3;
    size_t name = asm_name_length(text, length, at + 1);
    a->work += frame->local_count;
    for (size_t i = 0; name > 0 && i < frame->local_count; i++) {
        const struct local *local = &frame->locals[i];
        if (local->text && strlen(local->name) == name &&
            memcmp(local->name, text + at + 1, name) == 0) {
            buffer_printf(out, "%s", local->text);
            return name + 1;
        }
    }
    return 0;
}

bool as_macro_substitute(struct assembler *a, const char *text, size_t length, struct buffer *out)
{
    const struct frame *frame = macro_frame(a);
    if (!frame)
        return false;
    for (size_t at = 0; at < length && out->size <= LINE_MAX_LENGTH;) {
        size_t replaced = text[at] == '\\' ? substitute_one(a, frame, text, length, at, out) : 0;
        if (replaced == 0)
            buffer_byte(out, (uint8_t)text[at]);
        at += replaced == 0 ? 1 : replaced;
    }
    if (out->failed)
        as_out_of_memory(a);
    if (out->size > LINE_MAX_LENGTH) {
        as_report(a, "asm-limit", 0, NULL, "line is longer than %d characters after expansion",
                  LINE_MAX_LENGTH);
        a->stop = true;
    }
    return !a->no_memory && !a->stop;
}
