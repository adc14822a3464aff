/* SPDX-License-Identifier: MIT */
/* asm.c - the two passes of the assembler, blocks, statements, symbols and diagnostics.
 *
 * The first pass is silent and finds out where the labels are; the second repeats everything with
 * their addresses known, and reports. Both take the same way: whatever decides on the layout (.org,
 * .if, counts) may only use symbols that are defined further up.
 *
 * Source:   the vc4asm manual (maazl/vc4asm, doc/directives.html); GNU as for the forms that the
 * articles and demos use. Left out: joining of instructions over lines (";;"), .func, .foreach, .back, .clone.
 * Differs:  a bare name may be a label (vc4asm wants ":name"); constants win over labels of that
 * name. */
#include "asm/asm.h"

#include <stdlib.h>
#include <string.h>

#include "asm/internal.h"
#include "base/diag.h"

/* --- diagnostics --- */

static void give_up(struct assembler *a)
{
    a->stop = true;
    as_report_at(a, TESS_NOTE, "asm-limit", a->line, "too many errors; giving up");
}

static void send(struct assembler *a, struct tess_diag *diag, const struct source_line *line,
                 const char *format, va_list arguments)
{
    if (line) {
        diag->file = line->file->path;
        diag->line = line->number;
        diag->source_line = line->raw;
    }
    diag_vreport(a->request->sink, diag, format, arguments);
}

void as_report_at(struct assembler *a, enum tess_severity severity, const char *rule,
                  const struct source_line *line, const char *format, ...)
{
    if (a->pass == 1)
        return;
    a->errors += severity == TESS_ERROR;
    struct tess_diag diag = {.severity = severity, .rule = rule};
    va_list arguments;
    va_start(arguments, format);
    send(a, &diag, line, format, arguments);
    va_end(arguments);
}

/* Tells how the assembler came to the line of an error. */
static void report_frames(struct assembler *a)
{
    unsigned notes = 0;
    for (const struct frame *frame = a->frame; frame && notes < 8; frame = frame->parent) {
        if (!frame->call || frame->kind == FRAME_LOOP)
            continue;
        notes++;
        as_report_at(a, TESS_NOTE, "asm-context", frame->call,
                     frame->kind == FRAME_MACRO ? "in the expansion of macro '%s'"
                                                : "'%s' included here",
                     frame->name);
    }
}

void as_report(struct assembler *a, const char *rule, size_t offset, const char *hint,
               const char *format, ...)
{
    if (a->pass == 1 || a->stop)
        return;
    struct tess_diag diag = {.severity = TESS_ERROR, .rule = rule, .hint = hint};
    if (a->line)
        diag.column = (uint32_t)(a->line_changed ? a->statement : offset) + 1;
    va_list arguments;
    va_start(arguments, format);
    send(a, &diag, a->line, format, arguments);
    va_end(arguments);
    report_frames(a);
    if (++a->errors == ERRORS_MAX)
        give_up(a);
}

void as_report_error(struct assembler *a, const struct asm_error *error, size_t base)
{
    as_report(a, error->rule, base + error->offset, error->hint, "%s", error->text);
}

void as_out_of_memory(struct assembler *a)
{
    a->no_memory = a->stop = true;
}

/* --- reading statements --- */

void as_skip_blanks(struct cursor *c)
{
    while (c->at < c->length && asm_is_blank(c->text[c->at]))
        c->at++;
}

bool as_at_end(struct cursor *c)
{
    as_skip_blanks(c);
    return c->at == c->length;
}

bool as_accept(struct cursor *c, char character)
{
    if (as_at_end(c) || c->text[c->at] != character)
        return false;
    c->at++;
    as_skip_blanks(c);
    return true;
}

char *as_take_text(struct assembler *a, const char *text, size_t length)
{
    char *copy = asm_copy(text, length);
    if (!copy)
        as_out_of_memory(a);
    return copy;
}

size_t as_take_name(struct cursor *c, const char **name)
{
    as_skip_blanks(c);
    size_t length = asm_name_length(c->text, c->length, c->at);
    *name = c->text + c->at;
    c->at += length;
    return length;
}

