/* SPDX-License-Identifier: MIT */
/* gp_check.c - runs the rules on GP programs.
 *
 * In: instruction words, the kind of each word (code or data), and the interface. All code of the
 *     input is one program, unless entries divide the code into several programs.
 * Out: findings, sorted and without duplicates. */
#include "check/gp/gp_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "check/frame/check_pieces.h"
#include "check/gp/gp_check_private.h"

/* --- findings --- */

static struct check_spot spot_of(const void *user, uint32_t at)
{
    const struct gpc_checker *checker = user;
    return (struct check_spot){.address = checker->out.entry + at * GP_INSN_BYTES};
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

static void take_interface(void *user, const struct interface_lines *from)
{
    struct gpc_interface *to = &((struct gpc_checker *)user)->interface;
    *to = (struct gpc_interface){.declared = from->count > 0, .position = -1};
    const struct tess_gp_symbol *symbol = from->symbols;
    for (size_t i = 0; i < from->count; i++, symbol++) {
        if (symbol->kind == TESS_GP_ATTRIBUTE) {
            to->attributes |= 1u << symbol->number;
            to->attribute[symbol->number] = symbol;
        } else if (symbol->kind == TESS_GP_VARYING)
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

/* Writes the numbers of the attributes that the program loads, such as "0, 2". */
static void list_loads(uint32_t loads, char *text, size_t size)
{
    size_t length = 0;
    snprintf(text, size, "no attribute");
    for (unsigned i = 0; i < GP_ATTRIBUTES; i++)
        if (loads >> i & 1)
            length += (size_t)snprintf(text + length, size - length, "%s%u", length ? ", " : "", i);
}

/* Reports attributes that are declared but not loaded. Does nothing if the file has several
 * programs: they share one interface, and a program need not load the attributes of the others. */
void gpc_check_unread_attributes(const struct gpc_walk *walk)
{
    enum { TEXT = 8 * GP_ATTRIBUTES };
    const struct gpc_checker *checker = walk->checker;
    char text[TEXT];
    uint32_t loads = 0;
    for (uint32_t i = 0; i < checker->count; i++)
        if (checker->facts[i].insn.register0_attribute)
            loads |= 1u << checker->facts[i].insn.register0_addr;
    list_loads(loads, text, sizeof text);
    for (unsigned i = 0; i < GP_ATTRIBUTES && checker->input->entry_count <= 1; i++)
        if (checker->interface.attribute[i] && !(loads >> i & 1))
            REPORT(walk, CHECK_GP_ATTRIBUTE_UNREAD, CHECK_SUBJECT(i),
                   "no instruction loads attribute %u, '%.40s': the program loads %s", i,
                   checker->interface.attribute[i]->name, text);
}

void gpc_check_length(const struct gpc_walk *walk)
{
    if (walk->checker->length > GP_PROGRAM_MAX)
        check_report(&walk->checker->out, CHECK_GP_TOO_LONG, GP_PROGRAM_MAX, CHECK_ALONE,
                     "the program has %u instructions; the limit is %d", walk->checker->length,
                     GP_PROGRAM_MAX);
}

void gpc_check_overlap(const struct gpc_walk *walk)
{
    const struct tess_gp_symbol *overlap = walk->checker->interface.overlap;
    if (overlap)
        REPORT(walk, CHECK_GP_ROWS_OVERLAP, CHECK_ALONE,
               "the rows of '%s' are used by temporaries and by uniforms or constants",
               overlap->name);
}

static bool check_program(void *user, size_t first, size_t count)
{
    struct gpc_checker *checker = user;
    checker->length = (uint32_t)count;
    checker->count = checker->length < GP_PROGRAM_MAX ? checker->length : GP_PROGRAM_MAX;
    take_words(checker, (uint32_t)first);
    gpc_flow_build(checker);
    return gpc_check_rules(checker);
}

/* --- all programs --- */

static bool check(const struct check_input *input, struct check_sink sink)
{
    struct gpc_checker *checker = calloc(1, sizeof *checker);
    if (!checker)
        return false;
    checker->input = input;
    checker->out = (struct check_findings){
        .spot = spot_of, .user = checker, .by_program = true, .kind = TESS_SHADER_VERTEX};
    bool good = check_pieces(&(const struct check_pieces){.input = input,
                                                          .word_bytes = GP_INSN_BYTES,
                                                          .findings = &checker->out,
                                                          .data_inside = CHECK_GP_DATA_INSIDE,
                                                          .kind = &gp_interface,
                                                          .take_interface = take_interface,
                                                          .check = check_program,
                                                          .user = checker},
                             sink);
    free(checker);
    return good;
}

const struct check_machine gp_check_machine = {
    .word_bytes = GP_INSN_BYTES, .alignment = GP_INSN_BYTES, .check = check};
