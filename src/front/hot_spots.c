/* SPDX-License-Identifier: MIT */
/* hot_spots.c - see hot_spots.h.
 *
 * Choices: tables show at most 8 programs with at least 1/100 of all cycles each, and for each
 *          program at most 16 instructions with at least 1/200 of the program's cycles. JSON
 *          contains all instructions. */
#include "front/hot_spots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "base/array.h"
#include "base/json.h"

enum {
    CLOCKS = 4, /* clocks per instruction (manual section 3) */
    PROGRAMS = 8,
    LINES = 16,
    PROGRAM_SHARE = 100, /* smallest share of a program that is shown: 1 / PROGRAM_SHARE */
    LINE_SHARE = 200,
    PLACE_WIDTH = 36,
    TEXT = 200,
};

void hot_spots_begin(struct hot_spots *hot, const struct tess_vc4 *vc4)
{
    *hot = (struct hot_spots){0};
    if (tess_vc4_get_hot(vc4, &hot->rows, &hot->count) != TESS_OK)
        hot->count = 0;
}

void hot_spots_end(struct hot_spots *hot)
{
    tess_free(hot->rows);
    *hot = (struct hot_spots){0};
}

static uint64_t stalls_of(const struct tess_vc4_hot *row)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < TESS_VC4_STALLS; i++)
        sum += row->stalls[i];
    return sum;
}

static uint64_t cycles_of(const struct tess_vc4_hot *row)
{
    return row->executed * CLOCKS + stalls_of(row);
}

static bool same_program(const struct tess_vc4_hot *one, const struct tess_vc4_hot *other)
{
    return one->kind == other->kind && one->shader == other->shader && one->code == other->code;
}

/* Selects the rows of the program whose first row has the index `first`. */
static void choose(struct hot_spots *hot, size_t first)
{
    const struct tess_vc4_hot *row = &hot->rows[first];
    hot->first = row;
    hot->some = 0;
    while (first + hot->some < hot->count && same_program(row, row + hot->some))
        hot->some++;
}

/* Selects the rows of a program. If it has no rows, hot->some is 0. */
static void choose_program(struct hot_spots *hot, const struct tess_vc4_shader_stats *program)
{
    const struct tess_vc4_hot wanted = {
        .kind = program->kind, .shader = program->start, .code = program->code};
    hot->some = 0;
    for (size_t i = 0; i < hot->count && !hot->some; i++)
        if (same_program(&hot->rows[i], &wanted))
            choose(hot, i);
}

/* --- names --- */

/* Reads an instruction from the profile. Returns false if the profile does not contain the address.
 * If several programs have used the address, reads the instruction that was executed most often. */
static bool read_rows(void *user, uint32_t address, uint64_t *word)
{
    const struct hot_spots *hot = user;
    uint64_t most = 0;
    if (hot->named && hot->named->address == address) {
        *word = hot->named->word;
        return true;
    }
    for (size_t i = ARRAY_BELOW(hot->first, hot->some, address, address);
         i < hot->some && hot->first[i].address == address; i++) {
        if (hot->first[i].executed < most)
            continue;
        most = hot->first[i].executed;
        *word = hot->first[i].word;
    }
    return most > 0;
}

static void name_row(const struct address_names *names, struct hot_spots *hot,
                     const struct tess_vc4_hot *row, struct address_name *name)
{
    struct address_names in_rows = *names;
    in_rows.memory = (struct tess_code_reader){read_rows, hot};
    hot->named = row;
    names_forget(names);
    names_instruction(&in_rows, row->address, &row->word, name);
}

void hot_spots_name(struct hot_spots *hot, const struct address_names *names,
                    const struct tess_vc4_shader_stats *program, struct address_name *name)
{
    struct address_names in_rows = *names;
    choose_program(hot, program);
    if (hot->some)
        in_rows.memory = (struct tess_code_reader){read_rows, hot};
    hot->named = NULL;
    names_forget(names);
    names_instruction(&in_rows, program->start, NULL, name);
}

static enum tess_vc4_stall worst_stall(const struct tess_vc4_hot *row)
{
    unsigned worst = 0;
    for (unsigned i = 1; i < TESS_VC4_STALLS; i++)
        if (row->stalls[i] > row->stalls[worst])
            worst = i;
    return (enum tess_vc4_stall)worst;
}

/* --- tables --- */

/* A program or an instruction, and the cycles that it took. */
struct hot_part {
    size_t first; /* index of the row, or of the program's first row */
    uint64_t cycles;
};

static int by_cycles(const void *left, const void *right)
{
    const struct hot_part *one = left, *other = right;
    if (one->cycles != other->cycles)
        return one->cycles > other->cycles ? -1 : 1;
    return one->first < other->first ? -1 : one->first > other->first;
}

static double percent(uint64_t part, uint64_t all)
{
    return all ? 100 * (double)part / (double)all : 0;
}