bool as_expect_end(struct assembler *a, struct cursor *c)
{
    if (as_at_end(c))
        return true;
    char found = c->text[c->at];
    as_report(a, "asm-syntax", c->at,
              found == ';' ? "a comment begins with '#' or '//'; ';' separates the halves of an "
                             "instruction"
                           : NULL,
              "unexpected '%c'", found >= 0x20 && found < 0x7f ? found : '?');
    return false;
}

/* --- symbols --- */

uint32_t as_here(const struct assembler *a)
{
    return regions_end(&a->program->regions);
}

struct local *as_find_local(struct assembler *a, const char *name, size_t length)
{
    for (struct frame *frame = a->frame; frame; frame = frame->parent) {
        a->work += frame->local_count;
        for (size_t i = 0; i < frame->local_count; i++) {
            struct local *local = &frame->locals[i];
            if (strncmp(local->name, name, length) == 0 && local->name[length] == '\0')
                return local;
        }
    }
    return NULL;
}

bool as_add_local(struct assembler *a, struct frame *frame, const char *name, size_t length)
{
    struct local *locals = realloc(frame->locals, (frame->local_count + 1) * sizeof *locals);
    if (locals)
        frame->locals = locals;
    char *copy = locals ? as_take_text(a, name, length) : NULL;
    if (!copy) {
        as_out_of_memory(a);
        return false;
    }
    frame->locals[frame->local_count++] = (struct local){.name = copy};
    return true;
}

void as_free_locals(struct frame *frame)
{
    for (size_t i = 0; i < frame->local_count; i++) {
        free(frame->locals[i].name);
        free(frame->locals[i].text);
        free(frame->locals[i].operand);
    }
    free(frame->locals);
}

/* The value of a symbol as far as this pass knows it; symbol may be NULL. */
static bool symbol_value(const struct assembler *a, const struct asm_symbol *symbol,
                         struct asm_value *value)
{
    if (!symbol || symbol->pass == 0 || symbol->operand)
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
    const struct local *local = only_labels ? NULL : as_find_local(a, name, length);
    if (local) {
        *value = local->value;
        return !local->operand;
    }
    const struct asm_program *program = a->program;
    if (!only_labels && symbol_value(a, symbols_find(&program->constants, name, length), value))
        return true;
    if (symbol_value(a, symbols_find(&program->labels, name, length), value)) {
        value->label = true;
        return true;
    }
    *value = (struct asm_value){.unknown = true, .forward = true};
    return a->pass == 1;
}

static bool find_numbered(void *user, uint32_t number, bool after, struct asm_value *value)
{
    struct assembler *a = user;
    size_t at = a->numbered_seen;
    *value = (struct asm_value){.forward = after};
    while (after ? at < a->numbered_count : at > 0) {
        size_t candidate = after ? at++ : --at;
        a->work++;
        if (a->numbered[candidate].number == number) {
            value->integer = a->numbered[candidate].address;
            return true;
        }
    }
    value->unknown = true;
    return after && a->pass == 1;
}

/* The operand text that a name stands for, or NULL. */
static const char *named_operand(struct assembler *a, const char *name, size_t length)
{
    const struct local *local = as_find_local(a, name, length);
    if (local)
        return local->operand;
    const struct asm_symbol *constant = symbols_find(&a->program->constants, name, length);
    return constant && constant->pass == a->pass ? constant->operand : NULL;
}

struct asm_names as_names_here(struct assembler *a)
{
    return (struct asm_names){
        .lookup = lookup, .numbered = find_numbered, .user = a, .address = as_here(a)};
}

bool as_evaluate(struct assembler *a, struct cursor *c, struct asm_value *value)
{
    struct asm_names names = as_names_here(a);
    struct asm_error error;
    if (asm_evaluate(c->text, c->length, &c->at, &names, value, &error))
        return true;
    size_t at = error.offset, length = asm_name_length(c->text, c->length, at);
    const char *operand = length > 0 ? named_operand(a, c->text + at, length) : NULL;
    if (operand && strcmp(error.rule, "asm-undefined") == 0)
        asm_fail(&error, "asm-type", at, NULL, "'%.*s' stands for '%.60s', which is not a value",
                 length > 60 ? 60 : (int)length, c->text + at, operand);
    as_report_error(a, &error, 0);
    return false;
}

bool as_evaluate_now(struct assembler *a, struct cursor *c, struct asm_value *value)
{
    as_skip_blanks(c);
    size_t start = c->at;
    if (!as_evaluate(a, c, value))
        return false;
    if (!value->unknown && !value->forward)
        return true;
    as_report(a, "asm-forward", start, "define the symbol further up",
              "this value decides on the layout, so it must be known here");
    return false;
}

