/* SPDX-License-Identifier: MIT */
/* statement.c - what stands in a line: labels, then a directive, a macro call, a record or an
 * instruction.
 *
 * Source: the vc4asm manual (maazl/vc4asm, doc/directives.html), and its src/Parser.cpp for what it
 * leaves open: a line that ends in ";" and a next one that begins with ";" become one instruction if
 * that can be. */
#include <string.h>

#include "asm/internal.h"

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

/* --- instructions --- */

static void keep_address(struct assembler *a)
{
    as_emit_zeros(a, a->request->isa->alignment);
}

static void report_instruction(struct assembler *a, const struct cursor *c, struct asm_error *error)
{
    const char *text = c->text + c->at;
    size_t length = c->length - c->at;
    if (a->pass == 1)
        return;
    if (error->name && strcmp(error->rule, "asm-undefined") != 0)
        error->hint = as_suggest_statement(a, error->name, error->name_length);
    else if (error->offset == 0 && !error->hint)
        error->hint = as_suggest_statement(a, text, asm_name_length(text, length, 0));
    as_report_error(a, error, c->at);
}

static void encode(struct assembler *a, const struct cursor *c, bool open)
{
    uint8_t bytes[ASM_INSTRUCTION_MAX];
    struct asm_error error = {0};
    struct asm_names names = as_names_here(a);
    size_t size = a->request->isa->instruction(c->text + c->at, c->length - c->at, as_here(a),
                                               &names, bytes, &error);
    if (size > 0) {
        as_emit(a, bytes, size, true);
        a->open = a->open << 1 | (open ? 1u : 0u);
        return;
    }
    report_instruction(a, c, &error);
    keep_address(a);
}

/* Whether the instruction before this place may take more: it ended in ";", and nothing comes here from
 * elsewhere. */
static bool may_join(const struct assembler *a)
{
    if (!a->request->isa->join || !(a->open & 1))
        return false;
    return a->target_count == 0 || a->targets[a->target_count - 1].address != as_here(a);
}

/* Whether the text belongs to the instruction before it: pass 1 decides and remembers, pass 2 repeats. */
static bool join(struct assembler *a, const struct cursor *c, bool open)
{
    const struct asm_isa *isa = a->request->isa;
    struct asm_region *region = &a->program->regions.items[a->program->regions.count - 1];
    uint8_t bytes[ASM_INSTRUCTION_MAX];
    struct asm_error error = {0};
    if (a->pass > 1 && (a->joins_seen >= a->joins.size || !a->joins.data[a->joins_seen++]))
        return false;
    uint8_t *last = regions_last(&a->program->regions, isa->alignment);
    if (!last)
        return false;
    struct asm_names names = as_names_here(a);
    names.address -= isa->alignment;
    a->silent += a->pass == 1;
    size_t size = isa->join(c->text + c->at, c->length - c->at, names.address, &names,
                            region->bytes.data, region->bytes.size, bytes, &error);
    a->silent -= a->pass == 1;
    if (a->pass == 1)
        buffer_byte(&a->joins, size > 0);
    if (size > 0) {
        memcpy(last, bytes, size);
        a->open = (a->open & ~UINT64_C(1)) | (open ? 1u : 0u);
    } else if (a->pass > 1) {
        report_instruction(a, c, &error);
    }
    return size > 0 || a->pass > 1;
}

static bool take_last_semicolon(struct cursor *c)
{
    size_t end = c->length;
    while (end > c->at && asm_is_blank(c->text[end - 1]))
        end--;
    bool found = end > c->at && c->text[end - 1] == ';';
    c->length = found ? end - 1 : end;
    while (c->length > c->at && asm_is_blank(c->text[c->length - 1]))
        c->length--;
    return found;
}

static void run_instruction(struct assembler *a, struct cursor *c, bool joining)
{
    uint32_t alignment = a->request->isa->alignment, beyond = as_here(a) % alignment;
    if (beyond != 0) {
        as_warn(a, "asm-alignment", c->at, "put .align before it",
                "zeros are put before this instruction at 0x%08x, because it must stand at a "
                "multiple of %u",
                as_here(a), alignment);
        as_emit_zeros(a, alignment - beyond);
    }
    bool open = take_last_semicolon(c);
    if (!joining || !may_join(a) || !join(a, c, open))
        encode(a, c, open);
    c->at = c->length;
}

/* --- labels --- */

/* The length of a name that starts with a digit or ".": it may be defined again and again. */
static size_t numbered_length(const struct cursor *c)
{
    size_t at = c->at;
    if (at < c->length && (c->text[at] == '.' || asm_is_digit(c->text[at])))
        at++;
    size_t first = at;
    while (at > c->at && at < c->length && asm_in_name(c->text[at]))
        at++;
    bool lone = at == first && at > c->at && c->text[c->at] == '.';
    return lone ? 0 : at - c->at;
}

