/* SPDX-License-Identifier: MIT */
/* stream.c - instruction sets whose statements begin with certain words. A statement may span
 * lines, and a line may contain several statements. The instruction set arranges the resulting
 * instructions at the end of a run.
 *
 * In:      the rest of a line.
 * Out:     complete statements for the instruction set. Their records form a run, whose bytes go to
 *          a region.
 * Choices: a directive, a label, or the start or end of a file, macro or loop ends a statement.
 *          Data and .org end a run. */
#include <stdlib.h>
#include <string.h>

#include "asm/internal.h"
#include "base/ascii.h"

/* Source position of a statement's text, from offset `at` on. */
struct piece {
    const struct source_line *line;
    bool changed; /* true if macro arguments were substituted */
    size_t statement, column, at;
};

static const struct piece *piece_at(const struct pending *pending, size_t offset)
{
    const struct piece *pieces = (const struct piece *)(const void *)pending->pieces.data;
    size_t count = pending->pieces.size / sizeof *pieces;
    while (count > 1 && pieces[count - 1].at > offset)
        count--;
    return &pieces[count - 1];
}

/* Sets the position of the next messages to an offset in the statement. Returns the number to add
 * to offsets in the statement to obtain offsets in the line. */
static size_t go_to(struct assembler *a, const struct pending *pending, size_t offset)
{
    const struct piece *piece = piece_at(pending, offset);
    a->line = piece->line;
    a->line_changed = piece->changed;
    a->statement = piece->changed ? piece->statement : piece->column;
    return piece->column - piece->at;
}

/* A position in the source, to be restored later. */
struct here {
    const struct source_line *line;
    bool changed;
    size_t statement;
};

static struct here remember(const struct assembler *a)
{
    return (struct here){a->line, a->line_changed, a->statement};
}

static void come_back(struct assembler *a, const struct here *here)
{
    a->line = here->line;
    a->line_changed = here->changed;
    a->statement = here->statement;
}

/* --- statements --- */

/* The statement that the instruction set's callbacks receive, followed by the assembler. put() and
 * last() find the assembler through their pointer to the statement. */
struct call {
    struct asm_statement statement;
    struct assembler *a;
};

static void put(const struct asm_statement *statement, const uint8_t record[ASM_RECORD])
{
    struct assembler *a = ((const struct call *)(const void *)statement)->a;
    uint32_t alignment = a->request->isa->alignment, beyond = as_here(a) % alignment;
    struct asm_origin origin;
    if (a->run.records.size == 0 && beyond != 0) {
        as_warn(a, "asm-alignment", a->statement, "insert .align before the instruction",
                "zeros are inserted at 0x%08x, because an instruction must be at a multiple of %u",
                as_here(a), alignment);
        as_emit_zeros(a, alignment - beyond);
    }
    if (a->run.records.size == 0)
        a->run.first_target = a->target_count;
    as_origin_here(a, &origin);
    buffer_append(&a->run.records, record, ASM_RECORD);
    buffer_append(&a->run.origins, &origin, sizeof origin);
    if (a->run.records.failed || a->run.origins.failed)
        as_out_of_memory(a);
}

static uint8_t *last(const struct asm_statement *statement)
{
    struct assembler *a = ((const struct call *)(const void *)statement)->a;
    struct buffer *records = &a->run.records;
    return records->size > 0 ? records->data + records->size - ASM_RECORD : NULL;
}

static void warn(void *user, const struct asm_error *warning)
{
    struct assembler *a = user;
    struct here here = remember(a);
    size_t base = go_to(a, a->ending, warning->offset);
    as_warn(a, warning->rule, base + warning->offset, warning->hint, "%s", warning->text);
    come_back(a, &here);
}

static void report(struct assembler *a, const struct pending *pending, struct asm_error *error)
{
    size_t base = go_to(a, pending, error->offset);
    const char *text = (const char *)pending->text.data;
    if (a->pass > 1 && error->name && strcmp(error->rule, "asm-undefined") != 0)
        error->hint = error->offset == 0 ? as_suggest_first(a, text, pending->text.size, error)
                                         : as_suggest_statement(a, error->name, error->name_length);
    as_report_error(a, error, base);
}

/* Parses the pending statement. a->pending is emptied first, because a function in an expression of
 * the statement calls as_end_statement() again. */
void as_end_statement(struct assembler *a)
{
    struct pending pending = a->pending;
    if (pending.text.size == 0)
        return;
    a->pending = (struct pending){0};
    a->ending = &pending;
    struct here here = remember(a);
    struct asm_names names = as_names_here(a);
    struct asm_error error = {0};
    names.warn = warn;
    const struct call call = {
        .statement = {(const char *)pending.text.data, pending.text.size, &a->program->scene,
                      &names, put, last},
        .a = a,
    };
    bool failed = pending.text.failed || pending.pieces.failed;
    if (!failed)
        go_to(a, &pending, 0);
    a->said = false;
    if (failed)
        as_out_of_memory(a);
    else if (!a->request->isa->statement(&call.statement, &error))
        report(a, &pending, &error);
    come_back(a, &here);
    a->ending = NULL;
    pending.text.size = pending.pieces.size = pending.depth = 0;
    a->pending = pending;
}

/* --- lines --- */

static void begin_piece(struct assembler *a, size_t column)
{
    const struct piece piece = {a->line, a->line_changed, a->statement, column,
                                a->pending.text.size};
    buffer_append(&a->pending.pieces, &piece, sizeof piece);
}

/* Returns the length of the token at the cursor: a name, a number, or one character. */
static size_t token_length(const struct cursor *c)
{
    size_t length = asm_word_length(c->text, c->length, c->at);
    return length > 0 ? length : 1;
}

