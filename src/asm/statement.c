/* SPDX-License-Identifier: MIT */
/* statement.c - runs one line: labels, then a directive, macro call, record or instruction.
 *
 * Source: the vc4asm manual (maazl/vc4asm, doc/directives.html), and its src/Parser.cpp for a case
 *         that the manual leaves open: a line that ends in ";" and a next line that begins with ";"
 *         become one instruction if the two can be merged. */
#include <string.h>

#include "asm/internal.h"
#include "base/ascii.h"

/* --- reading statements --- */

bool as_at_end(struct cursor *c)
{
    ASM_PEEK(c);
    return c->at == c->length;
}

bool as_accept(struct cursor *c, char character)
{
    if (!ASM_ACCEPT(c, character))
        return false;
    ASM_PEEK(c);
    return true;
}

char *as_take_text(struct assembler *a, const char *text, size_t length)
{
    char *copy = asm_copy(text, length);
    if (!copy)
        as_out_of_memory(a);
    return copy;
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

static bool follows_semicolon(const struct cursor *c)
{
    size_t at = c->at;
    while (at > 0 && asm_is_blank(c->text[at - 1]))
        at--;
    return at > 0 && c->text[at - 1] == ';';
}

static void report_instruction(struct assembler *a, const struct cursor *c, struct asm_error *error)
{
    const char *text = c->text + c->at;
    size_t length = c->length - c->at;
    if (a->pass == 1)
        return;
    bool unknown = error->name && strcmp(error->rule, "asm-undefined") != 0;
    bool joined = follows_semicolon(c);
    const char *suggestion = NULL;
    if (error->offset == 0 && !joined && (unknown || !error->hint))
        suggestion = as_suggest_first(a, text, length, error);
    else if (unknown)
        suggestion = as_suggest_statement(a, error->name, error->name_length);
    else if (error->name && !error->hint)
        suggestion = as_suggest_symbol(a, error->name, error->name_length);
    if (suggestion)
        error->hint = suggestion;
    else if (error->name && joined)
        error->hint = "begin comments with # or //; a line that begins with ';' continues the "
                      "previous instruction";
    as_report_error(a, error, c->at);
}

static void emit_instruction(struct assembler *a, const struct kept *kept, bool open)
{
    as_emit(a, kept->bytes, kept->size, true);
    a->open = a->open << 1 | (open ? 1u : 0u);
    a->exact = a->exact << 1 | (kept->exact ? 1u : 0u);
}

/* Returns the instruction that pass 1 encoded at this point, or NULL if the instruction's bytes are
 * not final. Both passes encode the same instructions in the same order, except after errors. */
static const struct kept *find_kept(struct assembler *a)
{
    if (a->pass == 1 || (a->kept_seen + 1) * sizeof(struct kept) > a->kept.size)
        return NULL;
    const struct kept *kept = (const struct kept *)(const void *)a->kept.data + a->kept_seen;
    bool same = kept->line == a->line && kept->address == as_here(a);
    return same && kept->final && !a->moved ? kept : NULL;
}

void as_complete(struct assembler *a)
{
    struct asm_error error = {0};
    const struct asm_isa *isa = a->request->isa;
    const struct source_line *line = a->line;
    struct frame *frame = a->frame;
    if (!a->whole.line || isa->complete(a->state, &error)) {
        a->whole.line = NULL;
        return;
    }
    /* The warning is for the earlier instruction, not for the current line. Macros and loops are
     * reported only if the instruction and the current line are in the same frame. */
    a->line = a->whole.line;
    a->frame = a->whole.frame == frame ? frame : NULL;
    as_warn(a, error.rule, a->whole.offset + error.offset, error.hint, "%s", error.text);
    a->line = line;
    a->frame = frame;
    a->whole.line = NULL;
}

/* Encodes an instruction. Pass 1 keeps the bytes. If encoding reported a message or expanded a
 * macro or function, the bytes are not final, because pass 2 has to report or expand again. */
static void encode(struct assembler *a, const struct cursor *c, bool open)
{
    struct asm_error error = {0};
    struct asm_names names = as_names_here(a);
    struct kept kept = {.line = a->line, .address = as_here(a)};
    uint32_t withheld = a->withheld, serial = a->serial;
    unsigned traits = ASM_UNKNOWN;
    as_complete(a);
    kept.size = (uint8_t)a->request->isa->instruction(
        c->text + c->at, c->length - c->at, kept.address, &names, kept.bytes, &traits, &error);
    kept.final = !(traits & (ASM_UNKNOWN | ASM_AGAIN)) && kept.size > 0 &&
                 a->withheld == withheld && a->serial == serial;
    kept.exact = traits & ASM_EXACT;
    if (a->pass == 1)
        buffer_append(&a->kept, &kept, sizeof kept);
    a->kept_seen++;
    if (kept.size > 0) {
        emit_instruction(a, &kept, open);
        if (a->request->isa->complete)
            a->whole = (struct whole){a->line, a->frame, a->line_changed ? a->statement : c->at};
        return;
    }
    report_instruction(a, c, &error);
    keep_address(a);
    a->open |= a->request->isa->joins_always;
}

/* Returns true if a label is at the current address. If colon is true, labels with a leading colon
 * count, otherwise labels of the form "name:". */
static bool has_target(const struct assembler *a, bool colon)
{
    for (size_t i = a->target_count; i > 0 && a->targets[i - 1].address == as_here(a); i--)
        if (a->targets[i - 1].colon == colon)
            return true;
    return false;
}

/* Returns true if the previous instruction may be merged with this line. According to vc4asm's
 * manual, every label prevents merging. The vc4asm program ignores ":name" and ":", and existing
 * sources rely on the program. */
static bool may_join(const struct assembler *a)
{
    return a->request->isa->join && (a->open & 1) && !has_target(a, false);
}

static void warn_of_label(struct assembler *a, const struct cursor *c)
{
    if (has_target(a, true))
        as_warn(a, "asm-join", c->at, "remove the leading ';', or write the label as \"name:\"",
                "this line is merged into the instruction before the label, so branches to the "
                "label do not execute it");
}

/* Replaces the last instruction by the instruction set's union of it and the line. Returns false
 * with *error set if the two cannot be merged. */
static bool merge(struct assembler *a, const struct cursor *c, uint8_t *last,
                  struct asm_error *error)
{
    const struct asm_isa *isa = a->request->isa;
    const struct asm_region *region = &a->program->regions.items[a->program->regions.count - 1];
    uint8_t bytes[ASM_INSTRUCTION_MAX];
    struct asm_names names = as_names_here(a);
    names.address -= isa->alignment;
    size_t size = isa->join(c->text + c->at, c->length - c->at, names.address, &names,
                            region->bytes.data, region->bytes.size, a->exact & 1, bytes, error);
    memcpy(last, bytes, size);
    return size > 0;
}

/* Merges the line with the previous instruction. Returns false if the two cannot be merged. Pass 1
 * records whether the lines are merged, and pass 2 does the same. */
static bool join(struct assembler *a, const struct cursor *c, bool open)
{
    struct asm_error error = {0};
    if (a->pass > 1 && (a->joins_seen >= a->joins.size || !a->joins.data[a->joins_seen++]))
        return false;
    uint8_t *last = regions_last(&a->program->regions, a->request->isa->alignment);
    if (!last)
        return false;
    a->silent += a->pass == 1;
    bool merged = merge(a, c, last, &error);
    a->silent -= a->pass == 1;
    if (a->pass == 1)
        buffer_byte(&a->joins, merged);
    if (merged) {
        warn_of_label(a, c);
        a->open = (a->open & ~UINT64_C(1)) | (open ? 1u : 0u);
    } else if (a->pass > 1) {
        report_instruction(a, c, &error);
    }
    return merged || a->pass > 1;
}

/* Merges a line with the previous instruction, like join(), for instruction sets in which every
 * line with a leading ";" must be merged. Reports an error if the two cannot be merged. */
static void go_on(struct assembler *a, const struct cursor *c)
{
    struct asm_error error = {0};
    uint8_t *last = regions_last(&a->program->regions, a->request->isa->alignment);
    if (!last || !(a->open & 1) || has_target(a, false) || has_target(a, true)) {
        as_report(a, "asm-join", a->statement,
                  "remove the leading ';', or the label or directive between the lines",
                  "there is no instruction that this line can continue");
        return;
    }
    if (merge(a, c, last, &error))
        return;
    report_instruction(a, c, &error);
    a->whole.line = NULL;
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

/* Runs a statement that is data, not an instruction. Returns false if the instruction set has no
 * such statement. */
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

/* Runs an instruction or a record. Both may have the same syntax, so records are tried first. */
static void run_instruction(struct assembler *a, struct cursor *c, bool joining)
{
    uint32_t alignment = a->request->isa->alignment, beyond = as_here(a) % alignment;
    if ((joining && a->request->isa->joins_always) || a->join_first) {
        a->join_first = false;
        take_last_semicolon(c);
        go_on(a, c);
        c->at = c->length;
        return;
    }
    const struct kept *kept = joining ? NULL : find_kept(a);
    if (!kept && run_record(a, c))
        return;
    if (beyond != 0) {
        as_warn(a, "asm-alignment", c->at, "insert .align before the instruction",
                "zeros are inserted at 0x%08x, because an instruction must be at a multiple of %u",
                as_here(a), alignment);
        as_emit_zeros(a, alignment - beyond);
    }
    bool open = take_last_semicolon(c) || a->request->isa->joins_always;
    if (kept) {
        a->kept_seen++;
        emit_instruction(a, kept, open);
    } else if (!joining || !may_join(a) || !join(a, c, open)) {
        encode(a, c, open);
    }
    c->at = c->length;
}

/* --- labels --- */

/* Returns the length of a label name that starts with a digit or ".". Such labels may be defined
 * more than once. */
static size_t numbered_length(const struct cursor *c)
{
    size_t at = c->at;
    if (at < c->length && (c->text[at] == '.' || ascii_is_digit(c->text[at])))
        at++;
    size_t first = at;
    while (at > c->at && at < c->length && ascii_in_name(c->text[at]))
        at++;
    bool lone = at == first && at > c->at && c->text[c->at] == '.';
    return lone ? 0 : at - c->at;
}

/* Returns true inside a function, where labels are not allowed. Then also reports an error and
 * skips the rest of the line. */
static bool is_function(struct assembler *a, struct cursor *c)
{
    if (!a->frame || a->frame->kind != FRAME_FUNCTION)
        return false;
    as_report(a, "asm-function", c->at, NULL, "a function cannot define labels");
    c->at = c->length;
    return true;
}

/* Takes the label ":name", "::name" or ":1", or a lone ":". vc4asm sources such as hello_fft use a
 * lone ":" to mark the target of a branch that has no label. */
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
        length = 0; /* the line is ": .word 1" */
    if (length > 0) {
        as_define_numbered(a, c->text + start, length);
        c->at += length;
    } else if ((length = ASM_TAKE_NAME(c, &name)) > 0) {
        as_define_label(a, name, length, start, global);
    } else if (again) {
        as_report(a, "asm-syntax", colon, "write :name for a label, ::name for a global label",
                  "expected a label name");
        c->at = c->length;
    } else {
        as_note_target(a, TARGET_UNNAMED, 0);
    }
    return true;
}

/* Takes the label "name:" or "1:". */
static bool take_plain_label(struct assembler *a, struct cursor *c)
{
    size_t start = c->at, length = asm_name_length(c->text, c->length, start);
    bool numbered = length == 0 && ascii_is_digit(c->text[start]);
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

static bool is_label(const struct assembler *a, const struct cursor *c)
{
    size_t length = asm_name_length(c->text, c->length, c->at), end = c->at + length;
    bool (*is_word)(const char *name, size_t length) = a->request->isa->is_word;
    return !is_word || length == 0 || end >= c->length || c->text[end] != ':' ||
           !is_word(c->text + c->at, length);
}

static bool take_label(struct assembler *a, struct cursor *c)
{
    size_t first = a->target_count;
    if (!is_label(a, c))
        return false;
    if (!take_colon_label(a, c))
        return take_plain_label(a, c);
    for (size_t i = first; i < a->target_count; i++)
        a->targets[i].colon = true;
    return true;
}

void as_take_labels(struct assembler *a, struct cursor *c)
{
    while (!as_at_end(c) && take_label(a, c))
        continue;
    a->statement = c->at;
}

/* --- statements --- */

/* Evaluates the expression that is a function's result. */
static void run_result(struct assembler *a, struct cursor *c)
{
    struct frame *frame = a->frame;
    struct asm_value value;
    if (frame->has_result)
        as_report(a, "asm-function", c->at, NULL, "function '%s' has more than one result",
                  frame->name);
    else if (as_evaluate(a, c, &value) && as_expect_end(a, c)) {
        *frame->result = value;
        frame->has_result = true;
    }
}

static void run_directive(struct assembler *a, struct cursor *c, size_t start)
{
    const char *name;
    as_end_statement(a);
    size_t length = ASM_TAKE_NAME(c, &name);
    if (!as_run_directive(a, c, name, length) && !as_run_isa_directive(a, c, name, length))
        as_report(a, "asm-unknown", start, as_suggest_directive(a, name, length),
                  "unknown directive '.%.*s'", length > 100 ? 100 : (int)length, name);
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
    size_t length = ASM_TAKE_NAME(c, &name);
    const struct macro *macro = length > 0 ? as_macro_find(a, name, length) : NULL;
    bool suffix = c->at < c->length && c->text[c->at] == '.';
    if (macro && !suffix) {
        bool joins = joining && a->request->isa->joins_always;
        a->join_first = a->join_first || joins;
        as_macro_call(a, macro, c);
        a->join_first = a->join_first && !joins;
        return;
    }
    c->at = start;
    if (a->request->isa->begins)
        as_run_stream(a, c);
    else
        run_instruction(a, c, joining);
}