/* An error, then, and the rest of the line says nothing. */
static bool is_function(struct assembler *a, struct cursor *c)
{
    if (!a->frame || a->frame->kind != FRAME_FUNCTION)
        return false;
    as_report(a, "asm-function", c->at, NULL, "a function cannot define labels");
    c->at = c->length;
    return true;
}

/* ":name", "::name", ":1"; and a lone ":", with which vc4asm sources (its hello_fft, for one) mark where a
 * branch arrives that names no label. */
static bool take_colon_label(struct assembler *a, struct cursor *c)
{
    size_t colon = c->at;
    if (colon < c->length && c->text[colon] == ':' && is_function(a, c))
        return true;
    if (!as_accept(c, ':'))
        return false;
    bool again = c->at < c->length && c->text[c->at] == ':', global = again && c->at == colon + 1;
    if (global)
        as_accept(c, ':');
    if (!again && c->at != colon + 1) {
        as_note_target(a, TARGET_UNNAMED, 0);
        return true;
    }
    const char *name;
    size_t start = c->at, length = numbered_length(c);
    if (c->text[start - 1] != ':' && start < c->length && c->text[start] == '.')
        length = 0; /* ": .word 1" */
    if (length > 0) {
        as_define_numbered(a, c->text + start, length);
        c->at += length;
    } else if ((length = as_take_name(c, &name)) > 0) {
        as_define_label(a, name, length, start, global);
    } else if (again) {
        as_report(a, "asm-syntax", colon, ":name defines a label, ::name a global one",
                  "a label's name is missing");
        c->at = c->length;
    } else {
        as_note_target(a, TARGET_UNNAMED, 0);
    }
    return true;
}

/* "name:" and "1:". */
static bool take_plain_label(struct assembler *a, struct cursor *c)
{
    size_t start = c->at, length = asm_name_length(c->text, c->length, start);
    bool numbered = length == 0 && asm_is_digit(c->text[start]);
    if (numbered)
        length = numbered_length(c);
    if (length == 0 || start + length >= c->length || c->text[start + length] != ':')
        return false;
    if (is_function(a, c))
        return true;
    c->at = start + length + 1;
    if (numbered)
        as_define_numbered(a, c->text + start, length);
    else
        as_define_label(a, c->text + start, length, start, false);
    return true;
}

void as_take_labels(struct assembler *a, struct cursor *c)
{
    while (!as_at_end(c) && (take_colon_label(a, c) || take_plain_label(a, c)))
        continue;
    a->statement = c->at;
}

/* --- statements --- */

/* The one expression of a function. */
static void run_result(struct assembler *a, struct cursor *c)
{
    struct frame *frame = a->frame;
    struct asm_value value;
    if (frame->has_result)
        as_report(a, "asm-function", c->at, NULL, "function '%s' has a second result", frame->name);
    else if (as_evaluate(a, c, &value) && as_expect_end(a, c)) {
        *frame->result = value;
        frame->has_result = true;
    }
}

static void run_directive(struct assembler *a, struct cursor *c, size_t start)
{
    const char *name;
    size_t length = as_take_name(c, &name);
    if (!as_run_directive(a, c, name, length))
        as_report(a, "asm-unknown", start, as_suggest_directive(a, name, length),
                  "unknown directive '.%.*s'", length > 100 ? 100 : (int)length, name);
}

/* A statement that is no instruction. */
static bool run_record(struct assembler *a, const struct cursor *c)
{
    const struct asm_isa *isa = a->request->isa;
    struct asm_names names = as_names_here(a);
    struct buffer bytes = {0};
    struct asm_error error = {0};
    if (!isa->record)
        return false;
    enum asm_taken taken = isa->record(c->text + c->at, c->length - c->at, as_here(a), &names,
                                       &bytes, &error);
    if (taken == ASM_WRONG)
        as_report_error(a, &error, c->at);
    if (bytes.failed)
        as_out_of_memory(a);
    else if (taken != ASM_NOT_MINE && bytes.size > 0) {
        as_emit(a, bytes.data, bytes.size, false);
        a->open = 0;
    }
    buffer_free(&bytes);
    return taken != ASM_NOT_MINE;
}

void as_run_statement(struct assembler *a, struct cursor *c)
{
    const char *name;
    if (as_at_end(c))
        return;
    size_t start = c->at;
    a->said = false;
    if (as_accept(c, '.')) {
        run_directive(a, c, start);
        return;
    }
    if (a->frame->kind == FRAME_FUNCTION) {
        run_result(a, c);
        return;
    }
    bool joining = false;
    while (as_accept(c, ';'))
        joining = true;
    if (as_at_end(c))
        return;
    start = a->statement = c->at;
    size_t length = as_take_name(c, &name);
    const struct macro *macro = length > 0 ? as_macro_find(a, name, length) : NULL;
    bool suffix = c->at < c->length && c->text[c->at] == '.';
    if (macro && !suffix) {
        as_macro_call(a, macro, c);
        return;
    }
    c->at = start;
    if (!run_record(a, c))
        run_instruction(a, c, joining);
}
