/* SPDX-License-Identifier: MIT */
/* macro.c - macros and functions: definition, call, substitution of arguments.
 *
 * The body can use an argument in two forms. A bare name is the argument's value or operand,
 * evaluated at the call, as in vc4asm. \name is replaced by the argument's text, as in GNU as. \@
 * is replaced by a number that is unique to the expansion. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/internal.h"
#include "base/array.h"

static void macro_free(struct macro *macro)
{
    for (size_t i = 0; i < macro->parameter_count; i++) {
        free(macro->parameters[i].name);
        free(macro->parameters[i].preset);
    }
    free(macro->parameters);
    free(macro->expression);
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
    symbols_free(&a->macro_names);
    symbols_free(&a->function_names);
    free(a->by_number);
    a->by_number = NULL;
    a->by_number_count = 0;
}

static const struct macro *find(const struct assembler *a, const struct asm_symbols *names,
                                const char *name, size_t length)
{
    const struct asm_symbol *symbol = symbols_find(names, name, length);
    return symbol ? a->by_number[symbol->value.integer] : NULL;
}

const struct macro *as_macro_find(struct assembler *a, const char *name, size_t length)
{
    return find(a, &a->macro_names, name, length);
}

const void *as_function_find(void *user, const char *name, size_t length, size_t *parameters)
{
    const struct assembler *a = user;
    const struct macro *function = find(a, &a->function_names, name, length);
    if (function)
        *parameters = function->parameter_count;
    return function;
}

/* Returns the end of the argument at the cursor: the next comma outside of brackets and quotes, or,
 * if blank_ends is true, the next blank. */
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

/* --- definition --- */

/* Reads NAME or NAME=DEFAULT. Commas between parameters are optional. */
static bool take_parameter(struct assembler *a, struct cursor *c, struct macro *macro)
{
    const char *name;
    size_t length = ASM_TAKE_NAME(c, &name);
    if (length == 0 || macro->parameter_count == PARAMETERS_MAX) {
        as_report(a, "asm-syntax", c->at, NULL,
                  length == 0 ? "expected a parameter name" : "too many parameters");
        return false;
    }
    if (!ARRAY_GROW(macro->parameters, macro->parameter_count)) {
        as_out_of_memory(a);
        return false;
    }
    struct macro_parameter *parameter = &macro->parameters[macro->parameter_count++];
    *parameter = (struct macro_parameter){.name = as_take_text(a, name, length)};
    if (as_accept(c, '=')) {
        size_t end = argument_end(c, true);
        parameter->preset = as_take_text(a, c->text + c->at, end - c->at);
        c->at = end;
    }
    return !a->no_memory;
}

/* Reads "(A, B)", or "A, B" or "A B" up to the end of the line. */
static bool take_parameters(struct assembler *a, struct cursor *c, struct macro *macro)
{
    bool closed = as_accept(c, '(');
    if (!closed)
        as_accept(c, ',');
    while (closed ? !as_accept(c, ')') : !as_at_end(c)) {
        if (!take_parameter(a, c, macro))
            return false;
        ASM_PEEK(c);
        if (!as_accept(c, ',') && closed && (c->at == c->length || c->text[c->at] != ')')) {
            as_report(a, "asm-syntax", c->at, NULL, "expected ',' or ')' after a parameter");
            return false;
        }
    }
    return true;
}

static const char *kind_name(enum macro_kind kind)
{
    return kind == MACRO_CODE ? "macro" : "function";
}

/* Defines the macro's name. The assembler owns the macro from now on. */
static void add(struct assembler *a, struct macro *macro, size_t offset)
{
    struct asm_symbols *names = macro->kind == MACRO_CODE ? &a->macro_names : &a->function_names;
    const struct macro *other = find(a, names, macro->name, strlen(macro->name));
    macro->next = a->macros;
    a->macros = macro;
    /* A file may redefine a macro of an included file, as the sources of hello_fft do. Only a
     * redefinition within one file causes a warning. */
    if (other && other->line->file == macro->line->file) {
        as_warn(a, "asm-redefined", offset, NULL, "%s '%s' is redefined", kind_name(macro->kind),
                macro->name);
        as_report_at(a, TESS_NOTE, "asm-redefined", other->line, "the previous definition is here");
    }
    if (!ARRAY_GROW(a->by_number, a->by_number_count)) {
        as_out_of_memory(a);
        return;
    }
    struct asm_symbol *symbol = symbols_add(names, macro->name, strlen(macro->name));
    if (!symbol) {
        as_out_of_memory(a);
        return;
    }
    symbol->value.integer = (int64_t)a->by_number_count;
    a->by_number[a->by_number_count++] = macro;
}

