/* SPDX-License-Identifier: MIT */
/* asm.c - symbols and diagnostics of the assembler. statement.c and block.c run lines.
 *
 * In:      names and expressions of the current line.
 * Out:     values; symbols of the program; diagnostics with the source position.
 * Source:  the vc4asm manual (maazl/vc4asm, doc/directives.html); GNU as for the syntax that
 *          articles and demos use.
 * Differs: a bare name may be a label (vc4asm requires ":name"). A constant takes precedence over a
 *          label of the same name. */
#include "asm/asm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/internal.h"
#include "base/array.h"
#include "base/diag.h"

/* --- diagnostics --- */

static void put_line(struct tess_finding *diag, const struct source_line *line)
{
    if (!line)
        return;
    diag->file = line->file->path;
    diag->line = line->number;
    diag->source_line = line->raw;
}

static void give_up(struct assembler *a)
{
    struct tess_finding diag = {.level = TESS_NOTE,
                                .id = "asm-limit",
                                .hint = "fix these errors first, or ask for more errors",
                                .setting = TESS_SETTING_MESSAGES,
                                .more = true};
    a->stop = true;
    put_line(&diag, a->line);
    diag_report(a->request->sink, &diag, "too many errors; stopping");
}

static uint32_t most_errors(const struct assembler *a)
{
    return a->request->max_errors ? a->request->max_errors : ASM_ERRORS;
}

static void send(struct assembler *a, struct tess_finding *diag, const struct source_line *line,
                 const char *format, va_list arguments)
{
    put_line(diag, line);
    diag_vreport(a->request->sink, diag, format, arguments);
}

void as_report_at(struct assembler *a, enum tess_level severity, const char *rule,
                  const struct source_line *line, const char *format, ...)
{
    if (a->pass == 1 || a->silent > 0)
        return;
    a->errors += severity == TESS_ERROR;
    struct tess_finding diag = {.level = severity, .id = rule};
    va_list arguments;
    va_start(arguments, format);
    send(a, &diag, line, format, arguments);
    va_end(arguments);
}

static const char *const frame_notes[] = {
    [FRAME_FILE] = "'%s' included here",
    [FRAME_MACRO] = "in the expansion of macro '%s'",
    [FRAME_FUNCTION] = "in the call of function '%s'",
    [FRAME_LOOP] = "in the repetition by %s",
    [FRAME_BLOCK] = NULL,
};

/* Reports the inclusions, macros and loops that contain the line of an error. */
static void report_frames(struct assembler *a)
{
    unsigned notes = 0;
    for (const struct frame *frame = a->frame; frame && notes < 8; frame = frame->parent) {
        if (!frame->call || !frame_notes[frame->kind])
            continue;
        notes++;
        as_report_at(a, TESS_NOTE, "asm-context", frame->call, frame_notes[frame->kind],
                     frame->name);
    }
}

static bool in_loop(const struct frame *frame)
{
    while (frame && frame->kind != FRAME_LOOP)
        frame = frame->parent;
    return frame != NULL;
}

/* Returns true if a loop has already reported the same message for this line. Remembers the latest
 * SAID_MAX messages. */
static bool is_repeated(struct assembler *a, const struct tess_finding *diag, const char *format,
                        va_list arguments)
{
    char text[200];
    if (!a->line || !in_loop(a->frame))
        return false;
    int length = vsnprintf(text, sizeof text, format, arguments);
    size_t shown = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    struct said said = {a->line, diag->column, asm_hash(text, shown)};
    for (size_t i = 0; i < SAID_MAX; i++)
        if (a->in_loops[i].line == said.line && a->in_loops[i].column == said.column &&
            a->in_loops[i].hash == said.hash)
            return true;
    a->in_loops[a->in_loops_seen++ % SAID_MAX] = said;
    return false;
}

