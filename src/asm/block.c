/* SPDX-License-Identifier: MIT */
/* block.c - runs files and lines, conditions, loops, .local and .back.
 *
 * Source:  the vc4asm manual (maazl/vc4asm, doc/directives.html); GNU as for .rept.
 * Differs: blocks must be nested. vc4asm matches an .if with the next .endif of the file, even
 *          across the ends of other blocks. */
#include <string.h>

#include "asm/internal.h"

struct condition {
    const struct source_line *line;
    bool taken, has_else;
};

struct span {
    const struct source_line *lines;
    size_t count;
};

struct block {
    const struct source_line *lines;
    size_t count, at;
    struct condition conditions[IF_DEPTH_MAX];
    unsigned depth;
};

void as_charge(struct assembler *a, uint64_t work)
{
    a->work += work;
    if (a->work <= WORK_MAX || a->stop)
        return;
    as_report(a, "asm-limit", 0, "check for an endless macro or a large .rep",
              "the program expands to too much source text");
    a->stop = true;
}

/* Directives that open and close blocks. .rep and .foreach are counted together, so that either may
 * contain the other. */
static const struct block_kind {
    enum block_mark open, other, close, other_close;
    const char *end;
} block_kinds[] = {
    {MARK_REP, MARK_FOREACH, MARK_ENDR, MARK_ENDFOR, "endr"},
    {MARK_FOREACH, MARK_REP, MARK_ENDFOR, MARK_ENDR, "endfor"},
    {MARK_MACRO, MARK_MACRO, MARK_ENDM, MARK_ENDM, "endm"},
    {MARK_FUNC, MARK_FUNC, MARK_ENDF, MARK_ENDF, "endf"},
    {MARK_LOCAL, MARK_LOCAL, MARK_ENDLOC, MARK_ENDLOC, "endloc"},
    {MARK_BACK, MARK_BACK, MARK_ENDB, MARK_ENDB, "endb"},
};

static const struct block_kind *find_kind(enum block_mark open)
{
    for (size_t i = 0; i < sizeof block_kinds / sizeof block_kinds[0]; i++)
        if (block_kinds[i].open == open)
            return &block_kinds[i];
    return NULL;
}

/* Returns the index of the line that closes the block opened at start, or block->count if no line
 * closes it. */
static size_t block_end(struct assembler *a, const struct block *block, size_t start,
                        const struct block_kind *kind)
{
    size_t nested = 0, at = start + 1;
    for (; at < block->count; at++) {
        enum block_mark mark = block->lines[at].mark;
        if (mark == kind->open || mark == kind->other)
            nested++;
        else if ((mark == kind->close || mark == kind->other_close) && nested-- == 0)
            break;
    }
    as_charge(a, at - start);
    return at;
}

/* Returns the index of the next .elseif, .else or .endif of the condition around start, or
 * block->count if there is none. */
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
    as_charge(a, at - start);
    return at;
}

bool as_enter(struct assembler *a, struct frame *frame)
{
    if (a->depth == DEPTH_MAX) {
        as_report(a, "asm-limit", a->statement,
                  "check for a macro, function or file that uses "
                  "itself",
                  "files, macros and loops are nested too deeply");
        a->stop = true;
        return false;
    }
    as_end_statement(a);
    a->depth++;
    frame->parent = a->frame;
    a->frame = frame;
    return true;
}

void as_leave(struct assembler *a, struct frame *frame)
{
    as_end_statement(a);
    a->depth--;
    a->frame = frame->parent;
}

/* --- loops --- */

static bool begin_loop(struct assembler *a, struct frame *frame, const char *directive)
{
    frame->kind = FRAME_LOOP;
    frame->name = directive;
    frame->call = a->line;
    return as_enter(a, frame);
}

static void run_once(struct assembler *a, const struct span *body)
{
    as_charge(a, WORK_LINE);
    as_run_lines(a, body->lines, body->count);
}

static bool take_counter(struct assembler *a, struct cursor *c, struct frame *frame,
                         const char *usage)
{
    const char *name;
    size_t length = ASM_TAKE_NAME(c, &name);
    if (length == 0) {
        as_report(a, "asm-syntax", c->at, usage, "expected the name of the loop variable");
        return false;
    }
    as_accept(c, ',');
    return as_add_local(a, frame, name, length, true);
}

/* Runs ".rep NAME, COUNT" with a counter, or GNU's ".rept COUNT" without a counter. */
static void run_rep(struct assembler *a, struct cursor *c, bool counted, const struct span *body)
{
    struct frame frame = {0};
    int64_t count;
    bool good = !counted || take_counter(a, c, &frame, "write .rep NAME, COUNT or .rept COUNT");
    if (good && as_evaluate_integer(a, c, "a repeat count", 0, REPEAT_MAX, &count) &&
        as_expect_end(a, c) && begin_loop(a, &frame, counted ? ".rep" : ".rept")) {
        for (int64_t i = 0; i < count && !a->stop; i++) {
            if (counted) {
                frame.locals[0].value = (struct asm_value){.kind = ASM_INTEGER, .integer = i};
                frame.locals[0].has_value = true;
            }
            run_once(a, body);
        }
        as_leave(a, &frame);
    }
    as_free_locals(&frame);
}

