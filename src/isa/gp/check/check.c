/* SPDX-License-Identifier: MIT */
/* check.c - runs the rules over a GP program.
 *
 * In:  words, what is data, and the interface. All code of the input is one program, unless entries divide it.
 * Out: findings, sorted and each once. */
#include "isa/gp/check/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/order.h"
#include "isa/gp/check/internal.h"

/* --- findings --- */

/* Titles begin with a capital, diagnostics don't. Names keep theirs. */
static void begin_small(char *text)
{
    bool word = (text[1] >= 'a' && text[1] <= 'z') || (text[0] == 'A' && text[1] == ' ');
    if (text[0] >= 'A' && text[0] <= 'Z' && word)
        text[0] = (char)(text[0] - 'A' + 'a');
}

static uint32_t address_of(const struct gpc_checker *checker, uint32_t at)
{
    return checker->base + at * GP_INSN_BYTES;
}

static struct gpc_found *new_found(struct gpc_checker *checker)
{
    if (checker->found_count == checker->found_capacity) {
        size_t wanted = checker->found_capacity ? checker->found_capacity * 2 : 32;
        struct gpc_found *larger = realloc(checker->found, wanted * sizeof *larger);
        checker->no_memory |= !larger;
        if (!larger)
            return NULL;
        checker->found = larger;
        checker->found_capacity = wanted;
    }
    return &checker->found[checker->found_count++];
}

void gpc_report(struct gpc_checker *checker, enum check_rule rule, uint32_t at,
                const struct gpc_about *about, const char *format, ...)
{
    struct gpc_found *item = new_found(checker);
    if (!item)
        return;
    *item = (struct gpc_found){
        .subject = about->subject,
        .finding = {.rule = rule,
                    .address = address_of(checker, at),
                    .has_other = about->other != GPC_NONE,
                    .distance = about->distance,
                    .entry = checker->base,
                    .kind = TESS_SHADER_VERTEX}
    };
    if (item->finding.has_other)
        item->finding.other = address_of(checker, about->other);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(item->finding.text, sizeof item->finding.text, format, arguments);
    va_end(arguments);
    begin_small(item->finding.text);
}

void gpc_report_title(struct gpc_checker *checker, enum check_rule rule, uint32_t at)
{
    gpc_report(checker, rule, at, GPC_ALONE, "%s", check_rule(rule)->title);
}

static int order(const void *one, const void *other)
{
    const struct gpc_found *a = one, *b = other;
    int by_address = order_u32(a->finding.address, b->finding.address);
    int by_rule = order_u32(a->finding.rule, b->finding.rule);
    int by_subject = order_u32(a->subject, b->subject);
    int by_other = order_u32(a->finding.other, b->finding.other);
    return by_address ? by_address : by_rule ? by_rule : by_subject ? by_subject : by_other;
}

static bool is_same(const struct gpc_found *one, const struct gpc_found *other)
{
    return one->finding.address == other->finding.address &&
           one->finding.rule == other->finding.rule && one->subject == other->subject;
}

static void hand_over(const struct gpc_checker *checker, struct check_sink sink)
{
    const struct gpc_found *last = NULL;
    if (checker->found_count)
        qsort(checker->found, checker->found_count, sizeof *checker->found, order);
    for (size_t i = 0; i < checker->found_count; i++) {
        const struct gpc_found *item = &checker->found[i];
        if (!(last && is_same(last, item)) && sink.report)
            sink.report(sink.user, &item->finding);
        last = item;
    }
}

/* --- the interface --- */

static void take_rows(struct gpc_interface *to, const struct tess_gp_symbol *symbol)
{
    for (uint32_t i = 0; i < symbol->count && symbol->number + i < GP_ROWS; i++) {
        const struct tess_gp_symbol **row = &to->rows[symbol->number + i];
        bool other = *row &&
                     ((*row)->kind == TESS_GP_TEMPORARY) != (symbol->kind == TESS_GP_TEMPORARY);
        to->overlap = other ? symbol : to->overlap;
        *row = symbol;
    }
}

static void take_interface(struct gpc_interface *to, const struct gp_interface *from)
{
    *to = (struct gpc_interface){.declared = from->count > 0, .position = -1};
    for (size_t i = 0; i < from->count; i++) {
        const struct tess_gp_symbol *symbol = &from->symbols[i];
        if (symbol->kind == TESS_GP_ATTRIBUTE)
            to->attributes |= 1u << symbol->number;
        else if (symbol->kind == TESS_GP_VARYING)
            to->varyings[symbol->number] = symbol;
        else
            take_rows(to, symbol);
        if (symbol->kind == TESS_GP_VARYING && strcmp(symbol->name, "gl_Position") == 0)
            to->position = (int)symbol->number;
    }
}

