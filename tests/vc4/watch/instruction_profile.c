/* SPDX-License-Identifier: MIT */
/* Tests of the profile, which counts instructions and their stalls. The first part tests the
 * table. The second part runs programs whose counts are worked out by hand from their source. */
#include "../../register.h"
#include "../qpu/program.h"

#include <stdlib.h>

#include "base/bits.h"
#include "vc4/watch/instruction_profile.h"

static const struct profile_program user = {TESS_VC4_USER, 0x1000, 0};

static struct tess_vc4_hot *rows_of(const struct instruction_profile *insn_profile, size_t expected)
{
    size_t count;
    struct tess_vc4_hot *rows = instruction_profile_rows(insn_profile, &count);
    assert_int_equal(count, expected);
    return rows;
}

/* A page of the table holds 64 instructions, 0x200 bytes. Runs continue in the next page. */
TEST(runs_are_counted_at_every_instruction)
{
    static const uint64_t words[] = {11, 12, 13, 14};
    struct instruction_profile insn_profile = {0};
    instruction_profile_count(&insn_profile, user, 0x11f0, words, 4);
    instruction_profile_count(&insn_profile, user, 0x11f8, words + 1, 2);
    instruction_profile_stall(&insn_profile, user, 0x1200, 13, TESS_VC4_STALL_TMU, 20);
    instruction_profile_stall(&insn_profile, user, 0x1200, 13, TESS_VC4_STALL_TMU, 7);
    struct tess_vc4_hot *rows = rows_of(&insn_profile, 4);
    static const uint64_t executed[] = {1, 2, 2, 1};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(rows[i].address, 0x11f0 + 8 * i);
        assert_int_equal(rows[i].word, words[i]);
        assert_int_equal(rows[i].executed, executed[i]);
        assert_int_equal(rows[i].stalls[TESS_VC4_STALL_TMU], i == 2 ? 27 : 0);
    }
    free(rows);
    instruction_profile_free(&insn_profile);
}

/* The profile has separate rows for shaders of different kinds, for different programs, and for
 * instructions that replace others at the same address. */
TEST(what_differs_is_kept_apart)
{
    static const uint64_t one[] = {5, 6}, other[] = {5, 7}, tail[] = {6, 9};
    const struct profile_program fragment = {TESS_VC4_FRAGMENT, 0x1000, 0},
                                 later = {TESS_VC4_USER, 0x2000, 0},
                                 replaced = {TESS_VC4_USER, 0x1000, 1};
    struct instruction_profile insn_profile = {0};
    instruction_profile_count(&insn_profile, user, 0x1000, one, 2);
    instruction_profile_count(&insn_profile, user, 0x1000, other, 2);
    instruction_profile_count(&insn_profile, user, 0x1008, tail, 2); /* these counts belong to
                                                                        the first program */
    instruction_profile_count(&insn_profile, later, 0x1000, one, 1);
    instruction_profile_count(&insn_profile, fragment, 0x1000, one, 1);
    instruction_profile_count(&insn_profile, replaced, 0x1000, one, 1);
    struct tess_vc4_hot *rows = rows_of(&insn_profile, 7);
    static const struct {
        enum tess_vc4_shader_kind kind;
        uint32_t shader, address;
        uint64_t word, executed;
    } expected[] = {
        /* clang-format off */
        {TESS_VC4_USER,     0x1000, 0x1000, 5, 2},
        {TESS_VC4_USER,     0x1000, 0x1008, 6, 2},
        {TESS_VC4_USER,     0x1000, 0x1008, 7, 1},
        {TESS_VC4_USER,     0x1000, 0x1010, 9, 1},
        {TESS_VC4_USER,     0x1000, 0x1000, 5, 1},
        {TESS_VC4_USER,     0x2000, 0x1000, 5, 1},
        {TESS_VC4_FRAGMENT, 0x1000, 0x1000, 5, 1},
        /* clang-format on */
    };
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(rows[i].kind, expected[i].kind);
        assert_int_equal(rows[i].shader, expected[i].shader);
        assert_int_equal(rows[i].address, expected[i].address);
        assert_int_equal(rows[i].word, expected[i].word);
        assert_int_equal(rows[i].executed, expected[i].executed);
    }
    free(rows);
    instruction_profile_free(&insn_profile);
}

