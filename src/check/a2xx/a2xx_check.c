/* SPDX-License-Identifier: MIT */
/* a2xx_check.c - runs the rules on A2xx programs.
 *
 * In: words, the kind of each word (code or data), and the interface. All code of the input is one
 *     program, unless entries divide the code into several programs.
 * Out:    findings, sorted and without duplicates.
 * Choice: a program that exports or reserves a position, or fetches vertices, is a vertex
 *         program. All other programs are pixel programs. */
#include "check/a2xx/a2xx_check.h"

#include <stdlib.h>

#include <tessera/a2xx.h>

#include "base/bits.h"
#include "check/a2xx/a2xx_check_private.h"
#include "check/frame/check_pieces.h"
#include "isa/a2xx/facts.h"
#include "isa/a2xx/print.h"
#include "isa/interface_read.h"

/* --- findings --- */

/* Returns the place of an instruction. The sequence bits of the clauses define its kind. */
static struct check_spot spot_of(const void *user, uint32_t at)
{
    const struct a2c_checker *checker = user;
    if (at & A2C_CONTROL)
        return (struct check_spot){checker->out.entry + (at ^ A2C_CONTROL) * A2XX_CF_BYTES,
                                   A2XX_CF_BYTES, TESS_A2XX_SLOT_CONTROL};
    struct check_spot spot = {checker->out.entry + at * A2XX_SLOT_BYTES, A2XX_SLOT_BYTES,
                              TESS_A2XX_SLOT_CONTROL};
    if (at < checker->slots)
        spot.slot = checker->kinds[at] & A2XX_SLOT_FETCH ? TESS_A2XX_SLOT_FETCH
                                                         : TESS_A2XX_SLOT_ALU;
    return spot;
}

const char *a2c_components(char text[A2C_COMPONENTS_MAX], unsigned mask)
{
    unsigned count = 0;
    for (unsigned i = 0; i < 4; i++)
        if (mask >> i & 1)
            text[count++] = "xyzw"[i];
    text[count] = 0;
    return text;
}

/* --- the interface --- */

static void take_interface(void *user, const struct interface_lines *from)
{
    struct a2c_interface *to = &((struct a2c_checker *)user)->interface;
    *to = (struct a2c_interface){0};
    const struct tess_a2xx_symbol *symbol = from->symbols;
    for (size_t i = 0; i < from->count; i++, symbol++) {
        bool constant = symbol->kind == TESS_A2XX_UNIFORM || symbol->kind == TESS_A2XX_CONST;
        to->any_constant |= constant;
        to->any_varying |= symbol->kind == TESS_A2XX_VARYING;
        to->any_sampler |= symbol->kind == TESS_A2XX_SAMPLER;
        for (uint32_t k = symbol->number; k < symbol->number + symbol->count; k++) {
            if (constant && k < A2XX_CONSTANTS)
                to->constants[k] = true;
            if (symbol->kind == TESS_A2XX_ATTRIBUTE && k < A2XX_REGISTERS)
                to->attributes[k] = symbol->name;
            if (symbol->kind == TESS_A2XX_VARYING && k < 64)
                to->varyings |= UINT64_C(1) << k;
            if (symbol->kind == TESS_A2XX_SAMPLER && k < A2XX_FETCH_CONSTANTS)
                to->samplers |= UINT32_C(1) << k;
        }
    }
}

/* --- the stage --- */

static void note_export(struct a2c_checker *checker, const struct a2xx_alu *alu, uint32_t slot)
{
    checker->exports |= UINT64_C(1) << alu->vector_dest;
    checker->relative_exports |= alu->vector_dest_rel;
    if (alu->vector_dest != A2XX_EXPORT_POSITION)
        return;
    checker->position |= (uint8_t)a2xx_export_mask(alu);
    checker->position_at = slot;
}

static bool take_clause(struct a2c_checker *checker, const struct a2xx_exec *exec)
{
    uint32_t count = a2c_count(checker, exec);
    bool fetches = false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *words = a2c_words(checker, exec->address + i);
        struct a2xx_alu alu = a2xx_decode_alu(words);
        if (a2xx_is_fetch(exec, i)) {
            fetches |= a2xx_decode_fetch(words).form == A2XX_FORM_VERTEX;
        } else if (alu.export_data && a2xx_export_mask(&alu)) {
            note_export(checker, &alu, exec->address + i);
        }
    }
    return fetches;
}

/* Finds the exports of the program, and derives its stage from them unless it is given. */
static void find_kind(struct a2c_checker *checker, enum tess_shader_kind given)
{
    bool vertex = false;
    for (uint32_t i = 0; i < checker->cf_count; i++) {
        const struct a2xx_cf *cf = &checker->cfs[i];
        if (cf->form == A2XX_FORM_ALLOC)
            vertex |= cf->alloc.buffer_select == A2XX_BUFFER_POSITION;
        else if (cf->form == A2XX_FORM_EXEC)
            vertex |= take_clause(checker, &cf->exec);
    }
    vertex |= checker->exports >> A2XX_EXPORT_POSITION & 1;
    checker->kind = vertex ? TESS_SHADER_VERTEX : TESS_SHADER_FRAGMENT;
    if (given == TESS_SHADER_VERTEX || given == TESS_SHADER_FRAGMENT)
        checker->kind = given;
    checker->out.kind = checker->kind;
}

/* --- end of control flow --- */