bool as_evaluate_integer(struct assembler *a, struct cursor *c, const char *what, int64_t low,
                         int64_t high, int64_t *number)
{
    struct asm_value value;
    as_skip_blanks(c);
    size_t start = c->at;
    if (!as_evaluate_now(a, c, &value))
        return false;
    if (value.kind == ASM_INTEGER && value.integer >= low && value.integer <= high) {
        *number = value.integer;
        return true;
    }
    as_report(a, "asm-range", start, NULL, "%s must be an integer from %lld to %lld", what,
              (long long)low, (long long)high);
    return false;
}

void as_define_label(struct assembler *a, const char *name, size_t length, size_t offset,
                     bool global)
{
    struct asm_symbol *label = symbols_add(&a->program->labels, name, length);
    if (!label) {
        as_out_of_memory(a);
        return;
    }
    if (label->pass == a->pass) {
        as_report(a, "asm-redefined", offset, NULL, "label '%s' is already defined", label->name);
        as_report_at(a, TESS_NOTE, "asm-redefined", label->line, "it was defined here");
        return;
    }
    label->value = (struct asm_value){.kind = ASM_INTEGER, .integer = as_here(a)};
    label->pass = a->pass;
    label->region = (uint32_t)a->program->regions.count - 1;
    label->line = a->line;
    label->global = label->global || global;
}

void as_define_numbered(struct assembler *a, uint32_t number)
{
    if (a->pass > 1) {
        a->numbered_seen++;
        return;
    }
    if (a->numbered_count == a->numbered_capacity) {
        size_t capacity = a->numbered_capacity ? a->numbered_capacity * 2 : 64;
        struct numbered_label *numbered = realloc(a->numbered, capacity * sizeof *numbered);
        if (!numbered) {
            as_out_of_memory(a);
            return;
        }
        a->numbered = numbered;
        a->numbered_capacity = capacity;
    }
    a->numbered[a->numbered_count++] = (struct numbered_label){.number = number,
                                                               .address = as_here(a)};
    a->numbered_seen = a->numbered_count;
}

static bool same_value(const struct asm_value *one, const struct asm_value *other)
{
    return one->kind == other->kind && one->integer == other->integer && one->real == other->real;
}

void as_define_constant(struct assembler *a, const char *name, size_t length,
                        const struct definition *definition)
{
    struct asm_symbol *constant = symbols_add(&a->program->constants, name, length);
    const char *operand = definition->operand;
    char *copy = operand ? as_take_text(a, operand, definition->operand_length) : NULL;
    if (!constant || (operand && !copy)) {
        free(copy);
        as_out_of_memory(a);
        return;
    }
    if (constant->pass == a->pass && !same_value(&constant->value, &definition->value))
        constant->changed = true;
    free(constant->operand);
    constant->operand = copy;
    constant->value = definition->value;
    constant->value.label = constant->value.relative = false;
    constant->pass = a->pass;
    constant->line = a->line;
    a->has_operands = a->has_operands || operand;
}

bool as_take_definition(struct assembler *a, struct cursor *c, size_t end,
                        struct definition *definition, struct asm_error *error)
{
    as_skip_blanks(c);
    while (end > c->at && asm_is_blank(c->text[end - 1]))
        end--;
    const char *text = c->text + c->at;
    size_t start = c->at, length = end - start;
    *definition = (struct definition){.operand_length = length};
    if (length > 0 && asm_name_length(text, length, 0) == length)
        definition->operand = named_operand(a, text, length);
    if (definition->operand)
        definition->operand_length = strlen(definition->operand);
    else if (length > 0 && length <= OPERAND_MAX && a->request->isa->is_operand(text, length))
        definition->operand = text;
    c->at = end;
    if (definition->operand)
        return true;

    struct asm_names names = as_names_here(a);
    if (!asm_evaluate(c->text, end, &start, &names, &definition->value, error))
        return false;
    return start == end ||
           asm_fail(error, "asm-syntax", start, NULL, "unexpected '%c'", c->text[start]);
}

/* --- output --- */