static struct macro *new_macro(struct assembler *a, enum macro_kind kind, const char *name,
                               size_t length)
{
    struct macro *macro = calloc(1, sizeof *macro);
    char *copy = as_take_text(a, name, length);
    if (!macro || !copy) {
        free(macro);
        free(copy);
        as_out_of_memory(a);
        return NULL;
    }
    macro->kind = kind;
    macro->name = copy;
    macro->line = a->line;
    return macro;
}

static bool has_backslash(const struct macro *macro)
{
    for (size_t i = 0; i < macro->body_count; i++)
        if (memchr(macro->body[i].clean, '\\', macro->body[i].length))
            return true;
    return false;
}

void as_macro_define(struct assembler *a, struct cursor *c, enum macro_kind kind,
                     const struct source_line *lines, size_t count)
{
    const char *name;
    ASM_PEEK(c);
    size_t start = c->at, length = ASM_TAKE_NAME(c, &name);
    if (length == 0) {
        as_report(a, "asm-syntax", start, NULL, "expected a %s name", kind_name(kind));
        return;
    }
    struct macro *macro = new_macro(a, kind, name, length);
    if (!macro)
        return;
    macro->body = lines;
    macro->body_count = count;
    macro->has_text = has_backslash(macro);
    if (take_parameters(a, c, macro) && as_expect_end(a, c))
        add(a, macro, start);
    else
        macro_free(macro);
}

void as_define_function(struct assembler *a, struct cursor *c, const char *name, size_t length)
{
    size_t start = c->at;
    struct macro *macro = new_macro(a, MACRO_EXPRESSION, name, length);
    if (!macro)
        return;
    if (!take_parameters(a, c, macro)) {
        macro_free(macro);
        return;
    }
    as_accept(c, ',');
    ASM_PEEK(c);
    macro->expression = as_take_text(a, c->text, c->length);
    macro->expression_offset = c->at;
    if (as_at_end(c))
        as_report(a, "asm-syntax", c->at, NULL, "the function has no expression");
    add(a, macro, start);
}

/* --- macro calls --- */

static void bind_value(struct assembler *a, struct frame *frame, const char *name,
                       const struct asm_value *value)
{
    struct local *local = as_add_local(a, frame, name, strlen(name), false);
    if (!local)
        return;
    local->value = *value;
    local->has_value = true;
}

static void wrong_count(struct assembler *a, const struct macro *macro, size_t offset, size_t found)
{
    if (found < macro->parameter_count)
        as_report(a, "asm-macro", offset, NULL, "macro '%s' requires an argument for '%s'",
                  macro->name, macro->parameters[found].name);
    else if (macro->parameter_count == 0)
        as_report(a, "asm-macro", offset, NULL, "macro '%s' takes no arguments", macro->name);
    else
        as_report(a, "asm-macro", offset, NULL, "macro '%s' takes only %zu argument%s", macro->name,
                  macro->parameter_count, macro->parameter_count == 1 ? "" : "s");
    as_report_at(a, TESS_NOTE, "asm-macro", macro->line, "the macro is defined here");
}

/* Binds a parameter to the argument's text, and to its value if the text is an expression. */
static bool bind_text(struct assembler *a, struct frame *frame, const char *name, const char *text,
                      size_t length, size_t offset)
{
    if (length > ARGUMENT_MAX) {
        as_report(a, "asm-limit", offset, NULL, "the argument is longer than %d characters",
                  ARGUMENT_MAX);
        return false;
    }
    struct asm_names names = as_names_here(a);
    struct asm_error error;
    struct asm_value value = {0};
    size_t at = 0;
    a->silent++;
    bool good = asm_evaluate(text, length, &at, &names, &value, &error) && at == length;
    a->silent--;
    a->said = false;
    struct local *local = as_add_local(a, frame, name, strlen(name), false);
    if (!local)
        return false;
    local->value = value;
    local->has_value = good;
    local->text = as_take_text(a, text, length);
    return !a->no_memory;
}

static bool bind_texts(struct assembler *a, const struct macro *macro, struct cursor *c,
                       struct frame *frame)
{
    for (size_t i = 0; i < macro->parameter_count; i++) {
        const struct macro_parameter *parameter = &macro->parameters[i];
        ASM_PEEK(c);
        size_t start = c->at, end = argument_end(c, false);
        const char *text = c->text + start;
        size_t length = trimmed(text, end - start);
        c->at = end;
        as_accept(c, ',');
        if (length == 0 && parameter->preset) {
            text = parameter->preset;
            length = strlen(text);
        } else if (length == 0) {
            wrong_count(a, macro, start, i);
            return false;
        }
        if (!bind_text(a, frame, parameter->name, text, length, start))
            return false;
    }
    if (as_at_end(c))
        return true;
    wrong_count(a, macro, c->at, macro->parameter_count);
    return false;
}

