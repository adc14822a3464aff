/* SPDX-License-Identifier: MIT */
/* gp_isa.c - tests the tables and the codec of the GP's instruction word.
 *
 * Bit positions are those of Utgard-GP.md (github.com/cwabbott0/mali-isa-docs), entered here by
 * hand. Whole words are those of docs/hardware/utgard.md, section 13, which were decoded back with
 * Mesa's printer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../../random.h"
#include "../../register.h"
#include "isa/gp/facts.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

enum { RANDOM_WORDS = 1000000 };

static void check_codec(const uint32_t words[GP_WORDS])
{
    uint32_t again[GP_WORDS];
    struct gp_insn insn = gp_decode(words);
    gp_encode(&insn, again);
    assert_memory_equal(words, again, sizeof again);
}

TEST(test_codec_keeps_every_bit)
{
    uint64_t random = 1;
    check_codec((const uint32_t[]){0, 0, 0, 0});
    check_codec((const uint32_t[]){UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX});
    for (unsigned bit = 0; bit < 128; bit++) {
        uint32_t words[GP_WORDS] = {0};
        words[bit / 32] = UINT32_C(1) << bit % 32;
        check_codec(words);
    }
    for (unsigned i = 0; i < RANDOM_WORDS; i++) {
        uint32_t words[GP_WORDS];
        for (unsigned w = 0; w < GP_WORDS; w += 2) {
            uint64_t pair = next_random64(&random);
            memcpy(&words[w], &pair, sizeof pair);
        }
        check_codec(words);
    }
}

TEST(test_fields_are_all_bits)
{
    unsigned next = 0;
    for (unsigned i = 0; i < GP_FIELDS; i++) {
        assert_int_equal(gp_fields[i].low, next);
        next += gp_fields[i].bits;
    }
    assert_int_equal(next, 128);
}

/* Positions of fields from the table of Utgard-GP.md, "Instruction format". */
TEST(test_fields_are_where_the_seed_says)
{
    static const struct {
        unsigned low, high;
        const char *name;
    } rows[] = {
        /* clang-format off */
        {0,   4,   "mul0_src0"},
        {5,   9,   "mul0_src1"},
        {10,  14,  "mul1_src0"},
        {15,  19,  "mul1_src1"},
        {20,  20,  "mul0_neg"},
        {21,  21,  "mul1_neg"},
        {22,  26,  "acc0_src0"},
        {27,  31,  "acc0_src1"},
        {32,  36,  "acc1_src0"},
        {37,  41,  "acc1_src1"},
        {42,  42,  "acc0_src0_neg"},
        {43,  43,  "acc0_src1_neg"},
        {44,  44,  "acc1_src0_neg"},
        {45,  45,  "acc1_src1_neg"},
        {46,  54,  "load_addr"},
        {55,  57,  "load_offset"},
        {58,  61,  "register0_addr"},
        {62,  62,  "register0_attribute"},
        {63,  66,  "register1_addr"},
        {67,  67,  "store0_temporary"},
        {68,  68,  "store1_temporary"},
        {69,  69,  "branch"},
        {70,  70,  "branch_target_lo"},
        {71,  73,  "store0_src_x"},
        {74,  76,  "store0_src_y"},
        {77,  79,  "store1_src_z"},
        {80,  82,  "store1_src_w"},
        {83,  85,  "acc_op"},
        {86,  89,  "complex_op"},
        {90,  93,  "store0_addr"},
        {94,  94,  "store0_varying"},
        {95,  98,  "store1_addr"},
        {99,  99,  "store1_varying"},
        {100, 102, "mul_op"},
        {103, 105, "pass_op"},
        {106, 110, "complex_src"},
        {111, 115, "pass_src"},
        {116, 119, "unknown_1"},
        {120, 127, "branch_target"},
        /* clang-format on */
    };
    assert_int_equal(COUNT(rows), GP_FIELDS);
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_string_equal(gp_fields[i].name, rows[i].name);
        assert_int_equal(gp_fields[i].low, rows[i].low);
        assert_int_equal(gp_fields[i].low + gp_fields[i].bits - 1, rows[i].high);
        uint32_t words[GP_WORDS] = {0};
        for (unsigned bit = rows[i].low; bit <= rows[i].high; bit++)
            words[bit / 32] |= UINT32_C(1) << bit % 32;
        struct gp_insn insn = gp_decode(words);
        for (unsigned j = 0; j < GP_FIELDS; j++)
            assert_int_equal(gp_field_get(&insn, j), j == i ? (1u << gp_fields[i].bits) - 1 : 0);
    }
}