static bool check_regions(struct assembler *a, enum regions_result result)
{
    switch (result) {
    case REGIONS_OK: return true;
    case REGIONS_NO_MEMORY: as_out_of_memory(a); return false;
    case REGIONS_TOO_MANY:
        as_report(a, "asm-limit", a->statement, NULL, "more than %d regions", ASM_REGIONS_MAX);
        break;
    case REGIONS_TOO_BIG:
        as_report(a, "asm-limit", a->statement,
                  "zeros at the end of a region cost nothing; put other data before them",
                  "more than %d MiB of output", ASM_STORED_MAX >> 20);
        break;
    case REGIONS_TOO_HIGH:
        as_report(a, "asm-limit", a->statement, NULL, "the region leaves the 32-bit address space");
        break;
    }
    a->stop = true;
    return false;
}

bool as_emit(struct assembler *a, const void *bytes, size_t size)
{
    return check_regions(a, regions_append(&a->program->regions, bytes, size));
}

bool as_emit_zeros(struct assembler *a, uint64_t count)
{
    return check_regions(a, regions_zeros(&a->program->regions, count));
}

bool as_start_region(struct assembler *a, uint32_t address)
{
    return check_regions(a, regions_start(&a->program->regions, address, a->line));
}

/* --- instructions --- */

static void charge(struct assembler *a, uint64_t work)
{
    a->work += work;
    if (a->work <= WORK_MAX || a->stop)
        return;
    as_report(a, "asm-limit", 0, "is there an endless macro or a huge .rep?",
              "the program expands to too much source text");
    a->stop = true;
}

/* Replaces names that stand for operands. False if there are none. */
static bool replace_operands(struct assembler *a, const struct cursor *c, struct buffer *out)
{
    bool replaced = false;
    for (size_t at = c->at; at < c->length;) {
        size_t length = asm_name_length(c->text, c->length, at);
        const char *operand = NULL;
        char before = at > c->at ? c->text[at - 1] : '\0';
        if (length > 0 && before != '.' && before != ':')
            operand = named_operand(a, c->text + at, length);
        if (length == 0 && asm_in_name(c->text[at]))
            while (at + length < c->length && asm_in_name(c->text[at + length]))
                length++;
        length += length == 0;
        if (operand)
            buffer_printf(out, "%s", operand);
        else
            buffer_append(out, c->text + at, length);
        replaced = replaced || operand;
        at += length;
    }
    if (out->failed)
        as_out_of_memory(a);
    return replaced;
}

static void encode(struct assembler *a, const char *text, size_t length, size_t base)
{
    uint8_t bytes[ASM_INSTRUCTION_MAX];
    struct asm_error error = {0};
    struct asm_names names = as_names_here(a);
    const struct asm_isa *isa = a->request->isa;
    size_t size = isa->instruction(text, length, as_here(a), &names, bytes, &error);
    if (size > 0) {
        as_emit(a, bytes, size);
        return;
    }
    if (error.offset == 0 && !error.hint)
        error.hint = as_nearest_name(a, text, asm_name_length(text, length, 0), false);
    as_report_error(a, &error, base);
    /* Keep the addresses of what follows. */
    as_emit_zeros(a, isa->alignment);
}

static void run_instruction(struct assembler *a, struct cursor *c)
{
    uint32_t alignment = a->request->isa->alignment;
    if (as_here(a) % alignment != 0) {
        as_report(a, "asm-alignment", c->at, "put .align before it",
                  "instruction at 0x%08x, which is not a multiple of %u", as_here(a), alignment);
        as_emit_zeros(a, alignment - as_here(a) % alignment);
    }
    struct buffer changed = {0};
    if (a->has_operands && replace_operands(a, c, &changed) && !a->no_memory) {
        a->line_changed = true;
        charge(a, changed.size);
        encode(a, (const char *)changed.data, changed.size, c->at);
    } else if (!a->no_memory) {
        encode(a, c->text + c->at, c->length - c->at, c->at);
    }
    buffer_free(&changed);
}

/* A statement that is data of the instruction set's own; false if it is none. */
static bool run_record(struct assembler *a, struct cursor *c)
{
    struct buffer bytes = {0};
    struct asm_error error = {0};
    struct asm_names names = as_names_here(a);
    const struct asm_isa *isa = a->request->isa;
    if (!isa->record)
        return false;
    enum asm_taken taken = isa->record(c->text + c->at, c->length - c->at, as_here(a), &names,
                                       &bytes, &error);
    if (taken == ASM_WRONG)
        as_report_error(a, &error, c->at);
    if (bytes.failed)
        as_out_of_memory(a);
    else if (taken != ASM_NOT_MINE)
        as_emit(a, bytes.data, bytes.size);
    buffer_free(&bytes);
    return taken != ASM_NOT_MINE;
}