/* Returns true if the instruction looks like control flow in a program of `slots` slots. */
static bool looks_like_control(const struct a2xx_cf *cf, uint32_t slot, uint32_t slots)
{
    const struct a2xx_exec *exec = &cf->exec;
    if (a2xx_has_reserved_bits(cf))
        return false;
    if (cf->form == A2XX_FORM_LOOP)
        return cf->loop.address <= 2 * slots;
    if (cf->form == A2XX_FORM_JUMP)
        return cf->jump.address < 2 * slots;
    return cf->form != A2XX_FORM_EXEC || exec->count == 0 ||
           (exec->count <= A2XX_CLAUSE_MAX && exec->address > slot &&
            exec->address + exec->count <= slots && exec->sequence >> 2 * exec->count == 0);
}

/* Returns the number of slots with control flow. Control flow ends where the lowest clause begins.
 * If the program has no END before that clause, but more slots that look like control flow follow
 * up to an END, the address of the clause is probably wrong. Control flow then continues up to the
 * END. */
static uint32_t control_slots(const uint32_t *words, uint32_t slots)
{
    uint32_t named = (uint32_t)a2xx_cf_slots(words, slots);
    for (uint32_t i = 0; i < A2XX_CF_PER_SLOT * slots; i++) {
        uint32_t slot = i / A2XX_CF_PER_SLOT;
        struct a2xx_cf cf = a2xx_decode_cf(
            a2xx_cf_half(words + (size_t)slot * A2XX_WORDS, i % A2XX_CF_PER_SLOT));
        if (slot >= named && !looks_like_control(&cf, slot, slots))
            return named;
        if (a2xx_is_end(cf.opcode))
            return slot < named ? named : slot + 1;
    }
    return named;
}

static bool take_words(struct a2c_checker *checker, const uint8_t *bytes)
{
    size_t words = (size_t)checker->slots * A2XX_WORDS;
    checker->words = calloc(words, sizeof *checker->words);
    if (!checker->words)
        return false;
    for (size_t i = 0; i < words; i++)
        checker->words[i] = load_le32(bytes + 4 * i);
    checker->cf_slots = control_slots(checker->words, checker->slots);
    checker->cf_count = checker->cf_slots * A2XX_CF_PER_SLOT;
    checker->kinds = calloc(checker->slots, sizeof *checker->kinds);
    checker->cfs = calloc(checker->cf_count, sizeof *checker->cfs);
    checker->reached = calloc(checker->cf_count, sizeof *checker->reached);
    if (!checker->kinds || !checker->cfs || !checker->reached)
        return false;
    a2xx_slot_kinds(checker->words, checker->slots, checker->cf_slots, checker->kinds);
    for (uint32_t i = 0; i < checker->cf_count; i++)
        checker->cfs[i] = a2xx_decode_cf(a2xx_cf_half(a2c_words(checker, i / 2), i % 2));
    return true;
}

static void forget_words(struct a2c_checker *checker)
{
    free(checker->words);
    free(checker->kinds);
    free(checker->cfs);
    free(checker->reached);
    checker->slots = 0;
    checker->words = NULL;
    checker->kinds = NULL;
    checker->cfs = NULL;
    checker->reached = NULL;
}

/* --- one program --- */

/* Returns the entry at the program's address. If there is none, returns the first entry, or NULL if
 * there are no entries. */
static const struct check_entry *entry_of(const struct check_input *input, uint32_t address)
{
    for (size_t i = 0; i < input->entry_count; i++)
        if (input->entries[i].address == address)
            return &input->entries[i];
    return input->entry_count ? &input->entries[0] : NULL;
}

static bool check_program(void *user, size_t first, size_t count)
{
    struct a2c_checker *checker = user;
    const struct check_input *input = checker->input;
    const struct check_entry *entry = entry_of(input, checker->out.entry);
    checker->slots = (uint32_t)(count < A2XX_SLOTS_MAX ? count : A2XX_SLOTS_MAX);
    checker->registers = entry && entry->registers > 0 ? (uint32_t)entry->registers : 0;
    checker->exports = 0;
    checker->position = 0;
    checker->relative_exports = false;
    bool good = take_words(checker, input->words + first * A2XX_SLOT_BYTES);
    if (good && count > A2XX_SLOTS_STORE)
        check_report(&checker->out, CHECK_A2XX_TOO_LONG, A2XX_SLOTS_STORE, CHECK_ALONE,
                     "the program has %zu slots, but a stage has only %d", count, A2XX_SLOTS_STORE);
    if (good) {
        find_kind(checker, entry ? entry->kind : TESS_SHADER_UNKNOWN);
        good = a2c_ask_all(checker);
    }
    forget_words(checker);
    return good;
}

/* --- all programs --- */

static bool check(const struct check_input *input, struct check_sink sink)
{
    struct a2c_checker checker = {.input = input, .variant = input->variant};
    checker.out = (struct check_findings){.spot = spot_of, .user = &checker, .by_program = true};
    return check_pieces(&(const struct check_pieces){.input = input,
                                                     .word_bytes = A2XX_SLOT_BYTES,
                                                     .findings = &checker.out,
                                                     .data_inside = CHECK_A2XX_DATA_INSIDE,
                                                     .kind = &a2xx_interface,
                                                     .take_interface = take_interface,
                                                     .check = check_program,
                                                     .user = &checker},
                        sink);
}

const struct check_machine a2xx_check_machine = {
    .word_bytes = A2XX_SLOT_BYTES, .alignment = 4, .check = check};