static void report(struct assembler *a, struct tess_finding *diag, size_t offset,
                   const char *format, va_list arguments)
{
    a->withheld += a->pass == 1;
    if (a->pass == 1 || a->stop || a->silent > 0)
        return;
    if (a->line)
        diag->column = (uint32_t)(a->line_changed ? a->statement : offset) + 1;
    va_list again;
    va_copy(again, arguments);
    bool repeated = is_repeated(a, diag, format, again);
    va_end(again);
    if (!repeated) {
        send(a, diag, a->line, format, arguments);
        report_frames(a);
    }
    if (diag->level == TESS_ERROR && ++a->errors == most_errors(a))
        give_up(a);
}

void as_say(struct assembler *a, enum tess_level severity, const char *rule, size_t offset,
            const char *hint, const char *format, ...)
{
    struct tess_finding diag = {.level = severity, .id = rule, .hint = hint, .setting = a->setting};
    va_list arguments;
    va_start(arguments, format);
    report(a, &diag, offset, format, arguments);
    va_end(arguments);
}

void as_report_error(struct assembler *a, const struct asm_error *error, size_t base)
{
    const char *hint = error->near ? as_suggest_near(a, error->near) : error->hint;
    if (!hint && error->name && a->pass != 1)
        hint = as_suggest_symbol(a, error->name, error->name_length);
    if (hint == error->hint && error->setting)
        a->setting = error->setting;
    if (!a->said)
        as_report(a, error->rule, base + error->offset, hint, "%s", error->text);
    a->setting = TESS_SETTING_NONE;
    a->said = false;
}

void as_out_of_memory(struct assembler *a)
{
    a->no_memory = a->stop = true;
}

/* --- local names --- */

static struct local *find_in_frame(struct frame *frame, const char *name, size_t length,
                                   uint32_t hash)
{
    for (size_t i = frame->local_count; i > 0; i--) {
        struct local *local = &frame->locals[i - 1];
        if (local->hash == hash && local->length == length &&
            memcmp(local->name, name, length) == 0)
            return local;
    }
    return NULL;
}

static struct local *find_local(struct assembler *a, const char *name, size_t length, uint32_t hash)
{
    struct local *found = NULL;
    for (struct frame *frame = a->frame; frame && !found; frame = frame->parent) {
        a->work += frame->local_count;
        found = find_in_frame(frame, name, length, hash);
    }
    return found;
}

struct local *as_find_local(struct assembler *a, const char *name, size_t length)
{
    return find_local(a, name, length, asm_hash(name, length));
}

struct local *as_own_local(struct frame *frame, const char *name, size_t length)
{
    return find_in_frame(frame, name, length, asm_hash(name, length));
}

struct local *as_add_local(struct assembler *a, struct frame *frame, const char *name,
                           size_t length, bool copy)
{
    if (!ARRAY_GROW(frame->locals, frame->local_count)) {
        as_out_of_memory(a);
        return NULL;
    }
    char *owned = copy ? as_take_text(a, name, length) : NULL;
    if (copy && !owned)
        return NULL;
    struct local *local = &frame->locals[frame->local_count++];
    *local = (struct local){.name = copy ? owned : name,
                            .owned = owned,
                            .length = length,
                            .hash = asm_hash(name, length),
                            .line = a->line};
    return local;
}

void as_free_locals(struct frame *frame)
{
    for (size_t i = 0; i < frame->local_count; i++) {
        free(frame->locals[i].owned);
        free(frame->locals[i].text);
    }
    free(frame->locals);
}

/* --- symbols --- */

/* Sets *value to the symbol's value in this pass. Returns false if the symbol is NULL or not
 * defined. */
static bool symbol_value(const struct assembler *a, const struct asm_symbol *symbol,
                         struct asm_value *value)
{
    if (!symbol || symbol->pass == 0)
        return false;
    *value = symbol->value;
    if (symbol->pass != a->pass)
        value->forward = true;
    return !value->unknown || a->pass == 1;
}

static bool lookup(void *user, const char *name, size_t length, bool only_labels,
                   struct asm_value *value)
{
    struct assembler *a = user;
    uint32_t hash = asm_hash(name, length);
    const struct local *local = only_labels ? NULL : find_local(a, name, length, hash);
    if (local && local->has_value) {
        *value = local->value;
        return true;
    }
    const struct asm_program *program = a->program;
    const struct asm_symbol *constant = symbols_find_hashed(&program->constants, name, length,
                                                            hash);
    if (!only_labels && symbol_value(a, constant, value))
        return true;
    if (symbol_value(a, symbols_find_hashed(&program->labels, name, length, hash), value)) {
        value->label = true;
        return true;
    }
    *value = (struct asm_value){.unknown = true, .forward = true};
    return a->pass == 1;
}