/* --- statements --- */

static bool take_number(struct cursor *c, uint32_t *number)
{
    size_t start = c->at;
    uint64_t value = 0;
    while (c->at < c->length && asm_is_digit(c->text[c->at]) && value <= UINT32_MAX)
        value = value * 10 + (uint64_t)(c->text[c->at++] - '0');
    *number = (uint32_t)value;
    return c->at > start && value <= UINT32_MAX;
}

/* ":name", "::name", ":1"; and a lone ":", with which vc4asm sources (its hello_fft, for one) mark where a
 * branch arrives that names no label. */
static bool take_colon_label(struct assembler *a, struct cursor *c)
{
    size_t colon = c->at;
    if (!as_accept(c, ':'))
        return false;
    bool again = c->at < c->length && c->text[c->at] == ':', global = again && c->at == colon + 1;
    if (global)
        as_accept(c, ':');
    uint32_t number;
    const char *name;
    size_t start = c->at, length;
    if (take_number(c, &number)) {
        as_define_numbered(a, number);
    } else if ((length = as_take_name(c, &name)) > 0) {
        as_define_label(a, name, length, start, global);
    } else if (again) {
        as_report(a, "asm-syntax", colon, ":name defines a label, ::name a global one",
                  "a label's name is missing");
        c->at = c->length;
    }
    return true;
}

/* "name:" and "1:". */
static bool take_plain_label(struct assembler *a, struct cursor *c)
{
    size_t start = c->at;
    uint32_t number;
    if (take_number(c, &number)) {
        if (c->at < c->length && c->text[c->at] == ':') {
            c->at++;
            as_define_numbered(a, number);
            return true;
        }
    } else {
        size_t length = asm_name_length(c->text, c->length, start);
        if (length > 0 && start + length < c->length && c->text[start + length] == ':') {
            c->at = start + length + 1;
            as_define_label(a, c->text + start, length, start, false);
            return true;
        }
    }
    c->at = start;
    return false;
}

static void take_labels(struct assembler *a, struct cursor *c)
{
    while (!as_at_end(c) && (take_colon_label(a, c) || take_plain_label(a, c)))
        continue;
    a->statement = c->at;
}

/* What follows the labels of a line. */
static void run_statement(struct assembler *a, struct cursor *c)
{
    const char *name;
    if (as_at_end(c))
        return;
    size_t start = c->at;
    if (as_accept(c, '.')) {
        size_t length = as_take_name(c, &name);
        if (!as_run_directive(a, c, name, length))
            as_report(a, "asm-unknown", start, as_nearest_name(a, name, length, true),
                      "unknown directive '.%.*s'", length > 100 ? 100 : (int)length, name);
        return;
    }
    size_t length = as_take_name(c, &name);
    const struct macro *macro = length > 0 ? as_macro_find(a, name, length) : NULL;
    bool suffix = c->at < c->length && c->text[c->at] == '.';
    if (macro && !suffix) {
        as_macro_call(a, macro, c);
        return;
    }
    c->at = start;
    if (!run_record(a, c))
        run_instruction(a, c);
}

/* --- blocks --- */

struct condition {
    const struct source_line *line;
    bool taken, has_else;
};

struct block {
    const struct source_line *lines;
    size_t count, at;
    struct condition conditions[IF_DEPTH_MAX];
    unsigned depth;
};

size_t as_block_end(struct assembler *a, const struct source_line *lines, size_t count,
                    size_t start)
{
    enum block_mark open = lines[start].mark;
    enum block_mark close = open == MARK_REP ? MARK_ENDR : MARK_ENDM;
    size_t nested = 0, at = start + 1;
    for (; at < count; at++) {
        if (lines[at].mark == open)
            nested++;
        else if (lines[at].mark == close && nested-- == 0)
            break;
    }
    charge(a, at - start);
    return at;
}