/* Runs ".foreach NAME, VALUE, ...". All values are evaluated before the first iteration. */
static void run_foreach(struct assembler *a, struct cursor *c, const struct span *body)
{
    struct frame frame = {0};
    struct buffer values = {0};
    struct asm_value value;
    bool good = take_counter(a, c, &frame, "write .foreach NAME, VALUE, VALUE ...");
    while (good) {
        good = as_evaluate(a, c, &value);
        buffer_append(&values, &value, sizeof value);
        if (!as_accept(c, ','))
            break;
    }
    if (values.failed)
        as_out_of_memory(a);
    if (good && as_expect_end(a, c) && !a->stop && begin_loop(a, &frame, ".foreach")) {
        for (size_t at = 0; at < values.size && !a->stop; at += sizeof value) {
            memcpy(&frame.locals[0].value, values.data + at, sizeof value);
            frame.locals[0].has_value = true;
            run_once(a, body);
        }
        as_leave(a, &frame);
    }
    buffer_free(&values);
    as_free_locals(&frame);
}

/* --- .local and .back --- */

static void run_local(struct assembler *a, struct cursor *c, const struct span *body)
{
    struct frame frame = {.kind = FRAME_BLOCK, .call = a->line};
    as_expect_end(a, c);
    if (as_enter(a, &frame)) {
        as_run_lines(a, body->lines, body->count);
        as_leave(a, &frame);
    }
    as_free_locals(&frame);
}

static void run_back(struct assembler *a, struct cursor *c, const struct span *body)
{
    int64_t count;
    struct back back;
    if (!as_moves_code(a, ".back"))
        return;
    if (a->in_back) {
        as_report(a, "asm-back", a->statement, NULL, ".back blocks cannot be nested");
        return;
    }
    if (!as_evaluate_integer(a, c, "a number of instructions", 0, BACK_MAX, &count) ||
        !as_expect_end(a, c) || !as_begin_back(a, (uint32_t)count, &back))
        return;
    a->in_back = true;
    as_run_lines(a, body->lines, body->count);
    a->in_back = false;
    as_end_back(a, &back);
}

/* --- conditions --- */

/* Evaluates ".ifset NAME". */
static bool is_set(struct assembler *a, struct cursor *c)
{
    const char *name;
    size_t length = ASM_TAKE_NAME(c, &name);
    if (length == 0) {
        as_report(a, "asm-syntax", c->at, NULL, "expected a name");
        return false;
    }
    if (!as_expect_end(a, c))
        return false;
    const struct asm_symbol *constant = symbols_find(&a->program->constants, name, length);
    const struct local *local = as_find_local(a, name, length);
    return (local && local->has_value) || (constant && constant->pass == a->pass);
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

/* Handles .elseif, .else and .endif. Execution reaches the line at the end of the previous branch,
 * or from next_branch(). */
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

static void run_block(struct assembler *a, struct cursor *c, enum block_mark mark, bool counted,
                      const struct span *body)
{
    switch (mark) {
    case MARK_REP: run_rep(a, c, counted, body); break;
    case MARK_FOREACH: run_foreach(a, c, body); break;
    case MARK_MACRO: as_macro_define(a, c, MACRO_CODE, body->lines, body->count); break;
    case MARK_FUNC: as_macro_define(a, c, MACRO_FUNCTION, body->lines, body->count); break;
    case MARK_LOCAL: run_local(a, c, body); break;
    default: run_back(a, c, body); break;
    }
}

/* Runs a directive that opens or closes a block, or separates the branches of a condition. */
static void run_block_mark(struct assembler *a, struct block *block, struct cursor *c)
{
    const char *name;
    enum block_mark mark = a->line->mark;
    as_accept(c, '.');
    size_t length = ASM_TAKE_NAME(c, &name), start = block->at;
    const struct block_kind *kind = find_kind(mark);
    if (kind) {
        size_t end = block_end(a, block, start, kind);
        struct span body = {block->lines + start + 1, end - start - 1};
        block->at = end;
        if (end == block->count)
            as_report(a, "asm-block", a->statement, NULL, ".%.*s without .%s", (int)length, name,
                      kind->end);
        else
            run_block(a, c, mark, length == strlen("rep"), &body);
        if (end < block->count && block->lines[end].mark == MARK_ENDFOR && mark == MARK_REP) {
            a->line = &block->lines[end];
            as_report(a, "asm-block", 0, "end .rep with .endr", ".endfor without .foreach");
        }
        return;
    }
    switch (mark) {
    case MARK_IF: open_condition(a, block, is_true(a, c, name, length)); break;
    case MARK_ELSEIF:
    case MARK_ELSE:
    case MARK_ENDIF: continue_condition(a, block, c, name, length); break;
    default:
        as_report(a, "asm-block", a->statement, NULL, ".%.*s without a matching opening directive",
                  (int)length, name);
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
    as_charge(a, WORK_LINE + line->length);
    if (a->stop)
        return;
    if (memchr(c.text, '\\', c.length) && as_macro_substitute(a, c.text, c.length, &changed)) {
        c = (struct cursor){(const char *)changed.data, changed.size, 0};
        as_charge(a, changed.size);
        a->line_changed = true;
    }
    as_take_labels(a, &c);
    if (a->line->mark != MARK_NONE)
        as_end_statement(a);
    if (a->line->mark != MARK_NONE)
        run_block_mark(a, block, &c);
    else if (!a->stop)
        as_run_statement(a, &c);
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
    as_end_statement(a); /* ends the statement before the loop variable changes */
    if (block.depth > 0 && !a->stop) {
        a->line = block.conditions[block.depth - 1].line;
        as_report(a, "asm-block", 0, "end the condition with .endif", ".if without .endif");
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
    as_report(a, "asm-syntax", file->unclosed_offset, "end the comment with */",
              "unterminated comment");
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