TEST(test_nop)
{
    static const uint32_t expected[] = {0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500};
    uint32_t words[GP_WORDS];
    struct gp_insn insn = gp_nop();
    gp_encode(&insn, words);
    assert_memory_equal(words, expected, sizeof words);
}

/* The target is split: target 3 has lo 1 and low 3, and target 259 has lo 0 and low 3
 * (docs/hardware/utgard.md, section 2). */
TEST(test_branch_target)
{
    struct gp_insn insn = gp_nop();
    gp_set_branch_target(&insn, 3);
    assert_int_equal(insn.branch_target_lo, 1);
    assert_int_equal(insn.branch_target, 3);
    gp_set_branch_target(&insn, 259);
    assert_int_equal(insn.branch_target_lo, 0);
    assert_int_equal(insn.branch_target, 3);
    for (unsigned target = 0; target < GP_PROGRAM_MAX; target++) {
        gp_set_branch_target(&insn, target);
        assert_int_equal(gp_branch_target(&insn), target);
    }
}

/* The words of docs/hardware/utgard.md, section 13. Each row lists the fields that differ from
 * an idle instruction. */
TEST(test_vectors)
{
    static const struct {
        uint32_t words[GP_WORDS];
        struct {
            unsigned field, value;
        } set[20];
    } rows[] = {
        {{0xb00b0ec2, 0x43802ac1, 0x40034400, 0x000ad508},
         /* mov.a0 /v0.x a0.x; mov.a1 /v0.y a0.y; mov.m0 /v0.z a0.z; mov.m1 /v0.w a0.w */
         {{GP_FIELD_mul0_src0, 2},
          {GP_FIELD_mul0_src1, 22},
          {GP_FIELD_mul1_src0, 3},
          {GP_FIELD_mul1_src1, 22},
          {GP_FIELD_acc0_src0, 0},
          {GP_FIELD_acc0_src1, 22},
          {GP_FIELD_acc1_src0, 1},
          {GP_FIELD_acc1_src1, 22},
          {GP_FIELD_acc0_src1_neg, 1},
          {GP_FIELD_acc1_src1_neg, 1},
          {GP_FIELD_register0_attribute, 1},
          {GP_FIELD_store0_src_x, 0},
          {GP_FIELD_store0_src_y, 1},
          {GP_FIELD_store1_src_z, 2},
          {GP_FIELD_store1_src_w, 3},
          {GP_FIELD_store0_varying, 1},
          {GP_FIELD_store1_varying, 1}}},
        {{0xad4ad42c, 0x478142b5, 0x0007ff80, 0x000ad500}, /* mul.m0 t[5].x * a1.y */
         {{GP_FIELD_mul0_src0, 12},
          {GP_FIELD_mul0_src1, 1},
          {GP_FIELD_load_addr, 5},
          {GP_FIELD_register0_addr, 1},
          {GP_FIELD_register0_attribute, 1}}},
        {{0x748ad6b5, 0x038142b5, 0x0c07fc00, 0x000ad500}, /* add.a0 /$3.x (p1 mul0) + t[5].z */
         {{GP_FIELD_acc0_src0, 18},
          {GP_FIELD_acc0_src1, 14},
          {GP_FIELD_load_addr, 5},
          {GP_FIELD_store0_src_x, 0},
          {GP_FIELD_store0_addr, 3}}},
        {{0xad4b1084, 0x038002b5, 0x0147ff81, 0x000a9130}, /* rcp.c $2.x; complex2.m0; mov.m1 */
         {{GP_FIELD_mul0_src0, 4},
          {GP_FIELD_mul0_src1, 4},
          {GP_FIELD_mul1_src0, 4},
          {GP_FIELD_mul1_src1, 22},
          {GP_FIELD_register1_addr, 2},
          {GP_FIELD_complex_op, 5},
          {GP_FIELD_mul_op, 3},
          {GP_FIELD_complex_src, 4}}},
        {{0xad49da56, 0x038002b5, 0x0007ff80, 0x000ad510}, /* complex1.m01 c, m0, c, m1 */
         {{GP_FIELD_mul0_src0, 22},
          {GP_FIELD_mul0_src1, 18},
          {GP_FIELD_mul1_src0, 22},
          {GP_FIELD_mul1_src1, 19},
          {GP_FIELD_mul_op, 1}}},
        {{0xb68ad6b5, 0x03800ab5, 0x4407fc00, 0x000ad500}, /* mov.a0 /v1.x (p2 mul0) */
         {{GP_FIELD_acc0_src0, 26},
          {GP_FIELD_acc0_src1, 22},
          {GP_FIELD_acc0_src1_neg, 1},
          {GP_FIELD_store0_src_x, 0},
          {GP_FIELD_store0_addr, 1},
          {GP_FIELD_store0_varying, 1}}},
        {{0xad4ad6b5, 0x038002b5, 0x0007ffe0, 0x03d65500}, /* mov.p t[0].x; branch to 3 */
         {{GP_FIELD_branch, 1},
          {GP_FIELD_branch_target_lo, 1},
          {GP_FIELD_pass_src, 12},
          {GP_FIELD_unknown_1, 13},
          {GP_FIELD_branch_target, 3}}},
        {{0xad4ab080, 0x0781c2b5, 0x0007ff81, 0x000ad540}, /* sel.m01 $2.x ? t[7].x : $1.x */
         {{GP_FIELD_mul0_src0, 0},
          {GP_FIELD_mul0_src1, 4},
          {GP_FIELD_mul1_src0, 12},
          {GP_FIELD_load_addr, 7},
          {GP_FIELD_register0_addr, 1},
          {GP_FIELD_register1_addr, 2},
          {GP_FIELD_mul_op, 4}}},
        {{0xad4ad6b5, 0x038242b5, 0x4807fe00, 0x000a5700}, /* clamp.p /v2.x (p1 pass) */
         {{GP_FIELD_load_addr, 9},
          {GP_FIELD_store0_src_x, 4},
          {GP_FIELD_store0_addr, 2},
          {GP_FIELD_store0_varying, 1},
          {GP_FIELD_pass_op, 6},
          {GP_FIELD_pass_src, 20}}},
        {{0xad4ad6b5, 0x038002b5, 0x0347ff80, 0x000ad100}, /* mov.c /addr1 (p1 pass) */
         {{GP_FIELD_complex_op, 13}, {GP_FIELD_complex_src, 20}}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gp_insn insn = gp_nop();
        uint32_t words[GP_WORDS];
        for (size_t j = 0; j < COUNT(rows[i].set); j++)
            if (rows[i].set[j].field || rows[i].set[j].value || j == 0)
                gp_field_set(&insn, rows[i].set[j].field, rows[i].set[j].value);
        /* Unused entries of set are {0, 0}. An entry that sets mul0_src0 (field 0) to 0 looks
         * the same, so it must be the first entry. */
        if (rows[i].set[0].field != GP_FIELD_mul0_src0)
            insn.mul0_src0 = 21;
        gp_encode(&insn, words);
        assert_memory_equal(words, rows[i].words, sizeof words);
        check_codec(rows[i].words);
    }
}

/* Source codes from the table of Utgard-GP.md, "Inputs to the ALU's". */
TEST(test_sources)
{
    static const struct {
        unsigned first, count;
        enum gp_unit unit;
        unsigned back;
    } rows[] = {
        /* clang-format off */
        {0,  4, GP_UNIT_LOAD0,   0},
        {4,  4, GP_UNIT_LOAD1,   0},
        {12, 4, GP_UNIT_ROW,     0},
        {16, 1, GP_UNIT_ACC0,    1},
        {17, 1, GP_UNIT_ACC1,    1},
        {18, 1, GP_UNIT_MUL0,    1},
        {19, 1, GP_UNIT_MUL1,    1},
        {20, 1, GP_UNIT_PASS,    1},
        {21, 1, GP_UNIT_NONE,    0},
        {22, 1, GP_UNIT_COMPLEX, 1},
        {23, 1, GP_UNIT_PASS,    2},
        {24, 1, GP_UNIT_ACC0,    2},
        {25, 1, GP_UNIT_ACC1,    2},
        {26, 1, GP_UNIT_MUL0,    2},
        {27, 1, GP_UNIT_MUL1,    2},
        {28, 4, GP_UNIT_LOAD0,   1},
        /* clang-format on */
    };
    unsigned known = 0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (unsigned j = 0; j < rows[i].count; j++) {
            const struct gp_source_row *source = &gp_sources[rows[i].first + j];
            assert_non_null(source->words);
            assert_int_equal(source->unit, rows[i].unit);
            assert_int_equal(source->back, rows[i].back);
            assert_int_equal(source->component, rows[i].count == 4 ? "xyzw"[j] : 0);
        }
        known += rows[i].count;
    }
    for (unsigned i = 0; i < GP_SOURCES; i++)
        known -= gp_sources[i].words != NULL;
    assert_int_equal(known, 0);
}