/* The next .elseif, .else or .endif that belongs to the condition around start. */
static size_t next_branch(struct assembler *a, const struct block *block, size_t start)
{
    size_t nested = 0, at = start + 1;
    for (; at < block->count; at++) {
        enum block_mark mark = block->lines[at].mark;
        if (nested == 0 && (mark == MARK_ELSEIF || mark == MARK_ELSE || mark == MARK_ENDIF))
            break;
        nested += mark == MARK_IF;
        nested -= mark == MARK_ENDIF;
    }
    charge(a, at - start);
    return at;
}

bool as_enter(struct assembler *a, struct frame *frame)
{
    if (a->depth == DEPTH_MAX) {
        as_report(a, "asm-limit", a->statement, "does it call itself without end?",
                  "files, macros and loops are nested too deeply");
        a->stop = true;
        return false;
    }
    a->depth++;
    frame->parent = a->frame;
    a->frame = frame;
    return true;
}

void as_leave(struct assembler *a, struct frame *frame)
{
    a->depth--;
    a->frame = frame->parent;
}

/* ".rep name, count" repeats with a counter, GNU's ".rept count" without. */
static bool take_loop(struct assembler *a, struct cursor *c, bool counted, struct frame *frame,
                      int64_t *count)
{
    const char *name;
    size_t length = counted ? as_take_name(c, &name) : 0;
    if (counted && length == 0) {
        as_report(a, "asm-syntax", c->at, ".rep NAME, COUNT; or .rept COUNT",
                  "name of the counter expected");
        return false;
    }
    as_accept(c, ',');
    if (!as_evaluate_integer(a, c, "a repeat count", 0, INT32_MAX, count) || !as_expect_end(a, c))
        return false;
    return !counted || as_add_local(a, frame, name, length);
}

static void run_loop(struct assembler *a, struct cursor *c, bool counted,
                     const struct source_line *body, size_t body_count)
{
    struct frame frame = {.kind = FRAME_LOOP, .call = a->line};
    int64_t count;
    if (take_loop(a, c, counted, &frame, &count) && as_enter(a, &frame)) {
        for (int64_t i = 0; i < count && !a->stop; i++) {
            if (counted)
                frame.locals[0].value = (struct asm_value){.kind = ASM_INTEGER, .integer = i};
            charge(a, WORK_LINE);
            as_run_lines(a, body, body_count);
        }
        as_leave(a, &frame);
    }
    as_free_locals(&frame);
}

/* .ifset NAME */
static bool is_set(struct assembler *a, struct cursor *c)
{
    const char *name;
    size_t length = as_take_name(c, &name);
    if (length == 0) {
        as_report(a, "asm-syntax", c->at, NULL, "name expected");
        return false;
    }
    if (!as_expect_end(a, c))
        return false;
    const struct asm_symbol *constant = symbols_find(&a->program->constants, name, length);
    return as_find_local(a, name, length) || (constant && constant->pass == a->pass);
}

static bool is_true(struct assembler *a, struct cursor *c, const char *directive, size_t length)
{
    struct asm_value value;
    if (length == strlen("ifset") && memcmp(directive, "ifset", length) == 0)
        return is_set(a, c);
    return as_evaluate_now(a, c, &value) && as_expect_end(a, c) && asm_true(&value);
}

static void open_condition(struct assembler *a, struct block *block, bool taken)
{
    if (block->depth == IF_DEPTH_MAX) {
        as_report(a, "asm-limit", a->statement, NULL, "conditions are nested too deeply");
        a->stop = true;
        return;
    }
    block->conditions[block->depth++] = (struct condition){.line = a->line, .taken = taken};
    if (!taken)
        block->at = next_branch(a, block, block->at) - 1;
}

/* .elseif, .else and .endif, reached either from above or by next_branch(). */
static void continue_condition(struct assembler *a, struct block *block, struct cursor *c,
                               const char *name, size_t length)
{
    enum block_mark mark = a->line->mark;
    if (block->depth == 0) {
        as_report(a, "asm-block", a->statement, NULL, ".%.*s without .if", (int)length, name);
        return;
    }
    struct condition *condition = &block->conditions[block->depth - 1];
    if (mark == MARK_ENDIF) {
        block->depth--;
        as_expect_end(a, c);
        return;
    }
    if (condition->has_else)
        as_report(a, "asm-block", a->statement, NULL, ".%.*s after .else", (int)length, name);
    condition->has_else = mark == MARK_ELSE;
    bool taken = !condition->taken &&
                 (mark == MARK_ELSE ? as_expect_end(a, c) : is_true(a, c, name, length));
    condition->taken = condition->taken || taken;
    if (!taken)
        block->at = next_branch(a, block, block->at) - 1;
}