/* Counts are distributed over several tables. The rows of the merged table must not depend on
 * the distribution. */
TEST(tables_add_up)
{
    struct instruction_profile all = {0}, part[3] = {{0}}, sum[2] = {{0}};
    uint64_t words[200];
    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t at = i * 7 % 900, count = i % 90 + 1;
        for (uint32_t n = 0; n < count; n++)
            words[n] = (at + n) * 3 + (i % 500 == 7); /* changes the code from time to time */
        instruction_profile_count(&all, user, at * 8, words, count);
        instruction_profile_count(&part[i % 3], user, at * 8, words, count);
        instruction_profile_stall(&all, user, at * 8, words[0], i % TESS_VC4_STALLS, i);
        instruction_profile_stall(&part[i % 3], user, at * 8, words[0], i % TESS_VC4_STALLS, i);
    }
    for (uint32_t i = 0; i < 3; i++) {
        instruction_profile_merge(&sum[0], &part[i]);
        instruction_profile_merge(&sum[1], &part[2 - i]);
    }
    size_t count;
    struct tess_vc4_hot *expected = instruction_profile_rows(&all, &count);
    for (unsigned i = 0; i < 2; i++) {
        struct tess_vc4_hot *rows = rows_of(&sum[i], count);
        for (size_t n = 0; n < count; n++) {
            assert_int_equal(rows[n].address, expected[n].address);
            assert_int_equal(rows[n].word, expected[n].word);
            assert_int_equal(rows[n].executed, expected[n].executed);
            assert_memory_equal(rows[n].stalls, expected[n].stalls, sizeof rows[n].stalls);
        }
        free(rows);
        instruction_profile_free(&sum[i]);
    }
    free(expected);
    instruction_profile_free(&all);
    for (unsigned i = 0; i < 3; i++)
        instruction_profile_free(&part[i]);
}

TEST(clearing_forgets)
{
    static const uint64_t word = 1;
    struct instruction_profile insn_profile = {0};
    assert_null(rows_of(&insn_profile, 0));
    instruction_profile_count(&insn_profile, user, 0x1000, &word, 1);
    instruction_profile_clear(&insn_profile);
    assert_null(rows_of(&insn_profile, 0));
    instruction_profile_count(&insn_profile, user, 0x1000, &word, 1);
    free(rows_of(&insn_profile, 1));
    instruction_profile_free(&insn_profile);
}

/* --- on a device --- */

enum { CODE = PROGRAM_CODE, UNIFORMS = PROGRAM_UNIFORMS };

/* The first uniform is the number of loops. The loop has a lookup whose result comes from
 * memory. Instructions are fetched in lines of 8. */