static void print_row(FILE *stream, const struct address_names *names, struct hot_spots *hot,
                      const struct tess_vc4_hot *row, uint64_t all)
{
    char place[TEXT], text[TEXT];
    struct address_name name;
    uint64_t stalled = stalls_of(row);
    name_row(names, hot, row, &name);
    names_shorten(&name);
    names_text(place, sizeof place, &name);
    tess_qpu_mnemonic(text, sizeof text, row->word, row->address);
    fprintf(stream,
            "%12" PRIu64 "  %6.2f%%  %12" PRIu64 "  %12" PRIu64 "  %-11s  0x%08" PRIx32
            "  %-*s  %s\n",
            cycles_of(row), percent(cycles_of(row), all), row->executed, stalled,
            stalled ? tess_vc4_stall_name(worst_stall(row)) : "-", row->address, PLACE_WIDTH,
            place[0] ? place : "-", text);
}

static void print_head(FILE *stream, const struct address_names *names, struct hot_spots *hot,
                       uint64_t cycles, uint64_t all)
{
    const struct tess_vc4_hot *row = hot->first;
    const struct tess_vc4_shader_stats program = {
        .kind = row->kind, .start = row->shader, .code = row->code};
    char place[TEXT];
    struct address_name name;
    hot_spots_name(hot, names, &program, &name);
    names_shorten(&name);
    names_text(place, sizeof place, &name);
    fprintf(stream,
            "\nhot instructions of the %s program at 0x%08" PRIx32
            "%s%s%s, which took %.2f%% of all cycles\n",
            tess_vc4_shader_kind_name(row->kind), row->shader, place[0] ? " <" : "", place,
            place[0] ? ">" : "", percent(cycles, all));
    fprintf(stream, "%12s  %7s  %12s  %12s  %-11s  %-10s  %-*s  %s\n", "cycles", "share",
            "executed", "stalled", "mostly", "address", PLACE_WIDTH, "place", "instruction");
}

static void print_program(FILE *stream, const struct address_names *names, struct hot_spots *hot,
                          uint64_t cycles, uint64_t all)
{
    struct hot_part *lines = malloc(hot->some * sizeof *lines);
    if (!lines)
        return;
    for (size_t i = 0; i < hot->some; i++)
        lines[i] = (struct hot_part){i, cycles_of(&hot->first[i])};
    qsort(lines, hot->some, sizeof *lines, by_cycles);
    print_head(stream, names, hot, cycles, all);
    for (size_t i = 0; i < hot->some && i < LINES && lines[i].cycles * LINE_SHARE >= cycles; i++)
        print_row(stream, names, hot, &hot->first[lines[i].first], cycles);
    free(lines);
}

/* Lists the programs with their cycles. Sets *all to the cycles of all programs. Returns the number
 * of programs. */
static size_t find_programs(struct hot_spots *hot, struct hot_part *programs, uint64_t *all)
{
    size_t count = 0;
    *all = 0;
    for (size_t i = 0; i < hot->count; i += hot->some) {
        choose(hot, i);
        programs[count] = (struct hot_part){.first = i};
        for (size_t n = 0; n < hot->some; n++)
            programs[count].cycles += cycles_of(&hot->first[n]);
        *all += programs[count++].cycles;
    }
    return count;
}

void hot_spots_print(FILE *stream, struct hot_spots *hot, const struct address_names *names)
{
    uint64_t all;
    struct hot_part *programs = hot->count ? malloc(hot->count * sizeof *programs) : NULL;
    size_t count = programs ? find_programs(hot, programs, &all) : 0;
    if (count)
        qsort(programs, count, sizeof *programs, by_cycles);
    for (size_t i = 0; i < count && i < PROGRAMS; i++) {
        if (programs[i].cycles * PROGRAM_SHARE < all)
            break;
        choose(hot, programs[i].first);
        print_program(stream, names, hot, programs[i].cycles, all);
    }
    free(programs);
}

/* --- JSON --- */

static void json_row(struct json *json, const struct address_names *names, struct hot_spots *hot,
                     const struct tess_vc4_hot *row)
{
    char text[TEXT];
    struct address_name name;
    tess_qpu_mnemonic(text, sizeof text, row->word, row->address);
    name_row(names, hot, row, &name);
    json_begin_object(json);
    json_member_hex(json, "address", row->address, 8);
    json_member_hex(json, "word", row->word, 16);
    names_json(json, "", &name);
    json_member_uint(json, "executed", row->executed);
    json_member_uint(json, "cycles", cycles_of(row));
    json_member_object(json, "stalls");
    for (unsigned i = 0; i < TESS_VC4_STALLS; i++)
        if (row->stalls[i])
            json_member_uint(json, tess_vc4_stall_name(i), row->stalls[i]);
    json_end_object(json);
    json_member_string(json, "text", text);
    json_end_object(json);
}

void hot_spots_json(struct json *json, struct hot_spots *hot, const struct address_names *names,
                    const struct tess_vc4_shader_stats *program)
{
    if (!hot->count)
        return;
    json_member_array(json, "hot");
    choose_program(hot, program);
    for (size_t i = 0; i < hot->some; i++)
        json_row(json, names, hot, &hot->first[i]);
    json_end_array(json);
}