static void run_block_mark(struct assembler *a, struct block *block, struct cursor *c)
{
    const char *name;
    enum block_mark mark = a->line->mark;
    as_accept(c, '.');
    size_t length = as_take_name(c, &name), start = block->at, end = start;
    if (mark == MARK_REP || mark == MARK_MACRO) {
        end = as_block_end(a, block->lines, block->count, start);
        block->at = end;
        if (end == block->count) {
            as_report(a, "asm-block", a->statement, NULL, ".%.*s without .%s", (int)length, name,
                      mark == MARK_REP ? "endr" : "endm");
            return;
        }
    }
    switch (mark) {
    case MARK_REP:
        run_loop(a, c, length == strlen("rep"), block->lines + start + 1, end - start - 1);
        break;
    case MARK_MACRO: as_macro_define(a, c, block->lines + start + 1, end - start - 1); break;
    case MARK_IF: open_condition(a, block, is_true(a, c, name, length)); break;
    case MARK_ELSEIF:
    case MARK_ELSE:
    case MARK_ENDIF: continue_condition(a, block, c, name, length); break;
    default:
        as_report(a, "asm-block", a->statement, NULL, ".%.*s without its beginning", (int)length,
                  name);
        break;
    }
}

static void run_line(struct assembler *a, struct block *block)
{
    const struct source_line *line = &block->lines[block->at];
    struct buffer changed = {0};
    struct cursor c = {line->clean, line->length, 0};
    a->line = line;
    a->line_changed = false;
    a->statement = 0;
    charge(a, WORK_LINE + line->length);
    if (a->stop)
        return;
    if (memchr(c.text, '\\', c.length) && as_macro_substitute(a, c.text, c.length, &changed)) {
        c = (struct cursor){(const char *)changed.data, changed.size, 0};
        charge(a, changed.size);
        a->line_changed = true;
    }
    take_labels(a, &c);
    if (a->line->mark != MARK_NONE)
        run_block_mark(a, block, &c);
    else if (!a->stop)
        run_statement(a, &c);
    buffer_free(&changed);
}

void as_run_lines(struct assembler *a, const struct source_line *lines, size_t count)
{
    const struct source_line *caller = a->line;
    bool caller_changed = a->line_changed;
    size_t caller_statement = a->statement;
    struct block block = {.lines = lines, .count = count};
    for (; block.at < count && !a->stop; block.at++)
        run_line(a, &block);
    if (block.depth > 0 && !a->stop) {
        a->line = block.conditions[block.depth - 1].line;
        as_report(a, "asm-block", 0, NULL, ".if without .endif");
    }
    a->line = caller;
    a->line_changed = caller_changed;
    a->statement = caller_statement;
}

static void report_unclosed(struct assembler *a, const struct source_file *file)
{
    const struct source_line *caller = a->line;
    bool caller_changed = a->line_changed;
    a->line = &file->lines[file->unclosed_line];
    a->line_changed = false;
    as_report(a, "asm-syntax", file->unclosed_offset, "close it with */",
              "this comment has no end");
    a->line = caller;
    a->line_changed = caller_changed;
}

void as_run_file(struct assembler *a, const struct source_file *file)
{
    struct frame frame = {.kind = FRAME_FILE, .name = file->path, .call = a->line};
    if (!as_enter(a, &frame))
        return;
    if (file->unclosed)
        report_unclosed(a, file);
    as_run_lines(a, file->lines, file->line_count);
    as_leave(a, &frame);
    as_free_locals(&frame);
}

/* --- passes --- */

/* NAME=VALUE of the request; a value may be a number or an operand. */
static void define_from_request(struct assembler *a, const struct tess_asm_define *define)
{
    struct definition definition;
    struct asm_error error = {0};
    const char *text = define->value ? define->value : "1";
    size_t length = strlen(define->name);
    struct cursor c = {text, strlen(text), 0};
    if (length == 0 || asm_name_length(define->name, length, 0) != length)
        as_report_at(a, TESS_ERROR, "asm-syntax", NULL, "'%s' cannot be defined: it is not a name",
                     define->name);
    else if (as_take_definition(a, &c, c.length, &definition, &error))
        as_define_constant(a, define->name, length, &definition);
    else
        as_report_at(a, TESS_ERROR, error.rule, NULL, "in the definition of '%s': %s", define->name,
                     error.text);
}