/* docs/hardware/utgard.md, sections 6 to 8: a load reads a stored register three instructions
 * later, and a stored temporary or an address register four instructions later. Address register 0
 * and varyings have no delay. */
TEST(test_delayed_writes)
{
    struct gp_delayed list[GP_DELAYED_MAX];
    struct gp_insn insn = gp_nop();
    assert_int_equal(gp_delayed_writes(&insn, list), 0);
    insn.store0_addr = 3;
    insn.store0_src_y = GP_STORE_ACC0;
    insn.store1_temporary = 1;
    insn.store1_src_z = GP_STORE_MUL0;
    insn.store1_src_w = GP_STORE_PASS;
    insn.complex_op = GP_COMPLEX_ADDR2;
    insn.complex_src = GP_SRC_ROW_X;
    assert_int_equal(gp_delayed_writes(&insn, list), 3);
    assert_int_equal(list[0].target, GP_TARGET_ADDRESS);
    assert_int_equal(list[0].number, 2);
    assert_int_equal(list[0].latency, 4);
    assert_int_equal(list[1].target, GP_TARGET_REGISTER);
    assert_int_equal(list[1].number, 3);
    assert_int_equal(list[1].components, 2);
    assert_int_equal(list[1].latency, 3);
    assert_int_equal(list[2].target, GP_TARGET_TEMPORARY);
    assert_int_equal(list[2].components, 4 | 8);
    assert_int_equal(list[2].latency, 4);
    insn.complex_op = GP_COMPLEX_ADDR0;
    insn.store1_temporary = 0;
    insn.store1_varying = 1;
    assert_int_equal(gp_delayed_writes(&insn, list), 1);
    assert_int_equal(list[0].target, GP_TARGET_REGISTER);
    insn.complex_op = GP_COMPLEX_ADDR01;
    assert_int_equal(gp_delayed_writes(&insn, list), 2);
    assert_int_equal(list[0].number, 1);
}

/* Source code 22 is the complex unit's result as first operand, and 0 or 1 as second operand. */
TEST(test_operand_rows)
{
    assert_int_equal(gp_operand_row(22, GP_FIRST).unit, GP_UNIT_COMPLEX);
    assert_int_equal(gp_operand_row(22, GP_SECOND).unit, GP_UNIT_NONE);
    assert_int_equal(gp_operand_row(30, GP_SECOND).unit, GP_UNIT_LOAD0);
    assert_int_equal(gp_operand_row(30, GP_SECOND).back, 1);
    assert_int_equal(gp_operand_row(6, GP_STORED).unit, GP_UNIT_COMPLEX);
    assert_int_equal(gp_operand_row(6, GP_FIRST).unit, GP_UNIT_LOAD1);
}