static bool bind_preset(struct assembler *a, struct frame *frame,
                        const struct macro_parameter *parameter)
{
    struct cursor c = {parameter->preset, strlen(parameter->preset), 0};
    struct asm_value value;
    if (!as_evaluate(a, &c, &value) || !as_expect_end(a, &c))
        return false;
    bind_value(a, frame, parameter->name, &value);
    return !a->no_memory;
}

/* Binds the parameters to values, which are evaluated at the call. */
static bool bind_values(struct assembler *a, const struct macro *macro, struct cursor *c,
                        struct frame *frame)
{
    for (size_t i = 0; i < macro->parameter_count; i++) {
        const struct macro_parameter *parameter = &macro->parameters[i];
        struct asm_value value;
        bool empty = as_at_end(c) || c->text[c->at] == ',';
        if (empty && !parameter->preset) {
            wrong_count(a, macro, c->at, i);
            return false;
        }
        if (empty && !bind_preset(a, frame, parameter))
            return false;
        if (!empty && !as_evaluate(a, c, &value))
            return false;
        if (!empty)
            bind_value(a, frame, parameter->name, &value);
        if (!as_accept(c, ','))
            continue;
        if (i + 1 == macro->parameter_count) {
            wrong_count(a, macro, c->at, i + 1);
            return false;
        }
    }
    if (as_at_end(c))
        return !a->no_memory;
    if (macro->parameter_count == 0)
        wrong_count(a, macro, c->at, 0);
    else
        as_expect_end(a, c);
    return false;
}

void as_macro_call(struct assembler *a, const struct macro *macro, struct cursor *c)
{
    struct frame frame = {
        .kind = FRAME_MACRO, .name = macro->name, .call = a->line, .serial = a->serial++};
    ASM_PEEK(c);
    bool bound = macro->has_text ? bind_texts(a, macro, c, &frame)
                                 : bind_values(a, macro, c, &frame);
    if (bound && as_enter(a, &frame)) {
        as_run_lines(a, macro->body, macro->body_count);
        as_leave(a, &frame);
    }
    as_free_locals(&frame);
}

/* --- function calls --- */

static void evaluate_body(struct assembler *a, const struct macro *function, struct frame *frame)
{
    struct cursor c = {function->expression, strlen(function->expression),
                       function->expression_offset};
    const struct source_line *caller = a->line;
    bool changed = a->line_changed;
    size_t statement = a->statement;
    a->line = function->line;
    a->line_changed = false;
    as_charge(a, WORK_LINE);
    frame->has_result = !a->stop && as_evaluate(a, &c, frame->result) && as_expect_end(a, &c);
    a->line = caller;
    a->line_changed = changed;
    a->statement = statement;
}

bool as_function_call(void *user, const void *object, const struct asm_value *arguments,
                      struct asm_value *result, struct asm_error *error)
{
    struct assembler *a = user;
    const struct macro *function = object;
    struct frame frame = {.kind = FRAME_FUNCTION,
                          .name = function->name,
                          .call = a->line,
                          .serial = a->serial++,
                          .result = result};
    *result = (struct asm_value){.unknown = true};
    for (size_t i = 0; i < function->parameter_count; i++)
        bind_value(a, &frame, function->parameters[i].name, &arguments[i]);
    uint32_t before = a->errors;
    if (!a->no_memory && as_enter(a, &frame)) {
        if (function->kind == MACRO_EXPRESSION)
            evaluate_body(a, function, &frame);
        else
            as_run_lines(a, function->body, function->body_count);
        as_leave(a, &frame);
    }
    as_free_locals(&frame);
    if (frame.has_result)
        return true;
    a->said = a->errors > before || a->stop;
    return asm_fail(error, "asm-function", 0, NULL, "function '%.100s' returns no result",
                    function->name);
}

/* --- substitution of text --- */

static const struct frame *macro_frame(const struct assembler *a)
{
    const struct frame *frame = a->frame;
    while (frame && (frame->kind == FRAME_LOOP || frame->kind == FRAME_BLOCK))
        frame = frame->parent;
    return frame && frame->kind != FRAME_FILE ? frame : NULL;
}

/* Appends the replacement for the backslash sequence at text[at]. Returns the length of the
 * sequence, or 0 if it is not replaced. */
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
        if (local->text && local->length == name && memcmp(local->name, text + at + 1, name) == 0) {
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
        as_report(a, "asm-limit", 0, NULL, "the line is longer than %d characters after expansion",
                  LINE_MAX_LENGTH);
        a->stop = true;
    }
    return !a->no_memory && !a->stop;
}