static void run_pass(struct assembler *a, struct source_file **sources)
{
    const struct asm_request *request = a->request;
    a->pass++;
    a->stop = false;
    a->work = 0;
    a->serial = 0;
    a->numbered_seen = 0;
    as_macros_free(a);
    regions_free(&a->program->regions);
    a->program->scene.size = 0;
    if (!as_start_region(a, 0))
        return;
    for (size_t i = 0; i < request->define_count; i++)
        define_from_request(a, &request->defines[i]);
    a->line = NULL;
    for (size_t i = 0; i < request->source_count && !a->stop; i++)
        as_run_file(a, sources[i]);
}

static void check_layout(struct assembler *a)
{
    const struct asm_regions *regions = &a->program->regions;
    size_t one, other;
    a->line = NULL;
    for (size_t i = 0; i < regions->count; i++) {
        const struct asm_region *region = &regions->items[i];
        uint64_t end = (uint64_t)(region->address & 0x3fffffff) + region_size(region);
        if (end > UINT64_C(1) << 30)
            as_report_at(a, TESS_ERROR, "asm-region", region->line,
                         "the region at 0x%08x has %u bytes and leaves the 1 GiB address space",
                         region->address, region_size(region));
    }
    if (!regions_overlap(regions, &one, &other))
        return;
    const struct asm_region *low = &regions->items[one], *high = &regions->items[other];
    as_report_at(a, TESS_ERROR, "asm-region", high->line,
                 "the region at 0x%08x overlaps the one at 0x%08x, which has %u bytes",
                 high->address, low->address, region_size(low));
    if (low->line)
        as_report_at(a, TESS_NOTE, "asm-region", low->line,
                     "that one begins here (the top two address bits do not count)");
}

/* ".global name" may stand before the label. */
static void check_globals(struct assembler *a)
{
    const struct asm_symbols *labels = &a->program->labels;
    for (size_t i = 0; i < labels->count; i++)
        if (labels->items[i].pass == 0)
            as_report_at(a, TESS_ERROR, "asm-undefined", labels->items[i].line,
                         "label '%s' is made global but never defined", labels->items[i].name);
}

static bool read_sources(const struct asm_request *request, struct source_file **sources)
{
    for (size_t i = 0; i < request->source_count; i++) {
        const struct asm_source *source = &request->sources[i];
        sources[i] = source_from_text(source->path, source->text, source->size);
        if (!sources[i])
            return false;
    }
    return true;
}

/* The source text is gone after assembly. */
static void forget_lines(struct asm_program *program)
{
    for (size_t i = 0; i < program->labels.count; i++)
        program->labels.items[i].line = NULL;
    for (size_t i = 0; i < program->constants.count; i++)
        program->constants.items[i].line = NULL;
    for (size_t i = 0; i < program->regions.count; i++)
        program->regions.items[i].line = NULL;
}

enum tess_status asm_assemble(const struct asm_request *request, struct asm_program *program)
{
    *program = (struct asm_program){0};
    struct assembler a = {.request = request, .program = program};
    struct source_file **sources = calloc(request->source_count + 1, sizeof *sources);
    if (sources && read_sources(request, sources)) {
        run_pass(&a, sources);
        if (!a.no_memory)
            run_pass(&a, sources);
        if (!a.no_memory && !a.stop) {
            check_layout(&a);
            check_globals(&a);
        }
    } else {
        a.no_memory = true;
    }
    for (size_t i = 0; sources && i < request->source_count; i++)
        source_free(sources[i]);
    free(sources);
    source_free(a.files);
    as_binaries_free(&a);
    as_macros_free(&a);
    free(a.numbered);
    forget_lines(program);
    if (a.no_memory || program->scene.failed)
        return TESS_NO_MEMORY;
    return a.errors > 0 || a.stop ? TESS_WRONG : TESS_OK;
}

void asm_program_free(struct asm_program *program)
{
    regions_free(&program->regions);
    symbols_free(&program->labels);
    symbols_free(&program->constants);
    buffer_free(&program->scene);
}