TEST(counts_by_hand)
{
    static const char text[] = "mov r0, unif\n"
                               ":loop\n"
                               "sub.setf r0, r0, 1\n"
                               "brr.anynz -, :loop\n"
                               "nop\n"
                               "nop\n"
                               "nop\n"
                               "mov t0s, r0\n"
                               "nop; ldtmu0\n"
                               "thrend\n"
                               "nop\n"
                               "nop\n";
    static const uint64_t once[] = {1, 5, 5, 5, 5, 5, 1, 1, 1, 1, 1};
    enum { INSTRUCTIONS = sizeof once / sizeof *once, PROGRAMS = 3, LOAD = 7 };
    for (unsigned sanitize = 0; sanitize < 2; sanitize++) {
        struct tess_vc4 *vc4 = program_device(
            text, &(struct tess_vc4_options){.profile = true, .machine.sanitize = sanitize});
        store_le32(tess_vc4_memory(vc4, UNIFORMS, 4), 5);
        program_run(vc4, PROGRAMS);
        struct tess_vc4_hot *rows;
        size_t count;
        assert_int_equal(tess_vc4_get_hot(vc4, &rows, &count), TESS_OK);
        assert_int_equal(count, INSTRUCTIONS);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(rows[i].kind, TESS_VC4_USER);
            assert_int_equal(rows[i].shader, CODE);
            assert_int_equal(rows[i].address, CODE + 8 * i);
            assert_int_equal(rows[i].executed, PROGRAMS * once[i]);
            assert_int_equal(rows[i].word,
                             load_le64(tess_vc4_memory(vc4, (uint32_t)(CODE + 8 * i), 8)));
            for (unsigned cause = 0; cause < TESS_VC4_STALLS; cause++) {
                bool waits = (i == LOAD && cause == TESS_VC4_STALL_TMU) ||
                             (i == 0 && cause == TESS_VC4_STALL_UNIFORM) ||
                             (i % 8 == 0 && cause == TESS_VC4_STALL_INSTRUCTION);
                assert_int_equal(rows[i].stalls[cause] > 0, waits);
            }
        }
        tess_free(rows);
        tess_vc4_destroy(vc4);
    }
}

/* The host uploads one program over another. A program in which the host patches a load
 * immediate remains the same program. */
TEST(programs_at_one_address_have_rows_of_their_own)
{
    enum { SUM = 5, OTHER = 6, IMMEDIATE = 0 };
    struct tess_vc4 *vc4 = program_device("ldi r0, 1\nadd r0, r0, r0\nthrend\nnop\nnop\n",
                                          &(struct tess_vc4_options){.profile = true});
    uint8_t *code = tess_vc4_memory(vc4, CODE, 7 * 8);
    program_run(vc4, 1);
    store_le32(code + IMMEDIATE, 2);
    program_run(vc4, 1);
    memmove(code + 2 * 8, code + 8, 4 * 8); /* repeats one addition */
    program_run(vc4, 1);

    struct tess_vc4_shader_stats first, second;
    assert_int_equal(tess_vc4_shader_count(vc4), 2);
    assert_true(tess_vc4_get_shader_stats(vc4, 0, &first));
    assert_true(tess_vc4_get_shader_stats(vc4, 1, &second));
    assert_int_equal(first.start, CODE);
    assert_int_equal(second.start, CODE);
    assert_true(first.code != second.code);
    assert_int_equal(first.runs, 2);
    assert_int_equal(first.instructions, 2 * SUM);
    assert_int_equal(second.runs, 1);
    assert_int_equal(second.instructions, OTHER);

    struct tess_vc4_hot *rows;
    size_t count;
    uint64_t executed = 0;
    assert_int_equal(tess_vc4_get_hot(vc4, &rows, &count), TESS_OK);
    for (size_t i = 0; i < count; i++)
        executed += rows[i].code == second.code ? rows[i].executed : 0;
    assert_int_equal(executed, OTHER);
    tess_free(rows);
    tess_vc4_destroy(vc4);
}

TEST(nothing_is_counted_unless_asked_for)
{
    struct tess_vc4 *vc4 = program_device("thrend\nnop\nnop\n", &(struct tess_vc4_options){0});
    struct tess_vc4_hot *rows;
    size_t count;
    program_run(vc4, 1);
    assert_int_equal(tess_vc4_get_hot(vc4, &rows, &count), TESS_OK);
    assert_int_equal(count, 0);
    assert_null(rows);
    assert_int_equal(tess_vc4_get_hot(vc4, NULL, &count), TESS_INVALID);
    assert_int_equal(tess_vc4_get_hot(vc4, &rows, NULL), TESS_INVALID);
    tess_vc4_destroy(vc4);
}