/* --- labels --- */

void as_note_target(struct assembler *a, enum target_kind kind, size_t index)
{
    if (!ARRAY_GROW(a->targets, a->target_count)) {
        as_out_of_memory(a);
        return;
    }
    a->targets[a->target_count++] = (struct target){kind, false, index, as_here(a),
                                                    as_run_count(a)};
}

static bool is_at_byte(struct assembler *a, size_t offset)
{
    if (a->bits == 0)
        return true;
    as_report(a, "asm-alignment", offset, "insert .align 1 before the label",
              "a label must be at a byte boundary");
    return false;
}

/* Warns about a name that is also an operand of the instruction set. */
static void warn_of_name(struct assembler *a, const char *name, size_t length, size_t offset,
                         bool label)
{
    const struct asm_operands *operands = a->request->isa->operands;
    struct asm_value value;
    if (!a->line || !operands || !operands->find || !operands->find(name, length, &value))
        return;
    as_warn(a, "name-like-register", offset, "choose another name",
            label ? "label '%.*s' has the name of a register; operands with this name are the "
                    "register"
                  : "constant '%.*s' hides the register of the same name",
            (int)length, name);
}

void as_define_label(struct assembler *a, const char *name, size_t length, size_t offset,
                     bool global)
{
    as_end_statement(a);
    warn_of_name(a, name, length, offset, true);
    struct asm_symbol *label = symbols_add(&a->program->labels, name, length);
    if (!label) {
        as_out_of_memory(a);
        return;
    }
    if (label->pass == a->pass) {
        as_report(a, "asm-redefined", offset, NULL, "label '%s' is already defined", label->name);
        as_report_at(a, TESS_NOTE, "asm-redefined", label->line, "the previous definition is here");
        return;
    }
    is_at_byte(a, offset);
    /* The second pass keeps the address that the first pass computed, because .back may have moved
     * the label. */
    if (label->pass == 0)
        label->value = (struct asm_value){.kind = ASM_INTEGER, .integer = as_here(a)};
    label->pass = a->pass;
    label->region = (uint32_t)a->program->regions.count - 1;
    label->line = a->line;
    label->global = label->global || global;
    as_note_target(a, TARGET_LABEL, (size_t)(label - a->program->labels.items));
}

/* Adds a definition of a numbered label: either the definition at the current line, or a future one
 * that "1f" refers to. Returns the number of the definition plus 1, or 0 on errors. Both passes add
 * the definitions in the same order. */
static size_t add_numbered(struct assembler *a)
{
    if (a->numbered_seen < a->numbered_count)
        return ++a->numbered_seen;
    if (a->pass > 1)
        return 0;
    if (!ARRAY_GROW(a->numbered, a->numbered_count)) {
        as_out_of_memory(a);
        return 0;
    }
    a->numbered[a->numbered_count++] = (struct numbered_label){0};
    a->numbered_seen = a->numbered_count;
    return a->numbered_count;
}

static bool is_defined(const struct assembler *a, int64_t number)
{
    return number > 0 && a->numbered[number - 1].pass == a->pass;
}

/* symbol->value.integer is the number + 1 of the current definition, which may be a future
 * definition that "1f" refers to. symbol->region is the number + 1 of the latest definition so
 * far. */
void as_define_numbered(struct assembler *a, const char *name, size_t length)
{
    as_end_statement(a);
    struct asm_symbol *symbol = symbols_add(&a->numbered_names, name, length);
    if (!symbol) {
        as_out_of_memory(a);
        return;
    }
    if (symbol->value.integer == 0 || is_defined(a, symbol->value.integer))
        symbol->value.integer = (int64_t)add_numbered(a);
    size_t number = (size_t)symbol->value.integer;
    if (number == 0)
        return;
    is_at_byte(a, a->statement);
    symbol->region = (uint32_t)number;
    struct numbered_label *label = &a->numbered[number - 1];
    if (label->pass == 0)
        label->address = as_here(a);
    label->pass = a->pass;
    as_note_target(a, TARGET_NUMBERED, number - 1);
}