/* Takes a label "name:" within a line. */
static bool take_label(struct assembler *a, struct cursor *c, size_t length)
{
    bool (*is_word)(const char *name, size_t length) = a->request->isa->is_word;
    const char *name = c->text + c->at;
    if (!ascii_starts_name(name[0]) || c->at + length >= c->length || name[length] != ':' ||
        (is_word && is_word(name, length)))
        return false;
    as_define_label(a, name, length, c->at, false);
    c->at += length + 1;
    ASM_PEEK(c);
    return true;
}

/* Returns true if a statement begins at the cursor. Then also ends the previous statement. */
static bool begins(struct assembler *a, const struct cursor *c)
{
    const struct pending *pending = &a->pending;
    if (pending->depth > 0 ||
        !a->request->isa->begins(c->text + c->at, c->length - c->at,
                                 (const char *)pending->text.data, pending->text.size))
        return false;
    as_end_statement(a);
    return true;
}

void as_run_stream(struct assembler *a, struct cursor *c)
{
    struct pending *pending = &a->pending;
    if (pending->text.size + c->length > LINE_MAX_LENGTH) {
        as_report(a, "asm-limit", c->at, NULL, "a statement has more than %d characters",
                  LINE_MAX_LENGTH);
        pending->text.size = pending->pieces.size = 0;
    }
    if (pending->text.size > 0)
        buffer_byte(&pending->text, ' ');
    pending->depth = 0; /* an unclosed parenthesis affects its own line only */
    bool begun = false;
    ASM_PEEK(c);
    while (c->at < c->length && !a->stop) {
        char first = c->text[c->at];
        size_t length = token_length(c);
        if (pending->depth == 0 && take_label(a, c, length)) {
            begun = false;
            continue;
        }
        if (begins(a, c) || !begun)
            begin_piece(a, c->at);
        begun = true;
        buffer_append(&pending->text, c->text + c->at, length);
        c->at += length;
        if (first == '(')
            pending->depth++;
        else if (first == ')' && pending->depth > 0)
            pending->depth--;
    }
}

/* --- runs --- */

size_t as_run_count(const struct assembler *a)
{
    return a->run.records.size / ASM_RECORD;
}

bool as_moves_code(struct assembler *a, const char *directive)
{
    if (!a->request->isa->arrange)
        return true;
    as_report(a, "asm-unknown", a->statement, NULL, "%s is not available for this machine",
              directive);
    return false;
}

/* A run that is being encoded. */
struct arranging {
    struct asm_run run;
    struct assembler *a;
    const struct asm_origin *origins;
};

static void report_record(const struct asm_run *run, enum tess_level severity, size_t record,
                          const char *rule, const char *hint, const char *text)
{
    const struct arranging *arranging = (const struct arranging *)(const void *)run;
    struct assembler *a = arranging->a;
    struct here here = remember(a);
    const struct asm_origin *origin = &arranging->origins[record];
    a->line = origin->line;
    a->line_changed = false;
    a->statement = origin->column - 1;
    as_say(a, severity, rule, a->statement, hint, "%s", text);
    come_back(a, &here);
}

/* Moves each label in the run to the address of the record after the label. */
static void move_targets(struct assembler *a, const uint32_t *offsets, size_t count)
{
    for (size_t i = a->run.first_target; i < a->target_count; i++) {
        struct target *target = &a->targets[i];
        uint32_t offset = offsets[target->record < count ? target->record : count];
        as_move_target(a, target, offset);
    }
}

/* Emits the bytes and computes the offset of each record. The last element of offsets is the end of
 * the bytes. */
static void emit_run(struct assembler *a, const struct arranging *arranging, uint32_t *offsets)
{
    const struct asm_run *run = &arranging->run;
    const struct asm_place *places = (const struct asm_place *)(const void *)run->places->data;
    size_t count = run->places->size / sizeof *places;
    uint32_t at = 0;
    for (size_t i = 0; i <= run->count; i++)
        offsets[i] = UINT32_MAX;
    for (size_t i = 0; i < count && !a->stop; at += places[i++].size) {
        if (offsets[places[i].record] == UINT32_MAX)
            offsets[places[i].record] = at;
        as_emit_from(a, run->bytes->data + at, places[i].size,
                     &arranging->origins[places[i].record]);
    }
    for (size_t i = 0; i <= run->count; i++)
        if (offsets[i] == UINT32_MAX)
            offsets[i] = at;
}

static void end_run(struct assembler *a, const struct buffer *records, const struct buffer *origins)
{
    struct buffer bytes = {0}, places = {0};
    const struct arranging arranging = {
        .run = {.records = records->data,
                .count = records->size / ASM_RECORD,
                .address = as_here(a),
                .final = a->pass > 1,
                .state = a->state,
                .bytes = &bytes,
                .places = &places,
                .report = report_record},
        .a = a,
        .origins = (const struct asm_origin *)(const void *)origins->data,
    };
    uint32_t *offsets = malloc((arranging.run.count + 1) * sizeof *offsets);
    bool good = offsets && a->request->isa->arrange(&arranging.run) && !bytes.failed &&
                !places.failed;
    if (good) {
        emit_run(a, &arranging, offsets);
        move_targets(a, offsets, arranging.run.count);
    } else {
        as_out_of_memory(a);
    }
    free(offsets);
    buffer_free(&bytes);
    buffer_free(&places);
}

/* Encodes the pending run. a->run is emptied first, so that nested calls do nothing. */
void as_end_run(struct assembler *a)
{
    struct buffer records = a->run.records, origins = a->run.origins;
    if (records.size == 0)
        return;
    a->run.records = a->run.origins = (struct buffer){0};
    end_run(a, &records, &origins);
    records.size = origins.size = 0;
    a->run.records = records;
    a->run.origins = origins;
}