bool gpc_constant(const struct gpc_checker *checker, uint32_t at, unsigned source, float *value)
{
    const struct gp_insn *insn = &checker->facts[at].insn;
    const struct tess_gp_symbol *row = checker->interface.rows[insn->load_addr];
    if (gp_sources[source].unit != GP_UNIT_ROW || insn->load_offset != GP_NO_OFFSET || !row ||
        row->kind != TESS_GP_CONSTANT)
        return false;
    *value = row->values[source & 3];
    return true;
}

/* --- one program --- */

static void take_words(struct gpc_checker *checker, uint32_t first)
{
    for (uint32_t i = 0; i < checker->count; i++) {
        const uint8_t *bytes = checker->input->words + (size_t)(first + i) * GP_INSN_BYTES;
        uint32_t words[GP_WORDS];
        for (unsigned k = 0; k < GP_WORDS; k++)
            words[k] = load_le32(bytes + 4 * k);
        checker->facts[i] = gpc_facts(words);
    }
}

static bool check_program(struct gpc_checker *checker, uint32_t first, uint32_t end)
{
    uint32_t count = end - first;
    checker->base = checker->input->base + first * GP_INSN_BYTES;
    checker->count = count < GP_PROGRAM_MAX ? count : GP_PROGRAM_MAX;
    if (count > GP_PROGRAM_MAX)
        gpc_report(checker, CHECK_GP_TOO_LONG, GP_PROGRAM_MAX, GPC_ALONE,
                   "the program has %u instructions, and %d are the most", count, GP_PROGRAM_MAX);
    if (checker->interface.overlap)
        gpc_report(checker, CHECK_GP_ROWS_OVERLAP, 0, GPC_ALONE,
                   "temporaries share rows with uniforms or constants, %s among them",
                   checker->interface.overlap->name);
    take_words(checker, first);
    gpc_flow_build(checker);
    gpc_check_flow(checker);
    for (uint32_t i = 0; i < checker->count; i++) {
        gpc_check_word(checker, i);
        if (checker->flow.reached[i])
            gpc_check_results(checker, i);
    }
    return gpc_check_ways(checker) && !checker->no_memory;
}

/* --- all programs --- */

static bool is_code(const struct check_input *input, size_t word)
{
    return !input->content || input->content[word] != CHECK_DATA;
}

/* Whether an entry is at this word. */
static bool begins(const struct check_input *input, size_t word)
{
    for (size_t i = 0; i < input->entry_count; i++)
        if (input->entries[i].sure &&
            input->entries[i].address - input->base == (uint32_t)word * GP_INSN_BYTES)
            return true;
    return false;
}

static bool any_begins(const struct check_input *input)
{
    for (size_t i = 0; i < input->entry_count; i++)
        if (input->entries[i].sure)
            return true;
    return false;
}

/* Behind the last word of the program that begins at first: at the next entry, or behind all code. */
static size_t end_of(const struct check_input *input, size_t first)
{
    size_t end = first;
    for (size_t i = first; i < input->count && (i == first || !begins(input, i)); i++)
        end = is_code(input, i) ? i + 1 : end;
    return end;
}

static bool check_piece(struct gpc_checker *checker, size_t first)
{
    const struct check_input *input = checker->input;
    size_t end = end_of(input, first);
    for (size_t i = first; i < end; i++) {
        if (is_code(input, i))
            continue;
        checker->base = input->base + (uint32_t)first * GP_INSN_BYTES;
        gpc_report_title(checker, CHECK_GP_DATA_INSIDE, (uint32_t)(i - first));
        return !checker->no_memory;
    }
    return end == first || check_program(checker, (uint32_t)first, (uint32_t)end);
}

static bool check_all(struct gpc_checker *checker)
{
    const struct check_input *input = checker->input;
    bool given = any_begins(input), good = true;
    for (size_t i = 0; i < input->count && good; i++) {
        if (given ? !begins(input, i) : !is_code(input, i))
            continue;
        good = check_piece(checker, i);
        if (!given)
            break;
    }
    return good;
}

static bool check(const struct check_input *input, struct check_sink sink)
{
    struct gp_interface interface = {0};
    struct gpc_checker *checker = calloc(1, sizeof *checker);
    enum tess_status status = gp_interface_read(input->notes ? input->notes : "", input->notes_size,
                                                input->name ? input->name : "", input->sink,
                                                &interface);
    bool good = checker && status != TESS_NO_MEMORY;
    if (good) {
        checker->input = input;
        take_interface(&checker->interface, &interface);
        good = check_all(checker);
    }
    if (good)
        hand_over(checker, sink);
    if (checker)
        free(checker->found);
    free(checker);
    gp_interface_free(&interface);
    return good;
}

const struct check_machine gp_check_machine = {
    .word_bytes = GP_INSN_BYTES, .alignment = GP_INSN_BYTES, .check = check};