static bool find_numbered(void *user, const char *name, size_t length, enum asm_which which,
                          struct asm_value *value)
{
    struct assembler *a = user;
    struct asm_symbol *symbol = symbols_add(&a->numbered_names, name, length);
    *value = (struct asm_value){.unknown = true, .forward = true};
    if (!symbol) {
        as_out_of_memory(a);
        return false;
    }
    size_t number = (size_t)symbol->value.integer;
    if (which == ASM_LAST)
        number = symbol->region;
    else if (number == 0 || (which == ASM_NEXT && is_defined(a, (int64_t)number)))
        symbol->value.integer = (int64_t)(number = add_numbered(a));
    if (number == 0)
        return false;
    const struct numbered_label *label = &a->numbered[number - 1];
    value->unknown = label->pass == 0;
    value->forward = label->pass != a->pass;
    value->integer = label->address;
    return !value->unknown || a->pass == 1;
}

static void warn(void *user, const struct asm_error *warning)
{
    struct assembler *a = user;
    as_warn(a, warning->rule, a->statement + warning->offset, warning->hint, "%s", warning->text);
}

struct asm_names as_names_here(struct assembler *a)
{
    return (struct asm_names){.lookup = lookup,
                              .numbered = find_numbered,
                              .function = as_function_find,
                              .standard = as_standard_function,
                              .call = as_function_call,
                              .warn = warn,
                              .user = a,
                              .address = as_here(a),
                              .placed = regions_placed(&a->program->regions),
                              .code_start = a->pass > 1 ? a->code_start : 0,
                              .code_end = a->pass > 1 ? a->code_end : 0,
                              .state = a->state,
                              .variant = a->request->variant,
                              .operands = a->request->isa->operands};
}

bool as_evaluate(struct assembler *a, struct cursor *c, struct asm_value *value)
{
    struct asm_names names = as_names_here(a);
    struct asm_error error;
    if (asm_evaluate(c->text, c->length, &c->at, &names, value, &error))
        return true;
    as_report_error(a, &error, 0);
    return false;
}

bool as_evaluate_now(struct assembler *a, struct cursor *c, struct asm_value *value)
{
    ASM_PEEK(c);
    size_t start = c->at;
    if (!as_evaluate(a, c, value))
        return false;
    if (!value->unknown && !value->forward)
        return true;
    as_report(a, "asm-forward", start, "define the symbol before this line",
              "this value affects the layout, so it must be known at this line");
    return false;
}

bool as_evaluate_integer(struct assembler *a, struct cursor *c, const char *what, int64_t low,
                         int64_t high, int64_t *number)
{
    struct asm_value value;
    ASM_PEEK(c);
    size_t start = c->at;
    if (!as_evaluate_now(a, c, &value))
        return false;
    if (value.kind == ASM_INTEGER && value.integer >= low && value.integer <= high) {
        *number = value.integer;
        return true;
    }
    if (low == INT64_MIN && high == INT64_MAX)
        as_report(a, "asm-range", start, NULL, "%s must be an integer", what);
    else
        as_report(a, "asm-range", start, NULL, "%s must be an integer from %lld to %lld", what,
                  (long long)low, (long long)high);
    return false;
}

static bool same_value(const struct asm_value *one, const struct asm_value *other)
{
    return one->kind == other->kind && one->integer == other->integer && one->real == other->real;
}

void as_define_constant(struct assembler *a, const char *name, size_t length,
                        const struct asm_value *value)
{
    struct asm_symbol *constant = symbols_add(&a->program->constants, name, length);
    if (!constant) {
        as_out_of_memory(a);
        return;
    }
    if (constant->pass == a->pass && !same_value(&constant->value, value))
        constant->changed = true;
    if (constant->pass != a->pass)
        warn_of_name(a, name, length, a->statement, false);
    constant->value = *value;
    constant->pass = a->pass;
    constant->final = false;
    constant->line = a->line;
}
